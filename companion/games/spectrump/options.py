"""The options of Spectrump: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from companion.games.shared.cards.deck import NUMBER_CARDS, RANK

HIGHEST_RANK = {144: 12, 72: 6}
"""Size of the deck to its highest rank."""


class CardShape(NamedTuple):
    """The shape of a round: the numbers of sessions, of sets in each session, and of cards in each set."""

    sessions: int
    sets: int
    cards: int


SHAPES: dict[int, dict[int, CardShape]] = {
    144: {2: CardShape(3, 2, 12), 4: CardShape(2, 2, 9), 6: CardShape(1, 2, 12), 8: CardShape(1, 2, 9)},
    72: {2: CardShape(2, 2, 9), 4: CardShape(1, 2, 9), 6: CardShape(1, 1, 12), 8: CardShape(1, 1, 9)},
}
"""Size of the deck and number of players to the shape of a round, in which every card of the deck is played."""

DECKS: dict[int, tuple[int, ...]] = {
    deck: tuple(card for card in range(NUMBER_CARDS) if RANK[card] <= highest) for deck, highest in HIGHEST_RANK.items()
}
"""Size of the deck to its cards."""
DECK_BITS: dict[int, int] = {deck: sum(1 << card for card in cards) for deck, cards in DECKS.items()}
"""Size of the deck to its cards as a bit mask."""

USUAL_POINTS = {144: 200, 72: 50}
"""Size of the deck to the points that end a match (UMP-13)."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Spectrump."""

    deck: Annotated[
        Literal[144, 72],
        Meta(title="How many cards?", description="All 144, or 72 (ranks 1 to 6). For 6 or 8 players take 144. UMP-1."),
    ] = 144
    partners: Annotated[
        bool, Meta(title="Partners?", description="Players opposite each other play together, four or more. UMP-2.")
    ] = False
    hand_loading: Annotated[
        bool,
        Meta(
            title="Can you exchange between your two sets?",
            description="Cards may be exchanged between the own two sets before the first trick. UMP-2.",
        ),
    ] = False
    match: Annotated[
        Literal["rounds", "points"],
        Meta(
            title="What ends the match?",
            description="The next two options say how many. UMP-13.",
            extra_json_schema={"labels": {"rounds": "a number of rounds", "points": "a number of points"}},
        ),
    ] = "rounds"
    rounds: Annotated[
        int,
        Meta(title="How many rounds?", ge=1, le=10, description="Rounds of a match that is played in rounds. UMP-13."),
    ] = 5
    points: Annotated[
        int,
        Meta(
            title="How many points?",
            ge=0,
            le=500,
            description="Points of a match that is played for points; 0 for 200, or 50 with 72 cards. UMP-13.",
        ),
    ] = 0
