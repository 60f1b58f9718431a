"""Dice that people have taught: the looks of faces with a drawing instead of pips, and the colors of faces.

A look is the ink of a face laid flat: the position of each point between the body's color and that of the pips. It does
not depend on light or color, so a face is recognized under another lamp. Looks come from dice that are set out before
the evening, or from rolls that people corrected.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Meta, Struct, structs
from numpy.typing import NDArray

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
