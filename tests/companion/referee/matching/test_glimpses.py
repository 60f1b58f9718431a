"""Things that only some looks at a table showed accuse nobody, and alone they make no move."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Stack
from companion.core.verdict import Accepted, Refused, Unclear, Verdict
from companion.games.spectra.moves import Add
from companion.referee.matching import merge
from companion.referee.matching.glimpses import fewest_looks, is_glimpse
from companion.referee.matching.memory import Memory
from tests.companion.games.spectra.short_spectra import draw, piece, pieces, table
from tests.companion.referee.matching.beginning import TREES, at, heaps, referee_of, seen

DRAWN = table("RS", "OM KS GS", turn=1, drawn=True)
"""Player 2 has drawn a green small."""
DRAWN_SEEN = seen("p1:RS", "p2:OM p3:KS p4:GS")
AGAIN = seen("p1:RS", "p2:OM p3:KS p4:GS p5:YL")
"""Player 2 draws again."""


def test_an_accusation_needs_three_pictures_of_every_piece_that_it_rests_on() -> None:
    referee, here = referee_of(DRAWN, DRAWN_SEEN)
    for looks, kind in ((2, Unclear), (3, Refused)):
        counted = Layout(heaps=AGAIN.heaps, looks=dict.fromkeys(("a", "b", "p1", "p2", "p3", "p4"), 3) | {"p5": looks})
        verdict = referee.verdict(here, counted)
        assert isinstance(verdict, kind)
        assert not isinstance(verdict, Refused) or verdict.looks == 3


def glimpsed(layout: Layout, place: str) -> Layout:
    """Three looks, each of which tells what only some looks at an earlier picture of the same table showed."""
    seen = {
        spot: tuple(replace(one, glimpsed=one.place == place) for one in heap) for spot, heap in layout.heaps.items()
    }
    return merge(*[Layout(heaps=seen)] * 3)


def test_what_was_glimpsed_in_an_earlier_picture_accuses_nobody() -> None:
    for place, kind in (("p5", Unclear), ("p4", Refused)):
        referee, here = referee_of(DRAWN, DRAWN_SEEN)
        assert isinstance(referee.verdict(here, glimpsed(AGAIN, place)), kind)


def test_what_not_every_look_showed_is_no_move_by_itself() -> None:
    state = table("OS", "OM KS", turn=0)
    drawn, nothing = seen("p1:OS p9:PL", "p2:OM p3:KS"), seen("p1:OS", "p2:OM p3:KS")
    for looks in ([drawn, nothing, drawn], [drawn, drawn, nothing]):
        referee, here = referee_of(state, nothing)
        verdict = referee.verdict(here, merge(*looks))
        assert not isinstance(verdict, Accepted | Refused)
    referee, here = referee_of(state, nothing)
    verdict = referee.verdict(here, glimpsed(drawn, "p9"))
    assert isinstance(verdict, Unclear)
    assert [choice.events for choice in verdict.choices] == [(draw(0, "PL"),)]
    referee, here = referee_of(state, nothing)
    assert referee.verdict(here, merge(drawn, drawn, drawn)).events == (draw(0, "PL"),)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("read", "looks", "kind"),
    [
        (at("p9", "PL", 0.95), 1, Accepted),
        (at("p9", "PL", 0.85), 1, Unclear),
        (at("p9", "PL", 0.85), 3, Accepted),
        (at("p9", "PL", 0.85, ("RL", 0.1)), 1, Accepted),
    ],
)
def test_a_single_look_has_to_be_sure_that_something_is_there(read: Detection, looks: int, kind: type[Verdict]) -> None:
    state, before = table("OS", "OM KS", turn=0), seen("p1:OS", "p2:OM p3:KS")
    referee, here = referee_of(state, before)
    drawn = Layout(heaps={**before.heaps, "seat0.supply": (*before.heaps["seat0.supply"], read)})
    verdict = referee.verdict(here, merge(*[drawn] * looks))
    assert isinstance(verdict, kind)
    assert not isinstance(verdict, Unclear) or [one.events for one in verdict.choices] == [(draw(0, "PL"),)]


def test_what_was_glimpsed_is_taken_where_the_piece_has_left_its_place() -> None:
    """Player 1 adds a red medium: it has left the supply, and its new place was seen by some looks only."""
    state = table("RM OS", "OM KS", turn=0, drawn=True)
    before = Layout(heaps=heaps(**TREES, seat0_supply="p1:RM p2:OS", seat1_supply="p3:OM p4:KS"))
    added = heaps(seat0_trees="a:RL p9:RM", seat1_trees="b:BL", seat0_supply="p2:OS", seat1_supply="p3:OM p4:KS")
    referee, here = referee_of(state, before)
    verdict = referee.verdict(here, glimpsed(Layout(heaps=added), "p9"))
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Add(0, piece("RM")),)


def test_a_stack_that_only_some_looks_show_grown_is_glimpsed_though_its_place_is_known() -> None:
    short, tall = (Stack(pieces(text)) for text in ("RL", "RL OL"))
    before, after = (Layout(heaps={"stalks": (Detection((Candidate(one, 0.95),), "s"),)}) for one in (short, tall))
    memory = Memory().taken(Layout(heaps={"stalks": (Detection.sure(short),)}), before, 0, "event")
    grown = Layout(heaps={"stalks": (Detection.sure(tall),)})
    for looks, shown in (([after, before, after], 2), ([after, after, after], 3)):
        seen = merge(*looks)
        assert fewest_looks(seen, memory, ["stalks"]) == shown
        assert is_glimpse(seen, memory, before, grown) == (shown < 3)


def two_heaps(one: str, other: str) -> Layout:
    """Pieces at tracked places of two heaps: "p1:OS p2:KS"."""
    return Layout(heaps=heaps(seat0_supply=one, seat1_supply=other))


def remembered(layout: Layout, table: Layout | None = None) -> Memory:
    return Memory().taken(layout if table is None else table, layout, 0, "event")


def test_a_known_place_has_not_come_whatever_is_read_there() -> None:
    memory = remembered(two_heaps("p1:OS", "p2:KS"))
    seen = replace(two_heaps("p1:YS p9:RM", "p2:KS"), looks={"p1": 1, "p9": 2})
    assert fewest_looks(seen, memory, ["seat0.supply"]) == 2
    tall = Layout(heaps={"stalks": (Detection((Candidate(Stack(pieces("RL OL")), 1.0),), "s"),)})
    assert fewest_looks(replace(tall, looks={"s": 1}), remembered(tall), ["stalks"]) == 3


def test_a_change_in_a_cell_is_no_glimpse_and_neither_is_nothing_new() -> None:
    before, after = two_heaps("p1:OS", "p2:KS"), two_heaps("p1:OS p9:RM", "p2:KS")
    seen, memory = replace(after, looks={"p1": 3, "p2": 3, "p9": 2}), remembered(before)
    assert is_glimpse(seen, memory, before, after)
    cell, other = Detection.sure(None), Detection.sure(piece("RM"))
    assert is_glimpse(seen, memory, replace(before, cells={"a1": cell}), replace(after, cells={"a1": cell}))
    assert not is_glimpse(seen, memory, replace(before, cells={"a1": cell}), replace(after, cells={"a1": other}))
    assert not is_glimpse(replace(before, looks={"p1": 3, "p2": 3}), memory, before, after)


@pytest.mark.parametrize(
    ("left", "glimpsed"),
    [
        ("p1", False),  # from the heap that the move takes it from
        ("p2", True),  # from another heap
        ("p7", True),  # a thing that was never taken for a piece
    ],
)
def test_only_a_piece_that_has_left_the_heap_it_is_taken_from_confirms_a_glimpse(left: str, glimpsed: bool) -> None:
    """A move brings a piece from the first supply to the trees, where two of three looks showed it."""
    known = {"a": "RL", "p1": "OS", "p7": "GS"}
    before = Layout(heaps=heaps(seat0_trees="a:RL", seat0_supply="p1:OS", seat1_supply="p2:KS"))
    after = Layout(heaps=heaps(seat0_trees="a:RL p9:OS", seat0_supply="", seat1_supply="p2:KS"))
    shown = Layout(heaps=heaps(seat0_trees="a:RL", seat0_supply="p1:OS p7:GS", seat1_supply="p2:KS"))
    memory = remembered(shown, before)
    assert memory.places["p7"].piece is None and set(known) < set(memory.places)
    supply = " ".join(f"{place}:{known[place]}" for place in ("p1", "p7") if place != left)
    now = heaps(seat0_trees="a:RL p9:OS", seat0_supply=supply, seat1_supply="" if left == "p2" else "p2:KS")
    seen = Layout(heaps=now, looks=dict.fromkeys(("a", "p1", "p2", "p7"), 3) | {"p9": 2})
    assert is_glimpse(seen, memory, before, after) == glimpsed
