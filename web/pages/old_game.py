"""A game of the journal that is looked at again: its positions one after the other, and files to take away.

Only what the public may know is shown, also of games that are over; whole records of games with hidden cards are for
the host alone.
"""

from __future__ import annotations

import json
from io import BytesIO
from time import gmtime, strftime
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec.structs import replace
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from companion.core.foundation.errors import BadRecord, MoveError
from companion.core.foundation.words import Words
from companion.core.game import Game
from companion.referee.journal import Header, Journal, Row
from companion.referee.journal.lines import write_lines
from companion.referee.journal.sheet import score_sheet
from companion.referee.journal.timeline import Timeline, begin
from companion.referee.naming import with_names
from companion.referee.results import Result
from companion.referee.results.tallies import lowest_wins
from web.http.answers import NothingThere
from web.privacy.export import entries

_MARGIN_PT, _LINE_PT, _LETTERS = 45.0, 11.0, 92
BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
"""The address by which BG Stats takes a play from another program; it asks its owner before it keeps anything."""


class OldGame:
    """One game of the journal, replayed by today's rules."""

    def __init__(self, game: Game[Any], journal: Journal, header: Header) -> None:
        """
        :raises NothingThere: today's rules cannot follow it.
        :raises JournalError: its rows cannot be read.
        """
        self.game, self.header = game, header
        self.rows: tuple[Row, ...] = journal.rows(header.id)
        try:
            timeline: Timeline = begin(game, header)
            for row in self.rows:
                timeline = timeline.read(row)
        except (BadRecord, MoveError) as error:
            raise NothingThere(f"Today's rules cannot follow this game: {error} Use `companion replay`.") from error
        self.timeline = timeline

    @property
    def hides(self) -> bool:
        """True if anybody held anything that others must not see."""
        return self.game.has_private_hands

    def text(self, row: Row) -> str:
        """A row's line as the public may read it."""
        if row.event is None or not self.hides:
            return row.text
        told = row.more.get("of", row.n) if row.kind == "correct" else row.n
        event = self.game.event(row.event)
        seen = self.game.redact(self.timeline.at(told - 1).state, event, None)
        if seen is None:
            return "tells something that stays hidden"
        return row.text if seen == event else self.game.text(seen)

    def sentence(self, n: int) -> str:
        """The public text of row `n`, with people's names; 0 is the start."""
        if n == 0:
            return "The start of the game."
        row, names = self.rows[n - 1], self.header.names
        text = with_names(self.text(row), names)
        return text if row.seat is None or names[row.seat] in text else f"{names[row.seat]}: {text}"

    def sheet(self, words: Words = str) -> str:
        """The score sheet in the game's notation; `words` puts its sentences into another language."""
        rows = tuple(replace(row, text=self.text(row), event=None) for row in self.rows)
        return score_sheet(self.game.title, self.header, rows, self.timeline, words=words)

    def sheet_pdf(self, words: Words = str) -> bytes:
        """The score sheet on A4, lines broken where they end."""
        out = BytesIO()
        canvas = Canvas(out, pagesize=A4)
        canvas.setTitle(f"{self.game.title}: {words('score sheet')}")
        height = A4[1] - 2 * _MARGIN_PT
        lines = [part for line in self.sheet(words).splitlines() for part in _parts(line)]
        per_page = int(height / _LINE_PT)
        for start in range(0, len(lines), per_page):
            canvas.setFont("Courier", 9)
            for i, line in enumerate(lines[start : start + per_page]):
                canvas.drawString(_MARGIN_PT, A4[1] - _MARGIN_PT - (i + 1) * _LINE_PT, line)
            canvas.showPage()
        canvas.save()
        return out.getvalue()

    def points(self, words: Words = str) -> str:
        """The entries of the score sheet as CSV."""
        return entries(self.header.names, self.timeline.state, words)

    def whole(self) -> str:
        """Every row, chained, as JSON Lines."""
        return "".join(write_lines(self.header, self.rows))

    def record(self) -> str:
        """The events that count, as a record that `companion judge` reads.

        :raises NothingThere: a position was set up on the way, or draws were not entered; records have no form for
            either.
        """
        steps = self.timeline.steps()
        if self.header.draws == "unseen" or any(step.event is None for step in steps):
            raise NothingThere(
                "A record cannot hold positions that were set up on the way, nor draws that nobody told. Take the whole"
                " record as JSON Lines."
            )
        return json.dumps(
            {
                "game": self.header.game,
                "players": self.header.names,
                "options": self.header.options,
                **({} if self.header.position is None else {"position": self.header.position}),
                "events": [msgspec.to_builtins(step.event) for step in steps],
            },
            indent=1,
            ensure_ascii=False,
        )


def bg_stats(result: Result, title: str) -> str:
    """The link that hands a finished game to BG Stats.

    :raises NothingThere: it is not finished.
    """
    if not result.finished:
        raise NothingThere("BG Stats takes finished games only. Go on with this one first.")
    place = {seat: number for number, seats in enumerate(result.places, 1) for seat in seats}
    play = {
        "sourceName": "Companion",
        "sourcePlayId": result.id,
        "playDate": strftime("%Y-%m-%d %H:%M:%S", gmtime(result.started + result.length_s)),
        "durationMin": max(1, round(result.length_s / 60)),
        "game": {"name": title, "sourceGameId": result.game, "highestWins": not lowest_wins(result.game)},
        "players": [
            {
                "name": name,
                "sourcePlayerId": name.casefold(),
                "score": str(result.scores[seat]),
                "rank": place.get(seat, len(result.places)),
                "winner": seat in result.winners,
            }
            for seat, name in enumerate(result.names)
        ],
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def _parts(line: str) -> list[str]:
    return [line[start : start + _LETTERS] for start in range(0, max(1, len(line)), _LETTERS)]
