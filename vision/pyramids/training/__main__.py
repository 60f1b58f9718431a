"""Train the nets: `python -m vision.pyramids.training FOLDER... [--out FOLDER] [--folds FOLDER]`.

Where no weights are kept, one net first learns from drawn pictures alone where things are. It tells how the stacks of
the labeled pictures are turned and goes on with drawn and labeled pictures together; two other nets learn from both
to name what is at a place, and to tell a guessed stack by its bands. What edges of the picture count is fitted to the
labeled pictures last; `--edges` fits that alone, to the nets that are there. A later training goes on from where the
one before ended, if its `--out` holds `*.npz`; with `--anew` it does not. `--folds` also writes, for each table of the
labeled pictures, nets that never saw it, by which `python -m bench.pyramids` measures how well a new table is read.
Needs `pip install -e '.[train]'`, and `--traced` needs Blender: it adds pictures with real paths of light, which are
kept in a folder of their own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from vision.pyramids import answers, edges, naming
from vision.pyramids.answers import WEIGHTS, PyramidNet
from vision.pyramids.band_net import FILE as BANDS
from vision.pyramids.bare import seen_on
from vision.pyramids.naming import Namer
from vision.pyramids.sheet import KNOWN, LIGHT, RATIO, STRIDE, sheet_of
from vision.pyramids.training import band_net, learning, namer, network
from vision.pyramids.training.bands import has_stack, random_bands
from vision.pyramids.training.closeups import CloseupScene, random_example, scene_of
from vision.pyramids.training.drawings import drawn_sheets
from vision.pyramids.training.drawn.arrangement import colors_of
from vision.pyramids.training.edges import choices, fitted, keep_edges
from vision.pyramids.training.labels import Labeled, load, turned
from vision.pyramids.training.network import Cells
from vision.pyramids.training.pairs import guessed_empty
from vision.pyramids.training.pool import Pool, PoolPart
from vision.pyramids.training.retouch import Retouch
from vision.pyramids.training.sheets import Crop, LearnedSheet, learned, random_crop
from vision.pyramids.training.states import go_on
from vision.pyramids.training.targets import targets
from vision.pyramids.training.traced.developing import traced_sheets

TOGETHER = 3
"""Tables that are held out together, so that there are fewer nets to train."""
TOPS = 60
"""Table tops that labeled pictures are moved to."""
EDGES = 3
"""What edges count is fitted to every so many pictures: those of a game are much alike, and it has few weights."""
LABELED, TRACED, DRAWN = 0.65, 0.4, 0.35
"""Shares of labeled, traced and drawn pictures in what is learned from."""

Known = tuple[LearnedSheet, CloseupScene]


def labeled_sheets(pictures: Sequence[Labeled], net: PyramidNet) -> list[Known]:
    """Sheets of labeled pictures for all nets; the net tells how stacks are turned."""
    found = []
    for one in pictures:
        table = one.table
        sheet = sheet_of(table.pose, table.mat, (table.picture.shape[1], table.picture.shape[0]))
        empty = None if table.calibration is None else table.calibration.empty
        seen = seen_on(table.picture, sheet, table.pose, table.light, empty)
        things = turned(one, sheet, net(seen))
        true = targets(things, sheet, one.camera)
        if empty is None:
            bare = guessed_empty(seen[LIGHT], np.kron(true.piece < 0, np.ones((STRIDE, STRIDE), bool)))
            seen[RATIO], seen[KNOWN] = seen[LIGHT] - bare, 1
        whole = learned(seen, true, colors_of(things), one.group, guessed=empty is None)
        found.append((whole, scene_of(whole, things, sheet, one.camera)))
    return found


def finish_edges(pictures: Sequence[Labeled], folder: Path) -> None:
    """What edges count beside a folder's nets."""
    nets = PyramidNet(folder / answers.FILE), Namer(folder / naming.FILE)
    alone, beside = (list(choices(pictures[::EDGES], *nets, known)) for known in (False, True))
    # Where no table was shown empty, what counts without is the best that is known.
    weights = fitted(alone)
    keep_edges(edges.EdgeWeights(weights, fitted(beside) if beside else weights), folder / edges.FILE)
    print(f"edges: {len(alone)} places, {len(beside)} of them beside the empty table")


class Training:
    """The training of all nets, with or without some tables."""

    def __init__(self, drawn: Sequence[Known], traced: Sequence[Known], minutes: float, steps: int, seed: int) -> None:
        self.drawn, self.traced = drawn, traced
        self.minutes, self.steps, self.seed = minutes, steps, seed
        self.retouch = Retouch(TOPS, seed)
        self.start: Mapping[str, Tensor] = {}

    def begin(self) -> None:
        """Where things are, from drawn pictures alone: what training starts with where no weights are kept."""
        net = learning.learn(Cells(), network.COURSE, network.loss_on, self._crops(()).batch, *self._how(self.seed))
        self.start = {name: value.clone() for name, value in net.state_dict().items()}

    def cells_of(self, folder: Path) -> Cells:
        """The first net as a folder keeps it, or as it begins."""
        net = Cells()
        if self.start:
            net.load_state_dict(self.start)
        go_on(net, folder / answers.FILE)
        return net

    def finish(self, known: Sequence[Known], folder: Path) -> None:
        """All nets, with labeled pictures; they go on from the folder's own, if it has some."""
        folder.mkdir(parents=True, exist_ok=True)
        how = self._how(self.seed + 1)
        slower = network.COURSE._replace(rate=network.COURSE.rate * 0.75)
        pool = self._crops(known)
        cells = learning.learn(self.cells_of(folder), slower, network.loss_on, pool.batch, *how)
        network.export(cells, folder / answers.FILE)
        scenes = [PoolPart([scene for _, scene in kind], share, retouch) for kind, share, retouch in self._kinds(known)]
        close_ups = Pool(scenes, random_example, namer.BATCH)
        second = namer.TrainedNamer()
        go_on(second, folder / naming.FILE)
        second = learning.learn(second, namer.COURSE, namer.loss_on, close_ups.batch, *how)
        namer.export(second, folder / naming.FILE)
        stacks = [part._replace(sources=[scene for scene in part.sources if has_stack(scene)]) for part in scenes]
        third = band_net.TrainedBandNet()
        go_on(third, folder / BANDS)
        levels = Pool(stacks, random_bands, band_net.BATCH)
        third = learning.learn(third, band_net.COURSE, band_net.loss_on, levels.batch, *how)
        band_net.export(third, folder / BANDS)

    def _crops(self, known: Sequence[Known]) -> Pool[LearnedSheet, Crop]:
        parts = [PoolPart([sheet for sheet, _ in kind], share, retouch) for kind, share, retouch in self._kinds(known)]
        return Pool(parts, random_crop, network.BATCH)

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
    parser.add_argument("--edges", action="store_true", help="fit only what edges count")
    parser.add_argument("--anew", action="store_true", help="begin with random weights")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    pictures = list(load(args.folders))
    if args.edges:
        finish_edges(pictures, args.out)
        return
    if args.anew:
        for name in (answers.FILE, naming.FILE, BANDS):
            (args.out / name).unlink(missing_ok=True)
    processes = os.cpu_count() or 1
    drawn = list(drawn_sheets(args.drawn, processes))
    traced = list(traced_sheets(args.traced_in, args.traced, args.blender, processes)) if args.traced else []
    training = Training(drawn, traced, args.minutes, args.steps, args.seed)
    # What `--out` keeps has seen every table, so it is no beginning for nets that are to be without some.
    if args.folds or not (args.out / answers.FILE).is_file():
        training.begin()
    first = args.out / "turning.npz"
    network.export(training.cells_of(args.out), first)
    known = labeled_sheets(pictures, PyramidNet(first))
    first.unlink()
    groups = sorted({sheet.group for sheet, _ in known})
    for at in range(0, len(groups) if args.folds else 0, TOGETHER):
        out = groups[at : at + TOGETHER]
        print("without", ", ".join(out))
        places = [args.folds / group.replace(" ", "-") for group in out]
        training.finish([one for one in known if one[0].group not in out], places[0])
        finish_edges([one for one in pictures if one.group not in out], places[0])
        for place in places[1:]:
            place.mkdir(parents=True, exist_ok=True)
            for file in (answers.FILE, naming.FILE, BANDS, edges.FILE):
                (place / file).write_bytes((places[0] / file).read_bytes())
    training.finish(known, args.out)
    finish_edges(pictures, args.out)


if __name__ == "__main__":
    main()
