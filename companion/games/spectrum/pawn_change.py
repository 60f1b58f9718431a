"""How a board that is seen differs from a position, color by color, with every reading that is likely enough."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.layout import Layout
from companion.core.pieces import Pawn, Piece
from companion.games.shared.search.once_a_picture import once_a_picture
from companion.games.spectrum.board import SPACE
from companion.games.spectrum.situation import EMPTY, LETTER, LETTERS, Situation

POSSIBLE = 0.05
"""A reading that is less likely than this is not considered."""
CAME = 0.35
"""Share of the best reading's probability that a pawn must reach to have come to a space that reads as before: a pawn
that left and is seen nowhere is in a hand."""


class PawnChange(NamedTuple):
    """How a board that is seen may differ from the position, as masks by letter of the pawns' color."""

    came: dict[str, int]
    """Where a pawn may stand that the position does not have there."""
    gone: dict[str, int]
    """Where a pawn of the position may no longer stand."""
    changed: int
    """Every space that may differ."""
    unseen: int = 0
    """Every space that was not looked at; `came` has all of them, for any pawn."""


def change(situation: Situation, seen: Layout, least: float = POSSIBLE) -> PawnChange:
    """The difference to `seen`; to a space that was not looked at any pawn may have come.

    :param least: readings that are at least so likely count beside the best one.
    """
    unseen, spaces = letters_of(seen)
    came, gone = dict.fromkeys(LETTERS, unseen), dict.fromkeys(LETTERS, 0)
    changed = 0
    for space, best, readings in spaces:
        here = situation.board[space]
        if readings is None and best == here:
            continue
        for place, (letter, probability) in enumerate(readings or ((best, 1.0),)):
            if place and probability < least:
                break
            if letter == here:
                continue
            faint = CAME * (readings[0][1] if readings else 1.0) if best == here else 0.0
            if here != EMPTY:
                gone[here] |= 1 << space
            if letter != EMPTY and probability >= faint:
                came[letter] |= 1 << space
            if here != EMPTY or probability >= faint:
                changed |= 1 << space
    return PawnChange(came, gone, changed, unseen)


class BoardLetters(NamedTuple):
    """A reading of the board in the letters of a position."""

    unseen: int
    """Spaces that were not looked at, as a mask; 0 where no space was."""
    spaces: tuple[tuple[int, str, tuple[tuple[str, float], ...] | None], ...]
    """Each space that was, its best reading, and all readings with their probabilities; None where the best is sure."""


@once_a_picture
def letters_of(seen: Layout) -> BoardLetters:
    """The reading of the board."""
    unseen = sum(1 << space for spot, space in SPACE.items() if spot not in seen.cells) if seen.cells else 0
    spaces = []
    for spot, sighting in seen.cells.items():
        space = SPACE.get(spot)
        if space is None:
            continue
        readings = tuple([(_letter(one.piece), one.probability) for one in sighting.candidates])
        sure = len(readings) == 1 and readings[0][1] == 1.0
        spaces.append((space, _letter(sighting.piece), None if sure else readings))
    return BoardLetters(unseen, tuple(spaces))


def _letter(piece: Piece | None) -> str:
    return LETTER.get(piece.color, EMPTY) if isinstance(piece, Pawn) else EMPTY
