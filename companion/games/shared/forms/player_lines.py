"""Reads lines of notation that begin with a player: "player 1 plays R9". Capitals and further spaces do not matter."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from companion.core.contract import Seat
from companion.core.foundation.errors import BadNotation


def written_out(forms: Mapping[str, Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Returns the function that writes out the data of an event; data that is not an object stays unchanged.

    Args:
        forms: Field to the function that turns a value, or each value of a list, into an object.
    """

    def plain(data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        return {key: _each(value, forms[key]) if key in forms else value for key, value in data.items()}

    return plain


def _each(value: Any, form: Callable[[Any], Any]) -> Any:
    return [form(one) for one in value] if isinstance(value, list | tuple) else form(value)


_LINE = re.compile(r"player (\d+) (.+)")

E = TypeVar("E")
Made = Callable[[Seat, re.Match[str]], Any]
"""Makes the event from a player and the match of a pattern; returns None if the text is not an event after all."""


class PlayerLines(Generic[E]):
    """The notation of one game's events.

    Args:
        title: The title of the game.
        players: The largest number of players; if it is one, lines need not name the player.
        forms: Pattern of the text after the player, in small letters, to the function that makes the event.
        examples: A sentence with examples.
        told: Reads lines that name entered dice or pieces; returns None for other lines.
    """

    def __init__(
        self,
        title: str,
        players: int,
        forms: Mapping[str, Made],
        examples: str,
        told: Callable[[str], Any] = lambda line: None,
    ) -> None:
        self._title = title
        self._players = players
        self._forms = [(re.compile(pattern), made) for pattern, made in forms.items()]
        self._examples = examples
        self._told = told

    def parse(self, state: Any, line: str) -> E:
        """Calls `read`, for games whose lines name the same event in every position."""
        return self.read(line)

    def read(self, line: str) -> E:
        """Returns the event that a line names, legal or not.

        Raises:
            BadNotation: No event of the game reads so.
        """
        told: E | None = self._told(line)
        if told is not None:
            return told
        words = " ".join(line.lower().split())
        whole = _LINE.fullmatch(words if self._players > 1 or words.startswith("player") else f"player 1 {words}")
        if whole is not None:
            seat = int(whole[1]) - 1
            if not 0 <= seat < self._players:
                raise BadNotation(f'"{line}" names player {whole[1]}; players are 1 to {self._players}.')
            for pattern, made in self._forms:
                found = pattern.fullmatch(whole[2])
                event: E | None = None if found is None else made(seat, found)
                if event is not None:
                    return event
        raise BadNotation(f'"{line}" is no event of {self._title}. {self._examples}')
