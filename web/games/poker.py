"""The page of Poker: its presenter, and the advice beside its board.

Places: "shared" for face-up cards that count with every hand, and "seat0.hand".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.contract import Drawn, Event, Seat, ToMove, seats_to_move
from companion.core.layout import Spot
from companion.games.poker.categories import BY_TITLE
from companion.games.poker.game import POKER
from companion.games.poker.moves import Exchange, TurnUp
from companion.games.poker.odds import HAND
from companion.games.poker.scoring import describe, hand_lines
from companion.referee.table.table import Table
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace
from web.telling.parts.card_panel import Act, CardAdviser, PanelCount, PanelField, PanelPick, player

FEW = 3
"""Above this number of players, hands are side by side, so that a phone shows them all."""


class PokerPresenter(CardPresenter):
    """The shared cards, and every hand, which is face down until it is turned up."""

    game = POKER
    example = "player 1 exchanges R3, ??; player 1 turns up full house; player 1 folds; player 1 draws R7, ??"

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """Returns the shared cards, then the hands of the players."""
        movers = seats_to_move(state.expects())
        top = []
        if state.options.shared:
            waiting = () if state.shared else (None,) * state.to_share
            cards = (*cards_of(state.shared), *waiting)
            top = [[CardPlace("shared", "Shared", cards, note="counts with every hand", empty="not turned up")]]
        side_by_side = state.seats > FEW and state.options.cards <= HAND
        hands = [_hand(state, seat, names[seat], seat in movers, side_by_side) for seat in range(state.seats)]
        step = 2 if side_by_side else 1
        return [*top, *(hands[at : at + step] for at in range(0, len(hands), step))]

    def trace(self, event: Event) -> Spot | None:
        """Returns the hand of the event's player."""
        return f"seat{event.seat}.hand" if isinstance(event, TurnUp | Exchange | Drawn) else None

    def sentence(self, event: Event) -> str:
        """Returns the action of a player; hidden cards are only counted."""
        if isinstance(event, Exchange) and event.cards and all(card is None for card in event.cards):
            return f"exchanges {'a card' if len(event.cards) == 1 else f'{len(event.cards)} cards'}"
        return super().sentence(event)


def _hand(state: Any, seat: int, name: str, to_move: bool, side_by_side: bool) -> CardPlace:
    spot, span = f"seat{seat}.hand", 6 if side_by_side else 12
    if not state.is_in(seat):
        return CardPlace(spot, name, note="folded", form="line", span=span)
    if state.shown >> seat & 1:
        note = describe(state.strength(seat)).partition(":")[0] if state.is_known(seat) else "turned up"
        cards = cards_of((*state.hands.known[seat], *[None] * state.hands.hidden[seat]))
        return CardPlace(spot, name, cards, note=note, span=span, size="small" if side_by_side else "large")
    backs = (None,) * state.hands.size(seat)
    given = state.given[seat].bit_count() + state.given_hidden[seat]
    note = f"has exchanged {given}" if given else ""
    return CardPlace(spot, name, backs, note=note, span=span, size="small", strong=to_move, empty="no card yet")


class PokerAdviser(CardAdviser):
    """Advice for Poker: players exchange by tapping the hand, and see every category that a known hand meets."""

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """Yields the actions: an exchange or the showdown, and folding at any time."""
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
        """Returns a sentence on which cards to tap."""
        if not isinstance(state.expects(), ToMove):
            return ""
        if state.exchanges:
            return "Tap the cards to exchange; with none chosen the hand is kept."
        return "Turn the hand up. If the cards are something else, the page says so."

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """Yields the category of every hand that the reader may know."""
        for seat in range(state.seats):
            if state.is_known(seat) and state.hands.known[seat]:
                found = state.strength(seat)
                yield PanelCount(
                    f"{table.session.names[seat]}: {describe(found)}", hand_lines(found), note=_why(state, found)
                )

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """Yields the ranking, the exchanges to come, and the remaining players."""
        yield "Ranking", "by the book" if state.options.ranking == "book" else "by rarity"
        if state.exchanges:
            yield "Exchanges to come", str(state.exchanges)
        yield "Still in", ", ".join(name for seat, name in enumerate(table.session.names) if state.is_in(seat))


def _why(state: Any, found: Any) -> str:
    met = len(hand_lines(found))
    return "of the categories that it meets the best in this ranking counts" if met > 1 else ""
