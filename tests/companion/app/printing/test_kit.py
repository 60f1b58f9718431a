"""A printed game is complete, at true size, with cut lines and with backs behind their faces."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from companion.app.printing.deck import CARD_MM
from companion.app.printing.kit import OTHER_KITS, kit_of, kit_pdf
from companion.app.printing.pen import against
from companion.app.printing.pyramid_nets import PYRAMID_INKS
from companion.app.printing.sheets import CUT, FOOT_MM, HEAD_MM, SIDE_MM, lay_out
from companion.app.printing.tiles import TILE_INKS
from companion.app.printing.wheel import INKS, letters
from companion.core.pieces import SHAPES, TILES, WHEEL
from companion.core.plan import PAPERS_MM
from companion.games import GAMES
from companion.games.shared.cards.deck import CARDS_IN_ALL
from simulation.printed.paper import contents, outlines, sizes_mm
from tests.companion.app.commands.running import run
from vision.registration.markers import marker_cells
from web.language.catalog import CATALOGS

EVERYTHING = (*GAMES, *OTHER_KITS)


@cache
def pdf_of(name: str, paper: str = "a4") -> bytes:
    return kit_pdf(kit_of(name, GAMES[name].seats[0] if name in GAMES else 2, marker_cells), paper, marker_cells)


def cut_lines(name: str, page: int) -> list[list[float]]:
    """The lengths of the sides of every part on a page."""
    return [
        [float(side) for side in np.linalg.norm(np.diff(one.points_mm, axis=0), axis=1)]
        for one in outlines(pdf_of(name), page)
        if one.ink == pytest.approx(CUT)
    ]


@pytest.mark.parametrize("paper", PAPERS_MM)
@pytest.mark.parametrize("name", EVERYTHING)
def test_all_parts_lie_within_what_a_printer_prints(name: str, paper: str) -> None:
    kit = kit_of(name, GAMES[name].seats[0] if name in GAMES else 2, marker_cells)
    laid = Counter(part.name for sheet in lay_out(kit.runs, paper) if not sheet.backs for part, _ in sheet.placed)
    assert laid == Counter(part.name for run in kit.runs for part in run.parts)
    for sheet in lay_out(kit.runs, paper):
        assert sorted(sheet.size_mm) == sorted(PAPERS_MM[paper])
        for part, (x, y) in sheet.placed:
            (w, h), (width, height) = part.size_mm, sheet.size_mm
            assert x >= SIDE_MM - 1e-6 and x + w <= width - SIDE_MM + 1e-6, part.name
            assert y >= HEAD_MM - 1e-6 and y + h <= height - FOOT_MM + 1e-6, part.name


def test_spectrangle_has_36_tiles_of_50_mm() -> None:
    sides = [lengths for page in (6, 7) for lengths in cut_lines("spectrangle", page)]
    assert len(sides) == len(TILES) == 36
    assert all(length == pytest.approx(50, abs=0.05) for lengths in sides for length in lengths)


def test_dek_1_the_deck_has_168_cards_of_63_by_88_mm() -> None:
    sides = [lengths for page in range(0, 38, 2) for lengths in cut_lines("deck", page)]
    assert len(sides) == CARDS_IN_ALL == 168
    assert all(sorted(lengths) == pytest.approx([63, 63, 88, 88], abs=0.05) for lengths in sides)


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_each_back_is_printed_behind_its_face(paper: str) -> None:
    sheets = lay_out(kit_of("deck", 2, marker_cells).runs, paper)
    faces, backs = sheets[0::2], sheets[1::2]
    assert len(faces) == len(backs) and not any(s.backs for s in faces) and all(s.backs for s in backs)
    for face, back in zip(faces, backs, strict=True):
        # A sheet that is turned over its long side: over its left or right edge if it stands upright.
        behind = {
            (round(back.size_mm[0] - x - CARD_MM[0], 3), round(y, 3))
            if back.size_mm[0] < back.size_mm[1]
            else (round(x, 3), round(back.size_mm[1] - y - CARD_MM[1], 3))
            for _, (x, y) in back.placed
        }
        assert behind == {(round(x, 3), round(y, 3)) for _, (x, y) in face.placed}


def test_pyramids_fold_to_their_true_size() -> None:
    kit = kit_of("spectra", 2, marker_cells)
    assert sum(len(run.parts) for run in kit.runs) == 102
    seen = set()
    for part in kit.runs[0].parts:
        size = part.name.split()[1]
        tip, *rim = part.outline_mm[:6]
        shape = SHAPES[size]
        for a, b in pairwise(rim):
            assert math.dist(a, b) == pytest.approx(shape.base_mm, abs=0.01)
        edge = math.dist(tip, rim[0])
        assert math.sqrt(edge**2 - shape.base_mm**2 / 2) == pytest.approx(shape.height_mm, abs=0.01)
        seen.add(size)
    assert seen == set(SHAPES)


@pytest.mark.parametrize("name", EVERYTHING)
def test_every_page_has_a_line_of_50_mm(name: str) -> None:
    pdf = pdf_of(name)
    for page in {0, len(sizes_mm(pdf)) - 1}:
        lines = [one.points_mm for one in outlines(pdf, page) if len(one.points_mm) == 2]
        low = [line for line in lines if line[0, 1] == line[1, 1] > sizes_mm(pdf)[page][1] - 6]
        assert any(abs(line[1, 0] - line[0, 0]) == pytest.approx(50, abs=0.02) for line in low)


def test_colors_are_told_by_letters_that_stand_out_in_gray() -> None:
    assert len({letters(color) for color in WHEEL}) == 12
    for ink in (*INKS.values(), *TILE_INKS.values(), *PYRAMID_INKS.values()):
        gray, mark = (0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (ink, against(ink)))
        assert abs(gray - mark) > 0.35


def test_sheets_speak_the_language_asked_for() -> None:
    kit = kit_of("roll-and-color", 1, marker_cells)
    german = kit_pdf(kit, "a4", marker_cells, CATALOGS["de"].translate)
    pages = b"".join(contents(german))
    assert b"rotorange" in pages and b"red-orange" not in pages


def test_the_same_kit_gives_the_same_bytes() -> None:
    one, other = (kit_pdf(kit_of("cribbage", 2, marker_cells), "letter", marker_cells) for _ in range(2))
    assert one == other


def test_the_command_writes_a_pdf_or_says_why_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deck.pdf"
    status, out, _ = run(capsys, "print", "deck", "--paper", "letter", "-o", str(path))
    assert status == 0 and "Print at 100 %" in out
    assert path.read_bytes().startswith(b"%PDF-")
    for wrong in (["chess"], ["spectra", "--seats", "9"], ["spectra", "--paper", "a9"]):
        status, _, sentence = run(capsys, "print", *wrong, "-o", str(path))
        assert status == 2 and sentence
