"""What differs from an empty table is told from what its light does."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.calibration.difference import LIMIT, difference

HEIGHT, WIDTH = 160, 240
PIECE = np.s_[:, 60:100, 90:120]


@pytest.fixture
def empty() -> np.ndarray:
    """(3, H, W) a striped cloth."""
    stripes = np.where(np.arange(WIDTH) // 12 % 2, -0.8, 0.3)
    return np.broadcast_to(stripes, (3, HEIGHT, WIDTH)).astype(np.float32)


def test_nothing_differs_under_another_lamp(empty: np.ndarray) -> None:
    ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH] / 100.0
    lamp = np.stack([0.3 + 0.2 * xs, 0.1 * ys, -0.2 + 0.1 * xs * ys]).astype(np.float32)
    found = difference(empty + lamp, empty, np.ones((HEIGHT, WIDTH)))
    assert np.abs(found.ratio).max() < 0.03
    assert found.strength().max() < 0.03


def test_plastic_shows_as_what_it_lets_through_on_any_cloth(empty: np.ndarray) -> None:
    seen = empty + 0.4
    seen[PIECE] += np.array([-1.5, -0.9, -0.1])[:, None, None]
    found = difference(seen, empty, np.ones((HEIGHT, WIDTH)))
    assert found.ratio[PIECE].mean(axis=(1, 2)) == pytest.approx([-1.5, -0.9, -0.1], abs=0.03)
    strength = found.strength()
    assert strength[PIECE[1:]][3:-3, 3:-3].min() > 0.8
    assert np.delete(strength, np.s_[55:105], axis=0).max() < 0.05


def test_a_picture_that_lies_a_pixel_beside_differs_nowhere(empty: np.ndarray) -> None:
    found = difference(np.roll(empty, 1, axis=2), empty, np.ones((HEIGHT, WIDTH)))
    assert np.abs(found.ratio).max() > 1
    assert np.quantile(found.strength(), 0.99) < 0.1


def test_what_was_not_seen_empty_is_unknown(empty: np.ndarray) -> None:
    known = np.ones((HEIGHT, WIDTH))
    known[:, :60] = 0
    seen = empty.copy()
    seen[:, :, :60] = -9
    found = difference(seen, empty, known)
    assert not found.ratio[:, :, :60].any()
    assert np.abs(found.ratio).max() < min(LIMIT, 0.03)


def test_changed_is_where_something_stands_and_a_little_around_it(empty: np.ndarray) -> None:
    seen = empty.copy()
    seen[PIECE] -= 0.8
    changed = difference(seen, empty, np.ones((HEIGHT, WIDTH))).changed()
    assert changed.plain[PIECE[1:]][2:-2, 2:-2].all()
    assert changed.around[56:104, 86:124].sum() >= changed.plain.sum()
    assert not changed.around[:50].any()
    assert not changed.around[:, 140:].any()


def test_noise_of_dark_places_is_no_change() -> None:
    """Logarithms of a dark channel are five times as noisy as those of a light one; a weak change counts there."""
    random = np.random.default_rng(5)
    dark = (np.arange(WIDTH) // 12 % 2 > 0) & np.ones((HEIGHT, 1), bool)
    empty = np.where(dark, -1.8, 1.0).astype(np.float32)[None].repeat(3, axis=0)
    seen = empty + random.normal(0, 1, empty.shape).astype(np.float32) * np.where(dark, 0.25, 0.05)
    free = np.ones((HEIGHT, WIDTH), bool)
    free[PIECE[1:]] = False
    seen[PIECE] -= np.where(dark, 0.9, 0.3)[PIECE[1:]]
    changed = difference(seen.astype(np.float32), empty, np.ones((HEIGHT, WIDTH))).changed()
    assert changed.plain[PIECE[1:]][1:-1, 1:-1].mean() > 0.95
    assert changed.around[free].mean() < 0.05


def test_half_a_pixel_of_shift_at_the_edges_of_a_print_is_no_change() -> None:
    random = np.random.default_rng(6)
    rows = cv2.GaussianBlur(random.normal(0, 6, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 4)
    empty = np.clip(rows * 8, -1.5, 1.0)[None].repeat(3, axis=0).astype(np.float32)
    moved = (empty + np.roll(empty, 1, axis=2)) / 2
    changed = difference(moved, empty, np.ones((HEIGHT, WIDTH))).changed()
    assert changed.around[:, 2:].mean() < 0.05
