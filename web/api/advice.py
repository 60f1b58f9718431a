"""The advice of a game beside its board, and the verdict of the rules on a move before it is made."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response

from companion.core.contract import Event, named_seat
from companion.core.foundation.errors import IllegalMove, MoveError
from companion.referee.table.table import Table
from companion.referee.telling import without_names
from web.http.answers import BadBody, json_answer, word
from web.pages.current_seat import current_seat
from web.telling import ADVISERS
from web.views.alert_view import breach_data
from web.views.table_view import TableView

LINE_LETTERS = 1000
"""The largest length of a line of notation."""


def routes(view: TableView) -> Blueprint:
    """Returns the routes `/api/advice` and `/api/advice/verdict`."""
    blueprint = Blueprint("advice", __name__, url_prefix="/api/advice")

    @blueprint.get("")
    def advice() -> Response:
        """Returns the possible moves, and counts that players do not keep; `?about=` is a seat or a color."""
        table = view.table()
        adviser = ADVISERS.get(table.session.game.name)
        if adviser is None:
            return json_answer({"seq": table.session.seq, "pieces": {}, "seats": []})
        presenter, about, seat = view.presenter(table.session.game), word("about", longest=20), current_seat(view)
        return json_answer(
            view.kept(
                ("advice", about, str(seat)),
                (table, table.session.version),
                lambda: adviser.advice(table, table.session.game.view(table.session.state, seat), presenter, about),
            )
        )

    @blueprint.get("/verdict")
    def verdict() -> Response:
        """Judges whether the line `?text=` of the game's notation is legal now, and which rules it breaks."""
        table = view.table()
        text = word("text", longest=LINE_LETTERS)
        if not text.strip():
            raise BadBody("Give a move in the game's notation.")
        state = table.session.game.view(table.session.state, current_seat(view))
        event = table.session.game.parse(state, without_names(text, table.session.names))
        who = named_seat(event)
        name = table.session.names[who] if who is not None and who < len(table.session.names) else "The player"
        return json_answer(
            {
                "seq": table.session.seq,
                "event": msgspec.to_builtins(event),
                "text": table.session.game.text(event),
                "sentence": f"{name} {view.presenter(table.session.game).sentence(event)}.",
                **judged(table, state, event),
            }
        )

    return blueprint


def judged(table: Table, state: Any, event: Event) -> dict[str, Any]:
    """Judges whether an event is legal now: returns `legal`, and the broken rules or the problem in a sentence.

    Args:
        state: The position as the asking person may know it.
    """
    try:
        table.session.advance(state, event)
    except IllegalMove as error:
        breaches = [breach_data(breach, table.session.game.name) for breach in error.breaches]
        return {"legal": False, "breaches": breaches, "problem": ""}
    except MoveError as error:
        return {"legal": False, "breaches": [], "problem": str(error)}
    return {"legal": True, "breaches": [], "problem": ""}
