"""Players as the page shows them: the sign of the person, the score, the score sheet, and the hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.contract import Points, Seat
from companion.referee.table.table import Table
from web.boards import Presenter
from web.facts.options import next_position
from web.scene.signs import SIGN_PATHS, Sign, signs
from web.scene.svg import tree


def ranking(
    places: Sequence[Sequence[Seat]], names: Sequence[str], totals: Sequence[Points], *, scored: bool
) -> list[dict[str, Any]]:
    """Returns one line for each player, the winner first; players who tie have the same place.

    Args:
        places: The seats by place, ties together.
        totals: The points by seat.
        scored: False in games whose points mean nothing; the lines then have neither points nor gaps.
    """
    best = totals[places[0][0]]
    lines: list[dict[str, Any]] = []
    for tied in places:
        place = len(lines) + 1
        for seat in tied:
            gap = totals[seat] - best
            total = {"total": totals[seat], "gap": gap} if scored else {}
            lines.append({"place": place, "seat": seat, "name": names[seat], **total})
    return lines


def signs_of(table: Table) -> tuple[Sign, ...]:
    """Returns the signs of the players, by seat."""
    return signs(table.session.people, table.session.chosen_signs)


def sign_data(sign: Sign) -> dict[str, Any]:
    """Returns a sign as the page draws it: a path around 0 0, and the number of its color."""
    return {"path": SIGN_PATHS[sign.shape], "color": sign.color}


def seat_data(table: Table, state: Any, presenter: Presenter) -> list[dict[str, Any]]:
    """Returns the data of every seat, in clockwise order."""
    scores, shown, outcome = state.scores(), signs_of(table), state.outcome()
    won = () if outcome is None or table.session.game.lead != "nothing" else outcome.places[0]
    return [
        {
            "seat": seat,
            "name": name,
            "sign": sign_data(shown[seat]),
            "total": 1 if seat in won else scores[seat].total,
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
    """Returns a piece to choose: its code, its name, its picture."""
    return {
        "code": presenter.piece_code(piece),
        "name": presenter.piece_name(piece),
        "json": msgspec.to_builtins(piece),
        "picture": tree(presenter.picture(piece, name=name, spot=spot)),
    }


def outcome_data(table: Table, state: Any) -> dict[str, Any] | None:
    """Returns the result of a game; None while it goes on."""
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
        "ranking": ranking(
            outcome.places,
            table.session.names,
            [score.total for score in state.scores()],
            scored=table.session.game.lead != "nothing",
        ),
    }


def _sentence(first: list[str], who: str, seats: int) -> str:
    """Returns the winner in words. A single player has no opponent, so the score is shown instead."""
    if seats == 1:
        return "The game is over."
    return f"{who} wins." if len(first) == 1 else f"{who} share first place."


def leads(table: Table, state: Any) -> list[Seat]:
    """Returns the seats that lead on points now; none for a single player, without points, or while all have the
    same.
    """
    lead = table.session.game.lead
    if lead == "nothing":
        return []
    totals = [score.total for score in state.scores()]
    best = min(totals) if lead == "fewest" else max(totals)
    ahead = [seat for seat, total in enumerate(totals) if total == best]
    return [] if len(ahead) == len(totals) else ahead
