"""Fills in unseen cards at random without a contradiction to what the players have shown.

Each card goes to a place that may hold it; where all such places are full, one of their cards makes room, and so on.
That finds a way whenever there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from companion.games.shared.cards.deck import COLOR


class UnknownSet(Struct, frozen=True):
    """A set that lacks so many cards and cannot hold some colors."""

    count: int
    excluded: int
    """Colors that the seat has said not to hold, a bit each."""

    def takes(self, card: int) -> bool:
        """True if the card may lie here."""
        return not self.excluded >> COLOR[card] & 1


def fill(places: Sequence[UnknownSet], cards: Sequence[int], rng: Random) -> list[list[int]]:
    """Cards for every place; those left over are in none.

    Where the players' cards contradict what they showed (a rule was broken), colors are no longer heeded.
    """
    given: list[list[int]] = [[] for _ in places]
    order = list(cards)
    rng.shuffle(order)
    spare: list[int] = []
    open_places = sum(place.count for place in places)
    for card in order:
        if not open_places:
            break
        if _give(card, places, given, rng):
            open_places -= 1
        else:
            spare.append(card)
    for place, held in zip(places, given, strict=True):
        while len(held) < place.count:
            held.append(spare.pop())
    return given


def _give(card: int, places: Sequence[UnknownSet], given: list[list[int]], rng: Random) -> bool:
    """Give a card to a place that takes it, moving others along if need be; False if there is no way."""
    came: dict[int, tuple[int, int] | None] = {}
    first = [at for at, place in enumerate(places) if place.takes(card)]
    rng.shuffle(first)
    waiting = list(first)
    came |= dict.fromkeys(first)
    while waiting:
        at = waiting.pop(0)
        if len(given[at]) < places[at].count:
            step = came[at]
            while step is not None:
                source, moved = step
                given[source].remove(moved)
                given[at].append(moved)
                at, step = source, came[source]
            given[at].append(card)
            return True
        for moved in given[at]:
            for other, place in enumerate(places):
                if other not in came and place.takes(moved):
                    came[other] = (at, moved)
                    waiting.append(other)
    return False
