"""Where examples come from: labeled, traced and drawn pictures, mixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from vision.readers.pyramids.training.retouch import Retouch

Source = TypeVar("Source")
Example = TypeVar("Example")


class PoolPart(NamedTuple, Generic[Source]):
    """Pictures of one kind."""

    sources: Sequence[Source]
    share: float
    """Of all examples; what an empty part would give comes from the others."""
    retouch: Retouch | None = None


class Pool(Generic[Source, Example]):
    """Examples out of sheets or scenes of several kinds."""

    def __init__(
        self,
        parts: Sequence[PoolPart[Source]],
        example: Callable[[Source, np.random.Generator, Retouch | None], Example],
        size: int,
    ) -> None:
        """`size` examples make a batch; one part at least holds something."""
        self.parts = [part for part in parts if part.sources]
        shares = np.array([part.share for part in self.parts])
        self._ends = np.cumsum(shares / shares.sum())
        self.example, self.size = example, size

    def batch(self, random: np.random.Generator) -> list[Example]:
        """One batch."""
        return [self._one(random) for _ in range(self.size)]

    def _one(self, random: np.random.Generator) -> Example:
        at = int(np.searchsorted(self._ends, random.random(), side="right"))
        part = self.parts[min(at, len(self.parts) - 1)]
        return self.example(part.sources[int(random.integers(len(part.sources)))], random, part.retouch)
