"""What each legal event would change."""

from __future__ import annotations

from companion.core.layout import Detection, Layout
from companion.referee.matching.evidence import Evidence, Pile
from companion.referee.matching.foresight import CellChange, HeapPrediction, change, predict_changes
from simulation.ladder import SET, Lay, dealt

RED, BLUE = SET[:2]
OPEN = dealt("RRR6 RRY5", "BBB6 RRP5", cells="- - - BBR5")


def test_every_legal_move_is_foreseen_in_its_order() -> None:
    assert [one.event for one in predict_changes(OPEN, False)] == list(OPEN.legal_moves())


def test_a_move_changes_its_cell_and_its_hand() -> None:
    one = next(one for one in predict_changes(OPEN, False) if one.event == Lay(4, RED))
    assert one.cells == (CellChange("c4", None, RED),)
    assert [heap.spot for heap in one.heaps] == ["seat0.hand"]
    assert one.spots(Layout({"c4": Detection.sure(None)})) == ["c4"]
    assert not one.shows(Layout({"c5": Detection.sure(None)}))


def test_less_speaks_against_a_move_where_the_picture_shows_it() -> None:
    one = next(one for one in predict_changes(OPEN, False) if one.event == Lay(4, RED))
    there = Evidence(Layout({"c4": Detection.sure(RED)}))
    elsewhere = Evidence(Layout({"c4": Detection.sure(None)}))
    assert one.nll_ratio(there) < 0 < one.nll_ratio(elsewhere)
    assert one.left(there) == 0.0


def test_a_heap_that_can_no_longer_be_predicted_says_nothing() -> None:
    known = Layout(heaps={"hand": (Detection.sure(RED),)})
    one = change(None, known, Layout())
    assert one.heaps == (HeapPrediction("hand", Pile((RED,)), None),)
    assert one.nll_ratio(Evidence(Layout(heaps={"hand": (Detection.sure(BLUE),)}))) < 0


def test_a_cell_that_only_one_layout_predicts_says_nothing() -> None:
    assert change(None, Layout(), Layout({"c1": Detection.sure(RED)})).cells == ()
