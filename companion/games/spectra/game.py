"""Spectra as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.contract import Drawn
from companion.game import Game
from companion.games.spectra import notation
from companion.games.spectra.moves import Add, Exchange, SpectraEvent
from companion.games.spectra.options import Options, tree_colors
from companion.games.spectra.position import check, read, seen_position, start
from companion.games.spectra.stash import KIND, TREE_COLORS
from companion.games.spectra.state import SpectraState
from companion.layout import Layout
from companion.pieces import Pyramid


def _begin(seats: int, options: Options) -> SpectraState:
    """The first position: one large each, everything else in the bag, any player may begin (SPA-2, SPA-5)."""
    return start(tree_colors(seats, options))


def _read(seats: int, options: Options, position: Mapping[str, Any]) -> SpectraState:
    return read(tree_colors(seats, options), position)


def _seen_position(seats: int, options: Options, seen: Layout) -> Mapping[str, Any]:
    return seen_position(tree_colors(seats, options), seen)


def _words_of(state: SpectraState, event: SpectraEvent) -> dict[str, Any] | None:
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


SPECTRA = Game(
    name="spectra",
    title="Spectra",
    rules=1,
    seats=range(2, len(TREE_COLORS) + 1),
    seats_rule="SPA-2",
    Options=Options,
    state_type=SpectraState,
    event_type=SpectraEvent,
    begin=_begin,
    read=_read,
    check=check,
    text=notation.text,
    parse=lambda state, text: notation.parse(text),
    words=_words_of,
    plain=_plain_event,
    # Spectra has no longest game: draws and exchanges with the bag may go on for ever. This many are absurd.
    left_stands="SPA-28",
)
"""The one game object."""
