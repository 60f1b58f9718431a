"""The net's shape, what it is punished for, and how it becomes a file that OpenCV runs.

Each cell gets its answers twice: from features of four cells side by side, which know what thing is there, and from
features of the cell itself, which know where edges run. Needs PyTorch, which only training does.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.readers.pyramids.cells import CELL_CHANNELS, COLORS, OUTPUTS
from vision.readers.pyramids.sheet import STRIDE
from vision.readers.pyramids.training.learning import Course, block, half, keep
from vision.readers.pyramids.training.sheets import Crop

BATCH = 28
COURSE = Course(rate=4e-3, warm_up=100, decay=1e-3, slow=0.998)
WIDTHS = (16, 32, 64, 96)
"""Features at each halving of the resolution; multiples of 16 keep a processor's lanes full."""
_NAMES = 1 + COLORS
_SIZES = slice(_NAMES, _NAMES + 3)
_LIES = _NAMES + 3
_OFFSET = slice(_LIES + 1, _LIES + 3)
_LIFT = _LIES + 3
_EDGE = _LIES + 4


def _doubled(features: Tensor) -> Tensor:
    return functional.interpolate(features, scale_factor=2.0, mode="nearest")


class _Again(nn.Module):
    """A block that adds to what it was given: deep enough to see a whole stack, and easy to train."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.block = block(width, width)

    def forward(self, features: Tensor) -> Tensor:
        return features + self.block(features)


class Cells(nn.Module):
    """A small U-shaped net over cells."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = WIDTHS
        self.a = block(CELL_CHANNELS, a)
        self.b = nn.Sequential(block(a, b, 2), block(b, b))
        self.c = nn.Sequential(block(b, c, 2), _Again(c), _Again(c))
        self.d = nn.Sequential(block(c, d, 2), _Again(d), _Again(d))
        self.u3, self.v3 = nn.Conv2d(d, c, 1), nn.Sequential(_Again(c), _Again(c))
        self.u2, self.v2 = nn.Conv2d(c, b, 1), block(b, 48)
        self.u1, self.v1 = nn.Conv2d(48, a, 1), block(a, 24)
        self.h, self.h2 = nn.Conv2d(24, OUTPUTS, 1), nn.Conv2d(48, OUTPUTS, 1)

    def forward(self, cells: Tensor) -> Tensor:
        """(B, CELL_CHANNELS, h, w) cells to (B, OUTPUTS, h, w) answers; h and w are multiples of 8."""
        a = self.a(cells)
        b = self.b(a)
        c = self.c(b)
        c = self.v3(c + _doubled(self.u3(self.d(c))))
        b = self.v2(b + _doubled(self.u2(c)))
        a = self.v1(a + _doubled(self.u1(b)))
        return self.h(a) + _doubled(self.h2(b))


class Truth:
    """A batch of `vision.readers.pyramids.training.sheets.Targets` as tensors, (B, h, w) each, offsets (B, 2, h,
    w).
    """

    def __init__(
        self, color: Tensor, size: Tensor, lies: Tensor, offset: Tensor, lift: Tensor, edge: Tensor, valid: Tensor
    ) -> None:
        self.color, self.size, self.lies, self.offset = color.long(), size.long(), lies.float(), offset
        self.lift, self.edge, self.valid = lift.float(), edge.float(), valid.float()


def loss_of(out: Tensor, truth: Truth) -> Tensor:
    """How wrong answers are; what belongs to pieces counts only where one is seen."""
    there = (truth.color > 0) & (truth.valid > 0)
    named = functional.cross_entropy(out[:, :_NAMES], truth.color, reduction="none")
    loss = 4 * (named * truth.valid * (1 + 2 * there)).sum() / truth.valid.sum()
    near = (functional.max_pool2d(there.float()[:, None], 5, 1, 2)[:, 0] > 0) & (truth.valid > 0)
    if not there.any():
        return loss
    loss = loss + 0.5 * functional.binary_cross_entropy_with_logits(out[:, _EDGE][near], truth.edge[near])
    piece, offset = out.permute(0, 2, 3, 1)[there], truth.offset.permute(0, 2, 3, 1)[there]
    loss = loss + 0.7 * functional.cross_entropy(piece[:, _SIZES], truth.size[there])
    loss = loss + 0.3 * functional.binary_cross_entropy_with_logits(piece[:, _LIES], truth.lies[there])
    loss = loss + 3.0 * functional.smooth_l1_loss(piece[:, _OFFSET], offset, beta=0.1)
    return loss + 0.7 * functional.smooth_l1_loss(piece[:, _LIFT], truth.lift[there], beta=0.1)


def loss_on(net: Cells, crops: Sequence[Crop]) -> Tensor:
    """How wrong a net is on a batch."""
    light, geometry, ratio, known, *rest = (torch.from_numpy(np.stack(part)) for part in zip(*crops, strict=True))
    fine, differs = (functional.pixel_unshuffle(one, STRIDE) for one in (light, ratio))
    cells = torch.cat([fine, geometry, differs, known], 1)
    with half():
        out = net(cells.contiguous(memory_format=torch.channels_last))
    return loss_of(out.float(), Truth(*rest))


def export(net: Cells, path: Path) -> None:
    """Write a net as a file for sheets of any size."""
    keep(net, path, torch.zeros(1, CELL_CHANNELS, 128, 128), {"cells": {2: "h", 3: "w"}, "answers": {2: "h", 3: "w"}})
