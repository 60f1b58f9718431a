"""The bench of games that are only seen in part, in short."""

from __future__ import annotations

import pytest

from bench.part_seen import OPTIONS, outcomes


@pytest.mark.parametrize("game", OPTIONS)
def test_nobody_is_accused_of_what_no_picture_shows(game: str) -> None:
    found = [one for _, one in outcomes(game, range(100, 103), 30, trace=False)]
    assert sum(one.accused for one in found) == 0
    assert sum(one.right for one in found) >= 0.9 * sum(one.events for one in found) > 20


@pytest.mark.parametrize(
    ("game", "seed", "events"),
    [("spectrum", 41, 8), ("spectrum", 56, 8), ("spectrum", 94, 8), ("spectrum", 86, 60), ("spectrangle", 166, 60)],
)
def test_nobody_is_accused_where_somebody_once_was(game: str, seed: int, events: int) -> None:
    ((_, one),) = outcomes(game, [seed], events, trace=False)
    assert one.accused == 0 and one.pictures > 3
