"""What tones are made of is fitted so that made-up tables are explained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.core.pieces import PYRAMID_COLORS
from vision.calibration.taught import KnownTone
from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.tones import FILE, KINDS, LONE, RIM, TOP, load_tones
from vision.readers.pyramids.training.tones import SeenLevel, ToneTable, fitted, keep_tones

COUNT = len(PYRAMID_COLORS)


def made_up(above: float, below: float, random: np.random.Generator) -> ToneTable:
    """A table on which levels shine into their neighbors."""
    own = random.normal(0, 0.5, (COUNT, 3)) + np.linspace(-1, 1, COUNT)[:, None]
    known = tuple(KnownTone(tuple(tone.tolist()), 20) for tone in own)
    levels = []
    for _ in range(400):
        kind = int(random.choice([RIM, TOP, LONE]))
        it, up, down = (int(k) for k in random.integers(0, COUNT, 3))
        up, down = up if kind == RIM else it, it if kind == LONE else down
        tone = own[it] + above * (own[up] - own[it]) + below * (own[down] - own[it])
        levels.append(SeenLevel(kind, (it, up, down), tone + random.normal(0, 0.05, 3)))
    return ToneTable("table", known, tuple(levels))


def test_what_shines_into_levels_is_found_again(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    tables = [made_up(0.1, 0.25, random) for _ in range(4)]
    model = fitted(tables)
    assert model.hue[RIM] == pytest.approx([1.0, 0.1, 0.25], abs=0.04)
    assert model.hue[TOP] == pytest.approx([1.0, 0.0, 0.25], abs=0.04)
    assert model.hue[LONE] == pytest.approx([1.0, 0.0, 0.0], abs=0.04)
    assert model.lightness[RIM] == pytest.approx([0.0, 1.0, 0.1, 0.25], abs=0.06)
    keep_tones(tables, tmp_path / FILE)
    again = load_tones(tmp_path / FILE)
    for one, other in zip(model, again, strict=True):
        assert one == pytest.approx(other)


def test_few_tables_change_nothing(tmp_path: Path) -> None:
    keep_tones([made_up(0.1, 0.25, np.random.default_rng(5))], tmp_path / FILE)
    assert load_tones(tmp_path / FILE).usual == pytest.approx(load_tones(WEIGHTS / FILE).usual)


def test_what_is_kept_says_of_every_kind_how_surely() -> None:
    model = load_tones(WEIGHTS / FILE)
    assert model.usual.shape == (COUNT, 3)
    assert model.lightness.shape == (KINDS, 4)
    assert model.hue.shape == (KINDS, 3)
    for one in (model.shared, model.own, *model.spread):
        assert np.linalg.eigvalsh(one).min() > 0
