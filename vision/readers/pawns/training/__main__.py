"""`python -m vision.readers.pawns.training FOLDER... [--drawn FOLDER] [--folds N] [--by table|light]`: write weights.

First nets are fitted that never saw some tables (or lights), and their errors on those are printed: a forecast for new
tables. Their answers also calibrate the confidences of the final nets, which are fitted to all pictures. `--keep
FOLDER` keeps the held-out nets for `bench.pawns --folds`. `--drawn` names a folder that `python -m
simulation.drawn.boards` wrote: half of the third net's examples then come from there, other inks and paints than the
few labeled boards show.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.readers.pawns.net import WEIGHTS, Nets, PawnNet, images, numbers, save
from vision.readers.pawns.reader import judged
from vision.readers.pawns.training.fitting import Drawn, fit
from vision.readers.pawns.training.samples import MARGIN_PX, Samples, chosen, joined, read_samples
from vision.readers.pawns.training.transplant import Batch, Transplanter, moved
from vision.readers.pawns.wheel import SPACES

BATCH = 64
"""The number of spaces in one training step."""
SHARES = (0.22, 0.25, 0.19, 0.22)
"""The shares of a batch: pawns as they stand, transplanted pawns, bare spaces with a transplanted pawn beside them, and
bare spaces with something near; the rest is plain.
"""
STOCK, FRESH = 400, 4
"""The number of transplanted pawns that are kept, and of those that are made anew for each batch."""
NEAR = 0.5
"""The change of log light in a crop from which something is near."""


class Drawer:
    """Draws batches from some pictures."""

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
        """Returns some of each stock, transplanted pawns and pawns beside a space, a few of them new each time."""
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
    """The examples for the nets."""

    plain: Samples
    exposures: Samples
    """The same pictures as other webcams might have taken them."""
    drawn: Samples | None

    def without(self, held: set[str], by: str) -> Sources:
        """Returns the examples without the pictures of some tables, or lights."""
        plain, exposures = (
            chosen(part, [k for k, kind in enumerate(kinds_of(part, by)) if kind not in held]) for part in self[:2]
        )
        return Sources(plain, exposures, self.drawn)


def kinds_of(samples: Samples, by: str) -> tuple[str, ...]:
    """Returns each picture's table, or its light."""
    return samples.tables if by == "table" else samples.lights


def fitted(sources: Sources, steps: int, seed: int) -> Nets:
    """Returns three nets: from the pictures as they are, with other exposures, and with these and drawn boards."""
    more = joined(sources.plain, sources.exposures)
    drawn = () if sources.drawn is None else (sources.drawn,)
    return tuple(one_net(parts, steps, seed + k) for k, parts in enumerate([(sources.plain,), (more,), (more, *drawn)]))


def one_net(parts: Sequence[Samples], steps: int, seed: int) -> PawnNet:
    """Returns a net that learns as much from each part."""
    drawers = [Drawer(part, BATCH // len(parts)) for part in parts]

    def draw(random: np.random.Generator) -> Drawn:
        crops, more, classes = (np.concatenate(part) for part in zip(*(d(random) for d in drawers), strict=True))
        return crops, more, classes

    def tell(step: int, loss: float) -> None:
        if step % 250 == 0:
            print(f"    step {step} of {steps}, loss {loss:.3f}", flush=True)

    return fit(draw, steps, np.random.default_rng(seed), tell=tell)


Ints = NDArray[Any]


class PawnCalibration(Struct, frozen=True):
    """The conversion of raw log probabilities to calibrated ones."""

    sharpness: float = 1.0
    """The factor of all log probabilities."""
    nothing: float = 0.0
    """The number then added to the bare space's: batches of training hold more pawns than tables do."""

    def apply(self, odds: Floats) -> Floats:
        """Returns calibrated log probabilities (..., 7)."""
        out = odds * self.sharpness
        out[..., 0] += self.nothing
        return np.asarray(out - np.logaddexp.reduce(out, axis=-1, keepdims=True))

    def into(self, net: PawnNet) -> PawnNet:
        """Returns the net that answers with true probabilities by itself."""
        offset = net.last_offset * self.sharpness
        offset[0] += self.nothing
        return replace(net, last=net.last * self.sharpness, last_offset=offset)


def calibrate(odds: Floats, classes: Ints) -> PawnCalibration:
    """Returns the numbers that make `classes` (N,) likeliest, given log probabilities (N, 7)."""
    rows = np.arange(len(classes))

    def cost(sharpness: float, nothing: float) -> float:
        return float(-PawnCalibration(sharpness, nothing).apply(odds)[rows, classes].mean())

    best = min(((s, n) for s in np.linspace(0.4, 2.0, 17) for n in np.linspace(-3, 3, 25)), key=lambda at: cost(*at))
    return PawnCalibration(float(best[0]), float(best[1]))


Floats = NDArray[Any]

NAMES = "-ROYGBP"


def answers(nets: Nets, samples: Samples) -> Floats:
    """Returns (P, 108, 7): the nets' answers for whole pictures."""
    part = np.s_[:, MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]
    out = [
        judged(
            nets, images(light[part].astype(np.float32), change[part].astype(np.float32)), numbers(steepness, SPACES)
        )
        for light, change, steepness in zip(samples.light, samples.change, samples.steepness, strict=True)
    ]
    return np.array(out)


def groups(kinds: Sequence[str], count: int) -> list[set[str]]:
    """Returns the kinds in `count` groups of about as many pictures."""
    parts: list[list[str]] = [[] for _ in range(count)]
    for kind in sorted(set(kinds), key=lambda kind: (-kinds.count(kind), kind)):
        min(parts, key=lambda part: sum(kinds.count(k) for k in part)).append(kind)
    return [set(part) for part in parts]


def report(odds: Floats, samples: Samples) -> str:
    """Returns F1 and the share of perfect pictures of answers (P, 108, 7); prints errors picture by picture."""
    said = odds.argmax(-1)
    for k, name in enumerate(samples.names):
        wrong = np.flatnonzero(said[k] != samples.classes[k])
        told = [f"{SPACES[i].spot} {NAMES[samples.classes[k][i]]} read {NAMES[said[k][i]]}" for i in wrong]
        if told:
            print(f"  {name} ({samples.tables[k]}, {samples.lights[k]}): {'; '.join(told)}")
    there, seen = samples.classes > 0, said > 0
    right = (there & (said == samples.classes)).sum()
    whole = (said == samples.classes).all(axis=1).mean()
    return f"F1 {2 * right / max(there.sum() + seen.sum(), 1):.4f}, whole pictures {whole:.4f} of {len(said)}"


def main() -> int:
    """Reads the arguments and the pictures, then fits and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--drawn", type=Path)
    parser.add_argument("--exposures", type=int, default=5, help="of each picture")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--by", choices=("table", "light"), default="table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--calibration", type=float, nargs=2, default=(1.0, 0.0), help="as an earlier run printed it")
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    samples = read_samples(args.folders)
    drawn = None if args.drawn is None else read_samples([args.drawn])
    sources = Sources(samples, read_samples(args.folders, args.exposures, args.seed), drawn)
    print(f"{len(samples.names)} pictures, {(samples.classes > 0).sum()} pawns")
    kinds = kinds_of(samples, args.by)
    odds = np.zeros((*samples.classes.shape, 7))
    calibration = PawnCalibration(*args.calibration)
    for held in groups(kinds, args.folds) if args.folds > 1 else ():
        out = [k for k, kind in enumerate(kinds) if kind in held]
        nets = fitted(sources.without(held, args.by), args.steps, args.seed)
        odds[out] = answers(nets, chosen(samples, out))
        print(f"never seen: {', '.join(sorted(held))}: {report(odds[out], chosen(samples, out))}", flush=True)
        if args.keep is not None:
            for kind in held:
                save(nets, args.keep / f"{kind.replace(' ', '-')}.npz")
    if args.folds > 1:
        calibration = calibrate(odds.reshape(-1, 7), samples.classes.reshape(-1))
        print(f"held out, all: {report(calibration.apply(odds), samples)}; {calibration}")
    nets = fitted(sources, args.steps, args.seed)
    save(tuple(calibration.into(net) for net in nets), args.output)
    print(f"seen in training: {report(calibration.apply(answers(nets, samples)), samples)}; written to {args.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
