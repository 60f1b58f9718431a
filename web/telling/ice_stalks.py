"""The advice in Ice Stalks: rocks left, possible ends of stalks, a rock's placements and those that kill a stalk."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.contract import Drawn, Seat
from companion.core.foundation.errors import MoveError
from companion.core.pieces import Pyramid
from companion.games.ice_stalks.advice import Addition, Future, additions, base, futures, killers, rocks_left, why_dead
from companion.games.ice_stalks.growth import KINDS, RAINBOW, ROCKS, pieces_of, stalk_of
from companion.games.ice_stalks.moves import PlacePiece
from companion.games.ice_stalks.scoring import line as worth
from companion.games.ice_stalks.situation import UNKNOWN
from companion.referee.table.table import Table
from web.boards import Presenter
from web.scene.pieces.pyramids import code, single, spoken
from web.scene.svg import tree
from web.telling.parts.adviser import pictures
from web.views.alert_view import breach_data

SHOWN = 3
"""So many ends of a stalk are shown; the others are only counted."""


class IceStalksAdviser:
    """Rocks, futures, placements. `about` is the color of a rock that is asked about; empty: the rock in the hand."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Everything about the position now."""
        left = rocks_left(state)
        known = state.hand if state.hand in RAINBOW else None
        color = about if about in RAINBOW and (known is None or about != known) else known
        return {
            "seq": table.session.seq,
            "pieces": pictures([*KINDS, *ROCKS.values()], presenter),
            "hand": state.hand,
            "turn": state.turn,
            "rocks": [{"color": one, "left": count} for one, count in left.items()],
            "stalks": [_future(state, future) for future in futures(state)],
            "color": color,
            "with": None if color is None else _with(table, state, color),
            "seats": [_seat(table, state, seat) for seat in range(state.seats)],
        }


def _future(state: Any, future: Future) -> dict[str, Any]:
    heights = [len(end) for end in future.completions]
    return {
        "spot": f"stalks.{stalk_of(future.stalk)}",
        "stalk": [code(piece) for piece in future.stalk],
        "picture": tree(single(future.stalk)),
        "words": ", ".join(spoken(piece) for piece in future.stalk),
        "dead": future.is_dead,
        "why": "; ".join(why_dead(state, stalk_of(future.stalk))) + "." if future.is_dead else "",
        "ends": len(future.completions),
        "lowest": min(heights, default=0),
        "highest": max(heights, default=0),
        "points": max(future.points, default=0),
        "shown": [
            {"stalk": [code(piece) for piece in end], "picture": tree(single(end)), "points": points}
            for end, points in _best(future)
        ],
    }


def _best(future: Future) -> list[tuple[tuple[Pyramid, ...], int]]:
    """The ends worth most, the quicker first."""
    ends = list(zip(future.completions, future.points, strict=True))
    return sorted(ends, key=lambda pair: (-pair[1], len(pair[0])))[:SHOWN]


def _with(table: Table, state: Any, color: str) -> dict[str, Any]:
    """The placements of a rock of this color; if it is not in the hand, those if it were drawn now."""
    here = state.hand in (color, UNKNOWN)
    if not here:
        try:
            state = state.apply(Drawn(state.turn, (ROCKS[color],)))
        except MoveError as error:
            return {"color": color, "drawn": False, "problem": str(error), "add": [], "kill": [], "base": None}
    on_table = base(state, color)
    return {
        "color": color,
        "drawn": here,
        "problem": "",
        "add": [_addition(table, state, one) for one in additions(state, color)],
        "kill": [_addition(table, state, one) for one in killers(state, color)],
        "base": {
            "piece": code(on_table.piece),
            "allowed": on_table.allowed,
            "rule": on_table.rule,
            "link": f"/rules/{table.session.game.name}#{on_table.rule}",
            "text": on_table.text,
            "event": msgspec.to_builtins(PlacePiece(state.turn, on_table.piece)),
        },
    }


def _addition(table: Table, state: Any, one: Addition) -> dict[str, Any]:
    event = PlacePiece(state.turn, one.piece, one.stalk)
    return {
        "piece": code(one.piece),
        "stalk": [code(piece) for piece in one.stalk],
        "words": ", ".join(spoken(piece) for piece in one.stalk),
        "completes": one.piece.size == "small",
        "breaches": [breach_data(breach, table.session.game.name) for breach in state.violations(event)],
        "event": msgspec.to_builtins(event),
        "text": table.session.game.text(event),
    }


def _seat(table: Table, state: Any, seat: Seat) -> dict[str, Any]:
    return {
        "seat": seat,
        "name": table.session.names[seat],
        "stalks": [
            {
                "stalk": [code(piece) for piece in pieces_of(stalk)],
                "picture": tree(single(pieces_of(stalk))),
                **msgspec.to_builtins(worth(stalk)),
            }
            for stalk in state.taken[seat]
        ],
    }
