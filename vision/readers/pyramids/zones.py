"""Pyramids of a plan's zones: the heap or cell of each piece, kept from picture to picture.

In zones of kind "stalks" a stack is one piece; in other ones every pyramid counts for itself, whatever it stands on. On
a board of cells only the visible top counts. A piece on the line between two zones is listed in the likelier one, with
the probability of the other: a guess would accuse players of moves that did not happen.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Candidate, Detection, Elsewhere, Layout, PointMm, Spot, Uncovered
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Piece, Pyramid, Stack
from companion.core.plan import PyramidBoard, PyramidZone
from companion.core.protocols.eyes import OverlayMark
from vision.calibration.calibration import Calibration, EmptyTable
from vision.calibration.taught import KnownTone
from vision.memory.tracks import Followed, Track, Tracks
from vision.readers.pyramids.assignment import assign
from vision.readers.pyramids.blind_zones import CellGrid, blind_zones, zones_of
from vision.readers.pyramids.board_stacks import BoardStacks
from vision.readers.pyramids.joint_assignment import COLORS, WORTH_NAMING, ConfirmedColors, ConfirmedShapes
from vision.readers.pyramids.reader import PATTERNED, ReaderMemory, found_mark, read
from vision.readers.pyramids.scene import FoundPieces
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[Any]

EMPTY = Detection((Candidate(None, 0.7),))
"""An empty cell: about one piece in fifty is overlooked."""


STILL = 0.1
"""How likely a stack that reads as before stands unchanged in a place whose picture has changed."""


_MANY = 1000
"""More pieces of a kind than any game has: colors that a game lacks are left out, without counts."""
_TOPS = 5
"""So many tops of a stack are named."""
_NEVER = 1.0
"""The largest confidence: at unchanged places no pyramid has come, whatever is read there."""


class StandingStack(NamedTuple):
    """The reading."""

    heaps: dict[Spot, tuple[Detection, ...]]
    """Zones, empty ones too."""
    cells: dict[Spot, Detection]
    """Tops on boards; cells outside of the picture are missing."""
    marks: tuple[OverlayMark, ...]
    """In the original picture's pixels."""
    hidden: frozenset[str]
    """Places at which something lies over what stood there."""
    uncovered: Mapping[str, Uncovered]
    """Places that came to light, and how."""
    remarks: tuple[str, ...] = ()
    """The obstacles to reading this table well."""
    elsewhere: Mapping[str, Elsewhere] = MappingProxyType({})
    """By place, the other zone of what stands on a line, and how probably it is there."""
    at_mm: Mapping[str, PointMm] = MappingProxyType({})
    """By place, where its stack stands on the table."""
    blind: frozenset[Spot] = frozenset()
    """Zones in which a piece may stand out of sight."""
    overlooked: Mapping[str, tuple[Candidate, ...]] = MappingProxyType({})
    """By place of the lowest level of a stack that is listed level by level, the pieces that may also stand in it."""


class PyramidZones:
    """Reads the pyramids of one table, and learns its colors and shapes."""

    def __init__(self, calibration: Calibration | None = None) -> None:
        """`calibration` is the calibration of the table."""
        self._memory: ReaderMemory | None = None
        self._before: ReaderMemory | None = None
        """The reading before the last one, from which a further look begins."""
        self._last: Followed[FoundPieces] = Followed((), (), ())
        self._tracks: Tracks[FoundPieces] = Tracks("p", _NEVER)
        self._standing: dict[Spot, list[FoundPieces]] = {}
        self._empty = None if calibration is None else calibration.empty
        self._colors = (
            ConfirmedColors() if calibration is None else ConfirmedColors(calibration.colors, calibration.tones)
        )
        self._shapes = ConfirmedShapes()
        self._taught: dict[Spot, bytes] = {}

    def read(
        self,
        table: RegisteredImage,
        zones: Sequence[PyramidZone],
        boards: Sequence[PyramidBoard] = (),
        colors: Sequence[str] = (),
    ) -> StandingStack:
        """The pieces in zones and on boards; others are left out."""
        memory = self._read(table, self._memory, zones, boards, colors)
        self._before, self._memory = self._memory, memory
        followed = self._tracks.follow(memory.scene.found, memory.same, memory.glance)
        self._last = followed
        return self._standing_of(table, zones, boards, followed)

    def read_again(
        self,
        table: RegisteredImage,
        zones: Sequence[PyramidZone],
        boards: Sequence[PyramidBoard] = (),
        colors: Sequence[str] = (),
    ) -> StandingStack:
        """A further look at the last table: new things are read again, from the picture before them."""
        memory = self._read(table, self._before, zones, boards, colors)
        tracks = self._tracks.again(memory.scene.found, memory.same)
        return self._standing_of(table, zones, boards, self._last._replace(tracks=tracks))

    def _read(
        self,
        table: RegisteredImage,
        before: ReaderMemory | None,
        zones: Sequence[PyramidZone],
        boards: Sequence[PyramidBoard],
        colors: Sequence[str],
    ) -> ReaderMemory:
        """A picture beside an earlier one; `colors` are those of the game's pieces, empty: it may have any."""
        return read(
            table.picture,
            table.pose,
            table.light,
            table.mat,
            before,
            limits={Pyramid(color, size): _MANY for color in colors for size in PYRAMID_SIZES} if colors else None,
            colors=self._colors,
            empty=self._empty,
            boards=[BoardStacks(CellGrid(one), one.stacks) for one in boards if one.stacks],
            zones=None if boards else zones,
            shapes=self._shapes,
        )

    def _standing_of(
        self,
        table: RegisteredImage,
        zones: Sequence[PyramidZone],
        boards: Sequence[PyramidBoard],
        followed: Followed[FoundPieces],
    ) -> StandingStack:
        heaps: dict[Spot, list[Detection]] = {zone.spot: [] for zone in zones}
        grids = [CellGrid(board) for board in boards]
        cells: dict[Spot, Detection] = {}
        elsewhere: dict[str, Elsewhere] = {}
        at_mm: dict[str, PointMm] = {}
        overlooked: dict[str, tuple[Candidate, ...]] = {}
        held: dict[Spot, FoundPieces] = {}
        self._standing = {}
        marks = []
        for track in followed.tracks:
            found = track.found
            spot = next((spot for grid in grids if (spot := grid.spot_at(found.place.x_mm, found.place.y_mm))), None)
            if spot is not None:
                if spot not in held or found.confidence > held[spot].confidence:
                    held[spot] = found
                marks.append(found_mark(table, found, spot))
                continue
            shares = zones_of(found.place, zones)
            if shares:
                zone = shares[0].zone
                sightings = [stacked(track)] if zone.kind == "stalks" else leveled(track)
                if zone.kind != "stalks" and found.overlooked:
                    overlooked[track.keys[0]] = found.overlooked
                heaps[zone.spot] += sightings
                stands_at = round(float(found.place.x_mm), 1), round(float(found.place.y_mm), 1)
                at_mm |= dict.fromkeys((one.place for one in sightings), stands_at)
                if len(shares) > 1:
                    other = Elsewhere(shares[1].zone.spot, shares[1].share)
                    elsewhere |= {one.place: other for one in sightings}
                else:
                    self._standing.setdefault(zone.spot, []).append(found)
            marks.append(found_mark(table, found, shares[0].zone.spot if shares else None))
        for grid in grids:
            for spot in grid.looked_at(table):
                cells[spot] = top(held[spot]) if spot in held else EMPTY
        hidden = frozenset(key for track in followed.covered for key in _keys(track))
        uncovered = {key: one.how for one in followed.uncovered for key in _keys(one.track)}
        remarks = (PATTERNED,) if self._memory is not None and self._memory.scene.patterned else ()
        told = {spot: tuple(heap) for spot, heap in heaps.items()}
        solids = [solid for track in followed.tracks for solid in track.found.place.points()]
        blind = blind_zones(table.pose.eye_mm(), solids, zones)
        return StandingStack(told, cells, tuple(marks), hidden, uncovered, remarks, elsewhere, at_mm, blind, overlooked)

    def renew(self, empty: EmptyTable) -> None:
        """Sets today's empty table; the knowledge of pieces and colors stays."""
        self._empty = empty

    @property
    def confirmed_colors(self) -> ConfirmedColors:
        """The colors of this table's pieces as confirmed so far."""
        return self._colors

    @property
    def confirmed_shapes(self) -> ConfirmedShapes:
        """The sizes and ghosts of this table as confirmed so far."""
        return self._shapes

    def start_with(self, colors: Sequence[float], tones: Sequence[KnownTone], shapes: Sequence[float] = ()) -> None:
        """Begins with the colors, tones and shapes that an earlier evening confirmed."""
        self._colors, self._shapes = ConfirmedColors(colors, tones), ConfirmedShapes(shapes)

    def confirm_position(self, position: Layout) -> None:
        """The last reading shows `position`: learn this table's colors and shapes from it.

        Of a heap those sizes teach colors of which as many were read as are there; names go to the pieces that fit them
        best.
        """
        for spot, standing in self._standing.items():
            wanted = Counter(p for sighting in position.heaps.get(spot, ()) for p in _pyramids(sighting.piece))
            sizes = [size for found in standing for size in found.place.sizes]
            if not sizes or not wanted:
                continue
            color_logs = np.concatenate([found.color_logs for found in standing])
            if self._taught.get(spot) == color_logs.tobytes():
                continue  # An unchanged heap says nothing new.
            self._taught[spot] = color_logs.tobytes()
            self._shapes.learn(standing, wanted, self._colors.offsets)
            names = assign(color_logs, sizes, wanted)
            named = Counter(Pyramid(PYRAMID_COLORS[n], s) for n, s in zip(names, sizes, strict=True))
            agreed = [size for size in PYRAMID_SIZES if _of_size(named, size) == _of_size(wanted, size)]
            sure = [k for k, size in enumerate(sizes) if size in agreed]
            if sure:
                self._colors.learn(color_logs[sure], [names[k] for k in sure])
                self._learn_tones(standing, names, agreed)

    def _learn_tones(self, standing: Sequence[FoundPieces], names: Sequence[int], sizes: Sequence[str]) -> None:
        """Learns the look of lone pieces of some sizes; `names` (N,) are the colors of all levels in turn."""
        at = 0
        for found in standing:
            if found.lone_tone is not None and found.place.sizes[0] in sizes:
                self._colors.learn_tone(found.lone_tone, names[at])
            at += len(found.place.sizes)


def _of_size(pieces: Counter[Pyramid], size: str) -> Counter[Pyramid]:
    return Counter({piece: count for piece, count in pieces.items() if piece.size == size})


def _keys(track: Track[FoundPieces]) -> tuple[str, ...]:
    """The places of a track, as single pieces and as a stack."""
    return (*track.keys, track.place)


def _pyramids(piece: Piece | None) -> tuple[Pyramid, ...]:
    """The pyramids of a piece or a stack."""
    if isinstance(piece, Stack):
        return piece.pieces
    return (piece,) if isinstance(piece, Pyramid) else ()


def top(found: FoundPieces) -> Detection:
    """The visible top: each size and color as likely as all guesses with that top."""
    chances: defaultdict[Piece | None, float] = defaultdict(float)
    share = _shares(found)[-1]
    for k in np.argsort(-share)[:COLORS]:
        chances[Pyramid(PYRAMID_COLORS[k], found.place.sizes[-1])] += found.confidence * float(share[k])
    for rival in found.rivals:
        if rival.pieces:
            chances[rival.pieces[-1].piece] += rival.pieces[-1].probability
    ranked = sorted(chances.items(), key=lambda one: -one[1])
    return Detection(tuple(Candidate(piece, min(chance, 1.0)) for piece, chance in ranked[:_TOPS] if chance > 0))


def _shares(found: FoundPieces) -> Floats:
    """(levels, 10) the probability of each color of something that was named."""
    assert found.shares is not None
    return found.shares


def leveled(track: Track[FoundPieces]) -> list[Detection]:
    """Each pyramid of a stack as a sighting of its own."""
    return [
        Detection(level.candidates, key, key in track.glimpsed)
        for level, key in zip(track.found.levels, track.keys, strict=True)
    ]


def stacked(track: Track[FoundPieces]) -> Detection:
    """A stack as one sighting: the best reading, then those that differ in one level or in their sizes."""
    found, shares = track.found, _shares(track.found)
    best = tuple(level.piece for level in found.levels if isinstance(level.piece, Pyramid))
    told = [float(share[PYRAMID_COLORS.index(one.color)]) for share, one in zip(shares, best, strict=True)]
    sure = found.confidence * math.prod(told)
    candidates = [Candidate(Stack(best), sure)]
    for at, (level, share) in enumerate(zip(best, shares, strict=True)):
        for k in np.argsort(-share)[:COLORS]:
            if PYRAMID_COLORS[k] != level.color:
                pieces = (*best[:at], Pyramid(PYRAMID_COLORS[k], level.size), *best[at + 1 :])
                candidates.append(Candidate(Stack(pieces), sure * float(share[k]) / max(told[at], 1e-6)))
    for rival in found.rivals:
        pieces = tuple(one.piece for one in rival.pieces if isinstance(one.piece, Pyramid))
        if pieces and not rival.place.lies and rival.confidence > WORTH_NAMING:
            colored = [one.probability / rival.confidence for one in rival.pieces]
            candidates.append(Candidate(Stack(pieces), rival.confidence * math.prod(colored)))
    if track.was:
        candidates = _unlike(candidates, track.was)
    ranked = tuple(sorted(candidates, key=lambda one: -one.probability))
    return Detection(ranked, track.place, bool(track.glimpsed))


def _unlike(candidates: list[Candidate], was: tuple[Piece | None, ...]) -> list[Candidate]:
    """The candidates, given that the picture of the place has changed: what stood there before hardly does so now."""
    old = [one for one in candidates if isinstance(one.piece, Stack) and one.piece.pieces == was]
    kept = sum(one.probability for one in candidates) - sum(one.probability for one in old) * (1 - STILL)
    scale = sum(one.probability for one in candidates) / max(kept, 1e-6)
    return [Candidate(one.piece, one.probability * scale * (STILL if one in old else 1.0)) for one in candidates]
