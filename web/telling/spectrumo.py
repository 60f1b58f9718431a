"""The advice in Spectrumo: plays, draws, trades and penalties, playable cards, and hands with their cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.contract import ScoreLine, Seat, ToMove
from companion.games.shared.cards.deck import written
from companion.games.spectrumo.scoring import line_of
from companion.referee.table.table import Table
from web.games.spectrumo import table_words
from web.telling.parts.card_panel import Act, CardAdviser, HeldCards, PanelCount, PanelField, PanelPick, held, player

_HAND = PanelPick(("hand",))


class SpectrumoAdviser(CardAdviser):
    """Plays by tapping the hand."""

    def hand(self, state: Any, seat: Seat) -> Sequence[HeldCards]:
        """One hand."""
        return [held(state.hands[seat], state.hidden[seat])]

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """A play or a draw; in a trade, cards to lay aside."""
        who = player(seat)
        if state.swapping is not None:
            partners = [(str(other + 1), table.session.names[other]) for other in state.partners(state.swapping)]
            to = PanelField("to", "For", "choice", partners[0][0], choices=tuple(partners))
            give = f"{who} gives {{0}} to player {{to}}"
            yield Act("give", seat, "Lay it aside for the trade", give, (_HAND,), (to,), main=True)
            yield Act("trade", seat, "Trade what is laid aside", f"{who} trades")
            return
        yield Act("play", seat, "Play it", f"{who} plays {{0}}", (_HAND,), main=True)
        if state.available:
            yield Act("draw", seat, "No card can be played: draw one", f"{who} cannot play", tap="draw")
        else:
            yield Act("pass", seat, "Pass: nothing is left to draw", f"{who} passes")
        sure = "For an illegal play that was taken back: two cards are drawn, and the turn ends."
        yield Act("penalty", seat, "Take the penalty for it", f"{who} takes the penalty for {{0}}", (_HAND,), sure=sure)

    def help(self, table: Table, state: Any) -> str:
        """The cards to tap."""
        if not isinstance(state.expects(), ToMove):
            return ""
        if state.swapping is not None:
            return "Tap own cards, one after the other, and say for whom; then trade as many for as many."
        return "Tap a card of the hand to play it. Only who has none that fits draws."

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """The playable cards of a known hand, and the hands that are over."""
        due = state.expects()
        if isinstance(due, ToMove) and state.swapping is None and not state.hidden[state.turn]:
            able = state.playable
            text = written(able) if able else "no card: one must be drawn"
            yield PanelCount(f"{table.session.names[state.turn]} can play: {text}", ())
        for number, hand in reversed(list(enumerate(state.over, 1))):
            lines = [
                ScoreLine(line.points, line.rule, f"{table.session.names[seat]}: {line.text.partition(': ')[2]}")
                for seat in range(state.seats)
                for line in (line_of(hand, seat, number),)
            ]
            yield PanelCount(f"Hand {number}", tuple(lines), note="low is good")

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """The decks and what ends the game."""
        yield "Draw deck", f"{state.draw} cards"
        yield "Play goes", table_words(state).rpartition(", ")[2]
        yield "Game to", f"{state.options.limit} points"
        yield "Hand", str(len(state.over) + 1)
