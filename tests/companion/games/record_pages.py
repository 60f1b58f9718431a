"""Sections of docs/records.md, taken apart for the tests that judge their examples."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from companion.game import Game
from companion.journal.record import GameRecord, judge

_TEXT = (Path(__file__).parents[3] / "docs" / "records.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text under a heading."""
    return _TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def promised(title: str) -> list[tuple[int, str]]:
    """Number and verdict of every event, as the last table of a section has them."""
    rows = re.findall(r"^\| ([\d, ]+) \| ([^|]+) \|$", section(title), re.M)
    return [(int(number), said.strip()) for numbers, said in rows for number in numbers.split(",")]


def found(title: str, game: Game[Any]) -> list[tuple[int, str]]:
    """Number and verdict of every event of the example, as the game judges them."""
    example = re.search(r"```json\n(.*?)```", section(title), re.S)
    assert example is not None
    record = msgspec.convert(json.loads(example[1]), GameRecord)
    assert record.game == game.name
    verdicts = []
    for one in judge(game, record):
        assert one.error is None, one
        verdicts.append((one.n, ", ".join(breach.rule for breach in one.breaches) or "allowed"))
    return verdicts


def lines_and_objects(title: str) -> list[tuple[str, dict[str, Any]]]:
    """Every line of the table of events that has an object beside it, with the object."""
    rows = re.findall(r"^\| [^|`]+ \| `([^`]+)` \| `(\{[^`]+\})`", section(title), re.M)
    return [(line, json.loads(plain)) for line, plain in rows]
