"""Fits how well a table will be read: `python -m bench.pyramid_forecast [--tables N] [--labeled FOLDER...]`.

Reads drawn tables of every family, and labeled folders as `bench.pyramid_tables` has them, and fits the share of things
that are read right to the view, the print and the light, by kind of thing. Prints for each table left out the forecast
beside the truth. Stacks of more than `TALLEST` levels are left out: few games build them. The mix of kinds is that of
the labeled folders. One table of each family and eight folders take ten minutes of CPU.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from bench.pyramid_cloths import read_still, truth_of
from bench.pyramid_tables import labeled
from companion.core.foundation.errors import CompanionError
from companion.core.plan import Mat
from simulation.drawn.presence import fitted as logistic
from simulation.drawn.shown_tables import shown_table
from vision.calibration.calibration import Calibration
from vision.image.picture import read_picture
from vision.readers.pyramids.forecast import CONDITIONS, FILE, KINDS, Forecast, conditions_of
from vision.readers.pyramids.training.drawn.tables import NAMES
from vision.registration.registered_image import find_table
from vision.setup.calibrating import calibrate

Floats = NDArray[Any]

NEAR_MM = 10.0
TALLEST = 3


class Case(NamedTuple):
    """One thing on a table."""

    kind: str
    conditions: Floats
    right: bool


def cases_of(truth: Mapping[str, Any], seen: Mapping[str, Any], conditions: Floats) -> Iterator[Case]:
    """Yields all things of a picture, and whether each was read right: size, color and number of levels."""
    for group in ("stacks", "lying"):
        for one in truth[group]:
            pieces = _pieces(one)
            if len(pieces) > TALLEST:
                continue
            away = [float(np.hypot(other["x"] - one["x"], other["y"] - one["y"])) for other in seen[group]]
            near = int(np.argmin(away)) if away else 0
            right = bool(away) and away[near] < NEAR_MM and _pieces(seen[group][near]) == pieces
            yield Case(kind_of(pieces, group == "lying"), conditions, right)


def kind_of(pieces: Sequence[tuple[str, str]], lies: bool) -> str:
    """Returns the kind of a thing."""
    if lies:
        return KINDS[1]
    if len(pieces) == 1:
        return KINDS[0]
    same = any(one[0] == other[0] for one, other in pairwise(pieces))
    return KINDS[3] if same else KINDS[2]


def _pieces(one: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(piece["color"], piece["size"]) for piece in one.get("pieces", [one])]


def drawn_cases(family: str, seed: int, stills: int, keep: Path | None) -> list[Case]:
    """Returns a case for each thing in all pictures of one drawn table."""
    table = shown_table(family, seed, stills, keep)
    try:
        calibration = table.calibration()
        conditions = conditions_of(calibration.empty)
        return [
            case
            for picture, things in table.stills
            for case in cases_of(truth_of(things), read_still(picture, table, calibration), conditions)
        ]
    except CompanionError as error:
        click.echo(f"{family}, seed {seed}: {error}")
        return []


def labeled_cases(folder: Path) -> list[Case]:
    """Of a folder with an empty picture and labeled ones."""
    about, pictures = labeled(folder)
    size = about["mat"]
    mat = Mat(size["width_mm"], size["height_mm"], size["marker_mm"])
    calibration = calibrate("pyramids", mat, [read_picture(folder / "empty.jpg")]).calibration
    conditions = conditions_of(calibration.empty)
    return [case for path, truth in pictures for case in cases_of(truth, _read(path, mat, calibration), conditions)]


def _read(path: Path, mat: Mat, calibration: Calibration) -> dict[str, Any]:
    from vision.readers.pyramids.reader import read

    found = find_table(read_picture(path), mat, calibration=calibration)
    return read(found.picture, found.pose, found.light, found.mat, empty=calibration.empty).scene.truth()


def fitted(cases: Sequence[Case], mix: Mapping[str, float]) -> Forecast:
    """Returns the model under which the readings are likeliest; what a kind lacks is taken from all things."""
    weights = {}
    for kind in KINDS:
        rows = [(np.array([1.0, *case.conditions]), case.right) for case in cases if case.kind == kind]
        both = [(row, right) for row in _corners(rows) for right in (True, False)]
        weights[kind] = logistic([*rows, *both]).weights
    return Forecast(weights, dict(mix))


def _corners(rows: Sequence[tuple[Floats, bool]]) -> list[Floats]:
    """Returns the mean of the conditions once, so that no share is fitted to 0 or 1."""
    return [np.mean([row for row, _ in rows], axis=0) if rows else np.array([1.0, *np.zeros(CONDITIONS)])]


def mix_of(cases: Sequence[Case]) -> dict[str, float]:
    """Returns the share of each kind."""
    counts = Counter(case.kind for case in cases)
    return {kind: round(counts[kind] / len(cases), 3) for kind in KINDS}


def held_out(by_table: Mapping[str, Sequence[Case]]) -> Iterator[str]:
    """Yields for each table its share, and the forecast of a fit to tables of other families; at last the mean
    error.
    """
    errors, constant = [], []
    all_cases = [case for cases in by_table.values() for case in cases]
    mean = float(np.mean([case.right for case in all_cases]))
    for name, cases in by_table.items():
        family = name.rsplit(" ", 1)[0]
        others = [case for other, some in by_table.items() if other.rsplit(" ", 1)[0] != family for case in some]
        model = fitted(others, mix_of(cases))
        share, foreseen = float(np.mean([case.right for case in cases])), model.share(cases[0].conditions)
        errors.append(abs(share - foreseen))
        constant.append(abs(share - mean))
        yield f"{name:28s} right {share:.3f}, forecast {foreseen:.3f}"
    yield f"mean error {np.mean(errors):.3f}, of one number for all {np.mean(constant):.3f}"


@click.command()
@click.option("--tables", default=1, show_default=True, help="Drawn tables of each family.")
@click.option("--stills", default=2, show_default=True, help="Pictures of each.")
@click.option("--seed", default=1001, show_default=True, help="Of the first table.")
@click.option("--families", default=",".join(NAMES), show_default=True, help="Families, with commas between them.")
@click.option("--labeled", "folders", multiple=True, type=click.Path(path_type=Path, exists=True), help="Repeatable.")
@click.option("--keep", type=click.Path(path_type=Path), help="A folder for the drawn pictures.")
@click.option(
    "-o", "out", type=click.Path(path_type=Path), default=FILE, show_default=True, help="Where it is written."
)
def main(
    tables: int, stills: int, seed: int, families: str, folders: Sequence[Path], keep: Path | None, out: Path
) -> None:
    """Fit how well a table will be read."""
    by_table: dict[str, list[Case]] = {}
    for family in families.split(","):
        for one in range(seed, seed + tables):
            if cases := drawn_cases(family, one, stills, keep):
                by_table[f"{family} {one}"] = cases
    shown = {folder.name: labeled_cases(folder) for folder in folders}
    for line in held_out({**by_table, **shown}):
        click.echo(line)
    every = [case for cases in (*by_table.values(), *shown.values()) for case in cases]
    games = [case for cases in shown.values() for case in cases]
    out.write_bytes(msgspec.json.encode(fitted(every, mix_of(games or every))) + b"\n")
    click.echo(str(out))


if __name__ == "__main__":
    main()
