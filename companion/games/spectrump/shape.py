"""How a round is cut into sessions and sets, as a table (UMP-1)."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.shared.cards.deck import NUMBER_CARDS, RANK

HIGHEST_RANK = {144: 12, 72: 6}
"""By deck: its ranks are 1 to this."""


class CardShape(NamedTuple):
    """A round: so many sessions, each of so many sets of so many cards for every player."""

    sessions: int
    sets: int
    cards: int


SHAPES: dict[int, dict[int, CardShape]] = {
    144: {2: CardShape(3, 2, 12), 4: CardShape(2, 2, 9), 6: CardShape(1, 2, 12), 8: CardShape(1, 2, 9)},
    72: {2: CardShape(2, 2, 9), 4: CardShape(1, 2, 9), 6: CardShape(1, 1, 12), 8: CardShape(1, 1, 9)},
}
"""By deck and number of players; every card of the deck is played in every round."""

DECKS: dict[int, tuple[int, ...]] = {
    deck: tuple(card for card in range(NUMBER_CARDS) if RANK[card] <= highest) for deck, highest in HIGHEST_RANK.items()
}
"""By deck: its cards."""
DECK_BITS: dict[int, int] = {deck: sum(1 << card for card in cards) for deck, cards in DECKS.items()}
"""By deck: its cards as a set of bits."""

USUAL_POINTS = {144: 200, 72: 50}
"""By deck: the points that end a match (UMP-13)."""
