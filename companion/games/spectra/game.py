"""Spectra as the command line, the page and the journal meet it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.capabilities import ChanceEvents, HiddenInformation, PlacedWords, Proposer
from companion.core.contract import Drawn
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece, Pyramid
from companion.games.shared.forms.short_forms import written_out
from companion.games.shared.search.ways import without_order
from companion.games.spectra import hidden, notation, search
from companion.games.spectra.moves import Add, Exchange, SpectraEvent
from companion.games.spectra.options import Options, tree_colors
from companion.games.spectra.position import check, read, seen_position, set_out, start, turns
from companion.games.spectra.situation import OWN_KINDS
from companion.games.spectra.stash import KIND, TREE_COLORS, changed, supply_spot, trees_spot
from companion.games.spectra.state import SpectraState, put
from companion.games.spectra.tree_numbers import TreeNumbers


def _begin(seats: int, options: Options) -> SpectraState:
    """The first position: one large each, everything else in the bag, any player may begin (SPA-2, SPA-5)."""
    return start(tree_colors(seats, options))


def _seen_position(seats: int, options: Options, seen: Layout) -> Mapping[str, Any]:
    return seen_position(tree_colors(seats, options), seen)


def _words_of(state: SpectraState, event: SpectraEvent) -> dict[str, Any] | None:
    """The event in the words of `companion watch`; None for what a camera cannot see, such as the bag passed on.

    :param state: the position before the event. Without a picture, the tree is the first one that lacks the piece's
        size.
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


def _placed_words(
    trees: TreeNumbers, seen: Layout, state: SpectraState, event: SpectraEvent
) -> tuple[dict[str, Any] | None, TreeNumbers]:
    """The same of an event that a reading shows: the tree is the one in which the piece stands."""
    words = _words_of(state, event)
    if words is not None and isinstance(event, Add):
        words["tree"], trees = trees.add(trees_spot(event.owner), event.piece, seen)
    return words, trees


def _plain_piece(data: Any) -> Any:
    if isinstance(data, str):
        return msgspec.to_builtins(notation.piece(data))
    return {"type": "pyramid", **data} if isinstance(data, Mapping) else data


def _plain(piece: Pyramid) -> dict[str, str]:
    return {"color": piece.color, "size": piece.size}


def _reread(state: SpectraState, spot: Spot, was: Piece | None, now: Piece | None) -> SpectraState | None:
    """The same position, had a piece of a heap been something else all along; None if that cannot be.

    The set may have no such piece, or it cannot stand in those trees; and each seat's have the large with which they
    began (SPA-2, SPA-12).

    :param was: the piece in the record; `now` is the piece as seen. None stands for no piece.
    """
    heap = next(
        (
            (seat, tree)
            for seat in range(state.seats)
            for tree in (0, 1)
            if spot == (supply_spot, trees_spot)[tree](seat)
        ),
        None,
    )
    kinds = [KIND.get(piece) if isinstance(piece, Pyramid) else None for piece in (was, now)]
    if heap is None or any(kind is None and one is not None for kind, one in zip(kinds, (was, now), strict=True)):
        return None
    seat, tree = heap
    large, *_ = own = OWN_KINDS[state.colors[seat]]
    if tree and (kinds[1] not in (None, *own) or (kinds[0] == large and state.trees[seat][large] == 1)):
        return None
    piles, bag = (state.supplies, state.trees)[tree], state.bag
    for kind, by in zip(kinds, (-1, 1), strict=True):
        if kind is not None:
            if not (piles[seat] if by < 0 else bag)[kind]:
                return None
            piles, bag = put(piles, seat, kind, by), changed(bag, kind, -by)
    return replace(state, bag=bag, trees=piles) if tree else replace(state, bag=bag, supplies=piles)


SPECTRA: Game[SpectraState] = Game.of(
    GameInfo(
        "spectra",
        "Spectra",
        rules=1,
        seats=range(2, len(TREE_COLORS) + 1),
        seats_rule="SPA-2",
        Options=Options,
        left_stands="SPA-28",
    ),
    Positions(SpectraState, _begin, read, check),
    EventCodec(
        SpectraEvent,
        notation.text,
        lambda state, text: notation.parse(text),
        _words_of,
        plain=written_out(dict.fromkeys(("took", "piece", "gave", "from_trees", "pieces"), _plain_piece)),
    ),
    Capabilities(
        proposer=dataclasses.replace(
            Proposer.of(search),
            history_key=without_order,
            rarity=search.rarity,
            reread=_reread,
            seen_position=_seen_position,
            set_out=set_out,
            turns=turns,
        ),
        placed_words=PlacedWords(TreeNumbers(), TreeNumbers.follow, _placed_words),
        chance=ChanceEvents(outcomes=hidden.outcomes, sample=hidden.sample),
        hidden=HiddenInformation(unseen=hidden.unseen),
    ),
)
"""The one game object."""
