"""Fitting a net: Adam, a rate that rises and falls, a slow mean of the weights, all from one seed. Needs PyTorch."""

from __future__ import annotations

import io
import math
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.image.packed_net import PLAIN, SCALE, WHOLE, folded, load_weights, quantized

Floats = NDArray[Any]

# Nets as files that reading and a later training go on from; see `vision.image.packed_net`.
#
# Needs PyTorch and ONNX.


def keep(net: nn.Module, path: Path, example: torch.Tensor, sides: Mapping[str, Mapping[int, str]]) -> None:
    """Write a net.

    Args:
        example: An input, by which it is traced.
        sides: Names of the input and of the output, and which of their sides may have any length.
    """
    kept: dict[str, Floats] = {}
    for name, value in net.state_dict().items():
        values = value.detach().numpy()
        if values.ndim > 1:
            kept[WHOLE + name], kept[SCALE + name] = quantized(values)
        else:
            kept[PLAIN + name] = values
    np.savez_compressed(path, **kept)  # type: ignore[arg-type]
    layers = list(_layers(net))
    go_on(net, path)
    graph, places = _emptied(_traced(net, example, sides), load_weights(path), layers)
    kept["graph"] = np.frombuffer(graph, np.uint8)
    kept["layers"] = np.array([layer for layer, _ in layers])
    kept["norms"] = np.array([norm for _, norm in layers])
    kept["places"] = np.array(places)
    np.savez_compressed(path, **kept)  # type: ignore[arg-type]


def go_on(net: nn.Module, path: Path) -> None:
    """Loads weights that `keep` wrote, also of a net with fewer inputs; without the file the net is unchanged."""
    if path.is_file():
        net.load_state_dict(_kept(net, path))


def halfway(net: nn.Module, path: Path) -> None:
    """Sets a net to the mean of its weights and of those that `keep` wrote; without the file it is unchanged.

    Facts learned by heart are halved, common ones stay: such a mean reads tables that were never seen better than
    either (Wortsman et al., Model soups, ICML 2022).
    """
    if path.is_file():
        before = _kept(net, path)
        mean = {name: ((value + before[name]) / 2).to(value.dtype) for name, value in net.state_dict().items()}
        net.load_state_dict(mean)


def _kept(net: nn.Module, path: Path) -> dict[str, torch.Tensor]:
    """The weights of a file, in the shapes of a net."""
    weights = load_weights(path)
    return {name: _widened(torch.from_numpy(np.asarray(weights[name])), now) for name, now in net.state_dict().items()}


def _widened(weights: torch.Tensor, now: torch.Tensor) -> torch.Tensor:
    """Weights of a net with fewer inputs: the new ones do not count yet."""
    if weights.shape == now.shape:
        return weights
    wide = torch.zeros(now.shape)
    wide[:, : weights.shape[1]] = weights
    return wide


def _layers(net: nn.Module) -> Iterator[tuple[str, str]]:
    """Each convolution and the normalization right after it, or an empty name."""
    modules = [(name, one) for name, one in net.named_modules() if isinstance(one, nn.Conv2d | nn.BatchNorm2d)]
    for (name, one), (after, other) in zip(modules, [*modules[1:], ("", nn.Identity())], strict=True):
        if isinstance(one, nn.Conv2d):
            yield name, after if isinstance(other, nn.BatchNorm2d) else ""


def _traced(net: nn.Module, example: torch.Tensor, sides: Mapping[str, Mapping[int, str]]) -> onnx.ModelProto:
    net.eval()
    out = io.BytesIO()
    first, last = sides
    with warnings.catch_warnings():
        # The exporter that is new in PyTorch asks for one more package and folds less.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            net,
            (example,),
            out,
            dynamo=False,
            opset_version=17,
            input_names=[first],
            output_names=[last],
            dynamic_axes={name: dict(axes) for name, axes in sides.items()},
        )
    return onnx.load_from_string(out.getvalue())


def _emptied(
    model: onnx.ModelProto, weights: dict[str, Floats], layers: list[tuple[str, str]]
) -> tuple[bytes, list[tuple[int, int]]]:
    """The graph with zeros for weights, and where those of each layer begin: kernel and bias."""
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    pairs = [node.input[1:3] for node in model.graph.node if node.op_type == "Conv"]
    whole = model.SerializeToString()
    places = []
    for layer, norm in layers:
        kernel, _ = folded(weights, layer, norm)
        (mine,) = [pair for pair in pairs if _alike(onnx.numpy_helper.to_array(tensors[pair[0]]), kernel)]
        assert all(whole.count(tensors[name].raw_data) == 1 for name in mine)
        kernel_at, bias_at = (whole.index(tensors[name].raw_data) for name in mine)
        places.append((kernel_at, bias_at))
    graph = bytearray(whole)
    for (layer, norm), begins in zip(layers, places, strict=True):
        for values, begin in zip(folded(weights, layer, norm), begins, strict=True):
            graph[begin : begin + 4 * values.size] = bytes(4 * values.size)
    return bytes(graph), places


def _alike(one: Floats, other: Floats) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-3, atol=1e-6))


def block(before: int, after: int, stride: int = 1) -> nn.Sequential:
    """A convolution of 3 x 3, its channels brought to one scale, and all below zero cut off."""
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


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
