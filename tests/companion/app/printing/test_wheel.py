"""The printed wheel is at true size and tells its paths by more than color."""

from __future__ import annotations

import math
import re
import zlib
from base64 import a85decode

import pytest

from companion.app.printing.mat_pdf import BORDER_MM, mat_pdf
from companion.app.printing.wheel import INKS, letters
from companion.core.pieces import WHEEL
from companion.core.plan import PAPERS_MM
from companion.games.spectrum.plan import BOARD, MAT, plan

WHITE = [[True]]
POINT_MM = 25.4 / 72


def whole_page() -> str:
    """The drawing of the first sheet; every sheet holds all of it and shows its own part."""
    pdf = mat_pdf(plan(2), "Spectrum board", "a3", lambda _: WHITE)
    stream = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.S)[0]
    return zlib.decompress(a85decode(stream.strip().removesuffix(b"~>"))).decode("latin-1")


def test_brd_1_paths_follow_each_other_clockwise_in_their_colors() -> None:
    page = whole_page()
    fills = [tuple(map(float, ink.split())) for ink in re.findall(r"([\d. ]+) rg\nn\n", page)]
    wanted = [tuple(round(part, 6) for part in INKS[color]) for color in WHEEL]
    assert [fill for fill in fills if fill in wanted] == wanted


def test_paths_are_told_by_name_and_letters_too() -> None:
    page = whole_page()
    for color in WHEEL:
        assert f"{color} \\({letters(color)}\\)" in page
        assert f"({letters(color)}1)" in page and f"({letters(color)}8)" in page
    assert len({letters(color) for color in WHEEL}) == 12


def test_brd_2_the_wheel_is_480_mm_across_with_nine_equal_rings() -> None:
    page = whole_page()
    assert BOARD.center_mm is not None
    starts = re.findall(r"n\n([-\d.]+) ([-\d.]+) m\n[-\d. ]+ c\n[-\d. ]+ c\n[-\d. ]+ c\n[-\d. ]+ c", page)
    middle_x = (BOARD.center_mm[0] + BORDER_MM) / POINT_MM
    middle_y = -(BOARD.center_mm[1] + BORDER_MM) / POINT_MM
    radii = {round((float(x) - middle_x) * POINT_MM, 1) for x, y in starts if abs(float(y) - middle_y) < 0.01}
    rings = {round(240 - k * 210 / 9, 1) for k in range(9)}
    assert rings | {30.0} <= radii


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_wheel_leaves_the_markers_alone(paper: str) -> None:
    assert BOARD.center_mm is not None and BOARD.radius_mm is not None
    reach = BOARD.radius_mm + 20
    for corner in MAT.corners_mm():
        assert math.dist(corner, BOARD.center_mm) > reach + MAT.marker_mm
    assert mat_pdf(plan(6), "Spectrum board", paper, lambda _: WHITE).startswith(b"%PDF")
