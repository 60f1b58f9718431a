"""Retouched pictures tell the truth about what they show."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.pieces import PYRAMID_COLORS
from vision.readers.pyramids.training.drawn.plastic import measured_dyes
from vision.readers.pyramids.training.retouch import Retouch

RED, BLACK, WHITE = (PYRAMID_COLORS.index(name) for name in ("red", "black", "white"))
GROUND = np.array([0.3, 0.4, 0.5])


@pytest.fixture(scope="module")
def retouch() -> Retouch:
    return Retouch(1, 1)


def light_of(reflectance: np.ndarray) -> np.ndarray:
    return np.log(reflectance + 0.02) + 1.5


def piece_on_table(color: int) -> tuple[np.ndarray, np.ndarray]:
    own, share = measured_dyes()
    seen = np.full((40, 40), -1, np.int16)
    seen[10:30, 10:30] = 0
    shown = np.where((seen < 0)[..., None], GROUND, own[color] + share[color] * GROUND)
    wide = shown.repeat(2, 0).repeat(2, 1).transpose(2, 0, 1).astype(np.float32)
    return light_of(wide).astype(np.float32), seen


def test_a_translucent_piece_takes_on_color_and_table(retouch: Retouch) -> None:
    own, share = measured_dyes()
    random, light, now = np.random.default_rng(2), *piece_on_table(RED)
    empty = light_of(np.tile(GROUND[:, None, None], (1, 80, 80))).astype(np.float32)
    repainted = 0
    for _ in range(40):
        new, bare, (color,) = retouch(light, empty, now, [RED], random)
        repainted += color != RED
        table = np.exp(np.median(new[:, :16, :].reshape(3, -1), axis=1) - 1.5) - 0.02
        piece = np.exp(np.median(new[:, 24:56, 24:56].reshape(3, -1), axis=1) - 1.5) - 0.02
        assert bare is not None
        assert bare[:, :16, :] == pytest.approx(new[:, :16, :], abs=1e-3)  # the empty table takes on the new one too
        limit = 3.0 * (own[RED] + share[RED] * GROUND)
        assert piece == pytest.approx(np.minimum(own[color] + share[color] * table, limit), rel=0.35, abs=0.02)
    assert repainted > 3


def test_nothing_of_the_old_cloth_is_left_where_it_is_known(retouch: Retouch) -> None:
    own, share = measured_dyes()
    stripes = np.where(np.arange(80) // 8 % 2, 0.2, 0.6)[None, :, None] * np.ones((80, 80, 3))
    seen = np.full((40, 40), -1, np.int16)
    seen[10:30, 10:30] = 0
    shown = np.where((seen < 0).repeat(2, 0).repeat(2, 1)[..., None], stripes, own[RED] + share[RED] * stripes)
    light, empty = (light_of(one.transpose(2, 0, 1)).astype(np.float32) for one in (shown, stripes))
    random, exchanged = np.random.default_rng(4), 0
    for _ in range(30):
        new, bare, _ = retouch(light, empty, seen, [RED], random)
        assert bare is not None
        if np.allclose(bare, empty, atol=0.01):
            continue
        exchanged += 1
        # Stripes would make even columns of eight pixels differ by a factor of three.
        columns = np.exp(bare[:, :16].mean(axis=(0, 1)) - 1.5).reshape(10, 8)[:, 2:6].mean(axis=1)
        assert columns.max() < 2 * columns.min()
        inside = np.exp(new[:, 26:54, 24:56].mean(axis=(0, 1)) - 1.5).reshape(4, 8)[:, 2:6].mean(axis=1)
        assert inside.max() < 2 * inside.min()
    assert exchanged > 5


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_opaque_pieces_stay_as_they_are(retouch: Retouch, color: int) -> None:
    random, (light, seen) = np.random.default_rng(3), piece_on_table(color)
    for _ in range(20):
        new, _, now = retouch(light, None, seen, [color], random)
        assert now == [color]
        assert new[:, 24:56, 24:56] == pytest.approx(light[:, 24:56, 24:56], abs=1e-3)


def test_what_shows_no_table_is_left_alone(retouch: Retouch) -> None:
    light = np.zeros((3, 20, 20), np.float32)
    new, _, now = retouch(light, None, np.zeros((10, 10), np.int16), [RED], np.random.default_rng(1))
    assert now == [RED]
    assert (new == light).all()
