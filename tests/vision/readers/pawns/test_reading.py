"""Photographs of Spectrum boards: every pawn where it stands, on paths of its own color too, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from bench.pawns import names, truth
from companion.core.layout import Layout
from companion.core.pieces import Pawn
from companion.core.plan import PawnBoard, Plan
from tests.vision.readers.pawns.boards import MAT, NAMES, load, table_of
from vision.domains import domain_reader
from vision.readers.pawns.reader import place_wheel, read_board
from vision.readers.pawns.wheel import SPACES
from vision.readers.pawns.zones import PawnBoardEyes
from vision.table_reader import TableReader


@pytest.fixture(scope="module", params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def test_every_space_is_read(name: str) -> None:
    table = table_of(name)
    reading = read_board(table, place_wheel(table))
    want = truth(load(name)[1])
    assert names(reading.joint) == want
    assert names(reading.alone) == want
    for sighting in reading.joint:
        chances = [candidate.probability for candidate in sighting.candidates]
        assert chances == sorted(chances, reverse=True)
        assert 0 < sum(chances) <= 1 + 1e-6


def test_a_pawn_on_a_path_of_its_own_color_is_seen() -> None:
    same = 0
    for name in NAMES:
        table = table_of(name)
        seen = names(read_board(table, place_wheel(table)).joint)
        for space, want, have in zip(SPACES, truth(load(name)[1]), seen, strict=True):
            if want == space.color:
                assert have == want, f"{name} {space.spot}"
                same += 1
    assert same >= 6


def test_the_answer_is_in_the_words_of_the_picture_set() -> None:
    label = load(NAMES[0])[1]
    answer = domain_reader("spectrum")(table_of(NAMES[0]))
    said = answer.truth()
    wanted = {(pawn["color"], pawn["path"], pawn["space"]) for pawn in label["truth"]["pawns"]}
    assert {(pawn["color"], pawn["path"], pawn["space"]) for pawn in said["pawns"]} == wanted
    assert all(0 < pawn["confidence"] <= 1 for pawn in said["pawns"])
    assert 0 <= said["board"]["red_heading"] < 360 and 0.5 < said["board"]["confidence"] <= 1
    marks = answer.marks()
    assert marks[0].kind == "board"
    assert {mark.spot for mark in marks if mark.label} == {f"{path}.{space}" for _, path, space in wanted}


def test_a_plans_board_gives_a_cell_for_every_space() -> None:
    picture, label = load("spectrum-0034")
    reader = TableReader(Plan(MAT, (PawnBoard(),)))
    layouts: list[Layout] = [reader.read(picture).layout for _ in range(2)]
    for layout in layouts:
        assert set(layout.cells) == {space.spot for space in SPACES}
        for pawn in label["truth"]["pawns"]:
            assert layout.cells[f"{pawn['path']}.{pawn['space']}"].piece == Pawn(pawn["color"])
        assert not layout.heaps


def test_a_board_that_is_not_where_the_plan_says_is_found_all_the_same() -> None:
    wrong = PawnBoard(center_mm=(250.0, 310.0), radius_mm=240.0, red_heading_deg=20.0)
    cells, _ = PawnBoardEyes().read(table_of("spectrum-0013"), wrong)
    want = truth(load("spectrum-0013")[1])
    assert names([cells[space.spot].sighting for space in SPACES]) == want


def test_a_dim_and_tinted_picture_reads_the_same() -> None:
    picture, label = load("spectrum-0013")
    dim = np.clip(picture * (0.62, 0.7, 0.75), 0, 255).astype(np.uint8)
    table = table_of("spectrum-0013")
    faded = replace(
        table.light, offset=tuple(float(v) for v in table.light.offset + np.log(_linear((0.62, 0.7, 0.75))))
    )
    table = replace(table, picture=dim, light=faded)
    assert names(read_board(table, place_wheel(table)).joint) == truth(label)


def _linear(factors: tuple[float, float, float]) -> np.ndarray:
    """What a factor on levels means for linear light, about."""
    return np.array(factors) ** 2.2
