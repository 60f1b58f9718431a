"""`companion judge`: judges a written record of a game, one verdict for each event, without a camera."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.app.commands.options import PathType
from companion.core.foundation.errors import BadOptions, BadRecord
from companion.core.game import Game
from companion.games import GAMES
from companion.referee.journal.record import GameRecord, JudgedRecord, judge, load_record


@click.command("judge")
@click.argument("record", type=PathType(dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each event.")
def judge_command(record: Path, as_json: bool) -> int:
    """Judge RECORD, a JSON file as described in docs/records.md, event by event.

    An illegal event leaves the position unchanged, and judging continues. The exit status is 1 if any event was
    illegal.
    """
    written = load_record(record)
    game = GAMES.get(written.game)
    if game is None:
        raise BadRecord(f'{record} is of a game "{written.game[:40]}". Known are: {", ".join(GAMES)}.')
    refused = 0
    for judged in _judged(game, written, record):
        refused += not judged.legal
        if as_json:
            sys.stdout.write(_line(judged))
        else:
            click.echo(_sentence(judged))
    if not as_json:
        count = len(written.events)
        click.echo(f"{count} event{'' if count == 1 else 's'}, {refused} not allowed.")
    return 1 if refused else 0


def _judged(game: Game[Any], written: GameRecord, path: Path) -> Iterator[JudgedRecord]:
    """Yields the verdicts. Players or options that the game does not have are an error of the record, not of the
    call.
    """
    try:
        yield from judge(game, written)
    except BadOptions as error:
        raise BadRecord(f"{path}: {error}") from error


def _line(judged: JudgedRecord) -> str:
    """Returns the JSON form; `error` is present only if there is one."""
    plain = msgspec.to_builtins(judged)
    plain["breaches"] = [{"rule": breach.rule, "text": breach.text} for breach in judged.breaches]
    if judged.error is None:
        del plain["error"]
    return msgspec.json.encode(plain).decode("utf-8") + "\n"


def _sentence(judged: JudgedRecord) -> str:
    shown = judged.text or (
        judged.event if isinstance(judged.event, str) else msgspec.json.encode(judged.event).decode()
    )
    totals = "-".join(map(str, judged.scores))
    if judged.legal:
        end = "" if judged.outcome is None else f"  {judged.outcome.rule}: {judged.outcome.text}"
        return f"{judged.n:3}. {shown:<28} {totals:>9}{end}"
    reasons = " ".join(f"{breach.rule}: {breach.text}" for breach in judged.breaches) or judged.error
    return f"{judged.n:3}. {shown:<28} not allowed. {reasons}"
