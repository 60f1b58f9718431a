"""Fitting the net: random crops, Adam, a slow mean of its weights, all from one seed."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from vision.pyramids.training.network import Cells, Truth, loss_of
from vision.pyramids.training.retouch import Retouch
from vision.pyramids.training.sheets import Crop, LearnedSheet, random_crop

BATCH = 28
RATE = 4e-3
WARM_UP = 100
"""Steps during which the rate rises."""
_SLOW = 0.998
"""How much of the mean of the weights stays at each step."""
_TELL = 100
"""Steps between two lines of progress."""


class Pool:
    """Labelled and drawn sheets to draw crops from; labelled ones are retouched."""

    def __init__(
        self, labelled: Sequence[LearnedSheet], drawn: Sequence[LearnedSheet], share: float, retouch: Retouch | None
    ) -> None:
        self.labelled, self.drawn, self.share, self.retouch = labelled, drawn, share, retouch

    def crops(self, random: np.random.Generator) -> list[Crop]:
        """One batch."""
        return [self._crop(random) for _ in range(BATCH)]

    def _crop(self, random: np.random.Generator) -> Crop:
        use_labelled = bool(self.labelled) and (not self.drawn or random.random() < self.share)
        source = self.labelled if use_labelled else self.drawn
        retouch = self.retouch if use_labelled else None
        return random_crop(source[int(random.integers(len(source)))], random, retouch)


def learn(net: Cells, pool: Pool, minutes: float, steps: int, seed: int, rate: float = RATE) -> Cells:
    """Train for so many minutes or steps, whichever ends first; the answer holds the mean of the last weights."""
    random = np.random.default_rng(seed)
    net = net.to(memory_format=torch.channels_last)
    adam = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    mean = {name: value.clone().float() for name, value in net.state_dict().items()}
    start, losses = time.monotonic(), []
    with ThreadPoolExecutor(1) as worker:
        coming = worker.submit(pool.crops, random)
        for step in range(steps):
            done = max(step / steps, (time.monotonic() - start) / 60 / minutes)
            if done >= 1:
                break
            for group in adam.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * done)) + 1e-6
            crops = coming.result()
            coming = worker.submit(pool.crops, random)
            loss = _step(net, adam, crops)
            losses.append(loss)
            keep = min(_SLOW, (step + 1) / (step + 10))
            with torch.no_grad():
                for name, value in net.state_dict().items():
                    mean[name].mul_(keep).add_(value.float(), alpha=1 - keep)
            if step % _TELL == _TELL - 1:
                seconds = time.monotonic() - start
                print(f"step {step + 1}, {seconds:.0f} s, loss {np.mean(losses[-_TELL:]):.3f}", flush=True)
    net.load_state_dict(mean)
    return net


def _step(net: Cells, adam: torch.optim.Optimizer, crops: Sequence[Crop]) -> float:
    light, geometry, *rest = (torch.from_numpy(np.stack(part)) for part in zip(*crops, strict=True))
    net.train()
    cells = torch.cat([torch.nn.functional.pixel_unshuffle(light, 2), geometry], 1)
    with torch.autocast("cpu", torch.bfloat16, enabled=torch.ops.mkldnn._is_mkldnn_bf16_supported()):
        out = net(cells.contiguous(memory_format=torch.channels_last))
    loss = loss_of(out.float(), Truth(*rest))
    adam.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    adam.step()
    return float(loss.detach())
