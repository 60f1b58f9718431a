"""Players as the page shows them: a sign of their own, score, score sheet, hand."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.contract import Seat
from companion.referee.table import Table
from web.boards import Presenter
from web.match import next_position
from web.scene.chart import SIGN_PATHS
from web.scene.svg import tree

_SIGNS = tuple(SIGN_PATHS)


def sign_of(seat: Seat) -> str:
    """A seat's own shape, because a color alone would not tell seats apart."""
    return _SIGNS[seat % len(_SIGNS)]


def seat_data(table: Table, state: Any, presenter: Presenter) -> list[dict[str, Any]]:
    """Every seat, in clockwise order."""
    scores = state.scores()
    return [
        {
            "seat": seat,
            "name": name,
            "sign": SIGN_PATHS[sign_of(seat)],
            "total": scores[seat].total,
            "lines": [{"points": line.points, "rule": line.rule, "text": line.text} for line in scores[seat].lines],
            "hand": _hand(state, seat, presenter),
        }
        for seat, name in enumerate(table.session.names)
    ]


def _hand(state: Any, seat: Seat, presenter: Presenter) -> dict[str, Any] | None:
    hand = presenter.hand(state, seat)
    if hand is None:
        return None
    return {
        "unseen": hand.unseen,
        "pieces": [piece_data(piece, presenter, f"hand{seat}-{i}") for i, piece in enumerate(hand.pieces)],
    }


def piece_data(piece: Any, presenter: Presenter, name: str, spot: str | None = None) -> dict[str, Any]:
    """A piece to choose: its code, its name, its picture."""
    return {
        "code": presenter.piece_code(piece),
        "name": presenter.piece_name(piece),
        "json": msgspec.to_builtins(piece),
        "picture": tree(presenter.picture(piece, name=name, spot=spot)),
    }


def outcome_data(table: Table, state: Any) -> dict[str, Any] | None:
    """How it ended."""
    outcome = state.outcome()
    if outcome is None:
        return None
    first = [table.session.names[seat] for seat in outcome.places[0]]
    who = " and ".join(first)
    return {
        "places": [[{"seat": seat, "name": table.session.names[seat]} for seat in place] for place in outcome.places],
        "rule": outcome.rule,
        "link": f"/rules/{table.session.game.name}#{outcome.rule}",
        "text": outcome.text,
        "sentence": _sentence(first, who, len(table.session.names)),
        "next": next_position(table) is not None,
    }


def _sentence(first: list[str], who: str, seats: int) -> str:
    """Who has won. Alone at the table nobody wins against anybody: what was reached stands beside it."""
    if seats == 1:
        return "The game is over."
    return f"{who} wins." if len(first) == 1 else f"{who} share the first place."


def leads(table: Table, state: Any) -> list[Seat]:
    """Who is ahead on points now; nobody alone, without points, or while all have the same."""
    lead = table.session.game.lead
    if lead == "nothing":
        return []
    totals = [score.total for score in state.scores()]
    best = min(totals) if lead == "fewest" else max(totals)
    ahead = [seat for seat, total in enumerate(totals) if total == best]
    return [] if len(ahead) == len(totals) else ahead
