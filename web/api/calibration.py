"""Sets up a table: the markers are seen, the empty table is remembered, and one piece of each color is set out.

The learned data stay on the machine that serves the page; a request names neither file nor folder.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from flask import Blueprint, Response
from msgspec import Meta, Struct

from companion.core.pieces import FACES, PYRAMID_COLORS, WHEEL, Die, Pyramid
from companion.core.plan import Mat
from companion.core.protocols.calibration import CalibrationStatus, CardSign, Standing
from web.api.setup import Nothing
from web.http.answers import BadBody, body, json_answer, word
from web.scene.boards import setup_steps
from web.scene.pieces import dice, number_cards, pyramids
from web.scene.shape import Shape
from web.scene.svg import tree
from web.views.table_view import TableView


class Remember(Struct, forbid_unknown_fields=True):
    """The pieces on the table as a person states them: "none", those of the "game", or null: the reader finds out."""

    standing: Standing | None = None


class Keep(Struct, forbid_unknown_fields=True):
    """True if corrections and confirmations are kept for the next evening."""

    keep: bool


class PieceInRow(Struct, forbid_unknown_fields=True):
    """A pyramid, a die with a color up, or a card by its color or its number."""

    color: Annotated[str, Meta(max_length=20)]
    size: Literal["large", "medium", "small"] = "large"
    kind: Literal["pyramid", "die", "card"] = "pyramid"


class PieceRow(Struct, forbid_unknown_fields=True):
    """Pieces in one row, from left to right."""

    row: Annotated[tuple[PieceInRow, ...], Meta(min_length=2, max_length=24)]


_LETTERS = tuple("".join(part[0].upper() for part in color.split("-")) for color in WHEEL)
_SIGNS = {*_LETTERS, *(str(rank) for rank in range(1, 13)), *number_cards.NUMBER_CODES}
"""A color, a number, or a card."""


def routes(view: TableView) -> Blueprint:
    """Returns the routes below `/api/calibration`."""
    blueprint = Blueprint("calibration", __name__, url_prefix="/api/calibration")

    def answer() -> Response:
        """Returns the present state, with a picture of each step."""
        return json_answer(_data(view, view.sessions.calibrator.status()))

    @blueprint.get("")
    def status() -> Response:
        """Returns the state of the set-up of the table; `?colors=` are those of the row in the picture."""
        return answer()

    @blueprint.post("/open")
    def begin() -> Response:
        """Begins the set-up; the game waits until it is over."""
        body(Nothing)
        view.sessions.calibrator.open()
        return answer()

    @blueprint.post("/close")
    def end() -> Response:
        """Ends the set-up; the game goes on with the pieces on the table."""
        body(Nothing)
        view.sessions.calibrator.close()
        return answer()

    @blueprint.post("/empty")
    def remember() -> Response:
        """Remembers the table as it looks now."""
        view.sessions.calibrator.remember(body(Remember).standing)
        return answer()

    @blueprint.post("/colors")
    def set_out() -> Response:
        """Learns the colors of a row of known pieces."""
        view.sessions.calibrator.set_out([_piece(one) for one in body(PieceRow).row])
        return answer()

    @blueprint.post("/taught")
    def keep_taught() -> Response:
        """Starts or stops keeping corrections and confirmations for the next evening."""
        view.sessions.calibrator.keep_taught(body(Keep).keep)
        return answer()

    @blueprint.post("/forget")
    def forget() -> Response:
        """Forgets the empty table from now on."""
        body(Nothing)
        view.sessions.calibrator.forget()
        return answer()

    @blueprint.post("/later")
    def later() -> Response:
        """Withdraws the present offer to set up the table."""
        body(Nothing)
        view.sessions.calibrator.later()
        return answer()

    return blueprint


def _piece(told: PieceInRow) -> Pyramid | Die | CardSign:
    if told.kind == "card":
        if told.color not in _SIGNS:
            raise BadBody("A card of the row is none of the deck. Write a color like GB, a number like 7, or both.")
        return CardSign(told.color)
    if told.kind == "die":
        if told.color not in WHEEL:
            raise BadBody(f"A die of the row has no color of a die up. Colors are {', '.join(WHEEL)}.")
        return _die(told.color)
    if told.color not in PYRAMID_COLORS:
        raise BadBody(f"A piece of the row has no color of a pyramid. Colors are {', '.join(PYRAMID_COLORS)}.")
    return Pyramid(told.color, told.size)


def _die(color: str) -> Die:
    """Returns a die with this color up."""
    return Die("spectrum-d6" if color in FACES["spectrum-d6"] else "spectrum-d12", color)


def _colors(known: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the colors of the row to draw."""
    asked = word("colors").split(",")
    return tuple(color for color in known if color in asked) or known


def _data(view: TableView, status: CalibrationStatus) -> dict[str, Any]:
    mat = view.sessions.plan.mat
    colors = _colors(status.colors or PYRAMID_COLORS)
    scenes = (
        setup_steps.markers(mat, status.markers) if status.open else setup_steps.mat_alone(mat),
        setup_steps.empty(mat),
        _row_picture(mat, status.row_of, colors),
    )
    pieces = [_piece_data(status.row_of, color) for color in status.colors]
    data: dict[str, Any] = msgspec.to_builtins(status)
    seen = status.view
    picture = None if seen is None else tree(setup_steps.camera(mat, seen.above_deg, seen.better_deg))
    return {**data, "camera": picture, "colors": pieces, "pictures": [tree(scene) for scene in scenes]}


def _row_picture(mat: Mat, row_of: str, names: tuple[str, ...]) -> Shape:
    """The picture of the pieces to set out."""
    if row_of == "cards":
        return setup_steps.card_rows(mat, names)
    if row_of == "dice":
        return setup_steps.dice_row(mat, [_die(name) for name in names])
    return setup_steps.row(mat, [Pyramid(name, "large") for name in names])


def _piece_data(row_of: str, name: str) -> dict[str, Any]:
    if row_of == "cards":
        return {"name": name, "letter": name, "picture": tree(number_cards.sign_card(name))}
    if row_of == "dice":
        return {"name": name, "letter": dice.LETTERS[name], "picture": tree(setup_steps.single_die(_die(name)))}
    picture = tree(pyramids.single((Pyramid(name, "large"),)))
    return {"name": name, "letter": pyramids.LETTERS[name], "picture": picture}
