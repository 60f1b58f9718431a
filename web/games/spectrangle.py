"""How Spectrangle looks on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Drawn, Event, Move, Seat, Shown
from companion.core.layout import Spot
from companion.core.pieces import TILES, Piece, Tile
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrangle.board import LIES, NAMES, SPOTS, LyingTile, points_up, ways
from companion.games.spectrangle.board import spot as spot_of
from companion.games.spectrangle.moves import Exchange, Pass, PlaceTile
from companion.referee.journal.timeline import Timeline
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, ShownHand, UsualOffers
from web.scene.boards.triangle import board, single
from web.scene.frame import BoardFrame
from web.scene.marks import Marks
from web.scene.pieces.tiles import spoken
from web.scene.shape import Shape

_CELLS = {name: cell for cell, name in enumerate(SPOTS)}


class SpectranglePresenter(UsualOffers):
    """Boards of 36 cells, tiles with three colors. A tile's code is its letters and value: "GGY4"."""

    example = "GGY4 c21 GYG, pass, exchange GGY4, player 1 draws GGY4"

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """The triangle with the tiles that lie on it."""
        return board(_lying(state), marks, frame)

    def hand(self, state: Any, seat: Seat) -> ShownHand:
        """Known tiles and the number of others."""
        held = state.lots or state.hands  # while lots are drawn, the tiles drawn for the start
        return ShownHand(tuple(TILES[number] for number in held[seat]), state.hidden[seat])

    def piece_code(self, piece: Piece) -> str:
        """Letters as it lies, and the value."""
        return _tile(piece).name

    def piece(self, code: str) -> Tile:
        """A tile as it lies, or off the board.

        Raises:
            NoSuchPiece: No tile has these three colors and this value.
        """
        return _lie(code).tile

    def aim_code(self, code: str) -> str:
        """The tile's name as TRI-1 prints it."""
        return _lie(code).name

    def piece_name(self, piece: Piece) -> str:
        """Its colors and value."""
        return spoken(_tile(piece), lies=False)

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """The tile; off the board it points up."""
        up = spot is None or spot.endswith(".hand") or points_up(_cell(spot))
        return single(_tile(piece), name=name, up=up)

    def spot_name(self, spot: Spot) -> str:
        """The cell as the notation names it, or whose hand it is."""
        if spot.startswith("seat") and spot.endswith(".hand"):
            seat = spot.removeprefix("seat").removesuffix(".hand")
            if seat.isdecimal():
                return f"the hand of player {int(seat) + 1}"
        return spot_of(_cell(spot))

    def holds(self, state: Any, spot: Spot) -> Tile | None:
        """The tile on a cell."""
        return _lying(state).get(_cell(spot))

    def aim(self, event: Event) -> Aim:
        """The tile by its name off the board, and the cell."""
        if isinstance(event, PlaceTile):
            return Aim(LIES[event.tile.edges].name, spot_of(event.cell))
        if isinstance(event, Exchange):
            return Aim(event.tile.name if event.tile else None, None)
        return Aim(None, None)

    def trace(self, event: Event) -> Spot | None:
        """The cell of a placement."""
        return self.aim(event).spot

    def sentence(self, event: Event) -> str:
        """The action of the player."""
        if isinstance(event, PlaceTile):
            return f"lays {spoken(event.tile, lies=False)}, on {spot_of(event.cell)}"
        if isinstance(event, Exchange):
            what = spoken(event.tile, lies=False) if event.tile else "a tile that was not shown"
            return f"puts {what}, back into the bag for another"
        if isinstance(event, Pass):
            return "passes"
        if isinstance(event, Drawn):
            return "draws " + _several(event.pieces)
        if isinstance(event, Shown):
            return "shows " + _several(event.pieces)
        raise TypeError(f"not an event of Spectrangle: {event!r}")

    def laid(self, event: Event) -> Tile | None:
        """The tile of a placement, as it lies."""
        return event.tile if isinstance(event, PlaceTile) else None

    def offer(self, move: Move) -> str:
        """Passing, exchanging, or the placement in the game's own notation."""
        if isinstance(move, Exchange):
            return f"Exchange {move.tile.name}" if move.tile else "Exchange a tile that is not shown"
        if isinstance(move, Pass):
            return "Pass"
        return f"Lay {_tile(move.tile).name}"

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Every turn of a tile on a cell; without a code, of each tile that the hand of the seat to move may hold."""
        cell = _cell(spot)
        held = state.hands[state.turn] or tuple(bits(state.pool))
        numbers = held if code is None else (_lie(code).number,)
        up, handed = points_up(cell), state.options.handed
        return [PlaceTile(cell, lie.tile) for number in numbers for lie in ways(number, up, handed)]

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Tile]:
        """The turns of one tile on a cell, or all 36 tiles; in a hand a tile has no turns."""
        if spot.endswith(".hand"):
            return list(TILES) if code is None else [TILES[_lie(code).number]]
        cell = _cell(spot)
        if code is None:
            return list(TILES)
        return [lie.tile for lie in ways(_lie(code).number, points_up(cell), "any")]

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """The row that last changed the cell."""
        return timeline.origin(spot)

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """The placement, of another tile or on another cell."""
        return PlaceTile(_cell(spot), _tile(piece)) if isinstance(event, PlaceTile) else None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """The placement of a tile that lies so."""
        return PlaceTile(_cell(spot), _tile(piece))

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """The position with another tile, or none, on a cell; the tile leaves the hand that held it."""
        board = {spot_of(cell): tile.edges for cell, tile in _lying(state).items()}
        board.pop(spot_of(_cell(spot)), None)
        gone = None
        if piece is not None:
            board[spot] = _tile(piece).edges
            gone = _lie(_tile(piece).edges).number
        hands = [
            [*(NAMES[number] for number in held if number != gone), *["??"] * hidden]
            for held, hidden in zip(state.hands, state.hidden, strict=True)
        ]
        scores = [score.total for score in state.scores()]
        return {"board": board, "hands": hands, "to_move": state.turn, "scores": scores, "passes": state.passes}


def _lying(state: Any) -> dict[int, Tile]:
    """Tiles by cell."""
    cells = state.layout().cells
    return {cell: tile for cell, spot in enumerate(SPOTS) if isinstance(tile := cells[spot].piece, Tile)}


def _cell(spot: Spot) -> int:
    cell = _CELLS.get(spot)
    if cell is None:
        raise NoSuchSpot("The board has no such cell. Its cells are c0 to c35.")
    return cell


def _lie(code: str) -> LyingTile:
    lie = LIES.get(code[:3])
    if lie is None or code[3:] not in ("", str(lie.tile.value)):
        raise NoSuchPiece("There is no such tile. A tile is named by its three letters and its value, such as GGY4.")
    return lie


def _tile(piece: Piece) -> Tile:
    if not isinstance(piece, Tile):
        raise NoSuchPiece("That is not a Spectrangle tile.")
    return piece


def _several(pieces: Sequence[Piece | None]) -> str:
    shown = [spoken(_tile(piece), lies=False) for piece in pieces if piece is not None]
    unseen = len(pieces) - len(shown)
    if unseen:
        shown.append("a tile that was not shown" if unseen == 1 else f"{unseen} tiles that were not shown")
    return "; ".join(shown)
