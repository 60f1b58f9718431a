"""Knowledge of a table from corrections, confirmed moves and agreed starts, kept for the next evening in a small file.

The file is beside the journal and exists only if the host has agreed. Backups and the support command leave it out.
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from companion.core.foundation.errors import BadCalibration
from companion.core.foundation.kept_file import Spoiled, decode_json, read_bytes, write_whole
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, WHEEL
from vision.calibration.calibration import KnownTone
from vision.calibration.taught_dice import TaughtDice

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
