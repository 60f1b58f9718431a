"""The advice in Solitaire: cards to move, the stock, and the present score, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.contract import Seat
from companion.referee.table.table import Table
from web.telling.parts.card_panel import Act, CardAdviser, HeldCards, PanelCount, PanelPick

_OPEN = PanelPick(("pile", "waste", "foundation"))


class SolitaireAdviser(CardAdviser):
    """Moves by tapping a card and then a pile."""

    draws_text = "turned up {cards}"

    def hand(self, state: Any, seat: Seat) -> Sequence[HeldCards]:
        """There are no hands."""
        return ()

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """A card to a pile or home, the stock, giving up."""
        onto = PanelPick(("pile",), says="number")
        yield Act("put", seat, "Move it there", "{0} on pile {1}", (_OPEN, onto), main=True)
        yield Act("home", seat, "To its foundation", "{0} home", (PanelPick(("pile", "waste")),))
        if state.stock:
            yield Act("turn", seat, "Turn the stock", "turn", tap="stock")
        else:
            yield Act("turn-over", seat, "Turn the waste over", "turn over", tap="stock")
        yield Act("concede", seat, "Give up and count", "concede", sure="The game ends and is counted as it stands.")

    def help(self, table: Table, state: Any) -> str:
        """The cards to tap."""
        return "Tap a card, then the pile that it goes on, or send it home. Tap the stock to turn its next cards."

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """The score, line by line."""
        (score,) = state.scores()
        title = "Score as it would be counted now" if state.outcome() is None else "Scores"
        yield PanelCount(title, score.lines, score.total)

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """Cards and passes."""
        yield "On foundations", f"{sum(state.foundations)} of 144"
        yield "Face down on piles", str(sum(state.downs))
        most = state.options.max_passes
        yield "Pass through the stock", f"{state.passes} of {most}" if most else str(state.passes)
