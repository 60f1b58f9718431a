"""The evening over HTTP: everybody may read it, and the host and joined browsers may run it."""

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
    """A new evening; with teams, the players are listed one team after the other."""

    expected: int
    """The version of the evening that the person saw."""
    system: System
    players: Annotated[list[_Name], Meta(max_length=2 * MOST_PLAYERS)]
    title: _Name = ""
    game: Annotated[str, Meta(max_length=40)] = ""
    """The game; empty: the players choose one."""
    teams: Annotated[int, Meta(ge=0, le=MOST_PLAYERS)] = 0
    rounds: Annotated[int, Meta(ge=1, le=MOST_PLAYERS)] | None = None
    """The number of rounds; null: as many as the system needs."""


class NextRound(Struct, forbid_unknown_fields=True):
    """The pairing of the next round."""

    expected: int


class Withdraw(Struct, forbid_unknown_fields=True):
    """The withdrawal of a player who goes home."""

    expected: int
    player: _Name


def shown(director: EveningDirector) -> dict[str, Any]:
    """Returns the public state of the evening."""
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
    """Returns the routes below `/api/evening`, and `/api/ratings`."""
    blueprint = Blueprint("evening", __name__, url_prefix="/api")

    def present() -> Evening:
        evening = director.now()[1]
        if evening is None:
            raise NothingThere("No evening has begun. Begin one first.")
        return evening

    @blueprint.get("/evening")
    def now() -> Response:
        """Returns the rounds with their pairings, and the standings."""
        return json_answer(shown(director))

    @blueprint.post("/evening")
    def begin() -> Response:
        """Begins an evening; the previous one is set aside on the hub's disk."""
        told = body(BeginEvening)
        director.begin(
            told.expected, told.title, told.system, told.players, game=told.game, teams=told.teams, planned=told.rounds
        )
        return json_answer(shown(director))

    @blueprint.post("/evening/round")
    def pair() -> Response:
        """Pairs the next round, once every game of this one is over."""
        director.pair(body(NextRound).expected)
        return json_answer(shown(director))

    @blueprint.post("/evening/withdraw")
    def withdraw() -> Response:
        """Withdraws a player who goes home; the opponent wins an open game."""
        told = body(Withdraw)
        director.withdraw(told.expected, told.player)
        return json_answer(shown(director))

    @blueprint.get("/evening/export/<kind>")
    def export(kind: str) -> Response:
        """Returns the evening as a file: `csv` or `json`."""
        if kind not in ("csv", "json"):
            raise NothingThere("There is no export of that kind. There are: csv, json.")
        evening = present()
        content = as_csv(evening) if kind == "csv" else as_json(evening)
        type_ = "text/csv; charset=utf-8" if kind == "csv" else "application/json"
        headers = {"Content-Disposition": f'attachment; filename="evening.{kind}"'}
        return Response(content, headers=headers, content_type=type_)

    @blueprint.get("/ratings")
    def ratings() -> Response:
        """Returns everybody's rating by all games of the journals, if the extra for ratings is installed."""
        found = director.ratings()
        if found is None:
            raise NothingThere('Ratings need the package openskill: pip install "tabletop-companion[ratings]".')
        return json_answer({"ratings": msgspec.to_builtins(found)})

    return blueprint
