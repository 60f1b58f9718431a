"""Lines and objects that are no events of a game."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import BadNotation
from companion.game import Game


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
