"""Fits the mistakes of readers: `python -m simulation.drawn.misreadings FILE... --every even`.

Reads files that `python -m simulation.drawn.games --record FILE` wrote, and compares every piece, when it is first
read, with the truth. Prints the constants of `companion/referee/observation` for pyramids and for stacks of each
height: the true pieces behind readings that do not list them, the joint weight of two looks at one moment, the share of
unmoved pieces that get a new place, and how much likelier an additional piece is false where everything else in its
heap was pushed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import exp, log, log10
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece, Pyramid, Stack
from companion.referee.matching.evidence import likelihood
from companion.referee.matching.merging import merged
from companion.referee.observation import FLOOR, is_one_off
from simulation.drawn.readings import GameRead, games_of
from simulation.drawn.reel import Moment, moments_of
from simulation.drawn.refereed import Setting, player_of

FAR = 9.0
"""Two pieces at this distance or more are never paired."""
STEPS = 50
"""The number of steps of Newton's method."""
PROPORTIONAL = log(10)
"""The slope at which the odds of a mistake are proportional to the probability that a reading leaves open; the prior
for rare mistakes.
"""
RIDGE = 3.0
"""The strength of that prior."""
EXPONENTS = [exponent / 100 for exponent in range(40, 101)]
"""The tried exponents of the product of two looks: below 0.5 two looks weigh less than one, at 1 they are independent.

"""

WAYS = {
    "pyramid": ("nothing", "size", "color", "both"),
    "stack": ("nothing", "less", "more", "size", "color", "both", "several"),
}
"""The ways in which readings of a kind may be wrong."""
HALF = 0.5
"""The pseudocount of each way."""

TIMES = [exp(step / 20) for step in range(120)]
"""The tried factors of the odds, from 1 to 380."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--every",
    type=click.Choice(("seed", "even", "odd")),
    default="seed",
    help="Use all games, or those with even or odd seeds.",
)
def main(files: Sequence[Path], every: str) -> None:
    """Print the fitted constants of the mistakes in files of readings."""
    found: dict[str, list[tuple[Detection, Piece | None]]] = defaultdict(list)
    stayed: dict[str, list[Staying]] = defaultdict(list)
    come: dict[str, list[Coming]] = defaultdict(list)
    both: dict[str, list[tuple[Detection, Detection, Piece | None]]] = defaultdict(list)
    for path in files:
        for game in games_of(path):
            if every == "seed" or game.seed % 2 == (every == "odd"):
                for one in staying(game):
                    stayed[one.kind].append(one)
                for more in coming(game):
                    come[more.kind].append(more)
                for sighting, piece, again in first_readings(game):
                    kind = kind_of(sighting.piece)
                    found[kind].append((sighting, piece))
                    if again is not None:
                        both[type(sighting.piece).__name__.lower()].append((sighting, again, piece))
    for kind, readings in sorted(found.items()):
        click.echo(line(kind, readings))
    for kind, stays in sorted(stayed.items()):
        click.echo(
            f"{kind}: {share('touched', stays)}; beside one: {share('touched_too', [x for x in stays if x.pushed])}"
        )
    for kind, others in sorted(come.items()):
        click.echo(f"{kind}: {beside_pushed(others)}")
    for kind, looks in sorted(both.items()):
        wrong = [again.piece == one.piece for one, again, piece in looks if one.piece != piece]
        click.echo(
            f"{kind}, seen twice: of {len(wrong)} mistakes in {len(looks)} a second look makes {sum(wrong)} again: "
            f"twice = {worth(looks):.2f}"
        )


def share(name: str, stays: Sequence[Staying]) -> str:
    """Returns a sentence with the share of staying pieces that have a new place."""
    new = sum(one.new for one in stays)
    return f"of {len(stays)} that stay {new} have a new place, {name} = {new / max(1, len(stays)):.3f}"


def kind_of(read: Piece | None) -> str:
    """Returns the kind of reading that constants are fitted for."""
    return f"stack of {min(3, len(read.pieces))}" if isinstance(read, Stack) else type(read).__name__.lower()


def first_readings(game: GameRead) -> Iterator[tuple[Detection, Piece | None, Detection | None]]:
    """Yields every sighting of a place that was not seen before, with the true piece (None if there is none) and a
    second look.
    """
    turns = turns_of(game)
    known: set[str] = set()
    for look in game.looks:
        if not look.reads or look.hand:
            continue
        layout = look.reads[-1]
        seconds = {} if look.again is None else {one.place: one for heap in look.again.heaps.values() for one in heap}
        for spot, heap in turns[look.turn].layout.heaps.items():
            truth = [one.piece for one in heap]
            for sighting, piece in paired(layout.heaps.get(spot, ()), truth):
                if sighting.place not in known:
                    yield sighting, piece, seconds.get(sighting.place)
        known |= {one.place for heap in layout.heaps.values() for one in heap}


class Staying(NamedTuple):
    """A sighting of a piece that stood in its heap one picture before."""

    kind: str
    new: bool
    """True if its place has a new key: the piece was pushed, or lost from sight."""
    pushed: bool
    """True if another piece of its heap stays, is read right, and has a new place."""


def staying(game: GameRead) -> Iterator[Staying]:
    """Yields every sighting of a piece that stays in its heap."""
    turns = turns_of(game)
    known: set[str] = set()
    before: dict[Spot, Counter[Piece | None]] | None = None
    for look in game.looks:
        if not look.reads or look.hand:
            continue
        layout, there = look.reads[-1], turns[look.turn].layout
        now = {spot: Counter(one.piece for one in heap) for spot, heap in there.heaps.items()}
        for spot, truth in now.items() if before is not None else ():
            come = truth - before.get(spot, Counter())
            stay: list[tuple[Detection, bool, bool]] = []
            for sighting, piece in paired(layout.heaps.get(spot, ()), list(truth.elements())):
                new = sighting.place not in known
                if new and come[piece] > 0:
                    come[piece] -= 1
                elif piece is not None:
                    stay.append((sighting, new, sighting.piece == piece))
            pushed = sum(new and right for _, new, right in stay)
            for sighting, new, right in stay:
                yield Staying(type(sighting.piece).__name__.lower(), new, pushed > (new and right))
        known, before = {one.place for heap in layout.heaps.values() for one in heap}, now


class Coming(NamedTuple):
    """A sighting in a new place of an additional piece, one more than its heap had one picture before."""

    kind: str
    confidence: float
    none: bool
    """True if there is no such piece."""
    pushed: bool
    """True if all other staying pieces of its heap that are read right have new places."""


def coming(game: GameRead) -> Iterator[Coming]:
    """Yields every additional piece that is read beside others, except those that may be misread pieces of the heap."""
    turns = turns_of(game)
    seen, was = Layout(), Layout()
    for look in game.looks:
        if not look.reads or look.hand:
            continue
        layout, there = look.reads[-1], turns[look.turn].layout
        for spot, heap in layout.heaps.items():
            known = {one.place for one in seen.heaps.get(spot, ())}
            stood = Counter(one.piece for one in was.heaps.get(spot, ()))
            rest = sorted(heap, key=lambda one: one.confidence)
            stay = [rest.pop(at) for piece in stood.elements() if (at := _last(rest, piece)) is not None]
            lacking = Counter(one.piece for one in there.heaps.get(spot, ())) - Counter(one.piece for one in stay)
            for one in rest if stay else ():
                none = lacking[one.piece] <= 0
                lacking[one.piece] -= not none
                if one.place not in known and not (none and (lacking.total() or len(stay) < stood.total())):
                    pushed = all(other.place not in known for other in stay)
                    yield Coming(type(one.piece).__name__.lower(), one.confidence, none, pushed)
        seen, was = layout, there


def _last(sightings: Sequence[Detection], piece: Piece | None) -> int | None:
    """Returns the index of the last sighting that reads as a piece; None if there is none."""
    return next((at for at in reversed(range(len(sightings))) if sightings[at].piece == piece), None)


def beside_pushed(found: Sequence[Coming]) -> str:
    """Returns a sentence with the factor by which the odds that an additional piece is false rise where everything else
    in its heap was pushed, at equal confidence.
    """
    kept, pushed = ([one for one in found if one.pushed == is_pushed] for is_pushed in (False, True))
    level, slope = fitted([one.confidence for one in kept], [one.none for one in kept])
    odds = [exp(level + slope * log10(max(FLOOR, 1 - one.confidence))) for one in pushed]
    none = sum(one.none for one in pushed)
    times = min(TIMES, key=lambda ratio: abs(none - sum(ratio * one / (1 + ratio * one) for one in odds)))
    return (
        f"of {len(kept)} that come {sum(one.none for one in kept)} are none, where all else was pushed {none} of "
        f"{len(pushed)}: more_beside_pushed = {times:.0f}"
    )


def turns_of(game: GameRead) -> dict[int, Moment]:
    """Returns the moments of a game by the number of the turn."""
    setting = Setting(
        game.game, game.steps, table=game.table, tilt_deg=game.tilt_deg, seats=game.seats, calibrated=game.calibrated
    )
    player, _ = player_of(setting, game.seed)
    return {moment.turn: moment for moment, _ in moments_of(player, game.steps)}


def paired(seen: Sequence[Detection], truth: Sequence[Piece | None]) -> list[tuple[Detection, Piece | None]]:
    """Returns each sighting of a heap with the piece that it shows: an equal one, else the most similar; None if none
    is left.
    """
    there, rest = list(truth), []
    found: list[tuple[Detection, Piece | None]] = []
    for sighting in seen:
        if sighting.piece in there:
            there.remove(sighting.piece)
            found.append((sighting, sighting.piece))
        else:
            rest.append(sighting)
    while rest and there:
        least, at, piece = min(
            (
                (_apart(one.piece, piece) - one.probability(piece), at, piece)
                for at, one in enumerate(rest)
                for piece in there
            ),
            key=lambda item: item[0],
        )
        if least >= FAR - 1:
            break
        found.append((rest.pop(at), piece))
        there.remove(piece)
    return found + [(one, None) for one in rest]


def way(read: Piece | None, piece: Piece | None) -> str:
    """Returns the way in which a reading is mistaken, or "right"."""
    if piece is None:
        return "nothing"
    mine, theirs = _pieces(read), _pieces(piece)
    if len(mine) != len(theirs):
        return ("less" if len(mine) < len(theirs) else "more") if is_one_off(mine, theirs) else "several"
    apart = [(one.color != other.color, one.size != other.size) for one, other in zip(mine, theirs, strict=True)]
    apart = [one for one in apart if any(one)]
    if len(apart) > 1:
        return "several"
    return {(True, False): "color", (False, True): "size", (True, True): "both"}[apart[0]] if apart else "right"


def line(kind: str, readings: Sequence[tuple[Detection, Piece | None]]) -> str:
    """Returns the constants of one kind, as `companion.referee.observation.Mistakes` takes them, with the counts behind
    them.

    Args:
        readings: Sightings with the true pieces; None if there is none.
    """
    unlisted = [(one, piece) for one, piece in readings if piece not in [other.piece for other in one.candidates]]
    ways = Counter(way(one.piece, piece) for one, piece in unlisted)
    # Half a case is added to each way, so that no way is impossible.
    total = ways.total() + HALF * len(WAYS[kind.split()[0]])
    shares = {name: (ways[name] + HALF) / total for name in sorted(WAYS[kind.split()[0]], key=lambda name: -ways[name])}
    told = ", ".join(f'"{name}": {share:.3f}' for name, share in shares.items())
    left = sum(max(0.0, 1 - sum(other.probability for other in one.candidates)) for one, _ in readings)
    wrong = sum(one.piece != piece for one, piece in readings)
    return (
        f"{kind}: {wrong} of {len(readings)} wrong, {len(unlisted)} are nothing that is listed, {left:.1f} said: "
        f"Mistakes({{{told}}})"
    )


def worth(looks: Sequence[tuple[Detection, Detection, Piece | None]]) -> float:
    """Returns the joint weight of two looks: the exponent of their product at which the true pieces are likeliest.

    Args:
        looks: Two sightings of one thing, and the true piece.
    """

    def nll(twice: float) -> float:
        return -sum(log(likelihood(merged((one, again), twice), piece)) for one, again, piece in looks)

    return min(EXPONENTS, key=nll)


def fitted(confidences: Sequence[float], wrong: Sequence[bool]) -> tuple[float, float]:
    """Returns level and slope of the log odds that a reading is wrong, by the decimal logarithm of the probability that
    it leaves open.
    """
    x = np.array([[1.0, log10(max(FLOOR, 1 - one))] for one in confidences])
    y = np.array(wrong, float)
    weights = np.zeros(2)
    held = np.diag([0.02, RIDGE])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-(x @ weights)))
        slope = x.T @ (y - chance) - held @ (weights - (0.0, PROPORTIONAL))
        curve = (x.T * (chance * (1 - chance))) @ x + held
        weights = weights + np.linalg.solve(curve, slope)
    return float(weights[0]), float(weights[1])


def _pieces(piece: Piece | None) -> tuple[Pyramid, ...]:
    if isinstance(piece, Stack):
        return piece.pieces
    return (piece,) if isinstance(piece, Pyramid) else ()


def _apart(read: Piece | None, piece: Piece | None) -> float:
    mine, theirs = _pieces(read), _pieces(piece)
    if len(mine) == len(theirs):
        return float(sum(one != other for one, other in zip(mine, theirs, strict=True)))
    if is_one_off(mine, theirs):
        return 1.5
    return 3.0 if abs(len(mine) - len(theirs)) == 1 else FAR


if __name__ == "__main__":
    main()
