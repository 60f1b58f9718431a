"""What reaches in at the border hides what it covers, and nothing else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.scenes import GLOVE, MM, SIZE, film, hand, noisy, stills, table
from vision.gate.change import thumbnail
from vision.gate.moments import UncoveredTable
from vision.gate.steadiness import LIVE, STILLS, Gate, Report
from vision.image.picture import Picture

ZONE = np.array([(150.0, 60.0), (500.0, 60.0), (500.0, 240.0), (150.0, 240.0)])
"""Pixels of the picture."""
CLEAR = (1030.0, 420.0)
"""A place for a fist, in millimeters, far from that zone."""
OVER = (700.0, 330.0)
"""One over a corner of it."""
PIECE = [(400.0, 200.0)]


def zoned(gate: Gate) -> Gate:
    gate.set_zones([ZONE])
    return gate


def resting(picture: Picture, tip_mm: tuple[float, float], count: int) -> list[Picture]:
    """A fist that stays in its place and stirs by some millimeters."""
    return [hand(picture, (tip_mm[0] + 5 * np.sin(n), tip_mm[1] + 4 * np.cos(0.7 * n)), GLOVE) for n in range(count)]


def said(gate: Gate, pictures: list[Picture], start: int = 0) -> list[Report]:
    return [gate.step(shot) for shot in film(pictures, rate_hz=10, start=start)]


def test_a_hand_away_from_every_zone_is_nothing() -> None:
    gate = zoned(Gate())
    said(gate, [table()] * 8)
    waving = [hand(table(PIECE), (CLEAR[0], CLEAR[1] + 25 * np.sin(n))) for n in range(15)]
    reports = said(gate, waving, 8)
    assert [report.state for report in reports].count("steady") == 1
    assert not any(report.hand for report in reports)


def test_what_is_moved_in_a_zone_beside_a_waving_hand_is_read() -> None:
    gate = zoned(Gate())
    waving = [hand(table(), (CLEAR[0], CLEAR[1] + 25 * np.sin(n))) for n in range(15)]
    said(gate, waving)
    assert any(report.steady for report in said(gate, [table(PIECE)] * 10, 15))


def test_without_zones_a_hand_counts_everywhere() -> None:
    gate = Gate()
    said(gate, [table()] * 8)
    assert said(gate, [hand(table(), CLEAR)] * 8, 8)[-1].hand


def test_a_stirring_arm_over_a_zone_covers_a_part_of_it_after_a_few_seconds() -> None:
    gate = zoned(Gate())
    said(gate, [table()] * 8)
    reports = said(gate, resting(table(PIECE), OVER, 60), 8)
    steady = [n for n, report in enumerate(reports) if report.steady]
    assert len(steady) == 1 and 10 * LIVE.rest_s <= steady[0] <= 10 * (LIVE.rest_s + 2)
    covered = reports[steady[0]].covered
    assert covered is not None
    factor = max(covered.shape) / SIZE[0]
    fist, piece = (tuple(round(axis * MM * factor) for axis in at) for at in (OVER, (415.0, 215.0)))
    assert covered[fist[1], fist[0]] and not covered[piece[1], piece[0]]


def test_moves_beside_a_resting_arm_are_read_at_once() -> None:
    gate = zoned(Gate())
    said(gate, [table()] * 8)
    said(gate, resting(table(), OVER, 50), 8)
    reports = said(gate, resting(table(PIECE), OVER, 12), 58)
    steady = [n for n, report in enumerate(reports) if report.steady]
    assert steady and steady[0] <= 6 and reports[steady[0]].covered is not None


def test_another_hand_at_work_is_waited_for_beside_a_resting_one() -> None:
    gate = zoned(Gate())
    said(gate, [table()] * 8)
    said(gate, resting(table(), OVER, 50), 8)
    both = [hand(picture, (350.0, 250.0), GLOVE) for picture in resting(table(), OVER, 12)]
    reports = said(gate, both, 58)
    assert not any(report.steady for report in reports) and reports[-1].hand


def test_when_a_resting_arm_leaves_the_table_under_it_is_read() -> None:
    gate = zoned(Gate())
    said(gate, [table()] * 8)
    said(gate, resting(table(), OVER, 50), 8)
    reports = said(gate, [table([(690.0, 320.0)])] * 12, 58)
    steady = [report for report in reports if report.steady]
    assert len(steady) == 1 and steady[0].covered is None


def test_what_never_stirs_belongs_to_the_table_in_the_end() -> None:
    gate = zoned(Gate())
    said(gate, [table()] * 8)
    box = hand(table(), OVER, GLOVE)
    reports = said(gate, [box] * int(10 * (LIVE.absorb_s + LIVE.rest_s + 3)), 8)
    steady = [report for report in reports if report.steady]
    assert [report.covered is None for report in steady] == [False, True]


def test_stills_in_which_an_arm_rests_are_read_from_the_third_on() -> None:
    gate = zoned(Gate(STILLS))
    pictures = [table(), *resting(table(), OVER, 3), *resting(table(PIECE), OVER, 2)]
    reports = [gate.step(shot) for shot in stills(pictures)]
    assert [report.steady for report in reports] == [True, False, False, True, True, True]
    assert reports[4].covered is not None


@pytest.mark.parametrize("gain", [1.0, 0.8])
def test_a_covered_place_shows_what_was_there_in_the_light_of_now(gain: float) -> None:
    before = table([(690.0, 320.0)])
    now = np.clip(hand(before, OVER) * gain, 0, 255).astype(np.uint8)
    covered = np.zeros(thumbnail(now).shape[:2], np.uint8)
    cv2.circle(covered, (round(OVER[0] * MM / 2), round(OVER[1] * MM / 2)), 30, 1, -1)
    uncovered = UncoveredTable()
    uncovered.take(noisy(before, 1), None, moved=False)
    shown = uncovered.take(noisy(now, 2), covered, moved=False)
    part = np.s_[round(300 * MM) : round(370 * MM), round(670 * MM) : round(740 * MM)]
    wanted = np.clip(before[part] * gain, 0, 255)
    assert np.abs(shown[part].astype(float) - wanted).mean() < 6
    assert (shown[:20] == noisy(now, 2)[:20]).all()


def test_where_the_camera_was_moved_nothing_is_completed() -> None:
    uncovered = UncoveredTable()
    uncovered.take(table(PIECE), None, moved=False)
    covered = np.ones(thumbnail(table()).shape[:2], np.uint8)
    assert (uncovered.take(table(), covered, moved=True) == table()).all()
