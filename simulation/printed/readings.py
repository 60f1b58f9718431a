"""Measures how surely printed games are read: random tables are read by the reader of their pieces, and compared with
the laid parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np

from companion.core.pieces import PRIMARIES, PYRAMID_SIZES, TILES, Piece, Pyramid, Stack
from companion.core.plan import BoardStack, Mat, PawnBoard, Point, PyramidBoard, TileBoard
from companion.games import PLANS
from companion.games.shared.cards.deck import CODES
from simulation.printed.card_decks import CARD_MAT, crowded_picture, printed_deck
from simulation.printed.folded import folded_die, folded_pawn, folded_pyramid, stand
from simulation.printed.laid import LaidPart
from simulation.printed.tables import Sight, printed
from vision.domains import recognize
from vision.image.picture import Picture
from vision.readers.dice.naming import faces_of
from vision.readers.dice.solids import CUBE, DODECAHEDRON
from vision.readers.pawns.wheel import SPACES, Wheel
from vision.readers.pyramids.blind_zones import CellGrid
from vision.readers.pyramids.hypothesis import lifts_mm
from vision.readers.tiles.lattice import BONUS, CELLS, Placement
from vision.registration.registered_image import find_table
from vision.table_reader import TableReader

TILE_MAT, TRAY_MAT = (PLANS[name](2).mat for name in ("spectrangle", "roll-and-color"))
WHEEL_MAT = PLANS["spectrum"](2).mat
MATS = ("spectrangle", "spectrum", "escape", "regenbogen", "roll-and-color", "spectra", "ice-stalks")
_OFF_PX = 4.0
"""The largest error in the place of a mat's middle, in pixels."""
_NEAR_MM = 12.0
"""The largest distance between a piece and its reading."""
_NEAR_CARD_MM = 8.0
"""The same for a card, because cards of a column lie close to each other."""
_CARD_THICK_MM = 3.0
"""The thickness of the card on which tiles are glued."""
_PYRAMIDS = ("red", "orange", "yellow", "green", "blue", "purple", "black", "white")

_Pieces = list[tuple[str, float, float]]
"""The name of each piece, and its place in table millimeters."""


class Compared(NamedTuple):
    """A picture with the comparison of its reading and the truth."""

    picture: Picture
    wrong: tuple[str, ...]
    """The differences between laid and read parts, in words."""
    laid: int
    """The number of compared pieces, cells or mats."""


@cache
def _mat(name: str) -> LaidPart:
    return printed(name).mat()


def _triangle() -> tuple[Point, Point, Point]:
    """Returns the apex, left and right corners of the printed board on its mat."""
    found = next(zone.corners_mm for zone in PLANS["spectrangle"](2).zones if isinstance(zone, TileBoard))
    assert found is not None
    return found


def tiles_read(seed: int) -> Compared:
    """Compares tiles in cells of the printed board with its printed markers; every cell counts."""
    rng, game = Random(seed), printed("spectrangle")
    sight = Sight(seed, TILE_MAT)
    sight.lay(_mat("spectrangle"))
    board = Placement.of(_triangle())
    wanted: list[str | None] = [None] * len(CELLS)
    # One printed factor stays uncovered: without any, the apex looks like the other two corners.
    free = rng.choice(list(BONUS))
    cells = rng.sample([k for k in range(36) if k != free], rng.randrange(1, 34))
    for number, tile in zip(cells, rng.sample(TILES, len(cells)), strict=True):
        part, ink = game.ink(tile.name)
        cell, thirds = CELLS[number], rng.randrange(3)
        heading = board.heading_deg + (0 if cell.upward else 180) + thirds * 120 + rng.uniform(-1, 1)
        # The middle of a triangle is below that of its rectangle.
        up = np.array([math.cos(math.radians(heading)), -math.sin(math.radians(heading))])
        middle = (
            board.to_table(np.array([cell.middle]))[0]
            + up * part.size_mm[1] / 6
            + np.array([rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)])
        )
        sight.lay(LaidPart(ink, float(middle[0]), float(middle[1]), heading, _CARD_THICK_MM, part.outline_mm))
        # A downward cell counts its edges the other way round: left and right change sides, and the flat edge stays.
        lies = tile.turned(-thirds)
        wanted[number] = lies.name if cell.upward else f"{lies.right}{lies.left}{lies.flat}{lies.value}"
    picture = sight.picture()
    read = recognize(picture, "spectrangle", TILE_MAT).truth()["cells"]
    found = [None if one is None else f"{one['left']}{one['right']}{one['flat']}{one['value']}" for one in read]
    wrong = tuple(f"c{k}: {a} read as {b}" for k, (a, b) in enumerate(zip(wanted, found, strict=True)) if a != b)
    return Compared(picture, wrong, len(CELLS))


def cards_read(seed: int, backs: float = 0.15) -> Compared:
    """Compares cards of the printed deck side by side on a table with loose markers, some of them face down."""
    rng, game = Random(seed), printed("deck")
    sight = Sight(seed, CARD_MAT, loose_markers=True)
    laid = []
    for k, code in enumerate(rng.sample(CODES, 8)):
        back = rng.random() < backs
        _, ink = game.ink(code, back)
        x, y = 75 + 150 * (k % 4) + rng.uniform(-15, 15), 110 + 180 * (k // 4) + rng.uniform(-20, 20)
        sight.lay(LaidPart(ink, x, y, 90 + rng.uniform(-40, 40) + 180 * rng.randrange(2)))
        laid.append(("face down" if back else code, x, y))
    return _cards_compared(sight.picture(), laid)


def laid_cards_read(seed: int) -> Compared:
    """Compares the cards of the printed deck that are visible in columns, in a fan and on a pile, and lone ones."""
    return _cards_compared(*crowded_picture(seed, printed_deck))


def _cards_compared(picture: Picture, laid: _Pieces) -> Compared:
    read = recognize(picture, "cards", CARD_MAT).truth()["cards"]
    found = [("face down" if one["face"] == "down" else one["card"], one["x"], one["y"]) for one in read]
    return _compared(picture, laid, found, _NEAR_CARD_MM)


def dice_read(seed: int) -> Compared:
    """Compares nine folded dice in the printed tray."""
    rng, game, mat = Random(seed), printed("roll-and-color"), TRAY_MAT
    sight = Sight(seed, mat)
    sight.lay(_mat("roll-and-color"))
    laid = []
    for k in range(9):
        solid = CUBE if k < 4 else DODECAHEDRON
        up = rng.randrange(len(solid.faces))
        x = mat.width_mm * (0.2 + 0.3 * (k % 3)) + rng.uniform(-10, 10)
        y = mat.height_mm * (0.25 + 0.25 * (k // 3)) + rng.uniform(-8, 8)
        stand(sight.canvas, game.ink(solid.name)[1], folded_die(solid, up, x, y, rng.uniform(0, 360)))
        laid.append((f"{'spectrum-d6' if k < 4 else 'spectrum-d12'} {faces_of(solid)[up]}", x, y))
    picture = sight.picture()
    read = recognize(picture, "dice", mat).truth()["dice"]
    return _compared(picture, laid, [(f"{one['kind']} {one['face']}", one["x"], one["y"]) for one in read])


def pawns_read(seed: int, name: str = "spectrum") -> Compared:
    """Compares paper pawns on the printed wheel of a game."""
    rng, game = Random(seed), printed(name)
    plan = PLANS[name](2)
    board = next(zone for zone in plan.zones if isinstance(zone, PawnBoard))
    assert board.center_mm is not None and board.radius_mm is not None and board.red_heading_deg is not None
    wheel = Wheel(*board.center_mm, board.radius_mm, board.red_heading_deg)
    sight = Sight(seed, plan.mat)
    sight.lay(_mat(name))
    middles = wheel.to_table(wheel.middles())
    laid = set()
    for number in sorted(rng.sample(range(len(SPACES)), 14), key=lambda one: float(middles[one][1])):
        color = rng.choice(PRIMARIES)
        part, ink = game.ink(f"pawn {color}")
        stand(sight.canvas, ink, folded_pawn(part, float(middles[number][0]), float(middles[number][1])))
        laid.add(f"{color} on {SPACES[number].color} {SPACES[number].ring}")
    picture = sight.picture()
    read = recognize(picture, "spectrum", plan.mat).truth()["pawns"]
    found = {f"{one['color']} on {one['path']} {one['space']}" for one in read}
    wrong = (*(f"{one} not read" for one in sorted(laid - found)), *(f"{one} read" for one in sorted(found - laid)))
    return Compared(picture, wrong, len(laid))


def escape_read(seed: int) -> Compared:
    """Compares paper pawns on the printed board of Spectrum Escape."""
    return pawns_read(seed, "escape")


def grid_read(seed: int) -> Compared:
    """Compares the cells and colors of folded pyramids on the printed board of Regenbogen; every cell counts.

    `board_pyramids_read` compares sizes: this reader takes each piece for a stack that the game builds, and the lone
    pieces here are none.
    """
    picture, spots, _ = _lone_on_board(seed)
    read = TableReader(PLANS["regenbogen"](2)).read(picture).layout.cells
    found = {spot: _color(read[spot].piece) if spot in read else "nothing" for spot in spots}
    wrong = tuple(f"{spot}: {spots[spot]} read as {found[spot]}" for spot in spots if spots[spot] != found[spot])
    return Compared(picture, wrong, len(spots))


def board_pyramids_read(seed: int) -> Compared:
    """Compares the colors and sizes of folded pyramids that stand on the printed board of Regenbogen."""
    picture, _, laid = _lone_on_board(seed)
    return _pyramids_compared(picture, laid, PLANS["regenbogen"](2).mat)


@cache
def _lone_on_board(seed: int) -> tuple[Picture, dict[str, str | None], _Pieces]:
    """Returns a picture of the printed board with folded pyramids, the color in each cell, and the pyramids."""
    rng, game = Random(seed), printed("regenbogen")
    sight, cells = _board_of_regenbogen(seed)
    colors: dict[str, str | None] = dict.fromkeys(cells)
    laid = []
    for spot in sorted(rng.sample(sorted(cells), 10), key=lambda one: float(cells[one][1])):
        color, size = rng.choice(_PYRAMIDS), rng.choice(("large", "medium"))
        part, ink = game.ink(f"{color} {size}")
        x, y = map(float, cells[spot])
        stand(sight.canvas, ink, folded_pyramid(part, size, x, y, 0.0))
        colors[spot] = color
        laid.append((f"{color} {size}", x, y))
    return sight.picture(), colors, laid


def stacks_read(seed: int) -> Compared:
    """Compares the tops of paper stacks on the printed board of Regenbogen."""
    picture, tops = stacks_on_board(seed)
    read = TableReader(PLANS["regenbogen"](2)).read(picture).layout.cells
    wrong = tuple(
        f"{spot}: {top or 'nothing'} read as {found or 'nothing'}"
        for spot, top in tops.items()
        if (found := _top(read[spot].piece if spot in read else None)) != top
    )
    return Compared(picture, wrong, sum(top is not None for top in tops.values()))


@cache
def stacks_on_board(seed: int) -> tuple[Picture, dict[str, Piece | None]]:
    """Returns a picture of ten paper stacks that Regenbogen builds, on its printed board, and the top in each cell."""
    rng, game = Random(seed), printed("regenbogen")
    sight, cells = _board_of_regenbogen(seed)
    kinds = next(zone for zone in PLANS["regenbogen"](2).zones if isinstance(zone, PyramidBoard)).stacks
    roles: dict[tuple[str, bool], list[BoardStack]] = {}
    for kind in kinds:
        roles.setdefault((kind.sizes[0], "white" in kind.colors), []).append(kind)
    tops: dict[str, Piece | None] = dict.fromkeys(cells)
    eye = sight.camera.eye_mm()
    for spot in sorted(rng.sample(sorted(cells), 10), key=lambda one: -math.dist(cells[one], eye[:2])):
        stack = rng.choice(rng.choice(list(roles.values())))
        color, turn = rng.choice(stack.colors), rng.uniform(0, 90)
        x, y = (side + rng.uniform(-5, 5) for side in cells[spot])
        for size, lift in zip(stack.sizes, lifts_mm(stack.sizes), strict=True):
            part, ink = game.ink(f"{color} {size}")
            faces = folded_pyramid(part, size, x, y, turn)
            lifted = [face._replace(table_mm=face.table_mm + np.array([0.0, 0.0, lift])) for face in faces]
            stand(sight.canvas, ink, lifted)
        tops[spot] = Pyramid(color, stack.sizes[-1])
    return sight.picture(), tops


def _board_of_regenbogen(seed: int) -> tuple[Sight, dict[str, tuple[float, float]]]:
    """Returns a table with the printed board of Regenbogen, and the middles of its cells in table millimeters."""
    plan = PLANS["regenbogen"](2)
    sight = Sight(seed, plan.mat, 20.0)
    sight.lay(_mat("regenbogen"))
    board = next(zone for zone in plan.zones if isinstance(zone, PyramidBoard))
    return sight, CellGrid(board).middles()


def _top(piece: Piece | None) -> Piece | None:
    return piece.pieces[-1] if isinstance(piece, Stack) else piece


def _color(piece: Piece | None) -> str | None:
    """Returns the color that a cell shows; None if it is empty."""
    top = _top(piece)
    return top.color if isinstance(top, Pyramid) else None


def mats_read(seed: int) -> Compared:
    """Compares the places of the printed mats of all games, each found by its four markers."""
    wrong, laid, picture = [], 0, None
    for name in MATS:
        plan = PLANS[name](2)
        sight = Sight(seed, plan.mat)
        sight.lay(_mat(name))
        picture = sight.picture()
        laid += 1
        table = find_table(picture, plan.mat)
        middle = np.array([[plan.mat.width_mm / 2, plan.mat.height_mm / 2]])
        there = table.original_px(table.pose.project(np.column_stack([middle, [[0.0]]])))[0]
        off_px = math.dist(there, sight.camera.project(np.column_stack([middle, [[0.2]]]))[0])
        if len(table.markers) < 4 or off_px > _OFF_PX:
            wrong.append(f"{name}: {len(table.markers)} markers, {off_px:.1f} px off")
    assert picture is not None
    return Compared(picture, tuple(wrong), laid)


def pyramids_read(seed: int) -> Compared:
    """Compares folded pyramids of three sizes, apart from each other, on a table with loose markers."""
    rng, game, mat = Random(seed), printed("spectra"), PLANS["spectra"](2).mat
    sight = Sight(seed, mat, loose_markers=True)
    laid = []
    for k in range(0, 24, 2):
        x, y = 80 + 88 * (k % 6) + rng.uniform(-10, 10), 80 + 80 * (k // 6) + rng.uniform(-10, 10)
        color, size = rng.choice(_PYRAMIDS), rng.choice(PYRAMID_SIZES)
        part, ink = game.ink(f"{color} {size}")
        stand(sight.canvas, ink, folded_pyramid(part, size, x, y, rng.uniform(0, 90)))
        laid.append((f"{color} {size}", x, y))
    return _pyramids_compared(sight.picture(), laid, mat)


def _pyramids_compared(picture: Picture, laid: _Pieces, mat: Mat) -> Compared:
    read = recognize(picture, "pyramids", mat).truth()["stacks"]
    found = [
        (" under ".join(f"{piece['color']} {piece['size']}" for piece in one["pieces"]), one["x"], one["y"])
        for one in read
    ]
    return _compared(picture, laid, found)


def _compared(picture: Picture, laid: _Pieces, found: _Pieces, near_mm: float = _NEAR_MM) -> Compared:
    wrong = []
    for name, x, y in laid:
        near = [other for other, u, v in found if math.hypot(u - x, v - y) < near_mm]
        if near != [name]:
            wrong.append(f"{name} read as {', '.join(near) or 'nothing'}")
    return Compared(picture, tuple(wrong), len(laid))


READINGS: Mapping[str, Callable[[int], Compared]] = {
    "tiles": tiles_read,
    "cards": cards_read,
    "laid-cards": laid_cards_read,
    "dice": dice_read,
    "pawns": pawns_read,
    "pyramids": pyramids_read,
    "escape": escape_read,
    "regenbogen": grid_read,
    "board-pyramids": board_pyramids_read,
    "paper-stacks": stacks_read,
    "mats": mats_read,
}
"""The comparisons by kind of printed piece."""
