"""The description of a recording: the mat, and the seats with their pieces.

A recording is a folder of pictures, a film or a stream with a JSON file beside it. Only `mat` and `setup` of that file
are read: its other contents (the true positions, for instance) must stay unknown to a referee.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from companion.core.foundation.errors import BadPlan
from companion.core.foundation.kept_file import read_json
from companion.core.plan import Mat, Plan, Point

T = TypeVar("T", bound=Struct)


def read_setup(setup: Mapping[str, Any], type_: type[T], title: str) -> T:
    """The `setup` of a recording, checked.

    Args:
        title: The game's.

    Raises:
        BadPlan: It does not fit `type_`.
    """
    try:
        return msgspec.convert(setup, type_)
    except msgspec.ValidationError as error:
        raise BadPlan(f"The setup is not one of {title}: {error}. See docs/records.md.") from error


class RecordedMat(Struct, frozen=True):
    """The `mat` of a recording: a `Mat`, and what a person clicked should markers be hidden."""

    width_mm: float
    height_mm: float
    marker_mm: float
    dictionary: Literal["DICT_4X4_50"] = "DICT_4X4_50"
    visible_ids: tuple[int, ...] = (0, 1, 2, 3)
    corners_px: tuple[Point, Point, Point, Point] | None = None

    def mat(self) -> Mat:
        """The mat alone, its bounds checked.

        Raises:
            BadPlan: A length is out of bounds.
        """
        found = Mat(self.width_mm, self.height_mm, self.marker_mm, self.dictionary)
        try:
            return msgspec.convert(msgspec.to_builtins(found), Mat)
        except msgspec.ValidationError as error:
            raise BadPlan(f"The recording's mat cannot be right: {error}. Give millimeters.") from error

    def clicked_px(self) -> tuple[Point, Point, Point, Point] | None:
        """Corners to use instead of markers: those of a mat whose markers are not all in sight."""
        return self.corners_px if len(self.visible_ids) < 4 else None


class RecordingFile(Struct, frozen=True):
    """The two keys that are read."""

    mat: RecordedMat
    setup: Mapping[str, Any] = {}


class Spoken(Struct, frozen=True, forbid_unknown_fields=True):
    """An event that a player entered on the page while a recording was made, because no picture shows it: an entry, a
    usage.
    """

    before: Annotated[int, Meta(ge=1)]
    """The number of the next picture; the first one is 1."""
    text: Annotated[str, Meta(max_length=400)]
    """An event in the game's notation."""


class Recording(Struct, frozen=True):
    """How to begin refereeing it."""

    names: tuple[str, ...]
    options: Mapping[str, Any]
    position: Mapping[str, Any] | None
    plan: Plan
    draws: Literal["told", "unseen"]
    hands: tuple[tuple[str, ...], ...] | None = None
    """By seat: names of the tiles that lie beside the board in the first picture; their places show whose is where."""
    begun: bool = False
    """True if the recording may begin in the middle of a game: its first steady picture then shows the position.

    The game says what position a picture shows: `Game.seen_position(seats, options, layout)`.
    """
    said: tuple[Spoken, ...] = ()


def load_recording_file(path: Path) -> RecordingFile:
    """Read the JSON file beside a recording.

    Raises:
        BadPlan: It is not there, or its `mat` is missing or wrong.
    """
    advice = 'Give the path of a JSON file with "mat" and "setup".'
    return read_json(path, RecordingFile, BadPlan, called="The setup", no="cannot be used", advice=advice)
