"""The memory of a table from picture to picture: the piece at each place, and the source of that knowledge.

A referee does not read the whole table anew at each move, but remembers it, sees the changes, and stays sure of the
rest. So a followed place (`Detection.place`) keeps the piece that the game has there for as long as its picture does
not change; pieces without a followed place are recognized by their reading. Pieces outside of the picture or under a
cloth stay where they were. `docs/matching.md` has the model in formulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.layout import Candidate, Detection, Layout, Spot
from companion.core.pieces import Pawn, Piece, Stack
from companion.referee.matching.evidence import Evidence, pile
from companion.referee.observation import observation_of

Origin = Literal["told", "event", "read", "unknown"]
"""The source of the knowledge: a person ("told"), an accepted event, a reading alone, or none."""

AGAIN = 0.93
"""The probability of the remembered piece if its place is recognized by the reading alone. Chosen."""
SURER = 10.0
"""The factor by which the odds of a piece must have grown for a thing to count again that was taken for no piece.
Chosen."""
POOR = 0.9
"""The probability below which the reading of a cell that contradicts what is known counts as a mistake: of a pawn
whenever record and table agree, of any piece when a person has said what happened and did not speak of that cell.
Chosen; checked by `python -m bench.referee spectrum --eyes erring`."""
AS_READ = 0.06
"""The weight of the reading in that case: 15 to 1 that the same mistake is made again. Chosen, not fitted."""


class Belief(Struct, frozen=True):
    """The belief about one place of the table."""

    spot: Spot
    piece: Piece | None
    """The believed piece; None if it is no piece of the game."""
    origin: Origin
    read: Detection
    """The detection when the piece came, with the other pieces that it may be."""
    row: int = 0
    """The number of the row after which the piece came."""


class Memory(Struct, frozen=True):
    """The memory of a table. It is a value: each picture gives a new memory; msgspec converts it to and from JSON."""

    places: Mapping[str, Belief] = {}
    """The beliefs by place, or by spot and reading where places are not followed."""
    absent: Mapping[Spot, tuple[Piece, ...]] = {}
    """By heap, the pieces that lie there out of sight: out of the picture, in a hand, or never read."""
    silent: Mapping[Spot, tuple[Piece | None, ...]] = {}
    """The readings that a person has overruled, by cell or heap. Another reading of the spot counts again."""

    def seen(self, layout: Layout) -> Layout:
        """Returns a reading completed by the memory: at unchanged places, the remembered pieces are there."""
        spoken = self._heard(layout)
        heaps = {}
        for spot, heap in spoken.heaps.items():
            kept = []
            for key, sighting in named(spot, heap):
                belief = self.places.get(key)
                if belief is None or _is_news(belief, sighting):
                    kept.append(replace(sighting, place=key))
                elif belief.piece is not None:
                    kept.append(_believed(belief, sighting, key))
            heaps[spot] = tuple(kept)
        cells = {spot: self._cell_seen(spot, sighting) for spot, sighting in spoken.cells.items()}
        return replace(spoken, cells=cells, heaps=heaps)

    def _cell_seen(self, spot: Spot, sighting: Detection) -> Detection:
        """Returns a cell's detection; if it reads as it did when the game knew better, the known piece replaces it."""
        belief = self.places.get(_cell_key(spot, sighting))
        return sighting if belief is None else _believed(belief, sighting, sighting.place)

    def away(self, layout: Layout) -> Mapping[Spot, tuple[Piece, ...]]:
        """Returns, by heap, the pieces that may be there and cannot be seen in a reading: whether they are there is
        open.
        """
        found = {spot: list(pieces) for spot, pieces in self.absent.items()}
        for spot, pieces in self.veiled(layout).items():
            found.setdefault(spot, []).extend(pieces)
        return {spot: tuple(pieces) for spot, pieces in found.items()}

    def veiled(self, layout: Layout) -> Mapping[Spot, tuple[Piece, ...]]:
        """Returns, by heap, the pieces whose places something hides in a reading, so that they stand where they
        stood.
        """
        found: dict[Spot, tuple[Piece, ...]] = {}
        for key in layout.hidden:
            belief = self.places.get(key)
            if belief is not None and belief.piece is not None:
                found[belief.spot] = (*found.get(belief.spot, ()), belief.piece)
        return found

    def fresh(self, layout: Layout) -> frozenset[str]:
        """Returns the places of a reading that were not there before and were not under anything foreign."""
        if not self.places:
            return frozenset()
        return frozenset(
            sighting.place
            for heap in layout.heaps.values()
            for sighting in heap
            if sighting.place and sighting.place not in self.places and sighting.place not in layout.uncovered
        )

    def moved(self, layout: Layout, row: int) -> frozenset[Spot]:
        """Returns the heaps of a reading in which something stands in a place that is new since a row was written."""
        since = {
            one.spot for one in self.places.values() if one.origin == "event" and one.read.place and one.row >= row
        }
        fresh = self.fresh(layout)
        now = {spot for spot, heap in layout.heaps.items() if any(one.place in fresh for one in heap)}
        return frozenset(since | now)

    def taken(self, table: Layout, layout: Layout, row: int, origin: Origin) -> Memory:
        """Returns the memory after a reading that is known to show a position.

        Args:
            table: The predicted layout; `layout` is the reading.
            origin: The source for places that were not remembered before.
        """
        seen, veiled = self.seen(layout), self.veiled(layout)
        evidence = Evidence(seen, self.away(layout))
        places: dict[str, Belief] = {}
        absent: dict[Spot, tuple[Piece, ...]] = {}
        raw = {key: one for spot, heap in layout.heaps.items() for key, one in named(spot, heap)}
        predicted = {spot: expected for spot in seen.heaps if (expected := pile(table, spot)) is not None}
        pairings = {spot: evidence.pairing(spot, expected) for spot, expected in predicted.items()}
        for spot, pairing in pairings.items():
            if origin == "told":
                others = [one.extras for other, one in pairings.items() if other != spot]
                pairing = pairing.completed({extra.piece for extras in others for extra in extras})
            for pair in pairing.pairs:
                if pair.sighting is not None:
                    read = raw.get(pair.sighting.place, pair.sighting)
                    self._keep(places, spot, pair.piece, read, pair.sighting.place, row, origin)
            for extra in pairing.extras:
                read = raw.get(extra.place, extra)
                self._keep(places, spot, None, read, extra.place, row, "unknown")
            away = Counter(pair.piece for pair in pairing.pairs if pair.sighting is None and pair.piece is not None)
            away -= Counter(veiled.get(spot, ()))
            if away:
                absent[spot] = tuple(away.elements())
        veiled_cells = any(spot in table.cells for spot in layout.hidden)
        for spot, sighting in layout.cells.items():
            # A piece that reads otherwise while a cell is hidden may have gone to that cell, so this is not a known
            # mistake.
            if spot in table.cells and (not veiled_cells or _cell_key(spot, sighting) in self.places):
                piece, key = table.cells[spot].piece, _cell_key(spot, sighting)
                self._keep(places, spot, piece, sighting, key, row, origin, pawns=True)
        for key, belief in self.places.items():
            looked_at = belief.spot in seen.heaps or belief.spot in layout.cells
            if key not in places and (not looked_at or key in layout.hidden or (belief.piece is None and key in raw)):
                places[key] = belief
        unlooked = {spot: pieces for spot, pieces in self.absent.items() if spot not in seen.heaps}
        return Memory(places, unlooked | absent, self._still_silent(layout))

    def without_unexplained(self, before: Memory) -> Memory:
        """Returns the memory without everything that is not explained yet: later looks still have to explain it.

        It drops new places that show no known piece, and it drops known pieces that have left their places.
        """
        kept = {
            key: one
            for key, one in self.places.items()
            if key in before.places or (one.piece is not None and one.read.piece == one.piece)
        }
        left = {key: one for key, one in before.places.items() if key not in kept and one.piece is not None}
        absent = {
            spot: tuple((Counter(pieces) & Counter(before.absent.get(spot, ()))).elements())
            for spot, pieces in self.absent.items()
        }
        return replace(self, places={**kept, **left}, absent=absent)

    def overruled(self, table: Layout, layout: Layout, row: int, spots: Container[Spot] | None = None) -> Memory:
        """Returns the memory after a person has confirmed a position, whatever was read.

        Args:
            spots: The confirmed spots; None for the whole table.
        """
        # A thing that was taken for no piece may be a piece that the person speaks of.
        known = {key: one for key, one in self.places.items() if one.piece is not None or one.origin == "told"}
        taken = replace(self, places=known).taken(table, layout, row, "told")
        silent = dict(taken.silent)
        for difference in table.differences(layout):
            if (spots is None or difference.spot in spots) and not _are_remembered(
                difference.expected, difference.seen
            ):
                silent[difference.spot] = difference.seen
        if spots is None:
            return replace(taken, silent=silent)
        places = {key: one for key, one in self.places.items() if one.spot not in spots}
        spoken = {key: one for key, one in taken.places.items() if one.spot in spots and not _has_grown(key, one, self)}
        places |= spoken | {key: one for key, one in taken.places.items() if _is_poor(one, table)}
        absent = {spot: one for spot, one in self.absent.items() if spot not in spots}
        absent |= {spot: one for spot, one in taken.absent.items() if spot in spots}
        return Memory(places, absent, silent)

    def confirmed(self, key: str, piece: Piece | None) -> Memory:
        """Returns the memory after a person has identified the piece of a place; None means no piece of the game."""
        belief = self.places[key]
        return replace(self, places={**self.places, key: replace(belief, piece=piece, origin="told")})

    def as_read(self, layout: Layout) -> Memory:
        """Returns the memory without those followed places that a reading contradicts; the memory itself if there are
        none.
        """
        contradicted = {
            sighting.place
            for heap in layout.heaps.values()
            for sighting in heap
            if sighting.place in self.places and self.places[sighting.place].piece != sighting.piece
        }
        if not contradicted:
            return self
        return replace(self, places={key: one for key, one in self.places.items() if key not in contradicted})

    def doubted(self, least: float) -> tuple[tuple[str, Belief], ...]:
        """Returns the places, with their keys, that were read less surely than `least` and never confirmed, the most
        doubtful first.

        Leaves out pieces without a followed place, because nobody can point at them. Unexplained pieces count if they
        read well.
        """
        found = []
        for key, one in self.places.items():
            if not one.read.place or one.origin == "told":
                continue
            share = one.read.probability(one.piece) if one.piece is not None else 1 - one.read.confidence
            if share < (least if one.piece is not None else 1 - least):
                found.append((share, key, one))
        return tuple((key, one) for _, key, one in sorted(found, key=lambda item: item[:2]))

    def _keep(
        self,
        places: dict[str, Belief],
        spot: Spot,
        piece: Piece | None,
        read: Detection,
        key: str,
        row: int,
        origin: Origin,
        *,
        pawns: bool = False,
    ) -> None:
        """Adds a place to `places`, unless it is not followed and only its reading would be remembered.

        Args:
            pawns: True for a cell, where a pawn that was read poorly is remembered, too.
        """
        known = self.places.get(key)
        if known is not None and known.spot == spot and known.piece == piece:
            places[key] = known
        elif read.place or (read.piece != piece and _are_known_again(read, piece, pawns=pawns)):
            places[key] = Belief(spot, piece, origin, read, row)

    def _heard(self, layout: Layout) -> Layout:
        """Returns a reading without the spots that a person has overruled."""
        silent = self._still_silent(layout)
        if not silent:
            return layout
        return replace(
            layout,
            cells={spot: one for spot, one in layout.cells.items() if spot not in silent},
            heaps={spot: one for spot, one in layout.heaps.items() if spot not in silent},
        )

    def _still_silent(self, layout: Layout) -> Mapping[Spot, tuple[Piece | None, ...]]:
        """Returns the overruled spots that were not looked at or that read as before."""
        return {spot: wrong for spot, wrong in self.silent.items() if _reading(layout, spot) in (None, wrong)}


def named(spot: Spot, heap: tuple[Detection, ...]) -> Iterator[tuple[str, Detection]]:
    """Yields the detections of a heap, each with the key that identifies it later: its place, or its reading."""
    count: Counter[Piece | None] = Counter()
    for sighting in heap:
        if sighting.place:
            yield sighting.place, sighting
        else:
            count[sighting.piece] += 1
            yield f"{spot}:{sighting.piece}#{count[sighting.piece]}", sighting


def _cell_key(spot: Spot, sighting: Detection) -> str:
    """Returns the key by which a cell's reading is recognized: cells do not move, and a new reading shows a change."""
    return f"{spot}={sighting.piece}"


def _is_poor(belief: Belief, table: Layout) -> bool:
    """Returns true if a cell was read less surely than `POOR`, and otherwise than it is."""
    return belief.spot in table.cells and belief.read.confidence < POOR


def _has_grown(key: str, belief: Belief, before: Memory) -> bool:
    """Returns true if a stack reads as the known one with more pieces on it, which nobody has spoken of."""
    read, known = belief.read.piece, belief.piece
    stacks = isinstance(read, Stack) and isinstance(known, Stack) and read.extends(known)
    return stacks and key not in before.places


def _is_news(belief: Belief, sighting: Detection) -> bool:
    """Returns true if a thing that was taken for no piece now reads far more surely as a piece."""
    if belief.piece is not None or belief.origin != "unknown" or sighting.piece is None:
        return False
    return (1 - belief.read.confidence) > SURER * (1 - sighting.confidence)


def _believed(belief: Belief, sighting: Detection, key: str) -> Detection:
    """Returns a detection of the remembered piece."""
    if sighting.place or sighting.piece == belief.piece:
        return Detection((Candidate(belief.piece, 1.0),), key)
    return Detection((Candidate(belief.piece, AGAIN), Candidate(sighting.piece, AS_READ)), key)


def _are_remembered(*piles: tuple[Piece | None, ...]) -> bool:
    """Returns true if all contents are remembered piece by piece."""
    return all(observation_of(piece).remembered for pieces in piles for piece in pieces)


def _are_known_again(read: Detection, piece: Piece | None, *, pawns: bool) -> bool:
    """Returns true if a misreading is recognized by the reading alone; of pawns, only a poor reading is."""
    poor = pawns and read.confidence < POOR
    return all(
        one is None or observation_of(one).remembered or (poor and isinstance(one, Pawn)) for one in (read.piece, piece)
    )


def _reading(layout: Layout, spot: Spot) -> tuple[Piece | None, ...] | None:
    """The best readings of a spot, in the order of `Difference.seen`; None if it was not looked at."""
    if spot in layout.cells:
        return (layout.cells[spot].piece,)
    if spot in layout.heaps:
        return tuple(sorted((sighting.piece for sighting in layout.heaps[spot]), key=repr))
    return None
