"""Dice as people have taught them: the look of a face that shows a drawing instead of pips, and its colors.

A look is the face's ink, laid flat: how far each point lies from the color of the body toward that of the pips. It says
nothing of light or color, so it is known again under another lamp. Looks come from a sampler that is set out before
the evening, or from rolls that people corrected.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Meta, Struct, structs
from numpy.typing import NDArray

LOOK_PX = 24
"""Side of a look."""
AT_MOST = 24
"""Of the looks of one face so many are kept, the newest."""
_SHIFTS = range(-2, 3)
_NEW = 0.97
"""A look that is like a known one is not kept again."""

_BRIGHTEST = 4.0
"""No face sends back more of white's light."""
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
    """`LOOK_PX` rows of as many values, 0 (body) to 255 (ink)."""

    def look(self) -> Look:
        """(LOOK_PX, LOOK_PX) the ink, 0 to 1."""
        return np.frombuffer(self.ink, np.uint8).reshape(LOOK_PX, LOOK_PX).astype(np.float32) / np.float32(255)


class TaughtDice(Struct, frozen=True, forbid_unknown_fields=True):
    """The looks that are known."""

    faces: Annotated[tuple[TaughtFace, ...], Meta(max_length=6 * AT_MOST)] = ()
    colors: Annotated[dict[Annotated[str, Meta(max_length=20)], _Share], Meta(max_length=12)] = {}
    """Linear light B, G, R of colored faces in shares of white's, by the names of their colors."""

    def __bool__(self) -> bool:
        return bool(self.faces or self.colors)

    def with_color(
        self, color: str, share: tuple[float, float, float], before: tuple[float, float, float] | None = None
    ) -> TaughtDice:
        """These, and one more look of a color, which moves the known one by a third.

        Args:
            before: The look that it moves if these know none; None: the new one counts alone.
        """
        b, g, r = (min(max(float(value), 0.0), _BRIGHTEST) for value in share)
        known = self.colors.get(color, before)
        if known is not None:
            b, g, r = (old + (new - old) / 3 for new, old in zip((b, g, r), known, strict=True))
        return structs.replace(self, colors={**self.colors, color: (b, g, r)})

    def with_look(self, face: int, look: Look) -> TaughtDice:
        """These, and one more look of a face; the oldest of a face that has many goes.

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
        """Returns for each face that was taught how like its looks this one is, -1 to 1, however the die is turned."""
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
    """With mean 0 and length 1."""
    flat = patch - patch.mean()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), np.float32)
