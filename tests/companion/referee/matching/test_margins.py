"""Readings that a margin decides: the verdict on each is what it was, and another one where a margin has moved."""

from __future__ import annotations

import pytest
from msgspec import json

from tests.companion.referee.matching.doubtful_readings import FILE, Reading, shifted, shifts, verdict_on

READINGS = json.decode(FILE.read_bytes(), type=list[Reading])
HELD = [(reading, *held.rsplit(" x ", 1)) for reading in READINGS for held in reading.holds]


@pytest.mark.parametrize("reading", READINGS, ids=[", ".join(reading.holds) for reading in READINGS])
def test_the_verdict_on_a_doubtful_reading_stays(reading: Reading) -> None:
    assert verdict_on(reading) == reading.verdict


@pytest.mark.parametrize(("reading", "margin", "factor"), HELD, ids=[f"{one} x {by}" for _, one, by in HELD])
def test_a_margin_that_moves_by_more_than_a_fifth_is_noticed(reading: Reading, margin: str, factor: str) -> None:
    with shifted(margin, float(factor)):
        assert verdict_on(reading) != reading.verdict


def test_the_shifts_that_no_reading_holds_are_these() -> None:
    held = {f"{margin} x {factor}" for _, margin, factor in HELD}
    assert {f"{margin} x {factor}" for margin, factor in shifts()} - held == NOT_HELD


NOT_HELD = {
    "clearing.UNSEEN x 0.79",
    "clearing.UNSEEN x 1.21",
    "evidence.VEILED x 0.79",
    "evidence.VEILED x 1.21",
    "guided.RIVALRY x 0.79",
    "guided.RIVALRY x 1.21",
    "hypotheses.HIDDEN_MOVE x 0.79",
    "hypotheses.HIDDEN_MOVE x 1.21",
    "hypotheses.LIFTED x 0.79",
    "hypotheses.LIFTED x 1.21",
    "hypotheses.VANISHED x 0.79",
    "judging.HINT x 0.79",
    "judging.HINT x 1.21",
    "judging.UNPROVEN x 0.79",
    "judging.UNPROVEN x 1.21",
}
"""Shifts that no kept reading holds; some 2,800 random scenes, each moved to where its verdict changes, showed none
(250 for UNPROVEN). `test_clearing` holds those of UNSEEN and VEILED, `test_hypotheses` those of HIDDEN_MOVE, `test_judging` those of
UNPROVEN.
"""
