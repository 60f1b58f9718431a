"""Beside an empty table only what differs is looked at, and the answers are where they would be."""

from __future__ import annotations

import numpy as np

from vision.readers.pyramids.cells import COLORS, Answers, answers_of
from vision.readers.pyramids.sheet import CHANNELS, KNOWN, LIGHT, RATIO, STRIDE

HEIGHT, WIDTH = 320, 480


class Net:
    """Says plastic everywhere and points at what it sees, and remembers how much it was shown."""

    def __init__(self) -> None:
        self.shown = 0

    def __call__(self, inputs: np.ndarray) -> Answers:
        height, width = inputs.shape[1:]
        self.shown += height * width
        assert height % 16 == width % 16 == 0
        ys, xs = np.mgrid[0:height:STRIDE, 0:width:STRIDE].astype(np.float32)
        colors = np.broadcast_to(inputs[0, ::STRIDE, ::STRIDE], (COLORS, *xs.shape))
        return Answers(np.full(xs.shape, 3.0, np.float32), colors, np.stack([xs, ys]))


def sheet(*boxes: tuple[int, int, int, int], known: bool = True) -> np.ndarray:
    """Inputs of which boxes (top, bottom, left, right) differ from the empty table."""
    seen = np.zeros((CHANNELS, HEIGHT, WIDTH), np.float32)
    seen[KNOWN] = known
    for top, bottom, left, right in boxes:
        seen[RATIO, top:bottom, left:right] = -1.0
        seen[LIGHT, top:bottom, left:right] = -1.0
    return seen


def test_without_an_empty_table_all_is_looked_at() -> None:
    net = Net()
    answers = answers_of(net, sheet((100, 140, 200, 230), known=False))
    assert net.shown == HEIGHT * WIDTH
    assert (answers.plastic > 0).all()
    assert answers.fine is None


def test_only_parts_that_differ_are_looked_at() -> None:
    net = Net()
    answers = answers_of(net, sheet((100, 140, 60, 90), (200, 230, 380, 420)))
    assert 0 < net.shown < 0.6 * HEIGHT * WIDTH
    for row, column in ((120, 74), (214, 400)):
        cell = np.s_[..., row // STRIDE, column // STRIDE]
        assert answers.plastic[cell] > 0
        assert tuple(answers.place_px[cell]) == (column, row)
        assert answers.colors[cell][0] == -1.0
    assert (answers.plastic[:, 150:170] < -5).all()
    assert answers.fine is not None
    assert (answers.fine > 0).sum() < 2 * (40 * 30 + 30 * 40)


def test_where_something_differs_everywhere_all_is_looked_at_in_one_go() -> None:
    net = Net()
    answers_of(net, sheet(*((10, 300, left, left + 30) for left in range(10, 440, 90))))
    assert net.shown == HEIGHT * WIDTH


def test_a_free_table_is_not_looked_at() -> None:
    net = Net()
    answers = answers_of(net, sheet())
    assert net.shown == 0
    assert (answers.plastic < -5).all()


class Blind(Net):
    """Says that all is bare."""

    def __call__(self, inputs: np.ndarray) -> Answers:
        answers = super().__call__(inputs)
        return Answers(np.full_like(answers.plastic, -3.0), answers.colors, answers.place_px)


def test_what_is_brighter_than_the_empty_table_is_plastic_whatever_the_net_says() -> None:
    seen = sheet((100, 140, 60, 90), (200, 230, 380, 420))
    seen[RATIO.start, 100:140, 60:90] = 0.6
    answers = answers_of(Blind(), seen)
    assert answers.fine is not None
    assert (answers.plastic[52:68, 32:43] > 0).all(), "more blue light than from the cloth"
    assert (answers.fine[104:136, 64:86] > 0).all()
    assert (answers.plastic[100:115, 190:210] < 0).all(), "a shadow may be as dark as plastic"


def test_a_patch_of_light_that_is_larger_than_any_tower_is_no_plastic() -> None:
    seen = sheet()
    seen[RATIO, 100:220, 200:330] = 0.6
    answers = answers_of(Blind(), seen)
    assert answers.fine is not None
    assert (answers.plastic < 0).all()
    assert (answers.fine < 0).all()
