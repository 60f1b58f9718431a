"""Codes, names and pictures of pieces for games with pyramids, and for games with color dice and pawns.

A pyramid's code is its color's letter and its pips, "R3"; a stack's are those of its pieces from the bottom up; a
rock's is its color's name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from companion.core.contract import Seat
from companion.core.layout import Spot
from companion.core.pieces import Die, Pawn, Piece, Pyramid, Rock, Stack
from companion.games.shared.color_dice import D6, D12, PLACE, name
from web.boards.parts.presenter import NoSuchPiece, ShownHand
from web.scene.pieces import pyramids, rocks
from web.scene.pieces.dice import LETTERS, single_die
from web.scene.pieces.pawns import single_board_pawn
from web.scene.shape import Shape

# Codes, names and pictures of pieces for games with color dice and pawns.
#
# A die's code is its kind and its color's letters, "d6R" or "d12RO"; a pawn's is "pawnR".

_COLORS = {letters: color for color, letters in LETTERS.items()}
_CODE = re.compile(r"(d6|d12|pawn)([A-Z]{1,2})")
_KINDS = {"d6": D6, "d12": D12}

DICE: tuple[Die, ...] = tuple(sorted(PLACE, key=lambda one: (one.kind != D6, PLACE[one])))
"""Every face: the six of a d6, then the twelve of a d12."""


def code_of(piece: Piece) -> str:
    """The code of a die or a pawn.

    Raises:
        NoSuchPiece: It is neither.
    """
    if isinstance(piece, Die) and piece in PLACE:
        return f"{'d6' if piece.kind == D6 else 'd12'}{LETTERS[str(piece.face)]}"
    if isinstance(piece, Pawn) and piece.color in LETTERS:
        return f"pawn{LETTERS[piece.color]}"
    raise NoSuchPiece("That is neither a color die nor a pawn.")


def piece_of(code: str) -> Die | Pawn:
    """The piece of a code.

    Raises:
        NoSuchPiece: There is none.
    """
    found = _CODE.fullmatch(code)
    color = _COLORS.get(found[2]) if found else None
    if found is None or color is None:
        raise NoSuchPiece("There is no such piece. A die is named by its kind and letters, such as d6R or d12RO.")
    if found[1] == "pawn":
        return Pawn(color)
    die = Die(_KINDS[found[1]], color)
    if die not in PLACE:
        raise NoSuchPiece("A d6 shows the six primary colors only. Choose one of them.")
    return die


class DicePieces:
    """The part of a presenter that needs no position."""

    def hand(self, state: Any, seat: Seat) -> ShownHand | None:
        """Everything lies in view."""
        return None

    def piece_code(self, piece: Piece) -> str:
        """Kind and letters."""
        return code_of(piece)

    def piece(self, code: str) -> Die | Pawn:
        """The piece of a code.

        Raises:
            NoSuchPiece: There is none.
        """
        return piece_of(code)

    def aim_code(self, code: str) -> str:
        """The code itself: neither dice nor pawns have ways to lie."""
        return code_of(piece_of(code))

    def piece_name(self, piece: Piece) -> str:
        """The name in words: "d12 red-orange" or "red pawn"."""
        code_of(piece)
        return f"{piece.color} pawn" if isinstance(piece, Pawn) else name(piece)  # type: ignore[arg-type]

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """The piece seen from above; a pawn alone has no owner, so it is round."""
        if isinstance(piece, Pawn):
            return single_board_pawn(piece, "circle")
        code_of(piece)
        assert isinstance(piece, Die)
        return single_die(piece)


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
