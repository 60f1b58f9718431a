"""The codes, names and pictures of pieces for games with pyramids, and for games with color dice and pawns.

A pyramid's code is the letter of its color and its number of pips, "R3". A stack's code joins those of its pieces from
the bottom up. A rock's code is the name of its color. A die's code is its kind and the letters of its color, "d6R" or
"d12RO"; a pawn's is "pawnR".
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
from web.scene.pieces import pyramids
from web.scene.pieces.dice import LETTERS, single_die
from web.scene.pieces.pawns import single_board_pawn
from web.scene.shape import Shape

# The codes, names and pictures of pieces for games with color dice and pawns.
#
# A die's code is its kind and its color's letters, "d6R" or "d12RO"; a pawn's is "pawnR".

_COLORS = {letters: color for color, letters in LETTERS.items()}
_CODE = re.compile(r"(d6|d12|pawn)([A-Z]{1,2})")
_KINDS = {"d6": D6, "d12": D12}

DICE: tuple[Die, ...] = tuple(sorted(PLACE, key=lambda one: (one.kind != D6, PLACE[one])))
"""Every face: the six of a d6, then the twelve of a d12."""


def code_of(piece: Piece) -> str:
    """Returns the code of a die or a pawn.

    Raises:
        NoSuchPiece: The piece is neither a color die nor a pawn.
    """
    if isinstance(piece, Die) and piece in PLACE:
        return f"{'d6' if piece.kind == D6 else 'd12'}{LETTERS[str(piece.face)]}"
    if isinstance(piece, Pawn) and piece.color in LETTERS:
        return f"pawn{LETTERS[piece.color]}"
    raise NoSuchPiece("That is neither a color die nor a pawn.")


def piece_of(code: str) -> Die | Pawn:
    """Returns the piece with a code.

    Raises:
        NoSuchPiece: No piece has this code.
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
    """The methods of a presenter that need no position, for games with pyramids."""

    def hand(self, state: Any, seat: Seat) -> ShownHand | None:
        """Returns None, because no piece is in a hand."""
        return None

    def piece_code(self, piece: Piece) -> str:
        """Returns the code of a piece: kind and letters."""
        return code_of(piece)

    def piece(self, code: str) -> Die | Pawn:
        """Returns the piece with a code.

        Raises:
            NoSuchPiece: No piece has this code.
        """
        return piece_of(code)

    def aim_code(self, code: str) -> str:
        """Returns the code itself, because neither dice nor pawns have orientations."""
        return code_of(piece_of(code))

    def piece_name(self, piece: Piece) -> str:
        """Returns the name in words: "d12 red-orange" or "red pawn"."""
        code_of(piece)
        return f"{piece.color} pawn" if isinstance(piece, Pawn) else name(piece)  # type: ignore[arg-type]

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """Returns the piece seen from above; a pawn without an owner is drawn round."""
        if isinstance(piece, Pawn):
            return single_board_pawn(piece, "circle")
        code_of(piece)
        assert isinstance(piece, Die)
        return single_die(piece)


CODE_LETTERS = 2
"""The length of a pyramid's code: the letter and the pips."""


class PyramidPieces:
    """The methods of a presenter that need no position, for games with pyramids."""

    def hand(self, state: Any, seat: Seat) -> ShownHand | None:
        """Returns None, because no piece is in a hand."""
        return None

    def piece_code(self, piece: Piece) -> str:
        """Returns the code of a piece: letters and pips, or a rock's color."""
        if isinstance(piece, Rock):
            return piece.color
        return "".join(pyramids.code(one) for one in parts_of(piece))

    def piece(self, code: str) -> Piece:
        """Returns the pyramid with a code, or the stack with a code of several pyramids.

        Raises:
            NoSuchPiece: No piece has this code.
        """
        if len(code) <= CODE_LETTERS:
            return pyramid_of(code)
        parts = [code[at : at + CODE_LETTERS] for at in range(0, len(code), CODE_LETTERS)]
        return Stack(tuple(map(pyramid_of, parts)))

    def aim_code(self, code: str) -> str:
        """Returns the code itself, because a pyramid has no orientations."""
        return pyramids.code(pyramid_of(code))

    def piece_name(self, piece: Piece) -> str:
        """Returns the name in words: "red small", "a stack of red large, orange medium" or "red rock"."""
        if isinstance(piece, Rock):
            return f"{piece.color} rock"
        parts = parts_of(piece)
        words = ", ".join(pyramids.spoken(one) for one in parts)
        return words if len(parts) == 1 else f"a stack of {words}"

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """Returns the piece seen from the side."""
        return pyramids.single_rock(piece) if isinstance(piece, Rock) else pyramids.single(parts_of(piece))


def parts_of(piece: Piece) -> tuple[Pyramid, ...]:
    """Returns the pyramids of a piece, bottom to top.

    Raises:
        NoSuchPiece: The piece is neither a pyramid nor a stack.
    """
    if isinstance(piece, Pyramid):
        return (piece,)
    if isinstance(piece, Stack):
        return piece.pieces
    raise NoSuchPiece("That is neither a pyramid nor a stack of them.")


def pyramid_of(code: str) -> Pyramid:
    """Returns the pyramid with a code.

    Raises:
        NoSuchPiece: No pyramid has this code.
    """
    found = pyramids.CODES.get(code)
    if found is None:
        raise NoSuchPiece("There is no such pyramid. A pyramid is named by its letter and its pips, such as R3.")
    return found


def player(names: Sequence[str], seat: int) -> str:
    """Returns a player's number and name."""
    return f"{seat + 1} · {names[seat]}" if seat < len(names) else f"Player {seat + 1}"
