"""PyTorch for the tests that learn: the others need neither it nor the seconds that it takes to load."""

from __future__ import annotations

import os
from typing import Any

import pytest


@pytest.fixture(name="torch")
def _torch() -> Any:
    """PyTorch, loaded where it is needed. Where nothing may be skipped, its absence fails the test."""
    if os.environ.get("CI") != "true":
        pytest.importorskip("onnx")
        pytest.importorskip("torch")
    import torch

    return torch
