"""A person who answers the referee's questions truly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.verdict import Unclear
from companion.referee.table.table import Table
from simulation.choosing import chosen


def answered(table: Table, verdict: Unclear, truths: Sequence[Any]) -> bool:
    """Choose the legal way that leads to one of these positions; whether there is one among the choices."""
    for place, choice in enumerate(verdict.choices):
        after = chosen(table.session.state, choice)
        if after is not None and after in truths and not choice.breaches:
            table.answer(place, source="page")
            return True
    return False
