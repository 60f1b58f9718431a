"""Reading the pyramids of one picture, and of the next one with less work.

The order: the sheet of the mat, places that its cells point at, a close look at each of them, contours of the picture
where that leaves doubt, groups that are not explained, as a whole, the bands of what stands, on a board the stacks that
its game builds, colors, and what all of that is worth; at last names, sizes and colors together if the set is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.layout import Spot
from companion.core.pieces import PYRAMID_COLORS, Pyramid
from companion.core.plan import Mat, PyramidZone
from companion.core.protocols.eyes import OverlayMark
from vision.calibration.calibration import EmptyTable
from vision.image.light import Light
from vision.image.likeness import Glance, Mask, glance_of, unchanged
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.readers.pyramids import cells, closeup, contours
from vision.readers.pyramids.assignment import Limits
from vision.readers.pyramids.bands import FILE as BANDS
from vision.readers.pyramids.bands import BandNet, by_bands
from vision.readers.pyramids.blind_zones import zones_of
from vision.readers.pyramids.board_stacks import FILE as TOPS
from vision.readers.pyramids.board_stacks import BoardStacks
from vision.readers.pyramids.cells import WEIGHTS, answers_of, peaks, votes_of
from vision.readers.pyramids.closeup import Namer, shown
from vision.readers.pyramids.contours import FITS, ContourNet, Contours, ContourWeights, load_fits
from vision.readers.pyramids.crowd import crowds_looked_again
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.joint_assignment import ConfirmedColors, ConfirmedShapes, named_jointly
from vision.readers.pyramids.looking import Looking, looked_again
from vision.readers.pyramids.paper import PAPER, PaperPyramids
from vision.readers.pyramids.presence import (
    APART_MM,
    Presence,
    SeenPart,
    apart_from_all,
    load_presence,
    without_doubles,
    without_ghosts,
    without_ghosts_of_parts,
)
from vision.readers.pyramids.scene import FoundPieces, PyramidScene
from vision.readers.pyramids.sheet import Sheet, beside_empty, inputs, inside, sheet_of
from vision.readers.pyramids.sureness import ANYWHERE, Sureness, load_sureness
from vision.readers.pyramids.tones import FILE as TONES
from vision.readers.pyramids.tones import UNKNOWN, ToneModel, by_tones, load_tones, measured
from vision.readers.pyramids.unprinted import Unprinted, without_print
from vision.readers.pyramids.weighing import Weigher
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[Any]

_MOST_PLACES, _PATTERNED_PLACES = 60, 24
"""Where more places than a game has things look like plastic, the table's pattern does; then so many are looked at."""
_CERTAIN, _PLAINLY_SEEN = 0.95, 25.0
"""On such a table only surer things are listed, or those with likelier contours, in log odds."""
_PALE, _PALE_SURE = ("clear", "white"), 0.95
"""Marks of a table look most like one clear or white piece; without the empty table such a piece must be so sure."""
_SEEN = 10.0
"""Or its contours are so much likelier than the mark's, in log odds."""
_MARKER = 0.75
"""The part of a marker's side around its center in which no thing stands."""


class ReaderMemory(Struct, frozen=True):
    """The memory for the next reading."""

    scene: PyramidScene
    glance: Glance
    same: Mask | None = None
    """Where the picture is as it was in the one before; None where there was none, or another view."""
    paper: float = 0.0
    """The evidence that the pieces on a board are printed paper; see `paper.PaperPyramids.evidence`."""


class Nets(Struct, frozen=True):
    """The four trained nets, what contours count among all guesses and among the stacks of a board, tones, and what all
    of that is worth.
    """

    cells: cells.PyramidNet
    namer: Namer
    bands: BandNet
    contours: ContourNet
    fits: ContourWeights
    tops: ContourWeights
    tones: ToneModel
    sureness: Sureness | None
    """None: what the nets say is believed."""
    presence: Presence | None = None
    """The model of presence beside the empty table; None: every named thing is present."""


@cache
def trained(folder: Path = WEIGHTS) -> Nets:
    """The nets from a folder that training wrote; by default those that come with the project."""
    return Nets(
        cells.PyramidNet(folder / cells.FILE),
        Namer(folder / closeup.FILE),
        BandNet(folder / BANDS),
        ContourNet(folder / contours.FILE),
        load_fits(folder / FITS),
        load_fits(WEIGHTS / TOPS),  # fitted by themselves, so a training writes none
        load_tones(folder / TONES),
        load_sureness(),  # fitted to what the nets say, after they were trained
        load_presence(),
    )


def read(
    picture: Picture,
    pose: Pose,
    light: Light,
    mat: Mat,
    previous: ReaderMemory | None = None,
    limits: Limits | None = None,
    nets: Nets | None = None,
    colors: ConfirmedColors | None = None,
    empty: EmptyTable | None = None,
    boards: Sequence[BoardStacks] = (),
    zones: Sequence[PyramidZone] | None = (),
    shapes: ConfirmedShapes | None = None,
) -> ReaderMemory:
    """Reads a steady picture (H, W, 3) BGR; the scene is `ReaderMemory.scene`.

    `previous` is the answer for an earlier picture of the same table: where it is unchanged, its pieces are kept.
    `limits` are the largest numbers of each piece, `colors` and `shapes` the learned ones of this table,
    `empty` its empty picture, `boards` the stacks that their games build.
    """
    glance, same = glance_of(picture, pose), None
    whole = sheet_of(pose, mat, (picture.shape[1], picture.shape[0]))
    kept: list[FoundPieces] = []
    parts = [whole]
    if previous is not None:
        same = unchanged(previous.glance, glance, np.array(mat.corners_mm()))
    if previous is not None and same is not None:
        there = [one.seen_by(pose) for one in previous.scene.found]
        kept = [one for one in there if inside(one.box, same)]
        parts = whole.around(same)
    nets = nets or trained()
    seen, plain = _inputs_of(parts, whole, picture, pose, light, empty)
    contours = Contours(picture, nets.contours, None if plain is None else plain.picture)
    weigher = Weigher(contours, nets.fits, empty is not None)
    looked = []
    for k, (sheet, one) in enumerate(zip(parts, seen, strict=True)):
        without = None if plain is None else plain.inputs[k]
        looked.append(_things(one, without, sheet, pose, mat, weigher, nets, kept, boards))
    found = [one for things in looked for one in things.seen.found]
    fresh = without_doubles([one for one in found if apart_from_all(one, kept)])
    if len(looked) > 1:  # a part by itself has none left
        fresh = without_ghosts_of_parts(fresh, [things.seen for things in looked], kept)
    fresh = measured(fresh, kept, picture, pose, light)
    fresh = by_tones(fresh, kept, UNKNOWN if colors is None else colors.tones, nets.tones)
    if nets.sureness is not None and zones is not None:
        fresh = [nets.sureness.of(one, pose, kind_of_zone(one.place, zones), empty is not None) for one in fresh]
    if shapes is not None:
        fresh = shapes.applied(fresh, pose)
    printed = 0.0 if previous is None else previous.paper
    for board in boards:
        paper = PaperPyramids(board, picture, pose, light, replace(weigher, weights=nets.tops))
        printed = paper.evidence(fresh, printed)
        if printed >= PAPER:
            fresh = paper.among(fresh, kept)
    named = named_jointly([*kept, *fresh], pose, limits, colors)
    return ReaderMemory(PyramidScene(named, any(things.patterned for things in looked)), glance, same, printed)


def kind_of_zone(place: StackHypothesis, zones: Sequence[PyramidZone]) -> str:
    """The kind of the zone that a place is in; `ANYWHERE` if it is in none."""
    shares = zones_of(place, zones)
    return shares[0].zone.kind if shares else ANYWHERE


def _inputs_of(
    parts: Sequence[Sheet], whole: Sheet, picture: Picture, pose: Pose, light: Light, empty: EmptyTable | None
) -> tuple[list[Floats], Unprinted | None]:
    """The inputs of each part, with and without the table's print.

    Today's light on the empty table is seen on all of it, whatever is read.
    """
    if empty is None:
        return [inputs(picture, sheet, pose, light) for sheet in parts], None
    seen = beside_empty(inputs(picture, whole, pose, light), whole, pose, empty)
    plain = without_print(picture, seen, whole, parts, pose, light, empty)
    return [seen[:, *whole.part(sheet)] for sheet in parts], plain


class _Things(NamedTuple):
    """The things of a sheet."""

    seen: SeenPart
    patterned: bool


def _things(
    seen: Floats,
    plain: Floats | None,
    sheet: Sheet,
    pose: Pose,
    mat: Mat,
    weigher: Weigher,
    nets: Nets,
    kept: Sequence[FoundPieces],
    boards: Sequence[BoardStacks],
) -> _Things:
    """All things of a sheet except those `kept` from before; `plain` are the inputs without the table's print."""
    source = shown(seen) if plain is None else replace(shown(seen), plain=shown(plain))
    seen = seen if plain is None else plain
    answers = answers_of(nets.cells, seen)
    met = peaks(votes_of(answers, sheet, pose), mat, answers.fine is not None)
    places = [(p.x_mm, p.y_mm) for p in met if _free(p.x_mm, p.y_mm, mat) and not _taken(p.x_mm, p.y_mm, kept)]
    patterned = len(places) > _MOST_PLACES and not weigher.beside
    if patterned:
        places = places[:_PATTERNED_PLACES]
    if not places:
        return _Things(SeenPart([], answers, sheet), patterned)
    looking = Looking(answers, source, sheet, pose, weigher, nets.namer)
    found = looked_again(looking.all_near(np.array(places)), kept, looking)
    if not (patterned or boards):  # a board says by itself what can stand where
        found = crowds_looked_again(found, kept, looking, mat)
    there = [one for _, one in found if _free(one.place.x_mm, one.place.y_mm, mat)]
    if not weigher.beside:
        there = [one for one in there if not like_a_mark(one) or weigher.seen(one.place, pose) > _SEEN]
    # What is seen twice is dropped first: the other guesses at a place do not all stand in the same spot.
    there = without_doubles([one for one in there if apart_from_all(one, kept)])
    there = without_ghosts(there, kept, answers, sheet)
    if weigher.beside and nets.presence is not None:
        there = nets.presence.among(there, kept, answers, seen, sheet)
    there = by_bands(there, looking.shown, sheet, pose, nets.bands)
    among = replace(weigher, weights=nets.tops)
    for board in boards:
        there = board.among(there, answers, sheet, pose, among)
    if patterned:
        there = [one for one in there if one.confidence > _CERTAIN or weigher.seen(one.place, pose) > _PLAINLY_SEEN]
    return _Things(SeenPart(there, answers, sheet), patterned)


def _free(x_mm: float, y_mm: float, mat: Mat) -> bool:
    """Returns true if a thing can stand there: inside of the mat and on none of its markers."""
    reach = mat.marker_mm * _MARKER
    inside = 0 < x_mm < mat.width_mm and 0 < y_mm < mat.height_mm
    return inside and not any(abs(x_mm - x) < reach and abs(y_mm - y) < reach for x, y in mat.corners_mm())


def _taken(x_mm: float, y_mm: float, kept: Sequence[FoundPieces]) -> bool:
    """Returns true if a kept thing stands there, so that no other can."""
    return any(np.hypot(x_mm - one.place.x_mm, y_mm - one.place.y_mm) <= APART_MM for one in kept)


def like_a_mark(found: FoundPieces) -> bool:
    """Returns true if a table's own light mark may as well be seen: one clear or white piece that is not sure to be
    there.
    """
    if len(found.place.sizes) > 1 or found.confidence > _PALE_SURE:
        return False
    return PYRAMID_COLORS[int(found.color_logs[0].argmax())] in _PALE


PATTERNED = "This table's pattern looks like pieces: clear it and press *Remember the empty table*."
"""The sentence instead of a list of a hundred pieces."""
SURE = 0.9
"""Readings below this confidence are drawn as doubtful."""


class PyramidReading(Struct, frozen=True):
    """One photograph read for pyramids."""

    table: RegisteredImage
    scene: PyramidScene

    def truth(self) -> dict[str, Any]:
        """The contents in the words of the labeled picture set, with a confidence on every piece."""
        return self.scene.truth()

    def remarks(self) -> tuple[str, ...]:
        """The obstacles to reading this table well."""
        return (PATTERNED,) if self.scene.patterned else ()

    def marks(self) -> tuple[OverlayMark, ...]:
        """The outline of each stack and lying piece, in the photograph's pixels."""
        return tuple(found_mark(self.table, found) for found in self.scene.found)


def found_mark(table: RegisteredImage, found: FoundPieces, spot: Spot | None = None) -> OverlayMark:
    """The overlay of one thing."""
    hull = cv2.convexHull(found.outline_px.reshape(-1, 1, 2).astype(np.float32)).reshape(-1, 2).astype(np.float64)
    words = [f"{level.piece.color} {level.piece.size}" for level in found.levels if isinstance(level.piece, Pyramid)]
    sure = min((level.confidence for level in found.levels), default=found.confidence)
    return OverlayMark(table.original_px(hull), ", ".join(words), "read" if sure >= SURE else "doubt", spot, sure)


def read_pyramids(table: RegisteredImage, limits: Limits | None = None) -> PyramidReading:
    """Read a table's picture; `limits` say how many of each piece can be there."""
    known = table.calibration
    empty = None if known is None else known.empty
    colors = None if known is None else ConfirmedColors(known.colors, known.tones)
    memory = read(table.picture, table.pose, table.light, table.mat, limits=limits, colors=colors, empty=empty)
    return PyramidReading(table, memory.scene)
