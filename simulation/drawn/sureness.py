"""Fits the correction of the probabilities of the reader's guesses: `python -m simulation.drawn.sureness FILE...`.

Reads files that `python -m simulation.drawn.places` wrote, and writes the terms and temperatures of
`vision.readers.pyramids.sureness` that make the true stands likeliest, each held to the reader's own probabilities.
Prints the shares of `companion/referee/observation`: the true pieces behind readings that do not list them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.layout import Detection
from companion.core.pieces import PYRAMID_COLORS, Piece, Stack
from simulation.drawn.conditional_logit import Choice, fitted
from simulation.drawn.misreadings import kind_of as reading_of
from simulation.drawn.misreadings import line, paired
from simulation.drawn.places import PictureRead, PlaceRead, lacking, named_at, pictures_of
from vision.memory.tracks import Track
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.scene import Rival
from vision.readers.pyramids.sureness import ANYWHERE, FILE, FLOOR, Sureness, kind_of, levels_of, merged_guesses
from vision.readers.pyramids.zones import leveled, stacked

Floats = NDArray[Any]

HELD, SIDE_HELD = 1.0, 16.0
"""The strengths by which terms are held to 0: those of a shape, which has many cases, and those of its circumstances.
Chosen by the likelihood of the truth on other tables.
"""
LEAST = 0.02
"""Terms below this are left out."""
TEMPERATURES = np.round(np.arange(0.2, 1.01, 0.05), 2)
"""The tried weights of color log likelihoods; none exceeds the reader's own."""
USUAL, USUAL_HELD = 0.7, 8.0
"""The usual weight, and the strength by which weights are held to it, by the square of the logarithm of their ratio.
Chosen by the likelihood of colors on other tables.
"""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("-o", "out", type=click.Path(path_type=Path), default=FILE, show_default=True, help="The file to write.")
def main(files: Sequence[Path], out: Path) -> None:
    """Fit the probabilities of guesses to the true stands on drawn tables."""
    pictures = list(pictures_of(files))
    sureness = sureness_of(pictures)
    out.write_bytes(msgspec.json.format(msgspec.json.encode(sureness), indent=1) + b"\n")
    places = sum(len(picture.places) for picture in pictures)
    click.echo(f"{places} places in {len(pictures)} pictures, {len(sureness.terms)} terms: {out}")
    for kind, readings in sorted(sightings_of(pictures, sureness).items()):
        click.echo(line(kind, readings))


def sureness_of(pictures: Sequence[PictureRead]) -> Sureness:
    """Returns the correction of the guesses' probabilities, fitted to pictures."""
    places = [place for picture in pictures for place in picture.places]
    anywhere = [replace(place, here=replace(place.here, zone=ANYWHERE)) for place in places]
    return Sureness(terms_of([*places, *anywhere]), kept_of(places), temperatures_of(pictures))


def sightings_of(
    pictures: Sequence[PictureRead], sureness: Sureness
) -> Mapping[str, list[tuple[Detection, Piece | None]]]:
    """Returns the sightings that matching gets, by kind of reading, each with the true piece; a stalk is one sighting."""
    found: defaultdict[str, list[tuple[Detection, Piece | None]]] = defaultdict(list)
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
    """Returns level and slope of each term by its name."""
    choices = [_choice(place) for place in places]
    names = {name for choice in choices for option in choice.terms for name in option}
    terms = fitted(choices, {name: SIDE_HELD if "," in name else HELD for name in names})
    rounded = {name: (round(term.level, 2), round(term.slope, 2)) for name, term in terms.items()}
    return {name: term for name, term in rounded.items() if max(map(abs, term)) >= LEAST}


def _choice(place: PlaceRead) -> Choice:
    """Returns the options at a place, all guesses and then "none of them", with the true one."""
    guesses = merged_guesses([guess.rival() for guess in place.guesses])
    chances = [guess.confidence for guess in guesses]
    return Choice(
        place.here.terms_by_option(guesses),
        [float(np.log(max(chance, FLOOR))) for chance in (*chances, 1 - sum(chances))],
        _true(place, guesses),
    )


def _true(place: PlaceRead, guesses: Sequence[Rival]) -> int:
    """Returns the index of the right guess; the number of guesses if none is right."""
    stand = place.stand
    right = (at for at, guess in enumerate(guesses) if stand is not None and stand.is_guessed(guess))
    return next(right, len(guesses))


def kept_of(places: Sequence[PlaceRead]) -> Mapping[str, float]:
    """Returns, by kind of the best guess, the share of its levels that are present where no guess is right."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for place in places:
        guesses = merged_guesses([guess.rival() for guess in place.guesses])
        if _true(place, guesses) == len(guesses):
            there = Counter(() if place.stand is None else [piece.size for piece in place.stand.pieces])
            sizes = guesses[0].place.sizes
            count = counts[kind_of(guesses[0])]
            count[0] += (Counter(sizes) & there).total()
            count[1] += len(sizes)
    return {kind: round((kept + 0.5) / (levels + 1), 3) for kind, (kept, levels) in sorted(counts.items())}


def temperatures_of(pictures: Sequence[PictureRead]) -> Mapping[str, float]:
    """Returns the weights of color log likelihoods, by kind of level and view, fitted where the sizes are guessed
    right.
    """
    seen: defaultdict[str, list[tuple[Floats, int]]] = defaultdict(list)
    for picture in pictures:
        without = lacking(picture.colors)
        for place in picture.places:
            stand = place.stand
            right = None if stand is None else next((guess for guess in place.guesses if stand.is_guessed(guess)), None)
            if stand is None or right is None:
                continue
            rival: Rival = right.rival()
            for level, logs, piece in zip(levels_of(rival), rival.color_logs, stand.pieces, strict=True):
                case = logs + without, PYRAMID_COLORS.index(piece.color)
                seen[f"{level}, {place.here.view}"].append(case)
    return {name: _temperature(cases) for name, cases in sorted(seen.items())}


def _temperature(cases: Sequence[tuple[Floats, int]]) -> float:
    logs, true = np.stack([logs for logs, _ in cases]), [color for _, color in cases]

    def loss(temperature: float) -> float:
        shares = share_of(temperature * logs)[np.arange(len(true)), true]
        held = USUAL_HELD * float(np.log(temperature / USUAL)) ** 2
        return held - float(np.log(np.maximum(shares, FLOOR)).sum())

    return float(min(TEMPERATURES, key=loss))


if __name__ == "__main__":
    main()
