"""A pawn that is put elsewhere is still that pawn, on the new ground."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.readers.pawns.boards import FOLDER
from vision.readers.pawns.crops import SIDE_PX
from vision.readers.pawns.training.samples import WIDE_PX, Samples, chosen, read_samples
from vision.readers.pawns.training.transplant import Transplanter, moved, outline


@pytest.fixture(scope="module")
def samples() -> Samples:
    return chosen(read_samples([FOLDER]), [0, 2])


def test_outlines_are_higher_the_flatter_the_eye_looks() -> None:
    tall, round_ = outline(0.5), outline(0.99)
    rows = [np.flatnonzero(mask.max(axis=1) > 0.5) for mask in (tall, round_)]
    assert np.ptp(rows[0]) > np.ptp(rows[1])
    assert np.ptp(np.flatnonzero(round_.max(axis=0) > 0.5)) == pytest.approx(12 / 1.35, abs=1.5)


def test_labels_become_classes(samples: Samples) -> None:
    assert samples.classes.shape == (2, 108)
    assert (samples.classes > 0).sum(axis=1).tolist() == [18, 25]


def test_a_transplanted_pawn_keeps_its_color_and_takes_the_new_ground(samples: Samples) -> None:
    transplanter = Transplanter(samples)
    batch = transplanter.batch(16, np.random.default_rng(0))
    assert (batch.classes > 0).all()
    bare = batch.light - batch.change
    edge = np.abs(batch.change[:, :2]).mean()
    half = WIDE_PX // 2
    middle = np.abs(batch.change[:, half - 5 : half + 5, half - 3 : half + 3]).mean()
    assert middle > 2 * edge
    assert np.isfinite(bare).all()


def test_a_pawn_beside_a_bare_space_leaves_its_middle_bare(samples: Samples) -> None:
    batch = Transplanter(samples).beside(24, np.random.default_rng(0))
    assert (batch.classes == 0).all()
    change = np.abs(batch.change).max(-1)
    half = WIDE_PX // 2
    assert np.median(change[:, half - 3 : half + 3, half - 3 : half + 3].mean(axis=(1, 2))) < 0.25
    assert change.mean(axis=(1, 2)).min() > 0


def test_moved_crops_are_of_the_readers_size(samples: Samples) -> None:
    batch = moved(Transplanter(samples).batch(3, np.random.default_rng(1)), np.random.default_rng(2))
    assert batch.light.shape == batch.change.shape == (3, SIDE_PX, SIDE_PX, 3)
    assert WIDE_PX > SIDE_PX
