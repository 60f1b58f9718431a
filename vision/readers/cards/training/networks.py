"""The finder's net and its loss. Needs PyTorch, which only training does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.readers.cards.finder import CARD, FINDER_OUTPUTS, OFFSET, REACH_MM, TURN
from vision.readers.cards.sheet import CELL_MM, CELL_PX
from vision.readers.cards.training.scenes import SIDE_MM, Scene
from vision.readers.pyramids.training.learning import Course, block, half, keep

Random = np.random.Generator

_LEAST_TO_FIND = 0.08
"""A card with a smaller visible share does not count in the loss of its place."""


class FinderSample(Struct, frozen=True):
    """A scene at one pixel per millimeter."""

    picture: NDArray[np.uint8]
    """(S, S, 3): the picture."""
    truth: NDArray[np.float32]
    """(6, S / 4, S / 4): the right answers of the finder, and a mask of those that count."""


def finder_sample(scene: Scene) -> FinderSample:
    """Returns a scene as the finder sees it."""
    side = SIDE_MM
    picture = cv2.resize(scene.picture, (side, side), interpolation=cv2.INTER_AREA)
    cells = scene.owner[CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX]
    there = cells >= 0
    truth = np.zeros((6, *cells.shape), np.float32)
    if scene.cards:
        known = np.array([[c.x_mm, c.y_mm, np.radians(2 * c.heading_deg), c.shown] for c in scene.cards], np.float32)
        of = known[np.maximum(cells, 0)]
        at = (np.arange(cells.shape[0], dtype=np.float32) + 0.5) * CELL_MM
        truth[1] = (of[..., 0] - at[None, :]) / REACH_MM
        truth[2] = (of[..., 1] - at[:, None]) / REACH_MM
        truth[3], truth[4] = np.cos(of[..., 2]), np.sin(of[..., 2])
        truth[5] = of[..., 3] >= _LEAST_TO_FIND
        truth[1:] *= there
    truth[0] = there
    return FinderSample(np.asarray(picture), truth)


def mirrored(sample: FinderSample, random: Random) -> FinderSample:
    """Returns the scene from another side, sometimes mirrored, since finding cards does not need legible letters."""
    picture, truth = sample.picture, sample.truth.copy()
    if random.random() < 0.5:
        picture, truth = picture[:, ::-1], truth[:, :, ::-1]
        truth[[1, 4]] *= -1
    if random.random() < 0.5:
        picture, truth = picture[::-1], truth[:, ::-1]
        truth[[2, 4]] *= -1
    if random.random() < 0.5:
        picture, truth = picture.transpose(1, 0, 2), truth.transpose(0, 2, 1)[[0, 2, 1, 3, 4, 5]]
        truth[3] *= -1
    return FinderSample(np.ascontiguousarray(picture), np.ascontiguousarray(truth))


FINDER_COURSE = Course(rate=4e-3, warm_up=60, decay=1e-3, slow=0.99)


class _Again(nn.Module):
    """A block that adds its output to its input."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.block = block(width, width)

    def forward(self, features: Tensor) -> Tensor:
        return features + self.block(features)


def _doubled(features: Tensor) -> Tensor:
    return functional.interpolate(features, scale_factor=2.0, mode="nearest")


class Finder(nn.Module):
    """A small U-shaped net: pixels of one millimeter in, cells of four millimeters out."""

    def __init__(self) -> None:
        super().__init__()
        self.a = block(12, 24)
        self.b = nn.Sequential(block(24, 32, 2), _Again(32))
        self.c = nn.Sequential(block(32, 48, 2), _Again(48), _Again(48))
        self.d = nn.Sequential(block(48, 64, 2), _Again(64), _Again(64))
        self.u3, self.v3 = nn.Conv2d(64, 48, 1), _Again(48)
        self.u2, self.v2 = nn.Conv2d(48, 32, 1), block(32, 32)
        self.head = nn.Conv2d(32, FINDER_OUTPUTS, 1)

    def forward(self, halves: Tensor) -> Tensor:
        """Maps (B, 12, h, w), pixels in squares of two, to (B, FINDER_OUTPUTS, h / 2, w / 2)."""
        b = self.b(self.a(halves))
        c = self.c(b)
        c = self.v3(c + _doubled(self.u3(self.d(c))))
        return self.head(self.v2(b + _doubled(self.u2(c))))


def finder_loss(net: Finder, batch: Sequence[FinderSample]) -> Tensor:
    """Returns the loss of a finder."""
    pictures = torch.from_numpy(np.stack([sample.picture for sample in batch])).float() / 255 - 0.5
    halves = functional.pixel_unshuffle(pictures.permute(0, 3, 1, 2), 2)
    truth = torch.from_numpy(np.stack([sample.truth for sample in batch]))
    with half():
        out = net(halves.contiguous(memory_format=torch.channels_last))
    out = out.float()
    there, counts = truth[:, CARD], truth[:, 5]
    loss = 2 * functional.binary_cross_entropy_with_logits(out[:, CARD], there)
    weight = (there * counts)[:, None]
    sum_ = weight.sum() + 1
    offset = functional.smooth_l1_loss(out[:, OFFSET], truth[:, OFFSET], beta=0.1, reduction="none")
    turn = functional.smooth_l1_loss(out[:, TURN], truth[:, TURN], beta=0.1, reduction="none")
    return loss + 4 * (offset * weight).sum() / sum_ + 1.5 * (turn * weight).sum() / sum_


def export_finder(net: Finder, path: Path) -> None:
    """Writes a finder for sheets of any size."""
    keep(net, path, torch.zeros(1, 12, 64, 64), {"halves": {2: "h", 3: "w"}, "answers": {2: "h", 3: "w"}})
