"""Where examples come from: labelled pictures and drawn ones, mixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np

from vision.pyramids.training.retouch import Retouch

Source = TypeVar("Source")
Example = TypeVar("Example")


class Pool(Generic[Source, Example]):
    """Examples out of sheets or scenes; labelled ones are retouched."""

    def __init__(
        self,
        labelled: Sequence[Source],
        drawn: Sequence[Source],
        share: float,
        example: Callable[[Source, np.random.Generator, Retouch | None], Example],
        retouch: Retouch | None,
        size: int,
    ) -> None:
        """`share` of the examples come from `labelled`, `size` of them make a batch."""
        self.labelled, self.drawn, self.share = labelled, drawn, share
        self.example, self.retouch, self.size = example, retouch, size

    def batch(self, random: np.random.Generator) -> list[Example]:
        """One batch."""
        return [self._one(random) for _ in range(self.size)]

    def _one(self, random: np.random.Generator) -> Example:
        use_labelled = bool(self.labelled) and (not self.drawn or random.random() < self.share)
        source, retouch = (self.labelled, self.retouch) if use_labelled else (self.drawn, None)
        return self.example(source[int(random.integers(len(source)))], random, retouch)
