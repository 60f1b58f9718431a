"""The calibration of one table: its empty picture, the camera's pose, and the color shift of its light.

A calibration is one file, so that it can be kept, sent and named on a command line.
"""

from __future__ import annotations

from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal

import cv2
import msgspec
import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from companion.core.foundation.errors import BadCalibration, UnreadablePicture
from companion.core.foundation.kept_file import Spoiled, decode_message_pack, read_bytes, write_whole
from companion.core.pieces import PYRAMID_COLORS
from companion.core.plan import Mat
from vision.calibration.empty import EmptyTable
from vision.calibration.taught_deck import TaughtDeck
from vision.calibration.taught_dice import TaughtDice
from vision.image.light import Light
from vision.image.picture import decode_picture
from vision.image.pose import Pose

MOST = 20
"""The largest number of pieces of a color that count; with more pieces, older ones weigh less."""

_Log = Annotated[float, Meta(ge=-20, le=20)]


class KnownTone(Struct, frozen=True):
    """The mean tone of some pieces."""

    tone: tuple[_Log, _Log, _Log] = (0.0, 0.0, 0.0)
    """The tone, in the form of `vision.readers.pyramids.tones.tones`."""
    pieces: Annotated[int, Meta(ge=0, le=MOST)] = 0
    """The number of pieces; 0 if none was seen."""

    def with_piece(self, tone: NDArray[Any]) -> KnownTone:
        """Returns the mean with one more piece, whose tone is (3,)."""
        pieces = min(self.pieces + 1, MOST)
        mean = np.array(self.tone) + (tone - self.tone) / pieces
        return KnownTone((float(mean[0]), float(mean[1]), float(mean[2])), pieces)


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
