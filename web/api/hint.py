"""A good move for the asking player, if the table allows hints: off by default, noted in the record, found in another
process.

Where cards are hidden, a hint uses only what the seat of the asking browser may know, and no other browser sees it.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import Blueprint, Response
from msgspec import Meta, Struct

from companion.core.contract import Move, Seat, ToMove
from companion.core.foundation.errors import BadEvent
from companion.referee.players import Coach
from companion.referee.players.player import moves_of
from companion.referee.table.table import Table
from web.boards import Presenter
from web.http.answers import body, json_answer
from web.pages.current_seat import current_seat
from web.privacy.secrecy import keeps_secrets
from web.scene.marks import Marks
from web.scene.shape import BoardFrame
from web.scene.svg import tree
from web.views.seat_view import signs_of
from web.views.table_view import TableView

Expected = Annotated[int, Meta(ge=0)]


class Ask(Struct, forbid_unknown_fields=True):
    """The last row that the person saw."""

    expected: Expected


class Allow(Struct, forbid_unknown_fields=True):
    """True if players may see good moves from now on."""

    expected: Expected
    allow: bool


def routes(view: TableView, coach: Coach) -> Blueprint:
    """Returns the routes `/api/hint` and `/api/hint/allow`."""
    blueprint = Blueprint("hint", __name__, url_prefix="/api/hint")

    @blueprint.post("/allow")
    def allow() -> Response:
        """Allows or forbids hints; the record notes it."""
        told = body(Allow)
        table = view.table()
        row = table.session.allow_hints(told.allow, source="page", expected=told.expected)
        return json_answer({"seq": table.session.seq, "row": view.row_of(table, row), "allow": table.session.hints})

    @blueprint.post("")
    def ask() -> Response:
        """Returns a good move for the seat that is to move, from what that seat may know."""
        told = body(Ask)
        table = view.table()
        presenter = view.presenter(table.session.game)
        if not table.session.hints:
            raise BadEvent("Hints are not allowed at this table. Allow them first.")
        seat = _seat(table, presenter, current_seat(view))
        known = table.session.game.view(table.session.state, seat)
        move = coach.advise(table.session.game, known, seat)
        table.session.note_hint(seat, source="page", expected=told.expected)
        return json_answer({"seq": table.session.seq, "seat": seat, **_shown(table, known, move, presenter)})

    return blueprint


def _seat(table: Table, presenter: Presenter, asking: Seat | None) -> Seat:
    """Returns the seat for which a hint is meant.

    Raises:
        BadEvent: No seat with known pieces is to move, or cards are hidden and another seat asks.
    """
    due = table.session.state.expects()
    if not isinstance(due, ToMove):
        raise BadEvent("No move is due now, so none can be suggested.")
    seats = due.seats
    if asking is not None and asking in seats:
        seats = (asking,)
    elif keeps_secrets(table):
        raise BadEvent("Hidden cards are known to their seat alone. Ask with the browser of who is to move.")
    able = [seat for seat in seats if moves_of(table.session.game.view(table.session.state, seat), seat)]
    if not able:
        raise BadEvent("No allowed move is known, so none can be suggested.")
    hand = presenter.hand(table.session.game.view(table.session.state, able[0]), able[0])
    if hand is not None and hand.unseen:
        raise BadEvent(f"Nobody has said what {table.session.names[able[0]]} holds, so no move can be suggested.")
    return able[0]


def _shown(table: Table, known: Any, move: Move, presenter: Presenter) -> dict[str, Any]:
    """Returns the move in words and as a picture.

    Args:
        known: The position as the seat may know it.
    """
    aim, piece = presenter.aim(move), presenter.laid(move)
    spots = frozenset((aim.spot,) if aim.spot is not None else ())
    ghosts = {aim.spot: piece} if aim.spot is not None and piece is not None else {}
    marks = Marks(changed=spots, ghosts=ghosts, signs=signs_of(table))
    frame = BoardFrame("hint", "A good move", live=False, names=table.session.names)
    board = presenter.board(known, marks, frame)
    return {
        "event": msgspec.to_builtins(move),
        "text": table.session.game.text(move),
        "sentence": presenter.sentence(move),
        "spot": aim.spot,
        "piece": aim.piece,
        "board": tree(board),
    }
