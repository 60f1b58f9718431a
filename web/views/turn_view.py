"""The player on turn and the expected event, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Drawn, Move, Over, Seat, ToDraw, ToMove, ToRoll
from companion.core.foundation.errors import MoveError
from companion.referee.table.table import Table
from web.boards import Presenter
from web.privacy.event_authorization import held_in_hands
from web.privacy.secrecy import legal as legal_of
from web.views.alert_view import breach_data


def turn_data(table: Table, state: Any, presenter: Presenter) -> dict[str, Any]:
    """The event that must come next.

    Args:
        state: The position as the reader may know it.
    """
    expects = state.expects()
    names = table.session.names
    if isinstance(expects, ToMove):
        who = " or ".join(names[seat] for seat in expects.seats)
        if held_in_hands(table):
            # A hand that nobody knows may have more moves than can be listed; the panel asks for one at a time.
            return {**_moving(expects, who), "legal": len(state.legal_moves()), "others": [], "draw": None}
        legal = legal_of(table, state)
        return {
            **_moving(expects, who),
            "hint": _hint(state, expects.seats, len(legal), presenter),
            "legal": len(legal),
            "others": _others(table, state, presenter),
            "playable": _playable(state, expects.seats, legal, presenter),
            "draw": _open_draw(table, state),
        }
    if isinstance(expects, ToDraw):
        kind = "card" if table.session.game.dealer is not None else "piece"
        what = f"1 {kind}" if expects.count == 1 else f"{expects.count} {kind}s"
        return {
            "kind": "draw",
            "seats": [expects.seat],
            "count": expects.count,
            "text": f"{names[expects.seat]} to draw",
            "hint": f"{what} from the {expects.source}.",
            "draw": {"seats": [expects.seat], "count": expects.count, "hidden": _may_hide(state, expects)},
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


def _moving(expects: ToMove, who: str) -> dict[str, Any]:
    return {"kind": "move", "seats": list(expects.seats), "text": f"{who} to move", "hint": ""}


def _hint(state: Any, seats: tuple[Seat, ...], count: int, presenter: Presenter) -> str:
    hands = [presenter.hand(state, seat) for seat in seats]
    if any(hand is not None and hand.unseen for hand in hands):
        return "The hand is not shown: whatever the rules allow is taken."
    return "No legal move is known." if count == 0 else ""


def _playable(state: Any, seats: tuple[Seat, ...], legal: Sequence[Move], presenter: Presenter) -> list[str] | None:
    """Pieces of the hand to move that a legal move lays; None in a game without hands."""
    hands = [hand for seat in seats if (hand := presenter.hand(state, seat)) is not None]
    if not hands:
        return None
    aims = {aim.piece for move in legal if (aim := presenter.aim(move)).spot is not None}
    codes = [presenter.piece_code(piece) for hand in hands for piece in hand.pieces]
    return [code for code in codes if presenter.aim_code(code) in aims]


def _others(table: Table, state: Any, presenter: Presenter) -> list[dict[str, Any]]:
    """Legal moves that go to no spot of the board, such as passing; a few at most."""
    found: list[dict[str, Any]] = []
    for move in legal_of(table, state):
        aim = presenter.aim(move)
        if aim.spot is None and len(found) < 40:
            reminders = [breach_data(breach, table.session.game.name) for breach in presenter.reminders(state, move)]
            found.append(
                {
                    "text": table.session.game.text(move),
                    "offer": presenter.offer(move),
                    "piece": aim.piece,
                    "reminders": reminders,
                }
            )
    return found


def _open_draw(table: Table, state: Any) -> dict[str, Any] | None:
    """The seat that may enter a draw while a move is due, as when a turn's draw may come at any time of the turn."""
    seats = sorted({chance.seat for chance, _ in table.session.game.outcomes(state) if isinstance(chance, Drawn)})
    return {"seats": seats, "count": 1, "hidden": False} if seats else None


def _may_hide(state: Any, due: ToDraw) -> bool:
    """Returns true if a draw may be entered without naming it."""
    try:
        state.apply(Drawn(due.seat, (None,) * due.count))
    except MoveError:
        return False
    return True
