"""The description of a recording: the mat, and the seats with their pieces.

A recording is a folder of pictures, a film or a stream, with a JSON file beside it. Only `mat` and `setup` of that file
are read: the referee must not know its other contents, such as the true positions.
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
    """Returns the `setup` of a recording as a checked value of `type_`.

    Args:
        title: The title of the game, for the message.

    Raises:
        BadPlan: The setup does not fit `type_`.
    """
    try:
        return msgspec.convert(setup, type_)
    except msgspec.ValidationError as error:
        raise BadPlan(f"The setup is not one of {title}: {error}. See docs/records.md.") from error


class RecordedMat(Struct, frozen=True):
    """The `mat` of a recording: a `Mat`, and the corners that a person clicked in case markers are hidden."""

    width_mm: float
    height_mm: float
    marker_mm: float
    dictionary: Literal["DICT_4X4_50"] = "DICT_4X4_50"
    visible_ids: tuple[int, ...] = (0, 1, 2, 3)
    corners_px: tuple[Point, Point, Point, Point] | None = None

    def mat(self) -> Mat:
        """Returns the mat alone, after checking its bounds.

        Raises:
            BadPlan: A length is out of bounds.
        """
        found = Mat(self.width_mm, self.height_mm, self.marker_mm, self.dictionary)
        try:
            return msgspec.convert(msgspec.to_builtins(found), Mat)
        except msgspec.ValidationError as error:
            raise BadPlan(f"The recording's mat cannot be right: {error}. Give millimeters.") from error

    def clicked_px(self) -> tuple[Point, Point, Point, Point] | None:
        """Returns the corners, in picture pixels, to use instead of markers; None if all markers are visible."""
        return self.corners_px if len(self.visible_ids) < 4 else None


class RecordingFile(Struct, frozen=True):
    """The two keys of the file that are read."""

    mat: RecordedMat
    setup: Mapping[str, Any] = {}


class Spoken(Struct, frozen=True, forbid_unknown_fields=True):
    """An event that a player entered on the page during the recording, because no picture shows it."""

    before: Annotated[int, Meta(ge=1)]
    """The number of the next picture; the first picture has number 1."""
    text: Annotated[str, Meta(max_length=400)]
    """The event in the game's notation."""


class Recording(Struct, frozen=True):
    """The values with which refereeing of a recording begins."""

    names: tuple[str, ...]
    options: Mapping[str, Any]
    position: Mapping[str, Any] | None
    plan: Plan
    draws: Literal["told", "unseen"]
    hands: tuple[tuple[str, ...], ...] | None = None
    """By seat: the names of the tiles beside the board in the first picture; they show which zone belongs to which
    seat."""
    begun: bool = False
    """True if the recording may begin in the middle of a game: its first steady picture then shows the position.

    The game's `Game.seen_position(seats, options, layout)` converts that picture into a position.
    """
    said: tuple[Spoken, ...] = ()


def load_recording_file(path: Path) -> RecordingFile:
    """Reads the JSON file beside a recording.

    Raises:
        BadPlan: The file is missing, or its `mat` is missing or wrong.
    """
    advice = 'Give the path of a JSON file with "mat" and "setup".'
    return read_json(path, RecordingFile, BadPlan, called="The setup", no="cannot be used", advice=advice)
