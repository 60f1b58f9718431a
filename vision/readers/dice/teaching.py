"""Teaches the reader with known dice: those of a corrected roll, and those that were set out in rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from companion.core.foundation.errors import SeeError
from companion.core.pieces import WHEEL, Die
from vision.calibration.taught import TaughtDice
from vision.readers.dice.palette import Palette, learned
from vision.readers.dice.reader import SeenDie, read_dice
from vision.registration.registered_image import RegisteredImage

Face = str | int

_MOST_DOUBTFUL = 6
"""With more doubtful dice than this, faces cannot be matched to dice."""
_UNLIKELY = 1e-3
"""The largest probability of a face that was not among the readings of a die."""
_CLEARLY = 1.0
"""The least difference in log probability between the best matching of faces and dice and any other."""
_ROW = 0.7
"""The largest distance between dice of one row, from the top down, in sides of the usual die."""
_USUAL_MM = 16.0


def taught_by_die(taught: TaughtDice, seen: SeenDie, face: Face, *, usual: Palette | None = None) -> TaughtDice:
    """Returns the knowledge once the face of one die has been named.

    Args:
        usual: The look of the colors that were never taught; None: the die counts alone.
    """
    if isinstance(face, str):
        if not seen.candidate.faces or seen.candidate.faces[0].dazzled > 0:
            return taught
        b, g, r = (float(value) for value in seen.candidate.faces[0].color)
        return taught.with_color(face, (b, g, r), None if usual is None else usual.shares[WHEEL.index(face)])
    return taught if seen.look is None else taught.with_look(face, seen.look)


def taught_by_roll(taught: TaughtDice, dice: Sequence[SeenDie], faces: Sequence[Face]) -> TaughtDice:
    """Returns the knowledge after people have named the faces of a roll; unchanged if the matching is unclear.

    Args:
        dice: The dice as they were read.
        faces: All faces, in any order.
    """
    if len(dice) != len(faces):
        return taught
    left = list(faces)
    pairs: list[tuple[SeenDie, Face]] = []
    doubtful: list[SeenDie] = []
    for die in sorted(dice, key=lambda one: -one.sighting.confidence):
        if die.look is None and die.die.face in left:
            left.remove(die.die.face)
            pairs.append((die, die.die.face))
        else:
            doubtful.append(die)
    if len(doubtful) > _MOST_DOUBTFUL:
        return taught
    ways = sorted(((_likely(doubtful, way), way) for way in set(itertools.permutations(left))), key=_fit)
    if len(ways) == 1 or ways[-1][0] > ways[-2][0] + _CLEARLY:
        pairs += zip(doubtful, ways[-1][1], strict=True)
    for die, face in pairs:
        taught = taught_by_die(taught, die, face, usual=learned().palette)
    return taught


def _fit(way: tuple[float, tuple[Face, ...]]) -> float:
    return way[0]


def _likely(dice: Sequence[SeenDie], faces: Sequence[Face]) -> float:
    """Returns the log probability that dice show these faces, by their readings."""
    total = 0.0
    for die, face in zip(dice, faces, strict=True):
        named = ((one.piece, one.probability) for one in die.sighting.candidates)
        read = (probability for piece, probability in named if isinstance(piece, Die) and piece.face == face)
        total += math.log(max(next(read, 0.0), _UNLIKELY))
    return total


def taught_by_rows(
    taught: TaughtDice, table: RegisteredImage, rows: Sequence[Sequence[Face]]
) -> tuple[TaughtDice, tuple[str, ...]]:
    """Returns the knowledge after dice were set out, with sentences about it.

    Args:
        rows: Their upper faces, row by row from the top of the mat, each from the left. A single row may also lie in
            several, from the top.

    Raises:
        SeeError: Other dice are found than were set out.
    """
    dice = [die for die in read_dice(table, taught=taught) if not die.cocked]
    seen = rows_of(dice) if len(rows) > 1 else [[die for row in rows_of(dice) for die in row]]
    wanted = [len(row) for row in rows]
    if [len(row) for row in seen] != wanted:
        found = ", ".join(str(len(row)) for row in seen) or "none"
        told = ", ".join(map(str, wanted))
        raise SeeError(
            f"Dice in rows of {told} should lie there, but rows of {found} were found. Lay them farther apart, with "
            "nothing else on the table, and try again."
        )
    right = 0
    for die, face in zip(itertools.chain(*seen), itertools.chain(*rows), strict=True):
        right += die.die.face == face
        taught = taught_by_die(taught, die, face)
    count = len(dice)
    return taught, (f"{count} dice were learned; {right} of them were read right before.",)


def rows_of(dice: Sequence[SeenDie]) -> list[list[SeenDie]]:
    """Returns dice in rows from the top down, each from the left."""
    rows: list[list[SeenDie]] = []
    for die in sorted(dice, key=lambda one: one.place.y_mm):
        if rows and die.place.y_mm - rows[-1][-1].place.y_mm < _ROW * _USUAL_MM:
            rows[-1].append(die)
        else:
            rows.append([die])
    return [sorted(row, key=lambda one: one.place.x_mm) for row in rows]
