"""The calibration of one table: its empty picture, the camera's pose, and the color shift of its light.

A calibration is one file, so that it can be kept, sent and named on a command line. The empty table can also be learned
while pieces stand on it, because players do not clear a table in the middle of a game: the new picture is used wherever
it shows the bare table. Under pieces and their shadows the earlier picture stays, adjusted to today's light. Unknown
parts stay unknown; readers treat them like a table without an empty picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal

import cv2
import msgspec
import numpy as np
from msgspec import Meta, Struct, structs
from numpy.typing import NDArray

from companion.core.foundation.errors import BadCalibration, UnreadablePicture
from companion.core.foundation.kept_file import Spoiled, decode_message_pack, read_bytes, write_whole
from companion.core.pieces import PYRAMID_COLORS
from companion.core.plan import Mat
from vision.calibration.taught import KnownTone, TaughtDeck, TaughtDice
from vision.image.light import LINEAR, Light
from vision.image.picture import Picture, decode_picture
from vision.image.pose import Map, Pose, inside, rectifying_map

Floats = NDArray[Any]


class EmptyTable(Struct, frozen=True, eq=False):
    """A picture of the empty table, or the mean of several; an object equals only itself."""

    picture: Picture
    pose: Pose
    light: Light
    mat: Mat
    noise: float = 0.0
    """The difference between two pictures of a free place, in logarithms of light; 0 if only one was taken."""
    free: NDArray[np.uint8] | None = None
    """(H, W) 1 where the bare table was seen, 0 where something stood; None stands for 1 everywhere."""

    def reflectance(self, mapping: Map) -> tuple[Floats, Floats]:
        """Returns linear light (H, W, 3) float32 in B, G, R at the pixels of a map (H, W, 2), and a mask of the known
        places.
        """
        seen = cv2.remap(
            self.picture, mapping[..., 0], mapping[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(LINEAR[seen]), self.known(mapping).astype(np.float32)

    def known(self, mapping: Map) -> NDArray[np.bool_]:
        """Returns a mask (H, W): True where a map (H, W, 2) of pixels points to a place that was seen bare."""
        known = inside(mapping, (self.picture.shape[1], self.picture.shape[0]))
        if self.free is None:
            return known
        x, y = mapping[..., 0], mapping[..., 1]
        return known & (cv2.remap(self.free, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT) > 0)

    def known_from(self, pose: Pose) -> NDArray[np.bool_]:
        """Returns a mask (H, W): True for pixels of a camera at another pose that show a place which was seen bare."""
        if self.same_view(pose):
            return np.ones(self.picture.shape[:2], np.bool_)
        return self.known(rectifying_map(self.pose, pose.size_px, 0.0, pose.unproject))

    def picture_from(self, pose: Pose) -> Picture:
        """Returns a picture (H, W, 3) BGR as a camera at another pose would take it; unseen places continue the
        border's colors.
        """
        if self.same_view(pose):
            return self.picture
        mapping = rectifying_map(self.pose, pose.size_px, 0.0, pose.unproject)
        return np.asarray(
            cv2.remap(
                self.picture, mapping[..., 0], mapping[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ),
            np.uint8,
        )

    def same_view(self, pose: Pose, limit_px: float = 0.05) -> bool:
        """True if another picture was taken from the same place, so that pixels can be compared directly.

        False if a part of the table is unknown, because then each place must be looked up.
        """
        if self.free is not None or pose.size_px != self.pose.size_px:
            return False
        corners = np.column_stack([np.array(self.mat.corners_mm()), np.zeros(4)])
        return bool(np.abs(pose.project(corners) - self.pose.project(corners)).max() < limit_px)


SHADOW_MM = 24.0
"""The distance in millimeters that shadows and scattered light reach from a piece."""
_FIELD = 0.06
"""The width of the smooth light field, as a share of the picture's width."""
_LEAST_WEIGHT = 1e-3
_SMALL_PX = 320
"""The width in pixels at which unknown places are filled in smoothly."""
_DARKEST = 4.0


def around_pieces(shown: EmptyTable, outlines_px: Sequence[Floats], before: EmptyTable | None) -> EmptyTable:
    """Returns an empty table made from one with pieces on it.

    Args:
        shown: The table as it is now; its picture shows the pieces.
        outlines_px: The outlines of the pieces, as polygons (N, 2) in pixels of that picture.
        before: The empty table as it was known until now.
    """
    covered = _covered(outlines_px, shown)
    if not covered.any():
        return shown
    known = np.zeros(covered.shape, bool) if before is None else covered & before.known_from(shown.pose)
    free = ~covered | known
    picture = shown.picture
    if before is not None and known.any():
        picture = np.where(known[..., None], relit(before.picture_from(shown.pose), picture, ~covered), picture)
    if free.all():
        return structs.replace(shown, picture=picture)
    picture = np.where(free[..., None], picture, _filled(picture, ~free))
    return structs.replace(shown, picture=picture, free=free.astype(np.uint8))


def _covered(outlines_px: Sequence[Floats], shown: EmptyTable) -> NDArray[np.bool_]:
    """Returns a mask (H, W) of the places where pieces and their shadows hide the bare table."""
    covered = np.zeros(shown.picture.shape[:2], np.uint8)
    for outline in outlines_px:
        hull = cv2.convexHull(np.asarray(outline, np.float32).reshape(-1, 1, 2))
        cv2.fillPoly(covered, [np.round(hull).astype(np.int32)], 1)
    reach = max(1, round(SHADOW_MM * px_per_mm(shown.pose, shown.mat.corners_mm())))
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(covered, around) > 0)


def px_per_mm(pose: Pose, corners_mm: Sequence[tuple[float, float]]) -> float:
    """Returns the mean scale along the mat's sides, in pixels per millimeter."""
    corners = np.array(corners_mm)
    pixels = pose.project(np.column_stack([corners, np.zeros(4)]))
    sides = [np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1).sum() for points in (pixels, corners)]
    return float(sides[0] / sides[1])


def relit(before: Picture, now: Picture, free: NDArray[np.bool_]) -> Picture:
    """Returns the picture of before (H, W, 3) in the light of now, which is compared where the table is free."""
    weight = free.astype(np.float32)
    logs = np.log((now.astype(np.float32) + _DARKEST) / (before.astype(np.float32) + _DARKEST)) * weight[..., None]
    sigma = _FIELD * now.shape[1]
    field = _blurred(logs, sigma) / np.maximum(_blurred(weight, sigma), _LEAST_WEIGHT)[..., None]
    relit = (before.astype(np.float32) + _DARKEST) * np.exp(field) - _DARKEST
    return np.clip(np.round(relit), 0, 255).astype(np.uint8)


def _blurred(values: Floats, sigma: float) -> Floats:
    """Returns a wide blur, made on an eighth of the pixels."""
    height, width = values.shape[:2]
    small = cv2.resize(values, (max(1, width // 8), max(1, height // 8)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma / 8), (width, height)))


def _filled(picture: Picture, unknown: NDArray[np.bool_]) -> Picture:
    """Returns the picture with its unknown places filled in smoothly from their surroundings."""
    height, width = picture.shape[:2]
    size = _SMALL_PX, max(1, round(height * _SMALL_PX / width))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    holes = (cv2.resize(unknown.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    return np.asarray(cv2.resize(cv2.inpaint(small, holes, 3, cv2.INPAINT_TELEA), (width, height)), np.uint8)


VERSION = 1
MAX_BYTES = 16 * 1024 * 1024

_SUM_BYTES = 32
_FARTHEST = 1e6
"""The upper bound for focal lengths in pixels, rotations, and distances in millimeters."""
_LOG_LIGHT = 20.0
"""The upper bound for the size of a logarithm of light."""
_STEEPEST = 1.0
"""The upper bound for the change of a logarithm of light per millimeter."""
_BENT_MOST = 10.0
"""The upper bound for the distortion of a lens."""
_DOMAINS = ("cards", "dice", "pyramids", "spectrangle", "spectrum")
"""The names of `vision.domains`, which imports this module."""

_Sentences = Annotated[tuple[Annotated[str, Meta(max_length=500)], ...], Meta(max_length=64)]
_Place = Annotated[float, Meta(ge=-10_000, le=10_000)]
_Offset = Annotated[float, Meta(ge=-20, le=20)]


class Calibration(Struct, frozen=True):
    """One table, learned for one kind of pieces."""

    domain: str
    """The domain: a name of `vision.domains`."""
    empty: EmptyTable
    colors: tuple[float, ...] = ()
    """The offset of each color's log likelihood, in the domain's order; empty if no colors were learned."""
    words: tuple[str, ...] = ()
    """Sentences for people on how well the table will be read."""
    color_words: tuple[str, ...] = ()
    """Sentences for people on how well the colors will be read."""
    board: tuple[float, float, float, float] | None = None
    """The place of a Spectrum board: x and y of its middle and its radius in millimeters, its red path's heading in
    degrees.
    """
    tones: tuple[KnownTone, ...] = ()
    """The tones of known pieces, in the domain's order of colors; empty if none was seen."""
    dice: TaughtDice = TaughtDice()
    """The faces and colors of dice that people have taught."""
    deck: TaughtDeck = TaughtDeck()
    """The cards that people have taught."""

    @property
    def mat(self) -> Mat:
        """The mat for which the calibration was made."""
        return self.empty.mat

    def save(self, path: Path) -> None:
        """Writes the calibration as one file.

        Raises:
            BadCalibration: The file cannot be written.
        """
        free = self.empty.free
        kept = _File(
            "companion calibration",
            VERSION,
            self.domain,
            self.mat,
            self.empty.pose,
            self.empty.light,
            self.empty.noise,
            self.colors,
            _png(self.empty.picture),
            None if free is None else _png(free),
            self.words,
            self.color_words,
            self.board,
            self.tones,
            self.dice,
            self.deck,
            bytes(_SUM_BYTES),
        )
        try:
            data = msgspec.msgpack.encode(kept)[:-_SUM_BYTES]
            write_whole(path, data + sha256(data).digest())
        except OSError as error:
            raise BadCalibration(
                f"The calibration cannot be written to {path} ({error.strerror}). Choose another place for -o."
            ) from error


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a calibration file."""

    kind: Literal["companion calibration"]
    version: int
    domain: str
    mat: Mat
    pose: Pose
    light: Light
    noise: Annotated[float, Meta(ge=0, le=10)]
    colors: Annotated[tuple[_Offset, ...], Meta(max_length=64)]
    picture: bytes
    """The picture as PNG."""
    free: bytes | None = None
    """A gray PNG with 1 where the bare table was seen; None stands for everywhere."""
    words: _Sentences = ()
    color_words: _Sentences = ()
    board: tuple[_Place, _Place, _Place, _Place] | None = None
    tones: Annotated[tuple[KnownTone, ...], Meta(max_length=64)] = ()
    dice: TaughtDice = TaughtDice()
    deck: TaughtDeck = TaughtDeck()
    sha256: bytes | None = None
    """The SHA-256 of all bytes before it, last in the file; None in files of earlier versions."""


def load_calibration(path: Path) -> Calibration:
    """Reads a file that `Calibration.save` wrote.

    Raises:
        BadCalibration: The file is missing, damaged, of another version, or not a calibration.
    """
    again = "Make it again with `companion calibrate`."
    try:
        data = read_bytes(path, MAX_BYTES)
        kept = decode_message_pack(data, _File)
        if kept.sha256 is not None and kept.sha256 != sha256(data[:-_SUM_BYTES]).digest():
            raise Spoiled("its sum does not fit")
        picture = decode_picture(kept.picture)
        free = None if kept.free is None else np.ascontiguousarray(decode_picture(kept.free)[..., 0])
    except OSError as error:
        raise BadCalibration(f"The calibration {path} cannot be read ({error.strerror}). Check its name.") from error
    except (Spoiled, UnreadablePicture) as error:
        raise BadCalibration(f"{path} is not a calibration, or it is damaged. {again}") from error
    if kept.version != VERSION:
        raise BadCalibration(
            f"{path} is a calibration of version {kept.version}; this program reads {VERSION}. {again}"
        )
    fits = (picture.shape[1], picture.shape[0]) == kept.pose.size_px
    if not fits or (free is not None and free.shape != picture.shape[:2]) or not _can_be(kept):
        raise BadCalibration(f"{path} contradicts itself: its picture and its camera do not fit. {again}")
    empty = EmptyTable(picture, kept.pose, kept.light, kept.mat, kept.noise, free)
    return Calibration(
        kept.domain, empty, kept.colors, kept.words, kept.color_words, kept.board, kept.tones, kept.dice, kept.deck
    )


def _png(picture: NDArray[np.uint8]) -> bytes:
    done, data = cv2.imencode(".png", picture)
    assert done
    return data.tobytes()


def _can_be(kept: _File) -> bool:
    """True if a reader can work with these numbers."""
    pose, light, count = kept.pose, kept.light, len(PYRAMID_COLORS)
    numbers = (pose.focal_px, pose.k1, *pose.rvec, *pose.tvec, pose.residual_px, *light.middle_mm)
    return (
        kept.domain in _DOMAINS
        and len(kept.colors) in (0, count)
        and len(kept.tones) in (0, count)
        and (kept.board is None or kept.board[2] > 0)
        and all(isfinite(number) and abs(number) <= _FARTHEST for number in numbers)
        and all(isfinite(number) and abs(number) <= _LOG_LIGHT for number in light.offset)
        and all(isfinite(slope) and abs(slope) <= _STEEPEST for slope in (light.slope_x, light.slope_y))
        and set(light.markers) <= set(range(4))
        and len(light.markers) <= 4
        and pose.focal_px >= 1
        and abs(pose.k1) <= _BENT_MOST
        and _sees(pose, kept.mat)
    )


def _sees(pose: Pose, mat: Mat) -> bool:
    """True if the camera is above the table and has all four corners in front of it."""
    corners = np.column_stack([np.array(mat.corners_mm()), np.zeros(4)]) * (1, 1, -1)
    depths = corners @ cv2.Rodrigues(np.array(pose.rvec))[0].T[:, 2] + pose.tvec[2]
    return bool((depths > 0).all() and pose.eye_mm()[2] > 0)
