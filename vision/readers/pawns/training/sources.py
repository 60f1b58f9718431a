"""The examples of the nets, different for each, so that they err in different places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vision.readers.pawns.net import Nets, PawnNet
from vision.readers.pawns.training.batches import BATCH, Drawer
from vision.readers.pawns.training.fitting import Drawn, fit
from vision.readers.pawns.training.samples import Samples, chosen, joined


class Sources(NamedTuple):
    """The examples of the nets."""

    plain: Samples
    exposures: Samples
    """The same pictures as other webcams might have taken them."""
    drawn: Samples | None

    def without(self, held: set[str], by: str) -> Sources:
        """Without the pictures of some tables, or lights."""
        plain, exposures = (
            chosen(part, [k for k, kind in enumerate(kinds_of(part, by)) if kind not in held]) for part in self[:2]
        )
        return Sources(plain, exposures, self.drawn)


def kinds_of(samples: Samples, by: str) -> tuple[str, ...]:
    """Each picture's table, or its light."""
    return samples.tables if by == "table" else samples.lights


def fitted(sources: Sources, steps: int, seed: int) -> Nets:
    """Three nets: of the pictures as they are, with other exposures, and with these and drawn boards."""
    more = joined(sources.plain, sources.exposures)
    drawn = () if sources.drawn is None else (sources.drawn,)
    return tuple(one_net(parts, steps, seed + k) for k, parts in enumerate([(sources.plain,), (more,), (more, *drawn)]))


def one_net(parts: Sequence[Samples], steps: int, seed: int) -> PawnNet:
    """A net that learns as much from each part."""
    drawers = [Drawer(part, BATCH // len(parts)) for part in parts]

    def draw(random: np.random.Generator) -> Drawn:
        crops, more, classes = (np.concatenate(part) for part in zip(*(d(random) for d in drawers), strict=True))
        return crops, more, classes

    def tell(step: int, loss: float) -> None:
        if step % 250 == 0:
            print(f"    step {step} of {steps}, loss {loss:.3f}", flush=True)

    return fit(draw, steps, np.random.default_rng(seed), tell=tell)
