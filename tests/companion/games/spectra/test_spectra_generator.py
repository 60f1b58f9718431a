"""Legal moves against a slow generator that was written from the rules alone.

It knows colors as sets of primaries, tries every pair of a supply for each of the 24 kinds of pieces and shares no code
or table with the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from random import Random

import pytest

from companion.core.contract import Drawn, Over, ToDraw
from companion.core.foundation.errors import BadEvent, IllegalMove
from companion.core.pieces import Pyramid
from companion.games.spectra.game import SPECTRA
from companion.games.spectra.moves import Add, Draw, EndTurn, Exchange, Move
from companion.games.spectra.position import Options
from companion.games.spectra.stash import KINDS
from companion.games.spectra.state import SpectraState

SIZES = ("small", "medium", "large")
PARTS = {
    "red": {"red"},
    "yellow": {"yellow"},
    "blue": {"blue"},
    "orange": {"red", "yellow"},
    "green": {"yellow", "blue"},
    "purple": {"red", "blue"},
}
EVERY = [Pyramid(color, size) for color in (*PARTS, "black", "white") for size in SIZES]


def color_is_right(one: str, other: str, made: str) -> bool:
    """SPA-14, SPA-16, SPA-17, SPA-19."""
    if made not in PARTS:
        return False
    for special, plain in ((one, other), (other, one)):
        if special in ("black", "white"):
            if plain not in PARTS:
                return False
            more, fewer = (made, plain) if special == "black" else (plain, made)
            return len(PARTS[fewer]) == 1 and len(PARTS[more]) == 2 and PARTS[fewer] < PARTS[more]
    if one == other or len(PARTS[one]) == len(PARTS[other]) == 2:
        return False
    if len(PARTS[one]) == len(PARTS[other]) == 1:
        return PARTS[made] == PARTS[one] | PARTS[other]
    return PARTS[one] ^ PARTS[other] == PARTS[made] and len(PARTS[made]) == 1


def size_is_right(one: Pyramid, other: Pyramid, made: Pyramid) -> bool:
    """SPA-15 to SPA-18."""
    if one.size == other.size:
        return made.size == one.size
    if {one.color, other.color} & {"black", "white"}:
        return False
    return len({one.size, other.size, made.size}) == 3


@cache
def makes(one: Pyramid, other: Pyramid) -> tuple[Pyramid, ...]:
    return tuple(m for m in EVERY if color_is_right(one.color, other.color, m.color) and size_is_right(one, other, m))


def counted(pile: tuple[int, ...]) -> Counter[Pyramid]:
    return Counter({piece: count for piece, count in zip(KINDS, pile, strict=True) if count})


def slow_moves(state: SpectraState) -> Iterator[Move]:
    """Every legal move, by the letter of the rules."""
    if state.reach is not None or state.outcome() is not None:
        return
    supplies, trees, bag = [*map(counted, state.supplies)], [*map(counted, state.trees)], counted(state.bag)
    for seat in range(state.seats) if state.turn is None else [state.turn]:
        if not state.drawn:
            yield from (Draw(seat, size) for size in SIZES if any(piece.size == size for piece in bag))
        if state.drawn or not bag:
            yield EndTurn(seat)
        for size in SIZES:
            own = Pyramid(state.colors[seat], size)
            if supplies[seat][own] and trees[seat][own] < 3:
                yield Add(seat, own)
        for one, other in combinations_with_replacement(sorted(supplies[seat], key=str), 2):
            if one == other and supplies[seat][one] < 2:
                continue
            for made in makes(one, other):
                holders = [who for who in range(state.seats) if who != seat and supplies[who][made]]
                for source in holders or (["bag"] if bag[made] else []):
                    yield Exchange(seat, (one, other), made, source)


def shuffled_colors(rng: Random, seats: int) -> Options:
    return Options(colors=",".join(rng.sample(sorted(PARTS), seats)))


def dealt(rng: Random, seats: int) -> SpectraState:
    """A position with pieces dealt out at random, far from what play leads to."""
    options = shuffled_colors(rng, seats)
    start = SPECTRA.start(seats, options)
    bag = [piece for piece, count in zip(KINDS, start.bag, strict=True) for _ in range(count)]
    rng.shuffle(bag)
    supplies = [
        [f"{p.color} {p.size}" for p in (bag.pop() for _ in range(rng.randrange(0, 97 // seats)))] for _ in range(seats)
    ]
    trees = [[f"{color} large"] for color in start.colors]
    turn = rng.choice([None, *range(seats)])
    return SPECTRA.from_record(
        seats,
        options,
        {"trees": trees, "supplies": supplies, "turn": turn, "drawn": turn is not None and rng.random() < 0.5},
    )


def positions(rng: Random, seats: int, count: int) -> Iterator[SpectraState]:
    """Positions of random games and dealt ones."""
    while count > 0:
        state = SPECTRA.start(seats, shuffled_colors(rng, seats))
        for _ in range(150):
            if isinstance(state.expects(), Over):
                break
            yield state
            count -= 1
            if isinstance(state.expects(), ToDraw):
                events, weights = zip(*SPECTRA.outcomes(state), strict=True)
                state = state.apply(rng.choices(events, weights)[0])
            else:
                state = state.apply(rng.choice(state.legal_moves()))
        for _ in range(50):
            yield dealt(rng, seats)
            count -= 1


@pytest.mark.parametrize("seats", SPECTRA.seats)
def test_the_engine_lists_what_the_rules_allow_and_nothing_else(seats: int) -> None:
    rng = Random(seats)
    for state in positions(rng, seats, 2500):
        listed = state.legal_moves()
        assert len(set(listed)) == len(listed)
        assert set(listed) == set(slow_moves(state))


@pytest.mark.parametrize("seats", (2, 4, 6))
def test_reasons_and_lists_are_two_sides_of_one_coin(seats: int) -> None:
    """Any move at all, held or not: it is listed, or it has a reason and cannot be applied."""
    rng = Random(seats)
    for state in positions(rng, seats, 300):
        for _ in range(12):
            move = conceivable(rng, state)
            reasons = state.violations(move)
            assert (move in state.legal_moves()) == (not reasons)
            if reasons:
                with pytest.raises(IllegalMove):
                    state.apply(move)


def conceivable(rng: Random, state: SpectraState) -> Move:
    seat = rng.randrange(state.seats)
    held = [piece for piece, count in zip(KINDS, state.supplies[seat], strict=True) if count] or list(EVERY)
    match rng.randrange(8):
        case 0:
            return Draw(seat, rng.choice(SIZES))
        case 1:
            return Add(seat, rng.choice(EVERY), rng.choice([None, *range(state.seats)]))
        case 2:
            return EndTurn(seat)
    one, other = rng.choice(held), rng.choice(held)
    made = rng.choice(makes(one, other) or EVERY)
    return Exchange(seat, (one, other), made, rng.choice(["bag", *range(state.seats)]))


@pytest.mark.parametrize("seats", (2, 5))
def test_pieces_are_kept_whatever_stands(seats: int) -> None:
    """102 pieces before and after every event, legal or agreed."""
    rng = Random(seats)
    for state in positions(rng, seats, 300):
        if state.outcome() is not None:
            continue
        move = conceivable(rng, state)
        try:
            after = state.apply_unchecked(move)
        except BadEvent:
            continue
        piles = (*after.trees, *after.supplies, after.bag)
        assert all(sum(kind) == have for kind, have in zip(zip(*piles, strict=True), SPECTRA_SET, strict=True))
        assert min(min(pile) for pile in piles) >= 0


SPECTRA_SET = tuple(2 if piece.color in ("black", "white") else 5 for piece in KINDS)


def test_draws_that_may_come_are_those_that_may_be_told() -> None:
    rng = Random(1)
    for state in positions(rng, 3, 200):
        told = {event for event, _ in SPECTRA.outcomes(state)}
        for seat in range(3):
            for piece in KINDS:
                drawn = Drawn(seat, (piece,))
                assert (drawn in told) == (not state.violations(drawn))
