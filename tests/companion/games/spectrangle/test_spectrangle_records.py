"""The example of docs/records.md for Spectrangle is judged as the tables below it say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from companion.core.foundation.errors import MoveError
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.position import PositionForm
from companion.referee.journal.record import GameRecord

TEXT = (Path(__file__).parents[4] / "docs" / "records.md").read_text(encoding="utf-8")
SECTION = TEXT.partition("\n## Spectrangle\n")[2].partition("\n## ")[0]


def example() -> GameRecord:
    found = re.search(r"```json\n(.*?)```", SECTION, re.S)
    assert found is not None
    return msgspec.convert(json.loads(found[1]), GameRecord)


def said() -> dict[int, str]:
    """Verdicts by number, from the last table."""
    rows = re.findall(r"^\| ([\d, ]+) \| ([^|]+) \|$", SECTION, re.M)
    return {int(number): verdict.strip() for numbers, verdict in rows for number in numbers.split(",")}


def test_the_example_plays_through_the_games_own_interface() -> None:
    record = example()
    state = SPECTRANGLE.from_record(2, SPECTRANGLE.Options(**record.options), record.position or {})
    for number, written in enumerate(record.events, 1):
        event = SPECTRANGLE.parse(state, written) if isinstance(written, str) else SPECTRANGLE.event(written)
        breaches = state.violations(event)
        assert (", ".join(breach.rule for breach in breaches) or "allowed") == said()[number]
        try:
            state = state.apply(event)
            assert not breaches
        except MoveError:
            assert breaches
    assert [score.total for score in state.scores()] == [9, 16]


def test_the_document_names_every_key_of_a_position() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", SECTION, re.M)) == set(PositionForm.__struct_fields__)
