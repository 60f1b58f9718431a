"""The examples of docs/records.md, game by game: judged as the tables below them say, and every line an event."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.foundation.errors import AmbiguousMove, BadNotation, BadRecord
from companion.core.game import Game
from companion.games import GAMES
from companion.referee.journal.record import GameRecord, judge

TEXT = (Path(__file__).parents[3] / "docs" / "records.md").read_text(encoding="utf-8")
SECTIONS = {
    GAMES[name].title: text
    for text in TEXT.split("\n## ")
    if (name := str(re.findall('"game": "([^"]+)"', text)[:1])[2:-2])
}
"""The page's text about each game, by the game's title."""
LINES = {
    "spectrangle": 5, "spectra": 5, "ice-stalks": 5, "regenbogen": 13, "spectrum": 17, "escape": 5, "roll-and-color": 4,
    "solitaire": 6, "casino": 4, "spectrumo": 8, "spectrump": 7, "cribbage": 6, "five-hundred": 9, "poker": 6,
}  # fmt: skip
"""How many lines each game's table of events shows with their objects."""


def begun(name: str) -> tuple[Game[Any], Any]:
    """A game and its first position, of two players where it has them."""
    game = GAMES[name]
    return game, game.start(max(game.seats[0], min(2, game.seats[-1])), game.Options())


def written(name: str) -> list[tuple[str, str]]:
    """Lines and objects of a game's table of events."""
    return re.findall(r"^\| [^|`]+ \| `([^`]+)` \| `(\{[^`]+\})`", SECTIONS[GAMES[name].title], re.M)


@pytest.mark.parametrize("name", GAMES)
def test_the_example_is_judged_as_the_document_says(name: str) -> None:
    section = SECTIONS[GAMES[name].title]
    example = re.search(r"```json\n(.*?)```", section, re.S)
    assert example is not None
    rows = re.findall(r"^\| ([\d, ]+) \| ([^|]+) \|$", section, re.M)
    said = [(int(number), text.strip()) for numbers, text in rows for number in numbers.split(",")]
    found = []
    for one in judge(GAMES[name], msgspec.convert(json.loads(example[1]), GameRecord)):
        assert one.error is None, one
        found.append((one.n, ", ".join(breach.rule for breach in one.breaches) or "allowed"))
    assert found == said and said


@pytest.mark.parametrize("name", GAMES)
def test_every_line_and_object_of_the_table_is_an_event(name: str) -> None:
    game, state = begun(name)
    assert len(written(name)) == LINES[name]
    for line, plain in written(name):
        event = game.event(json.loads(plain))
        assert game.parse(state, line) == event == game.event(msgspec.to_builtins(event))
        assert game.parse(state, game.text(event)) == event
        assert game.text(event) == line or name == "spectra", "pieces that are given are said in their own order"


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_text_is_an_event_or_refused(name: str, data: st.DataObject) -> None:
    """Any letters, and the game's own words in any order with others among them."""
    game, state = begun(name)
    words = st.sampled_from(
        sorted({word for line, _ in written(name) for word in line.split()} | {"??", "R13", "swap"})
    )
    text = data.draw(st.text(max_size=60) | st.lists(words, max_size=9).map(" ".join))
    try:
        event = game.parse(state, text)
    except (BadNotation, AmbiguousMove):
        return
    assert game.parse(state, game.text(event)) == event


@pytest.mark.parametrize("name", GAMES)
@given(data=st.binary(max_size=60))
@settings(max_examples=30, deadline=None)
def test_any_bytes_are_no_state(name: str, data: bytes) -> None:
    with pytest.raises(BadRecord):
        GAMES[name].load(data)
