"""The game in play: what the page shows of it, which moves are possible, and the commands that change it.

A POST is answered only after the journal has stored the change. Each command names in `expected` the last row that the
person saw, so two phones that press Undo at once undo only once.
"""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.core.foundation.errors import BadEvent, BadRecord, MoveError
from companion.referee.journal import Row
from companion.referee.session.clock import Pace
from companion.referee.telling import without_names
from web.api.setup import check_private
from web.http.answers import BadBody, body, json_answer, number, word
from web.pages.current_seat import current_seat
from web.privacy.secrecy import correct as correct_row
from web.privacy.secrecy import tell
from web.views.agreement_view import position_as_seen
from web.views.seat_view import piece_data
from web.views.table_view import TableView
from web.views.trial_view import correction_data, moves_data, why_data

Why = Annotated[str, Meta(max_length=200)]
Expected = Annotated[int, Meta(ge=0)]


class PlayCommand(Struct, forbid_unknown_fields=True):
    """A move or a draw: `event` as JSON, or `text` in the game's notation."""

    expected: Expected
    event: dict[str, Any] | UnsetType = UNSET
    text: Annotated[str, Meta(min_length=1, max_length=1000)] | UnsetType = UNSET


class ChanceCommand(Struct, forbid_unknown_fields=True):
    """A roll or a draw by the program."""

    expected: Expected
    seat: Annotated[int, Meta(ge=0, le=9)] | None = None
    """The seat that draws, where several may."""


class Seen(Struct, forbid_unknown_fields=True):
    """The last row that the person saw."""

    expected: Expected


Codes = Annotated[list[Annotated[str, Meta(min_length=1, max_length=80)]], Meta(max_length=60)]


class AsSeen(Struct, forbid_unknown_fields=True):
    """The pieces that stand on the table: as they were read, or with a person's corrections."""

    expected: Expected
    number: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    """The number of the reading that was shown; newer readings are not meant."""
    seen: Annotated[dict[Annotated[str, Meta(max_length=40)], Codes], Meta(max_length=120)] = {}
    """By spot: the codes of the pieces that really are there; all other spots are as they were read."""
    turn: Annotated[str, Meta(max_length=80)] = ""
    """One of the offered turns; empty: the turn follows from the pieces."""


class Answer(Struct, forbid_unknown_fields=True):
    """The index of the choice of the open question that happened; 0 is the first."""

    expected: Expected
    choice: Annotated[int, Meta(ge=0, le=20)]


class SetClock(Struct, forbid_unknown_fields=True):
    """The settings of a chess clock, or null to remove it."""

    expected: Expected
    pace: Pace | None


class Settle(Struct, forbid_unknown_fields=True):
    """The identity of a doubted piece: the index of a candidate, 0 for the first."""

    expected: Expected
    place: Annotated[str, Meta(max_length=200)]
    choice: Annotated[int, Meta(ge=0, le=20)]


class Undo(Struct, forbid_unknown_fields=True):
    """An undo to the position after row `to`; 0 is the start."""

    expected: Expected
    to: Annotated[int, Meta(ge=0)]
    why: Why = ""


class Correct(Struct, forbid_unknown_fields=True):
    """A correction of row `n` to `event`."""

    expected: Expected
    n: Annotated[int, Meta(ge=1)]
    event: dict[str, Any]
    why: Why = ""


class Position(Struct, forbid_unknown_fields=True):
    """A position to set up: a whole one in the form of docs/records.md, or the present one with one spot changed."""

    expected: Expected
    position: dict[str, Any] | UnsetType = UNSET
    spot: Annotated[str, Meta(max_length=40)] | UnsetType = UNSET
    piece: Annotated[str, Meta(max_length=20)] = ""
    """The code of the piece on the spot; empty: none."""
    why: Why = ""


def routes(view: TableView) -> Blueprint:
    """Returns the routes below `/api/table`."""
    blueprint = Blueprint("table", __name__, url_prefix="/api/table")

    def done(row: Row) -> Response:
        table = view.table()
        return json_answer({"seq": table.session.seq, "row": view.row_of(table, row, current_seat(view))})

    @blueprint.get("")
    def snapshot() -> Response:
        """Returns everything that the table's page shows."""
        return Response(view.snapshot(current_seat(view)), mimetype="application/json")

    @blueprint.get("/moves")
    def moves() -> Response:
        """Returns where the piece `?piece=` of the seat to move may go; without it, where any piece may go."""
        table = view.table()
        presenter = view.presenter(table.session.game)
        code = word("piece", longest=20) or None
        last, seat = view.last_spots(table, table.session.timeline), current_seat(view)
        found = view.kept(
            ("moves", code or "", str(seat)),
            (table, table.session.state, last),
            lambda: moves_data(table, table.session.game.view(table.session.state, seat), code, presenter, last),
        )
        return json_answer(found)

    @blueprint.get("/why")
    def why() -> Response:
        """Judges whether the piece `?piece=`, or any of the hand, may go on `?spot=`, and which rules forbid it."""
        table = view.table()
        presenter = view.presenter(table.session.game)
        spot, code = word("spot", longest=40), word("piece", longest=20) or None
        return json_answer(
            why_data(table, table.session.game.view(table.session.state, current_seat(view)), spot, code, presenter)
        )

    @blueprint.get("/pieces")
    def pieces() -> Response:
        """Returns pieces to choose from: `?piece=` as it can lie on `?spot=`, the set, or the bag (`?unseen=1`)."""
        table = view.table()
        presenter = view.presenter(table.session.game)
        if number("unseen", 0):
            game = table.session.game
            bag = game.unseen(game.view(table.session.state, current_seat(view)))
            found = [piece for piece, count in bag.items() if count]
            spot = ""
        else:
            spot = word("spot", longest=40)
            found = list(presenter.orientations(spot, word("piece", longest=20) or None))
        return json_answer(
            {"pieces": [piece_data(piece, presenter, f"set{i}", spot or None) for i, piece in enumerate(found)]}
        )

    @blueprint.get("/correction")
    def correction() -> Response:
        """Returns the change if `?piece=` (none: nothing) really is on `?spot=`; `?how=position` skips the rules."""
        table = view.table()
        presenter = view.presenter(table.session.game)
        code = word("piece", longest=20)
        piece = presenter.piece(code) if code else None
        set_up = word("how", longest=20) == "position"
        spot = word("spot", longest=40)
        try:
            found = correction_data(
                table, table.session.timeline, spot, piece, presenter, set_up=set_up, seat=current_seat(view)
            )
        except (MoveError, BadRecord) as error:
            # The objection of the rules is the answer, not an error of the request.
            found = {"seq": table.session.seq, "spot": spot, "name": presenter.spot_name(spot), "problem": str(error)}
        return json_answer(found)

    @blueprint.post("/play")
    def play() -> Response:
        """Enters a move or a draw."""
        told = body(PlayCommand)
        table = view.table()
        if isinstance(told.text, str) and told.event is UNSET:
            event = table.session.game.parse(
                table.session.game.view(table.session.state, current_seat(view)),
                without_names(told.text, table.session.names),
            )
        elif isinstance(told.event, dict) and told.text is UNSET:
            event = table.session.game.event(told.event)
        else:
            raise BadBody("Give either event or text.")
        return done(tell(table, event, current_seat(view), told.expected))

    @blueprint.post("/chance")
    def let_chance_decide() -> Response:
        """Rolls the dice or draws the pieces that are due, for a table without dice or bag."""
        told = body(ChanceCommand)
        if view.sessions.eyes.status().state != "off":
            raise BadEvent("A camera watches this table. Roll or draw there, or turn the camera off.")
        return done(view.table().let_chance_decide(told.seat, expected=told.expected))

    @blueprint.post("/agree")
    def agree() -> Response:
        """Lets the illegal move of the alert stand, because everybody accepts it."""
        return done(view.table().agree(source="page", expected=body(Seen).expected))

    @blueprint.post("/misread")
    def misread() -> Response:
        """Drops the alert, because its picture was misread."""
        table = view.table()
        table.misread(source="page", expected=body(Seen).expected)
        return json_answer({"seq": table.session.seq})

    @blueprint.post("/answer")
    def answer() -> Response:
        """Answers the open question."""
        told = body(Answer)
        return done(view.table().answer(told.choice, source="page", expected=told.expected))

    @blueprint.post("/doubt")
    def doubt() -> Response:
        """Settles a doubt about a piece; the game goes on in either case."""
        told = body(Settle)
        table = view.table()
        table.answer_doubt(told.place, told.choice, source="page", expected=told.expected)
        return json_answer({"seq": table.session.seq})

    @blueprint.post("/clock")
    def set_clock() -> Response:
        """Sets a chess clock, or removes it."""
        told = body(SetClock)
        return done(view.table().session.set_clock(told.pace, source="page", expected=told.expected))

    @blueprint.post("/undo")
    def undo() -> Response:
        """Goes back to an earlier position."""
        told = body(Undo)
        return done(view.table().undo(told.to, told.why, source="page", expected=told.expected))

    @blueprint.post("/correct")
    def correct() -> Response:
        """Corrects the event of a row."""
        told = body(Correct)
        table = view.table()
        event = table.session.game.event(told.event)
        return done(correct_row(table, told.n, event, told.why, current_seat(view), told.expected))

    @blueprint.post("/as-seen")
    def as_seen() -> Response:
        """Begins, or goes on, from the table in the reading, while table and record disagree."""
        told = body(AsSeen)
        table = view.table()
        presenter = view.presenter(table.session.game)
        corrected = {spot: [presenter.piece(code) for code in codes] for spot, codes in told.seen.items()}
        number = None if told.number is UNSET else told.number
        with table.session.lock:
            table.session.check_fresh(told.expected)
            position = position_as_seen(table, presenter, corrected, told.turn)
            why = "begun from what is seen" if not table.session.steps() else "gone on from what is seen"
            why = f"{why}, as corrected" if corrected else why
            row = table.begin_from(position, why, number=number, source="page", expected=told.expected)
        return done(row)

    @blueprint.post("/position")
    def set_position() -> Response:
        """Sets up a position."""
        told = body(Position)
        table = view.table()
        if isinstance(told.position, dict) and told.spot is UNSET:
            check_private(view)
            position = told.position
        elif isinstance(told.spot, str) and told.position is UNSET:
            presenter = view.presenter(table.session.game)
            piece = presenter.piece(told.piece) if told.piece else None
            position = presenter.position(table.session.state, told.spot, piece)
        else:
            raise BadBody("Give either a position or a spot.")
        return done(table.set_position(position, told.why, source="page", expected=told.expected))

    return blueprint
