"""What the reader's guesses are worth, fitted: `python -m simulation.drawn.sureness FILE... --every even`.

Reads files that `python -m simulation.drawn.places` wrote, and writes the terms and temperatures of
`vision.pyramids.sureness`: those at which what stands there is likeliest, each held to what the reader says itself.
Prints the shares of `companion/observation`: what pyramids and stacks are where they are nothing that is listed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.layout import Sighting
from companion.pieces import PYRAMID_COLORS, Piece, Stack
from simulation.drawn.misreadings import kind_of as reading_of
from simulation.drawn.misreadings import line, paired
from simulation.drawn.places import PictureRead, PlaceRead, named_at, pictures_of
from vision.pyramids.assignment import share_of
from vision.pyramids.scene import Rival
from vision.pyramids.sureness import ANYWHERE, FILE, FLOOR, Sureness, kind_of, levels_of, other_than, told_apart
from vision.pyramids.zones import leveled, stacked
from vision.tracks import Track

Floats = NDArray[Any]

HELD, SIDE_HELD = 1.0, 3.0
"""How strongly terms are held to 0: those of a kind, which has many cases, and those of its circumstances. Chosen by the
likelihood of what stands on other tables."""
STEPS = 30
"""Of Newton's method, at most."""
STILL = 1e-7
"""A step that changes the loss by a smaller share of it is the last one."""
BATCH = 2000
"""So many places are weighed at once."""
TEMPERATURES = np.round(np.arange(0.2, 1.01, 0.05), 2)
"""What color likelihoods may count: never more than the reader says."""
TINY = 1e-12
"""Nothing is less likely, so that a step too far has a loss that can be compared."""


class Weighed(NamedTuple):
    """One place: what may be there, and what is."""

    terms: list[tuple[str, ...]]
    """By option, all guesses and then "none of them": the names of its terms."""
    logs: list[float]
    """By option, the logarithm of the probability that the reader gives it."""
    true: int


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--every", type=click.Choice(("seed", "even", "odd")), default="seed", help="Which games are looked at.")
@click.option(
    "-o", "out", type=click.Path(path_type=Path), default=FILE, show_default=True, help="Where it is written."
)
def main(files: Sequence[Path], every: str, out: Path) -> None:
    """Fit what guesses are worth to what stands on drawn tables."""
    pictures = list(pictures_of(files, every))
    places = [place for picture in pictures for place in picture.places]
    anywhere = [replace(place, here=replace(place.here, zone=ANYWHERE)) for place in places]
    sureness = Sureness(terms_of([*places, *anywhere]), kept_of(places), temperatures_of(places))
    out.write_bytes(msgspec.json.format(msgspec.json.encode(sureness), indent=1) + b"\n")
    click.echo(f"{len(places)} places in {len(pictures)} pictures, {len(sureness.terms)} terms: {out}")
    for kind, readings in sorted(sightings_of(pictures, sureness).items()):
        click.echo(line(kind, readings))


def sightings_of(
    pictures: Sequence[PictureRead], sureness: Sureness
) -> Mapping[str, list[tuple[Sighting, Piece | None]]]:
    """By kind of reading, what matching is told of each piece, or of each stalk as one, with what is there."""
    found: defaultdict[str, list[tuple[Sighting, Piece | None]]] = defaultdict(list)
    for picture in pictures:
        for place in picture.places:
            named = named_at(place, picture.colors, sureness)
            track = Track(tuple(f"p{level}" for level in range(len(named.levels))), named)
            there = () if place.stand is None else place.stand.pieces
            if place.here.zone == "stalks":
                one = stacked(track)
                found[reading_of(one.piece)].append((one, Stack(there) if there else None))
            else:
                found["pyramid"] += paired(leveled(track), there)
    return found


def terms_of(places: Sequence[PlaceRead]) -> Mapping[str, tuple[float, float]]:
    """Level and slope of each term, by its name."""
    weighed = [_weighed(place) for place in places]
    names = sorted({name for one in weighed for option in one.terms for name in option})
    number = {name: at for at, name in enumerate(names)}
    held = np.tile([HELD if "," not in name else SIDE_HELD for name in names], 2)
    weights = np.zeros(2 * len(names))
    here = _bent(weighed, number, weights, held)
    for _ in range(STEPS):
        step = np.linalg.solve(here.bend, here.slope)
        after = _bent(weighed, number, weights - step, held)
        while after.loss > here.loss:
            step = step / 2
            after = _bent(weighed, number, weights - step, held)
        weights = weights - step
        if here.loss - after.loss < STILL * here.loss:
            break
        here = after
    levels, slopes = weights.reshape(2, -1).round(3).tolist()
    return dict(zip(names, zip(levels, slopes, strict=True), strict=True))


class _Bent(NamedTuple):
    """The negative log likelihood of what stands at all places, at some weights, and its derivatives."""

    loss: float
    slope: Floats
    bend: Floats


def _bent(places: Sequence[Weighed], number: Mapping[str, int], weights: Floats, held: Floats) -> _Bent:
    loss, slope, bend = 0.5 * float(held @ weights**2), held * weights, np.diag(held)
    for start in range(0, len(places), BATCH):
        one = _batch(places[start : start + BATCH], number, weights)
        loss, slope, bend = loss + one.loss, slope + one.slope, bend + one.bend
    return _Bent(loss, slope, bend)


def _weighed(place: PlaceRead) -> Weighed:
    guesses = told_apart([guess.rival() for guess in place.guesses])
    kinds = [kind_of(guess) for guess in guesses]
    chances = [guess.confidence for guess in guesses]
    return Weighed(
        [place.here.terms(kind) for kind in (*kinds, other_than(kinds[0]))],
        [float(np.log(max(chance, FLOOR))) for chance in (*chances, 1 - sum(chances))],
        _true(place, guesses),
    )


def _true(place: PlaceRead, guesses: Sequence[Rival]) -> int:
    """The number of the right guess; that after the last one if none is right."""
    stand = place.stand
    right = (at for at, guess in enumerate(guesses) if stand is not None and stand.is_guessed(guess))
    return next(right, len(guesses))


def kept_of(places: Sequence[PlaceRead]) -> Mapping[str, float]:
    """By kind of the best guess, how many of its levels are there where no guess is right."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for place in places:
        guesses = told_apart([guess.rival() for guess in place.guesses])
        if _true(place, guesses) == len(guesses):
            there = Counter(() if place.stand is None else [piece.size for piece in place.stand.pieces])
            sizes = guesses[0].place.sizes
            count = counts[kind_of(guesses[0])]
            count[0] += (Counter(sizes) & there).total()
            count[1] += len(sizes)
    return {kind: round((kept + 0.5) / (levels + 1), 3) for kind, (kept, levels) in sorted(counts.items())}


def _batch(places: Sequence[Weighed], number: Mapping[str, int], weights: Floats) -> _Bent:
    which = np.repeat(np.arange(len(places)), [len(one.logs) for one in places])
    starts = np.flatnonzero(np.diff(which, prepend=-1))
    logs = np.concatenate([one.logs for one in places])
    rows = np.zeros((len(which), len(weights) // 2))
    at = 0
    for one in places:
        for terms in one.terms:
            rows[at, [number[name] for name in terms]] = 1.0
            at += 1
    rows = np.concatenate([rows, rows * logs[:, None]], axis=1)
    odds = logs + rows @ weights
    odds -= np.maximum.reduceat(odds, starts)[which]
    share = np.exp(odds)
    share /= np.add.reduceat(share, starts)[which]
    true = starts + [one.true for one in places]
    weighted = rows * share[:, None]
    means = np.add.reduceat(weighted, starts)
    slope = means.sum(axis=0) - rows[true].sum(axis=0)
    loss = -float(np.log(np.maximum(share[true], TINY)).sum())
    return _Bent(loss, slope, rows.T @ weighted - means.T @ means)


def temperatures_of(places: Sequence[PlaceRead]) -> Mapping[str, float]:
    """What color likelihoods count, by kind of level, where the sizes are guessed right."""
    seen: defaultdict[str, list[tuple[Floats, int]]] = defaultdict(list)
    for place in places:
        stand = place.stand
        right = None if stand is None else next((guess for guess in place.guesses if stand.is_guessed(guess)), None)
        if stand is None or right is None:
            continue
        rival: Rival = right.rival()
        for level, logs, piece in zip(levels_of(rival.place), rival.color_logs, stand.pieces, strict=True):
            seen[f"{level}, {place.here.table}"].append((logs, PYRAMID_COLORS.index(piece.color)))
    return {name: _temperature(cases) for name, cases in sorted(seen.items())}


def _temperature(cases: Sequence[tuple[Floats, int]]) -> float:
    logs, true = np.stack([logs for logs, _ in cases]), [color for _, color in cases]

    def loss(temperature: float) -> float:
        shares = share_of(temperature * logs)[np.arange(len(true)), true]
        return -float(np.log(np.maximum(shares, FLOOR)).sum())

    return float(min(TEMPERATURES, key=loss))


if __name__ == "__main__":
    main()
