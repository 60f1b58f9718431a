"""The reliability of guesses: the reader's probabilities as they come true on tables that its nets have not seen.

Nets are as sure of themselves as the pictures made them from which they learned. Their reliability depends on the thing
and the view: from above a medium between a large and a small of its color is invisible, so a large that reads alone in
a tree is right less often than the reader says. So the probabilities of all guesses at a place are set anew by a
conditional logit model, and those of colors by a temperature; docs/accuracy.md has the figures, and `python -m
simulation.drawn.sureness` fits both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.foundation.kept_file import decode_json
from vision.image.pose import Pose
from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.hypothesis import Projector, StackHypothesis
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined

Floats = NDArray[Any]

FILE = WEIGHTS / "sureness.json"
FLOOR = 1e-4
"""No guess is held for less likely than this: any reader may be wrong once in ten thousand places."""
TALLEST = 4
"""The number of pieces of the tallest stacks that are distinguished by their sizes; taller ones are rare."""
ABOVE_DEG, ASIDE_DEG = 25.0, 40.0
"""Up to here, and from here on, a camera looks from above and from aside at a place: away from straight above it."""
ANYWHERE = "anywhere"
"""The kind of zone without given zones."""


class Circumstances(Struct, frozen=True):
    """Under which a place is read."""

    zone: str
    """The kind of the zone that it is in: "trees", "stalks" or "supply", or `ANYWHERE`."""
    view: str
    """From where it is seen: "from above", "between" or "from aside"."""
    table: str
    """The knowledge of the table: "plain", or "beside" a picture of it without pieces."""

    def terms_by_option(self, guesses: Sequence[Rival]) -> list[tuple[str, ...]]:
        """The names of the terms that count for each guess, the reader's best one first, and for none of them.

        The last term of each is the same: its slope makes the reader surer, or less sure, of all of them.
        """
        best = guesses[0]
        options = [self._terms_of(guess) for guess in guesses]
        options.append(self._terms(f"other than {shape_of(best.place)}"))
        return [(*terms, f"all beside {kind_of(best)}, {self.zone}, {self.view}") for terms in options]

    def _terms_of(self, guess: Rival) -> tuple[str, ...]:
        shape = shape_of(guess.place)
        colored = (f"{shape}, {_colored(guess)}",) if len(guess.place.sizes) > 1 else ()
        return (*self._terms(shape), *colored)

    def _terms(self, shape: str) -> tuple[str, ...]:
        return shape, f"{shape}, {self.zone}", f"{shape}, {self.view}", f"{shape}, {self.table}"


class Sureness(Struct, frozen=True, forbid_unknown_fields=True):
    """The reliability of the reader. Unknown kinds are believed."""

    terms: Mapping[str, tuple[float, float]] = {}
    """By name, level and slope: each term of a guess adds level + slope * log(its probability) to its log odds."""
    kept: Mapping[str, float] = {}
    """By kind of the best guess, the probability that a piece of it is there if no guess at its place is right."""
    temperatures: Mapping[str, float] = {}
    """By what kind of level a color is seen on and from where, what its log likelihoods count."""

    def of(self, found: FoundPieces, pose: Pose, zone: str, beside: bool) -> FoundPieces:
        """The same thing with the probabilities of its guesses and colors as they come true; the likeliest guess first.

        Args:
            zone: As `Circumstances.zone`.
            beside: True if the empty table is known.
        """
        here = Circumstances(zone, view_of(found.place, pose), "beside" if beside else "plain")
        return self.under(found, here, pose)

    def under(self, found: FoundPieces, here: Circumstances, pose: Projector) -> FoundPieces:
        """The same, where the circumstances are known."""
        guesses = merged_guesses([found.as_rival(), *found.rivals])
        now = [
            replace(guess, confidence=chance, color_logs=self.color_logs(guess, here))
            for guess, chance in zip(guesses, self.chances(guesses, here), strict=True)
        ]
        first, *rivals = sorted(now, key=lambda guess: -guess.confidence)
        outline = (found.outline_px, found.box) if first.place == found.place else outlined(first.place, pose)
        kept = self.kept.get(kind_of(guesses[0]), 0.0)
        return FoundPieces(
            first.place, first.confidence, tuple(rivals), (), first.color_logs, *outline, first.tones, kept=kept
        )

    def chances(self, guesses: Sequence[Rival], here: Circumstances) -> list[float]:
        """The probability of each guess, the reader's best one first; what they leave open is that none is right."""
        told = [guess.confidence for guess in guesses]
        logs = []
        for chance, names in zip([*told, 1 - sum(told)], here.terms_by_option(guesses), strict=True):
            log = math.log(max(chance, FLOOR))
            terms = [self.terms[name] for name in names if name in self.terms]
            logs.append(log + sum(level + slope * log for level, slope in terms))
        most = max(logs)
        share = [math.exp(log - most) for log in logs]
        return [one / sum(share) for one in share[:-1]]

    def color_logs(self, guess: Rival, here: Circumstances) -> Floats:
        """(levels, 10) log likelihoods of a guess's colors."""
        names = [f"{level}, {here.view}" for level in levels_of(guess)]
        return np.asarray(guess.color_logs * np.array([[self.temperatures.get(name, 1.0)] for name in names]))


def merged_guesses(guesses: Sequence[Rival]) -> list[Rival]:
    """Returns the guesses, most confident first, each combination of sizes once.

    Two looks at one thing may give the same guess at two places: the likelier place stays, and the confidences add up.
    """
    found: dict[tuple[tuple[str, ...], bool], Rival] = {}
    for guess in sorted(guesses, key=lambda one: -one.confidence):
        same = found.setdefault((guess.place.sizes, guess.place.lies), guess)
        if same is not guess:
            found[guess.place.sizes, guess.place.lies] = replace(same, confidence=same.confidence + guess.confidence)
    return list(found.values())


def load_sureness(path: Path = FILE) -> Sureness:
    """Loads the fitted model."""
    return decode_json(path.read_bytes(), Sureness)


def shape_of(place: StackHypothesis) -> str:
    """The sizes of a guess from the lowest up, as words: "large medium", "small lying"."""
    if place.lies:
        return f"{place.sizes[0]} lying"
    return " ".join(place.sizes) if len(place.sizes) <= TALLEST else "taller"


def kind_of(guess: Rival) -> str:
    """The kind of a guess: shapes of equal difficulty."""
    sizes = guess.place.sizes
    if guess.place.lies:
        return "lying"
    return f"{sizes[0]} alone" if len(sizes) == 1 else f"{_height(guess.place)} of {_colored(guess)}"


def _colored(guess: Rival) -> str:
    colors = set(guess.color_logs.argmax(axis=1).tolist())
    return "one color" if len(colors) == 1 else "several colors"


def levels_of(guess: Rival) -> list[str]:
    """Returns for each level of a guess if all of it or its rim is seen, and in which kind of stack."""
    if len(guess.place.sizes) == 1:
        return ["lying" if guess.place.lies else "alone"]
    kind = kind_of(guess)
    return [*[f"rim of {kind}"] * (len(guess.place.sizes) - 1), f"top of {kind}"]


def _height(place: StackHypothesis) -> str:
    return {2: "two", 3: "three"}.get(len(place.sizes), "more")


def view_of(place: StackHypothesis, pose: Pose) -> str:
    """From where a place is seen; see `Circumstances.view`."""
    x, y, z = pose.eye_mm() - (place.x_mm, place.y_mm, 0.0)
    tilt_deg = math.degrees(math.atan2(math.hypot(x, y), z))
    return "from above" if tilt_deg < ABOVE_DEG else "between" if tilt_deg < ASIDE_DEG else "from aside"
