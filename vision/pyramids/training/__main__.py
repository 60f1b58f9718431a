"""Train the three nets: `python -m vision.pyramids.training FOLDER... [--out FOLDER] [--folds FOLDER]`.

Each folder holds labelled pyramid pictures or one sequence. Blobs are explained with nets that never saw the blob's
table, so the ranker and the naming net learn from evidence as poor as a new table gives.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from companion.pieces import PYRAMID_COLORS
from vision.pyramids.evidence import contrast_around
from vision.pyramids.perceptron import FOLDER, Perceptron
from vision.pyramids.reader import bounds_of, sheet_evidence
from vision.pyramids.training.calibration import choice_factor, class_factor, scaled
from vision.pyramids.training.exchange import measure, repainted
from vision.pyramids.training.fitting import fit_choices, fit_classes, joined
from vision.pyramids.training.labels import Labelled, Silhouettes, fit_turns, load, silhouettes
from vision.pyramids.training.samples import BlobSample, Floats, Ints, blob_samples, mirror_half, pixel_samples

PIXEL_HIDDEN = (80, 40)
GUESS_HIDDEN = 48
NAME_HIDDEN = 32
NAME_MEMBERS = 3
NAME_BLUR = 0.4

REPAINTS = 3
"""Made-up tables on which each picture is learnt too."""
BLOB_REPAINTS = 2
"""Made-up tables on which each picture's blobs are explained too."""
FOLDS = 4
"""Parts that the tables are held out in."""

Pixels = Sequence[tuple[Floats, Ints]]


def say(text: str) -> None:
    """Progress, with the seconds since the start."""
    print(f"{time.process_time():7.1f} s  {text}", flush=True)


def first_turns(picture: Labelled) -> list[float]:
    """Yaws from plain contrast, before any net is there."""
    height, width = picture.table.picture.shape[:2]
    contrast = contrast_around(picture.table.picture, picture.bare, (0, 0, width, height), 0)
    return fit_turns(picture, np.clip(np.abs(contrast).sum(axis=2), 0, 1.5).astype(np.float32) - 0.5)


def better_turns(picture: Labelled, net: Perceptron) -> list[float]:
    """Yaws from the pixel net's evidence."""
    table = picture.table
    bounds, mask, view = bounds_of(table.picture, table.pose, table.mat)
    seen = sheet_evidence(table.picture, picture.bare, table.pose, picture.reflectance_log, mask, bounds, view, net)
    odds = np.full(table.picture.shape[:2], -3.0, np.float32)
    odds[bounds[1] : bounds[3], bounds[0] : bounds[2]] = np.clip(seen.plastic, -3, 3)
    return fit_turns(picture, odds)


def pixel_net(samples: Pixels, seed: int, epochs: int = 12) -> Perceptron:
    """The pixel net from some pictures' samples."""
    random = np.random.default_rng(seed)
    inputs, classes = np.concatenate([x for x, _ in samples]), np.concatenate([y for _, y in samples])
    weights = 1 / np.sqrt(np.maximum(np.bincount(classes, minlength=len(PYRAMID_COLORS) + 1), 1))
    weights = (weights / weights.mean()).astype(np.float32)
    weights[0] = 1
    return fit_classes(
        inputs,
        classes,
        PIXEL_HIDDEN,
        random,
        weights,
        epochs=epochs,
        vary=mirror_half(random),
        count=len(PYRAMID_COLORS) + 1,
    )


def guess_net(samples: Sequence[BlobSample], seed: int) -> Perceptron:
    """The ranker."""
    groups = [(s.features, s.right) for s in samples if not s.doubtful]
    return fit_choices(groups, GUESS_HIDDEN, np.random.default_rng(seed))


def name_net(samples: Sequence[BlobSample], seed: int) -> Perceptron:
    """The naming net: the mean of a few, each fitted to inputs blurred by a part of their spread."""
    known = [s for s in samples if s.names is not None]
    inputs = np.concatenate([s.names for s in known if s.names is not None])
    classes = np.concatenate([np.array(s.colors) for s in known])
    blur = (NAME_BLUR * (inputs.std(axis=0) + 1e-3)).astype(np.float32)
    nets = []
    for member in range(NAME_MEMBERS):
        random = np.random.default_rng(seed + member)

        def blurred(x: Floats, random: np.random.Generator = random) -> Floats:
            return np.asarray(x + random.normal(size=x.shape).astype(np.float32) * blur)

        nets.append(
            fit_classes(
                inputs,
                classes,
                (NAME_HIDDEN,),
                random,
                epochs=120,
                batch=64,
                decay=3e-3,
                vary=blurred,
                count=len(PYRAMID_COLORS),
            )
        )
    return joined(nets)


class Judges(Struct, frozen=True):
    """The two nets that judge blobs."""

    guesses: Perceptron
    names: Perceptron


def judges(blobs: Sequence[BlobSample], seed: int) -> Judges:
    """Ranker and naming net from explained blobs."""
    return Judges(guess_net(blobs, seed), name_net(blobs, seed))


def calibrated(known: Mapping[int, Judges], held: Mapping[int, Sequence[BlobSample]]) -> tuple[float, float]:
    """Factors for the outputs of ranker and naming net, from blobs that each fold's nets never saw.

    Only blobs of real pictures count: repainted ones are harder than any table, and would make the nets too unsure.
    """
    odds: list[Floats] = []
    rights: list[int | None] = []
    outputs: list[Floats] = []
    classes: list[int] = []
    for k, nets in known.items():
        for blob in held[k]:
            if not blob.doubtful:
                odds.append(nets.guesses(blob.features.astype(np.float32))[:, 0])
                rights.append(blob.right)
            if blob.names is not None:
                outputs += list(nets.names(blob.names))
                classes += blob.colors
    return choice_factor(odds, rights), class_factor(outputs, classes)


def write(folder: Path, pixels: Perceptron, both: Judges, factors: tuple[float, float]) -> None:
    """Write all three nets."""
    folder.mkdir(parents=True, exist_ok=True)
    pixels.save(folder / "pixels.npz")
    scaled(both.guesses, factors[0]).save(folder / "guesses.npz")
    scaled(both.names, factors[1]).save(folder / "names.npz")


def finish(
    net: Perceptron,
    partial: Mapping[int, Perceptron],
    blobs: Mapping[int, Sequence[BlobSample]],
    real: Mapping[int, Sequence[BlobSample]],
    fold: Mapping[str, int],
    out: Path,
    folds: Path | None,
    seed: int,
) -> None:
    """Fit the judges fold by fold, see how sure they may be, fit them to everything and write."""
    known = {
        k: judges([b for j, found in blobs.items() if j != k for b in found], seed) for k in blobs if len(blobs) > 1
    }
    factors = calibrated(known, real)
    say(f"outputs of ranker and naming net times {factors[0]:.2f} and {factors[1]:.2f}")
    write(out, net, judges([b for found in blobs.values() for b in found], seed), factors)
    for group, k in fold.items() if folds is not None and known else ():
        assert folds is not None
        write(folds / group.replace(" ", "-"), partial[k], known[k], factors)


def main() -> None:
    """Read the arguments, train, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument(
        "--folds", type=Path, help="also write, for each table, nets that never saw it, in a folder each"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    pictures = list(load(args.folders))
    say(f"{len(pictures)} pictures")
    random = np.random.default_rng(args.seed)
    turns = [first_turns(p) for p in pictures]
    looks = np.zeros(0)
    samples: list[tuple[Floats, Ints]] = []
    paired: list[tuple[Labelled, Silhouettes]] = []
    net: Perceptron | None = None
    for rounds in range(2):
        if net is not None:
            turns = [better_turns(p, net) for p in pictures]
        masks = [silhouettes(p, t) for p, t in zip(pictures, turns, strict=True)]
        looks = measure(pictures, masks)
        paired = list(zip(pictures, masks, strict=True))
        samples = []
        for p, m in paired:
            rows = [pixel_samples(p, m, random)]
            for _ in range(REPAINTS if rounds else 0):
                rows.append(pixel_samples(*repainted(p, m, looks, random), random, 120))
            samples.append((np.concatenate([x for x, _ in rows]), np.concatenate([y for _, y in rows])))
        net = pixel_net(samples, args.seed, 10 if rounds else 5)
        say(f"pixel net {rounds + 1} from {sum(len(y) for _, y in samples)} pixels")
    assert net is not None
    blobs: dict[int, list[BlobSample]] = {}
    real: dict[int, list[BlobSample]] = {}
    partial: dict[int, Perceptron] = {}
    groups = sorted({p.group for p in pictures})
    fold = {group: i % FOLDS for i, group in enumerate(groups)}
    for k in range(min(FOLDS, len(groups))):
        known = [s for s, p in zip(samples, pictures, strict=True) if fold[p.group] != k]
        partial[k] = pixel_net(known, args.seed, 7)
        held = [(p, m) for p, m in paired if fold[p.group] == k]
        real[k] = [b for p, _ in held for b in blob_samples(p, partial[k])]
        blobs[k] = list(real[k])
        for _ in range(BLOB_REPAINTS):
            blobs[k] += [b for p, m in held for b in blob_samples(repainted(p, m, looks, random)[0], partial[k])]
        say(f"{len(blobs[k])} blobs on {', '.join(g for g in groups if fold[g] == k)}")
    finish(net, partial, blobs, real, fold, args.out, args.folds, args.seed)
    say("written")


if __name__ == "__main__":
    main()
