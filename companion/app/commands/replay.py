"""`companion replay`: checks a journal, and exports or imports its games."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from companion.app.commands.options import PathType, journal_place, print_language_option
from companion.core.foundation.errors import JournalError, WrongUsage
from companion.games import GAMES
from companion.referee.journal import Header, Journal, Row, read_lines, write_lines
from companion.referee.journal.opening import read_journal
from companion.referee.journal.places import Database
from companion.referee.journal.record import Replayed, replay
from companion.referee.journal.sheet import score_sheet
from companion.referee.session.croupier import Proof, prove

_LONG = 500
"""The number of rows from which on progress is shown."""


class _Game(NamedTuple):
    header: Header
    rows: tuple[Row, ...]
    seed: bytes | None = None
    """The seed by which software deals the game, if the journal has it."""


@click.command("replay")
@click.argument("journal", type=journal_place)
@click.option("--game", "which", metavar="N", help="Replay only this game: its number in the list, or its id.")
@click.option("--sheet", "form", flag_value="sheet", help="Print score sheets.")
@click.option("--jsonl", "form", flag_value="jsonl", help="Print one game as JSON Lines.")
@click.option("--json", "form", flag_value="json", help="Print one JSON object for each game.")
@click.option(
    "--into", type=PathType(dir_okay=False), help="Add the games to another journal, once they have been checked."
)
@print_language_option
def replay_command(
    journal: Path | Database, which: str | None, form: str | None, into: Path | None, language: str
) -> int:
    """Replay the games of JOURNAL and check every row.

    JOURNAL is a journal (a file or a database, postgresql://HOST/DATABASE) or a file that `--jsonl` wrote. Exit
    status 1 if today's rules disagree with the journal although the rules version is the same, or if a deal of the
    program differs from its seed.
    """
    games = _chosen(_games(journal), which, journal)
    if form == "jsonl":
        if len(games) != 1:
            raise WrongUsage(f"{journal} holds {len(games)} games; choose one with --game N, 1 to {len(games)}.")
        for line in write_lines(games[0][1].header, games[0][1].rows):
            sys.stdout.write(line)
        return 0
    if not games and form != "json":
        click.echo(f"{journal} has no games.")
    differs = False
    for number, game in games:
        found = _replayed(game)
        proof = _proof(game, found)
        differs |= found is not None and found.change is not None and found.rules == game.header.rules
        differs |= proof is not None and proof.fault is not None
        _show(number, game, found, proof, form, language)
    if into is not None:
        _import(games, into, differs)
    return 1 if differs else 0


def _games(place: Path | Database) -> list[_Game]:
    if isinstance(place, Path) and (found := _lines(place)) is not None:
        return [found]
    journal = read_journal(place)
    try:
        if isinstance(journal, Journal) and journal.notice is not None:
            click.echo(f"companion replay: {journal.notice}", err=True)
        return [_Game(header, journal.rows(header.id), journal.seed(header.id)) for header in journal.games()]
    finally:
        journal.close()


def _lines(path: Path) -> _Game | None:
    """Returns the game of a file of JSON Lines, which begins with a brace; None for other files."""
    try:
        with path.open("rb") as file:
            lines = file.read(1) == b"{"
        if lines:
            return _Game(*read_lines(path.read_bytes()))
    except OSError as error:
        raise JournalError(
            f"The journal {path} cannot be read ({error.strerror}). Give the path of a journal."
        ) from error
    return None


def _chosen(games: list[_Game], which: str | None, path: Path | Database) -> list[tuple[int, _Game]]:
    numbered = list(enumerate(games, 1))
    if which is None:
        return numbered
    found = [(number, game) for number, game in numbered if which in (str(number), game.header.id)]
    if not found:
        raise WrongUsage(f'{path} has no game "{which[:40]}": it holds {len(games)}. Leave --game out to list them.')
    return found


def _replayed(game: _Game) -> Replayed | None:
    """Returns the game as the present rules replay it; None if this program does not know the game."""
    rules = GAMES.get(game.header.game)
    if rules is None:
        return None
    return replay(rules, game.header, game.rows, progress=_progress(game))


def _proof(game: _Game, found: Replayed | None) -> Proof | None:
    """Returns the proof of the deal of a game that the present rules can follow, or None."""
    if found is None or found.change is not None:
        return None
    return prove(GAMES[game.header.game], game.header, game.rows, game.seed)


def _progress(game: _Game) -> Callable[[Iterable[Row]], Iterable[Row]]:
    if len(game.rows) < _LONG or not sys.stderr.isatty():
        return iter

    def shown(rows: Iterable[Row]) -> Iterable[Row]:
        with click.progressbar(rows, length=len(game.rows), label=game.header.id, file=sys.stderr) as bar:
            yield from bar

    return shown


def _show(
    number: int, game: _Game, found: Replayed | None, proof: Proof | None, form: str | None, language: str
) -> None:
    header = game.header
    title = GAMES[header.game].title if header.game in GAMES else header.game
    note = " ".join(filter(None, (_note(header, found), proof.sentence if proof is not None else "")))
    if form == "sheet":
        line = found.timeline if found is not None and found.change is None else None
        from web.language.catalog import CATALOGS

        click.echo(score_sheet(title, header, game.rows, line, note, CATALOGS[language].translate))
    elif form == "json":
        last = game.rows[-1] if game.rows else None
        about: dict[str, Any] = {
            "game": header.id,
            "number": number,
            "title": title,
            "names": header.names,
            "rows": len(game.rows),
            "scores": last.scores if last else None,
            "rules": header.rules,
            "agrees": found is not None and found.change is None and (proof is None or proof.fault is None),
            "note": note or None,
        }
        click.echo(msgspec.json.encode(about).decode("utf-8"))
    else:
        scores = "-".join(map(str, game.rows[-1].scores)) if game.rows else "not begun"
        names = ", ".join(header.names)
        click.echo(f"{number:3}. {header.id}  {title}: {names}  {len(game.rows)} rows  {scores}")
        click.echo(f"     {_note(header, found) or 'Every row agrees with the rules, and the chain holds.'}")
        if proof is not None:
            click.echo(f"     {proof.sentence}")


def _note(header: Header, found: Replayed | None) -> str:
    """Returns a note for readers; empty if everything is as recorded."""
    if found is None:
        return f'This program does not know the game "{header.game}"; it is shown as it was recorded.'
    if found.change is None:
        return ""
    if found.rules != header.rules:
        return (
            f"Played by rules {header.rules}, shown as it was recorded; today's rules are {found.rules}."
            f" {found.change.sentence}"
        )
    return found.change.sentence


def _import(games: list[tuple[int, _Game]], into: Path, differs: bool) -> None:
    if differs:
        raise JournalError(f"Nothing was added to {into}: the rules do not agree with every row.")
    journal = Journal.open(into)
    try:
        for _, game in games:
            journal.insert(game.header, game.rows)
            if game.seed is not None:
                journal.keep_seed(game.header.id, game.seed)
    finally:
        journal.close()
    click.echo(f"{len(games)} game{'' if len(games) == 1 else 's'} added to {into}.", err=True)
