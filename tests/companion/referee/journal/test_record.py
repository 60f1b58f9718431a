"""Written records, judged event by event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.core.foundation.errors import BadOptions, BadRecord
from companion.games import GAMES
from companion.referee.journal.record import LARGEST_BYTES, GameRecord, judge, load_record
from simulation.ladder import LADDER

SPECTRANGLE = GAMES["spectrangle"]
HANDS = {"hands": [["GGY4", "PPB4"], ["RYB1", "BBR5"]], "bag": 0}


def written(folder: Path, data: Any) -> Path:
    path = folder / "record.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_events_are_lines_or_objects() -> None:
    record = GameRecord(
        "ladder", ("A", "B"), events=("draw 1 BBB6 RRP5", {"type": "skip"}, "draw 0 RRR6 RRY5", "RRR6 c4")
    )
    found = list(judge(LADDER, record))
    assert [one.legal for one in found] == [True, False, True, True]
    assert [one.n for one in found] == [1, 2, 3, 4]
    assert found[1].breaches[0].rule == "LAD-5"
    assert found[1].event == {"type": "skip"}
    assert found[3].scores == (6, 0)


def test_an_illegal_event_changes_nothing_and_judging_goes_on() -> None:
    record = GameRecord("spectrangle", ("A", "B"), position=HANDS, events=("GGY4 c20 GYG", "GGY4 c21 GYG"))
    first, second = judge(SPECTRANGLE, record)
    assert (first.legal, first.breaches[0].rule, first.scores) == (False, "TRI-8", (0, 0))
    assert (second.legal, second.breaches, second.scores) == (True, (), (4, 0))


def test_an_event_that_cannot_be_read_says_why() -> None:
    record = GameRecord("ladder", ("A", "B"), events=("castle", {"type": "draughts"}))
    first, second = judge(LADDER, record)
    assert (first.legal, first.text) == (False, None)
    assert first.error is not None and '"castle" is no event of Ladder' in first.error
    assert second.error is not None and "not an event of Ladder" in second.error


def test_the_end_is_told_and_what_comes_after_it_is_not_allowed() -> None:
    record = GameRecord(
        "ladder",
        ("A", "B"),
        {"cells": 2},
        events=("draw 1 BBB6 RRP5", "draw 0 RRR6 RRY5", "RRR6 c0", "draw 0 PPP6", "RRP5 c1", "skip"),
    )
    found = list(judge(LADDER, record))
    assert found[4].outcome is not None and found[4].outcome.places == ((0,), (1,))
    assert (found[5].legal, found[5].breaches[0].rule) == (False, "LAD-7")


def test_a_draw_that_is_not_due_is_not_allowed() -> None:
    (judged,) = judge(
        SPECTRANGLE, GameRecord("spectrangle", ("A", "B"), {"hands": "unseen"}, events=("player 1 draws GGY4",))
    )
    assert not judged.legal
    assert judged.breaches or judged.error


def test_what_the_game_does_not_have_is_refused_before_the_first_event() -> None:
    with pytest.raises(BadOptions, match="2 to 4 players, not 5"):
        next(judge(SPECTRANGLE, GameRecord("spectrangle", ("A",) * 5)))
    with pytest.raises(BadOptions, match="no option"):
        next(judge(SPECTRANGLE, GameRecord("spectrangle", ("A", "B"), {"bells": 1})))
    with pytest.raises(BadRecord):
        next(judge(SPECTRANGLE, GameRecord("spectrangle", ("A", "B"), position={"hands": [["GGY4", "GGY4"], []]})))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("", "is not a record"),
        ("{", "is not a record"),
        ([], "is not a record"),
        ({"game": "ladder"}, "missing required field `players`"),
        ({"game": "ladder", "players": ["A", "B"], "evnts": []}, "unknown field `evnts`"),
        ({"game": "ladder", "players": ["A", "B"], "events": [7]}, "is not a record"),
        ("[" * 100_000, "is not a record"),
        (" " * (LARGEST_BYTES + 1), "at most"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path: Path, data: Any, sentence: str) -> None:
    with pytest.raises(BadRecord, match=sentence):
        load_record(written(tmp_path, data))


def test_a_record_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="cannot be read"):
        load_record(tmp_path / "none.json")
    with pytest.raises(BadRecord, match="cannot be read"):
        load_record(tmp_path)


def test_a_record_is_read_with_its_defaults(tmp_path: Path) -> None:
    record = load_record(written(tmp_path, {"game": "ladder", "players": ["A", "B"]}))
    assert record == GameRecord("ladder", ("A", "B"))
