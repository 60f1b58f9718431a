"""What is seen where on a table, and how surely.

A `Layout` is the one word that eyes and rules share: readers make one from a picture, `State.layout()` makes one
from a position, and matching compares the two. It holds no pixels, and millimeters only of what eyes follow; a plan
gives spots their place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from companion.core.pieces import Piece

Spot = str
"""A named place: "c17" (a cell), "seat0.hand" (a heap), "red.3"."""
PointMm = tuple[float, float]
"""x and y on the table in millimeters, as a plan has them (`companion.core.plan`)."""


class Candidate(Struct, frozen=True):
    """One thing that a spot may hold; `piece` None means that it is empty."""

    piece: Piece | None
    probability: float


class Sighting(Struct, frozen=True):
    """One reading: the best candidate first, its runners-up after it, probabilities falling.

    Probabilities sum to at most 1; the rest belongs to everything that is not listed.
    """

    candidates: tuple[Candidate, ...]
    place: str = ""
    """By what eyes know the thing again: the same from picture to picture while nothing changes where it lies. Empty:
    these eyes follow nothing, or a position was asked."""
    glimpsed: bool = False
    """True if only some of the looks at the table with which it came showed it, and nothing has changed there since."""

    @property
    def piece(self) -> Piece | None:
        """What it most likely is."""
        return self.candidates[0].piece

    @property
    def confidence(self) -> float:
        """How surely, 0 to 1."""
        return self.candidates[0].probability

    def probability(self, piece: Piece | None) -> float:
        """How likely this sighting is `piece`; 0 if it is not among the candidates."""
        for candidate in self.candidates:
            if candidate.piece == piece:
                return candidate.probability
        return 0.0

    @staticmethod
    def sure(piece: Piece | None) -> Sighting:
        """A sighting without doubt, as a state predicts it or a person says it."""
        return Sighting((Candidate(piece, 1.0),))


class Difference(NamedTuple):
    """One spot where two layouts disagree, by best candidates."""

    spot: Spot
    expected: tuple[Piece | None, ...]
    seen: tuple[Piece | None, ...]


class Elsewhere(Struct, frozen=True):
    """Another spot in which a thing may be, and how probably it is there and not where it is told."""

    spot: Spot
    probability: float


class Uncovered(Struct, frozen=True):
    """Why a thing that is seen for the first time may have stood there before: its place was out of sight.

    Where a piece that is known to have stood there leaves no room for it, the thing is new, and has no `Uncovered`.
    """

    behind: Literal["piece", "foreign"]
    """What hid the place in the picture before: a known piece in front of it, or something foreign, as a cloth or a
    sleeve."""
    seen_free: int
    """The number of remembered earlier pictures, each unlike the others, that show the bare place without the thing;
    0: it was never seen free."""
    room: float
    """Probability, 0 to 1, that the pieces which were read there left room for it; 1 where none was."""


class Layout(Struct, frozen=True):
    """Spots and what they hold.

    `cells` hold one thing or nothing each. `heaps` hold any number of pieces in no order (a hand, a supply);
    an empty heap is an empty tuple. A spot that is absent was not looked at or cannot be predicted, and says nothing.
    `covered` names pieces of a predicted heap that may stand unseen inside larger ones of the same heap, as in a nest:
    seeing them or not seeing them is no difference. Readers leave it empty.
    `partial` names heaps that reach out of the picture: more may lie there than was seen. States leave it empty.
    Two more say what eyes with a memory noticed; states leave them empty. `hidden`: cells and places
    (`Sighting.place`) at which something foreign lies over what was there. `uncovered`: places that were out of sight
    in the picture before, so that what is there may have been there all along, with what speaks for and against that.
    `blind`: heaps in whose zone a piece may stand out of sight, behind something that stands there. `obscured`: heaps
    over a part of whose zone something foreign lies that is large enough to hide a piece. States leave both empty.
    `elsewhere`, by places: things on the line between two heaps. They are told of the likelier one, and of each of them
    in which other one it may be. States leave it empty.
    `at_mm`, by places: where the stack stands that a pyramid belongs to. Equal points are one stack. States leave it
    empty.
    `again`: a further look at the steady table that the reading before was of; nothing has moved in between.
    `looks`, of several readings taken together: how many of them showed at each place what all together show there, by
    `Sighting.place`, or by spot where eyes follow nothing; one fewer of what was glimpsed before. By the spot of a
    heap that eyes follow: how many showed the heap. What is absent was shown by one.
    `overlooked`, by places: pieces that may stand in the same stack beside those that are told, each with the
    probability that it does: from above, a medium between a large and a small of its color is not seen. States leave
    it empty.
    """

    cells: Mapping[Spot, Sighting] = {}
    heaps: Mapping[Spot, tuple[Sighting, ...]] = {}
    covered: Mapping[Spot, tuple[Piece, ...]] = {}
    partial: frozenset[Spot] = frozenset()
    hidden: frozenset[str] = frozenset()
    uncovered: Mapping[str, Uncovered] = {}
    elsewhere: Mapping[str, Elsewhere] = {}
    blind: frozenset[Spot] = frozenset()
    obscured: frozenset[Spot] = frozenset()
    at_mm: Mapping[str, PointMm] = {}
    again: bool = False
    looks: Mapping[str, int] = {}
    overlooked: Mapping[str, tuple[Candidate, ...]] = {}

    def looks_at(self, spot: Spot, sighting: Sighting) -> int:
        """The number of readings of this steady table that showed a spot, or a thing in it, as this sighting has it."""
        return self.looks.get(sighting.place or spot, 1)

    def differences(self, seen: Layout) -> tuple[Difference, ...]:
        """Spots, known to both, whose best readings differ; `self` is what was expected."""
        found = []
        for spot, sighting in self.cells.items():
            other = seen.cells.get(spot)
            if other is not None and other.piece != sighting.piece:
                found.append(Difference(spot, (sighting.piece,), (other.piece,)))
        for spot, heap in self.heaps.items():
            held = seen.heaps.get(spot)
            if held is None:
                continue
            expected = sorted((s.piece for s in heap), key=repr)
            there = sorted((s.piece for s in held), key=repr)
            missing: Counter[Piece | None] = Counter(expected)
            missing.subtract(there)
            hidden: Counter[Piece | None] = Counter(self.covered.get(spot, ()))
            unseen = spot in seen.partial
            if any(count < 0 or (count > hidden[piece] and not unseen) for piece, count in missing.items()):
                found.append(Difference(spot, tuple(expected), tuple(there)))
        return tuple(found)
