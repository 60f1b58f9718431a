"""The camera and the plan of the table: their state, corners that were set by hand, and changes to the plan."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from flask import Blueprint, Response
from msgspec import Meta, Struct

from companion.core.plan import CORNERS, Plan, check_plan, go_round
from companion.games import PLANS
from web.api.setup import Nothing, check_running
from web.http.answers import BadBody, NothingThere, body, json_answer
from web.views.table_view import TableView

_Coordinate = Annotated[float, Meta(ge=-20000, le=20000)]
_Corner = tuple[_Coordinate, _Coordinate]


class Corners(Struct, forbid_unknown_fields=True):
    """The centers of markers 0 to 3 in pixels of the full picture; null goes back to the markers."""

    corners_px: tuple[_Corner, _Corner, _Corner, _Corner] | None


class Control(Struct, forbid_unknown_fields=True):
    """A command for the recording that is shown."""

    do: Literal["play", "pause", "step", "restart"]
    instead: Annotated[str, Meta(max_length=32)] = ""
    """With "restart": the id of the running game that the new showing replaces, as for a new game."""


def routes(view: TableView) -> Blueprint:
    """Returns the routes `/api/eyes` and `/api/plan`."""
    blueprint = Blueprint("eyes", __name__, url_prefix="/api")

    @blueprint.get("/eyes")
    def status() -> Response:
        """Returns the state of the eyes, with the number and the age of the newest picture."""
        now = view.sessions.eyes.status()
        return json_answer({**view.eyes(), "frame": now.frame, "age_s": now.age_s})

    @blueprint.get("/eyes/readings")
    def readings() -> Response:
        """Returns the last readings: time, picture, verdict and duration, without the pieces."""
        return json_answer({"readings": msgspec.to_builtins(view.sessions.meter.readings())})

    @blueprint.post("/eyes/corners")
    def set_corners() -> Response:
        """Sets corners by hand, which replace the markers."""
        corners = body(Corners).corners_px
        if corners is not None and not go_round(corners):
            raise BadBody(CORNERS)
        view.sessions.eyes.set_corners(corners)
        view.sessions.set_plan(msgspec.structs.replace(view.sessions.plan, corners_px=corners))
        return json_answer(view.eyes())

    @blueprint.post("/eyes/look")
    def look_again() -> Response:
        """Makes the eyes read the next steady picture even if nothing moved."""
        body(Nothing)
        view.sessions.eyes.look_again()
        return json_answer(view.eyes())

    @blueprint.post("/eyes/playback")
    def control_playback() -> Response:
        """Continues the recording that is shown, pauses it, shows its next picture, or restarts it."""
        told = body(Control)
        playback = view.sessions.playback
        if playback is None:
            raise NothingThere("No recording is shown here. Start one with `companion demo`.")
        match told.do:
            case "play":
                playback.play()
            case "pause":
                playback.pause()
            case "step":
                playback.step()
            case "restart":
                check_running(view, told.instead)
                playback.restart()
        return json_answer(view.eyes())

    @blueprint.get("/plan")
    def plan() -> Response:
        """Returns the plan of the table, and the plan of the printed mat of the game in play."""
        table = view.sessions.table
        known = None if table is None else PLANS.get(table.session.game.name)
        printed = None if known is None or table is None else known(len(table.session.names))
        return json_answer({"plan": msgspec.to_builtins(view.sessions.plan), "printed": msgspec.to_builtins(printed)})

    @blueprint.post("/plan")
    def set_plan() -> Response:
        """Sets another plan from the next picture on."""
        told = body(Plan)
        check_plan(told)
        view.sessions.set_plan(told)
        return json_answer({"plan": msgspec.to_builtins(view.sessions.plan)})

    return blueprint
