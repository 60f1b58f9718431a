"""Which tree is which: numbers of a seat's trees by where they stand on the table.

Positions count the pieces of all trees of a seat together (SPA-11), so they cannot say which tree a piece goes into. A
reading can: the trees that stand when the game begins are numbered from the left, and each one that is begun later gets
the next number. A tree keeps its number when it grows and when it is pushed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import dist

from msgspec import Struct

from companion.core.layout import Layout, PointMm, Spot
from companion.core.pieces import Piece, Pyramid

NEAR_MM = 15.0
"""A stack that stands so near to where a tree stood is that tree. Larges, 25 mm wide, stand farther apart."""


class StandingTree(Struct, frozen=True):
    """One stack of a seat's trees, as it was read last."""

    at_mm: PointMm
    """Where it stands on the table."""
    pieces: tuple[Piece | None, ...]
    """The pieces read, in no order."""

    def grown_into(self, other: StandingTree) -> bool:
        """True if the other one holds all of its pieces: pieces never leave a tree (SPA-12)."""
        return not Counter(self.pieces) - Counter(other.pieces)


class TreeNumbers(Struct, frozen=True):
    """The trees of all seats, each at the place of its number. A value: following a picture gives another one."""

    trees: Mapping[Spot, tuple[StandingTree, ...]] = {}
    """By heap. A stack without a number is none yet: it gets one when a piece is added to it."""

    def follow(self, seen: Layout) -> TreeNumbers:
        """The same trees where a reading shows them now; those that it does not show stay where they were."""
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
        """The number of the tree of a heap that a reading shows a piece in which was added, and the numbers after that.

        Where no stack shows one such piece more, one is misread: then it is the first tree that lacks the size.
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
        """The number of the tree of each stack of a heap; the next number where it has none.

        Trees are looked for where they stood, and then, pushed, among the stacks that hold all of their pieces.
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
    """The number of the first tree that shows no piece of a size; where all do, a large begins the next one."""
    sizes = [{one.size for one in tree.pieces if isinstance(one, Pyramid)} for tree in trees]
    next_number = len(trees) if piece.size == "large" else 0
    return next((number for number, held in enumerate(sizes) if piece.size not in held), next_number)


def stacks_of(seen: Layout, spot: Spot) -> tuple[StandingTree, ...]:
    """The stacks of a heap of pyramids, of which a reading says where they stand."""
    stacks: dict[PointMm, list[Piece | None]] = {}
    for sighting in seen.heaps.get(spot, ()):
        if sighting.place in seen.at_mm:
            stacks.setdefault(seen.at_mm[sighting.place], []).append(sighting.piece)
    return tuple(StandingTree(at_mm, tuple(pieces)) for at_mm, pieces in stacks.items())
