"""A picture in which nothing can be seen is told from one that is only dim."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.staged_table import empty
from vision.gate.watcher import is_dark


@pytest.mark.parametrize("share", [1.0, 0.5, 0.2])
def test_a_dim_table_can_be_seen(share: float) -> None:
    assert not is_dark((empty() * share).astype(np.uint8))


def test_a_cap_on_the_lens_leaves_noise_alone() -> None:
    noise = np.random.default_rng(2).normal(4, 4, empty().shape)
    assert is_dark(np.clip(noise, 0, 255).astype(np.uint8))


def test_a_lit_diode_in_a_dark_room_is_no_picture() -> None:
    dark = np.zeros_like(empty())
    dark[96:112, 96:112] = 255
    assert is_dark(dark)
