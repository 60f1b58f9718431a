"""Lists all melds that a set of cards may hold if there are too many to make them all (500-2, 500-3, 500-8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import comb

from companion.games.five_hundred.melds import CARDS_OF, OF_RANK, OF_SHADE, SHADES, Cards, MeldCards, groups_in
from companion.games.shared.cards.deck import RANK, RANKS, card
from companion.games.shared.lazy import LazyList
from companion.games.shared.search.bit_sets import mask_of


class PossibleMelds(LazyList[Cards]):
    """All melds that a set with unknown cards may hold, counted immediately and listed on demand."""

    def __init__(self, held: MeldCards, least: int, must: int | None = None) -> None:
        """
        Args:
            must: A card that every meld contains; None is any.
        """
        self._held, self._least, self._must = held, least, must
        self._len: int | None = None

    def __len__(self) -> int:
        if self._len is None:
            self._len = self._groups() + sum(self._sequences(shade) for shade in range(SHADES))
        return self._len

    def __iter__(self) -> Iterator[Cards]:
        yield from self._listed_groups()
        for shade in range(SHADES):
            yield from self._listed_sequences(shade)

    def _made(self, place: int) -> Cards:
        return next(islice(self, place, None))

    def _listed_groups(self) -> Iterator[Cards]:
        """Yields every group, by rank, smaller ones first: at most 4,096 of a rank are looked at."""
        known, hidden, must = self._held.known, self._held.hidden, self._must
        mask = known | self._held.unknown
        if must is not None:
            mask &= OF_RANK[RANK[must]]
        for cards in groups_in(mask, self._least):
            if must is None or must in cards:
                unknown = sum([1 for one in cards if not known >> one & 1])
                if unknown <= hidden:
                    yield cards

    def _listed_sequences(self, shade: int) -> Iterator[Cards]:
        """Yields every sequence of a shade, by start and end; sequences of its second secondary are listed with the
        next shade.
        """
        options = [self._options(shade, rank) for rank in range(1, RANKS + 1)]
        second = 2 * shade + 1
        for start in range(RANKS):
            for end in range(start + 1, RANKS + 1):
                if not options[end - 1]:
                    break
                if end - start >= self._least and self._covers(start, end - 1):
                    for cards in self._picked(options[start:end], self._held.hidden):
                        if any(one // RANKS != second for one in cards):
                            yield cards

    def _options(self, shade: int, rank: int) -> list[int]:
        """Returns the cards of a shade and rank that a meld may take; for the rank of the required card, only that
        card.
        """
        among = self._held.known | self._held.unknown
        if self._must is not None and RANK[self._must] == rank:
            among &= 1 << self._must
        return [one for one in CARDS_OF[shade][rank - 1] if among >> one & 1]

    def _picked(self, options: Sequence[Sequence[int]], hidden: int) -> Iterator[Cards]:
        """Yields one card of each rank, in order, with at most `hidden` unknown cards; hopeless beginnings are cut
        off.
        """
        known = self._held.known
        fewest = sum(all(not known >> one & 1 for one in some) for some in options)
        if fewest > hidden:
            return
        if len(options) == 1:
            yield from [(one,) for one in options[0] if hidden or known >> one & 1]
            return
        for one in options[0]:
            for rest in self._picked(options[1:], hidden - (not known >> one & 1)):
                yield (one, *rest)

    def _groups(self) -> int:
        """Returns the number of possible groups."""
        held, must = self._held, self._must
        found = 0
        for rank in range(1, RANKS + 1):
            if must is not None and RANK[must] != rank:
                continue
            known = (held.known & OF_RANK[rank]).bit_count() - (must is not None)
            unknown = (held.unknown & OF_RANK[rank]).bit_count()
            least = self._least - (must is not None)
            for few in range(min(held.hidden, unknown) + 1):
                more = sum(comb(known, size - few) for size in range(max(least, few), known + few + 1))
                found += comb(unknown, few) * more
        return found

    def _sequences(self, shade: int) -> int:
        """Returns the number of possible sequences in a shade; sequences of one secondary are assigned as in
        `sequences_in`.
        """
        every = [self._choices(rank, OF_SHADE[shade]) for rank in range(1, RANKS + 1)]
        second = mask_of(card(2 * shade + 1, rank) for rank in range(1, RANKS + 1))
        single = [self._choices(rank, second) for rank in range(1, RANKS + 1)]
        return self._windows(every) - self._windows(single)

    def _choices(self, rank: int, among: int) -> tuple[int, int]:
        """Returns the numbers of known and unseen cards of a rank in `among`; for the rank of the required card, only
        that card.
        """
        among &= OF_RANK[rank]
        if self._must is not None and RANK[self._must] == rank:
            return among >> self._must & 1, 0
        return (self._held.known & among).bit_count(), (self._held.unknown & among).bit_count()

    def _windows(self, choices: Sequence[tuple[int, int]]) -> int:
        """Returns the number of ways to pick a card of each rank of a stretch, over all stretches that are long
        enough.
        """
        found = 0
        for start in range(RANKS):
            ways = [1]  # by unknown cards used
            for rank in range(start, RANKS):
                known, unknown = choices[rank]
                longer = [count * known for count in (*ways, 0)]
                for used, count in enumerate(ways):
                    longer[used + 1] += count * unknown
                ways = longer[: self._held.hidden + 1]
                if not any(ways):
                    break
                if rank - start + 1 >= self._least and self._covers(start, rank):
                    found += sum(ways)
        return found

    def _covers(self, start: int, rank: int) -> bool:
        return self._must is None or start <= RANK[self._must] - 1 <= rank
