"""An evening as a file to take away: a table for spreadsheets, or everything that is known of it."""

from __future__ import annotations

import csv
import io

import msgspec

from companion.referee.evening.evening import Evening
from companion.referee.evening.standings import standings

_STANDINGS = (
    *("place", "name", "points", "board points", "played", "wins"),
    *("buchholz", "sonneborn-berger", "direct encounter"),
)


def as_json(evening: Evening) -> bytes:
    """The evening with its standings."""
    told = {**msgspec.to_builtins(evening), "standings": msgspec.to_builtins(standings(evening))}
    return msgspec.json.format(msgspec.json.encode(told), indent=2)


def as_csv(evening: Evening) -> str:
    """Every pairing in one line, then every place; text that a spreadsheet would take for a formula begins with '."""
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(["round", "board", "table", "first", "second", "points", "points of second", "game"])
    for number, one in enumerate(evening.rounds, 1):
        for pairing in one.pairings:
            points = ("", "") if pairing.result is None else pairing.result.points
            write.writerow(
                [
                    number,
                    pairing.board or "",
                    _plain(pairing.table),
                    _plain(pairing.first),
                    _plain(pairing.second or "bye"),
                    *points,
                    "" if pairing.result is None else pairing.result.game,
                ]
            )
    write.writerow([])
    write.writerow(_STANDINGS)
    for line in standings(evening):
        write.writerow(
            [
                line.place,
                _plain(line.name),
                line.points,
                line.boards,
                line.played,
                line.wins,
                line.buchholz,
                line.sonneborn_berger,
                line.direct,
            ]
        )
    return out.getvalue()


def _plain(text: str) -> str:
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
