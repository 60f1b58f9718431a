"""Whose turn it is and what is expected, in words."""

from __future__ import annotations

from typing import Any

from companion.contract import Over, Seat, ToDraw, ToMove, ToRoll
from companion.table import Table
from web.boards import Presenter


def turn_data(table: Table, state: Any, presenter: Presenter) -> dict[str, Any]:
    """What must happen next."""
    expects = state.expects()
    names = table.names
    if isinstance(expects, ToMove):
        who = " or ".join(names[seat] for seat in expects.seats)
        legal = table.legal()
        return {
            "kind": "move",
            "seats": list(expects.seats),
            "text": f"{who} to move",
            "hint": _hint(state, expects.seats, len(legal), presenter),
            "legal": len(legal),
            "others": _others(table, state, presenter),
        }
    if isinstance(expects, ToDraw):
        what = "1 piece" if expects.count == 1 else f"{expects.count} pieces"
        return {
            "kind": "draw",
            "seats": [expects.seat],
            "count": expects.count,
            "text": f"{names[expects.seat]} to draw",
            "hint": f"{what} from the {expects.source}.",
        }
    if isinstance(expects, ToRoll):
        return {
            "kind": "roll",
            "seats": [expects.seat],
            "dice": list(expects.dice),
            "text": f"{names[expects.seat]} to roll",
            "hint": f"{len(expects.dice)} dice.",
        }
    assert isinstance(expects, Over)
    return {"kind": "over", "seats": [], "text": "The game is over", "hint": ""}


def _hint(state: Any, seats: tuple[Seat, ...], count: int, presenter: Presenter) -> str:
    hands = [presenter.hand(state, seat) for seat in seats]
    if any(hand is not None and hand.unseen for hand in hands):
        return "The hand is not shown: whatever the rules allow is taken."
    if count == 0:
        return "No legal move is known."
    return "1 legal move." if count == 1 else f"{count} legal moves."


def _others(table: Table, state: Any, presenter: Presenter) -> list[dict[str, Any]]:
    """Legal moves that go to no spot of the board, such as passing; a few at most."""
    found: list[dict[str, Any]] = []
    for move in table.legal():
        aim = presenter.aim(move)
        if aim.spot is None and len(found) < 40:
            found.append({"text": table.game.text(move), "offer": presenter.offer(move), "piece": aim.piece})
    return found
