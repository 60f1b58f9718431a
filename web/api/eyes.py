"""The camera as the page sets it up: how it is, corners by hand, and where things stand on the table."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Annotated, Any, Literal

import msgspec
from flask import Blueprint, Response
from msgspec import Meta, Struct

from companion.errors import BadPlan
from companion.games import PLANS
from companion.plan import Plan, Point
from web.answers import BadBody, NothingThere, body, json_answer
from web.api.setup import Nothing
from web.table_view import TableView

_Coordinate = Annotated[float, Meta(ge=-20000, le=20000)]
_Corner = tuple[_Coordinate, _Coordinate]

SMALLEST_PX = 400.0
"""A table that covers fewer square pixels than this cannot be meant."""


class Corners(Struct, forbid_unknown_fields=True):
    """Centers of markers 0 to 3 in pixels of the full picture; null goes back to the markers."""

    corners_px: tuple[_Corner, _Corner, _Corner, _Corner] | None


class Control(Struct, forbid_unknown_fields=True):
    """What to do with the recording that is shown."""

    do: Literal["play", "pause", "step", "restart"]


def routes(view: TableView) -> Blueprint:
    """`/api/eyes` and `/api/plan`."""
    blueprint = Blueprint("eyes", __name__, url_prefix="/api")

    @blueprint.get("/eyes")
    def status() -> Response:
        """How the eyes are, with the picture's number and age."""
        now = view.sessions.eyes.status()
        return json_answer({**view.eyes(), "frame": now.frame, "age_s": now.age_s})

    @blueprint.get("/eyes/readings")
    def readings() -> Response:
        """The last readings: when, which picture, what verdict and how long it took; not what was read."""
        return json_answer({"readings": msgspec.to_builtins(view.sessions.meter.readings())})

    @blueprint.post("/eyes/corners")
    def set_corners() -> Response:
        """Use corners set by hand instead of markers."""
        corners = body(Corners).corners_px
        if corners is not None:
            _check(corners)
        view.sessions.eyes.set_corners(corners)
        view.sessions.set_plan(msgspec.structs.replace(view.sessions.plan, corners_px=corners))
        return json_answer(view.eyes())

    @blueprint.post("/eyes/look")
    def look_again() -> Response:
        """Read the next steady picture even if nothing moved."""
        body(Nothing)
        view.sessions.eyes.look_again()
        return json_answer(view.eyes())

    @blueprint.post("/eyes/playback")
    def control_playback() -> Response:
        """Go on with the recording that is shown, pause it, show its next picture, or start it again."""
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
                playback.restart()
        return json_answer(view.eyes())

    @blueprint.get("/plan")
    def plan() -> Response:
        """Where things stand on the table, and where the printed mat of the game in play has them."""
        table = view.sessions.table
        known = None if table is None else PLANS.get(table.session.game.name)
        printed = None if known is None or table is None else known(len(table.session.names))
        return json_answer({"plan": msgspec.to_builtins(view.sessions.plan), "printed": msgspec.to_builtins(printed)})

    @blueprint.post("/plan")
    def set_plan() -> Response:
        """Use another plan from the next picture on."""
        told = body(Plan)
        spots = [zone.spot for zone in told.zones if hasattr(zone, "spot")]
        if len(set(spots)) != len(spots):
            raise BadPlan("Two zones of the plan have the same name. Rename one.")
        if len(told.zones) > 64 or not _finite(told):
            raise BadPlan("A plan has at most 64 zones, with outlines of plain numbers. Mend it and try again.")
        view.sessions.set_plan(told)
        return json_answer({"plan": msgspec.to_builtins(view.sessions.plan)})

    return blueprint


def _finite(plan: Plan) -> bool:
    return all(isfinite(value) and abs(value) <= 20000 for value in _numbers(msgspec.to_builtins(plan.zones)))


def _numbers(plain: Any) -> Iterator[float]:
    """Every number of plain data."""
    if isinstance(plain, float):
        yield plain
    elif isinstance(plain, dict):
        for value in plain.values():
            yield from _numbers(value)
    elif isinstance(plain, list | tuple):
        for value in plain:
            yield from _numbers(value)


def _check(corners: tuple[Point, ...]) -> None:
    """Refuse corners that are not the corners of a table seen from above.

    :raises BadBody: they cross, run the wrong way round, or enclose next to nothing.
    """
    turns = []
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    if not all(turn > SMALLEST_PX for turn in turns):
        raise BadBody(
            "The four corners must go round the table in the order 0, 1, 2, 3, clockwise in the picture. "
            "Drag each one to the middle of its marker."
        )
