"""A game that software deals, row by row: the next cards, and the rows about them.

The order of the cards follows from a secret seed. A `commitment` row shows the seed's hash before the first card, and a
`reveal` row the seed itself when the game is over, so that players can check afterwards that no card was chosen later.
The next cards depend only on the seed and the earlier rows: an undo and another draw give the same card.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from companion.core.capabilities import SoftwareDealer
from companion.core.contract import Drawn, ToDraw
from companion.core.foundation.errors import BadOptions, BadRecord
from companion.core.game import Game
from companion.games.shared.cards.dealing import checked_seed, commitment
from companion.referee.journal.rows import Row


class Hold(Struct, frozen=True):
    """The state of the croupier after a row."""

    dealer: SoftwareDealer
    ready: tuple[Drawn, ...] = ()
    """Draws that are taken from the deck already and come one by one."""


class Croupier:
    """Deals one game. It gets every row, and knows the next cards after each."""

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
        """The public hash of the seed before the game is over."""
        return commitment(self.seed)

    def due(self, n: int, state: Any) -> Drawn | None:
        """The cards that come next after row `n`; None if none are due.

        Args:
            state: The position after row `n`.
        """
        if not isinstance(state.expects(), ToDraw):
            return None
        ready = self._ready(self._holds[n], state).ready
        return ready[0] if ready else None

    def follow(self, row: Row, event: Any, before: Any) -> None:
        """Take note of a row.

        Args:
            event: The row's event.
            before: The position before it.
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
    """The commitment that the record shows; None before it does."""
    return next((str(row.more["commitment"]) for row in rows if row.kind == "commitment"), None)


def revealed(rows: tuple[Row, ...]) -> bytes | None:
    """The seed that the record shows; None before the game is over.

    Raises:
        BadRecord: What the record shows is no seed.
    """
    shown = next((row.more["seed"] for row in rows if row.kind == "reveal"), None)
    if shown is None:
        return None
    try:
        return checked_seed(bytes.fromhex(shown))
    except (TypeError, ValueError) as error:
        raise BadRecord(
            "What the record reveals is no seed of 64 hexadecimal digits. The deal is not proved."
        ) from error
