"""The advice in Poker: exchanges, the showdown, and the category of every known hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.core.contract import Seat, ToMove
from companion.games.poker.categories import BY_TITLE
from companion.games.poker.scoring import describe, hand_lines
from companion.referee.table.table import Table
from web.telling.parts.card_panel import Act, CardAdviser, PanelCount, PanelField, PanelPick, player


class PokerAdviser(CardAdviser):
    """Exchanges by tapping the hand; every category that a known hand meets."""

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """An exchange, or the showdown; folding at any time."""
        who = player(seat)
        if state.exchanges:
            pick = PanelPick(("hand",), 0, state.hands.size(seat))
            yield Act("exchange", seat, "Exchange what is chosen", f"{who} exchanges {{0}}", (pick,), main=True)
        else:
            yield Act("turn-up", seat, "Turn the hand up", f"{who} turns up", main=True)
            called = PanelField(
                "called", "and call it", "choice", next(iter(BY_TITLE)), choices=tuple((one, one) for one in BY_TITLE)
            )
            yield Act("call", seat, "Turn it up and call it", f"{who} turns up {{called}}", fields=(called,))
        yield Act("fold", seat, "Fold", f"{who} folds", sure="Who folds is out of this hand and shows no card.")

    def help(self, table: Table, state: Any) -> str:
        """The cards to tap."""
        if not isinstance(state.expects(), ToMove):
            return ""
        if state.exchanges:
            return "Tap the cards to exchange; with none chosen the hand is kept."
        return "Turn the hand up. The caller hears it if the cards are something else."

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """The category of every hand that the reader may know."""
        for seat in range(state.seats):
            if state.is_known(seat) and state.hands.known[seat]:
                found = state.strength(seat)
                yield PanelCount(
                    f"{table.session.names[seat]}: {describe(found)}", hand_lines(found), note=_why(state, found)
                )

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """Ranking, exchanges, and the remaining players."""
        yield "Ranking", "by the book" if state.options.ranking == "book" else "by rarity"
        if state.exchanges:
            yield "Exchanges to come", str(state.exchanges)
        yield "Still in", ", ".join(name for seat, name in enumerate(table.session.names) if state.is_in(seat))


def _why(state: Any, found: Any) -> str:
    met = len(hand_lines(found))
    return "of the categories that it meets the best in this ranking counts" if met > 1 else ""
