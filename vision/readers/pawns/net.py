"""A small convolutional net, for evaluation only, so that a reader needs only numpy.

It has three convolutions, one over 4 x 4 pixels in steps of two and two over 3 x 3, with 2 x 2 maxima between them;
then one hidden layer that also takes a few numbers about the whole crop. Arrays are (N, H, W, channels) throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.pawns.wheel import RINGS, Space

Floats = NDArray[Any]

_CLIP = 1.5
"""The bound for changes of the logarithm."""


def images(light: Floats, change: Floats) -> Floats:
    """Returns (N, S, S, 6): a crop's light and its change against the bare board, both about -1 to 1."""
    bright = light * np.float32(0.5) + np.float32(0.7)
    return np.concatenate([bright, np.clip(change, -_CLIP, _CLIP)], axis=-1)


def numbers(steepness: Floats, spaces: Sequence[Space]) -> Floats:
    """Returns (N, 4): the steepness of the view, and the print there: a start's star, the rim, a path's star."""
    start = [space.ring == 1 and space.path % 2 == 0 for space in spaces]
    rim = [space.ring == 1 for space in spaces]
    star = [space.ring == RINGS for space in spaces]
    return np.column_stack([(steepness - 0.85) * 5, start, rim, star]).astype(np.float32)


WEIGHTS = Path(__file__).with_name("weights") / "pawns.npz"


class NetShape(NamedTuple):
    """The shape of a convolution."""

    size: int
    """The side of its neighborhoods, which begin one pixel before the pixel that they belong to."""
    step: int
    halves: bool
    """True if 2 x 2 maxima follow."""


SHAPES = (NetShape(4, 2, False), NetShape(3, 1, True), NetShape(3, 1, False))


class PawnNet(Struct, frozen=True):
    """The weights of all layers in order."""

    kernels: tuple[Floats, ...]
    """(size * size * in, out) for each convolution; rows are in the order of `patches`."""
    offsets: tuple[Floats, ...]
    hidden: Floats
    """(pixels + extras, hidden)."""
    hidden_offset: Floats
    last: Floats
    """(hidden, classes)."""
    last_offset: Floats

    def log_probabilities(self, images: Floats, extras: Floats) -> Floats:
        """Returns (N, classes) for images (N, H, W, C) and numbers (N, E)."""
        values = images.astype(np.float32)
        for shape, kernel, offset in zip(SHAPES, self.kernels, self.offsets, strict=True):
            columns = patches(values, shape.size, shape.step)
            values = np.maximum(columns @ kernel + offset, 0)
            if shape.halves:
                values = halved(values)
        flat = np.concatenate([values.reshape(len(values), -1), extras.astype(np.float32)], axis=1)
        out = np.maximum(flat @ self.hidden + self.hidden_offset, 0) @ self.last + self.last_offset
        out -= out.max(axis=1, keepdims=True)
        out -= np.log(np.exp(out).sum(axis=1, keepdims=True))
        return np.asarray(out)

    def arrays(self) -> dict[str, Floats]:
        """Returns all weights by name, as half floats where training shows no loss."""
        arrays: dict[str, Floats] = {f"kernel{i}": k.astype(np.float16) for i, k in enumerate(self.kernels)}
        arrays |= {f"offset{i}": k.astype(np.float32) for i, k in enumerate(self.offsets)}
        arrays |= {"hidden": self.hidden.astype(np.float16), "hidden_offset": self.hidden_offset.astype(np.float32)}
        return arrays | {"last": self.last.astype(np.float32), "last_offset": self.last_offset.astype(np.float32)}


Nets = tuple[PawnNet, ...]
"""Nets that were fitted separately and judge together."""


def patches(values: Floats, size: int, step: int) -> Floats:
    """Returns (N, H / step, W / step, size * size * C): neighborhoods, with zeros beyond the border.

    The picture is divided into blocks of `step` pixels first, so that copied parts are contiguous.
    """
    count, height, width, channels = values.shape
    rows, columns, across = height // step, width // step, size // step
    down, right = rows + across - 1, columns + across - 1
    padded = np.zeros((count, down * step, right * step, channels), np.float32)
    padded[:, 1 : height + 1, 1 : width + 1] = values[:, : down * step - 1, : right * step - 1]
    blocks = padded.reshape(count, down, step, right, step, channels).transpose(0, 1, 3, 2, 4, 5)
    blocks = blocks.reshape(count, down, right, -1)
    out = np.empty((count, rows, columns, across * across, blocks.shape[-1]), np.float32)
    for k in range(across * across):
        i, j = divmod(k, across)
        out[:, :, :, k] = blocks[:, i : i + rows, j : j + columns]
    return out.reshape(count, rows, columns, -1)


def halved(values: Floats) -> Floats:
    """Returns (N, H // 2, W // 2, C): maxima of 2 x 2 pixels; an odd last row or column is dropped."""
    height, width = values.shape[1] // 2 * 2, values.shape[2] // 2 * 2
    even = np.maximum(values[:, 0:height:2, :width], values[:, 1:height:2, :width])
    return np.maximum(even[:, :, 0::2], even[:, :, 1::2])


def save(nets: Nets, path: Path) -> None:
    """Writes the weights of some nets."""
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = {f"{k}.{name}": array for k, net in enumerate(nets) for name, array in net.arrays().items()}
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


@cache
def load(path: Path) -> Nets:
    """Returns the nets of a file that `save` wrote."""
    found: dict[int, dict[str, Floats]] = {}
    with np.load(path) as stored:
        for key in stored.files:
            number, name = key.split(".")
            found.setdefault(int(number), {})[name] = stored[key].astype(np.float32)
    return tuple(_net(found[k]) for k in sorted(found))


def _net(arrays: dict[str, Floats]) -> PawnNet:
    layers = range(sum(name.startswith("kernel") for name in arrays))
    return PawnNet(
        tuple(arrays[f"kernel{i}"] for i in layers),
        tuple(arrays[f"offset{i}"] for i in layers),
        arrays["hidden"],
        arrays["hidden_offset"],
        arrays["last"],
        arrays["last_offset"],
    )
