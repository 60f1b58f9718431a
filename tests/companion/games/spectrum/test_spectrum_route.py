"""The way that is drawn for a move: it keeps the rules, and every legal move has one."""

from __future__ import annotations

from random import Random

from companion.games.spectrum.board import JUMPS, SPACE, STARTS, STEP, STOCK
from companion.games.spectrum.listing import playable
from companion.games.spectrum.moves import Go, ends_of
from companion.games.spectrum.options import Options
from companion.games.spectrum.route import Route, route_of
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.usages import Usage
from tests.companion.games.spectrum.short_spectrum import go, table
from tests.companion.games.spectrum.test_spectrum_generator import COMBINATIONS, positions, random_roll


def way(state: SpectrumState, move: Go) -> tuple[list[str], list[str]]:
    found = route_of(state, state.used, state.left, move)
    assert found is not None
    spots = {space: spot for spot, space in SPACE.items()}
    return [spots[space] for space in found.landed], [spots[space] for space in found.jumped]


def test_a_single_space_and_an_entry() -> None:
    state = table("red.4", "red blue", "red + blue")
    assert way(state, go("red.4", "red.5")) == (["red.5"], [])
    assert way(state, go("red stock", "blue.1")) == (["blue.1"], [])
    assert way(state, go("red stock", "blue.2")) == (["blue.1", "blue.2"], [])


def test_brd_20_a_jump_shows_whom_it_jumped() -> None:
    state = table("blue.4 | blue.5", "blue purple", "blue + purple")
    assert way(state, go("blue.4", "blue-purple.6")) == (["blue-purple.6"], ["blue.5"])
    assert way(state, go("blue.4", "blue.6")) == (["blue.6"], ["blue.5"])


def test_brd_23_a_jump_from_stock() -> None:
    state = table("| blue.1", "red blue", "red + blue")
    assert way(state, go("red stock", "blue.2")) == (["blue.2"], ["blue.1"])


def test_a_way_without_a_jump_is_preferred() -> None:
    state = table("red.4 | red-orange.4", "red red", "red + red", left=[2])
    assert way(state, go("red.4", "red-orange.5")) == (["red.5", "red-orange.5"], [])


def test_brd_19_a_pawn_that_kept_to_one_color_is_drawn_so() -> None:
    state = table("red.4", "red red", "red + red", options={"special_order": "free"})
    several = [move for move in state.legal_moves() if isinstance(move, Go) and move.one_color]
    assert several
    for move in several:
        assert {spot.split(".")[0] for spot in way(state, move)[0]} == {move.to.split(".")[0]}


def test_a_move_that_is_not_legal_has_no_way() -> None:
    state = table("red.4", "red blue", "red + blue")
    for move in (go("red.4", "red.7"), go("red.4", "green.4"), go("nowhere", "red.5"), go("red.4", "red.4")):
        assert route_of(state, state.used, state.left, move) is None


def lengths(route: Route) -> int:
    return len(route.landed) + len(route.jumped)


def test_every_legal_move_has_a_way_that_keeps_the_rules() -> None:
    rng = Random(7)
    seen = 0
    for number, options in enumerate(COMBINATIONS):
        for before in positions(rng, 1 + number % 4, Options(**options), 3):
            state = before.apply(random_roll(rng, before))
            for usage in state.usages if state.turn == before.turn and state.phase != "over" else ():
                seen += all_have_ways(state, usage)
    assert seen > 2000, "else this proves little"


def all_have_ways(state: SpectrumState, usage: Usage) -> int:
    first = playable(state, usage, usage.all_parts)
    for move in first.moves if usage.exchange is None else ():
        assert isinstance(move, Go)
        route, ends = route_of(state, usage, first.left, move), ends_of(move)
        assert route is not None and ends is not None, (usage.name, move)
        assert route.landed[-1] == ends.space
        check(state, route, ends.origin, usage.open)
        assert lengths(route) in ({1, 2} if usage.plain else {part.spaces for part in usage.parts})
    return len(first.moves)


def check(state: SpectrumState, route: Route, origin: int, opened: int) -> None:
    """Every step leads to a neighbor, every jump over a pawn that may be jumped, through empty spaces."""
    ground = state.ground
    assert not route.touched & ~opened
    assert lengths(route) == len({*route.landed, *route.jumped})
    here = origin
    jumped = set(route.jumped)
    for at, space in enumerate(route.landed):
        if at < len(route.landed) - 1:
            assert ground.way >> space & 1
        else:
            assert ground.landing >> space & 1
        if here >= STOCK:
            over = space - 1
            assert STARTS >> space & 1 or (STARTS >> over & 1 and over in jumped and ground.jumpable >> over & 1)
        elif not STEP[here] >> space & 1:
            masks = [mask for mask, landings in JUMPS[here] if landings >> space & 1]
            assert any(ground.jumpable & mask and mask.bit_length() - 1 in jumped for mask in masks)
        here = space
