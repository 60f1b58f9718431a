"""Events in the words of a recording: what `companion watch` prints.

Draws have no words here: a recording's events are what a player does to the board, and the tile that follows from the
bag belongs to the same turn (TRI-17).
"""

from __future__ import annotations

from typing import Any

from companion.core.contract import Event
from companion.games.spectrangle.moves import Exchange, Pass, PlaceTile
from companion.games.spectrangle.state import SpectrangleState


def words(state: SpectrangleState, event: Event) -> dict[str, Any] | None:
    """The event as a recording names it; None for what it does not name.

    :param state: the position before the event. A placement that breaks rules scores 0 (TRI-13).
    """
    match event:
        case PlaceTile(cell=cell, tile=tile):
            lies = {"left": tile.left, "right": tile.right, "flat": tile.flat, "value": tile.value}
            points = 0 if state.explain(event) else state.line(event).points
            return {"player": state.turn, "type": "place", "cell": cell, "tile": lies, "points": points}
        case Exchange(tile=tile):
            return {"player": state.turn, "type": "exchange", "tile": None if tile is None else tile.name}
        case Pass():
            return {"player": state.turn, "type": "pass"}
    return None
