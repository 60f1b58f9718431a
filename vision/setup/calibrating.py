"""Learns a table from pictures of it without pieces, and optionally from a picture of known pieces.

It also says in words how well this table will be read, and what would help.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from companion.core.foundation.errors import WrongTable, WrongUsage
from companion.core.pieces import PYRAMID_COLORS, WHEEL, Pyramid
from companion.core.plan import Mat, Point
from vision.calibration.calibration import Calibration, EmptyTable
from vision.image.light import LINEAR, light_from_markers
from vision.image.picture import Picture
from vision.image.pose import inside, rectified, rectifying_map
from vision.readers.cards.teaching import taught_by_pictures
from vision.readers.dice.palette import learned
from vision.readers.dice.teaching import Face, taught_by_rows
from vision.readers.pawns.reader import place_wheel
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.forecast import colors_in_words, table_in_words
from vision.readers.pyramids.reader import read
from vision.readers.pyramids.sampler import Sample, learned_colors, samples
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.tiles.inks import INKS
from vision.registration.markers import find_markers
from vision.registration.pose_estimate import estimate_from_markers
from vision.registration.registered_image import RegisteredImage, agreeing, find_table

Floats = NDArray[Any]

_MM_PER_PX = 4.0
_FINE_PX_PER_MM = 1.1
"""The least number of pixels per millimeter at which digits and pips are easy to read."""
_DARK, _GLARE = 0.02, 0.985
"""The linear light of white paper that is too low, and the share of full light from which details are lost."""
_GLARE_SHARE = 0.03
_HAZE = 0.012
_SHADES = (0.5, 0.7, 1.0, 1.3)
"""The light on a piece relative to the cloth beside it."""
_ALIKE = 0.1
"""A piece is hard to see if its largest difference to the cloth, in cube roots of reflectance, is below this."""
_SHARE = 0.1
"""A color is named if it resembles at least this share of the cloth."""


def flat_in_words(empty: EmptyTable, colors: Mapping[str, Floats]) -> Iterator[str]:
    """Yields sentences on the camera, the light and the cloth.

    Args:
        colors: Reflectance (3,) B, G, R relative to white paper of the pieces' colors, by name; empty: they do not lie
            on the table itself.
    """
    width, height = (round(side / _MM_PER_PX) for side in (empty.mat.width_mm, empty.mat.height_mm))

    def place(pixels: Floats) -> Floats:
        return (pixels + 0.5) * _MM_PER_PX

    mapping = rectifying_map(empty.pose, (width, height), 0.0, place)
    steps = np.hypot(*np.moveaxis(np.diff(mapping, axis=1), -1, 0))
    px_per_mm = float(np.median(steps)) / _MM_PER_PX
    yield f"The empty table is remembered: {px_per_mm:.1f} pixels a millimeter."
    if px_per_mm < _FINE_PX_PER_MM:
        yield "The camera is far away: digits and pips will be hard to read. Bring it nearer or use more pixels."
    ys, xs = np.mgrid[0:height, 0:width]
    white = empty.light.white(place(np.column_stack([xs.ravel(), ys.ravel()]))).reshape(height, width, 3)
    if float(np.median(white)) < _DARK:
        yield "The picture is dark. More light on the table would help."
    seen = rectified(empty.picture, mapping)
    known = inside(mapping, empty.pose.size_px)
    glare = float((seen[known].min(axis=1) >= 255 * _GLARE).mean()) if known.any() else 0.0
    if glare > _GLARE_SHARE:
        yield f"A lamp is mirrored in {glare:.0%} of the table, where pieces cannot be seen well. Move the lamp."
    if not colors:
        return
    cloth = np.cbrt(LINEAR[seen][known] / white[known] + _HAZE)
    alike = [name for name, color in colors.items() if (_apart(cloth, color) < _ALIKE).mean() > _SHARE]
    if alike:
        yield f"This table is much like {' and '.join(alike)}: such pieces may be overlooked. Another cloth would help."
    else:
        yield "All colors stand out from this table."


def _apart(cloth: Floats, color: Floats) -> Floats:
    """Returns (N,): the distance of places of a cloth (N, 3), in cube roots of reflectance, to a piece's color in any
    shade.
    """
    shaded = [np.abs(cloth - np.cbrt(color * shade + _HAZE)).max(axis=1) for shade in _SHADES]
    return np.asarray(np.min(shaded, axis=0))


# Known pieces in one row: which of those that are seen is which, from left to right.
#
# People do not measure distances, and they leave a gap where they leave a color out. So what counts is the order:
# pieces and things that are seen are aligned so that colors and sizes fit best, and either may be left over.

_LEFT_OVER = 4.0
"""The cost in nats of a piece that is not found, and of a thing that is not a piece of the row."""
_LEAST_SHARE = 0.02
"""The least probability of a color: a lamp may shift any of them, which is what a row is set out for."""
_WRONG_SIZE = 1.0


def in_row(found: Sequence[FoundPieces], row: Sequence[Pyramid]) -> list[Sample]:
    """Returns the reading of each piece of a row, from left to right."""
    seen = sorted(found, key=lambda one: one.place.x_mm)
    cost = np.full((len(row) + 1, len(seen) + 1), np.inf)
    cost[0] = _LEFT_OVER * np.arange(len(seen) + 1)
    cost[:, 0] = _LEFT_OVER * np.arange(len(row) + 1)
    for i, piece in enumerate(row, 1):
        for j, one in enumerate(seen, 1):
            left_over = min(cost[i - 1, j], cost[i, j - 1]) + _LEFT_OVER
            cost[i, j] = min(left_over, cost[i - 1, j - 1] + _unlike(piece, one))
    samples: list[Sample] = []
    i, j = len(row), len(seen)
    while i > 0:
        if j > 0 and cost[i, j] == cost[i - 1, j - 1] + _unlike(row[i - 1], seen[j - 1]):
            i, j = i - 1, j - 1
            samples.append(Sample(row[i], seen[j]))
        elif j > 0 and cost[i, j] == cost[i, j - 1] + _LEFT_OVER:
            j -= 1
        else:
            i -= 1
            samples.append(Sample(row[i], None))
    return samples[::-1]


def _unlike(piece: Pyramid, one: FoundPieces) -> float:
    """Returns the number of nats against a thing being this piece."""
    if len(one.color_logs) != 1:
        return 2 * _LEFT_OVER
    share = float(share_of(one.color_logs[0])[PYRAMID_COLORS.index(piece.color)])
    return -float(np.log(max(share, _LEAST_SHARE))) + _WRONG_SIZE * (one.place.sizes != (piece.size,))


CALIBRATED = ("pyramids", "spectrangle", "dice", "spectrum", "cards")
"""The domains that use a picture of the empty table; for Spectrum it includes the empty board."""
_TILE_COLORS = ("red", "green", "blue", "yellow", "purple", "white")
"""The names of the colors of tiles."""
_STILL_PX = 1.5
"""If markers moved by more than this number of pixels, at 1280 pixels of width, the camera moved between two
pictures.
"""


class Learned(Struct, frozen=True):
    """The learned calibration, with sentences about it."""

    calibration: Calibration
    words: tuple[str, ...]
    """Sentences for people."""


def calibrate(
    domain: str,
    mat: Mat,
    empties: Sequence[Picture],
    sampler: tuple[Picture, Sequence[Sequence[Pyramid]] | Sequence[Sequence[Face]]] | None = None,
    corners_px: Sequence[Point] | None = None,
) -> Learned:
    """Learns a table.

    Args:
        empties: One picture or more (H, W, 3) BGR of the table with its markers alone, from one place.
        sampler: Known pieces on the same table, and what they are, row by row from the top, each from the left. Cards
            are taught by `taught_cards`.
        corners_px: Centers of markers 0 to 3, where markers cannot be found.

    Raises:
        WrongUsage: The domain is not read with an empty table, or has no sampler.
        NoTable: The table cannot be placed in a picture.
        NoBoard: It should show an empty Spectrum board.
        WrongTable: The pictures do not show the same table from the same place.
    """
    if domain not in CALIBRATED:
        raise WrongUsage(f"{domain!r} is not read with an empty table; this is: {', '.join(CALIBRATED)}.")
    if sampler is not None and domain not in ("pyramids", "dice"):
        raise WrongUsage("Only pyramids, dice and cards are learned from a sampler. Leave --sampler and --rows out.")
    tables = [find_table(picture, mat, corners_px) for picture in empties]
    for number, table in enumerate(tables[1:], 2):
        if _moved(tables[0], table):
            raise WrongTable(
                f"The camera or the mat moved between the first empty picture and number {number}. Take them all from "
                "one place."
            )
    beside = None if sampler is None else find_table(sampler[0], mat, corners_px)
    first = _joint(tables if beside is None or _moved(tables[0], beside) else [*tables, beside], tables[0])
    mean = np.mean([table.picture for table in tables], axis=0, dtype=np.float32)
    empty = EmptyTable(np.round(mean).astype(np.uint8), first.pose, first.light, mat, _noise(tables))
    words = table_in_words(empty) if domain == "pyramids" else flat_in_words(empty, _colors(domain))
    board = (
        _board(RegisteredImage(empty.picture, 1.0, mat, empty.pose, empty.light, ())) if domain == "spectrum" else None
    )
    calibration = Calibration(domain, empty, words=tuple(words), board=board)
    if sampler is not None and domain == "dice":
        calibration = taught_dice(calibration, sampler[0], _faces(sampler[1]), corners_px)
    elif sampler is not None:
        calibration, _ = taught(calibration, sampler[0], _pyramids(sampler[1]), corners_px)
    return Learned(calibration, calibration.words + calibration.color_words)


def taught(
    calibration: Calibration,
    picture: Picture,
    rows: Sequence[Sequence[Pyramid]],
    corners_px: Sequence[Point] | None = None,
) -> tuple[Calibration, tuple[Sample, ...]]:
    """Returns a calibration that has also learned the colors of known pieces, and the reading of each of them.

    Args:
        picture: The calibrated table with only these pieces.
        rows: The pieces, row by row from the top, each from the left.

    Raises:
        NoTable: The table cannot be placed.
        WrongTable: It is another table.
    """
    empty = calibration.empty
    table = find_table(picture, empty.mat, corners_px, calibration=calibration)
    if len(rows) == 1:
        found = read(table.picture, table.pose, table.light, table.mat, empty=empty).scene.found
        seen = tuple(in_row(found, rows[0]))
    else:
        seen = tuple(samples(table, empty, rows))
    learned = learned_colors(seen)
    colors = tuple(float(offset) for offset in learned.offsets)
    words = tuple(colors_in_words(seen, colors))
    return structs.replace(calibration, colors=colors, tones=learned.tones, color_words=words), seen


def taught_dice(
    calibration: Calibration,
    picture: Picture,
    rows: Sequence[Sequence[Face]],
    corners_px: Sequence[Point] | None = None,
) -> Calibration:
    """Returns a calibration that has also learned dice that were set out, each face once.

    Args:
        picture: The calibrated table with only these dice.
        rows: Their upper faces, row by row from the top, each from the left.

    Raises:
        NoTable: The table cannot be placed.
        WrongTable: It is another table.
        SeeError: Other dice are found than were set out.
    """
    table = find_table(picture, calibration.empty.mat, corners_px, calibration=calibration)
    dice, words = taught_by_rows(calibration.dice, table, rows)
    return structs.replace(calibration, dice=dice, color_words=words)


def taught_cards(
    calibration: Calibration,
    pictures: Sequence[Picture],
    rows: Sequence[Sequence[str]],
    corners_px: Sequence[Point] | None = None,
) -> Calibration:
    """Returns a calibration that has also learned a deck from cards that were set out.

    Args:
        pictures: The calibrated table with only these cards; in several pictures, one after the other.
        rows: The codes of the cards, row by row from the top, each from the left.

    Raises:
        NoTable: The table cannot be placed.
        WrongTable: It is another table.
        SeeError: Other cards are found than were set out.
    """
    tables = [find_table(one, calibration.empty.mat, corners_px, calibration=calibration) for one in pictures]
    deck, words = taught_by_pictures(calibration.deck, tables, rows)
    return structs.replace(calibration, deck=deck, color_words=words)


def _pyramids(rows: Sequence[Sequence[Pyramid]] | Sequence[Sequence[Face]]) -> list[list[Pyramid]]:
    """Returns the rows of a sampler of pyramids.

    Raises:
        WrongUsage: Something else stands in them.
    """
    pieces = [[piece for piece in row if isinstance(piece, Pyramid)] for row in rows]
    if [len(row) for row in pieces] != [len(row) for row in rows]:
        raise WrongUsage('The rows of a sampler of pyramids hold pyramids: {"color", "size"}.')
    return pieces


def _faces(rows: Sequence[Sequence[Pyramid]] | Sequence[Sequence[Face]]) -> list[list[Face]]:
    """Returns the rows of a sampler of dice.

    Raises:
        WrongUsage: Something else stands in them.
    """
    faces = [[face for face in row if not isinstance(face, Pyramid)] for row in rows]
    if [len(row) for row in faces] != [len(row) for row in rows]:
        raise WrongUsage("The rows of a sampler of dice hold upper faces: 1 to 6, or the name of a color.")
    return faces


def _board(table: RegisteredImage) -> tuple[float, float, float, float]:
    """Returns the place of an empty Spectrum board: x, y and radius in millimeters, and its heading in degrees.

    Raises:
        NoBoard: There is no board.
    """
    wheel = place_wheel(table).wheel
    return wheel.x_mm, wheel.y_mm, wheel.radius_mm, wheel.heading_deg


def _colors(domain: str) -> dict[str, Floats]:
    """Returns the reflectance (3,) of each color of a domain's pieces; empty for pawns, which have a board of their
    own, and for cards, which need none.
    """
    if domain in ("spectrum", "cards"):
        return {}
    if domain == "spectrangle":
        return dict(zip(_TILE_COLORS, INKS, strict=True))
    shares = learned().palette.shares
    return {color: np.array(share) for color, share in zip(WHEEL, shares, strict=True)}


def _moved(one: RegisteredImage, other: RegisteredImage) -> bool:
    """True if two pictures were taken from different places."""
    if one.picture.shape != other.picture.shape:
        return True
    corners = np.column_stack([np.array(one.mat.corners_mm()), np.zeros(4)])
    away = np.abs(one.pose.project(corners) - other.pose.project(corners)).max()
    return bool(away > _STILL_PX * max(one.pose.size_px) / 1280)


def _joint(tables: Sequence[RegisteredImage], first: RegisteredImage) -> RegisteredImage:
    """Returns the first table, its lens and pose solved from the markers of all pictures of the same place together."""
    seen = [agreeing(find_markers(table.picture), table.pose, table.mat, table.markers) for table in tables]
    ids = set.intersection(*(set(one) for one in seen))
    if len(tables) < 2 or len(ids) < 4:
        return first
    corners = {i: np.mean([one[i] for one in seen], axis=0) for i in sorted(ids)}
    estimate = estimate_from_markers({i: [c] for i, c in corners.items()}, first.mat, first.pose.size_px)
    light = light_from_markers(
        first.picture, estimate.pose, first.mat, {i: c for i, c in corners.items() if i in estimate.used}
    )
    return structs.replace(first, pose=estimate.pose, light=light)


def _noise(tables: Sequence[RegisteredImage]) -> float:
    """Returns the difference between two pictures of the same place, in logarithms of light; 0 for one picture."""
    if len(tables) < 2:
        return 0.0
    logs = [np.log(table.picture[::3, ::3].astype(np.float32) + 4) for table in tables[:2]]
    apart = logs[1] - logs[0]
    return float(np.median(np.abs(apart - np.median(apart))) * 1.48 * 2.2)
