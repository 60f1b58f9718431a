"""Weights between two trainings, in half precision, so that a later one can go on where an earlier one ended."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn


def keep(net: nn.Module, path: Path) -> None:
    """Write a net's weights and running means."""
    state = {name: value.numpy() for name, value in net.state_dict().items()}
    half = {name: value.astype(np.float16) if value.dtype == np.float32 else value for name, value in state.items()}
    # Running variances reach beyond what half precision holds.
    half |= {name: value for name, value in state.items() if name.endswith("running_var")}
    np.savez_compressed(path, **half)


def go_on(net: nn.Module, path: Path) -> None:
    """Take weights that `keep` wrote; without the file nothing changes."""
    if path.is_file():
        with np.load(path) as state:
            whole = {name: torch.from_numpy(state[name]) for name in state.files}
        now = net.state_dict()
        net.load_state_dict(
            {
                name: _widened(value.float(), now[name].shape) if value.is_floating_point() else value
                for name, value in whole.items()
            }
        )


def _widened(weights: torch.Tensor, shape: torch.Size) -> torch.Tensor:
    """Weights of a net that had fewer inputs: what it did not know counts nothing yet."""
    if weights.shape == shape:
        return weights
    wide = torch.zeros(shape)
    wide[:, : weights.shape[1]] = weights
    return wide
