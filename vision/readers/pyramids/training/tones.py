"""Training of the tones of pieces: `python -m vision.readers.pyramids.training.tones FOLDER... [--out FOLDER]`.

Fitted by least squares to labeled pictures of tables whose sampler was shown, each beside its sampler; other trained
files stay.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from vision.calibration.taught import KnownTone
from vision.image.picture import read_picture
from vision.readers.pyramids import contours
from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.contours import ContourNet
from vision.readers.pyramids.sampler import learned_colors, samples
from vision.readers.pyramids.tones import (
    FILE,
    KINDS,
    RIM,
    STEP,
    TOP,
    ToneModel,
    kinds_of,
    load_tones,
    table_tones,
    tones,
)
from vision.readers.pyramids.training.labels import Labeled, load, turned
from vision.registration.registered_image import find_table

Floats = NDArray[Any]

_SPARSE = 4
"""Every so many pictures of a game are looked at: they are much alike."""
_TABLES = 3
"""Fewer do not say how tables differ."""
_CALM = 1e-3
"""Added to variances: no tone is known better."""
_PIECE = np.diag([0.1, 0.01, 0.02])
"""How lone pieces of one color differ, before that is fitted."""
_ABOVE, _BELOW = 1, 2
_MADE_OF = {TOP: (_BELOW,), STEP: (_ABOVE, _BELOW), RIM: (_ABOVE, _BELOW)}
"""The sources of light in each kind of level, beside its own color."""


class SeenLevel(NamedTuple):
    """One level of a labeled thing."""

    kind: int
    colors: tuple[int, int, int]
    """Its own, that of the level above and of the one below; its own again where there is none."""
    tone: Floats
    """(3,)."""


class ToneTable(NamedTuple):
    """A table whose sampler was shown."""

    group: str
    """See `Labeled.group`."""
    known: tuple[KnownTone, ...]
    levels: tuple[SeenLevel, ...]


def tone_tables(folders: Sequence[Path]) -> Iterator[ToneTable]:
    """Those of the folders that name a sampler, as the project's own nets find its pieces and turn labeled stacks."""
    net = ContourNet(WEIGHTS / contours.FILE)
    for folder in folders:
        about = next((path for name in ("sequence", "table") if (path := folder / f"{name}.json").is_file()), None)
        sampler = None if about is None else json.loads(about.read_text()).get("calibration", {}).get("sampler")
        if sampler is None:
            continue
        pictures = [one for one in load([folder]) if one.name != Path(sampler["file"]).stem]
        calibration = pictures[0].table.calibration
        assert calibration is not None
        rows = [[Pyramid(one["color"], one["size"]) for one in row] for row in sampler["rows"]]
        table = find_table(read_picture(folder / sampler["file"]), calibration.mat, calibration=calibration)
        known = learned_colors(samples(table, calibration.empty, rows)).tones
        some = pictures[::_SPARSE] if about is not None and about.stem == "sequence" else pictures
        yield ToneTable(pictures[0].group, known, tuple(level for one in some for level in levels(one, net)))


def levels(labeled: Labeled, net: ContourNet) -> Iterator[SeenLevel]:
    """All levels of a labeled picture of which enough is seen."""
    things, table = turned(labeled, net), labeled.table
    seen = tones([[thing.place] for thing in things], [], table.picture, table.pose, table.light)
    for thing, (tone,) in zip(things, seen, strict=True):
        names = [PYRAMID_COLORS.index(color) for color in thing.colors]
        for at, kind in enumerate(kinds_of(thing.place)):
            above, below = names[min(at + 1, len(names) - 1)], names[max(at - 1, 0)]
            if np.isfinite(tone[at]).all():
                yield SeenLevel(int(kind), (names[at], above, below), tone[at])


def fitted(known: Sequence[ToneTable]) -> ToneModel:
    """Tones as they differ from table to table, and what levels are made of."""
    seen = np.array([[one.tone if one.pieces else (np.nan,) * 3 for one in table.known] for table in known])
    usual = np.nanmean(seen, axis=0)
    shared = np.nanmean(seen - usual, axis=1)
    own = (seen - usual - shared[:, None]).reshape(-1, 3)
    model = ToneModel(
        usual,
        np.cov(shared.T) + _CALM * np.eye(3),
        np.cov(own[np.isfinite(own).all(axis=1)].T) + _CALM * np.eye(3),
        np.tile([0.0, 1.0, 0.0, 0.0], (KINDS, 1)),
        np.tile([1.0, 0.0, 0.0], (KINDS, 1)),
        np.tile(_PIECE, (KINDS, 1, 1)),
    )
    tone = [table_tones(table.known, model).tones for table in known]
    for kind in range(KINDS):
        some = [(at, level) for at, table in enumerate(known) for level in table.levels if level.kind == kind]
        if some:
            parts = np.array([_parts(tone[at], level.colors) for at, level in some])
            _fit(model, kind, parts, np.array([level.tone for _, level in some]))
    return model


def _parts(own: Floats, colors: tuple[int, int, int]) -> Floats:
    """(3, 3) the lone tone of a level, and how those of its neighbors differ from it."""
    tone, above, below = own[list(colors)]
    return np.stack([tone, above - tone, below - tone])


def _fit(model: ToneModel, kind: int, parts: Floats, told: Floats) -> None:
    """Fills in what levels of a kind are made of: (N, 3, 3) `_parts` and the tones (N, 3) that were seen."""
    used = [0, *_MADE_OF.get(kind, ())]
    light = np.column_stack([np.ones(len(parts)), parts[:, used, 0]])
    model.lightness[kind, [0, *(1 + part for part in used)]] = np.linalg.lstsq(light, told[:, 0], rcond=None)[0]
    hue = parts[:, used, 1:].transpose(0, 2, 1).reshape(-1, len(used))
    model.hue[kind, used] = np.linalg.lstsq(hue, told[:, 1:].reshape(-1), rcond=None)[0]
    made = np.column_stack(
        [
            model.lightness[kind, 0] + parts[..., 0] @ model.lightness[kind, 1:],
            np.einsum("npa,p->na", parts[..., 1:], model.hue[kind]),
        ]
    )
    model.spread[kind] = (told - made).T @ (told - made) / len(told) + _CALM * np.eye(3)


def keep_tones(known: Sequence[ToneTable], file: Path) -> None:
    """Fits and writes it for `vision.readers.pyramids.tones.load_tones`; with few tables the file stays."""
    model = fitted(known) if len(known) >= _TABLES else load_tones(WEIGHTS / FILE)
    np.savez(file, **model._asdict())


def main() -> None:
    """Read the arguments, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    known = list(tone_tables(args.folders))
    keep_tones(known, args.out / FILE)
    print(f"tones: {sum(len(table.levels) for table in known)} levels on {len(known)} tables")


if __name__ == "__main__":
    main()
