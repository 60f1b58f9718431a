"""A roll that is due, as the page asks for it die by die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import ToRoll


def roll_data(due: ToRoll, labels: Sequence[str]) -> dict[str, Any]:
    """The rolling player, and each die with a word that identifies it."""
    return {
        "seat": due.seat,
        "dice": [{"kind": kind, "label": label} for kind, label in zip(due.dice, labels, strict=True)],
    }
