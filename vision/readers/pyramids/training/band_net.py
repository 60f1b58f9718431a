"""The net for bands, its loss, and its file. Needs PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.readers.pyramids.bands import FACTS
from vision.readers.pyramids.closeup import CHANNELS, HEIGHT, WIDTH
from vision.readers.pyramids.training.bands import BandExample
from vision.readers.pyramids.training.closeups import LEVELS
from vision.readers.pyramids.training.learning import Course, block, half, keep

BATCH = 40
COURSE = Course(rate=2e-3, warm_up=60, decay=2e-2, slow=0.995)
COLORS = 10
_FEATURES, _HIDDEN = 40, 96
_POOLED = 2 * _FEATURES + 2 * CHANNELS
_UNKNOWN = 255


class TrainedBandNet(nn.Module):
    """Convolutions that describe every cell, finely and with more around it; then levels, and all of a guess."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(block(CHANNELS, 24, 2), block(24, _FEATURES), block(_FEATURES, _FEATURES))
        self.coarse = nn.Sequential(
            block(_FEATURES, _FEATURES, 2), block(_FEATURES, _FEATURES), block(_FEATURES, _FEATURES)
        )
        self.level = nn.Linear(_POOLED + FACTS, _HIDDEN)
        self.near = nn.Conv1d(_HIDDEN, _HIDDEN, 3, padding=1)
        self.far = nn.Conv1d(_HIDDEN, _HIDDEN, 3, padding=1)
        self.color = nn.Linear(_HIDDEN, COLORS)
        self.whole = nn.Linear(2 * _HIDDEN + _POOLED + FACTS, _HIDDEN)
        self.fit = nn.Linear(_HIDDEN, 1)

    def forward(self, closeups: Tensor) -> Tensor:
        """(B, CHANNELS, HEIGHT, WIDTH) to (B, F): what describes the cells, fine and coarse ones, flat."""
        fine = self.fine(closeups)
        return torch.cat([fine.flatten(1), self.coarse(fine).flatten(1)], 1)

    def told(self, closeups: Tensor, described: Tensor, shares: Tensor, known: Tensor) -> tuple[Tensor, Tensor]:
        """Colors (B, K, LEVELS, COLORS) and fits (B, K) of guesses, as `vision.readers.pyramids.bands` does it.

        Args:
            shares: (B, K, LEVELS + 1, ROWS, COLUMNS).
            known: (B, K, LEVELS, FACTS).
        """
        batch, guesses, bands = shares.shape[:3]
        described = described.float()
        end = described.shape[1] * 4 // 5
        fine = described[:, :end].reshape(batch, _FEATURES, -1)
        coarse = described[:, end:].reshape(batch, _FEATURES, -1)
        flat = shares.reshape(batch, guesses * bands, -1)
        wide = 4 * functional.avg_pool2d(shares.flatten(1, 2), 2).flatten(2)
        area = flat.sum(2, keepdim=True).clamp(min=0.25)
        light = functional.avg_pool2d(closeups.float(), 2).flatten(2)

        def mean(cells: Tensor, weight: Tensor) -> Tensor:
            return torch.einsum("blp,bcp->blc", weight / area, cells)

        middle = mean(light, flat)
        spread = (mean(light**2, flat) - middle**2).clamp(min=1e-4).sqrt()
        pooled = torch.cat([mean(fine, flat), mean(coarse, wide), middle, spread], 2).reshape(
            batch * guesses, bands, -1
        )
        facts = known.reshape(batch * guesses, LEVELS, FACTS)
        there = facts[..., -1:]
        levels = functional.relu(self.level(torch.cat([pooled[:, :LEVELS], facts], 2))) * there
        for layer in (self.near, self.far):
            levels = levels + functional.relu(layer(levels.transpose(1, 2))).transpose(1, 2) * there
        count = there.sum(1).clamp(min=1)
        parts = [levels.sum(1) / count, levels.max(1).values, pooled[:, LEVELS], (facts * there).sum(1) / count]
        fits = self.fit(functional.relu(self.whole(torch.cat(parts, 1))))
        return self.color(levels).reshape(batch, guesses, LEVELS, COLORS), fits.reshape(batch, guesses)


def loss_on(net: TrainedBandNet, examples: Sequence[BandExample]) -> Tensor:
    """How wrong a net is on a batch: on the colors of true stacks, and on which guess is the true one (the first)."""
    closeups, shares, known, colors = (torch.from_numpy(np.stack(part)) for part in zip(*examples, strict=True))
    with half():
        described = net(closeups.contiguous(memory_format=torch.channels_last))
    told, fits = net.told(closeups, described, shares, known)
    loss = functional.cross_entropy(told[:, 0].reshape(-1, COLORS), colors.reshape(-1), ignore_index=_UNKNOWN)
    return loss + functional.cross_entropy(fits, torch.zeros(len(fits), dtype=torch.long))


def export(net: TrainedBandNet, path: Path) -> None:
    """Write a net as a file for any number of closeups."""
    keep(net, path, torch.zeros(2, CHANNELS, HEIGHT, WIDTH), {"closeups": {0: "n"}, "answers": {0: "n"}})
