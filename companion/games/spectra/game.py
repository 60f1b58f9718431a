"""The game object of Spectra, which the command line, the page and the journal use."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import dist
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.capabilities import ChanceEvents, HiddenInformation, PlacedWords, Proposer
from companion.core.contract import Chance, Drawn
from companion.core.foundation.errors import BadEvent
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.layout import Layout, PointMm, Spot
from companion.core.pieces import Piece, Pyramid
from companion.games.shared.forms.player_lines import written_out
from companion.games.shared.search.ways import without_order
from companion.games.spectra import moves as notation
from companion.games.spectra import search
from companion.games.spectra.moves import Add, Exchange, SpectraEvent
from companion.games.spectra.position import Options, check, read, seen_position, set_out, start, tree_colors, turns
from companion.games.spectra.situation import OWN_KINDS
from companion.games.spectra.stash import KIND, KINDS, TREE_COLORS, changed, supply_spot, trees_spot
from companion.games.spectra.state import SpectraState, put

# Numbers a seat's trees by their places on the table.
#
# Positions count the pieces of all trees of a seat together (SPA-11), so they cannot say which tree a piece goes
# into. A reading can: the trees that stand when the game begins are numbered from the left, and each one that is
# begun later gets the next number. A tree keeps its number when it grows and when it is pushed.

NEAR_MM = 15.0
"""A stack within this distance of a tree's old place is that tree. Larges, 25 mm wide, stand farther apart."""


class StandingTree(Struct, frozen=True):
    """A stack of a seat's trees in the last reading."""

    at_mm: PointMm
    """The place of the stack on the table, in millimeters."""
    pieces: tuple[Piece | None, ...]
    """The pieces read, in no order."""

    def grown_into(self, other: StandingTree) -> bool:
        """True if the other tree holds all of this tree's pieces: pieces never leave a tree (SPA-12)."""
        return not Counter(self.pieces) - Counter(other.pieces)


class TreeNumbers(Struct, frozen=True):
    """The trees of all seats, each at the index of its number. The object is immutable; `follow` returns another
    one.
    """

    trees: Mapping[Spot, tuple[StandingTree, ...]] = {}
    """Heap to its numbered trees. A stack gets a number only when a piece is added to it."""

    def follow(self, seen: Layout) -> TreeNumbers:
        """Returns the trees where a reading shows them now; trees that it does not show stay where they were."""
        trees = dict(self.trees)
        for spot in seen.heaps:
            stacks = stacks_of(seen, spot)
            if spot not in trees:
                trees[spot] = tuple(sorted(stacks, key=lambda one: one.at_mm))
            else:
                now = dict(zip(self._numbers(spot, stacks), stacks, strict=True))
                trees[spot] = tuple(now.get(number, old) for number, old in enumerate(trees[spot]))
        return TreeNumbers(trees)

    def add(self, spot: Spot, piece: Pyramid, seen: Layout) -> tuple[int, TreeNumbers]:
        """Returns the number of the tree to which a piece was added, as a reading shows it, and the numbers after that.

        If no stack shows one more of that piece, one is misread: then it is the first tree that lacks the size.
        """
        known = self.trees.get(spot, ())
        stacks = stacks_of(seen, spot)
        for number, stack in sorted(zip(self._numbers(spot, stacks), stacks, strict=True), key=lambda one: one[0]):
            before = known[number].pieces if number < len(known) else ()
            if stack.pieces.count(piece) > before.count(piece):
                grown = StandingTree(stack.at_mm, (*before, piece))
                return number, TreeNumbers({**self.trees, spot: (*known[:number], grown, *known[number + 1 :])})
        return _first_lacking(known, piece), self

    def _numbers(self, spot: Spot, stacks: tuple[StandingTree, ...]) -> list[int]:
        """Returns the tree number of each stack of a heap; a new stack gets the next number.

        Trees are searched at their old places first, then among the stacks that hold all of their pieces.
        """
        known = self.trees.get(spot, ())
        found: dict[int, int] = {}
        ways = sorted(
            (not near, dist(tree.at_mm, stack.at_mm), number, at)
            for number, tree in enumerate(known)
            for at, stack in enumerate(stacks)
            if (near := dist(tree.at_mm, stack.at_mm) < NEAR_MM) or tree.grown_into(stack)
        )
        for *_, number, at in ways:
            if at not in found and number not in found.values():
                found[at] = number
        return [found.get(at, len(known)) for at in range(len(stacks))]


def _first_lacking(trees: Sequence[StandingTree], piece: Pyramid) -> int:
    """Returns the number of the first tree that shows no piece of a size; where all do, a large begins the next one."""
    sizes = [{one.size for one in tree.pieces if isinstance(one, Pyramid)} for tree in trees]
    next_number = len(trees) if piece.size == "large" else 0
    return next((number for number, held in enumerate(sizes) if piece.size not in held), next_number)


def stacks_of(seen: Layout, spot: Spot) -> tuple[StandingTree, ...]:
    """Returns the stacks of a heap of pyramids whose places a reading gives."""
    stacks: dict[PointMm, list[Piece | None]] = {}
    for sighting in seen.heaps.get(spot, ()):
        if sighting.place in seen.at_mm:
            stacks.setdefault(seen.at_mm[sighting.place], []).append(sighting.piece)
    return tuple(StandingTree(at_mm, tuple(pieces)) for at_mm, pieces in stacks.items())


def unseen(state: SpectraState) -> Mapping[Piece, int]:
    """Returns the pieces in the bag."""
    return {KINDS[kind]: count for kind, count in enumerate(state.bag) if count}


def outcomes(state: SpectraState) -> Iterable[tuple[Chance, int]]:
    """Yields the pieces that the turn's draw may bring, by the size felt for if one was chosen (SPA-6)."""
    if state.ending is not None or not state.may_draw:
        return
    for seat in state.movers:
        for kind, count in enumerate(state.bag):
            if count and state.reach in (None, KINDS[kind].size):
                yield Drawn(seat, (KINDS[kind],)), count


_DRAWN = tuple(tuple(Drawn(seat, (piece,)) for piece in KINDS) for seat in range(len(TREE_COLORS)))
"""The draws of one piece, by seat and kind."""


def sample(state: SpectraState, rng: Random) -> Chance:
    """Returns a random piece from the bag, of the chosen size if there is one (SPA-6).

    Raises:
        BadEvent: No draw is due.
    """
    bag = state.bag
    if state.reach is not None:
        bag = tuple([count if KINDS[kind].size == state.reach else 0 for kind, count in enumerate(bag)])
    left = sum(bag)
    if state.ending is not None or not state.may_draw or not left:
        raise BadEvent("Nothing may be drawn now. Make a move.")
    place = int(rng.random() * left)
    kind = 0
    while place >= bag[kind]:
        place -= bag[kind]
        kind += 1
    movers = state.movers
    return _DRAWN[movers[int(rng.random() * len(movers))]][kind]


def _begin(seats: int, options: Options) -> SpectraState:
    """Returns the first position: one large each, everything else in the bag, any player may begin (SPA-2, SPA-5)."""
    return start(tree_colors(seats, options))


def _seen_position(seats: int, options: Options, seen: Layout) -> Mapping[str, Any]:
    return seen_position(tree_colors(seats, options), seen)


def _words_of(state: SpectraState, event: SpectraEvent) -> dict[str, Any] | None:
    """Returns the event in the words of `companion watch`; None for what a camera cannot see, such as the bag passed
    on.

    Args:
        state: The position before the event. Without a picture, the tree is the first one that lacks the piece's size.
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
    """Returns the words of an event that a reading shows; they name the tree in which the piece stands."""
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
    """Returns the position in which a piece of a heap was another one from the beginning; None if that is impossible.

    The set may have no such piece, or it cannot stand in those trees; and each seat's have the large with which they
    began (SPA-2, SPA-12).

    Args:
        was: The piece in the record; `now` is the piece as seen. None stands for no piece.
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
        chance=ChanceEvents(outcomes=outcomes, sample=sample),
        hidden=HiddenInformation(unseen=unseen),
    ),
)
"""The game object of Spectra."""
