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
"""So many pieces of a color are remembered; of more, the older ones fade."""

_Log = Annotated[float, Meta(ge=-20, le=20)]


class KnownTone(Struct, frozen=True):
    """The mean tone of some pieces."""

    tone: tuple[_Log, _Log, _Log] = (0.0, 0.0, 0.0)
    """As `vision.readers.pyramids.tones.tones` answers."""
    pieces: Annotated[int, Meta(ge=0, le=MOST)] = 0
    """Of how many; 0 if none was seen."""

    def with_piece(self, tone: NDArray[Any]) -> KnownTone:
        """Returns the same when one more piece (3,) has been seen."""
        pieces = min(self.pieces + 1, MOST)
        mean = np.array(self.tone) + (tone - self.tone) / pieces
        return KnownTone((float(mean[0]), float(mean[1]), float(mean[2])), pieces)


VERSION = 1
MAX_BYTES = 16 * 1024 * 1024

_SUM_BYTES = 32
_FARTHEST = 1e6
"""No focal length in pixels, no turn and no distance in millimeters is larger."""
_LOG_LIGHT = 20.0
"""No logarithm of light on a table is larger, either way."""
_STEEPEST = 1.0
"""No light falls off by more of these logarithms in a millimeter."""
_BENT_MOST = 10.0
"""No lens bends more."""
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
    """The offset of each color's log likelihood, in the domain's order; empty: no colors were learned."""
    words: tuple[str, ...] = ()
    """How well the table will be read, in sentences for people."""
    color_words: tuple[str, ...] = ()
    """How well its colors will be."""
    board: tuple[float, float, float, float] | None = None
    """Where a Spectrum board lay: its middle and radius in millimeters, the heading of its red path in degrees."""
    tones: tuple[KnownTone, ...] = ()
    """The looks of known pieces, in the domain's order of colors; empty: none was seen."""
    dice: TaughtDice = TaughtDice()
    """The faces and colors of their dice that people have taught."""
    deck: TaughtDeck = TaughtDeck()
    """The cards that people have taught."""

    @property
    def mat(self) -> Mat:
        """The play area that it was made for."""
        return self.empty.mat

    def save(self, path: Path) -> None:
        """Write it as one file.

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
    """The file."""

    kind: Literal["companion calibration"]
    version: int
    domain: str
    mat: Mat
    pose: Pose
    light: Light
    noise: Annotated[float, Meta(ge=0, le=10)]
    colors: Annotated[tuple[_Offset, ...], Meta(max_length=64)]
    picture: bytes
    """PNG."""
    free: bytes | None = None
    """PNG, gray: 1 where the bare table was seen; None: everywhere."""
    words: _Sentences = ()
    color_words: _Sentences = ()
    board: tuple[_Place, _Place, _Place, _Place] | None = None
    tones: Annotated[tuple[KnownTone, ...], Meta(max_length=64)] = ()
    dice: TaughtDice = TaughtDice()
    deck: TaughtDeck = TaughtDeck()
    sha256: bytes | None = None
    """Of all bytes before it, as the last of the file; None in files of earlier versions."""


def load_calibration(path: Path) -> Calibration:
    """Read what `Calibration.save` wrote.

    Raises:
        BadCalibration: It is not there, no calibration, of another version, or damaged.
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
    """Returns true if a reader can work with these numbers, from any source."""
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
    """True if a camera stands above the table and looks at it, so that the four corners are in front of it."""
    corners = np.column_stack([np.array(mat.corners_mm()), np.zeros(4)]) * (1, 1, -1)
    depths = corners @ cv2.Rodrigues(np.array(pose.rvec))[0].T[:, 2] + pose.tvec[2]
    return bool((depths > 0).all() and pose.eye_mm()[2] > 0)
