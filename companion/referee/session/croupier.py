"""A game that software deals: the next cards, and the rows that prove the deal.

The order of the cards follows from a secret seed. A `commitment` row shows the seed's hash before the first card, and a
`reveal` row shows the seed itself when the game is over, so that players can then check that the cards were fixed from
the start. The next cards depend only on the seed and the earlier rows: an undo and another draw give the same card.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.capabilities import SoftwareDealer
from companion.core.contract import Chance, Drawn, Event, Seat, ToDraw
from companion.core.foundation.errors import BadEvent, BadOptions, BadRecord
from companion.core.game import Game
from companion.games.shared.cards.dealing import check, checked_seed, commitment
from companion.referee.journal.rows import Header, Row
from companion.referee.journal.timeline import begin

# Dice and draws by the program, for a table without dice, bag or camera.
#
# An outcome follows only from a secret seed of the game and from the events before it. So a player cannot roll again
# until the dice are good: an undo and another roll give the same dice.


def outcome_seed(secret: bytes, events: Iterable[Event]) -> bytes:
    """Returns the seed of the next outcome, 32 bytes.

    Args:
        secret: The secret seed of the game, 32 bytes.
        events: Every event that counts so far, in order.
    """
    return hmac.digest(secret, msgspec.json.encode([msgspec.to_builtins(event) for event in events]), "sha256")


def outcome(game: Game[Any], state: Any, seed: bytes, seat: Seat | None) -> Chance:
    """Returns the roll or draw that a seed produces.

    Args:
        seat: The seat that draws, if several may; None: the one on turn.

    Raises:
        BadEvent: No chance event is due.
    """
    if game.chance is None:
        raise BadEvent(f"Nothing in {game.title} is left to chance. Make a move.")
    event = game.chance.sample(state, Random(seed))
    return replace(event, seat=seat) if isinstance(event, Drawn) and seat is not None else event


class Hold(Struct, frozen=True):
    """The state of the croupier after a row."""

    dealer: SoftwareDealer
    ready: tuple[Drawn, ...] = ()
    """Draws that have already left the deck and are reported one by one."""


class Croupier:
    """Deals one game. It receives every row, and knows the next cards after each row."""

    def __init__(self, game: Game[Any], seed: bytes) -> None:
        """
        Raises:
            BadOptions: Software does not deal this game.
            BadRecord: The seed is not 32 bytes long.
        """
        if game.dealer is None:
            raise BadOptions(f"Software does not deal {game.title}. Choose that you enter the cards.")
        self.seed = checked_seed(seed)
        self._game = game
        self._holds = {0: Hold(game.dealer(seed))}

    @property
    def commitment(self) -> str:
        """The hash of the seed, which is public before the game is over."""
        return commitment(self.seed)

    def due(self, n: int, state: Any) -> Drawn | None:
        """Returns the cards that come next after row `n`; None if none are due.

        Args:
            state: The position after row `n`.
        """
        if not isinstance(state.expects(), ToDraw):
            return None
        ready = self._ready(self._holds[n], state).ready
        return ready[0] if ready else None

    def follow(self, row: Row, event: Any, before: Any) -> None:
        """Records a row, so that the next cards are known.

        Args:
            event: The row's event.
            before: The position before the row.
        """
        hold = self._holds[row.n - 1]
        if row.kind == "chance" and row.source == "software":
            ready = self._ready(hold, before)
            hold = Hold(ready.dealer, ready.ready[1:])
        elif row.kind in ("move", "agreed"):
            hold = Hold(hold.dealer.follow(before, event))
        elif row.kind == "undo":
            hold = self._holds[row.more["to"]]
        self._holds[row.n] = hold

    def _ready(self, hold: Hold, state: Any) -> Hold:
        if hold.ready:
            return hold
        events, dealer = hold.dealer.serve(state, self._game.unseen)
        return Hold(dealer, events)


def sealed(rows: tuple[Row, ...]) -> str | None:
    """Returns the commitment that the record shows; None before it was written."""
    return next((str(row.more["commitment"]) for row in rows if row.kind == "commitment"), None)


def revealed(rows: tuple[Row, ...]) -> bytes | None:
    """Returns the seed that the record shows; None before the game is over.

    Raises:
        BadRecord: The shown text is not a seed.
    """
    shown = next((row.more["seed"] for row in rows if row.kind == "reveal"), None)
    if shown is None:
        return None
    try:
        return checked_seed(bytes.fromhex(shown))
    except (TypeError, ValueError) as error:
        raise BadRecord(
            "The record does not reveal a seed of 64 hexadecimal digits. The deal is not proved."
        ) from error


class Proof(Struct, frozen=True):
    """The result of checking a deal."""

    draws: int
    """The number of rows with cards that software dealt."""
    seed: str | None
    """The source of the seed: "record", "journal" while it is still secret, or None if it is unknown here."""
    fault: str | None = None
    """A sentence on why the deal is not proved, or None."""

    @property
    def sentence(self) -> str:
        """The result as a sentence for people."""
        if self.fault is not None:
            return self.fault
        rows = "1 draw" if self.draws == 1 else f"{self.draws} draws"
        if self.seed == "record":
            return f"The deal is proved: {rows} follow from the seed that was sealed before the first card."
        if self.seed == "journal":
            return f"{rows} follow from the seed that this journal keeps secret until the game is over."
        return "The deal is sealed and can be proved when the game is over and its seed is shown."


def prove(game: Game[Any], header: Header, rows: tuple[Row, ...], kept: bytes | None = None) -> Proof | None:
    """Deals a game again and compares the cards; returns None for a game that software did not deal.

    Args:
        kept: The seed from the journal, for a game that is not over.

    Raises:
        MoveError: The rules refuse a row.
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
