"""How readers are mistaken, fitted: `python -m simulation.drawn.misreadings FILE... --every even`.

Reads files that `python -m simulation.drawn.games --record FILE` wrote, compares every piece, when it is first read, with what
stands there, and prints the constants of `companion/referee/observation` for pyramids and for stacks of each height: what they
are where they are nothing that is listed, what two looks at one moment are worth together, how many that stay have a new place, and how much likelier
a piece more is none where all else of its heap was pushed.
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
"""Two pieces so far apart are not one and the same."""
STEPS = 50
"""Of Newton's method."""
PROPORTIONAL = log(10)
"""The slope where the odds of a mistake are in proportion to what is left open; what rare mistakes are held to."""
RIDGE = 3.0
"""How strongly."""
EXPONENTS = [exponent / 100 for exponent in range(40, 101)]
"""Of the product of two looks: from less than one look is worth to two independent ones."""

WAYS = {
    "pyramid": ("nothing", "size", "color", "both"),
    "stack": ("nothing", "less", "more", "size", "color", "both", "several"),
}
"""The ways in which readings of a kind may be wrong."""
HALF = 0.5
"""A case of each way beside those that were met."""

TIMES = [exp(step / 20) for step in range(120)]
"""How much likelier something may be than elsewhere: 1 to 380 times."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--every", type=click.Choice(("seed", "even", "odd")), default="seed", help="Which games are looked at.")
def main(files: Sequence[Path], every: str) -> None:
    """Print how readings in files are mistaken."""
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
    """Returns in words how many of the pieces that stay have a new place."""
    new = sum(one.new for one in stays)
    return f"of {len(stays)} that stay {new} have a new place, {name} = {new / max(1, len(stays)):.3f}"


def kind_of(read: Piece | None) -> str:
    """Returns the kind of reading that constants are fitted for."""
    return f"stack of {min(3, len(read.pieces))}" if isinstance(read, Stack) else type(read).__name__.lower()


def first_readings(game: GameRead) -> Iterator[tuple[Detection, Piece | None, Detection | None]]:
    """Yields every sighting of a place that was not seen before, with what stands there (None: nothing) and a second
    look.
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
    """True if its place is new: it was pushed, or lost from sight."""
    pushed: bool
    """True if another piece of its heap that stays, and is read right, has a new place."""


def staying(game: GameRead) -> Iterator[Staying]:
    """Yields every sighting of a piece that stays."""
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
    """A sighting in a new place of one piece more than stood in its heap one picture before."""

    kind: str
    confidence: float
    none: bool
    """True if no piece is there."""
    pushed: bool
    """True if all else of its heap that stays, and is read right, has a new place."""


def coming(game: GameRead) -> Iterator[Coming]:
    """Yields every piece more that is read beside others; those are left out that may be one of the heap, misread."""
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
    """Returns the index of the last sighting that reads as a piece; None without one."""
    return next((at for at in reversed(range(len(sightings))) if sightings[at].piece == piece), None)


def beside_pushed(found: Sequence[Coming]) -> str:
    """Returns how much likelier a piece more is none where all else of its heap was pushed, as sure as it is read, in
    words.
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
    """Returns the pictures of a game by the number of the turn."""
    setting = Setting(
        game.game, game.steps, table=game.table, tilt_deg=game.tilt_deg, seats=game.seats, calibrated=game.calibrated
    )
    player, _ = player_of(setting, game.seed)
    return {moment.turn: moment for moment, _ in moments_of(player, game.steps)}


def paired(seen: Sequence[Detection], truth: Sequence[Piece | None]) -> list[tuple[Detection, Piece | None]]:
    """Returns each sighting of a heap with the piece that it shows: the same one, else the likest."""
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
    """Returns which way a reading is mistaken; "right" if it is not."""
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
    """Returns the constants of one kind, as `companion.referee.observation.Mistakes` takes them, with what they rest
    on.

    :param readings: sightings with what is there; None: nothing.
    """
    unlisted = [(one, piece) for one, piece in readings if piece not in [other.piece for other in one.candidates]]
    ways = Counter(way(one.piece, piece) for one, piece in unlisted)
    # Half a case more each, so that a way that was not met is not impossible.
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
    """What two looks are worth together: the exponent of their product that makes what stands there likeliest.

    :param looks: two sightings of one thing, and what it is; as things are mistaken that are seen once.
    """

    def nll(twice: float) -> float:
        return -sum(log(likelihood(merged((one, again), twice), piece)) for one, again, piece in looks)

    return min(EXPONENTS, key=nll)


def fitted(confidences: Sequence[float], wrong: Sequence[bool]) -> tuple[float, float]:
    """Level and slope of the log odds that a reading is wrong and not right, by the logarithm of what it leaves open."""
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
