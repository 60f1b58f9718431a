"""A table at which software deals: sealed before the first card, dealt as soon as cards are due, shown at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.alert import Alert
from companion.contract import Drawn, Event, Game, Over, Shown
from companion.croupier import Croupier, revealed, sealed
from companion.entry import Entry
from companion.errors import BadEvent, JournalError
from companion.journal import Header, Journal, Kind, Row, Source
from companion.table import Table


class DealtTable(Table):
    """A game in play whose cards come from a seed that the journal keeps secret until the game is over."""

    def __init__(self, game: Game[Any], header: Header, journal: Journal, **more: Any) -> None:
        """As for `Table`; what is due is dealt at once.

        :raises JournalError: the journal does not keep the seed of this game.
        """
        super().__init__(game, header, journal, **more)
        seed = journal.seed(header.id)
        if seed is None:
            raise JournalError(
                f"The seed of the game {header.id} is not in {journal.path}, so the program cannot go on dealing it."
                " Use the journal in which the game was begun."
            )
        self._croupier = Croupier(header.game, seed)
        for row in self.rows():
            event = None if row.event is None else game.event(row.event)
            self._croupier.follow(row, event, self.state_at(row.n - 1))
        self._deal()

    def play(self, event: Event, *, source: Source, expected: int | None = None) -> Row:
        """As for `Table`; cards are never told by people here.

        :raises BadEvent: it tells cards.
        """
        if isinstance(event, Drawn | Shown):
            raise BadEvent("The program deals this game, so cards need not be told. Make a move.")
        return super().play(event, source=source, expected=expected)

    def undo(self, to: int, why: str, *, source: Source, expected: int | None = None) -> Row:
        """As for `Table`; cards that are drawn once more are the same.

        :raises BadEvent: the seed was shown, so whoever went back would know every card.
        """
        with self._lock:
            if revealed(self.rows()) is not None:
                raise BadEvent("The deal was shown when the game was over, so it cannot go on. Begin another game.")
            row = super().undo(to, why, source=source, expected=expected)
            self._deal()
            return row

    def correct(self, n: int, event: Event, why: str, *, source: Source, expected: int | None = None) -> Row:
        """:raises BadEvent: always; other moves would have drawn other cards."""
        raise BadEvent("In a game that the program deals, go back to before the move and make the right one.")

    def set_position(
        self, position: Mapping[str, Any], why: str, *, source: Source, expected: int | None = None
    ) -> Row:
        """:raises BadEvent: always; the cards would not be those of the deal."""
        raise BadEvent("In a game that the program deals, no position can be set up. Begin a game with told cards.")

    def _tell(self, kind: Kind, event: Event, source: Source, more: dict[str, Any]) -> Row:
        row = super()._tell(kind, event, source, more)
        self._deal()
        return row

    def _write(self, entry: Entry, alert: Alert | None) -> Row:
        before = self.state
        row = super()._write(entry, alert)
        self._croupier.follow(row, entry.event, before)
        return row

    def _deal(self) -> None:
        """The seal before the first card, every draw that is due, and the seed once the game is over."""
        with self._lock:
            if sealed(self.rows()) is None:
                self._note("commitment", self._croupier.commitment)
            while (drawn := self._croupier.due(self.seq, self.state)) is not None:
                super()._tell("chance", drawn, "software", {})
            if isinstance(self.state.expects(), Over) and revealed(self.rows()) is None:
                self._note("reveal", self._croupier.seed.hex())

    def _note(self, kind: Kind, told: str) -> None:
        name = "commitment" if kind == "commitment" else "seed"
        self._write(Entry(self._now.line.note(), kind, None, None, f"{name} {told}", "software", {name: told}), None)
