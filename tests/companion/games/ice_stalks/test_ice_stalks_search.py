"""What lies between two pictures: rocks nobody saw, stalks that grew, stalks taken, and what no rule allows."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.contract import Over
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Stack
from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.growth import pieces_of
from companion.games.ice_stalks.moves import PlacePiece, Take
from companion.games.ice_stalks.options import Options
from companion.games.ice_stalks.search import resembles
from companion.games.ice_stalks.state import IceStalksState
from tests.companion.games.ice_stalks.short_stalks import draw, put, table
from tests.companion.games.short import rules
from tests.companion.games.suggestions import followed


def without_rocks(seen: Layout) -> Layout:
    """What a camera sees that cannot tell rocks."""
    return Layout(heaps={spot: heap for spot, heap in seen.heaps.items() if spot != "rocks"})


@pytest.mark.parametrize("seats", (2, 4))
@pytest.mark.parametrize("turns", (1, 2))
def test_whole_turns_are_explained(seats: int, turns: int) -> None:
    """One or two turns in one picture, rocks out of sight: the same stalks result from legal events alone."""
    rng = Random(seats)
    for _ in range(6):
        state = ICE_STALKS.start(seats, Options())
        while not isinstance(state.expects(), Over):
            after = state
            turn = 0
            while turn < turns and not isinstance(after.expects(), Over):
                events = [event for event, _ in ICE_STALKS.outcomes(after)] or list(after.legal_moves())
                mover = after.turn
                after = after.apply(rng.choice(events))
                turn += after.turn != mover
            events, reached = followed(ICE_STALKS, state, without_rocks(after.layout()))
            assert reached == after, events
            state = after


def test_every_single_event_is_among_the_candidates() -> None:
    rng = Random(7)
    for _ in range(12):
        state = ICE_STALKS.start(3, Options())
        while not isinstance(state.expects(), Over):
            events = [event for event, _ in ICE_STALKS.outcomes(state)] or list(state.legal_moves())
            for event in events:
                assert event in ICE_STALKS.proposer.candidates(state, state.apply(event).layout())
            state = state.apply(rng.choice(events))


def test_the_piece_tells_the_rock() -> None:
    state = table("G3")
    seen = without_rocks(table("G3Y2").layout())
    assert followed(ICE_STALKS, state, seen)[0] == [draw("Y"), put("Y2", "G3")]
    assert ICE_STALKS.proposer.candidates(state, seen) == (draw("Y"),)


def test_a_completed_stalk_stands_until_it_is_taken() -> None:
    state = table("G3G2", "R3", hand="G")
    placed = state.apply(put("G1", "G3G2"))
    standing = Layout(heaps={"stalks": _stacks("R3", "G3G2G1"), "seat0.stalks": (), "seat1.stalks": ()})
    assert followed(ICE_STALKS, state, standing)[0] == [put("G1", "G3G2")]
    assert not placed.layout().differences(standing)
    taken = Layout(heaps={"stalks": _stacks("R3"), "seat0.stalks": _stacks("G3G2G1"), "seat1.stalks": ()})
    assert followed(ICE_STALKS, state, taken)[0] == [put("G1", "G3G2"), Take(0)]
    assert followed(ICE_STALKS, placed, taken)[0] == [Take(0)]


def test_a_stalk_taken_out_of_sight() -> None:
    """Nobody looks at the players' sides: a stalk of two is gone, so its small was placed and it was taken."""
    state = table("G3G2", "R3")
    seen = Layout(heaps={"stalks": _stacks("R3")})
    assert followed(ICE_STALKS, state, seen)[0] == [draw("G"), put("G1", "G3G2"), Take(0)]


def test_the_wrong_player_takes_it() -> None:
    state = table("G3G2", hand="G").apply(put("G1", "G3G2"))
    seen = Layout(heaps={"stalks": (), "seat0.stalks": (), "seat1.stalks": _stacks("G3G2G1")})
    assert ICE_STALKS.proposer.infer_event(state, seen) == Take(1)
    assert rules(state, Take(1)) == {"ICE-16"}


@pytest.mark.parametrize(
    ("state", "after", "event", "rule"),
    [
        (table("R3", hand="R"), ("R3", "R3"), put("R3"), "ICE-6"),
        (table("R3", hand="G"), ("R3Y2",), put("Y2", "R3"), "ICE-5"),
        (table("C3", hand="B"), ("C3B3",), put("B3", "C3"), "ICE-12"),
        (table("R3O3", hand="R"), ("R3O3R2",), put("R2", "R3O3"), "ICE-11"),
        (table("R3R2", hand="O"), ("R3R2O2",), put("O2", "R3R2"), "ICE-10"),
        (table("O3", hand="O"), ("O3O1",), put("O1", "O3"), "ICE-8"),
        (table(hand="O"), ("O2",), put("O2"), "ICE-5"),
    ],
)
def test_an_illegal_placement_is_named(
    state: IceStalksState, after: tuple[str, ...], event: PlacePiece, rule: str
) -> None:
    seen = Layout(heaps={"stalks": _stacks(*after), "seat0.stalks": (), "seat1.stalks": ()})
    assert ICE_STALKS.proposer.infer_event(state, seen) == event
    assert rule in rules(state, event)


def test_without_a_rock_in_hand_the_draw_comes_first() -> None:
    state = table("C3")
    events, reached = followed(ICE_STALKS, state, Layout(heaps={"stalks": _stacks("C3B3")}))
    assert events == [draw("B"), put("B3", "C3")]
    assert reached.stalks == ("C3B3",)


def test_stalks_may_be_pushed_about() -> None:
    """A heap has no order: nothing changed."""
    state = table("R3", "G3Y2", "B3")
    moved = Layout(heaps={"stalks": _stacks("B3", "R3", "G3Y2")})
    assert ICE_STALKS.proposer.infer_event(state, moved) is None and not state.layout().differences(moved)


def test_doubtful_stacks_count_as_all_their_candidates() -> None:
    state = table("G3", hand="Y")
    doubtful = Detection((Candidate(Stack(pieces_of("G3O2")), 0.5), Candidate(Stack(pieces_of("G3Y2")), 0.45)))
    assert ICE_STALKS.proposer.candidates(state, Layout(heaps={"stalks": (doubtful,)})) == (put("Y2", "G3"),)


def test_a_lone_pyramid_is_a_stack_of_one() -> None:
    state = table(hand="G")
    seen = Layout(heaps={"stalks": (Detection.sure(pieces_of("G3")[0]),)})
    assert ICE_STALKS.proposer.infer_event(state, seen) == put("G3")


def test_a_table_that_nothing_explains_is_left_alone() -> None:
    state = table("R3", "G3")
    assert ICE_STALKS.proposer.infer_event(state, Layout(heaps={"stalks": _stacks("B3P2", "Y3O3R2")})) is None
    assert ICE_STALKS.proposer.infer_event(state, Layout()) is None


def _stacks(*stalks: str) -> tuple[Detection, ...]:
    return tuple(Detection.sure(Stack(pieces_of(stalk))) for stalk in stalks)


def test_a_piece_whose_rocks_are_all_out_needs_no_rock_to_be_refused() -> None:
    state = table("C3", rocks={"B": 0})
    seen = Layout(heaps={"stalks": _stacks("C3B2")})
    assert ICE_STALKS.proposer.infer_event(state, seen) == put("B2", "C3")
    assert "ICE-5" in rules(state, put("B2", "C3"))


@pytest.mark.parametrize(
    ("read", "stalk", "alike"),
    [
        ("R3", "O3", True),
        ("R3O2", "R3O1", True),
        ("R3O2", "Y3G2", False),
        ("R3R3Y2Y2", "R3O2Y2G1", True),
        ("R3R3Y2Y2", "G3O2Y2G1", False),
        ("R3Y2", "R3O2Y2", True),
        ("R3O2Y2G1", "R3O2", False),
    ],
)
def test_half_of_a_stalk_or_its_height_by_one_may_be_misread(read: str, stalk: str, alike: bool) -> None:
    assert resembles(read, stalk) is alike


def test_a_stalk_that_is_hardly_read_may_be_what_was_placed() -> None:
    """A completed stalk was taken and its reading is worth next to nothing: the rules say what it is."""
    state = table("R3O2Y2", "B3")
    doubted = Detection((Candidate(Stack(pieces_of("R3R3Y2Y2")), 0.01),))
    seen = Layout(heaps={"stalks": _stacks("B3"), "seat0.stalks": (doubted,), "seat1.stalks": ()})
    for event in (draw("G"), put("G1", "R3O2Y2"), Take(0)):
        assert event in ICE_STALKS.proposer.candidates(state, seen)
        state = state.apply(event)
    assert state.taken[0] == ("R3O2Y2G1",)
