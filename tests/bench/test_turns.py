"""Whole turns between two pictures, a few of every sort: nothing wrong is accepted and nobody is accused wrongly."""

from __future__ import annotations

from collections import Counter

import pytest

from bench import turns
from tests.companion.matching.readers import READERS
from tests.companion.matching.stories import STORIES

SORTS = [(game, sort) for game, sorts in STORIES.items() for sort in sorts]
WRONG = {"refused wrongly", "accepted wrongly", "crashed"}
TRUE, UNSURE, ROUGH = READERS


@pytest.mark.parametrize(("game", "sort"), SORTS)
def test_true_layouts_lead_to_no_mistake(game: str, sort: str) -> None:
    found = turns.run(STORIES[game][sort], READERS[TRUE], 25, seed=7)
    counts = Counter(told.outcome for told in found)
    assert not WRONG & set(counts), [(told.story, told.verdict) for told in found if told.outcome in WRONG]
    assert counts["right"] >= 0.7 * len(found)
    assert counts["asked"] <= 0.05 * len(found)


@pytest.mark.parametrize("reader", [UNSURE, ROUGH])
@pytest.mark.parametrize(("game", "sort"), SORTS)
def test_a_doubting_reader_leads_to_questions_and_not_to_accusations(game: str, sort: str, reader: str) -> None:
    found = turns.run(STORIES[game][sort], READERS[reader], 3, seed=100)
    counts = Counter(told.outcome for told in found)
    assert not {"refused wrongly", "crashed"} & set(counts), [(told.story, told.verdict) for told in found]


def test_the_command_prints_what_became_of_the_turns(capsys: pytest.CaptureFixture[str]) -> None:
    assert turns.main(["--games", "3", "--only", f"Ice Stalks, three events, {TRUE}", "--show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"Ice Stalks, three events, {TRUE}: 3 turns")
    assert lines[1].split() == ["right", "3", "100.00", "%"]
