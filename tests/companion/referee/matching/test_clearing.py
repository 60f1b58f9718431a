"""What of a doubtful reading may still lead to an explanation."""

from __future__ import annotations

import pytest

from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Pawn, Pyramid
from companion.referee.matching.clearing import CLEAR, SWAPPED, UNSEEN, cleaned, likely
from companion.referee.matching.evidence import LIKELY_ENOUGH, Evidence
from simulation.matching.noise import ranked

RED, BLUE = Pawn("red"), Pawn("blue")
TABLE = Layout({"a": Detection.sure(None), "b": Detection.sure(RED)})
STANDS, MISSED, COMES = (Pyramid(color, "large") for color in ("red", "blue", "yellow"))
HEAP = Layout(heaps={"h": (Detection.sure(STANDS), Detection.sure(MISSED))})
SEEN = ranked((STANDS, 0.99))


def pieces(sighting: Detection) -> list[object]:
    return [candidate.piece for candidate in sighting.candidates]


def test_a_faint_change_of_a_cell_is_cleaned_away_and_may_yet_be_looked_for() -> None:
    evidence = Evidence(Layout({"a": ranked((RED, 0.85), (None, 0.1)), "b": ranked((RED, 0.99))}))
    assert cleaned(TABLE, evidence).cells == TABLE.cells
    found = likely(TABLE, evidence).cells
    assert pieces(found["a"]) == [None, RED]
    assert pieces(found["b"]) == [RED]


def test_a_clear_change_of_a_cell_keeps_what_was_there_as_the_last_candidate() -> None:
    evidence = Evidence(Layout({"a": ranked((BLUE, 0.9), (RED, 0.09), (None, 0.01)), "b": ranked((RED, 0.99))}))
    assert cleaned(TABLE, evidence).cells["a"].piece == BLUE
    assert pieces(likely(TABLE, evidence).cells["a"]) == [BLUE, RED, None]


def test_a_runner_up_counts_where_it_comes_close() -> None:
    evidence = Evidence(Layout({"a": ranked((None, 0.7), (RED, 0.3)), "b": ranked((RED, 0.95), (BLUE, 0.05))}))
    found = likely(TABLE, evidence).cells
    assert pieces(found["a"]) == [None, RED]
    assert pieces(found["b"]) == [RED]


def heap(layout: Layout) -> list[object]:
    return [sighting.piece for sighting in layout.heaps["h"]]


def test_a_cell_that_the_table_does_not_know_is_what_it_reads_as() -> None:
    evidence = Evidence(Layout({"c": ranked((BLUE, 0.6), (RED, 0.3))}))
    assert cleaned(TABLE, evidence).cells == likely(TABLE, evidence).cells == {"c": Detection.sure(BLUE)}


def test_a_piece_that_is_not_seen_is_gone_and_one_out_of_sight_may_be_there() -> None:
    gone, hidden = (Evidence(Layout(heaps={"h": (SEEN,)}), absent) for absent in ({}, {"h": [MISSED]}))
    assert heap(cleaned(HEAP, gone)) == heap(likely(HEAP, gone)) == [STANDS]
    assert heap(cleaned(HEAP, hidden)) == [STANDS, MISSED]
    assert likely(HEAP, hidden).heaps["h"] == (
        SEEN, Detection((Candidate(MISSED, UNSEEN), Candidate(None, 1 - UNSEEN))),
    )  # fmt: skip
    assert UNSEEN == 1 - UNSEEN


@pytest.mark.parametrize(("share", "changed"), [(0.0055, True), (0.02, False)])
def test_a_piece_that_reads_as_another_one_changes_if_the_reading_is_clear(share: float, changed: bool) -> None:
    other = ranked((COMES, 0.9), (MISSED, share))
    evidence = Evidence(Layout(heaps={"h": (SEEN, other)}))
    assert heap(cleaned(HEAP, evidence)) == [STANDS, COMES if changed else MISSED]
    kept = likely(HEAP, evidence).heaps["h"][1]
    if changed:
        assert kept == Detection((Candidate(COMES, 0.9), Candidate(MISSED, LIKELY_ENOUGH)))
    else:
        assert kept == Detection((Candidate(MISSED, 0.5), Candidate(COMES, 0.45)))


def test_one_more_piece_counts_if_it_is_clearly_there() -> None:
    for sure, there in ((0.93, True), (0.9, False)):
        more = ranked((COMES, sure), (None, 1 - sure))
        evidence = Evidence(Layout(heaps={"h": (SEEN, ranked((MISSED, 0.99)), more)}))
        assert heap(cleaned(HEAP, evidence)) == [STANDS, MISSED, *[COMES] * there]
        assert heap(likely(HEAP, evidence)) == [STANDS, MISSED, COMES]


def test_a_piece_like_one_behind_something_may_have_moved_or_be_one_more() -> None:
    elsewhere = Detection((Candidate(MISSED, 0.99),), place="new")
    evidence = Evidence(
        Layout(heaps={"h": (SEEN, elsewhere)}), {"h": [MISSED]}, fresh=frozenset({"new"}), before=HEAP,
        veiled={"h": [MISSED]},
    )  # fmt: skip
    assert heap(cleaned(HEAP, evidence)) == heap(likely(HEAP, evidence)) == [STANDS, MISSED, MISSED]
    assert 1.1 < evidence.total(HEAP) < 1.5


def test_the_limits_themselves_count() -> None:
    for share in (LIKELY_ENOUGH, LIKELY_ENOUGH - 0.001):
        least = Evidence(Layout({"a": ranked((RED, 0.9), (BLUE, share))}))
        assert pieces(likely(TABLE, least).cells["a"]) == [RED, *[BLUE] * (share == LIKELY_ENOUGH), None]
    evidence = Evidence(Layout({"a": ranked((RED, 0.85), (None, 0.1))}))
    change = evidence.cell("a", None)
    assert change < CLEAR < SWAPPED
    assert cleaned(TABLE, evidence, doubtful=change).cells["a"].piece == RED
    exchanged = Evidence(Layout(heaps={"h": (SEEN, ranked((COMES, 0.9), (MISSED, 0.02)))}))
    assert heap(cleaned(HEAP, exchanged, swapped=exchanged.total(HEAP))) == [STANDS, COMES]
    more = Evidence(Layout(heaps={"h": (SEEN, ranked((MISSED, 0.99)), ranked((COMES, 0.93), (None, 0.07)))}))
    assert heap(cleaned(HEAP, more, doubtful=more.total(HEAP))) == [STANDS, MISSED, COMES]
