"""Choosing a game: the list of games with their options, starting a game, and continuing an earlier one."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import Blueprint, Response
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.foundation.errors import BadEvent, CompanionError
from companion.core.plan import PawnBoard, Plan, PyramidBoard, PyramidZone, TileBoard, Zone
from companion.games import GAMES, MANIFESTS, PLANS
from companion.referee.journal import Draws
from companion.referee.table.table import Table
from web.admission.security import NotAllowed, role
from web.boards import PRESENTERS
from web.facts.options import fields, next_position, ways, with_seats
from web.http.answers import body, json_answer
from web.privacy.secrecy import keeps_secrets
from web.views.table_view import TableView


class Start(Struct, forbid_unknown_fields=True):
    """A new game: its name, the players in clockwise order, and the options that differ from their defaults."""

    game: Annotated[str, Meta(min_length=1, max_length=40)]
    names: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=20)]
    options: dict[str, Any] = {}
    draws: Draws = "told"
    instead: Annotated[str, Meta(max_length=32)] = ""
    """The id of the running game that this one replaces; without it, a running game is not put away."""


class Nothing(Struct, forbid_unknown_fields=True):
    """An empty object."""


class Resume(Struct, forbid_unknown_fields=True):
    """The game to continue."""

    game: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,32}$")]


def routes(view: TableView) -> Blueprint:
    """Returns the routes `/api/games` and `/api/saved`."""
    blueprint = Blueprint("setup", __name__, url_prefix="/api")

    @blueprint.get("/games")
    def games() -> Response:
        """Returns the games that can be refereed and shown, with seats and options."""
        found = [
            {
                "name": game.name,
                "title": game.title,
                "seats": list(game.seats),
                "options": msgspec.to_builtins(fields(game.Options)),
                "dealt": game.dealer is not None,
                "ways": ways(name),
                "colors": msgspec.to_builtins(MANIFESTS[name].seat_colors),
                "length": MANIFESTS[name].length,
                "about": MANIFESTS[name].about,
            }
            for name, game in view.sessions.games.items()
            if name in PRESENTERS
        ]
        return json_answer({"games": found})

    @blueprint.post("/games")
    def start() -> Response:
        """Begins a game; the previous one stays in the journal."""
        told = body(Start)
        check_private(view)
        if view.sessions.playback is None:  # the people of a recorded game are elsewhere
            check_running(view, told.instead)
        view.presenter(view.sessions.game(told.game))
        plan = suited(view.sessions.plan, told.game, len(told.names))
        options = with_seats(view.sessions.game(told.game).Options, told.options, len(told.names))
        table = view.sessions.start(told.game, told.names, options, draws=told.draws, plan=plan)
        if keeps_secrets(table):
            for seat in view.seats.taken(table.session.header.id):
                table.session.note_seat(seat, "now has a device for their own cards", source="page")
        return json_answer({"game": table.session.header.id}, 201)

    @blueprint.post("/games/next")
    def go_on() -> Response:
        """Begins the next game of a match: the next hand, with the same players and the points so far."""
        body(Nothing)
        table = view.table()
        position = next_position(table)
        if position is None:
            raise BadEvent("No other game follows from this one now. Set up a new game.")
        header = table.session.header
        begun = view.sessions.start(header.game, header.names, header.options, draws=header.draws, position=position)
        return json_answer({"game": begun.session.header.id}, 201)

    @blueprint.post("/games/again")
    def again() -> Response:
        """Begins the finished game again, with the same players, options and way of dealing."""
        body(Nothing)
        table = view.table()
        if table.session.state.outcome() is None:
            raise BadEvent("This game is not over. Play it to its end, or set up a new game.")
        check_private(view)
        header = table.session.header
        begun = view.sessions.start(header.game, header.names, header.options, draws=header.draws)
        return json_answer({"game": begun.session.header.id}, 201)

    @blueprint.get("/saved")
    def saved() -> Response:
        """Returns the games of the journal, the newest first."""
        now = view.sessions.table
        headers = reversed(view.sessions.journal.games())
        found = [
            {
                "id": header.id,
                "name": header.game,
                "title": view.sessions.games[header.game].title if header.game in view.sessions.games else header.game,
                "names": header.names,
                "started": header.started,
                "here": now is not None and header.id == now.session.header.id,
            }
            for header in headers
        ]
        return json_answer({"saved": found[:200]})

    @blueprint.post("/saved")
    def resume() -> Response:
        """Continues a game of the journal."""
        told = body(Resume)
        header = view.sessions.journal.header(told.game)
        check_private(view, going_on=view.sessions.game(header.game).dealer is not None)
        table = view.sessions.resume(told.game)
        return json_answer({"game": table.session.header.id})

    return blueprint


class GameRunning(CompanionError, status=409):
    """An error: a new game would put a running one away without consent."""


def check_running(view: TableView, instead: str) -> None:
    """Checks that no game in progress is put away, unless the request names it.

    Args:
        instead: The running game that the request names.

    Raises:
        GameRunning: Another game is running.
    """
    table = view.sessions.table
    if table is None or not is_played(table) or table.session.header.id == instead:
        return
    who = " and ".join(table.session.names)
    raise GameRunning(
        f"{who} are in the middle of {table.session.game.title}. Go on with it, or say that it is put away: it stays in"
        " the journal."
    )


def is_played(table: Table) -> bool:
    """True if a game is in progress: somebody has done something, if only looked at a hand, and it is not over."""
    told = any(row.source != "software" and row.kind not in ("hint", "clock") for row in table.session.rows())
    return told and table.session.state.outcome() is None


def check_private(view: TableView, *, going_on: bool = False) -> None:
    """Checks that only the host changes games while hands are private, or if the game to continue has private hands.

    Raises:
        NotAllowed: Another browser sent the request.
    """
    table = view.sessions.table
    private = table is not None and keeps_secrets(table) and table.session.state.outcome() is None
    if (private or going_on) and role() != "host":
        raise NotAllowed("While hands are private, the host alone begins, ends or changes games. Ask at that machine.")


def suited(plan: Plan, game: str, seats: int) -> Plan:
    """Returns the plan itself if its zones are those of the game; otherwise the plan of the game's printed mat.

    Zones that were dragged, a mat of another size and corners that were set by hand are kept as long as the game is the
    same.
    """
    if game not in PLANS or seats not in GAMES[game].seats:
        return plan
    printed = PLANS[game](seats)
    here, there = set(map(_name, plan.zones)), set(map(_name, printed.zones))
    needed = {_name(zone) for zone in printed.zones if isinstance(zone, PyramidZone | PyramidBoard)}
    if here and needed <= here <= there:
        return plan
    kept = plan.corners_px if plan.mat == printed.mat else None
    return replace(printed, corners_px=kept)


def _name(zone: Zone) -> str:
    if isinstance(zone, PawnBoard):
        return "pawn board"
    return f"board {zone.cells}" if isinstance(zone, TileBoard) else zone.spot
