"""The proof of a software deal: every card of the record is compared with the seed that was sealed before it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from companion.core.foundation.errors import BadRecord
from companion.core.game import Game
from companion.games.shared.cards.dealing import check
from companion.referee.journal.rows import Header, Row
from companion.referee.journal.timeline import begin
from companion.referee.session.croupier import Croupier, revealed, sealed


class Proof(Struct, frozen=True):
    """The result of checking a deal."""

    draws: int
    """Rows with cards that software dealt."""
    seed: str | None
    """Where the seed comes from: "record", "journal" while it is still secret, None if it is not known here."""
    fault: str | None = None
    """The reason why the deal is not proved, in a sentence, or None."""

    @property
    def sentence(self) -> str:
        """For people."""
        if self.fault is not None:
            return self.fault
        rows = "1 draw" if self.draws == 1 else f"{self.draws} draws"
        if self.seed == "record":
            return f"The deal is proved: {rows} follow from the seed that was sealed before the first card."
        if self.seed == "journal":
            return f"{rows} follow from the seed that this journal keeps secret until the game is over."
        return "The deal is sealed and can be proved when the game is over and its seed is shown."


def prove(game: Game[Any], header: Header, rows: tuple[Row, ...], kept: bytes | None = None) -> Proof | None:
    """Deal a game once more and compare; None for a game that software did not deal.

    Args:
        kept: The seed as the journal keeps it, for a game that is not over.

    Raises:
        MoveError: These rules refuse a row.
    """
    if header.draws != "dealt":
        return None
    dealt = [row for row in rows if row.kind == "chance"]
    first = next((row.n for row in rows if row.kind == "commitment"), None)
    shown = sealed(rows)
    try:
        seed = revealed(rows)
        known = seed if seed is not None else kept
        if shown is None:
            return Proof(len(dealt), None, "No commitment was shown. The deal is not proved." if dealt else None)
        if known is not None:
            check(shown, known)
    except BadRecord as error:
        return Proof(len(dealt), None, str(error))
    for row in dealt:
        if row.source != "software" or first is None or row.n < first:
            return Proof(len(dealt), None, f"Row {row.n} was not dealt by the program. The deal is not proved.")
    if known is None:
        return Proof(len(dealt), None)
    fault = _compared(game, header, rows, known)
    return Proof(len(dealt), "record" if seed is not None else "journal", fault)


def _compared(game: Game[Any], header: Header, rows: tuple[Row, ...], seed: bytes) -> str | None:
    croupier = Croupier(game, seed)
    line = begin(game, header)
    for row in rows:
        before = line.state
        line = line.read(row)
        event = None if row.event is None else game.event(row.event)
        if row.kind == "chance" and croupier.due(row.n - 1, before) != event:
            return f"Row {row.n} ({row.text}) is not what the seed gives. The deal is not proved."
        croupier.follow(row, event, before)
    return None
