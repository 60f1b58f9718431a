"""The learned numbers for dice, in one small file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.core.foundation.kept_file import decode_json
from vision.readers.dice.palette import Palette

FILE = Path(__file__).with_name("learned.json")


class LearnedDice(Struct, frozen=True, forbid_unknown_fields=True):
    """Written by `python -m vision.readers.dice.training`."""

    palette: Palette
    odds: dict[str, tuple[float, ...]]
    """For each kind of die the weights of `vision.readers.dice.choice.features`, the constant last: their weighted
    sum is the logarithm of the odds that a die of the kind lies where a candidate has it."""


@cache
def learned(path: Path = FILE) -> LearnedDice:
    """Read a file that `save` wrote."""
    return decode_json(path.read_bytes(), LearnedDice)


def save(numbers: LearnedDice, path: Path) -> None:
    """Write it, readable for people."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(numbers), indent=1) + b"\n")
