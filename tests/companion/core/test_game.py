"""A position that was read or typed has no moves until its game has checked it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from companion.core.contract import State
from companion.core.foundation.errors import BadRecord
from companion.core.game import Setup
from companion.games import GAMES

GAME = GAMES["spectrangle"]
OPTIONS = GAME.Options()


def refuse(state: State) -> None:
    raise BadRecord("It contradicts itself. Start again.")


STRICT = replace(GAME, check=refuse)
"""A game that takes no position for possible."""


def test_a_setup_has_nothing_of_a_position() -> None:
    setup = GAME.read(2, OPTIONS, {})
    offered = {name for name in dir(State) if not name.startswith("_")}
    assert "legal_moves" in offered
    assert not offered & set(dir(setup))


def test_every_way_from_data_to_a_position_is_checked() -> None:
    data: dict[str, Any] = {"hands": [["GGY4"], ["RRR6"]], "to_move": 0}
    state = GAME.from_record(2, OPTIONS, data)
    assert GAME.load(msgspec.json.encode(state)) == state
    assert isinstance(STRICT.read(2, OPTIONS, data), Setup)
    with pytest.raises(BadRecord, match="contradicts itself"):
        STRICT.from_record(2, OPTIONS, data)
    with pytest.raises(BadRecord, match="contradicts itself"):
        STRICT.load(msgspec.json.encode(state))
