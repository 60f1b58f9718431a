"""Whole turns between two pictures, a few of every sort: nothing wrong is accepted and nobody is accused wrongly."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from bench import turns
from companion.core.verdict import Accepted, Refused, Verdict
from companion.games.spectra.moves import Add, Exchange
from companion.games.spectra.stash import KINDS
from simulation.matching.readers import READERS
from simulation.matching.stories import STORIES, Story

SORTS = [(game, sort) for game, sorts in STORIES.items() for sort in sorts]
WRONG = set(turns.WRONG)
TRUE, UNSURE, ROUGH = READERS


@pytest.mark.parametrize(("game", "sort"), SORTS)
def test_true_layouts_lead_to_no_mistake(game: str, sort: str) -> None:
    found = turns.run(STORIES[game][sort], READERS[TRUE], 25, seed=7)
    counts = Counter(told.outcome for told in found)
    assert not WRONG & set(counts), [(told.story, told.verdict) for told in found if told.outcome in WRONG]
    assert counts["right"] >= 0.7 * len(found)
    assert counts["asked"] <= 0.08 * len(found), "who would have broken three rules after another's turn is asked"


@pytest.mark.parametrize("reader", [UNSURE, ROUGH])
@pytest.mark.parametrize(("game", "sort"), SORTS)
def test_a_doubting_reader_leads_to_questions_and_not_to_accusations(game: str, sort: str, reader: str) -> None:
    found = turns.run(STORIES[game][sort], READERS[reader], 3, seed=100)
    counts = Counter(told.outcome for told in found)
    accused = {"refused wrongly", "refused with a wrong piece", "crashed"}
    assert not accused & set(counts), [(told.story, told.verdict) for told in found]
    unsure = sum(told.outcome not in ("right", *WRONG) for told in found)
    assert counts["right"] + unsure >= len(found) - 1, counts


def test_the_command_prints_what_became_of_the_turns(capsys: pytest.CaptureFixture[str]) -> None:
    assert turns.main(["--games", "3", "--only", f"Ice Stalks, three events, {TRUE}", "--show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"Ice Stalks, three events, {TRUE}: 3 turns")
    assert lines[1].split() == ["right", "3", "100.00", "%"]


def half_a_story(story: Story, *_: object) -> Verdict:
    """The first of several events, accepted as if it were all that happened."""
    return Accepted(story.events[:1], 9.0, 9.0)


@pytest.mark.parametrize(("reader", "status"), [(TRUE, 1), (UNSURE, 0)])
def test_an_accepted_event_that_differs_counts_as_wrong_and_is_the_referees_fault_if_the_reading_is_true(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], reader: str, status: int
) -> None:
    monkeypatch.setattr(turns, "look", half_a_story)
    assert turns.main(["--games", "3", "--only", f"Ice Stalks, three events, {reader}"]) == status
    assert "accepted wrongly" in capsys.readouterr().out


def test_an_accusation_that_names_a_wrong_piece_is_wrong() -> None:
    rng = random.Random(7)
    story = next(made for _ in range(50) if (made := STORIES["Spectra"]["illegal, not drawn"](rng)) is not None)
    assert story.wrong is not None
    breaches = story.last.violations(story.wrong)
    rules = [
        move for move in others(story) if {one.rule for one in story.last.violations(move)} & {b.rule for b in breaches}
    ]
    verdict = Refused(rules[0], story.wrong.seat, story.last.violations(rules[0]), 9.0, story.events[:-1])
    assert turns.outcome(story, verdict) == "refused with a wrong piece"
    assert turns.harmless([turns.JudgedStory("refused with a wrong piece", story, verdict, 0.0)]) == 0


def others(story: Story) -> list[Any]:
    """The illegal move of a story with other pieces."""
    assert isinstance(story.wrong, Exchange | Add)
    field = "took" if isinstance(story.wrong, Exchange) else "piece"
    kinds = [kind for kind in KINDS if kind != getattr(story.wrong, field)]
    return [msgspec.structs.replace(story.wrong, **{field: kind}) for kind in kinds]
