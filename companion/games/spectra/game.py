"""Spectra as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.contract import Drawn
from companion.decoding import UNREADABLE
from companion.errors import BadNotation, BadRecord
from companion.games.spectra import notation
from companion.games.spectra.moves import Add, Exchange, SpectraEvent
from companion.games.spectra.options import Options, tree_colors
from companion.games.spectra.position import check, read, seen_position, start
from companion.games.spectra.stash import KIND, TREE_COLORS
from companion.games.spectra.state import SpectraState
from companion.layout import Layout
from companion.pieces import Pyramid


class SpectraGame:
    """The game (the contract's `Game`)."""

    name = "spectra"
    title = "Spectra"
    rules = 1
    seats = range(2, len(TREE_COLORS) + 1)
    left_stands: str | None = "SPA-28"
    Options: type[Struct] = Options

    def start(self, seats: int, options: Struct) -> SpectraState:
        """One large each, everything else in the bag, any player may begin (SPA-2, SPA-5).

        :raises BadOptions: the number of seats or the colors are not possible.
        """
        return start(tree_colors(seats, _options(options)))

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> SpectraState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadRecord: the position contradicts itself, with the reason.
        :raises BadOptions: the number of seats or the colors are not possible.
        """
        return read(tree_colors(seats, _options(options)), position)

    def seen_position(self, seats: int, options: Struct, seen: Layout) -> Mapping[str, Any]:
        """The position, in the same JSON form, that a recording's first steady picture shows.

        :raises BadOptions: the number of seats or the colors are not possible.
        """
        return seen_position(tree_colors(seats, _options(options)), seen)

    def event(self, data: Any) -> SpectraEvent:
        """An event from plain JSON data; a piece may be an object or words: "red small".

        :raises BadNotation: it is not one.
        """
        try:
            event: SpectraEvent = msgspec.convert(_plain_event(data), SpectraEvent)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no event of Spectra: {error}. See docs/records.md.") from error
        return event

    def text(self, event: SpectraEvent) -> str:
        """One line that means the same in every position."""
        return notation.text(event)

    def parse(self, state: SpectraState, text: str) -> SpectraEvent:
        """The event that a line of text names, legal or not.

        :raises BadNotation: no event of this game reads so.
        """
        return notation.parse(text)

    def load(self, data: bytes) -> SpectraState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Spectra.
        """
        try:
            state = msgspec.json.decode(data, type=SpectraState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Spectra: {error}. Start from a journal or a position.") from error
        check(state)
        return state

    def bound(self, state: SpectraState) -> int:
        """Spectra has no longest game: draws and exchanges with the bag may go on for ever. This many are absurd."""
        return 1_000_000

    def words(self, state: SpectraState, event: SpectraEvent) -> dict[str, Any] | None:
        """The event in the words of `companion watch`; None for what a camera cannot see, such as the bag passed on.

        :param state: the position before the event; a tree's number is the first tree that lacks the piece's size.
        """
        match event:
            case Drawn(seat=seat, pieces=(Pyramid() as piece,)):
                return {"player": seat, "type": "draw", "took": _plain(piece)}
            case Add():
                kind = KIND.get(event.piece)
                tree = 0 if kind is None else min(state.trees[event.owner][kind], 2)
                return {"player": event.seat, "type": "add", "piece": _plain(event.piece), "tree": tree}
            case Exchange():
                gave = [_plain(piece) for piece in event.gave]
                took = {"took": _plain(event.took), "with": event.source}
                return {"player": event.seat, "type": "exchange", "gave": gave, **took}
        return None


def _plain_event(data: Any) -> Any:
    """The data with every piece written as an object."""
    if not isinstance(data, Mapping):
        return data
    plain = {key: _plain_piece(value) if key in ("took", "piece") else value for key, value in data.items()}
    for key in ("gave", "from_trees", "pieces"):
        if isinstance(plain.get(key), list | tuple):
            plain[key] = [_plain_piece(value) for value in plain[key]]
    return plain


def _plain_piece(data: Any) -> Any:
    if isinstance(data, str):
        return msgspec.to_builtins(notation.piece(data))
    return {"type": "pyramid", **data} if isinstance(data, Mapping) else data


def _plain(piece: Pyramid) -> dict[str, str]:
    return {"color": piece.color, "size": piece.size}


def _options(options: Struct) -> Options:
    assert isinstance(options, Options)
    return options


SPECTRA = SpectraGame()
