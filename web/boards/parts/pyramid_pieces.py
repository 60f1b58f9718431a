"""Codes, names and pictures of pieces for both games with pyramids.

A pyramid's code is its color's letter and its pips, "R3"; a stack's are those of its pieces from the bottom up; a
rock's is its color's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Seat
from companion.core.layout import Spot
from companion.core.pieces import Piece, Pyramid, Rock, Stack
from web.boards.parts.presenter import NoSuchPiece, ShownHand
from web.scene.pieces import pyramids, rocks
from web.scene.shape import Shape

CODE_LETTERS = 2
"""Letter and pips of one pyramid."""


class PyramidPieces:
    """The part of a presenter that needs no position."""

    def hand(self, state: Any, seat: Seat) -> ShownHand | None:
        """Everything lies in view."""
        return None

    def piece_code(self, piece: Piece) -> str:
        """Letter and pips, or a rock's color."""
        if isinstance(piece, Rock):
            return piece.color
        return "".join(pyramids.code(one) for one in parts_of(piece))

    def piece(self, code: str) -> Piece:
        """The pyramid of a code, or the stack of a code of several.

        Raises:
            NoSuchPiece: There is none.
        """
        if len(code) <= CODE_LETTERS:
            return pyramid_of(code)
        parts = [code[at : at + CODE_LETTERS] for at in range(0, len(code), CODE_LETTERS)]
        return Stack(tuple(map(pyramid_of, parts)))

    def aim_code(self, code: str) -> str:
        """The code itself: a pyramid has no ways to lie."""
        return pyramids.code(pyramid_of(code))

    def piece_name(self, piece: Piece) -> str:
        """The name in words: "red small", "a stack of red large, orange medium" or "red rock"."""
        if isinstance(piece, Rock):
            return f"{piece.color} rock"
        parts = parts_of(piece)
        words = ", ".join(pyramids.spoken(one) for one in parts)
        return words if len(parts) == 1 else f"a stack of {words}"

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """The piece seen from the side."""
        return rocks.single(piece) if isinstance(piece, Rock) else pyramids.single(parts_of(piece))


def parts_of(piece: Piece) -> tuple[Pyramid, ...]:
    """The pyramids of a piece, bottom to top.

    Raises:
        NoSuchPiece: It is no pyramid and no stack.
    """
    if isinstance(piece, Pyramid):
        return (piece,)
    if isinstance(piece, Stack):
        return piece.pieces
    raise NoSuchPiece("That is neither a pyramid nor a stack of them.")


def pyramid_of(code: str) -> Pyramid:
    """The pyramid of a code.

    Raises:
        NoSuchPiece: There is none.
    """
    found = pyramids.CODES.get(code)
    if found is None:
        raise NoSuchPiece("There is no such pyramid. A pyramid is named by its letter and its pips, such as R3.")
    return found


def player(names: Sequence[str], seat: int) -> str:
    """A player by number and name."""
    return f"{seat + 1} · {names[seat]}" if seat < len(names) else f"Player {seat + 1}"
