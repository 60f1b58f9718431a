"""The parts of all nets. Needs PyTorch."""

from __future__ import annotations

from torch import nn


def block(before: int, after: int, stride: int = 1) -> nn.Sequential:
    """A convolution of 3 x 3, its channels brought to one scale, and all below zero cut off."""
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )
