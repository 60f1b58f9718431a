"""Reliability of the confidences of pyramids: `python -m bench.reliability FILE... --folds 5`.

Reads files that `python -m simulation.drawn.places` wrote. Of every place it asks how sure the reader is of what it
finds there, and whether that is what stands there: as the reader says by itself, and as it says once what its guesses
are worth was measured (`vision.readers.pyramids.sureness`). The expected calibration error is the mean distance between
confidence and the share that is right, over ten bins of confidence, each weighed by how much falls into it (Naeini,
Cooper and Hauskrecht 2015).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from bench.figure import Figure
from companion.core.pieces import Piece
from simulation.drawn.places import PictureRead, named_at, pictures_of, read_game
from simulation.drawn.sureness import sureness_of
from vision.readers.pyramids.sureness import Sureness, kind_of, load_sureness

BINS = 10
"""Bins of confidence, equally wide."""
LEAST = 100
"""Fewer cases say little of how large an error is: with 100 cases of which nine in ten are right, chance alone makes
about 0.03."""
ALIKE = 24
"""Seeds in a row that stay in one part: each part has every game, with and without the empty table, filmed or not."""
ASKED = 0.03
"""The largest allowed error of each kind."""
GAMES = range(70001, 70033, 2)
"""Seeds of the games that `python -m bench reliability` draws and reads."""


class Told(NamedTuple):
    """One thing that the reader tells, or one piece of it."""

    what: str
    """"wholes": all that stands or lies at a place, sizes and colors; "pieces": each of it, as heaps count them."""
    kind: str
    """The kind of what is found there: "two of one color"."""
    view: str
    table: str
    zone: str
    confidence: float
    right: bool


class Reliability(NamedTuple):
    """The calibration of the confidences of some cases."""

    cases: int
    right: float
    confidence: float
    error: float
    """The expected calibration error."""
    bins: tuple[tuple[int, float, float], ...]
    """Of each bin the number of cases, the mean confidence and the share that is right; (0, 0, 0) without cases."""

    @property
    def chance(self) -> float:
        """The error that chance alone would make, were all confidences true."""
        spread = (count * (sure * (1 - sure) / count) ** 0.5 for count, sure, _ in self.bins if count)
        return float(sum(spread) * (2 / np.pi) ** 0.5 / max(1, self.cases))


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--folds",
    type=click.IntRange(2),
    help="Part the games into so many; each part is told what was fitted to the others. Left out: what is kept in the "
    "package is taken, for games to which it was not fitted.",
)
@click.option("--svg", type=click.Path(path_type=Path), help="Draw the reliability diagram into this file.")
def main(files: Sequence[Path], folds: int | None, svg: Path | None) -> None:
    """Print how far confidences in files come true, by kind of stack and view."""
    pictures = list(pictures_of(files))
    before = [one for picture in pictures for one in told(picture, None)]
    if folds is None:
        sureness = load_sureness()
        after = [one for picture in pictures for one in told(picture, sureness)]
    else:
        after = list(_left_out(pictures, folds))
    for what in ("wholes", "pieces"):
        click.echo(f"\n{what} | cases | right | said before | error before | said after | error after | by chance |")
        for name, (old, new) in rows(before, after, what).items():
            marked = " TOO MUCH" if new.cases >= LEAST and new.error > ASKED else ""
            click.echo(
                f"{name} | {new.cases} | {new.right:.3f} | {old.confidence:.3f} | {old.error:.3f} | "
                f"{new.confidence:.3f} | {new.error:.3f} | {new.chance:.3f} |{marked}"
            )
    if svg is not None:
        svg.write_text(diagram(before, after))


def _left_out(pictures: Sequence[PictureRead], folds: int) -> Iterator[Told]:
    """Yields everything that pictures are said to show, calibrated on the games of the other parts."""
    for part in range(folds):
        inside, outside = [], []
        for picture in pictures:
            (inside if picture.seed // ALIKE % folds == part else outside).append(picture)
        sureness = sureness_of(outside)
        for picture in inside:
            yield from told(picture, sureness)


def figures() -> Iterator[Figure]:
    """Yields the error of all confidences together on drawn tables that nothing was fitted to."""
    sureness = load_sureness()
    cases = [one for seed in GAMES for picture in read_game(seed) for one in told(picture, sureness)]
    for what in ("wholes", "pieces"):
        these = [(one.confidence, one.right) for one in cases if one.what == what]
        yield Figure(f"expected calibration error of {what}", reliability(these).error, "", at_most=ASKED)


def rows(before: Sequence[Told], after: Sequence[Told], what: str) -> Mapping[str, tuple[Reliability, Reliability]]:
    """Returns how confidences came true before and after, by kind, by kind and view, and by all circumstances."""
    keys: tuple[Callable[[Told], str], ...] = (
        lambda one: "all",
        lambda one: one.zone,
        lambda one: one.kind,
        lambda one: f"{one.kind}, {one.view}",
        lambda one: f"{one.kind}, {one.view}, {one.table}",
        lambda one: f"{one.kind}, {one.zone}, {one.view}",
    )
    found: dict[str, tuple[Reliability, Reliability]] = {}
    for key in keys:
        groups: tuple[defaultdict[str, list[tuple[float, bool]]], ...] = (defaultdict(list), defaultdict(list))
        for group, cases in zip(groups, (before, after), strict=True):
            for one in cases:
                if one.what == what:
                    group[key(one)].append((one.confidence, one.right))
        old, new = groups
        found |= {name: (reliability(old[name]), reliability(new[name])) for name in sorted(new)}
    return found


def reliability(cases: Sequence[tuple[float, bool]]) -> Reliability:
    """Returns how confidences, each with whether it was right, came true."""
    if not cases:
        return Reliability(0, 0.0, 0.0, 0.0, ((0, 0.0, 0.0),) * BINS)
    sure, right = np.array([one for one, _ in cases]), np.array([one for _, one in cases], float)
    which = np.minimum((sure * BINS).astype(int), BINS - 1)
    bins = []
    for k in range(BINS):
        here = which == k
        count = int(here.sum())
        bins.append((count, float(sure[here].mean()), float(right[here].mean())) if count else (0, 0.0, 0.0))
    error = sum(count * abs(said - came) for count, said, came in bins) / len(cases)
    return Reliability(len(cases), float(right.mean()), float(sure.mean()), error, tuple(bins))


def told(picture: PictureRead, sureness: Sureness | None) -> Iterator[Told]:
    """Yields everything that a picture is said to show; with None, at the reader's own uncalibrated confidence."""
    for place in picture.places:
        found, here, stand = named_at(place, picture.colors, sureness), place.here, place.stand
        about = kind_of(found.as_rival()), here.view, here.table, here.zone
        assert found.shares is not None
        colors = [float(share.max()) for share in found.shares]
        pieces = [level.piece for level in found.levels]
        right = stand is not None and stand.lies == found.place.lies and list(stand.pieces) == pieces
        yield Told("wholes", *about, found.confidence * prod(colors), right)
        left: Counter[Piece | None] = Counter(() if stand is None else stand.pieces)
        for level, color in zip(found.levels, colors, strict=True):
            there = left[level.piece] > 0
            left[level.piece] -= there
            # The reader by itself is as sure of each piece as of all sizes of its stack.
            sure = found.confidence * color if sureness is None else level.confidence
            yield Told("pieces", *about, sure, there)


KINDS = (
    "large alone",
    "medium alone",
    "small alone",
    "lying",
    "two of one color",
    "two of several colors",
    "three of one color",
    "three of several colors",
    "more of one color",
    "more of several colors",
)
"""The panels of the diagram."""
_SIDE, _GAP, _WORDS, _ACROSS = 150, 34, 46, 5
"""Of a panel in pixels: its side, what is left of it, the words above it; and so many in a row."""
_COLORS = {"before": "#b36b00", "after": "#0060b0"}


def diagram(before: Sequence[Told], after: Sequence[Told]) -> str:
    """Returns an SVG: for wholes, by kind, the share that is right by confidence; dots are as large as their bins."""
    width = _ACROSS * (_SIDE + _GAP) + _GAP
    height = -(-len(KINDS) // _ACROSS) * (_SIDE + _GAP + _WORDS) + _GAP
    style = 'font-family="sans-serif" font-size="10"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {style}>']
    parts.append(f'<rect width="{width}" height="{height}" fill="white"/>')
    for number, kind in enumerate(KINDS):
        x = _GAP + number % _ACROSS * (_SIDE + _GAP)
        y = _WORDS + number // _ACROSS * (_SIDE + _GAP + _WORDS)
        parts.append(f'<g transform="translate({x} {y})">')
        parts.append(f'<rect width="{_SIDE}" height="{_SIDE}" fill="none" stroke="#888"/>')
        parts.append(f'<line x1="0" y1="{_SIDE}" x2="{_SIDE}" y2="0" stroke="#bbb"/>')
        parts.append(f'<text y="-24" font-weight="bold">{kind}</text>')
        parts.append(f'<text y="{_SIDE + 12}">0</text><text x="{_SIDE - 28}" y="{_SIDE + 12}">said 1</text>')
        for line, (name, cases) in enumerate((("before", before), ("after", after))):
            these = [(one.confidence, one.right) for one in cases if (one.what, one.kind) == ("wholes", kind)]
            parts += _curve(name, reliability(these), line)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _curve(name: str, one: Reliability, line: int) -> Iterator[str]:
    """Yields one curve of a panel, and its error in words."""
    color = _COLORS[name]
    yield f'<text y="{10 * line - 13}" font-size="8" fill="{color}">{name}: error {one.error:.3f} of {one.cases}</text>'
    dots = [(said * _SIDE, (1 - came) * _SIDE, count / one.cases) for count, said, came in one.bins if count]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in dots)
    yield f'<polyline points="{points}" fill="none" stroke="{color}"/>'
    for x, y, share in dots:
        size = 1.5 + 6 * share**0.5
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="{color}" fill-opacity="0.5"/>'


if __name__ == "__main__":
    main()
