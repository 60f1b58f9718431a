"""The printed parts of each game, and the PDF with all of them: first its mat with markers, then the parts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from io import BytesIO

from msgspec import Struct
from reportlab.pdfgen.canvas import Canvas

from companion.app.printing.counters import pawn_run, stone_run, track_run
from companion.app.printing.deck import deck_run
from companion.app.printing.dice_nets import dice_run
from companion.app.printing.mat_pdf import PLACES, QUIET_MM, Pattern, draw_mat
from companion.app.printing.pen import BLACK, PLAIN, Pen, against
from companion.app.printing.pyramid_nets import pyramid_run
from companion.app.printing.sheets import Part, Run, draw_sheets, lay_out
from companion.app.printing.tiles import draw_board, tile_run
from companion.app.printing.wheel import INKS, letters
from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.words import Words
from companion.core.pieces import PYRAMID_SIZES, WHEEL, PyramidSize
from companion.core.plan import Plan, Point
from companion.games import GAMES, MANIFESTS, PLANS
from companion.games.roll_and_color.sheet import ROWS, SheetRow

SIZE_MM: Point = (180.0, 240.0)
_ROW_MM, _NAME_MM, _CELL_MM = 8.4, 48.0, 20.0
_TOP_MM = 24.0


def sheet_run(players: int) -> Run:
    """Returns a sheet for each player."""
    part = Part("sheet", SIZE_MM, _draw)
    return Run(
        "One sheet a player: cross the cell that a roll fills, and write its points at the right.", (part,) * players
    )


def _draw(pen: Pen) -> None:
    pen.text("Roll & Color", (4.0, 7.0), 5.0, side="left")
    pen.said("Name:", (100.0, 7.5), 3.0, side="left", font=PLAIN)
    pen.line((114.0, 10.0), (SIZE_MM[0] - 4, 10.0), BLACK, 0.2)
    pen.said("24 rounds: roll nine dice, then again 4, 3, 2, and 5 or more.", (4.0, 15.5), 2.4, side="left", font=PLAIN)
    group = ""
    top = _TOP_MM - 4.5
    for row in ROWS:
        if row.kind != group:
            group = row.kind
            top += 1.2
        _row(pen, row, top)
        top += _ROW_MM
    pen.said("Total", (_NAME_MM + 6 * _CELL_MM - 2, top + 6.0), 3.6, side="right")
    pen.rectangle((_NAME_MM + 6 * _CELL_MM, top + 1.0), (12.0, 9.0), line=BLACK, width_mm=0.5)


def _row(pen: Pen, row: SheetRow, top: float) -> None:
    high = _ROW_MM - 0.8
    if row.color is not None:
        ink = INKS[WHEEL[row.color]]
        pen.rectangle((2.0, top), (_NAME_MM - 3.0, high), fill=ink)
        pen.text(letters(WHEEL[row.color]), (4.0, top + high / 2), 3.0, side="left", ink=against(ink))
        pen.said(row.name, (13.0, top + high / 2), 2.6, side="left", ink=against(ink), widest_mm=_NAME_MM - 16)
    else:
        pen.said(row.name.capitalize(), (4.0, top + high / 2), 2.6, side="left", widest_mm=_NAME_MM - 7)
    for cell, (condition, points) in enumerate(zip(row.cells, row.points, strict=True)):
        at = (_NAME_MM + cell * _CELL_MM, top)
        if points:
            pen.rectangle(at, (_CELL_MM - 1.0, high), line=BLACK, width_mm=0.25)
            pen.text(condition, (at[0] + 1.5, top + high / 2), 2.4, side="left", font=PLAIN)
            pen.text(str(points), (at[0] + _CELL_MM - 2.5, top + high / 2), 3.2, side="right")
        else:
            pen.rectangle(at, (_CELL_MM - 1.0, high), fill=(0.85, 0.85, 0.85))
    pen.rectangle((_NAME_MM + 6 * _CELL_MM, top), (12.0, high), line=BLACK, width_mm=0.4)


_SIX = ("red", "orange", "yellow", "green", "blue", "purple")


class Kit(Struct, frozen=True):
    """The parts that are printed under one name."""

    title: str
    plan: Plan | None
    """The plan of the mat; None: the game needs none."""
    runs: tuple[Run, ...]


def _spectra() -> tuple[Run, ...]:
    """Returns the 102 pieces (SPA-1)."""
    counts = {**dict.fromkeys(_SIX, 5), "black": 2, "white": 2}
    return (pyramid_run((color, size, count) for size in PYRAMID_SIZES for color, count in counts.items()),)


def _ice_stalks() -> tuple[Run, ...]:
    """Returns the 105 pieces and 35 rocks (ICE-2)."""
    colors = (*_SIX[:4], "cyan", *_SIX[4:])
    return pyramid_run((color, size, 5) for size in PYRAMID_SIZES for color in colors), stone_run(5)


def _regenbogen() -> tuple[Run, ...]:
    """Returns all pieces of both sides (RGB-4)."""
    colored: dict[str, tuple[int, int, int]] = {**dict.fromkeys(_SIX, (2, 8, 30)), "clear": (2, 4, 20)}
    opaque: dict[str, tuple[int, int, int]] = {"white": (1, 11, 31), "black": (1, 11, 31)}
    pieces: list[tuple[str, PyramidSize, int]] = [
        (color, size, count)
        for color, counts in {**colored, **opaque}.items()
        for size, count in zip(PYRAMID_SIZES, counts, strict=True)
    ]
    return (pyramid_run(pieces),)


_PARTS: Mapping[str, Callable[[int], tuple[Run, ...]]] = {
    "spectrangle": lambda seats: (tile_run(), track_run(119, 2 * seats)),
    "spectra": lambda seats: _spectra(),
    "ice-stalks": lambda seats: _ice_stalks(),
    "regenbogen": lambda seats: _regenbogen(),
    "spectrum": lambda seats: (pawn_run(10), dice_run(4, 5)),
    "escape": lambda seats: (pawn_run(10), dice_run(4, 5)),
    "roll-and-color": lambda seats: (sheet_run(seats), dice_run(4, 5)),
    "cribbage": lambda seats: (deck_run(), track_run(121, 2 * seats)),
}
"""The parts of each game, for a number of players."""

_DECK_ALONE = ("solitaire", "casino", "spectrumo", "spectrump", "five-hundred", "poker")
"""The games that need only the deck."""

_MARKER_MM = 40.0


def marker_run(pattern: Pattern) -> Run:
    """Returns the four markers of a mat without the mat, each with its white border."""
    side_mm = _MARKER_MM + 2 * QUIET_MM

    def part(number: int) -> Part:
        def draw(pen: Pen) -> None:
            cells = pattern(number)
            cell_mm = _MARKER_MM / len(cells)
            for row, line in enumerate(cells):
                for column, white in enumerate(line):
                    if not white:
                        at = QUIET_MM + column * cell_mm, QUIET_MM + row * cell_mm
                        pen.rectangle(at, (cell_mm + 0.05, cell_mm + 0.05), fill=BLACK)
            pen.said(f"Marker {number}: {PLACES[number]}", (side_mm / 2, side_mm + 3.5), 2.2)

        return Part(
            f"marker {number}",
            (side_mm, side_mm + 7.0),
            draw,
            outline_mm=((0.0, 0.0), (side_mm, 0.0), (side_mm, side_mm), (0.0, side_mm)),
        )

    return Run(
        "Cut out the four markers with their white and lay them at the corners of the play area.",
        tuple(part(number) for number in range(4)),
        10.0,
    )


OTHER_KITS = ("deck", "markers")
"""The printed kits that are not games: the cards alone, and the four markers."""


def kit_of(name: str, seats: int, pattern: Pattern) -> Kit:
    """Returns the printed parts of a game for a number of players.

    Args:
        pattern: Returns the cells of a marker.

    Raises:
        WrongUsage: There is no kit of that name, or none for this number of players.
    """
    if name == "deck":
        return Kit("Spectrum deck", None, (deck_run(),))
    if name == "markers":
        return Kit("Markers", None, (marker_run(pattern),))
    if name not in MANIFESTS:
        raise WrongUsage(f'There is nothing to print for "{name}". Choose one of: {", ".join((*GAMES, *OTHER_KITS))}.')
    game = GAMES[name]
    if seats not in game.seats:
        raise WrongUsage(f"{game.title} has {game.seats.start} to {game.seats.stop - 1} players, not {seats}.")
    printed = MANIFESTS[name].printed
    plan = printed[1] if printed is not None else PLANS[name](seats) if name in PLANS else None
    parts = (deck_run(),) if name in _DECK_ALONE else _PARTS[name](seats) if name in _PARTS else ()
    if plan is None and not parts:
        raise WrongUsage(f"{game.title} comes from another package and has nothing to print here.")
    return Kit(game.title, plan, parts)


def kit_pdf(kit: Kit, paper: str, pattern: Pattern, words: Words = str) -> bytes:
    """Returns the PDF of a kit: its mat, then its parts."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setTitle(kit.title)
    if kit.plan is not None:
        draw_mat(canvas, kit.plan, kit.title, paper, pattern, words, draw_board)
    draw_sheets(canvas, lay_out(kit.runs, paper), kit.title, words)
    canvas.save()
    return out.getvalue()


_PRINTING = threading.Lock()


def print_kit(name: str, seats: int, paper: str, words: Words = str) -> bytes:
    """Returns all flat parts of a game as PDF. One PDF is made at a time, and the last ones are cached.

    Raises:
        WrongUsage: There is no kit of that name, or none for this number of players.
    """
    with _PRINTING:
        return _printed_kit(name, seats, paper, words)


@lru_cache(maxsize=16)
def _printed_kit(name: str, seats: int, paper: str, words: Words) -> bytes:
    from vision.registration.markers import marker_cells

    return kit_pdf(kit_of(name, seats, marker_cells), paper, marker_cells, words)
