"""Learns the colors and the odds of dice: `python -m vision.readers.dice.training FOLDER... [--out FILE] [--hold-out
table]`.

Each folder holds labeled pictures of dice (`NAME.jpg` beside `NAME.json`). The result is three sets of a few numbers,
see `learned`. With `--hold-out` no file is written; instead each table (or light) is read with numbers learned from all
the others, and the errors are printed: these forecast the reading of a new table.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from companion.core.pieces import WHEEL
from companion.core.plan import Mat
from vision.image.picture import read_picture
from vision.readers.dice.candidates import LEVEL_MM, DieCandidate, candidates
from vision.readers.dice.choice import KINDS, chances, choose, features, kind_of
from vision.readers.dice.faces import FLOOR
from vision.readers.dice.naming import Colors
from vision.readers.dice.palette import FILE, LearnedDice, Palette, learned, save
from vision.readers.dice.plane import tray_plane
from vision.readers.dice.reader import decide
from vision.readers.dice.solids import Floats
from vision.registration.registered_image import RegisteredImage, find_table

_NEAR_MM = 3.0
_SAME_MM = 8.0
"""Candidates closer than this in millimeters to a die of their kind, but not at it, are not used for learning."""
_DIM = 0.8
"""The brightness of white from which a camera shows too little of bright colors to learn from."""
_FAR_LOG_ODDS = 5.0
"""A candidate with log odds below minus this is not a die anyway."""
_PULL = 1.0
"""The strength of the pull of weights to zero."""


class LabeledDie(Struct, frozen=True):
    """A labeled picture with its candidates for dice."""

    name: str
    groups: Mapping[str, str]
    """"table" and "light" as the label names them."""
    table: RegisteredImage
    dice: tuple[dict[str, Any], ...]
    found: tuple[DieCandidate, ...]


def load(folder: Path) -> list[LabeledDie]:
    """Returns every labeled picture of a folder."""
    pictures = []
    for path in sorted(folder.glob("*.json")):
        label = json.loads(path.read_text())
        mat = label["mat"]
        corners = mat["corners_px"] if len(mat["visible_ids"]) < 4 else None
        table = find_table(
            read_picture(path.with_name(label["image"])),
            Mat(mat["width_mm"], mat["height_mm"], mat["marker_mm"]),
            corners,
        )
        groups = {"table": label["table"], "tray": label["table"].split(" on ")[0], "light": label["light"]}
        dice = tuple(label["truth"]["dice"])
        pictures.append(
            LabeledDie(label["image"], groups, table, dice, tuple(candidates(table, tray_plane(table, LEVEL_MM))))
        )
    return pictures


def matched(picture: LabeledDie, candidate: DieCandidate) -> tuple[dict[str, Any] | None, float]:
    """Returns the nearest labeled die of the candidate's kind, and its distance in millimeters."""
    place, kind = candidate.place, kind_of(candidate)
    gaps = [(math.hypot(d["x"] - place.x_mm, d["y"] - place.y_mm), k) for k, d in enumerate(picture.dice)]
    gap, k = min((one for one in gaps if picture.dice[one[1]]["kind"] == kind), default=(math.inf, -1))
    return (picture.dice[k] if gap < _NEAR_MM else None), gap


def learn_palette(pictures: Sequence[LabeledDie], before: Palette) -> Palette:
    """Returns the palette: medians of the top faces of labeled dice within the camera's range."""
    seen: dict[str, list[Floats]] = defaultdict(list)
    bright: dict[str, list[Floats]] = defaultdict(list)
    for picture in pictures:
        for candidate in picture.found:
            die, _ = matched(picture, candidate)
            if die is None or candidate.pips is not None or candidate.faces[0].dazzled > 0.3:
                continue
            white = picture.table.light.white(np.array([[candidate.place.x_mm, candidate.place.y_mm]]))
            (seen if white.max() < _DIM else bright)[die["face"]].append(np.log(candidate.faces[0].color + FLOOR))
    shares = []
    for k, color in enumerate(WHEEL):
        logs = seen[color] or bright[color]
        if logs:
            b, g, r = (max(float(v), 0.002) for v in np.exp(np.median(logs, axis=0)) - FLOOR)
            shares.append((round(b, 4), round(g, 4), round(r, 4)))
        else:
            shares.append(before.shares[k])
    return Palette(tuple(shares), before.top_sigma, before.side_sigma)


def learn_odds(pictures: Sequence[LabeledDie], palette: Palette) -> dict[str, tuple[float, ...]]:
    """Returns the weights of logistic regressions, one for each kind."""
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    answers: dict[str, list[bool]] = defaultdict(list)
    for picture in pictures:
        for candidate in picture.found:
            die, gap = matched(picture, candidate)
            if die is None and gap < _SAME_MM:
                continue
            colors = None if candidate.pips else Colors(picture.table, candidate, palette)
            rows[kind_of(candidate)].append(features(candidate, colors))
            answers[kind_of(candidate)].append(die is not None)
    return {kind: logistic(np.array(rows[kind]), np.array(answers[kind])) for kind in KINDS}


def logistic(rows: Floats, answers: Floats) -> tuple[float, ...]:
    """Returns the weights of the columns and a constant, by Newton's method with a weak pull to zero."""
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    design = np.column_stack([(rows - mean) / scale, np.ones(len(rows))])
    weights = np.zeros(design.shape[1])
    pull = _PULL * np.append(np.ones(rows.shape[1]), 0.0)
    for _ in range(60):
        likely = 1 / (1 + np.exp(-design @ weights))
        curve = (design * (likely * (1 - likely))[:, None]).T @ design + np.diag(pull) + 1e-9 * np.eye(len(weights))
        weights = weights - np.linalg.solve(curve, design.T @ (likely - answers) + pull * weights)
    plain = weights[:-1] / scale
    return (*(round(float(w), 4) for w in plain), round(float(weights[-1] - (plain * mean).sum()), 4))


def learn(pictures: Sequence[LabeledDie], before: LearnedDice) -> LearnedDice:
    """Returns all learned numbers but the odds of pips of any color."""
    palette = learn_palette(pictures, before.palette)
    return centered(pictures, LearnedDice(palette, {**before.odds, **learn_odds(pictures, palette)}))


def centered(pictures: Sequence[LabeledDie], numbers: LearnedDice) -> LearnedDice:
    """Returns the numbers with odds that are even halfway between the lowest die and the highest remaining non-die.

    Most non-dice compete with a die at the same place and lose there, so plain odds are too strict.
    """
    yes: dict[str, list[float]] = {kind: [] for kind in KINDS}
    no: dict[str, list[float]] = {kind: [-_FAR_LOG_ODDS] for kind in KINDS}
    for picture in pictures:
        for one in choose(picture.table, chances(picture.table, picture.found, numbers), -_FAR_LOG_ODDS):
            _, gap = matched(picture, one.chance.candidate)
            (yes if gap < _SAME_MM else no)[one.chance.kind].append(one.chance.log_odds)
    odds = dict(numbers.odds)
    for kind in KINDS:
        *weights, constant = numbers.odds[kind]
        low, high = max(no[kind]), float(np.percentile(yes[kind], 1)) if yes[kind] else 0.0
        odds[kind] = (*weights, round(constant - (low + high) / 2, 4))
    return LearnedDice(numbers.palette, odds)


def errors(picture: LabeledDie, numbers: LearnedDice) -> tuple[list[str], int]:
    """Returns the wrong readings of a picture, and the number of dice that are read right."""
    told = []
    left = list(decide(picture.table, chances(picture.table, picture.found, numbers)))
    right = 0
    for die in picture.dice:
        near = [d for d in left if math.hypot(die["x"] - d.place.x_mm, die["y"] - d.place.y_mm) < _SAME_MM]
        name = f"{die['kind']} {die['face']}"
        if not near:
            told.append(f"{picture.name}: {name} at {die['x']:.0f}, {die['y']:.0f} missed")
            continue
        one = near[0]
        left.remove(one)
        if (one.die.kind, one.die.face) == (die["kind"], die["face"]):
            right += 1
        else:
            told.append(
                f"{picture.name}: {name} at {die['x']:.0f}, {die['y']:.0f} read as {one.die.kind} {one.die.face} "
                f"({one.sighting.confidence:.2f})"
            )
    for one in left:
        told.append(
            f"{picture.name}: {one.die.kind} {one.die.face} at {one.place.x_mm:.0f}, {one.place.y_mm:.0f} invented "
            f"({one.sighting.confidence:.2f})"
        )
    return told, right


def hold_out(pictures: Sequence[LabeledDie], group: str, before: LearnedDice) -> None:
    """Reads each group with numbers learned without it, and prints errors and shares."""
    right = wanted = given = whole = 0
    for value in sorted({p.groups[group] for p in pictures}):
        numbers = learn([p for p in pictures if p.groups[group] != value], before)
        for picture in pictures:
            if picture.groups[group] != value:
                continue
            told, good = errors(picture, numbers)
            print(*told, sep="\n", end="\n" if told else "")
            right, wanted = right + good, wanted + len(picture.dice)
            given += good + sum("missed" not in line for line in told)
            whole += not told
    print(
        f"each {group} read by what the others taught: dice F1 {2 * right / (wanted + given):.4f} of {wanted}, "
        f"whole pictures {whole / len(pictures):.4f} of {len(pictures)}"
    )


def main() -> None:
    """Reads the arguments and the pictures, then learns and writes, or checks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--hold-out", choices=("table", "tray", "light"))
    args = parser.parse_args()
    pictures = [picture for folder in args.folders for picture in load(folder)]
    before = learned()
    if args.hold_out:
        hold_out(pictures, args.hold_out, before)
        return
    save(learn(pictures, before), args.out)
    print(f"learned from {len(pictures)} pictures with {sum(len(p.dice) for p in pictures)} dice: {args.out}")


if __name__ == "__main__":
    main()
