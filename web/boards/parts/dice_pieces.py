"""Codes, names and pictures of pieces for games with color dice and pawns.

A die's code is its kind and its color's letters, "d6R" or "d12RO"; a pawn's is "pawnR".
"""

from __future__ import annotations

import re
from typing import Any

from companion.core.contract import Seat
from companion.core.layout import Spot
from companion.core.pieces import Die, Pawn, Piece
from companion.games.shared.color_dice import D6, D12, PLACE, name
from web.boards.parts.presenter import NoSuchPiece, ShownHand
from web.scene.pieces.dice import LETTERS, single_die
from web.scene.pieces.pawns import single_board_pawn
from web.scene.shape import Shape

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
