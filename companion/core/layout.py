"""The pieces on a table by spot, with probabilities.

A `Layout` is the common language of readers and rules: a reader makes one from a picture, `State.layout()` makes one
from a position, and matching compares the two. It holds no pixels, and millimeters only for tracked pieces; a plan says
where the spots are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from companion.core.pieces import Piece

Spot = str
"""A named place: "c17" (a cell), "seat0.hand" (a heap), "red.3"."""
_SEAT_SPOT = re.compile(r"seat(\d+)\.([a-z]+)")


def place_words(spot: Spot) -> str:
    """Returns a spot as people name it: "player 1's supply" for "seat0.supply". Other spots keep their printed
    names.
    """
    of_seat = _SEAT_SPOT.match(spot)
    return spot if of_seat is None else f"player {int(of_seat[1]) + 1}'s {of_seat[2]}{spot[of_seat.end() :]}"


PointMm = tuple[float, float]
"""x and y on the table in millimeters, as a plan has them (`companion.core.plan`)."""


class Candidate(Struct, frozen=True):
    """One possible content of a spot; `piece` None means that the spot is empty."""

    piece: Piece | None
    probability: float


class Detection(Struct, frozen=True):
    """One detected piece: the best candidate first, its runners-up after it, with falling probabilities.

    Probabilities sum to at most 1; the rest belongs to all pieces that are not listed.
    """

    candidates: tuple[Candidate, ...]
    place: str = ""
    """The key by which the reader recognizes the piece; it stays the same from picture to picture while the piece does
    not move. Empty if the reader does not track pieces, or if the layout comes from a position."""
    glimpsed: bool = False
    """True if only some of the pictures combined into this reading showed the piece, and it has not moved since."""

    @property
    def piece(self) -> Piece | None:
        """The likeliest piece."""
        return self.candidates[0].piece

    @property
    def confidence(self) -> float:
        """The probability of the likeliest piece, 0 to 1."""
        return self.candidates[0].probability

    def probability(self, piece: Piece | None) -> float:
        """Returns the probability that this is `piece`; 0 if it is not among the candidates."""
        for candidate in self.candidates:
            if candidate.piece == piece:
                return candidate.probability
        return 0.0

    @staticmethod
    def sure(piece: Piece | None) -> Detection:
        """Returns a detection without doubt, as a state predicts it or a person states it."""
        return Detection((Candidate(piece, 1.0),))


class Difference(NamedTuple):
    """A spot where two layouts disagree, judged by their best candidates."""

    spot: Spot
    expected: tuple[Piece | None, ...]
    seen: tuple[Piece | None, ...]


class Elsewhere(Struct, frozen=True):
    """Another spot where a piece may be, and the probability that it is there."""

    spot: Spot
    probability: float


class Uncovered(Struct, frozen=True):
    """The reason why a thing may have been on the table before it was first seen: its place was out of sight.

    If a piece that is known to have stood there leaves no room for the thing, the thing is new and has no `Uncovered`.
    """

    behind: Literal["piece", "foreign"]
    """The thing that hid the place in the previous picture: a known piece in front of it, or a foreign object such as a
    cloth or a sleeve."""
    seen_free: int
    """The number of remembered earlier pictures, each unlike the others, that show the place without the thing; 0 if
    the place was never seen bare."""
    room: float
    """The probability, 0 to 1, that the pieces that were read there left room for the thing; 1 if there were none."""


class Layout(Struct, frozen=True):
    """The contents of spots, as read from a picture or expected from a position.

    A spot that is absent was not looked at or cannot be predicted, and is not evidence. States fill only `cells`,
    `heaps` and `covered`; the other fields come from readers.
    """

    cells: Mapping[Spot, Detection] = {}
    """Spots that hold at most one piece."""
    heaps: Mapping[Spot, tuple[Detection, ...]] = {}
    """Spots that hold any number of pieces (a hand, a supply). Only the order of cards that lie on each other has a
    meaning: they are listed from the bottom up. An empty heap is an empty tuple."""
    covered: Mapping[Spot, tuple[Piece, ...]] = {}
    """Pieces of a predicted heap that may be hidden inside larger ones of the same heap, as in a nest.

    A difference in these pieces does not count. Readers leave the field empty.
    """
    partial: frozenset[Spot] = frozenset()
    """Heaps that extend beyond the picture: they may hold more pieces than were seen."""
    hidden: frozenset[str] = frozenset()
    """Cells and places (`Detection.place`) that a foreign object covers, or that the reflection of a lamp hides."""
    uncovered: Mapping[str, Uncovered] = {}
    """Places that were out of sight in the previous picture, so that their pieces may have been there before, with the
    evidence for and against that."""
    elsewhere: Mapping[str, Elsewhere] = {}
    """By place: the second heap of a piece on the border of two heaps. The piece is listed in the likelier heap."""
    blind: frozenset[Spot] = frozenset()
    """Heaps in whose zone a piece may be out of sight behind other pieces."""
    obscured: frozenset[Spot] = frozenset()
    """Heaps whose zone is partly covered by a foreign object that is large enough to hide a piece."""
    at_mm: Mapping[str, PointMm] = {}
    """By place: the position of a pyramid's stack. Pieces with equal points are in one stack."""
    again: bool = False
    """True for a further look at the same steady table."""
    looks: Mapping[str, int] = {}
    """The number of combined readings that showed a piece, by `Detection.place`, or by spot if pieces are not tracked.

    For a piece that was glimpsed before, the number is one lower. By the spot of a tracked heap: the number that showed
    the heap. Absent keys mean one.
    """
    overlooked: Mapping[str, tuple[Candidate, ...]] = {}
    """By place: further pieces that may be in the same stack, with their probabilities.

    From above, a medium between a large and a small of its color cannot be seen.
    """
    visits: Mapping[Spot, int] = {}
    """The number of times that something, such as a hand, was over a zone of cards since the previous reading; zones
    without visits are absent."""

    unexplained: Mapping[Spot, tuple[Detection, ...]] = {}
    """By heap: the pieces in earlier steady pictures that no event explained, since the last explained picture."""

    def looks_at(self, spot: Spot, sighting: Detection) -> int:
        """Returns the number of readings of this steady table that showed a spot, or a piece in it, as this detection
        has it.
        """
        return self.looks.get(sighting.place or spot, 1)

    def differences(self, seen: Layout) -> tuple[Difference, ...]:
        """Returns the spots, known to both layouts, whose best readings differ; `self` is the expected layout."""
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
