"""Layouts: two tables compared, order within heaps aside, covered pieces neither missed nor missed out."""

from __future__ import annotations

from companion.core.layout import Detection, Layout
from companion.core.pieces import Pyramid, Stack

LARGE, MEDIUM, SMALL = (Pyramid("red", size) for size in ("large", "medium", "small"))


def heap(*pieces: Pyramid | Stack) -> Layout:
    return Layout(heaps={"trees": tuple(Detection.sure(piece) for piece in pieces)})


def test_heaps_have_no_order_but_stacks_have_one() -> None:
    assert not heap(LARGE, SMALL).differences(heap(SMALL, LARGE))
    assert heap(Stack((LARGE, SMALL))).differences(heap(Stack((SMALL, LARGE))))


def test_what_was_not_looked_at_says_nothing() -> None:
    assert not heap(LARGE).differences(Layout())
    assert heap(LARGE).differences(Layout(heaps={"trees": ()}))


def test_covered_pieces_may_be_seen_or_not() -> None:
    nest = Layout(heaps=heap(LARGE, MEDIUM, SMALL).heaps, covered={"trees": (MEDIUM, SMALL)})
    for seen in (heap(LARGE), heap(LARGE, SMALL), heap(LARGE, MEDIUM, SMALL)):
        assert not nest.differences(seen)
    (found,) = nest.differences(heap(MEDIUM, SMALL))
    assert found.expected == (LARGE, MEDIUM, SMALL) and found.seen == (MEDIUM, SMALL)
    assert nest.differences(heap(LARGE, LARGE))
    assert nest.differences(heap(LARGE, MEDIUM, MEDIUM))


def test_a_heap_that_reaches_out_of_the_picture_may_hold_more_than_was_seen_but_not_less() -> None:
    seen = Layout(heaps=heap(LARGE).heaps, partial=frozenset({"trees"}))
    assert not heap(LARGE, MEDIUM).differences(seen)
    assert heap(MEDIUM).differences(seen)
