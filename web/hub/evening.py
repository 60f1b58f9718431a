"""The evening over HTTP: read by everybody, led by the host and by whoever has joined."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import Blueprint, Response
from msgspec import Meta, Struct

from companion.referee.evening import Evening, is_open, over, standings
from companion.referee.evening.director import EveningDirector
from companion.referee.evening.evening import MOST_PLAYERS, System
from companion.referee.evening.standings import as_csv, as_json
from web.http.answers import NothingThere, body, json_answer

_Name = Annotated[str, Meta(max_length=200)]


class BeginEvening(Struct, forbid_unknown_fields=True):
    """A new evening; of teams the players stand one team after the other."""

    expected: int
    """The version of the evening that was seen."""
    system: System
    players: Annotated[list[_Name], Meta(max_length=2 * MOST_PLAYERS)]
    title: _Name = ""
    game: Annotated[str, Meta(max_length=40)] = ""
    """Empty: whichever the two choose."""
    teams: Annotated[int, Meta(ge=0, le=MOST_PLAYERS)] = 0
    rounds: Annotated[int, Meta(ge=1, le=MOST_PLAYERS)] | None = None
    """Null: as many as decide it."""


class NextRound(Struct, forbid_unknown_fields=True):
    """Pair the next round."""

    expected: int


class Withdraw(Struct, forbid_unknown_fields=True):
    """Somebody goes home."""

    expected: int
    player: _Name


def shown(director: EveningDirector) -> dict[str, Any]:
    """The evening as everybody may know it."""
    version, evening = director.now()
    return {
        "version": version,
        "evening": msgspec.to_builtins(evening),
        "standings": [] if evening is None else msgspec.to_builtins(standings(evening)),
        "open": evening is not None and is_open(evening),
        "over": evening is not None and over(evening),
        "trouble": director.trouble,
    }


def routes(director: EveningDirector) -> Blueprint:
    """Everything below `/api/evening`, and `/api/ratings`."""
    blueprint = Blueprint("evening", __name__, url_prefix="/api")

    def present() -> Evening:
        evening = director.now()[1]
        if evening is None:
            raise NothingThere("No evening has begun. Begin one first.")
        return evening

    @blueprint.get("/evening")
    def now() -> Response:
        """Rounds with their pairings, and standings."""
        return json_answer(shown(director))

    @blueprint.post("/evening")
    def begin() -> Response:
        """Begin an evening; the one before is set aside on the hub's disk."""
        told = body(BeginEvening)
        director.begin(
            told.expected, told.title, told.system, told.players, game=told.game, teams=told.teams, planned=told.rounds
        )
        return json_answer(shown(director))

    @blueprint.post("/evening/round")
    def pair() -> Response:
        """Pair the next round, once every game of this one is over."""
        director.pair(body(NextRound).expected)
        return json_answer(shown(director))

    @blueprint.post("/evening/withdraw")
    def withdraw() -> Response:
        """Somebody goes home: an open game of theirs is the other's."""
        told = body(Withdraw)
        director.withdraw(told.expected, told.player)
        return json_answer(shown(director))

    @blueprint.get("/evening/export/<kind>")
    def export(kind: str) -> Response:
        """The evening as a file: `csv` or `json`."""
        if kind not in ("csv", "json"):
            raise NothingThere("There is no export of that kind. There are: csv, json.")
        evening = present()
        content = as_csv(evening) if kind == "csv" else as_json(evening)
        type_ = "text/csv; charset=utf-8" if kind == "csv" else "application/json"
        headers = {"Content-Disposition": f'attachment; filename="evening.{kind}"'}
        return Response(content, headers=headers, content_type=type_)

    @blueprint.get("/ratings")
    def ratings() -> Response:
        """How strong everybody is by all games of the journals, with the extra for it."""
        found = director.ratings()
        if found is None:
            raise NothingThere('Ratings need the package openskill: pip install "tabletop-companion[ratings]".')
        return json_answer({"ratings": msgspec.to_builtins(found)})

    return blueprint
