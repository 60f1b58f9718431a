"""The net that names what a closeup shows, what it is punished for, and how it is fitted. Needs PyTorch."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.pyramids.closeup import CHANNELS, HEIGHT, WIDTH
from vision.pyramids.training.closeups import LEVELS, Example, Scene, random_example
from vision.pyramids.training.retouch import Retouch

BATCH = 48
RATE = 2e-3
KINDS, SIZES, COLORS = 3, 4, 10
OUTPUTS = KINDS + LEVELS * (SIZES + COLORS) + 4
_UNKNOWN = 255
_WARM_UP = 60
_SLOW = 0.997
_TELL = 100


def _block(before: int, after: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


class Namer(nn.Module):
    """Convolutions down to a few cells, then two dense layers written as convolutions."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = 24, 48, 80, 112
        self.features = nn.Sequential(
            _block(CHANNELS, a, 2),
            _block(a, a),
            _block(a, b, 2),
            _block(b, b),
            _block(b, c, 2),
            _block(c, c),
            _block(c, d, 2),
            _block(d, d),
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


class Examples:
    """Labelled and drawn scenes to draw examples from; labelled ones are retouched."""

    def __init__(
        self, labelled: Sequence[Scene], drawn: Sequence[Scene], share: float, retouch: Retouch | None
    ) -> None:
        self.labelled, self.drawn, self.share, self.retouch = list(labelled), list(drawn), share, retouch

    def batch(self, random: np.random.Generator) -> list[Example]:
        """One batch."""
        found = []
        for _ in range(BATCH):
            use_labelled = bool(self.labelled) and random.random() < self.share
            source, retouch = (self.labelled, self.retouch) if use_labelled else (self.drawn, None)
            found.append(random_example(source[int(random.integers(len(source)))], random, retouch))
        return found


def learn(net: Namer, examples: Examples, minutes: float, steps: int, seed: int, rate: float = RATE) -> Namer:
    """Train for so many minutes or steps, whichever ends first; the answer holds the mean of the last weights."""
    random = np.random.default_rng(seed)
    net = net.to(memory_format=torch.channels_last)
    adam = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
    mean = {name: value.clone().float() for name, value in net.state_dict().items()}
    start, losses = time.monotonic(), []
    half = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    with ThreadPoolExecutor(1) as worker:
        coming = worker.submit(examples.batch, random)
        for step in range(steps):
            done = max(step / steps, (time.monotonic() - start) / 60 / minutes)
            if done >= 1:
                break
            for group in adam.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / _WARM_UP) * 0.5 * (1 + math.cos(math.pi * done)) + 1e-6
            batch = coming.result()
            coming = worker.submit(examples.batch, random)
            inputs, *truth = (np.stack(part) for part in zip(*batch, strict=True))
            kind, sizes, colors = (torch.from_numpy(part.astype(np.int64)) for part in truth[:3])
            shift, tip = (torch.from_numpy(part.astype(np.float32)) for part in truth[3:])
            net.train()
            with torch.autocast("cpu", torch.bfloat16, enabled=half):
                out = net(torch.from_numpy(inputs).contiguous(memory_format=torch.channels_last))
            loss = loss_of(out.float()[:, :, 0, 0], kind, sizes, colors, shift, tip)
            adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            adam.step()
            losses.append(float(loss.detach()))
            keep = min(_SLOW, (step + 1) / (step + 10))
            with torch.no_grad():
                for name, value in net.state_dict().items():
                    mean[name].mul_(keep).add_(value.float(), alpha=1 - keep)
            if step % _TELL == _TELL - 1:
                spent = time.monotonic() - start
                print(f"step {step + 1}, {spent:.0f} s, loss {np.mean(losses[-_TELL:]):.3f}", flush=True)
    net.load_state_dict(mean)
    return net


def export(net: Namer, path: Path) -> None:
    """Write a net as an ONNX file for any number of closeups."""
    net.eval()
    torch.onnx.export(
        net,
        torch.zeros(2, CHANNELS, HEIGHT, WIDTH),
        str(path),
        dynamo=False,
        opset_version=17,
        input_names=["closeups"],
        output_names=["answers"],
        dynamic_axes={"closeups": {0: "n"}, "answers": {0: "n"}},
    )
