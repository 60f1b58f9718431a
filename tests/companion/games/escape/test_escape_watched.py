"""Random rounds seen by a doubting camera: what happened is told or asked, mistakes are named, nobody is accused wrongly."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.companion.games.escape.watched_escape import play


@pytest.mark.parametrize("least", [0.97, 0.85])
def test_rounds_are_told_and_mistakes_named(least: float) -> None:
    played = [play(seed, 25, least=least) for seed in range(6)]
    found: Counter[str] = sum((one.counts for one in played), Counter())
    failures = [line for one in played for line in one.failures]
    assert found["accused"] == found["not put back"] == 0, failures
    assert found["silent"] + found["wrong"] + found["asked in vain"] <= 0.02 * found["pictures"], failures
    assert found["missed"] <= 0.05 * found["mistakes"], failures
    # A die that is read at doubt may excuse what was done, so a doubting reader's referee asks.
    assert found["named"] + found["mistake Unclear"] > 0.85 * found["mistakes"] > 0, found
    assert found["named"] > (0.85 if least > 0.9 else 0.3) * found["mistakes"], found
