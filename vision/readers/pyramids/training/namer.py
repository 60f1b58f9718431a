"""The net that names what a closeup shows, what it is punished for, and how it becomes a file. Needs PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.readers.pyramids.closeup import CHANNELS, HEIGHT, WIDTH
from vision.readers.pyramids.training.closeups import LEVELS, Example
from vision.readers.pyramids.training.learning import Course, block, half, keep

BATCH = 48
COURSE = Course(rate=2e-3, warm_up=60, decay=1e-2, slow=0.997)
KINDS, SIZES, COLORS = 3, 4, 10
OUTPUTS = KINDS + LEVELS * (SIZES + COLORS) + 4
_UNKNOWN = 255


class TrainedNamer(nn.Module):
    """Convolutions down to a few cells, then two dense layers written as convolutions."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = 24, 48, 80, 112
        self.features = nn.Sequential(
            block(CHANNELS, a, 2),
            block(a, a),
            block(a, b, 2),
            block(b, b),
            block(b, c, 2),
            block(c, c),
            block(c, d, 2),
            block(d, d),
        )
        self.dense = nn.Sequential(
            nn.Conv2d(d, 160, (-(-HEIGHT // 16), -(-WIDTH // 16)), bias=False), nn.BatchNorm2d(160), nn.ReLU()
        )
        self.out = nn.Conv2d(160, OUTPUTS, 1)

    def forward(self, closeups: Tensor) -> Tensor:
        """(B, CHANNELS, HEIGHT, WIDTH) to (B, OUTPUTS, 1, 1)."""
        found: Tensor = self.out(self.dense(self.features(closeups)))
        return found


def loss_of(out: Tensor, kind: Tensor, sizes: Tensor, colors: Tensor, shift: Tensor, tip: Tensor) -> Tensor:
    """How wrong a batch of answers (B, OUTPUTS) is; what belongs to pieces counts only where some are."""
    at = KINDS + LEVELS * SIZES
    end = at + LEVELS * COLORS
    loss = functional.cross_entropy(out[:, :KINDS], kind)
    there = kind > 0
    size = out[:, KINDS:at].reshape(-1, LEVELS, SIZES).transpose(1, 2)
    color = out[:, at:end].reshape(-1, LEVELS, COLORS).transpose(1, 2)
    count = max(int(there.sum()), 1)
    loss = loss + functional.cross_entropy(size, sizes, ignore_index=_UNKNOWN, reduction="sum") / count
    loss = loss + functional.cross_entropy(color, colors, ignore_index=_UNKNOWN, reduction="sum") / count
    loss = loss + 0.3 * functional.smooth_l1_loss(out[there, end : end + 2], shift[there] / 4)
    lies = kind == 2
    if lies.any():
        loss = loss + functional.smooth_l1_loss(out[lies, end + 2 :], tip[lies])
    return loss


def loss_on(net: TrainedNamer, examples: Sequence[Example]) -> Tensor:
    """How wrong a net is on a batch."""
    inputs, *truth = (np.stack(part) for part in zip(*examples, strict=True))
    kind, sizes, colors = (torch.from_numpy(part.astype(np.int64)) for part in truth[:3])
    shift, tip = (torch.from_numpy(part.astype(np.float32)) for part in truth[3:])
    with half():
        out = net(torch.from_numpy(inputs).contiguous(memory_format=torch.channels_last))
    return loss_of(out.float()[:, :, 0, 0], kind, sizes, colors, shift, tip)


def export(net: TrainedNamer, path: Path) -> None:
    """Write a net as a file for any number of closeups."""
    keep(net, path, torch.zeros(2, CHANNELS, HEIGHT, WIDTH), {"closeups": {0: "n"}, "answers": {0: "n"}})
