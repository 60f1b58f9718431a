"""`python -m vision.readers.cards.training [finder] [corners] [lettering] [foreign] [--fonts FOLDER...]` fits the nets.

Cards of many designs are drawn as training goes. Some designs are kept apart: what the nets say of them is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.readers.cards.finder import CARD, OFFSET, REACH_MM
from vision.readers.cards.training.corners import fit_corners
from vision.readers.cards.training.designs import draw_design
from vision.readers.cards.training.fonts import FOLDERS, find_fonts
from vision.readers.cards.training.foreign_net import fit_foreign
from vision.readers.cards.training.inks import fit_inks
from vision.readers.cards.training.letters import fit_lettering
from vision.readers.cards.training.networks import (
    FINDER_COURSE,
    Finder,
    FinderSample,
    export_finder,
    finder_loss,
    finder_sample,
    mirrored,
)
from vision.readers.cards.training.scenes import SceneSource
from vision.readers.cards.weights import CORNERS, FINDER, FOREIGN, INKS, LETTERING
from vision.readers.pyramids.training.learning import go_on, learn

FINDER_BATCH = 12
POOL = 600
"""The number of scenes that are kept to be used again."""
_NETS = ("finder", "corners", "lettering", "foreign")


class FinderBatches:
    """Draws batches of scenes: some new ones in each, the others seen before and turned."""

    def __init__(self, source: SceneSource) -> None:
        self._source, self._pool = source, list[FinderSample]()

    def __call__(self, random: np.random.Generator) -> list[FinderSample]:
        """Returns the next batch."""
        for _ in range(1 if len(self._pool) >= FINDER_BATCH else FINDER_BATCH):
            self._keep(finder_sample(self._source.next_scene(random)), random)
        return [mirrored(self._pool[int(k)], random) for k in random.integers(0, len(self._pool), FINDER_BATCH)]

    def _keep(self, sample: FinderSample, random: np.random.Generator) -> None:
        if len(self._pool) < POOL:
            self._pool.append(sample)
        else:
            self._pool[int(random.integers(0, POOL))] = sample


def main() -> int:
    """Reads the arguments, fits, writes, and prints the figures for unseen designs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", nargs="*", choices=_NETS, default=list(_NETS))
    parser.add_argument("--fonts", nargs="*", type=Path, default=[], help="more folders with fonts")
    parser.add_argument("--designs", type=int, default=3000)
    parser.add_argument("--apart", type=int, default=100, help="designs that are only tested with")
    parser.add_argument("--minutes", type=float, default=30.0, help="for the finder, and for the corners")
    parser.add_argument("--corners", type=int, default=140_000, help="corners that their net is fitted on")
    parser.add_argument("--rows", type=int, default=22000, help="rows of ink that the lettering is fitted on")
    parser.add_argument("--cards", type=int, default=4200, help="cards that the net of foreign cards is fitted on")
    parser.add_argument("--seconds", type=float, default=170.0, help="of processor time for each of the other nets")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", action="store_true", help="go on from the weights that there are")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    random = np.random.default_rng(args.seed)
    fonts = find_fonts((*FOLDERS, *args.fonts))
    designs = [draw_design(random, fonts) for _ in range(args.designs + args.apart)]
    known, apart = SceneSource(designs[: args.designs]), SceneSource(designs[args.designs :], 2)
    print(f"{len(fonts)} fonts", flush=True)
    if "finder" in args.nets:
        finder = Finder()
        if args.on:
            go_on(finder, FINDER)
        finder = learn(finder, FINDER_COURSE, finder_loss, FinderBatches(known), args.minutes, args.steps, args.seed)
        export_finder(finder.eval(), FINDER)
        print(finder_figures(finder, [finder_sample(apart.next_scene(random)) for _ in range(60)]), flush=True)
    if "corners" in args.nets:
        print(fit_corners(random, fonts, (args.designs, args.corners), args.minutes * 60, CORNERS), flush=True)
    if "lettering" in args.nets:
        for more, path in enumerate(LETTERING):
            print(fit_lettering(fonts, args.rows, args.seconds, args.seed + more, path), flush=True)
        fit_inks(random, INKS)
    if "foreign" in args.nets:
        print(fit_foreign(random, fonts, args.cards, args.seconds, FOREIGN), flush=True)
    return 0


def finder_figures(net: Finder, samples: Sequence[FinderSample]) -> str:
    """Returns the figures of a finder as words."""
    pictures = torch.from_numpy(np.stack([s.picture for s in samples])).float() / 255 - 0.5
    with torch.no_grad():
        out = net(torch.nn.functional.pixel_unshuffle(pictures.permute(0, 3, 1, 2), 2)).numpy()
    truth = np.stack([s.truth for s in samples])
    there = truth[:, CARD] > 0
    right = ((out[:, CARD] > 0) == there).mean()
    off = np.linalg.norm(out[:, OFFSET] - truth[:, OFFSET], axis=1) * REACH_MM
    return f"finder: cells right {right:.4f}, median error of the middle {np.median(off[there]):.2f} mm"


if __name__ == "__main__":
    sys.exit(main())
