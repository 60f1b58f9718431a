"""The presenter of Spectrangle.

Spots: "c0" to "c35" are the cells, and "seat0.hand" is a player's hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.contract import Drawn, Event, Move, Seat, Shown
from companion.core.layout import Spot
from companion.core.pieces import TILES, Piece, Tile
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrangle.board import BONUS, LIES, NAMES, SPOTS, LyingTile, points_up, row_and_column, ways
from companion.games.spectrangle.board import spot as spot_of
from companion.games.spectrangle.moves import Exchange, Pass, PlaceTile
from companion.referee.journal.timeline import Timeline
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, ShownHand, UsualOffers
from web.scene.marks import NOTHING, Marks
from web.scene.pieces.tiles import HEIGHT_MM, PAINTS, SIDE_MM, corners, patterns, spoken, tile
from web.scene.shape import BOARD, Attributes, BoardFrame, Point, Shape, group, label, polygon, shape

# The Spectrangle board: a triangle of 36 cells with its bonus numbers (TRI-4, TRI-5).
#
# Every cell is one element with an id, a name and its row and column, so the page can move through the cells by keys
# and replace one without the others, and a screen reader can read the board. Marks (allowed, refused, last, changed)
# have a sign besides their color.

ROWS = 6
_MARGIN_MM = 8.0


def center(cell: int) -> Point:
    """Returns the middle of a cell in millimeters; the board's apex is at (150, 0)."""
    row, column = row_and_column(cell)
    x = ROWS * SIDE_MM / 2 + (column - row) * SIDE_MM / 2
    share = 2 / 3 if points_up(cell) else 1 / 3
    return x, (row + share) * HEIGHT_MM


def board(tiles: Mapping[int, Tile], marks: Marks = NOTHING, frame: BoardFrame = BOARD) -> Shape:
    """Returns the board with its tiles."""
    rows = []
    for row in range(ROWS):
        cells = [
            _cell_triangle(row * row + column, tiles, marks, frame.name, frame.live) for column in range(2 * row + 1)
        ]
        rows.append(shape("g", {"role": "row" if frame.live else None, "class": "row"}, *cells))
    width, height = ROWS * SIDE_MM, ROWS * HEIGHT_MM
    box = (-_MARGIN_MM, -_MARGIN_MM, width + 2 * _MARGIN_MM, height + 2 * _MARGIN_MM)
    rim = ((width / 2, -5.0), (width + 4.6, height + 2.6), (-4.6, height + 2.6))
    edge = polygon(rim, "rim-board", aria_hidden="true")
    return frame.around("triangle", box, patterns(frame.name, PAINTS), edge, *rows)


def _cell_triangle(cell: int, tiles: Mapping[int, Tile], marks: Marks, name: str, live: bool) -> Shape:
    here = spot_of(cell)
    at = center(cell)
    up = points_up(cell)
    ghost = marks.ghosts.get(here)
    lying = None if here in marks.ghosts else tiles.get(cell)
    bonus = BONUS.get(cell)
    kinds = ["cell", f"bonus-{bonus}" if bonus else None, "filled" if lying else "empty"]
    kinds += [kind for kind in ("legal", "last", "refused", "about", "changed") if here in getattr(marks, kind)]
    # The visible text of a cell is part of its name, for people who control the browser by voice.
    words = [f"{here} ×{bonus}" if bonus else here, "points up" if up else "points down"]
    parts: list[Shape | str | None] = [polygon(corners(up, at), "ground")]
    if lying:
        words += [lying.name, spoken(lying)]
        parts.append(tile(lying, up, name, at, SIDE_MM - 1.6))
    elif isinstance(ghost, Tile):
        words += [f"on trial: {ghost.name}", spoken(ghost)]
        parts.append(group("ghost", tile(ghost, up, name, at, SIDE_MM - 1.6)))
    else:
        words.append("empty")
        if here not in marks.legal:
            foot = (at[0], at[1] + 10.2) if up else (at[0], at[1] - 10.2)
            parts += [label(here, foot, "number", 4.6, aria_hidden="true"), " "]
            if bonus:
                parts.append(label(f"×{bonus}", at, "bonus", 11, aria_hidden="true"))
    words += _pointed_out(here, marks)
    parts += _signs(here, at, up, marks)
    parts.append(polygon(corners(up, at, SIDE_MM - 7), "focus", aria_hidden="true"))
    if not live:
        return group(" ".join(kind for kind in kinds if kind), *parts)
    known: Attributes = {
        "id": f"{name}-{here}",
        "class": " ".join(kind for kind in kinds if kind),
        "role": "gridcell",
        "tabindex": "-1",
        "aria-label": ", ".join(words),
        "data-spot": here,
        "data-x": at[0],
        "data-y": at[1],
    }
    return shape("g", known, *parts)


def _pointed_out(here: Spot, marks: Marks) -> list[str]:
    words = []
    if here in marks.legal:
        points = marks.legal[here]
        words.append("allowed here, 1 point" if points == "1" else f"allowed here, {points} points")
    if here in marks.last:
        words.append("last move")
    if here in marks.refused:
        words.append("not allowed")
    if here in marks.about:
        words.append("in question")
    if here in marks.changed:
        words.append("would change")
    return words


def _signs(here: Spot, at: Point, up: bool, marks: Marks) -> list[Shape | None]:
    """Returns outlines, and the signs that identify them without color: a number, a dot, a cross, a ring."""
    x, y = at
    # The tip is the widest part of a cell, where a sign beside the value does not hide an edge's letter.
    tip = (x, y - 17.5) if up else (x, y + 17.5)
    parts: list[Shape | None] = []
    if here in marks.last:
        parts.append(polygon(corners(up, at, SIDE_MM - 3), "sign last-sign", aria_hidden="true"))
        parts.append(
            shape("circle", {"class": "dot last-dot", "cx": tip[0], "cy": tip[1], "r": 2.6, "aria-hidden": "true"})
        )
    if here in marks.about:
        parts.append(polygon(corners(up, at, SIDE_MM - 3), "sign about-sign", aria_hidden="true"))
    if here in marks.changed:
        parts.append(polygon(corners(up, at, SIDE_MM - 4), "sign changed-sign", aria_hidden="true"))
    if here in marks.refused:
        parts.append(polygon(corners(up, at, SIDE_MM - 4), "sign refused-sign", aria_hidden="true"))
        arm = 3.0
        cross = f"M{tip[0] - arm} {tip[1] - arm}l{2 * arm} {2 * arm}m0 {-2 * arm}l{-2 * arm} {2 * arm}"
        parts.append(
            shape("circle", {"class": "cross-ground", "cx": tip[0], "cy": tip[1], "r": 5.4, "aria-hidden": "true"})
        )
        parts.append(shape("path", {"class": "cross", "d": cross, "aria-hidden": "true"}))
    if here in marks.legal:
        parts.append(polygon(corners(up, at, SIDE_MM - 5), "sign legal-sign", aria_hidden="true"))
        if here not in marks.ghosts:
            parts.append(shape("circle", {"class": "points-ground", "cx": x, "cy": y, "r": 8.6, "aria-hidden": "true"}))
            parts.append(label(marks.legal[here], at, "points", 9.5, aria_hidden="true"))
    return parts


def single(piece: Tile, *, name: str, up: bool = True, side: float = SIDE_MM) -> Shape:
    """Returns one tile alone, for a hand or a list; the element around it must name it."""
    reach = side / 3**0.5
    top = -reach if up else -reach / 2
    height = reach * 1.5
    frame = f"{-side / 2 - 1:.2f} {top - 1:.2f} {side + 2:.2f} {height + 2:.2f}"
    known = {"class": "single", "viewBox": frame, "aria-hidden": "true", "focusable": "false"}
    return shape("svg", known, patterns(name, piece.edges), tile(piece, up, name, (0.0, 0.0), side))


_CELLS = {name: cell for cell, name in enumerate(SPOTS)}


class SpectranglePresenter(UsualOffers):
    """Boards of 36 cells, and tiles with three colors. A tile's code is its letters and value: "GGY4"."""

    example = "GGY4 c21 GYG, pass, exchange GGY4, player 1 draws GGY4"

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """Returns the triangle with its tiles."""
        return board(_lying(state), marks, frame)

    def hand(self, state: Any, seat: Seat) -> ShownHand:
        """Returns the known tiles and the number of others."""
        held = state.lots or state.hands  # while lots are drawn, the tiles drawn for the start
        return ShownHand(tuple(TILES[number] for number in held[seat]), state.hidden[seat])

    def piece_code(self, piece: Piece) -> str:
        """Returns the letters in the present rotation, and the value."""
        return _tile(piece).name

    def piece(self, code: str) -> Tile:
        """Returns the tile in the rotation of a code, or off the board.

        Raises:
            NoSuchPiece: No tile has these three colors and this value.
        """
        return _lie(code).tile

    def aim_code(self, code: str) -> str:
        """Returns the tile's name as TRI-1 prints it."""
        return _lie(code).name

    def piece_name(self, piece: Piece) -> str:
        """Returns the colors and the value of a tile."""
        return spoken(_tile(piece), lies=False)

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """Returns the picture of a tile; off the board it points up."""
        up = spot is None or spot.endswith(".hand") or points_up(_cell(spot))
        return single(_tile(piece), name=name, up=up)

    def spot_name(self, spot: Spot) -> str:
        """Returns the cell in the game's notation, or the owner of a hand."""
        if spot.startswith("seat") and spot.endswith(".hand"):
            seat = spot.removeprefix("seat").removesuffix(".hand")
            if seat.isdecimal():
                return f"the hand of player {int(seat) + 1}"
        return spot_of(_cell(spot))

    def holds(self, state: Any, spot: Spot) -> Tile | None:
        """Returns the tile on a cell."""
        return _lying(state).get(_cell(spot))

    def aim(self, event: Event) -> Aim:
        """Returns the tile by its name off the board, and the cell."""
        if isinstance(event, PlaceTile):
            return Aim(LIES[event.tile.edges].name, spot_of(event.cell))
        if isinstance(event, Exchange):
            return Aim(event.tile.name if event.tile else None, None)
        return Aim(None, None)

    def trace(self, event: Event) -> Spot | None:
        """Returns the cell of a placement."""
        return self.aim(event).spot

    def sentence(self, event: Event) -> str:
        """Returns the action of the player."""
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
        """Returns the tile of a placement, in its rotation."""
        return event.tile if isinstance(event, PlaceTile) else None

    def offer(self, move: Move) -> str:
        """Returns the text of a button: passing, exchanging, or the placement in the game's notation."""
        if isinstance(move, Exchange):
            return f"Exchange {move.tile.name}" if move.tile else "Exchange a tile that is not shown"
        if isinstance(move, Pass):
            return "Pass"
        return f"Lay {_tile(move.tile).name}"

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Returns every rotation of a tile on a cell; without a code, of each tile that the hand of the seat to move
        may hold.
        """
        cell = _cell(spot)
        held = state.hands[state.turn] or tuple(bits(state.pool))
        numbers = held if code is None else (_lie(code).number,)
        up, handed = points_up(cell), state.options.handed
        return [PlaceTile(cell, lie.tile) for number in numbers for lie in ways(number, up, handed)]

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Tile]:
        """Returns the rotations of one tile on a cell, or all 36 tiles; in a hand a tile has no rotations."""
        if spot.endswith(".hand"):
            return list(TILES) if code is None else [TILES[_lie(code).number]]
        cell = _cell(spot)
        if code is None:
            return list(TILES)
        return [lie.tile for lie in ways(_lie(code).number, points_up(cell), "any")]

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """Returns the row that last changed the cell."""
        return timeline.origin(spot)

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """Returns the placement of another tile, or on another cell."""
        return PlaceTile(_cell(spot), _tile(piece)) if isinstance(event, PlaceTile) else None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Returns the placement of a tile in this rotation."""
        return PlaceTile(_cell(spot), _tile(piece))

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """Returns the position with another tile, or none, on a cell; the tile leaves the hand that held it."""
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
    """Returns the tiles by cell."""
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
