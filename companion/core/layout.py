"""The pieces on a table by place, with probabilities.

A `Layout` is the common language of readers and rules: readers make one from a picture, `State.layout()` makes one from
a position, and matching compares the two. It holds no pixels, and millimeters only of followed pieces; a plan gives
spots their place.
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
    """Returns a spot as people name it: "player 1's supply" for "seat0.supply"; others keep their printed names."""
    of_seat = _SEAT_SPOT.match(spot)
    return spot if of_seat is None else f"player {int(of_seat[1]) + 1}'s {of_seat[2]}{spot[of_seat.end() :]}"


PointMm = tuple[float, float]
"""x and y on the table in millimeters, as a plan has them (`companion.core.plan`)."""


class Candidate(Struct, frozen=True):
    """One thing that a spot may hold; `piece` None means that it is empty."""

    piece: Piece | None
    probability: float


class Detection(Struct, frozen=True):
    """One reading: the best candidate first, its runners-up after it, probabilities falling.

    Probabilities sum to at most 1; the rest belongs to everything that is not listed.
    """

    candidates: tuple[Candidate, ...]
    place: str = ""
    """The key by which the reader recognizes the piece: the same from picture to picture while its place is unchanged.
    Empty: the reader follows no pieces, or the layout comes from a position."""
    glimpsed: bool = False
    """True if only some of the looks at the table with which it came showed it, and its place has not changed since."""

    @property
    def piece(self) -> Piece | None:
        """The likeliest piece."""
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
    def sure(piece: Piece | None) -> Detection:
        """A sighting without doubt, as a state predicts it or a person says it."""
        return Detection((Candidate(piece, 1.0),))


class Difference(NamedTuple):
    """One spot where two layouts disagree, by best candidates."""

    spot: Spot
    expected: tuple[Piece | None, ...]
    seen: tuple[Piece | None, ...]


class Elsewhere(Struct, frozen=True):
    """Another spot in which a piece may be, and the probability that it is there."""

    spot: Spot
    probability: float


class Uncovered(Struct, frozen=True):
    """Why a thing that is seen for the first time may have stood there before: its place was out of sight.

    Where a piece that is known to have stood there leaves no room for it, the thing is new, and has no `Uncovered`.
    """

    behind: Literal["piece", "foreign"]
    """The reason why the place was hidden in the previous picture: a known piece in front of it, or something foreign,
    as a cloth or a sleeve."""
    seen_free: int
    """The number of remembered earlier pictures, each unlike the others, that show the bare place without the thing;
    0: it was never seen free."""
    room: float
    """Probability, 0 to 1, that the pieces which were read there left room for it; 1 where none was."""


class Layout(Struct, frozen=True):
    """The contents of spots, as read from a picture or expected from a position.

    A spot that is absent was not looked at or cannot be predicted, and is no evidence. States fill `cells`, `heaps`
    and `covered` alone; the other fields come from readers.
    """

    cells: Mapping[Spot, Detection] = {}
    """Spots that hold one piece or none."""
    heaps: Mapping[Spot, tuple[Detection, ...]] = {}
    """Spots that hold any number of pieces (a hand, a supply), in no order but that of cards which lie on each other:
    these go from the lowest up. An empty heap is an empty tuple."""
    covered: Mapping[Spot, tuple[Piece, ...]] = {}
    """Pieces of a predicted heap that may stand unseen inside larger ones of the same heap, as in a nest.

    Seen or not, they are no difference. Readers leave it empty.
    """
    partial: frozenset[Spot] = frozenset()
    """Heaps that reach out of the picture: they may hold more pieces than were seen."""
    hidden: frozenset[str] = frozenset()
    """Cells and places (`Detection.place`) that something foreign covers, or that a mirrored lamp hides."""
    uncovered: Mapping[str, Uncovered] = {}
    """Places that were out of sight in the previous picture, so that their pieces may have been there all along, with
    the evidence for and against that."""
    elsewhere: Mapping[str, Elsewhere] = {}
    """By place: the other heap of a piece on the line between two heaps. The piece is listed in the likelier one."""
    blind: frozenset[Spot] = frozenset()
    """Heaps in whose zone a piece may stand out of sight, behind other pieces."""
    obscured: frozenset[Spot] = frozenset()
    """Heaps over a part of whose zone something foreign lies that is large enough to hide a piece."""
    at_mm: Mapping[str, PointMm] = {}
    """By place: the position of the stack of a pyramid. Equal points are one stack."""
    again: bool = False
    """True for a further look at the same steady table."""
    looks: Mapping[str, int] = {}
    """The number of combined readings that showed a piece, by `Detection.place`, or by spot without followed pieces.

    For a piece that was glimpsed before it is one fewer. By the spot of a followed heap: the number that showed the
    heap. Absent keys mean one.
    """
    overlooked: Mapping[str, tuple[Candidate, ...]] = {}
    """By place: further pieces that may stand in the same stack, with their probabilities.

    From above, a medium between a large and a small of its color is not seen.
    """
    visits: Mapping[Spot, int] = {}
    """How often something, such as a hand, was over a zone of cards since the reading before; zones without are left
    out."""

    unexplained: Mapping[Spot, tuple[Detection, ...]] = {}
    """By heap: what earlier steady pictures showed there that no event explained, since the last one that one did."""

    def looks_at(self, spot: Spot, sighting: Detection) -> int:
        """The number of readings of this steady table that showed a spot, or a thing in it, as this sighting has it."""
        return self.looks.get(sighting.place or spot, 1)

    def differences(self, seen: Layout) -> tuple[Difference, ...]:
        """Spots, known to both, whose best readings differ; `self` is the expected layout."""
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
