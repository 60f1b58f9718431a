"""Train the nets: `python -m vision.readers.pyramids.training FOLDER... [--out FOLDER] [--folds FOLDER]`.

Where no weights are kept, one net first learns contours from drawn pictures alone. It gives the turns of the stacks in
the labeled pictures and goes on with drawn and labeled pictures together; three other nets learn from both: the places
of things, the names of places, and the bands of guessed stacks. The weights of contours are fitted last, to answers of
nets that know one half of the labeled tables for the other half, and the tones to tables whose sampler was shown. A
later training goes on from where the one before ended, if its `--out` holds `*.npz`; with `--anew` it does not.
`--folds` also writes, for each table of the labeled pictures, nets that never saw it, with which `python -m
bench.pyramids` measures the reading of a new table. Needs `pip install -e '.[train]'`, and `--traced` needs Blender: it
adds pictures with real paths of light, which are kept in a folder of their own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from companion.core.foundation.errors import BadFile
from vision.readers.pyramids import contours
from vision.readers.pyramids.bands import FILE as BANDS
from vision.readers.pyramids.cells import FILE as CELLS
from vision.readers.pyramids.cells import WEIGHTS, PyramidNet
from vision.readers.pyramids.closeup import FILE as NAMES
from vision.readers.pyramids.closeup import Namer
from vision.readers.pyramids.contours import FITS, ContourNet
from vision.readers.pyramids.sheet import KNOWN, LIGHT, RATIO, STRIDE, seen_on, sheet_of
from vision.readers.pyramids.tones import FILE as TONES
from vision.readers.pyramids.training import band_net, contour_net, learning, namer, network
from vision.readers.pyramids.training.bands import has_stack, random_bands
from vision.readers.pyramids.training.closeups import CloseupScene, random_example, scene_of
from vision.readers.pyramids.training.contours import (
    ContourScene,
    FitChoice,
    choices,
    contour_scene,
    fitted,
    keep_fits,
    random_contours,
)
from vision.readers.pyramids.training.drawings import drawn_contours, drawn_sheets
from vision.readers.pyramids.training.drawn.arrangement import colors_of
from vision.readers.pyramids.training.labels import Labeled, load, turned
from vision.readers.pyramids.training.learning import go_on, halfway
from vision.readers.pyramids.training.retouch import Pool, PoolPart, Retouch
from vision.readers.pyramids.training.sheets import LearnedSheet, guessed_empty, learned, random_crop, targets
from vision.readers.pyramids.training.tones import ToneTable, keep_tones, tone_tables
from vision.readers.pyramids.training.traced.developing import traced_sheets

TOGETHER = 3
"""Tables that are held out together, so that there are fewer nets to train."""
TOPS = 60
"""Table tops that labeled pictures are moved to."""
SPARSE = 3
"""The weights of contours are fitted to one of so many pictures: those of a game are much alike, and there are few
weights."""
FILES = (contours.FILE, CELLS, NAMES, BANDS, FITS, TONES)
"""All that a folder of nets holds."""
HALVES = 2
LABELED, TRACED, DRAWN = 0.65, 0.4, 0.35
"""Shares of labeled, traced and drawn pictures in the training data."""
CONTOURS = 400
"""Drawn pictures that contours are learned from; they are kept whole."""

Known = tuple[LearnedSheet, CloseupScene]


class LabeledScene(NamedTuple):
    """The training data of all nets from one labeled picture."""

    picture: Labeled
    known: Known
    contours: ContourScene


def labeled_scenes(pictures: Sequence[Labeled], net: ContourNet) -> list[LabeledScene]:
    """Labeled pictures for all nets; the net gives the turns of stacks."""
    found = []
    for one in pictures:
        table = one.table
        sheet = sheet_of(table.pose, table.mat, (table.picture.shape[1], table.picture.shape[0]))
        empty = None if table.calibration is None else table.calibration.empty
        seen = seen_on(table.picture, sheet, table.pose, table.light, empty)
        things = turned(one, net)
        true = targets(things, sheet, one.camera)
        if empty is None:
            bare = guessed_empty(seen[LIGHT], np.kron(true.piece < 0, np.ones((STRIDE, STRIDE), bool)))
            seen[RATIO], seen[KNOWN] = seen[LIGHT] - bare, 1
        whole = learned(seen, true, colors_of(things), one.group, guessed=empty is None)
        known = whole, scene_of(whole, things, sheet, one.camera)
        lines = contour_scene(table.picture, [thing.place for thing in things], one.camera)
        found.append(LabeledScene(one, known, lines))
    return found


class Training:
    """The training of all nets, with or without some tables."""

    def __init__(
        self,
        drawn: Sequence[Known],
        traced: Sequence[Known],
        lines: Sequence[ContourScene],
        minutes: float,
        steps: int,
        seed: int,
        shown: Sequence[ToneTable] = (),
    ) -> None:
        """
        Args:
            lines: Contours of drawn pictures.
            shown: Tables whose sampler was shown.
        """
        self.drawn, self.traced, self.lines, self.shown = drawn, traced, lines, shown
        self.minutes, self.steps, self.seed = minutes, steps, seed

    @cached_property
    def retouch(self) -> Retouch:
        """The stock of table tops, which takes long to draw and which contours do not need."""
        return Retouch(TOPS, self.seed)

    def begin(self, file: Path) -> None:
        """Where contours are, from drawn pictures alone: what training starts with where no weights are kept."""
        pool = Pool([PoolPart(self.lines, 1.0)], random_contours, contour_net.BATCH)
        net = contour_net.TrainedContourNet()
        how = self._how(self.seed)
        contour_net.export(learning.learn(net, contour_net.COURSE, contour_net.loss_on, pool.batch, *how), file)

    def contours(self, known: Sequence[LabeledScene], start: Path, file: Path) -> None:
        """The contours' net, with labeled pictures; it goes on from the one in `start`, if that is there.

        One that goes on from the file that it is kept in ends halfway between what it was and what it has learned.
        """
        net = contour_net.TrainedContourNet()
        go_on(net, start)
        parts = [PoolPart([one.contours for one in known], LABELED), PoolPart(self.lines, DRAWN)]
        pool = Pool(parts, random_contours, contour_net.BATCH)
        how = self._how(self.seed + 1)
        net = learning.learn(net, contour_net.COURSE, contour_net.loss_on, pool.batch, *how)
        if start == file:
            halfway(net, file)
        contour_net.export(net, file)

    def fits(self, known: Sequence[LabeledScene], folder: Path, start: Path) -> None:
        """Fits the weights of contours for a folder's nets, by answers for tables that they have not seen.

        A net is too sure of contours that it has learned from, so each half of the tables is read by a net that knows
        the other half.
        """
        nets, half = (PyramidNet(folder / CELLS), Namer(folder / NAMES)), folder / "half.npz"
        groups = sorted({one.picture.group for one in known})
        found: list[FitChoice] = []
        for at in range(HALVES):
            out = groups[at::HALVES]
            self.contours([one for one in known if one.picture.group not in out], start, half)
            told = [one.picture for one in known if one.picture.group in out][::SPARSE]
            for beside in (False, True):
                found += choices(told, *nets, ContourNet(half), beside)
        half.unlink()
        keep_fits(fitted(found), folder / FITS)
        print(f"contours: {len(found)} places")

    def finish(self, known: Sequence[LabeledScene], folder: Path, start: Path) -> None:
        """All nets, with labeled pictures; they go on from the folder's own, if it has some.

        Args:
            start: The contours' net to go on from, if the folder has none.
        """
        folder.mkdir(parents=True, exist_ok=True)
        how = self._how(self.seed + 1)
        own = folder / contours.FILE
        self.contours(known, own if own.is_file() else start, own)
        kinds = self._kinds([one.known for one in known])
        crops = [PoolPart([sheet for sheet, _ in kind], share, retouch) for kind, share, retouch in kinds]
        cells = network.Cells()
        go_on(cells, folder / CELLS)
        pool = Pool(crops, random_crop, network.BATCH)
        cells = learning.learn(cells, network.COURSE, network.loss_on, pool.batch, *how)
        halfway(cells, folder / CELLS)
        network.export(cells, folder / CELLS)
        scenes = [PoolPart([scene for _, scene in kind], share, retouch) for kind, share, retouch in kinds]
        close_ups = Pool(scenes, random_example, namer.BATCH)
        second = namer.TrainedNamer()
        go_on(second, folder / NAMES)
        second = learning.learn(second, namer.COURSE, namer.loss_on, close_ups.batch, *how)
        halfway(second, folder / NAMES)
        namer.export(second, folder / NAMES)
        stacks = [part._replace(sources=[scene for scene in part.sources if has_stack(scene)]) for part in scenes]
        third = band_net.TrainedBandNet()
        go_on(third, folder / BANDS)
        levels = Pool(stacks, random_bands, band_net.BATCH)
        third = learning.learn(third, band_net.COURSE, band_net.loss_on, levels.batch, *how)
        halfway(third, folder / BANDS)
        band_net.export(third, folder / BANDS)
        self.fits(known, folder, start)
        groups = {one.picture.group for one in known}
        keep_tones([table for table in self.shown if table.group in groups], folder / TONES)

    def _kinds(self, known: Sequence[Known]) -> list[tuple[Sequence[Known], float, Retouch | None]]:
        """All pictures by kind, the kind's share, and whether it is shown on other tables too."""
        return [(known, LABELED, self.retouch), (self.traced, TRACED, None), (self.drawn, DRAWN, None)]

    def _how(self, seed: int) -> tuple[float, int, int]:
        return self.minutes, self.steps, seed


def main() -> None:
    """Read the arguments, train, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--drawn", type=int, default=1200, help="drawn pictures")
    parser.add_argument("--traced", type=int, default=0, help="traced pictures")
    parser.add_argument("--traced-in", type=Path, default=Path("traced"), help="the folder that keeps them")
    parser.add_argument("--blender", default="blender", help="Blender, or a Python with its module bpy")
    parser.add_argument("--minutes", type=float, default=30, help="at most, for each of the nets")
    parser.add_argument("--steps", type=int, default=6000, help="at most, for each of the nets")
    parser.add_argument("--anew", action="store_true", help="begin with random weights")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    try:
        pictures = list(load(args.folders))
    except BadFile as error:
        parser.error(str(error))
    if args.anew:
        for name in FILES:
            (args.out / name).unlink(missing_ok=True)
    processes = os.cpu_count() or 1
    drawn = list(drawn_sheets(args.drawn, processes))
    traced = list(traced_sheets(args.traced_in, args.traced, args.blender, processes)) if args.traced else []
    lines = list(drawn_contours(min(args.drawn, CONTOURS), processes))
    shown = list(tone_tables(args.folders))
    training = Training(drawn, traced, lines, args.minutes, args.steps, args.seed, shown)
    # What `--out` keeps has seen every table, so it is no beginning for nets that are to be without some.
    start, kept = args.out / "start.npz", args.out / contours.FILE
    training.begin(start)
    known = labeled_scenes(pictures, ContourNet(kept if kept.is_file() else start))
    groups = sorted({one.picture.group for one in known})
    for at in range(0, len(groups) if args.folds else 0, TOGETHER):
        out = groups[at : at + TOGETHER]
        print("without", ", ".join(out))
        places = [args.folds / group.replace(" ", "-") for group in out]
        training.finish([one for one in known if one.picture.group not in out], places[0], start)
        for place in places[1:]:
            place.mkdir(parents=True, exist_ok=True)
            for file in FILES:
                (place / file).write_bytes((places[0] / file).read_bytes())
    training.finish(known, args.out, start)
    start.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
