"""What of a doubtful reading may still lead to an explanation."""

from __future__ import annotations

from companion.core.layout import Detection, Layout
from companion.core.pieces import Pawn
from companion.referee.matching.clearing import cleaned, likely
from companion.referee.matching.evidence import Evidence
from simulation.matching.noise import ranked

RED, BLUE = Pawn("red"), Pawn("blue")
TABLE = Layout({"a": Detection.sure(None), "b": Detection.sure(RED)})


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
