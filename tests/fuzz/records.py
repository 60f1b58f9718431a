"""Written records, from right to hopeless: each event has a verdict, or the record is refused in a sentence."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.core.foundation.errors import CompanionError
from companion.games import GAMES
from companion.referee.journal import timeline
from companion.referee.journal.record import judge, load_record
from companion.referee.journal.timeline import options_of
from tests.fuzz.played import any_case, some_events
from tests.fuzz.spoiling import spoiled, spoiled_bytes


def one(rng: Random) -> None:
    """One record: written from a game, mostly spoiled."""
    record = written(rng)
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        record = spoiled(rng, record)
    data = msgspec.json.encode(record) if _can_be_written(record) else b"{}"
    if rng.random() < 0.15:
        data = spoiled_bytes(rng, data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.json"
        path.write_bytes(data)
        try:
            loaded = load_record(path)
            game = GAMES.get(loaded.game)
            verdicts = [] if game is None else list(judge(game, loaded))
        except CompanionError as error:
            assert str(error)
            return
    for verdict in verdicts:
        assert verdict.legal != bool(verdict.breaches or verdict.error)
        msgspec.json.encode(verdict)


def written(rng: Random) -> Any:
    """The record of a game as it was played, its events as lines or objects, from its start or from a position."""
    case, start = any_case(rng)
    events, states = some_events(start, rng, 15)
    begin = rng.randrange(len(states)) if rng.random() < 0.4 else 0
    lines = [case.game.text(event) if rng.random() < 0.6 else msgspec.to_builtins(event) for event in events[begin:]]
    return {
        "game": case.game.name,
        "players": [f"P{seat}" for seat in range(case.seats)],
        "options": msgspec.to_builtins(case.options),
        "position": timeline.written(states[begin]) if begin else None,
        "events": lines,
    }


def _can_be_written(record: Any) -> bool:
    try:
        msgspec.json.encode(record)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def setting_up(rng: Random) -> None:
    """Positions in the words of each game, spoiled: refused in a sentence, or a position that goes on."""
    form = rng.choice(FORMS)
    game = GAMES[form["game"]]
    seats = len(form["players"]) if rng.random() < 0.9 else rng.choice(game.seats)
    try:
        options = options_of(game, form.get("options", {}))
        state = game.from_record(seats, options, spoiled(rng, form["position"], rng.choice((0, 1, 1, 2, 4))))
    except CompanionError as error:
        assert str(error)
        return
    some_events(state, rng, 6)
    assert game.load(msgspec.json.encode(state)) == state


def forms() -> list[Any]:
    """The records with positions that docs/records.md shows."""
    text = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    found = [msgspec.json.decode(block) for block in re.findall(r"```json\n(.*?)```", text, re.S)]
    return [plain for plain in found if isinstance(plain, dict) and plain.get("position")]


FORMS = forms()
