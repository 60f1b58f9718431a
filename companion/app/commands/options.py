"""Options that several commands share."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path
from typing import Any

import click

from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.secrecy import Secret, SecretAddress, looks_like_address
from companion.core.plan import Mat, Point
from companion.referee.journal.places import Database, is_database


def parse_options(texts: tuple[str, ...]) -> dict[str, object]:
    """Returns the options in texts such as `edges=all`; words for yes and no become booleans, digits become numbers.

    Raises:
        WrongUsage: A text has another form.
    """
    words: dict[str, object] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    found: dict[str, object] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key or not value:
            raise WrongUsage(f'"{text}" is not an option. Write it as name=value, for example --option edges=all.')
        found[key] = words.get(value.lower(), int(value) if value.isdecimal() else value)
    return found


_PATH_BYTES, _NAME_BYTES = 4096, 255
"""The longest path, and the longest name in it, in bytes, on common systems."""


class PathType(click.Path):
    """A path that a file may have. A text that cannot be a path is refused in one sentence, before a system call fails
    on it.
    """

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(path_type=Path, file_okay=file_okay, dir_okay=dir_okay)

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Converts a text. Raises click.BadParameter: The text is not a path, or a path of the wrong kind."""
        wrong = no_path(os.fspath(value))
        if wrong is not None:
            self.fail(wrong, param, ctx)
        return super().convert(value, param, ctx)


def no_path(text: str) -> str | None:
    """Returns a sentence on why a text cannot be a path; None if it can."""
    if "://" in text:
        return "This is an address, where a file is wanted. Write a path."
    odd = next((one for one in text if unicodedata.category(one) == "Cc"), None)
    if odd is not None:
        return f"A path cannot hold the character U+{ord(odd):04X}. Write it without."
    try:
        data = os.fsencode(text)
    except UnicodeEncodeError:
        return "The path has half a character, which no file name can have. Write it again."
    if len(data) > _PATH_BYTES or any(len(part) > _NAME_BYTES for part in data.split(os.sep.encode())):
        return f"This is too long for a path. A name in it has {_NAME_BYTES} bytes at most."
    return None


class AddressType(click.ParamType[SecretAddress]):
    """An address, or a path or name in its place, which prints without its secrets."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> SecretAddress:
        """Converts a text. Raises click.BadParameter: The text is an ambiguous address."""
        address = value if isinstance(value, SecretAddress) else SecretAddress(str(value))
        wrong = address.fault if address.is_address else no_path(address.reveal())
        if wrong is not None:
            self.fail(wrong, param, ctx)
        return address


class SecretType(click.ParamType[Secret]):
    """A password, which prints as ***."""

    name = "secret"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Secret:
        """Converts any text."""
        return value if isinstance(value, Secret) else Secret(str(value))


ADDRESS, SECRET, PATH = AddressType(), SecretType(), PathType()


def journal_place(said: str | Path | Database) -> Path | Database:
    """Returns the path, or the database for a text that begins with postgresql://.

    Raises:
        click.BadParameter: The text cannot be read, or looks like another address.
    """
    if not isinstance(said, str):
        return said
    if is_database(said):
        database = Database(said)
        if database.fault is not None:
            raise click.BadParameter(database.fault)
        return database
    if looks_like_address(said) or said.lower().startswith("postgres"):
        # The message does not repeat the text, because a password may be in it.
        raise click.BadParameter(
            "This is not a place for a journal. Give a file, such as ./games.sqlite, or postgresql://USER@HOST/DATABASE."
        )
    wrong = no_path(said)
    if wrong is not None:
        raise click.BadParameter(wrong)
    return Path(said)


calibration_option = click.option(
    "--calibration",
    "calibration_path",
    type=PATH,
    metavar="FILE",
    help="Calibration of this table by `companion calibrate`.",
)
marker_option = click.option(
    "--marker",
    "marker_mm",
    required=True,
    type=float,
    metavar="MM",
    help="Side of a marker's black square in millimeters.",
)
corners_option = click.option(
    "--corners", metavar='"x,y x,y x,y x,y"', help="Centers of markers 0 1 2 3 in pixels, instead of visible markers."
)
_LANGUAGES = click.Choice(["en", "de"])
language_option = click.option(
    "--language", type=_LANGUAGES, help="Language for browsers without a choice.  [default: as each browser asks]"
)
print_language_option = click.option(
    "--language", type=_LANGUAGES, default="en", show_default=True, help="Language of the printed words."
)


def parse_mat(size: str, marker_mm: float) -> Mat:
    """Returns the mat for a size such as `440x400` and the side of a marker.

    Raises:
        WrongUsage: The text is not two lengths with an x between, or no table has these lengths.
    """
    width_mm, height_mm = parse_sides("--mat", size, "440x400", "A mat", (50, 5000))
    if not 5 <= marker_mm < min(width_mm, height_mm):
        raise WrongUsage(
            f"--marker {marker_mm:g} is out of bounds. A marker measures at least 5 millimeters and less than the mat."
        )
    return Mat(width_mm, height_mm, marker_mm)


def parse_sides(option: str, size: str, example: str, thing: str, bounds_mm: tuple[int, int]) -> tuple[float, float]:
    """Returns the width and height in millimeters from a text such as `440x400`.

    Args:
        option: The option that the text belongs to, such as `--mat`.
        thing: The thing that has these sides, at the beginning of a sentence.
        bounds_mm: The least and the largest side.

    Raises:
        WrongUsage: The text is not two lengths with an x between, or one is out of bounds.
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[xX×]\s*(\d+(?:\.\d+)?)\s*", size)
    if found is None:
        raise WrongUsage(f"{option} {size!r} is not WIDTHxHEIGHT in millimeters. Write it like {example}.")
    width_mm, height_mm = float(found[1]), float(found[2])
    least, most = bounds_mm
    if not (least <= width_mm <= most and least <= height_mm <= most):
        raise WrongUsage(f"{option} {size!r} is out of bounds. {thing} measures {least} to {most} millimeters a side.")
    return width_mm, height_mm


def parse_corners(text: str) -> tuple[Point, Point, Point, Point]:
    """Returns the four points of a text, each `x,y`, separated by blanks or semicolons.

    Raises:
        WrongUsage: The text is not four points.
    """
    parts = [part for part in re.split(r"[\s;]+", text.strip()) if part]
    try:
        points = [tuple(float(v) for v in part.split(",")) for part in parts]
    except ValueError:
        points = []
    if len(points) != 4 or any(len(point) != 2 or not all(abs(v) < 1e5 for v in point) for point in points):
        raise WrongUsage(f'--corners {text!r} is not four points. Write them like "10,10 630,12 640,470 4,466".')
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = points
    return (ax, ay), (bx, by), (cx, cy), (dx, dy)
