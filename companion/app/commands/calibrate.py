"""`companion calibrate`: learns a table from its empty picture, so that it is read better for the whole evening."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from companion.app.commands.options import PATH, corners_option, marker_option, parse_corners, parse_mat
from companion.core.foundation.errors import BadCalibration, BadFile, WrongUsage
from companion.core.foundation.kept_file import read_json
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, WHEEL, Pyramid
from companion.core.plan import Mat

if TYPE_CHECKING:
    from vision.calibration.calibration import Calibration


T = TypeVar("T")

_MOST_BYTES = 1_000_000


_FACES = (1, 2, 3, 4, 5, 6, *WHEEL)
"""The top face of a die: a number of pips, or a color."""


class _Piece(msgspec.Struct, forbid_unknown_fields=True):
    """A piece in the rows of a sampler."""

    color: str
    size: str


@click.command("calibrate", short_help="Learn a table from its empty picture.")
@click.option("--domain", required=True, metavar="D", help="Pieces: pyramids, spectrangle, dice, spectrum or cards.")
@click.option(
    "--mat", "mat_size", required=True, metavar="WxH", help="Distances of the marker centers in millimeters: 600x400."
)
@marker_option
@corners_option
@click.option(
    "--empty",
    "empties",
    multiple=True,
    required=True,
    type=PATH,
    metavar="PICTURE",
    help="The table with its markers alone (spectrum: and its empty board); may be repeated, from the same place.",
)
@click.option(
    "--sampler",
    "samplers",
    multiple=True,
    type=PATH,
    metavar="PICTURE",
    help="Known pieces set out in rows on that table; cards: one of each color and of each number, in one or more.",
)
@click.option(
    "--rows",
    "rows_path",
    type=PATH,
    metavar="FILE",
    help='What stands in the sampler\'s rows (JSON): rows from the top, pieces from the left: {"color", "size"}; '
    "dice: the number or the color that is up; cards: R7, or a color or a number alone. Without it, cards lie in the "
    "order of the wheel from R to PR, and after them from 1 to 12.",
)
@click.option("-o", "--output", "output", required=True, type=PATH, metavar="FILE", help="The calibration.")
def calibrate_command(
    domain: str,
    mat_size: str,
    marker_mm: float,
    corners: str | None,
    empties: tuple[Path, ...],
    samplers: tuple[Path, ...],
    rows_path: Path | None,
    output: Path,
) -> None:
    """Learn a table from pictures without pieces, and forecast how well it will be read.

    Pass the file to `recognize`, `watch` and `serve` with --calibration. Exit status 0: the file was written; 1: a
    picture could not be read; 2: wrong usage.
    """
    from vision.image.picture import read_picture
    from vision.setup.calibrating import calibrate, taught_cards

    mat = parse_mat(mat_size, marker_mm)
    corners_px = None if corners is None else parse_corners(corners)
    if bool(samplers) != (rows_path is not None) and not (samplers and domain == "cards"):
        raise WrongUsage("--sampler and --rows belong together: a picture of known pieces, and what they are.")
    pictures = [read_picture(path) for path in empties]
    shown = [read_picture(path) for path in samplers]
    if domain == "cards":
        calibration = calibrate(domain, mat, pictures, None, corners_px).calibration
        if shown:
            calibration = taught_cards(calibration, shown, _cards(rows_path), corners_px)
    else:
        if len(shown) > 1:
            raise WrongUsage(f"A sampler of {domain} is one picture. Leave the others out.")
        known = (shown[0], _rows(rows_path, domain)) if shown and rows_path is not None else None
        calibration = calibrate(domain, mat, pictures, known, corners_px).calibration
    calibration.save(output)
    for line in (*calibration.words, *calibration.color_words):
        click.echo(line)


def known_table(path: Path | None, mat: Mat, domain: str | None = None) -> Calibration | None:
    """Returns the calibration that the command line names, or None.

    Raises:
        BadCalibration: The calibration cannot be read, or was made for another mat or for other pieces.
    """
    if path is None:
        return None
    from vision.calibration.calibration import load_calibration

    calibration = load_calibration(path)
    known = calibration.mat
    if known != mat:
        raise BadCalibration(
            f"{path} was made for a {known.width_mm:g} x {known.height_mm:g} mm mat with {known.marker_mm:g} mm "
            f"markers, not for {mat.width_mm:g} x {mat.height_mm:g} mm with {mat.marker_mm:g} mm. Calibrate it again."
        )
    if domain is not None and domain != calibration.domain:
        raise BadCalibration(f"{path} was made for {calibration.domain}, not for {domain}. Calibrate for {domain}.")
    return calibration


def _read_rows(path: Path, form: type[T], noun: str, items: str) -> T:
    """Returns the rows in a file.

    Args:
        form: The type of the rows.
        noun: The contents of a row in a word.
        items: The contents of a row as a person writes them, with a full stop.

    Raises:
        BadFile: The file cannot be read, or has other contents.
    """
    return read_json(
        path,
        form,
        BadFile,
        called="The file",
        no=f"does not hold rows of {noun}",
        advice=f"Give --rows a list of rows, each a list of {items}",
        most=_MOST_BYTES,
    )


def _rows(path: Path, domain: str) -> tuple[tuple[Pyramid, ...], ...] | tuple[tuple[int | str, ...], ...]:
    """Returns the rows of a sampler of pyramids or dice.

    Raises:
        BadFile: The file cannot be read, or has other contents.
    """
    if domain == "dice":
        return _faces(path)
    rows = _read_rows(path, list[list[_Piece]], "pieces", '{"color", "size"}.')
    for piece in (piece for row in rows for piece in row):
        if piece.color not in PYRAMID_COLORS or piece.size not in PYRAMID_SIZES:
            raise BadFile(
                f"{path} names a {piece.color[:40]} {piece.size[:40]}. Colors are {', '.join(PYRAMID_COLORS)}; "
                f"sizes are {', '.join(PYRAMID_SIZES)}."
            )
    return tuple(tuple(Pyramid(piece.color, piece.size) for piece in row) for row in rows)


def _cards(path: Path | None) -> tuple[tuple[str, ...], ...]:
    """The cards of a sampler.

    Raises:
        BadFile: The file cannot be read, or holds something else.
        WrongUsage: They do not teach a deck.
    """
    from vision.readers.cards.teaching import USUAL_ROWS, check_sampler

    if path is None:
        return USUAL_ROWS
    rows = _read_rows(path, list[list[str]], "cards", 'cards like "R7".')
    check_sampler(rows)
    return tuple(tuple(row) for row in rows)


def _faces(path: Path) -> tuple[tuple[int | str, ...], ...]:
    """Returns the upper faces of the dice of a sampler.

    Raises:
        BadFile: The file cannot be read, or has other contents.
    """
    rows = _read_rows(path, list[list[int | str]], "faces", "top faces: 1 to 6, or the name of a color.")
    for face in (face for row in rows for face in row):
        if face not in _FACES:
            raise BadFile(f"{path} names the face {str(face)[:40]}. Faces are {', '.join(map(str, _FACES))}.")
    return tuple(tuple(row) for row in rows)
