"""How tic-tac-toe looks on the page."""

from __future__ import annotations

from typing import Any

from tic_tac_toe.game import COUNTERS, ROWS, TIC_TAC_TOE, Place

from companion.core.layout import Spot
from companion.core.pieces import Piece, Pyramid
from web.boards.parts.cell_presenter import CellPresenter
from web.boards.parts.presenter import Aim


class TicTacToePresenter(CellPresenter):
    """Nine cells with the counters of two players."""

    game, rows, pieces = TIC_TAC_TOE, ROWS, COUNTERS
    example = "player 1 takes b2"

    def aim(self, event: Place) -> Aim:
        return Aim(self.piece_code(COUNTERS[event.seat]), event.cell)

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Place:
        return TIC_TAC_TOE.event({"type": "place", "seat": COUNTERS.index(self._ours(piece)), "cell": spot})

    def written(self, state: Any, cells: dict[Spot, Pyramid]) -> dict[str, Any]:
        return {"board": {cell: COUNTERS.index(piece) for cell, piece in cells.items()}, "turn": state.turn}
