"""Examples are mixed as their parts ask for."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from vision.readers.pyramids.training.retouch import Pool, PoolPart


def example(source: str, random: np.random.Generator, retouch: Any) -> tuple[str, Any]:
    """The source itself."""
    return source, retouch


def test_every_part_gives_its_share_and_an_empty_one_leaves_it_to_the_others() -> None:
    retouch: Any = "retouched"
    parts = [PoolPart(["a", "b"], 0.35, retouch), PoolPart([], 0.4), PoolPart(["c"], 0.25)]
    seen = Counter(Pool(parts, example, 4000).batch(np.random.default_rng(1)))
    assert set(seen) == {("a", retouch), ("b", retouch), ("c", None)}
    assert abs(seen["c", None] / 4000 - 0.25 / 0.6) < 0.03
    assert abs(seen["a", retouch] - seen["b", retouch]) < 200
