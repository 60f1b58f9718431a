"""The examples of the nets, different for each, so that they err in different places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vision.readers.pawns.features import images, numbers
from vision.readers.pawns.net import Nets, PawnNet
from vision.readers.pawns.training.fitting import Drawn, fit
from vision.readers.pawns.training.samples import MARGIN_PX, Samples, chosen, joined
from vision.readers.pawns.training.transplant import Batch, Transplanter, moved
from vision.readers.pawns.wheel import SPACES

BATCH = 64
"""Spaces that one step learns from."""
SHARES = (0.22, 0.25, 0.19, 0.22)
"""Of a batch: pawns as they stand, transplanted pawns, bare spaces with a transplanted pawn beside them, and bare
spaces with something near; the rest is plain."""
STOCK, FRESH = 400, 4
"""Transplanted pawns that are kept, and how many of them are made anew for each batch."""
NEAR = 0.5
"""Change of the logarithm of light in a crop from which on something is near."""


class Drawer:
    """Batches of some pictures."""

    def __init__(self, samples: Samples, size: int = BATCH) -> None:
        self.samples, self.size = samples, size
        self.transplanter = Transplanter(samples)
        self.stocks: list[Batch] = []
        inner = slice(MARGIN_PX + 3, -MARGIN_PX - 3)
        middle = np.abs(samples.change[:, :, inner, inner]).max(axis=(2, 3, 4)) > NEAR
        self.pools = [
            np.argwhere(samples.classes > 0),
            np.argwhere((samples.classes == 0) & middle),
            np.argwhere((samples.classes == 0) & ~middle),
        ]

    def __call__(self, random: np.random.Generator) -> Drawn:
        standing, transplanted, beside, near = (round(self.size * share) for share in SHARES)
        wanted = (standing, near, self.size - standing - transplanted - beside - near)
        at = np.concatenate(
            [pool[random.integers(0, len(pool), count)] for pool, count in zip(self.pools, wanted, strict=True)]
        )
        s, (pictures, spaces) = self.samples, at.T
        own = Batch(
            s.light[pictures, spaces],
            s.change[pictures, spaces],
            s.steepness[pictures, spaces],
            spaces,
            s.classes[pictures, spaces],
        )
        others = self._transplanted((transplanted, beside), random)
        both = moved(Batch(*(np.concatenate(parts) for parts in zip(own, *others, strict=True))), random)
        which = [SPACES[int(k)] for k in both.spaces]
        return images(both.light, both.change), numbers(both.steepness, which), both.classes

    def _transplanted(self, counts: Sequence[int], random: np.random.Generator) -> list[Batch]:
        """Some of each stock, transplanted pawns and pawns beside, of which a few are new each time."""
        makers = (self.transplanter.batch, self.transplanter.beside)
        if not self.stocks:
            self.stocks = [make(STOCK, random) for make in makers]
        drawn = []
        for count, make, stock in zip(counts, makers, self.stocks, strict=True):
            at = int(random.integers(STOCK - FRESH))
            for old, new in zip(stock, make(FRESH, random), strict=True):
                old[at : at + FRESH] = new
            which = random.integers(0, STOCK, count)
            drawn.append(Batch(*(part[which] for part in stock)))
        return drawn


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
