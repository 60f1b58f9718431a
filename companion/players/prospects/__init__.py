"""What a position promises beyond its scores, for games whose scores say too little while they go on.

The numbers in this folder are no rules: they are estimates of players, weighed by hand and judged by tournaments alone
(docs/players.md). Each looks only at what the position that it is given knows, so a seat's view tells no secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.contract import Seat
from companion.players.prospects import cribbage, regenbogen, roll_and_color, spectrumo

PROSPECTS: Mapping[str, Callable[[Any, Seat], float]] = {
    "CribbageState": cribbage.prospects,
    "RegenbogenState": regenbogen.prospects,
    "RollState": roll_and_color.prospects,
    "SpectrumoState": spectrumo.prospects,
}
"""State class name to the points by which a seat stands better than its scores say."""
