"""The presenter of a game in which every move puts one pyramid on one cell; each game adds only a few attributes and
methods.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from companion.core.contract import Event, Move, Seat
from companion.core.game import Game
from companion.core.layout import Spot
from companion.core.pieces import Piece, Pyramid
from companion.referee.journal.timeline import Timeline
from web.boards.parts.pieces import PyramidPieces, pyramid_of
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, UsualOffers
from web.scene.boards.squares import Square, board
from web.scene.marks import Marks
from web.scene.pieces.pyramids import code as code_of
from web.scene.shape import BoardFrame, Shape


class CellPresenter(UsualOffers, PyramidPieces, ABC):
    """A presenter for cells in rows and columns, named by a letter and a number: "b2"."""

    game: ClassVar[Game[Any]]
    rows: ClassVar[tuple[tuple[Spot, ...], ...]]
    """The cells by row, starting at the far side, as `companion.core.plan.PyramidBoard` lists them."""
    pieces: ClassVar[tuple[Pyramid, ...]]
    """The kinds of pieces of the game."""
    example: str

    @abstractmethod
    def aim(self, event: Event) -> Aim:
        """Returns the code and the cell of the added piece; `Aim(None, None)` for moves without one."""

    @abstractmethod
    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Returns the move that puts a piece on a cell, legal or not."""

    @abstractmethod
    def written(self, state: Any, cells: dict[Spot, Pyramid]) -> dict[str, Any]:
        """Returns a position with these pieces, in the words of the game's records."""

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """Returns the picture of the cells with their pieces."""
        standing = _standing(state)
        squares = [
            Square(spot, column, row, None, "", piece=standing.get(spot))
            for row, spots in enumerate(self.rows)
            for column, spot in enumerate(spots)
            if spot
        ]
        files, ranks = "".join(spot[0] for spot in self.rows[0]), [spots[0][1:] for spots in self.rows]
        return board(squares, files, ranks, marks, frame)

    def hand(self, state: Any, seat: Seat) -> None:
        """Returns None, because this game has no hands."""
        return

    def spot_name(self, spot: Spot) -> str:
        """Returns the name of the cell."""
        return f"cell {self._known(spot)}"

    def holds(self, state: Any, spot: Spot) -> Pyramid | None:
        """Returns the piece on a cell, or None."""
        return _standing(state).get(self._known(spot))

    def trace(self, event: Event) -> Spot | None:
        """Returns the cell of the move."""
        return self.aim(event).spot

    def sentence(self, event: Event) -> str:
        """Returns the action of the player: the notation without "player 1"."""
        return self.game.text(event).split(" ", 2)[2]

    def laid(self, event: Event) -> Pyramid | None:
        """Returns the added piece."""
        code = self.aim(event).piece
        return None if code is None else pyramid_of(code)

    def offer(self, move: Move) -> str:
        """Returns the move as the text of a button."""
        return self.sentence(move).capitalize()

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Returns a move with each kind of piece on the cell, those of legal moves first."""
        legal = [self.aim(move).piece for move in state.legal_moves()]
        kinds = sorted(self.orientations(spot, code), key=lambda piece: code_of(piece) not in legal)
        return [self.placing(state, spot, piece) for piece in kinds]

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Pyramid]:
        """Returns the piece with a code, or every kind of the game."""
        self._known(spot)
        return self.pieces if code is None else (self._ours(self.piece(code)),)

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """Returns the row that last changed the cell."""
        return timeline.origin(spot)

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """Returns None, because a piece of another color would be another player's move."""
        return None

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """Returns the position with another piece, or none, on a cell."""
        cells = _standing(state)
        cells.pop(self._known(spot), None)
        if piece is not None:
            cells[spot] = self._ours(piece)
        return self.written(state, cells)

    def _known(self, spot: Spot) -> Spot:
        if not spot or not any(spot in spots for spots in self.rows):
            raise NoSuchSpot(f"The board has no such cell. Its cells are {self.rows[-1][0]} to {self.rows[0][-1]}.")
        return spot

    def _ours(self, piece: Piece) -> Pyramid:
        if not isinstance(piece, Pyramid) or piece not in self.pieces:
            raise NoSuchPiece(f"{self.game.title} has no such piece. Choose one of its own.")
        return piece


def _standing(state: Any) -> dict[Spot, Pyramid]:
    cells = state.layout().cells
    return {spot: one.piece for spot, one in cells.items() if isinstance(one.piece, Pyramid)}
