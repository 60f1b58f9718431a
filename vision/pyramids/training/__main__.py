"""Train the three nets: `python -m vision.pyramids.training FOLDER... [--out FOLDER] [--folds FOLDER]`.

Each folder holds labelled pyramid pictures or one sequence. Blobs are explained with nets that never saw the blob's
table, so the ranker and the naming net learn from evidence as poor as a new table gives.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from companion.pieces import PYRAMID_COLORS
from vision.pyramids.evidence import contrast_around
from vision.pyramids.perceptron import FOLDER, Perceptron
from vision.pyramids.reader import bounds_of, sheet_evidence
from vision.pyramids.training.exchange import measure, repainted
from vision.pyramids.training.fitting import fit_choices, fit_classes
from vision.pyramids.training.labels import Labelled, Silhouettes, fit_turns, load, silhouettes
from vision.pyramids.training.samples import BlobSample, Floats, Ints, blob_samples, mirror_half, pixel_samples

PIXEL_HIDDEN = (80, 40)
GUESS_HIDDEN = 48
NAME_HIDDEN = 32

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
    """The naming net."""
    known = [s for s in samples if s.names is not None]
    inputs = np.concatenate([s.names for s in known if s.names is not None])
    classes = np.concatenate([np.array(s.colors) for s in known])
    random = np.random.default_rng(seed)

    def blurred(x: Floats) -> Floats:
        return x + (random.normal(size=x.shape) * 0.15).astype(np.float32)

    return fit_classes(
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


def write(folder: Path, pixels: Perceptron, blobs: Sequence[BlobSample], seed: int) -> None:
    """Fit ranker and naming net to blobs and write all three nets."""
    folder.mkdir(parents=True, exist_ok=True)
    pixels.save(folder / "pixels.npz")
    guess_net(blobs, seed).save(folder / "guesses.npz")
    name_net(blobs, seed).save(folder / "names.npz")


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
    partial: dict[int, Perceptron] = {}
    groups = sorted({p.group for p in pictures})
    fold = {group: i % FOLDS for i, group in enumerate(groups)}
    for k in range(min(FOLDS, len(groups))):
        known = [s for s, p in zip(samples, pictures, strict=True) if fold[p.group] != k]
        partial[k] = pixel_net(known, args.seed, 7)
        held = [(p, m) for p, m in paired if fold[p.group] == k]
        blobs[k] = [b for p, _ in held for b in blob_samples(p, partial[k])]
        for _ in range(BLOB_REPAINTS):
            blobs[k] += [b for p, m in held for b in blob_samples(repainted(p, m, looks, random)[0], partial[k])]
        say(f"{len(blobs[k])} blobs on {', '.join(g for g in groups if fold[g] == k)}")
    write(args.out, net, [b for found in blobs.values() for b in found], args.seed)
    for group in groups if args.folds is not None else []:
        others = [b for k, found in blobs.items() if k != fold[group] for b in found]
        write(args.folds / group.replace(" ", "-"), partial[fold[group]], others, args.seed)
    say("written")


if __name__ == "__main__":
    main()
