"""Setting a table up: the markers are seen, the empty table is remembered, one piece of each color is set out.

The learned data stay on the machine that runs the page; a request names neither file nor folder.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from flask import Blueprint, Response
from msgspec import Meta, Struct

from companion.core.pieces import FACES, PYRAMID_COLORS, WHEEL, Die, Pyramid
from companion.core.protocols.calibration import CalibrationStatus, Standing
from web.api.setup import Nothing
from web.http.answers import BadBody, body, json_answer, word
from web.scene.boards import setup_steps
from web.scene.pieces import dice, pyramids
from web.scene.shape import tree
from web.views.table_view import TableView


class Remember(Struct, forbid_unknown_fields=True):
    """The pieces on the table as people state them: "none", those of the "game", or null: let them be read."""

    standing: Standing | None = None


class Keep(Struct, forbid_unknown_fields=True):
    """True if corrections and confirmations are kept for the next evening."""

    keep: bool


class PieceInRow(Struct, forbid_unknown_fields=True):
    """A pyramid, or a die with a color up."""

    color: Annotated[str, Meta(max_length=20)]
    size: Literal["large", "medium", "small"] = "large"
    kind: Literal["pyramid", "die"] = "pyramid"


class PieceRow(Struct, forbid_unknown_fields=True):
    """Pieces that stand in one row, from left to right."""

    row: Annotated[tuple[PieceInRow, ...], Meta(min_length=2, max_length=12)]


def routes(view: TableView) -> Blueprint:
    """`/api/calibration`."""
    blueprint = Blueprint("calibration", __name__, url_prefix="/api/calibration")

    def answer() -> Response:
        """How things are now, with a picture of each step."""
        return json_answer(_data(view, view.sessions.calibrator.status()))

    @blueprint.get("")
    def status() -> Response:
        """The knowledge of the table, and the state of its set-up; `?colors=` are those of the row that is drawn."""
        return answer()

    @blueprint.post("/open")
    def begin() -> Response:
        """Begin the set-up; the game waits until it is over."""
        body(Nothing)
        view.sessions.calibrator.open()
        return answer()

    @blueprint.post("/close")
    def end() -> Response:
        """End the set-up; the game goes on with what the table shows."""
        body(Nothing)
        view.sessions.calibrator.close()
        return answer()

    @blueprint.post("/empty")
    def remember() -> Response:
        """Remember the table as it shows now."""
        view.sessions.calibrator.remember(body(Remember).standing)
        return answer()

    @blueprint.post("/colors")
    def set_out() -> Response:
        """Learn the colors of a row of known pieces."""
        view.sessions.calibrator.set_out([_piece(one) for one in body(PieceRow).row])
        return answer()

    @blueprint.post("/taught")
    def keep_taught() -> Response:
        """Keep what people correct and confirm for the next evening, or forget it."""
        view.sessions.calibrator.keep_taught(body(Keep).keep)
        return answer()

    @blueprint.post("/forget")
    def forget() -> Response:
        """Read without the empty table from now on."""
        body(Nothing)
        view.sessions.calibrator.forget()
        return answer()

    @blueprint.post("/later")
    def later() -> Response:
        """Withdraw the present offer to set the table up."""
        body(Nothing)
        view.sessions.calibrator.later()
        return answer()

    return blueprint


def _piece(told: PieceInRow) -> Pyramid | Die:
    if told.kind == "die":
        if told.color not in WHEEL:
            raise BadBody(f"A die of the row has no color of a die up. Colors are {', '.join(WHEEL)}.")
        return _die(told.color)
    if told.color not in PYRAMID_COLORS:
        raise BadBody(f"A piece of the row has no color of a pyramid. Colors are {', '.join(PYRAMID_COLORS)}.")
    return Pyramid(told.color, told.size)


def _die(color: str) -> Die:
    """A die that has the color."""
    return Die("spectrum-d6" if color in FACES["spectrum-d6"] else "spectrum-d12", color)


def _colors(known: tuple[str, ...]) -> tuple[str, ...]:
    """Colors of the row that is to be drawn."""
    asked = word("colors").split(",")
    return tuple(color for color in known if color in asked) or known


def _data(view: TableView, status: CalibrationStatus) -> dict[str, Any]:
    mat = view.sessions.plan.mat
    colors = _colors(status.colors or PYRAMID_COLORS)
    dice_lie_there = status.row_of == "dice"
    scenes = (
        setup_steps.markers(mat, status.markers) if status.open else setup_steps.mat_alone(mat),
        setup_steps.empty(mat),
        setup_steps.dice_row(mat, [_die(color) for color in colors])
        if dice_lie_there
        else setup_steps.row(mat, [Pyramid(color, "large") for color in colors]),
    )
    pieces = [
        {
            "name": color,
            "letter": dice.LETTERS[color] if dice_lie_there else pyramids.LETTERS[color],
            "picture": tree(
                setup_steps.single_die(_die(color)) if dice_lie_there else pyramids.single((Pyramid(color, "large"),))
            ),
        }
        for color in status.colors
    ]
    data: dict[str, Any] = msgspec.to_builtins(status)
    seen = status.view
    picture = None if seen is None else tree(setup_steps.camera(mat, seen.above_deg, seen.better_deg))
    return {**data, "camera": picture, "colors": pieces, "pictures": [tree(scene) for scene in scenes]}
