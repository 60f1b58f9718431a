"""Fitting a net: Adam, a rate that rises and falls, a slow mean of the weights, all from one seed. Needs PyTorch."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from vision.readers.pyramids.packed import quantized

Net = TypeVar("Net", bound=nn.Module)
Example = TypeVar("Example")
_MOST = 5.0
"""A longer gradient is shortened to this."""
_EXACT = 0.6
"""From this share of the course on the net learns with the rounded weights that it will be read with."""
_TELL = 100
"""Steps between two lines of progress."""


class Course(NamedTuple):
    """How one kind of net is fitted."""

    rate: float
    warm_up: int
    """Steps during which the rate rises."""
    decay: float
    slow: float
    """The share of the mean of the weights that stays at each step."""


def half() -> torch.autocast:
    """Half precision, where the processor has it."""
    return torch.autocast("cpu", torch.bfloat16, enabled=bool(torch.ops.mkldnn._is_mkldnn_bf16_supported()))


@contextmanager
def rounded(net: nn.Module) -> Iterator[None]:
    """For a while, a net's kernels as a file keeps them; slopes that are found meanwhile are for the exact ones.

    Straight-through estimation: Bengio, Leonard and Courville, arXiv 1308.3432.
    """
    kernels = [weights for weights in net.parameters() if weights.dim() == 4]
    exact = [weights.detach().clone() for weights in kernels]
    with torch.no_grad():
        for weights in kernels:
            whole, scale = quantized(weights.numpy())
            weights.copy_(torch.from_numpy(whole * scale.reshape(-1, 1, 1, 1)))
    try:
        yield
    finally:
        with torch.no_grad():
            for weights, before in zip(kernels, exact, strict=True):
                weights.copy_(before)


def learn(
    net: Net,
    course: Course,
    loss_on: Callable[[Net, list[Example]], Tensor],
    batch_of: Callable[[np.random.Generator], list[Example]],
    minutes: float,
    steps: int,
    seed: int,
) -> Net:
    """Train for so many minutes or steps, whichever ends first; the answer holds the mean of the last weights.

    The next batch is made while the net learns from this one.
    """
    random = np.random.default_rng(seed)
    net = net.to(memory_format=torch.channels_last)
    adam = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=course.decay)
    mean = {name: value.clone().float() for name, value in net.state_dict().items()}
    start, losses = time.monotonic(), []
    with ThreadPoolExecutor(1) as worker:
        coming = worker.submit(batch_of, random)
        for step in range(steps):
            done = max(step / steps, (time.monotonic() - start) / 60 / minutes)
            if done >= 1:
                break
            rise = min(1.0, (step + 1) / course.warm_up)
            for group in adam.param_groups:
                group["lr"] = course.rate * rise * 0.5 * (1 + math.cos(math.pi * done)) + 1e-6
            batch = coming.result()
            coming = worker.submit(batch_of, random)
            net.train()
            adam.zero_grad()
            with rounded(net) if done > _EXACT else nullcontext():
                loss = loss_on(net, batch)
                loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), _MOST)
            adam.step()
            losses.append(float(loss.detach()))
            stays = min(course.slow, (step + 1) / (step + 10))
            with torch.no_grad():
                for name, value in net.state_dict().items():
                    mean[name].mul_(stays).add_(value.float(), alpha=1 - stays)
            if step % _TELL == _TELL - 1:
                spent = time.monotonic() - start
                print(f"step {step + 1}, {spent:.0f} s, loss {np.mean(losses[-_TELL:]):.3f}", flush=True)
    net.load_state_dict(mean)
    return net
