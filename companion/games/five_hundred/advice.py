"""Lists possibilities that players easily overlook: the melds of a hand, and the possible calls of "Spectrum!"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from companion.core.contract import ScoreLine, Seat
from companion.games.five_hundred.melds import MeldCards, can_be_laid_on
from companion.games.five_hundred.moves import CallSpectrum, FiveHundredEvent, LayMeld, LayOff
from companion.games.five_hundred.possible_melds import PossibleMelds
from companion.games.five_hundred.scoring import VALUES, value_of
from companion.games.five_hundred.situation import Situation
from companion.games.shared.cards.deck import NUMBER, RANK, written
from companion.games.shared.cards.hands import Cards
from companion.games.shared.search.bit_sets import bits, mask_of

MOST_LINES = 500
"""The largest number of melds listed for one hand: thirty cards may hold hundreds of thousands."""


class CallChance(Struct, frozen=True):
    """A discard down to which a player may take by a call."""

    card: int
    """The deepest card of the call, which the caller must meld immediately."""
    taken: Cards
    """All cards that the caller takes, the deepest first."""
    ways: tuple[ScoreLine, ...]
    """The ways to meld the deepest card with discards alone, with the points of the melded cards."""


class Window(Struct, frozen=True):
    """The period in which players may call "Spectrum!": from a discard to the next draw (500-8)."""

    discarder: Seat
    callers: tuple[Seat, ...]
    """All seats but the discarder's, the nearest on its left first; of two simultaneous calls, the earlier seat's
    counts.
    """
    closes_with: Seat
    """The seat whose draw ends the period."""
    chances: tuple[CallChance, ...]
    """The possible calls, from the top discard down; never empty."""


def window(situation: Situation) -> Window | None:
    """Returns the calls that are possible now; None if there are none."""
    if situation.window is None or not situation.calls:
        return None
    order = [(situation.window + step) % situation.seats for step in range(1, situation.seats)]
    chances = tuple(_chance(situation, card) for card in situation.calls)
    return Window(situation.window, tuple(order), situation.turn, chances)


def _chance(situation: Situation, card: int) -> CallChance:
    pile = situation.discards
    taken = pile[pile.index(card) :]
    return CallChance(card, taken, ways(situation, card, taken))


def ways(situation: Situation, card: int, cards: Sequence[int]) -> tuple[ScoreLine, ...]:
    """Returns the ways to meld a card or lay it off with others of `cards`, and their points (500-2, 500-4, 500-7)."""
    least = situation.options.min_meld
    lines = _melds(PossibleMelds(MeldCards(mask_of(cards)), least, card))
    for number, shape in enumerate(situation.table.shapes):
        if can_be_laid_on(card, MeldCards(mask_of(cards)), shape):
            between = _between(card, cards, shape.low, shape.high)
            after = f" after {written(between)}" if between else ""
            lines.append(ScoreLine(VALUES[card], "500-4", f"{written([card])} on meld {number + 1}{after}"))
    return tuple(lines)


def _between(card: int, cards: Sequence[int], low: int, high: int) -> list[int]:
    """Returns the cards, sorted by rank, that may lie between a sequence and a card beyond its end."""
    rank = RANK[card]
    gap = range(high + 1, rank) if rank > high else range(rank + 1, low)
    return sorted((one for one in cards if RANK[one] in gap), key=lambda one: RANK[one])


def hand_melds(situation: Situation, seat: Seat) -> tuple[ScoreLine, ...]:
    """Returns every meld that a seat's known cards hold, the most points first (500-2)."""
    possible = PossibleMelds(MeldCards(mask_of(situation.hands.known[seat])), situation.options.min_meld)
    return tuple(sorted(_melds(possible), key=lambda line: -line.points))


def _melds(possible: PossibleMelds) -> list[ScoreLine]:
    """Returns a line for each meld; if there are too many, the last line says how many more there are."""
    lines = [meld_line(cards) for cards in islice(possible, MOST_LINES)]
    more = len(possible) - len(lines)
    if more:
        lines.append(ScoreLine(0, "500-2", f"and {more} more melds"))
    return lines


def lay_offs(situation: Situation, seat: Seat) -> tuple[ScoreLine, ...]:
    """Returns every known card of a seat that fits on melds of the table, with the melds that it fits (500-4)."""
    hand = mask_of(situation.hands.known[seat])
    return tuple(
        ScoreLine(VALUES[card], "500-4", f"{written([card])} on meld {number + 1}")
        for number, fits in enumerate(situation.table.fits)
        for card in bits(fits & hand)
    )


def score_breakdown(situation: Situation, event: FiveHundredEvent) -> tuple[ScoreLine, ...]:
    """Returns the points of the next event as lines: a meld, a laid-off card, or a call by its best meld (500-8)."""
    match event:
        case LayMeld():
            return (meld_line([NUMBER[card] for card in event.cards]),) if event.cards else ()
        case LayOff():
            card = NUMBER[event.card]
            return (ScoreLine(VALUES[card], "500-4", f"{written([card])} on meld {event.meld + 1}"),)
        case CallSpectrum():
            card = NUMBER[event.card]
            if card not in situation.calls:
                return ()
            return tuple(
                ScoreLine(0, "500-8", f"can be melded with discards alone: {way.text}")
                for way in _chance(situation, card).ways
            )
    return ()


def meld_line(cards: Sequence[int]) -> ScoreLine:
    """Returns a meld as a line with the points of its cards (500-2, 500-7)."""
    kind = "group" if RANK[cards[0]] == RANK[cards[-1]] else "sequence"
    return ScoreLine(value_of(mask_of(cards)), "500-2", f"{kind}: {written(cards)}")
