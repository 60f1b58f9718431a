"""Writes a row: an event together with its result by the rules."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from companion.core.contract import Event, Seat
from companion.referee.journal import ChainedGames, Kind, Row, Source, digest
from companion.referee.journal.timeline import Timeline


class Entry(Struct, frozen=True, eq=False):
    """A row that is to be written."""

    timeline: Timeline
    """The game after the row."""
    kind: Kind
    seat: Seat | None
    event: Event | None
    text: str
    source: Source
    more: dict[str, Any]

    def write(self, journal: ChainedGames, at: float) -> Row:
        """Writes the row after the last row of the timeline; it is on disk when this returns.

        Raises:
            JournalError: The row could not be written; the journal is unchanged.
        """
        state = self.timeline.state
        return journal.append(
            self.timeline.book.header.id,
            at=at,
            kind=self.kind,
            seat=self.seat,
            event=None if self.event is None else msgspec.to_builtins(self.event),
            text=self.text,
            source=self.source,
            scores=tuple(score.total for score in state.scores()),
            legal=len(state.legal_moves()),
            digest=digest(state),
            more=self.more,
            after=self.timeline.n - 1,
        )
