"""What is written of a game's events and positions: read back as it was, or refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.core.foundation.errors import BadNotation, BadRecord
from companion.core.game import Game


def assert_read_back(game: Game[Any], state: Any, event: Any, line: str | None = None) -> None:
    """The event's line, in any case and with spaces around it, and its JSON are read as the event.

    :param line: what the event's line has to be.
    """
    text = game.text(event)
    assert line is None or text == line
    assert game.parse(state, text) == event
    assert game.parse(state, f"  {text.upper()} ") == event
    assert game.event(msgspec.to_builtins(event)) == event


def assert_no_events(game: Game[Any], state: Any, lines: str, *objects: Any) -> None:
    """None of these is an event of a game.

    :param lines: with a stroke between two of them.
    """
    for line in lines.split(" | "):
        with pytest.raises(BadNotation):
            pytest.fail(f"{line!r} is read as {game.parse(state, line)}")
    for plain in objects:
        with pytest.raises(BadNotation):
            pytest.fail(f"{plain!r} is read as {game.event(plain)}")


def assert_damage_is_refused(game: Game[Any], state: Any, *changes: dict[str, Any]) -> None:
    """A position is read back from its JSON, and refused with any of these fields in place of its own.

    :param changes: of a field that has fields itself, only those that are named are replaced.
    """
    plain = msgspec.to_builtins(state)
    assert game.load(msgspec.json.encode(plain)) == state
    for change in changes:
        with pytest.raises(BadRecord):
            pytest.fail(f"{change} is read as {game.load(msgspec.json.encode(_changed(plain, change)))}")
    for data in (b"{}", b"[]", b"3", b"{"):
        with pytest.raises(BadRecord):
            game.load(data)


def _changed(plain: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    inner = {
        name: _changed(plain[name], value)
        for name, value in change.items()
        if isinstance(value, dict) and isinstance(plain.get(name), dict)
    }
    return {**plain, **change, **inner}
