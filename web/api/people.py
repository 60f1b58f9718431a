"""The people of the house, and the sign that each of them chooses."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response
from msgspec import Meta, Struct

from companion.referee.session.chosen_signs import ChosenSign, SignTaken
from web.admission.security import NotAllowed
from web.http.answers import BadBody, NothingThere, body, json_answer, word
from web.pages.current_seat import current_seat
from web.scene.signs import COLORS, SIGN_PATHS, Sign, own_sign
from web.views.seat_view import sign_data
from web.views.table_view import TableView

NAME_LETTERS = 40


class ChooseSign(Struct, forbid_unknown_fields=True):
    """The sign that a person chooses."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME_LETTERS)]
    shape: Annotated[str, Meta(max_length=16)]
    color: Annotated[int, Meta(ge=0, lt=COLORS)]


def routes(view: TableView) -> Blueprint:
    """Returns the routes `/api/people/signs`."""
    blueprint = Blueprint("people", __name__, url_prefix="/api/people")

    @blueprint.get("/signs", endpoint="signs")
    def all_signs() -> Response:
        """Returns every shape and color, the sign of the person `?name=`, and the signs of all others."""
        name = word("name", longest=NAME_LETTERS)
        people = _people(view)
        if name.casefold() not in people:
            raise NothingThere(_NOBODY)
        return json_answer(
            {
                "shapes": [{"shape": shape, "path": path} for shape, path in SIGN_PATHS.items()],
                "colors": COLORS,
                "now": _told(people[name.casefold()][1]),
                "taken": [
                    {"name": other, **_told(sign)} for key, (other, sign) in people.items() if key != name.casefold()
                ],
            }
        )

    @blueprint.post("/signs")
    def choose() -> Response:
        """Gives a person a sign in every game; a phone with a seat chooses only for its own player."""
        told = body(ChooseSign)
        if told.shape not in SIGN_PATHS:
            raise BadBody(f"There is no such shape. Choose one of: {', '.join(SIGN_PATHS)}.")
        people = _people(view)
        if told.name.casefold() not in people:
            raise NothingThere(_NOBODY)
        seat = current_seat(view)
        if seat is not None and view.table().session.names[seat].casefold() != told.name.casefold():
            raise NotAllowed("This browser has another player's seat. Choose your own sign.")
        wanted = Sign(told.shape, told.color)
        for key, (name, sign) in people.items():
            if key != told.name.casefold() and sign == wanted:
                raise SignTaken(f"{name} has this sign. Choose another shape or color.")
        view.sessions.choose_sign(told.name, ChosenSign(told.shape, told.color))
        return json_answer({"sign": sign_data(wanted)})

    return blueprint


_NOBODY = "Nobody of this name has played here. Choose the sign of somebody who has."


def _people(view: TableView) -> dict[str, tuple[str, Sign]]:
    """Returns everybody who has played here, in the order of their first games: name and sign."""
    found: dict[str, tuple[str, Sign]] = {}
    for name in (name for header in view.sessions.journal.games() for name in header.names):
        if name.casefold() not in found:
            found[name.casefold()] = name, own_sign(len(found), view.sessions.signs.of(name))
    return found


def _told(sign: Sign) -> dict[str, Any]:
    return {"shape": sign.shape, "color": sign.color}
