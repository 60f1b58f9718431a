"""A whole photograph is read, and the next one with less work."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from companion.core.plan import Mat
from vision.image.picture import read_picture
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.presence import without_doubles
from vision.readers.pyramids.reader import ReaderMemory, like_a_mark, read
from vision.readers.pyramids.scene import FoundPieces, PyramidScene
from vision.registration.registered_image import RegisteredImage, find_table

DATA = Path(__file__).parents[3] / "data" / "pyramids"
CALIBRATION = DATA.parent / "calibration"
STALKS = (
    (461.2, 165.0, ("blue large", "blue medium", "purple small")),
    (167.9, 182.0, ("yellow large", "yellow medium")),
    (133.1, 88.3, ("green large",)),
    (384.3, 197.3, ("cyan large", "cyan medium")),
    (428.5, 221.0, ("green large", "green medium", "cyan small")),
)
"""Places in millimeters and pieces from the lowest up, as the picture was made."""


@pytest.fixture(scope="module")
def table() -> RegisteredImage:
    return find_table(read_picture(DATA / "stalks-oak.jpg"), Mat(600, 400, 40))


@pytest.fixture(scope="module")
def memory(table: RegisteredImage) -> ReaderMemory:
    return read(table.picture, table.pose, table.light, table.mat)


def test_every_stalk_is_found_where_it_stands(memory: ReaderMemory) -> None:
    assert len(memory.scene.found) == len(STALKS)
    assert memory.scene.lying == ()
    for x, y, _ in STALKS:
        assert min(np.hypot(s.place.x_mm - x, s.place.y_mm - y) for s in memory.scene.stacks) < 4


def test_every_level_is_named(memory: ReaderMemory) -> None:
    for x, y, names in STALKS:
        stack = min(memory.scene.stacks, key=lambda s: np.hypot(s.place.x_mm - x, s.place.y_mm - y))
        assert [level.piece for level in stack.levels] == [Pyramid(*name.split()) for name in names]


def test_a_reading_has_runners_up_whose_probabilities_fall(memory: ReaderMemory) -> None:
    for stack in memory.scene.stacks:
        for level in stack.levels:
            shares = [candidate.probability for candidate in level.candidates]
            assert len(shares) > 1
            assert sum(shares) <= 1 + 1e-6
            assert all(0 <= share <= 1 for share in shares)


def test_an_unchanged_picture_keeps_what_was_read(table: RegisteredImage, memory: ReaderMemory) -> None:
    again = read(table.picture, table.pose, table.light, table.mat, previous=memory)
    assert {f.place for f in again.scene.found} == {f.place for f in memory.scene.found}


def test_a_piece_that_was_taken_away_is_gone_and_the_others_stay(table: RegisteredImage, memory: ReaderMemory) -> None:
    taken = memory.scene.found[0]
    x0, y0, x1, y1 = taken.box
    width = x1 - x0 + 60
    picture = table.picture.copy()
    left = x0 - 30
    # Bare table from beside it is copied over the piece and its shadow.
    source = left - width if left - width > 0 else left + width
    picture[y0 - 20 : y1 + 20, left : left + width] = picture[y0 - 20 : y1 + 20, source : source + width]
    after = read(picture, table.pose, table.light, table.mat, previous=memory)
    assert taken.place not in {f.place for f in after.scene.found}


def test_the_answer_has_the_words_of_the_labeled_set(memory: ReaderMemory) -> None:
    truth = memory.scene.truth()
    assert set(truth) == {"stacks", "lying"}
    assert set(truth["stacks"][0]) == {"x", "y", "pieces", "confidence"}
    assert set(truth["stacks"][0]["pieces"][0]) == {"color", "size", "confidence"}


@pytest.mark.parametrize("cloth", ["marble", "stripes"])
def test_nothing_is_invented_on_an_empty_table_that_nobody_has_shown(cloth: str) -> None:
    bare = find_table(read_picture(CALIBRATION / f"{cloth}-empty.jpg"), Mat(600, 400, 40))
    assert read(bare.picture, bare.pose, bare.light, bare.mat).scene.found == ()


def one_piece(color: str, confidence: float, sizes: tuple[str, ...] = ("medium",)) -> FoundPieces:
    color_logs = np.full((len(sizes), len(PYRAMID_COLORS)), -5.0)
    color_logs[:, PYRAMID_COLORS.index(color)] = 0
    outline = np.zeros((len(sizes), 5, 2))
    return FoundPieces(StackHypothesis(300, 200, 0, sizes), confidence, (), (), color_logs, outline, (0, 0, 1, 1))


@pytest.mark.parametrize("color", ["clear", "white"])
def test_one_pale_piece_must_be_surer_than_a_mark_of_the_table(color: str) -> None:
    assert like_a_mark(one_piece(color, 0.8))
    assert not like_a_mark(one_piece(color, 0.96))


def test_colored_pieces_and_stacks_are_no_marks_of_the_table() -> None:
    assert not like_a_mark(one_piece("blue", 0.6))
    assert not like_a_mark(one_piece("white", 0.6, ("large", "medium")))


@pytest.mark.parametrize(
    ("away_mm", "sizes", "both"), [(14, "large", False), (14, "small", True), (26, "large", True), (10, "small", False)]
)
def test_two_pieces_do_not_stand_in_the_same_spot(away_mm: float, sizes: str, both: bool) -> None:
    surer, ghost = one_piece("red", 0.9, (sizes,)), one_piece("clear", 0.6, (sizes,))
    ghost = msgspec.structs.replace(ghost, place=StackHypothesis(300 + away_mm, 200, 0, (sizes,)))
    assert without_doubles([ghost, surer]) == ([surer, ghost] if both else [surer])


def test_an_empty_scene_is_an_empty_answer() -> None:
    assert PyramidScene(()).truth() == {"stacks": [], "lying": []}
