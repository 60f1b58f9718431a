"""Legal placements against a slow generator that was written from the rules alone.

It builds every complete stalk there is, once, from ICE-7 to ICE-11; a stalk may grow by a piece if the longer stalk
begins such a one whose rest the bag and the supply can pay for. It shares no code or table with the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion.core.contract import Over
from companion.core.foundation.errors import IllegalMove
from companion.core.pieces import Pyramid
from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.growth import KINDS
from companion.games.ice_stalks.moves import Pass, PlacePiece, Take
from companion.games.ice_stalks.options import Options
from companion.games.ice_stalks.state import IceStalksState

LINE = ("red", "orange", "yellow", "green", "cyan", "blue", "purple")
SIZES = ("large", "medium", "small")
Column = tuple[Pyramid, ...]


@cache
def complete_stalks() -> tuple[Column, ...]:
    """Every stalk with a small on top that the rules permit."""
    found: list[Column] = [tuple(Pyramid(color, size) for size in SIZES) for color in LINE]
    for line in (LINE, LINE[::-1]):
        for first in range(len(line)):
            for height in range(3, len(line) - first + 1):
                for larges in range(1, height - 1):
                    sizes = ["large"] * larges + ["medium"] * (height - larges - 1) + ["small"]
                    found.append(tuple(map(Pyramid, line[first : first + height], sizes)))
    return tuple(found)


def may_become(column: Column, rocks: Counter[str], pieces: Counter[Pyramid]) -> bool:
    """ICE-12: whether some complete stalk begins with this one, and its rest can be paid for."""
    for whole in complete_stalks():
        rest = whole[len(column) :]
        if (
            whole[: len(column)] == column
            and rest
            and Counter(p.color for p in rest) <= rocks
            and Counter(rest) <= pieces
        ):
            return True
    return False


def begins_one(column: Column) -> bool:
    """ICE-7 to ICE-11, whatever is left: there are such stalks with pieces and rocks without end."""
    return any(whole[: len(column)] == column for whole in complete_stalks()) or grows_rightly(column)


def grows_rightly(column: Column) -> bool:
    """Every step allowed by itself; such a stalk may still be one that nothing can complete."""
    places = [LINE.index(piece.color) for piece in column]
    sizes = [SIZES.index(piece.size) for piece in column]
    steps = {b - a for a, b in pairwise(places)}
    smaller = [b - a for a, b in pairwise(sizes)]
    if sizes[0] != 0 or len(steps) > 1 or not steps <= {-1, 0, 1}:
        return False
    return all(step == 1 for step in smaller) if steps == {0} else all(step in (0, 1) for step in smaller)


def columns(state: IceStalksState) -> list[Column]:
    middle = state.layout().heaps["stalks"]
    return [getattr(sighting.piece, "pieces", ()) for sighting in middle]


def left(state: IceStalksState) -> Counter[Pyramid]:
    placed = Counter(
        piece
        for spot, heap in state.layout().heaps.items()
        if spot != "rocks"
        for sighting in heap
        for piece in getattr(sighting.piece, "pieces", ())
    )
    return Counter({piece: 5 - placed[piece] for piece in KINDS if placed[piece] < 5})


def slow_moves(state: IceStalksState) -> Iterator[Any]:
    """Every legal move, by the letter of the rules."""
    if state.done is not None:
        yield Take(state.turn)
        return
    if state.hand is None:
        return
    pieces = left(state)
    any_at_all = False
    for color in [state.hand] if state.hand != "unknown" else [c for c, n in zip(LINE, state.rocks, strict=True) if n]:
        rocks = Counter(dict(zip(LINE, state.rocks, strict=True)))
        if state.hand == "unknown":
            rocks[color] -= 1
        found = set()
        for column in columns(state):
            for size in SIZES:
                piece = Pyramid(color, size)
                grown = (*column, piece)
                rest = pieces - Counter([piece])
                if pieces[piece] and (grown in complete_stalks() or may_become(grown, rocks, rest)):
                    found.add(PlacePiece(state.turn, piece, column))
        if not found and pieces[Pyramid(color, "large")]:
            found.add(PlacePiece(state.turn, Pyramid(color, "large")))
        any_at_all = any_at_all or bool(found)
        yield from found
    if not any_at_all:
        yield Pass(state.turn)


def positions(rng: Random, seats: int, games: int) -> Iterator[IceStalksState]:
    for game in range(games):
        options = Options(first=rng.randrange(seats) + 1, solid_set=rng.choice(["replace", "add"]), max_players=8)
        state = ICE_STALKS.start(seats, options)
        while not isinstance(state.expects(), Over):
            yield state
            chances = [event for event, _ in ICE_STALKS.outcomes(state)]
            if chances and game % 3 == 2:
                chances = [ICE_STALKS.event({"type": "drawn", "seat": state.turn, "pieces": [None]})]
            if state.hand is not None and game % 4 == 3 and rng.random() < 0.2:
                # Somebody places what no rule allows, and the table lets it stand.
                wild = [
                    PlacePiece(state.turn, piece, rng.choice(columns(state) or [()]))
                    for piece, n in left(state).items()
                    if n
                ]
                state = state.apply_unchecked(rng.choice(wild))
                continue
            state = state.apply(rng.choice(chances or list(state.legal_moves())))


@pytest.mark.parametrize("seats", (2, 3, 4, 6))
def test_the_engine_lists_what_the_rules_allow_and_nothing_else(seats: int) -> None:
    for state in positions(Random(seats), seats, 24):
        listed = state.legal_moves()
        assert len(set(listed)) == len(listed)
        assert set(listed) == set(slow_moves(state))


@pytest.mark.parametrize("seats", (2, 4))
def test_reasons_and_lists_are_two_sides_of_one_coin(seats: int) -> None:
    """Any placement at all: it is listed, or it has a reason and cannot be applied."""
    rng = Random(seats)
    for state in positions(rng, seats, 12):
        for _ in range(6):
            on = rng.choice([(), *columns(state)])
            move = rng.choice(
                [PlacePiece(rng.randrange(seats), rng.choice(KINDS), on), Take(rng.randrange(seats)), Pass(state.turn)]
            )
            reasons = state.violations(move)
            assert (move in state.legal_moves()) == (not reasons)
            if reasons:
                with pytest.raises(IllegalMove):
                    state.apply(move)


@pytest.mark.parametrize("seats", (2, 4))
def test_a_fit_that_is_refused_is_refused_for_its_color_size_or_death(seats: int) -> None:
    """ICE-12 is named where a stalk grows rightly step by step, other rules where it does not."""
    for state in positions(Random(seats + 50), seats, 8):
        if state.hand is None or state.hand == "unknown":
            continue
        for column in set(columns(state)):
            for size in SIZES:
                piece = Pyramid(str(state.hand), size)
                broken = {breach.rule for breach in state.violations(PlacePiece(state.turn, piece, column))} - {"ICE-2"}
                if column[-1].size != "small" and grows_rightly(column):
                    assert (broken <= {"ICE-12"}) == begins_one((*column, piece))


def test_placements_and_rocks_add_up() -> None:
    for state in positions(Random(5), 3, 12):
        drawn = 35 - sum(ICE_STALKS.unseen(state).values())
        assert len(state.layout().heaps["rocks"]) == drawn
