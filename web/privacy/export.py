"""Games as files to download."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.foundation.words import Words
from companion.referee.journal.lines import write_lines
from companion.referee.journal.sheet import score_sheet
from companion.referee.table.table import Table
from web.privacy.secrecy import seen_rows


class Export(NamedTuple):
    """One kind of file."""

    suffix: str
    content_type: str
    write: Callable[[Table, Words], str]


def points(table: Table, words: Words = str) -> str:
    """Returns the entries of the score sheet as CSV: one line for each entry, by player.

    A name that a spreadsheet would read as a formula gets a leading apostrophe.
    """
    return entries(table.session.names, table.session.state, words)


def entries(names: Sequence[str], state: Any, words: Words = str) -> str:
    """Returns the entries of the score sheet of a position as CSV; `words` translates headings and reasons."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([words(heading) for heading in ("player", "entry", "points", "total", "rule", "what for")])
    for name, score in zip(names, state.scores(), strict=True):
        total = 0
        for number, line in enumerate(score.lines, 1):
            total += line.points
            writer.writerow([_harmless(name), number, line.points, total, line.rule, _harmless(words(line.text))])
    return out.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def sheet(table: Table, words: Words = str) -> str:
    """Returns the score sheet in the game's notation, without what the public must not know."""
    session = table.session
    return score_sheet(session.game.title, session.header, seen_rows(table, None), session.timeline, words=words)


def lines(table: Table, words: Words = str) -> str:
    """Returns every row, chained, as JSON Lines: the whole record with hidden cards, which `companion replay`
    checks.
    """
    return "".join(write_lines(table.session.header, table.session.rows()))


EXPORTS: Mapping[str, Export] = {
    "jsonl": Export("jsonl", "application/jsonl; charset=utf-8", lines),
    "sheet": Export("txt", "text/plain; charset=utf-8", sheet),
    "csv": Export("csv", "text/csv; charset=utf-8", points),
}
"""The kinds of files by their names in addresses."""
