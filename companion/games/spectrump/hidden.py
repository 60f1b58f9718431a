"""The hidden cards of Spectrump: what each seat may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from companion.core.contract import Seat
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import COLOR, PIECES
from companion.games.shared.cards.hands import redacted
from companion.games.spectrump.moves import SpectrumpEvent, Swap
from companion.games.spectrump.state import SpectrumpState

# Fills in unseen cards at random without a contradiction to what the players have shown.
#
# Each card goes to a place that may hold it; where all such places are full, one of their cards makes room, and so on.
# That finds a way whenever there is one.


class UnknownSet(Struct, frozen=True):
    """A set with a number of unknown cards that cannot have some colors."""

    count: int
    excluded: int
    """The colors that the seat has shown not to hold, as a bit mask."""

    def takes(self, card: int) -> bool:
        """True if the card may be in this set."""
        return not self.excluded >> COLOR[card] & 1


def fill(places: Sequence[UnknownSet], cards: Sequence[int], rng: Random) -> list[list[int]]:
    """Returns the cards for every place; cards left over are in none.

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
    """Gives a card to a place that takes it, moving other cards along if necessary; False if that is impossible."""
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


def unseen(state: SpectrumpState) -> Mapping[Piece, int]:
    """Returns the cards that are in no known set and not played: not dealt yet, or in hidden sets."""
    return {PIECES[card]: 1 for card in state.in_pool()}


def view(state: SpectrumpState, seat: Seat | None) -> SpectrumpState:
    """Returns the position as a seat may know it: both of its own sets, and the numbers of the others' cards
    (UMP-2).
    """
    sets, hidden = list(state.sets), list(state.hidden)
    for other, mine in enumerate(state.sets):
        if other != seat:
            hidden[other] = tuple(len(cards) + count for cards, count in zip(mine, state.hidden[other], strict=True))
            sets[other] = ((),) * len(mine)
    return state if tuple(sets) == state.sets else replace(state, sets=tuple(sets), hidden=tuple(hidden))


def redact(state: SpectrumpState, event: SpectrumpEvent, seat: Seat | None) -> SpectrumpEvent | None:
    """Returns the next event as a seat, or with None the public, may know it; None if that viewer learns nothing.

    A dealt card is known to its player, and so is an exchange between the player's own sets.
    """
    if isinstance(event, Swap):
        return event if event.seat == seat else None
    known: SpectrumpEvent | None = redacted(event, seat, state.expects())
    return known


def determinize(state: SpectrumpState, rng: Random) -> SpectrumpState:
    """Returns the position with hidden sets filled in at random, without colors that a seat has shown not to hold."""
    places, where = [], []
    for seat, counts in enumerate(state.hidden):
        for place, count in enumerate(counts):
            if count:
                excluded = state.denied[seat] if place == state.playing else 0
                places.append(UnknownSet(count, excluded))
                where.append((seat, place))
    if not places:
        return state
    sets = [list(mine) for mine in state.sets]
    for (seat, place), cards in zip(where, fill(places, state.in_pool(), rng), strict=True):
        sets[seat][place] = tuple(sorted((*sets[seat][place], *cards)))
    hidden = ((0,) * state.shape.sets,) * len(state.sets)
    return replace(state, sets=tuple(tuple(mine) for mine in sets), hidden=hidden)
