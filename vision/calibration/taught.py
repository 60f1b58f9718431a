"""The knowledge that people add about one table: corners of cards, faces and colors of dice, confirmed positions.

Pictures of corners are kept, not what a reader made of them, so that a calibration outlives the reader. The look of a
face is its ink laid flat: the position of each point between the body's color and that of the pips. It does not depend
on light or color, so a face is recognized under another lamp.

`TaughtTable` comes from corrections, confirmed moves and agreed starts. Its file is beside the journal and exists only
if the host has agreed. Backups and the support command leave it out.
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta, Struct, structs
from numpy.typing import NDArray

from companion.core.foundation.errors import BadCalibration
from companion.core.foundation.kept_file import Spoiled, decode_json, read_bytes, write_whole
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, WHEEL

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


CORNER_PX = (128, 144)
"""Width and height of a kept corner, a quarter of a millimeter a pixel; it begins a little outside of the card."""
MOST_CORNERS = 2 * (168 + 12)


class TaughtCorner(Struct, frozen=True, forbid_unknown_fields=True):
    """One index corner of a known card."""

    picture: Annotated[bytes, Meta(max_length=40_000)]
    """JPEG of `CORNER_PX`, upright."""
    rank: Annotated[int, Meta(ge=1, le=12)] | None = None
    """The rank; None if it was not stated."""
    color: Annotated[int, Meta(ge=0, le=11)] | None = None
    """The wheel index of the color; None if it was not stated."""
    special: Annotated[int, Meta(ge=0, le=11)] | None = None
    """The kind of special card; None for a number card."""


class TaughtDeck(Struct, frozen=True, forbid_unknown_fields=True):
    """The known corners."""

    corners: Annotated[tuple[TaughtCorner, ...], Meta(max_length=MOST_CORNERS)] = ()

    def __bool__(self) -> bool:
        return bool(self.corners)

    def with_corners(self, corners: tuple[TaughtCorner, ...]) -> TaughtDeck:
        """Returns the deck with more corners; newer corners of a card replace older ones."""
        new = {(one.rank, one.color, one.special) for one in corners}
        kept = tuple(one for one in self.corners if (one.rank, one.color, one.special) not in new)
        return TaughtDeck((*kept, *corners)[-MOST_CORNERS:])


LOOK_PX = 24
"""The side of a look in pixels."""
AT_MOST = 24
"""The largest number of looks kept for one face; newer ones replace older ones."""
_SHIFTS = range(-2, 3)
_NEW = 0.97
"""A look is not kept if its correlation with a known one is at least this."""

_BRIGHTEST = 4.0
"""The upper bound for the light of a face relative to white."""
_Share = tuple[
    Annotated[float, Meta(ge=0, le=_BRIGHTEST)],
    Annotated[float, Meta(ge=0, le=_BRIGHTEST)],
    Annotated[float, Meta(ge=0, le=_BRIGHTEST)],
]

Look = NDArray[np.float32]


class TaughtFace(Struct, frozen=True, forbid_unknown_fields=True):
    """One look of a face."""

    face: Annotated[int, Meta(ge=1, le=6)]
    ink: Annotated[bytes, Meta(min_length=LOOK_PX * LOOK_PX, max_length=LOOK_PX * LOOK_PX)]
    """`LOOK_PX` rows of `LOOK_PX` values, 0 (body) to 255 (ink)."""

    def look(self) -> Look:
        """Returns (LOOK_PX, LOOK_PX): the ink, 0 to 1."""
        return np.frombuffer(self.ink, np.uint8).reshape(LOOK_PX, LOOK_PX).astype(np.float32) / np.float32(255)


class TaughtDice(Struct, frozen=True, forbid_unknown_fields=True):
    """The known looks of faces and colors."""

    faces: Annotated[tuple[TaughtFace, ...], Meta(max_length=6 * AT_MOST)] = ()
    colors: Annotated[dict[Annotated[str, Meta(max_length=20)], _Share], Meta(max_length=12)] = {}
    """Name of a color to the linear light B, G, R of its faces, relative to white."""

    def __bool__(self) -> bool:
        return bool(self.faces or self.colors)

    def with_color(
        self, color: str, share: tuple[float, float, float], before: tuple[float, float, float] | None = None
    ) -> TaughtDice:
        """Returns the object with one more look of a color, which moves the known one by a third.

        Args:
            before: The look to move if this object knows none; with None the new look counts alone.
        """
        b, g, r = (min(max(float(value), 0.0), _BRIGHTEST) for value in share)
        known = self.colors.get(color, before)
        if known is not None:
            b, g, r = (old + (new - old) / 3 for new, old in zip((b, g, r), known, strict=True))
        return structs.replace(self, colors={**self.colors, color: (b, g, r)})

    def with_look(self, face: int, look: Look) -> TaughtDice:
        """Returns the object with one more look of a face; if the face has many, its oldest one is dropped.

        >>> look = np.zeros((LOOK_PX, LOOK_PX), np.float32)
        >>> look[8:12, 5:20] = 1
        >>> len(TaughtDice().with_look(6, look).with_look(6, look).faces)
        1
        """
        mine = [one for one in self.faces if one.face == face]
        others = tuple(one for one in self.faces if one.face != face)
        if any(likeness(look, one.look()) > _NEW for one in mine):
            return self
        ink = np.round(255 * np.clip(look, 0, 1)).astype(np.uint8).tobytes()
        return structs.replace(self, faces=(*others, *mine[-AT_MOST + 1 :], TaughtFace(face, ink)))

    def match(self, look: Look) -> dict[int, float]:
        """Returns, for each taught face, the best correlation of its looks with this one, -1 to 1, in any rotation."""
        found: dict[int, float] = {}
        for one in self.faces:
            found[one.face] = max(found.get(one.face, -1.0), likeness(look, one.look()))
        return found


def likeness(one: Look, other: Look) -> float:
    """Returns the best correlation of two looks in four turns and a few shifts."""
    rim = max(_SHIFTS)
    inner = slice(rim, LOOK_PX - rim)
    patterns = np.stack([_even(np.rot90(other, turn)[inner, inner]).ravel() for turn in range(4)])
    windows = np.stack(
        [
            _even(one[rim + down : LOOK_PX - rim + down, rim + right : LOOK_PX - rim + right]).ravel()
            for down in _SHIFTS
            for right in _SHIFTS
        ]
    )
    return float((windows @ patterns.T).max())


def _even(patch: Look) -> Look:
    """Returns the patch with mean 0 and length 1."""
    flat = patch - patch.mean()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), np.float32)


_MAX_BYTES = 1_000_000


class TaughtTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The look of the pieces of one table."""

    colors: Annotated[tuple[Annotated[float, Meta(ge=-20, le=20)], ...], Meta(max_length=64)] = ()
    """The offset of the log likelihood of each color of pyramids; empty if none was confirmed."""
    tones: Annotated[tuple[KnownTone, ...], Meta(max_length=64)] = ()
    """The tones of confirmed pyramids, by color."""
    shapes: Annotated[tuple[Annotated[float, Meta(ge=-20, le=20)], ...], Meta(max_length=64)] = ()
    """The log odds of each size of pyramids and of anything at all; empty if none was confirmed."""
    dice: TaughtDice = TaughtDice()

    def save(self, path: Path) -> None:
        """Writes the file.

        Raises:
            BadCalibration: It cannot be written.
        """
        try:
            write_whole(path, msgspec.json.encode(self))
        except OSError as error:
            raise BadCalibration(f"What people taught cannot be written to {path} ({error.strerror}).") from error


def load_taught(path: Path) -> TaughtTable:
    """Reads a file that `TaughtTable.save` wrote.

    Raises:
        BadCalibration: It is not there, or damaged.
    """
    try:
        taught = decode_json(read_bytes(path, _MAX_BYTES), TaughtTable)
    except (OSError, Spoiled) as error:
        raise BadCalibration(f"{path} cannot be read, or it is damaged. Remove it.") from error
    counts = len(taught.colors) in (0, len(PYRAMID_COLORS)) and len(taught.tones) in (0, len(PYRAMID_COLORS))
    counts = counts and len(taught.shapes) in (0, len(PYRAMID_SIZES) + 1)
    lights = [value for share in taught.dice.colors.values() for value in share]
    if not counts or not set(taught.dice.colors) <= set(WHEEL) or not all(map(isfinite, lights)):
        raise BadCalibration(f"{path} contradicts itself. Remove it.")
    return taught
