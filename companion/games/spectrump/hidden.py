"""Cards of Spectrump that lie face down: what each seat may know."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from msgspec.structs import replace

from companion.core.contract import Seat
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import PIECES
from companion.games.shared.cards.hands import redacted
from companion.games.spectrump import guessing
from companion.games.spectrump.moves import SpectrumpEvent, Swap
from companion.games.spectrump.state import SpectrumpState


def unseen(state: SpectrumpState) -> Mapping[Piece, int]:
    """The cards that are in no known set and not played: not dealt yet, or in hidden sets."""
    return {PIECES[card]: 1 for card in state.in_pool()}


def view(state: SpectrumpState, seat: Seat | None) -> SpectrumpState:
    """The position as a seat may know it: both its own sets, and the numbers of the others' cards (UMP-2)."""
    sets, hidden = list(state.sets), list(state.hidden)
    for other, mine in enumerate(state.sets):
        if other != seat:
            hidden[other] = tuple(len(cards) + count for cards, count in zip(mine, state.hidden[other], strict=True))
            sets[other] = ((),) * len(mine)
    return state if tuple(sets) == state.sets else replace(state, sets=tuple(sets), hidden=tuple(hidden))


def redact(state: SpectrumpState, event: SpectrumpEvent, seat: Seat | None) -> SpectrumpEvent | None:
    """The next event as a seat may know it, None for the public; None if it learns nothing.

    A dealt card is known to its player, and so is an exchange between the player's own sets.
    """
    if isinstance(event, Swap):
        return event if event.seat == seat else None
    known: SpectrumpEvent | None = redacted(event, seat, state.expects())
    return known


def determinize(state: SpectrumpState, rng: Random) -> SpectrumpState:
    """Hidden sets filled in at random, without colors that a seat has shown not to hold."""
    places, where = [], []
    for seat, counts in enumerate(state.hidden):
        for place, count in enumerate(counts):
            if count:
                excluded = state.denied[seat] if place == state.playing else 0
                places.append(guessing.UnknownSet(count, excluded))
                where.append((seat, place))
    if not places:
        return state
    sets = [list(mine) for mine in state.sets]
    for (seat, place), cards in zip(where, guessing.fill(places, state.in_pool(), rng), strict=True):
        sets[seat][place] = tuple(sorted((*sets[seat][place], *cards)))
    hidden = ((0,) * state.shape.sets,) * len(state.sets)
    return replace(state, sets=tuple(tuple(mine) for mine in sets), hidden=hidden)
