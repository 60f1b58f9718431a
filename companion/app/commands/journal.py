"""`companion journal`: commands for a whole journal; so far, copying it to another place."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from companion.app.commands.options import journal_place
from companion.core.foundation.errors import WrongUsage
from companion.referee.journal.carrying import CopiedGame, copy_games
from companion.referee.journal.opening import open_journal, read_journal
from companion.referee.journal.places import Database


@click.group("journal", short_help="Copy a journal to another place.")
def journal_command() -> None:
    """Copy a journal to another place."""


@journal_command.command("copy", short_help="Copy all games of a journal to another one.")
@click.argument("source", metavar="FROM", type=journal_place)
@click.argument("target", metavar="TO", type=journal_place)
def copy_command(source: Path | Database, target: Path | Database) -> int:
    """Copy all games of FROM, with their seeds, to TO, which is created if it does not exist.

    FROM and TO are files or databases (postgresql://USER@HOST/DATABASE). The chain of each game is checked before and
    after. Rows that TO already has are not written again, so an interrupted copy can be repeated. A game is left out
    if TO holds different rows of it. Exit status 0: TO has every game; 1: it lacks some, and each of them is named.
    """
    if _where(source) == _where(target):
        raise WrongUsage("FROM and TO are the same journal. Give two.")
    with closing(read_journal(source)) as whole, closing(open_journal(target)) as copy:
        found = list(copy_games(whole, copy))
    for game in found:
        click.echo(_line(game))
    missing, added = sum(game.trouble is not None for game in found), sum(game.added for game in found)
    click.echo(f"{len(found) - missing} of {len(found)} games are in {target}, {added} rows were added.")
    return 1 if missing else 0


def _line(game: CopiedGame) -> str:
    return f"{game.id}: {game.trouble or f'{game.rows} rows, {game.added} of them new; the chain holds.'}"


def _where(place: Path | Database) -> str:
    return place.reveal() if isinstance(place, Database) else str(place.resolve())
