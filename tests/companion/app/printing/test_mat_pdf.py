"""The printed mat is at true size: what a marker reader sees in the PDF lies where the plan says."""

from __future__ import annotations

import re
import zlib
from base64 import a85decode
from itertools import pairwise

import pytest

from companion.app.commands.mat import MATS
from companion.app.printing.mat_pdf import BORDER_MM, PLACES, QUIET_MM, WORDS_MM, cuts, mat_pdf, uncut
from companion.core.plan import PAPERS_MM, Plan
from companion.games import GAMES, PLANS
from companion.games.spectrangle.manifest import MAT, plan
from web.language.catalog import CATALOGS

CHECKERED = [[(row + column) % 2 == 0 for column in range(6)] for row in range(6)]
POINT_MM = 25.4 / 72


def pages(pdf: bytes) -> list[str]:
    streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.S)
    return [zlib.decompress(a85decode(s.strip().removesuffix(b"~>"))).decode("latin-1") for s in streams]


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_sheets_cover_the_whole_mat(paper: str) -> None:
    pdf = mat_pdf(plan(4), "Spectrangle", paper, lambda _: CHECKERED)
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert box is not None
    width_mm, height_mm = (float(side) * POINT_MM - 20 for side in box.groups())
    sheets = pdf.count(b"/Type /Page\n")
    assert sheets * width_mm * height_mm >= (MAT.width_mm + 2 * BORDER_MM) * (MAT.height_mm + 2 * BORDER_MM)


EVERY_MAT: dict[str, Plan] = {
    **dict(MATS.values()),
    **{f"{name} {seats}": PLANS[name](seats) for name in PLANS for seats in GAMES[name].seats},
}


@pytest.mark.parametrize("paper", PAPERS_MM)
@pytest.mark.parametrize("name", EVERY_MAT)
def test_no_marker_is_cut_and_sheets_cover_every_mat(name: str, paper: str) -> None:
    mat = EVERY_MAT[name].mat
    for side, whole in zip((mat.width_mm, mat.height_mm), uncut(mat), strict=True):
        for usable in (length - 20 for length in PAPERS_MM[paper]):
            ends = cuts(side + 2 * BORDER_MM, usable, whole)
            assert ends[0] == 0 and ends[-1] == side + 2 * BORDER_MM
            assert all(0 < high - low <= usable + 1e-6 for low, high in pairwise(ends))
            assert not any(low < end < high for end in ends for low, high in whole)


def test_a_marker_has_its_number_beside_it_and_outside_its_white() -> None:
    mat = MAT
    texts = {
        text: (float(x) * POINT_MM, -float(y) * POINT_MM)
        for x, y, text in re.findall(
            r"1 0 0 1 ([-\d.]+) ([-\d.]+) Tm \(([^)]*)\) Tj", pages(mat_pdf(plan(2), "", "a3", lambda _: CHECKERED))[0]
        )
    }
    for number, (place, (x, y)) in enumerate(zip(PLACES, mat.corners_mm(), strict=True)):
        left, line = texts[f"Marker {number}: {place}"]
        patch = mat.marker_mm / 2 + QUIET_MM
        assert x + BORDER_MM - patch < left < x + BORDER_MM
        assert patch < abs(line - (y + BORDER_MM)) < patch + WORDS_MM


def test_a_marker_is_as_large_as_the_plan_says() -> None:
    pdf = mat_pdf(plan(2), "Spectrangle", "a3", lambda _: [[False]])
    squares = {
        round(float(width) * POINT_MM, 1)
        for page in pages(pdf)
        for width, height in re.findall(r"[-\d.]+ [-\d.]+ ([\d.]+) (-?[\d.]+) re f", page)
        if abs(float(width) - abs(float(height))) < 0.01
    }
    assert squares == {round(MAT.marker_mm + 0.1, 1)}


def test_the_check_line_measures_50_mm() -> None:
    for page in pages(mat_pdf(plan(2), "Spectrangle", "a4", lambda _: CHECKERED)):
        x0, y0, x1, y1 = map(float, re.findall(r"([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", page)[0])
        assert y0 == y1
        assert (x1 - x0) * POINT_MM == pytest.approx(50, abs=0.05)


def test_the_same_plan_gives_the_same_bytes() -> None:
    one, other = (mat_pdf(plan(3), "Spectrangle", "letter", lambda _: CHECKERED) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(("tag", "words"), [("en", "Marker 0: top left"), ("de", "Marke 0: oben links")])
def test_words_on_paper_are_in_the_language_asked_for(tag: str, words: str) -> None:
    pdf = mat_pdf(plan(2), "Spectrangle", "a3", lambda number: CHECKERED, CATALOGS[tag].translate)
    assert any(f"({words})" in page for page in pages(pdf))
