"""`companion games`: lists the games with their numbers of players and their options."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from companion.core.game import Game, seat_numbers
from companion.games import GAMES, LEFT_OUT
from web.facts.options import OptionField, fields


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each game.")
def games_command(as_json: bool) -> None:
    """List the games, their players and options; an option is given to other commands as --option NAME=VALUE."""
    for game in GAMES.values():
        click.echo(_line(game) if as_json else _text(game))
    for sentence in LEFT_OUT:
        click.echo(sentence, err=True)


def _line(game: Game[Any]) -> str:
    about = {
        "name": game.name,
        "title": game.title,
        "rules": game.rules,
        "seats": list(game.seats),
        "options": fields(game.Options),
    }
    return msgspec.json.encode(about).decode("utf-8")


def _text(game: Game[Any]) -> str:
    players = f"{seat_numbers(game.seats)} player{'' if tuple(game.seats) == (1,) else 's'}"
    lines = [f"{game.name}  ({game.title}, {players}, rules {game.rules})"]
    for field in fields(game.Options):
        lines.append(f"  {field.name}={_plain(field.default)}  [{_values(field)}]")
        lines.append(f"      {field.sentence}")
    return "\n".join([*lines, ""])


def _values(field: OptionField) -> str:
    """Returns the possible values of an option."""
    if field.kind == "switch":
        return "true, false"
    if field.kind == "choice" and isinstance(field.choices, tuple):
        return ", ".join(str(choice) for choice in field.choices)
    if field.kind == "number":
        least = "" if field.least is msgspec.UNSET else f" from {field.least}"
        most = "" if field.most is msgspec.UNSET else f" to {field.most}"
        return f"a number{least}{most}"
    return "text"


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
