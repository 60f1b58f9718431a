"""Regenbogen as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.decoding import UNREADABLE
from companion.errors import BadNotation, BadRecord
from companion.games.regenbogen import notation
from companion.games.regenbogen.data import SIDES
from companion.games.regenbogen.moves import Fight, Go, Heal, Move, Recover, SelfDestruct, Summon
from companion.games.regenbogen.options import Options
from companion.games.regenbogen.position import check, read, start
from companion.games.regenbogen.state import RegenbogenState


class RegenbogenGame:
    """The game (the contract's `Game`)."""

    name = "regenbogen"
    title = "Regenbogen"
    rules = 2
    seats = range(len(SIDES), len(SIDES) + 1)
    left_stands: str | None = None
    Options: type[Struct] = Options

    def start(self, seats: int, options: Struct) -> RegenbogenState:
        """The array of RGB-7, White to move.

        :raises BadOptions: other than two players.
        """
        return start(seats, _options(options))

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> RegenbogenState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadRecord: the position contradicts itself, with the reason.
        :raises BadOptions: other than two players.
        """
        return read(seats, _options(options), position)

    def event(self, data: Any) -> Move:
        """A move from plain JSON data.

        :raises BadNotation: it is not one.
        """
        try:
            move: Move = msgspec.convert(data, Move)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no move of Regenbogen: {error}. See docs/records.md.") from error
        return move

    def text(self, event: Move) -> str:
        """One line that means the same in every position."""
        return notation.text(event)

    def parse(self, state: RegenbogenState, text: str) -> Move:
        """The move that a line of text names, legal or not; an action may leave out its piece if only one may do it.

        :raises BadNotation: no move of this game reads so.
        :raises AmbiguousMove: several pieces may do it.
        """
        return notation.parse(state, text)

    def load(self, data: bytes) -> RegenbogenState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Regenbogen.
        """
        try:
            state = msgspec.json.decode(data, type=RegenbogenState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Regenbogen: {error}. Start from a position.") from error
        check(state)
        return state

    def bound(self, state: RegenbogenState) -> int:
        """Damage and heals may take turns for a very long time before positions repeat. This many moves are absurd."""
        return 1_000_000

    def words(self, state: RegenbogenState, event: Move) -> dict[str, Any] | None:
        """The move in the words of a recording; None for what a recording does not name, such as a turn's end."""
        if not isinstance(event, Go | Fight | Summon | Heal | Recover | SelfDestruct):
            return None
        plain = msgspec.to_builtins(event)
        return {"player": plain.pop("seat"), **plain}


def _options(options: Struct) -> Options:
    assert isinstance(options, Options)
    return options


REGENBOGEN = RegenbogenGame()
