"""The net for contours, its loss, and its file. Needs PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.readers.pyramids.contours import CELL_PX, KINDS, STEP_PX
from vision.readers.pyramids.training.contours import ContourExample
from vision.readers.pyramids.training.learning import Course, block, half, keep

BATCH = 20
COURSE = Course(rate=3e-3, warm_up=100, decay=1e-2, slow=0.99)
_FIRST, _FINE, _COARSE = 24, 32, 40
_NEAR_PX = 7
_NEAR = 6.0
"""The weight of pixels near a piece: most of a table is free, and easy."""
_COUNTS = (1.0, 2.0, 1.0, 1.0)
"""The weight of each kind: rims are hardest."""


class TrainedContourNet(nn.Module):
    """A small net over cells of `CELL_PX` pixels a side, with half of that detail around it."""

    def __init__(self) -> None:
        super().__init__()
        pixels = CELL_PX**2
        self.first = block(3 * pixels, _FIRST)
        self.fine = nn.Sequential(block(_FIRST, _FINE), block(_FINE, _FINE))
        self.coarse = nn.Sequential(
            block(_FINE, _COARSE, 2), block(_COARSE, _COARSE), block(_COARSE, _COARSE), block(_COARSE, _COARSE)
        )
        self.around = nn.Conv2d(_COARSE, _FINE, 1)
        self.last = block(_FINE, _FINE)
        self.told = nn.Conv2d(_FINE, KINDS * pixels, 1)

    def forward(self, cells: Tensor) -> Tensor:
        """(B, 3 * CELL_PX ** 2, h, w) to (B, KINDS * CELL_PX ** 2, h, w): log odds; h and w are even."""
        fine = self.fine(self.first(cells))
        around = functional.interpolate(self.around(self.coarse(fine)), scale_factor=2.0, mode="nearest")
        return self.told(self.last(functional.relu(fine + around)))


def loss_on(net: TrainedContourNet, examples: Sequence[ContourExample]) -> Tensor:
    """How wrong a net is on a batch."""
    seen, true = (torch.from_numpy(np.stack(part)) for part in zip(*examples, strict=True))
    cells = functional.pixel_unshuffle(seen, CELL_PX)
    with half():
        out = net(cells.contiguous(memory_format=torch.channels_last))
    odds = functional.pixel_shuffle(out.float(), CELL_PX)
    true = true.float()
    wrong = functional.binary_cross_entropy_with_logits(odds, true, reduction="none")
    counts = 1 + _NEAR * functional.max_pool2d(true[:, -1:], _NEAR_PX, 1, _NEAR_PX // 2)
    each = (wrong * counts).sum((0, 2, 3)) / counts.sum()
    return (each * torch.tensor(_COUNTS)).sum()


def export(net: TrainedContourNet, path: Path) -> None:
    """Write a net as a file for parts of pictures of any size."""
    side = STEP_PX // CELL_PX
    example = torch.zeros(1, 3 * CELL_PX**2, side, side)
    keep(net, path, example, {"cells": {2: "h", 3: "w"}, "answers": {2: "h", 3: "w"}})
