"""Random turns seen by a doubting camera: what happened is told or asked, mistakes are named, nobody is accused wrongly."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.games.spectrum.options import Options
from tests.companion.games.spectrum.watched_spectrum import Doubts, Watched, play

SURE = Doubts(0.97)
SHAKY = Doubts(0.8)
BLIND = Doubts(0.9, knows_rolled=False)
MISREADING = Doubts(0.8, misread=0.3)
MISROLLED = Doubts(0.9, misrolled=0.5)


def sums(options: dict[str, Any], doubts: Doubts, games: int, turns: int = 4) -> tuple[Counter[str], list[str]]:
    played: list[Watched] = [play(seed, turns, Options(**options), 2 + seed % 2, doubts) for seed in range(games)]
    total: Counter[str] = Counter()
    for one in played:
        total += one.counts
    return total, [line for one in played for line in one.failures]


@pytest.mark.parametrize(
    ("options", "doubts"),
    [({}, SURE), ({}, SHAKY), ({"dice": "d12"}, SHAKY), ({}, BLIND)],
    ids=["sure", "shaky", "twelve-sided", "rolls by faces"],
)
def test_turns_in_pieces_are_told_and_mistakes_named(options: dict[str, Any], doubts: Doubts) -> None:
    found, failures = sums(options, doubts, 8, 3)
    assert found["accused"] == found["missed"] == found["misnamed"] == found["hasty"] == 0, failures
    asked = 0 if doubts is SURE else found["mistake Unclear"]
    assert found["named"] + asked == found["mistakes"] > 0, failures
    assert found["named"] > 0
    assert found["pending"] > 0
    most = 0 if doubts is SURE else 0.05 * found["pictures"]
    assert found["silent"] + found["wrong"] <= most, failures


@pytest.mark.parametrize("options", [{"self_capture": True, "self_jump": True}, {"special_order": "free"}], ids=str)
def test_options_are_watched_too(options: dict[str, Any]) -> None:
    found, failures = sums(options, SURE, 6, 3)
    assert found["accused"] == found["missed"] == 0, failures
    assert found["silent"] + found["wrong"] <= 0.03 * found["pictures"], failures


def test_a_reader_that_often_errs_accuses_nobody() -> None:
    found, failures = sums({}, MISREADING, 8)
    assert found["accused"] == 0, failures
    assert found["right"] > 0.6 * found["pictures"]


def test_a_die_that_is_misread_and_overlooked_accuses_nobody_later() -> None:
    found, failures = sums({}, MISROLLED, 20, 3)
    assert found["accused"] == found["missed"] == 0, failures
    assert found["named"] > 0.6 * found["mistakes"] > 0, failures
    assert found["right"] > 0.55 * found["pictures"], found


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"dice": "d12"}, {"surrender": True}, {"speed_rule": True}], ids=str)
def test_many_turns(options: dict[str, Any]) -> None:
    found, failures = sums(options, SHAKY, 150)
    assert found["accused"] == 0, failures
    assert found["missed"] <= 0.03 * found["mistakes"], failures
    assert found["right"] + found["asked"] + found["pending"] + found["named"] > 0.85 * found["pictures"], found
