"""Fits the probability that anything is there: `python -m simulation.drawn.presence [--tables N] [--labeled
FOLDER...]`.

Draws tables of every family, reads them beside their empty pictures without the model, and fits the model to the truth.
Prints for each family the errors of a model that was fitted without it. `--labeled` adds folders in the format of
`bench.pyramid_tables`; `--keep` keeps the drawn pictures for another run. Two tables of each family take twelve minutes
of CPU time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np
from msgspec import field
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.foundation.errors import CompanionError
from companion.core.plan import Mat
from simulation.drawn.shown_tables import shown_table
from vision.calibration.calibration import EmptyTable
from vision.image.picture import Picture, read_picture
from vision.readers.pyramids.cells import Answers
from vision.readers.pyramids.presence import FILE, LEAST, Presence, features_of
from vision.readers.pyramids.reader import read, trained
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.sheet import RATIO, Sheet
from vision.readers.pyramids.training.drawn.tables import NAMES
from vision.registration.registered_image import find_table
from vision.setup.calibrating import calibrate

Floats = NDArray[Any]

NEAR_MM, NEAR_LYING_MM = 10.0, 20.0
"""The largest distance between a guess and its piece, for standing and for lying guesses."""
HELD = 1.0
"""The strength by which the weights of features of unit spread are held to 0."""
ROUNDS = 30


class _Recorder(Presence, frozen=True):
    """A model that lets every guess through, and records its features."""

    recorded: list[tuple[FoundPieces, Floats]] = field(default_factory=list)

    def among(
        self, found: Sequence[FoundPieces], beside: Sequence[FoundPieces], answers: Answers, seen: Floats, sheet: Sheet
    ) -> list[FoundPieces]:
        """Returns all guesses."""
        if answers.fine is not None and found:
            rows = features_of(found, beside, answers, seen[RATIO], sheet)
            self.recorded.extend(zip(found, rows, strict=True))
        return list(found)


Case = tuple[Floats, bool]
"""The features of a guess, and True if something is there."""


def cases_of(picture: Picture, mat: Mat, empty: EmptyTable, truth: Sequence[tuple[float, float]]) -> Iterator[Case]:
    """Yields the cases of a picture: the features of each guess, and True if it is near the true place of a thing."""
    recorder = _Recorder()
    table = find_table(picture, mat)
    read(table.picture, table.pose, table.light, mat, nets=replace(trained(), presence=recorder), empty=empty)
    for found, features in recorder.recorded:
        near = NEAR_LYING_MM if found.place.lies else NEAR_MM
        away = [float(np.hypot(found.place.x_mm - x, found.place.y_mm - y)) for x, y in truth]
        yield features, min(away, default=np.inf) < near


def drawn_cases(family: str, seed: int, stills: int, keep: Path | None) -> list[Case]:
    """Returns the cases of one drawn table; none if its calibration fails."""
    table = shown_table(family, seed, stills, keep)
    try:
        empty = calibrate("pyramids", table.mat, table.empties).calibration.empty
    except CompanionError as error:
        click.echo(f"{family}, seed {seed}: {error}")
        return []
    return [
        case
        for picture, things in table.stills
        for case in cases_of(picture, table.mat, empty, [(one.place.x_mm, one.place.y_mm) for one in things])
    ]


def labeled_cases(folder: Path) -> list[Case]:
    """Returns the cases of a folder with `table.json` and labeled stills."""
    size = json.loads((folder / "table.json").read_text())["mat"]
    mat = Mat(size["width_mm"], size["height_mm"], size["marker_mm"])
    empty = calibrate("pyramids", mat, [read_picture(folder / "empty.jpg")]).calibration.empty
    found: list[Case] = []
    for path in sorted(folder.glob("still-*.json")):
        truth = json.loads(path.read_text())["truth"]
        places = [(one["x"], one["y"]) for one in (*truth["stacks"], *truth["lying"])]
        found += cases_of(read_picture(path.with_suffix(".jpg")), mat, empty, places)
    return found


def fitted(cases: Sequence[Case]) -> Presence:
    """Returns the logistic model that makes the cases likeliest, fitted by Newton's method."""
    features, there = np.array([one for one, _ in cases]), np.array([float(is_there) for _, is_there in cases])
    middle, spread = features.mean(axis=0), features.std(axis=0) + 1e-6
    middle[0], spread[0] = 0, 1
    design = (features - middle) / spread
    ridge = HELD * np.diag([1e-3, *[1.0] * (design.shape[1] - 1)])
    weights = np.zeros(design.shape[1])
    for _ in range(ROUNDS):
        chances = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (chances - there) + ridge @ weights
        bend = (design * (chances * (1 - chances))[:, None]).T @ design + ridge
        weights -= np.linalg.solve(bend, slope)
    weights /= spread
    weights[0] -= float((weights[1:] * middle[1:]).sum())
    return Presence(tuple(round(float(one), 4) for one in weights))


def held_out(by_family: dict[str, list[Case]]) -> Iterator[str]:
    """Yields one line per family with the errors of a model fitted to all others, and a last line with the sums."""
    whole = np.zeros(4, np.int64)
    for family, cases in by_family.items():
        others = [case for name, some in by_family.items() if name != family for case in some]
        if not cases or not others:
            continue
        kept = fitted(others).chances(np.array([features for features, _ in cases])) >= LEAST
        there = np.array([is_there for _, is_there in cases])
        counts = np.array([(there & ~kept).sum(), there.sum(), (kept & ~there).sum(), (~there).sum()])
        yield _line(family, counts)
        whole += counts
    yield _line("all", whole)


def _line(name: str, counts: NDArray[np.int64]) -> str:
    lost, wanted, left, ghosts = counts.tolist()
    return f"{name:28s} lost {lost} of {wanted}, ghosts left {left} of {ghosts}"


@click.command()
@click.option("--tables", default=2, show_default=True, help="The number of drawn tables per family.")
@click.option("--stills", default=3, show_default=True, help="The number of pictures per table.")
@click.option("--seed", default=1001, show_default=True, help="The seed of the first table; the next ones count up.")
@click.option("--families", default=",".join(NAMES), show_default=True, help="The families, separated by commas.")
@click.option(
    "--labeled",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="A folder of a labeled table; may be repeated.",
)
@click.option("--keep", type=click.Path(path_type=Path), help="The folder in which drawn pictures are kept.")
@click.option("-o", "out", type=click.Path(path_type=Path), default=FILE, show_default=True, help="The file to write.")
def main(
    tables: int, stills: int, seed: int, families: str, labeled: Sequence[Path], keep: Path | None, out: Path
) -> None:
    """Fit the probability that anything is at a place beside the empty table."""
    by_family: dict[str, list[Case]] = {}
    for family in families.split(","):
        seeds = range(seed, seed + tables)
        by_family[family] = [case for one in seeds for case in drawn_cases(family, one, stills, keep)]
        click.echo(f"{family}: {len(by_family[family])} places")
    for folder in labeled:
        by_family[folder.name] = labeled_cases(folder)
        click.echo(f"{folder.name}: {len(by_family[folder.name])} places")
    for line in held_out(by_family):
        click.echo(line)
    found = fitted([case for cases in by_family.values() for case in cases])
    out.write_bytes(msgspec.json.encode(found) + b"\n")
    click.echo(str(out))


if __name__ == "__main__":
    main()
