"""The examples of docs/records.md for the pyramid games are judged as the tables below them say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from companion.games import GAMES
from companion.journal.record import GameRecord, judge

TEXT = (Path(__file__).parents[3] / "docs" / "records.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def judged(title: str) -> list[tuple[int, str]]:
    """Number and verdict of every event, from the last table of a section."""
    rows = re.findall(r"^\| ([\d, ]+) \| ([^|]+) \|$", section(title), re.M)
    return [(int(number), said.strip()) for numbers, said in rows for number in numbers.split(",")]


@pytest.mark.parametrize("title", ("Spectra", "Ice Stalks"))
def test_the_example_is_judged_as_the_document_says(title: str) -> None:
    example = re.search(r"```json\n(.*?)```", section(title), re.S)
    assert example is not None
    record = msgspec.convert(json.loads(example[1]), GameRecord)
    found = []
    for one in judge(GAMES[record.game], record):
        assert one.error is None
        found.append((one.n, ", ".join(breach.rule for breach in one.breaches) or "allowed"))
    assert found == judged(title)


@pytest.mark.parametrize(("title", "name"), (("Spectra", "spectra"), ("Ice Stalks", "ice-stalks")))
def test_every_line_and_object_of_the_tables_is_an_event(title: str, name: str) -> None:
    game = GAMES[name]
    state = game.start(2, game.Options())
    rows = re.findall(r"^\| [^|`]+ \| `(player [^`]+)` \| `(\{[^`]+\})`", section(title), re.M)
    assert len(rows) >= 4
    for line, plain in rows:
        assert game.parse(state, line) == game.event(json.loads(plain))
