"""Stacks to learn bands from: the first guess is the true one, and the net that learns is the one that reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.core.pieces import PYRAMID_COLORS
from tests.vision.readers.pyramids.ideal import MAT, SIZE_PX, camera, lying, standing
from tests.vision.readers.pyramids.training.test_closeups import scene
from vision.readers.pyramids.bands import FILE, BandNet, GuessedStack, bands, facts, painted
from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.closeup import LEVELS
from vision.readers.pyramids.hypothesis import outlines
from vision.readers.pyramids.sheet import sheet_of
from vision.readers.pyramids.training.bands import GUESSES, has_stack, random_bands
from vision.readers.pyramids.training.closeups import local_camera

STACK = standing(300, 200, "red large", "blue small")


def test_a_place_is_seen_as_the_camera_sees_it() -> None:
    eye = camera(40.0)
    sheet = sheet_of(eye, MAT, SIZE_PX)
    there = np.column_stack([STACK.place.moved(-300, -200, -STACK.place.turn_deg).points().reshape(-1, 3), np.ones(10)])
    pixels = there @ local_camera(STACK.place, sheet, eye).T
    wanted = sheet.to_sheet(outlines([STACK.place], eye)[0].reshape(-1, 2))
    assert np.abs(pixels[:, :2] / pixels[:, 2:] - wanted).max() < 0.1


def test_the_first_guess_is_the_true_one() -> None:
    made = scene(STACK)
    random = np.random.default_rng(1)
    for _ in range(8):
        example = random_bands(made, random)
        assert example.shares.shape[0] == example.known.shape[0] == GUESSES
        assert example.known[0, :2, :3].argmax(axis=1).tolist() == [0, 2]
        assert example.known[0, :, -1].sum() == 2
        assert example.colors[:2].tolist() == [PYRAMID_COLORS.index("red"), PYRAMID_COLORS.index("blue")]
        assert (example.colors[2:] == 255).all()
        sizes = {tuple(one[one[:, -1] > 0, :3].argmax(axis=1).tolist()) for one in example.known}
        assert len(sizes) == GUESSES, "no guess is asked about twice"


def test_only_a_scene_with_something_that_stands_is_learned_from() -> None:
    assert has_stack(scene(STACK))
    assert not has_stack(scene(lying(300, 200, 30.0, "green medium")))
    assert not has_stack(scene())


def test_training_and_reading_say_the_same(torch: Any) -> None:
    from vision.readers.pyramids.training import band_net
    from vision.readers.pyramids.training.learning import go_on

    learner = band_net.TrainedBandNet()
    go_on(learner, WEIGHTS / FILE)
    learner.eval()
    corners = np.array([(20, 100), (60, 100), (60, 120), (20, 120), (40, 60)], float)
    stacks = [GuessedStack(("large",) * n, np.stack([corners - (0, 9 * k) for k in range(n)]), 0.5) for n in (1, 3)]
    closeups = np.random.default_rng(1).normal(0, 0.5, (2, 8, 136, 96)).astype(np.float32)
    told = BandNet(WEIGHTS / FILE)(closeups, [stacks, stacks])
    shares = [bands(painted(one.outline), len(one.sizes)) for one in stacks]
    known = [facts(one.sizes, share, one.rise) for one, share in zip(stacks, shares, strict=True)]
    twice = (torch.from_numpy(np.stack([np.stack(one)] * 2)) for one in (shares, known))
    seen = torch.from_numpy(closeups)
    with torch.no_grad():
        colors, fits = learner.told(seen, learner(seen), *twice)
    assert np.array([[one.fit for one in some] for some in told]) == pytest.approx(fits.numpy(), abs=2e-3)
    color_logs = torch.log_softmax(colors, -1).numpy()
    assert told[1][1].color_logs == pytest.approx(color_logs[1, 1, :3], abs=2e-3)
    assert np.exp(told[0][1].color_logs).sum(axis=1) == pytest.approx(np.ones(3))
    assert colors.shape[2] == LEVELS
