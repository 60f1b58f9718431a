"""Readings that one of the margins decides, and how they are kept as JSON; how they were found is `main`.

`python -m tests.companion.referee.matching.doubtful_readings FIRST LAST` looks through the random scenes of these
numbers for readings of which the verdict changes when a margin grows or shrinks by more than a fifth, and adds one for
each such shift that no kept reading holds. A scene is moved to where its verdict changes: by bisection of one of its
doubts.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

import msgspec
from msgspec import Struct

from companion.core.contract import Over
from companion.core.foundation.errors import MoveError
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Piece
from companion.core.verdict import Accepted, Refused, TakenBack, Unclear, Verdict
from companion.games import GAMES
from companion.referee.matching import match
from companion.testing.cases import cases, next_event, played

FILE = Path(__file__).parents[4] / "tests" / "data" / "readings" / "doubtful.json"
ROOM = "companion.referee"
MARGINS = {
    "judging": (
        "ACCEPT_MARGIN", "MEASURED_MARGIN", "BACK_MARGIN", "FITS", "CONTRADICTED", "ASK_MARGIN", "AS_PREDICTED",
        "ANSWER_MARGIN", "LIKELIER", "SPECULATIVE", "OTHERWISE", "MISREAD_DIE", "SUSPECTED", "HINT", "UNPROVEN",
    ),
    "hypotheses": (
        "ILLEGAL", "SEVERAL_RULES", "SECOND_MOVE", "CONTINUED", "DUE_DRAW", "DRAW_SKIPPED", "HIDDEN_MOVE", "RETURNED",
        "HIDDEN_DRAW", "NESTED", "VANISHED", "LIFTED", "PROGRESS", "EXPLAINED",
    ),
    "evidence": ("MISSED", "UNDER_FOREIGN", "VEILED", "LIKELY_ENOUGH"),
    "clearing": ("CLEAR", "SWAPPED", "UNSEEN", "RIVAL"),
    "accounts": ("MOST_DOUBT", "UNTOLD"),
    "doubts": ("FAINT",),
    "guided": ("RIVALRY",),
}  # fmt: skip
"""By module of `companion.referee.matching`: the margins of a single look at a table."""
FACTORS = (0.79, 1.21)
"""More than a fifth."""
GAMES_LOOKED_AT = (
    "spectra", "spectrangle", "ice-stalks", "regenbogen", "spectrum", "escape", "roll-and-color", "casino", "cribbage",
)  # fmt: skip
SHARES = (0.02, 0.3, 0.6, 0.9, 0.995)
"""The shares of the likelier candidate between which a change of the verdict is looked for."""


class Doubt(Struct, array_like=True):
    """What a place reads as instead of being sure."""

    spot: str
    at: int
    """The place in a heap; -1 for a cell."""
    candidates: list[tuple[Piece | None, float]]


class Reading(Struct):
    """A position, what happened after it, what is doubtful of the table then, and the verdict."""

    game: str
    before: msgspec.Raw
    events: list[str]
    doubts: list[Doubt]
    verdict: str
    holds: list[str]
    """The shifts that change the verdict: "judging.FITS x 0.79"."""
    unseen: dict[str, list[str]] = {}
    """Spots by field of `Layout`: "hidden", "obscured", "blind", "partial"."""
    looks: int = 1
    """The number of combined readings that showed each doubtful spot."""
    earlier: list[msgspec.Raw] = []
    """The position before the last event of the record, if the table shows what happened after it instead."""
    draws_unseen: bool = False


def layout_of(game: Any, state: Any, reading: Reading) -> Layout:
    """The table as it was read."""
    for earlier in reading.earlier:
        state = game.load(bytes(earlier))
    for line in reading.events:
        state = state.apply_unchecked(game.parse(state, line))
    layout: Layout = state.layout()
    cells, heaps = dict(layout.cells), {spot: list(heap) for spot, heap in layout.heaps.items()}
    for doubt in reading.doubts:
        sighting = Detection(tuple(Candidate(piece, share) for piece, share in doubt.candidates))
        if doubt.at < 0:
            cells[doubt.spot] = sighting
        else:
            heaps[doubt.spot][doubt.at] = sighting
    unseen = {field: frozenset(spots) for field, spots in reading.unseen.items()}
    for spot in unseen.get("hidden", ()):
        cells.pop(spot, None)
    return msgspec.structs.replace(
        layout,
        cells=cells,
        heaps={spot: tuple(heap) for spot, heap in heaps.items()},
        looks={doubt.spot: reading.looks for doubt in reading.doubts} if reading.looks > 1 else {},
        **unseen,
    )


def verdict_on(reading: Reading) -> str:
    """The verdict in a line: its kind, and the events of each of its explanations."""
    game = GAMES[reading.game]
    state = game.load(bytes(reading.before))
    history = [game.load(bytes(earlier)) for earlier in reading.earlier]
    layout = layout_of(game, state, reading)
    return words(game, match(game, state, layout, draws_unseen=reading.draws_unseen, history=history))


def words(game: Any, verdict: Verdict) -> str:
    """A verdict in a line."""
    lines = []
    if isinstance(verdict, Accepted):
        lines = [game.told(verdict.events)]
    elif isinstance(verdict, Refused):
        lines = [game.told((*verdict.before, verdict.event))]
    elif isinstance(verdict, Unclear):
        lines = [game.told(choice.events) for choice in verdict.choices]
    elif isinstance(verdict, TakenBack):
        lines = [str(verdict.to)]
    return " | ".join([type(verdict).__name__, *lines])


@contextmanager
def shifted(margin: str, factor: float) -> Iterator[None]:
    """Every module of the room has a margin that is so many times what it is, and so have defaults of its functions."""
    module, name = margin.split(".")
    usual = getattr(importlib.import_module(f"{ROOM}.matching.{module}"), name)
    holders = [
        one for path, one in list(sys.modules.items()) if path.startswith(ROOM) and getattr(one, name, None) is usual
    ]
    by_default = [
        (one, one.__defaults__)
        for holder in holders
        for one in vars(holder).values()
        if isinstance(one, FunctionType) and any(value is usual for value in one.__defaults__ or ())
    ]
    for one in holders:
        setattr(one, name, usual * factor)
    for function, values in by_default:
        function.__defaults__ = tuple(usual * factor if value is usual else value for value in values or ())
    try:
        yield
    finally:
        for one in holders:
            setattr(one, name, usual)
        for function, values in by_default:
            function.__defaults__ = values


def shifts() -> list[tuple[str, float]]:
    """Every margin, smaller and larger."""
    return [(f"{module}.{name}", factor) for module, names in MARGINS.items() for name in names for factor in FACTORS]


def scene(rng: Random) -> Reading:
    """A random position, one or two events after it, some of them illegal, and doubts about what lies there then."""
    game = GAMES[rng.choice(GAMES_LOOKED_AT)]
    (case, *_) = cases(game)
    steps = played(case, rng.randrange(4)).steps
    at = rng.randrange(len(steps))
    before = steps[at].state
    earlier = steps[at - 1].state if at and rng.random() < 0.3 else None
    state = before if earlier is None else earlier
    other = [event for _, event in steps]
    lines: list[str] = []
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2))):
        if isinstance(state.expects(), Over):
            break
        try:
            event = rng.choice(other) if rng.random() < 0.4 else next_event(game, state, rng)
            line = game.text(event)
            state, lines = state.apply_unchecked(game.parse(state, line)), [*lines, line]
        except (MoveError, ValueError):  # refused, or nothing can be drawn
            continue
    shown, expected = state.layout(), before.layout()
    spots = [one.spot for one in expected.differences(shown)]
    spots += rng.sample(sorted(shown.cells), min(len(shown.cells), rng.randrange(3)))
    doubts = []
    for spot in dict.fromkeys(spots):
        if rng.random() < 0.25:
            continue
        if spot in shown.cells:
            was = expected.cells[spot].piece if spot in expected.cells else None
            doubts.append(Doubt(spot, -1, _candidates(rng, shown.cells[spot].piece, was)))
        elif shown.heaps.get(spot):
            at = rng.randrange(len(shown.heaps[spot]))
            others = [one.piece for one in expected.heaps.get(spot, ())] or [None]
            doubts.append(Doubt(spot, at, _candidates(rng, shown.heaps[spot][at].piece, rng.choice([None, *others]))))
    unseen: dict[str, list[str]] = {}
    if rng.random() < 0.4:
        if shown.cells and (hidden := rng.sample(sorted(shown.cells), min(len(shown.cells), rng.randrange(3)))):
            unseen["hidden"] = hidden
        for field in ("obscured", "blind", "partial"):
            if shown.heaps and rng.random() < 0.4:
                unseen[field] = rng.sample(sorted(shown.heaps), 1)
    looks = rng.choice((1, 1, 2, 3))
    raw = [] if earlier is None else [msgspec.Raw(msgspec.json.encode(earlier))]
    found = Reading(game.name, msgspec.Raw(msgspec.json.encode(before)), lines, doubts, "", [], unseen, looks, raw)
    found.draws_unseen = rng.random() < 0.2
    return found


def _candidates(rng: Random, piece: Piece | None, other: Piece | None) -> list[tuple[Piece | None, float]]:
    share = round(rng.uniform(0.05, 0.99), 2)
    found = [(piece, share)]
    if other != piece:
        found.append((other, round((1 - share) * rng.choice((rng.random(), 1.0, 0.95)), 3)))
    return sorted(found, key=lambda one: -one[1])


def beside(reading: Reading, rng: Random) -> Iterator[Reading]:
    """The reading as it is, and on both sides of where its verdict changes with the share of one candidate."""
    yield reading
    if not reading.doubts:
        return
    number = rng.randrange(len(reading.doubts))

    def moved(share: float) -> Reading:
        doubt = reading.doubts[number]
        (piece, _), *rest = doubt.candidates
        left = sum(one for _, one in rest)
        spread = [(other, round((1 - share) * one / max(left, 0.01), 5)) for other, one in rest]
        candidates = sorted([(piece, round(share, 5)), *spread], key=lambda one: -one[1])
        doubts = [*reading.doubts]
        doubts[number] = Doubt(doubt.spot, doubt.at, candidates)
        there = msgspec.structs.replace(reading, doubts=doubts, holds=[])
        there.verdict = verdict_on(there)
        return there

    tried = [moved(share) for share in SHARES]
    for low, high, one, other in zip(SHARES, SHARES[1:], tried, tried[1:], strict=False):
        if one.verdict == other.verdict:
            continue
        for _ in range(9):
            middle = moved((low + high) / 2)
            if middle.verdict == one.verdict:
                low, one = (low + high) / 2, middle
            else:
                high, other = (low + high) / 2, middle
        yield one
        yield other


def main(first: int, last: int) -> None:
    """Look for a reading for each shift that none holds, and add those that were found."""
    kept = msgspec.json.decode(FILE.read_bytes(), type=list[Reading])
    open_ = set(shifts()) - {
        (name, float(by)) for one in kept for name, by in (held.split(" x ") for held in one.holds)
    }
    for number in range(first, last):
        rng = Random(number)
        try:
            drawn = scene(rng)
            drawn.verdict = verdict_on(drawn)
            near = list(beside(drawn, rng))
        except MoveError:
            continue
        for reading in near:
            if len(msgspec.json.encode(reading)) > 4000:
                continue
            for margin, factor in sorted(open_):
                with shifted(margin, factor):
                    if verdict_on(reading) != reading.verdict:
                        reading.holds.append(f"{margin} x {factor}")
                        open_.discard((margin, factor))
            if reading.holds:
                kept.append(reading)
                print(number, reading.game, reading.holds, flush=True)
                FILE.write_bytes(msgspec.json.encode(kept))
    print(len(kept), "readings;", len(open_), "shifts are left:", sorted(open_))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
