"""Train the net: `python -m vision.pyramids.cells.training FOLDER... [--out FOLDER] [--folds FOLDER]`.

First it learns from drawn pictures alone, then from those and the labelled ones together, whose stacks' turns the first
net tells. `--folds` also writes, for each table of the labelled pictures, a net that never saw it, by which
`python -m bench.pyramids` measures how well a new table is read. Needs `pip install -e '.[train]'`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

import torch

from vision.pyramids.cells.answers import FILE, WEIGHTS, Net
from vision.pyramids.cells.sheet import inputs, sheet_of
from vision.pyramids.cells.training.drawings import drawn_sheets
from vision.pyramids.cells.training.labels import Labelled, load, turned
from vision.pyramids.cells.training.learning import RATE, Pool, learn
from vision.pyramids.cells.training.network import Cells, export
from vision.pyramids.cells.training.sheets import LearnedSheet, learned
from vision.pyramids.cells.training.targets import targets

TOGETHER = 2
"""Tables that are held out together, so that there are fewer nets to train."""


def labelled_sheets(pictures: Sequence[Labelled], net: Net) -> list[LearnedSheet]:
    """Sheets of labelled pictures; the net tells how stacks are turned."""
    found = []
    for one in pictures:
        table = one.table
        sheet = sheet_of(table.pose, table.mat, (table.picture.shape[1], table.picture.shape[0]))
        seen = inputs(table.picture, sheet, table.pose, table.light)
        things = turned(one, sheet, net(seen))
        found.append(learned(seen, targets(things, sheet, one.camera), one.group))
    return found


def main() -> None:
    """Read the arguments, train, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--drawn", type=int, default=1200, help="drawn pictures")
    parser.add_argument(
        "--minutes", type=float, default=60, help="for drawn pictures alone; a third for each later net"
    )
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    pool = Pool((), drawn_sheets(args.drawn, os.cpu_count() or 1), 0.0)
    pool.fill(200)
    first = learn(Cells(), pool, args.minutes, args.steps, args.seed)
    start = {name: value.clone() for name, value in first.state_dict().items()}
    export(first, args.out / "drawn.onnx")
    sheets = labelled_sheets(list(load(args.folders)), Net(args.out / "drawn.onnx"))

    def tuned(known: Sequence[LearnedSheet], path: Path) -> None:
        net = Cells()
        net.load_state_dict(start)
        both = Pool(known, iter(()), 0.4)
        both.drawn = pool.drawn
        path.parent.mkdir(parents=True, exist_ok=True)
        export(learn(net, both, args.minutes / 3, args.steps // 3, args.seed + 1, RATE / 3), path)

    groups = sorted({sheet.group for sheet in sheets})
    for at in range(0, len(groups) if args.folds else 0, TOGETHER):
        out = groups[at : at + TOGETHER]
        print("without", ", ".join(out))
        tuned([sheet for sheet in sheets if sheet.group not in out], args.folds / out[0].replace(" ", "-") / FILE)
        for other in out[1:]:
            same = args.folds / other.replace(" ", "-")
            same.mkdir(parents=True, exist_ok=True)
            (same / FILE).write_bytes((args.folds / out[0].replace(" ", "-") / FILE).read_bytes())
    tuned(sheets, args.out / FILE)
    (args.out / "drawn.onnx").unlink()


if __name__ == "__main__":
    main()
