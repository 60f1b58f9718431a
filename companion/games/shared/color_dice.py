"""The dice with colors that several games share, and the notation of a roll.

A color is its index on the wheel (BRD-1). A roll keeps the order in which its dice were entered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from math import factorial
from random import Random
from typing import Any

from companion.core.contract import Expect, Rolled, ToRoll
from companion.core.foundation.errors import BadEvent, BadNotation
from companion.core.layout import Detection
from companion.core.pieces import FACES, PRIMARIES, WHEEL, Die, Piece
from companion.core.plan import DiceTray, Mat, Plan

# The dice tray is one heap of dice between four small markers.
#
# Its markers measure 25 mm and fit into the corners of a tray; the whole mat goes on one A3 sheet. Nothing is printed
# where dice lie: a plain floor is read best.

MAT = Mat(240.0, 180.0, 25.0)
"""The mat that `companion mat dice-tray` prints."""


def plan() -> Plan:
    """Returns the plan of the printed mat: wherever dice lie on it, they are the heap "dice"."""
    return Plan(MAT, (DiceTray(),))


D6, D12 = "spectrum-d6", "spectrum-d12"
_SHORT = {D6: "d6", D12: "d12"}
_LONG = {short: kind for kind, short in _SHORT.items()}

COLOR: Mapping[str, int] = {color: place for place, color in enumerate(WHEEL)}
"""Color to its place on the wheel."""
SIX = tuple(Die(D6, color) if color in PRIMARIES else None for color in WHEEL)
"""Index on the wheel to the six-sided die that shows it; None for intermediates, which six-sided dice lack."""
TWELVE = tuple(Die(D12, color) for color in WHEEL)
"""Index on the wheel to the twelve-sided die that shows it."""
PLACE: Mapping[Die, int] = {die: COLOR[die.face] for die in (*SIX, *TWELVE) if die and isinstance(die.face, str)}
"""Every die that may be on the table to the wheel index of its color."""

LIKELY_ENOUGH = 0.05
"""A runner-up counts as another reading of a die only if it is likelier than this."""
_DOUBTS = 3
"""The number of dice, the least certain ones, whose runner-up is considered."""


def die(kind: str, color: int) -> Die:
    """Returns the die of a kind that shows a color.

    Raises:
        KeyError: There is none.
    """
    found = SIX[color] if kind == D6 else TWELVE[color]
    if found is None or kind not in _SHORT:
        raise KeyError(f"no {kind} shows {WHEEL[color]}")
    return found


def name(one: Die) -> str:
    """Returns the die in words: "d6 red"."""
    return f"{_SHORT.get(one.kind, one.kind)} {one.face}"


def text(faces: Iterable[Die]) -> str:
    """Returns a roll in words, in its order: "d6 red blue, d12 green"."""
    parts: list[str] = []
    last: str | None = None
    for one in faces:
        if one.kind == last:
            parts[-1] += f" {one.face}"
        else:
            parts.append(name(one))
        last = one.kind
    return ", ".join(parts)


_ROLL = re.compile(r"(?:d6|d12)(?: [a-z-]+)+(?:, (?:d6|d12)(?: [a-z-]+)+)*")


def parse(words: str) -> tuple[Die, ...]:
    """Returns the dice that `text` wrote.

    Raises:
        BadNotation: It is not a roll of color dice.
    """
    if not _ROLL.fullmatch(words):
        raise BadNotation(f'"{words}" is no roll. Write kinds and colors, such as "d6 red blue, d12 green-blue".')
    found = []
    for part in words.split(", "):
        kind, *colors = part.split(" ")
        for color in colors:
            if color not in FACES[_LONG[kind]]:
                raise BadNotation(f"No {kind} shows {color}. Write one of: {', '.join(map(str, FACES[_LONG[kind]]))}.")
            found.append(Die(_LONG[kind], color))
    return tuple(found)


def told(line: str) -> Rolled | None:
    """Returns the roll of a line: "rolls d6 red, d12 green"; None if it is none.

    Raises:
        BadNotation: It is not a roll of color dice.
    """
    words = " ".join(line.lower().split())
    return Rolled(parse(words.removeprefix("rolls "))) if words.startswith("rolls ") else None


def plain(data: Any) -> Any:
    """Returns a die from plain data: words ("d6 red"), or an object with or without its type."""
    if isinstance(data, str):
        kind, _, color = data.partition(" ")
        return {"type": "die", "kind": _LONG.get(kind, kind), "face": color}
    return {"type": "die", **data} if isinstance(data, Mapping) else data


def is_roll_of(faces: Iterable[Die], kinds: Iterable[str]) -> bool:
    """True if these are possible faces of dice of these kinds, in any order."""
    found = list(faces)
    return all(one in PLACE for one in found) and Counter(one.kind for one in found) == Counter(kinds)


def colors(kind: str) -> Sequence[int]:
    """Returns the places of the colors that a die of this kind can show."""
    return range(0, 12, 2) if kind == D6 else range(12)


def outcomes(kind: str, count: int) -> Iterator[tuple[tuple[Die, ...], int]]:
    """Yields every roll of dice of one kind, in any order, with the number of ways in which it falls."""
    for faces in combinations_with_replacement(colors(kind), count):
        ways = factorial(count)
        for equal in Counter(faces).values():
            ways //= factorial(equal)
        yield tuple(die(kind, color) for color in faces), ways


_DICE = {kind: tuple(Die(kind, face) for face in faces) for kind, faces in FACES.items()}


def thrown(due: Expect, rng: Random) -> Rolled:
    """Returns a random roll of the dice that must be rolled now.

    Raises:
        BadEvent: None are.
    """
    if not isinstance(due, ToRoll):
        raise BadEvent("No roll is due now. Make a move.")
    chance = rng.random
    return Rolled(tuple([(dice := _DICE[kind])[int(chance() * len(dice))] for kind in due.dice]))


def readings(sightings: Sequence[Detection], kinds: Iterable[str]) -> Iterator[tuple[Die, ...]]:
    """Yields the faces that the dice of a heap may show, the likeliest first; none unless the heap has the right number
    of dice of each kind.

    Each of the least certain dice may also show its runner-up.
    """
    wanted = Counter(kinds)
    best = [sighting.piece for sighting in sightings]
    others = [
        (candidate.probability / sighting.confidence, place, candidate.piece)
        for place, sighting in enumerate(sightings)
        for candidate in sighting.candidates[1:2]
        if candidate.piece is not None and candidate.probability > LIKELY_ENOUGH
    ]
    ways: list[tuple[float, list[Piece | None]]] = [(1.0, best)]
    for odds, place, piece in sorted(others, key=lambda one: -one[0])[:_DOUBTS]:
        ways += [(share * odds, [*way[:place], piece, *way[place + 1 :]]) for share, way in ways]
    for _, way in sorted(ways, key=lambda one: -one[0]):
        dice = tuple(piece for piece in way if isinstance(piece, Die) and piece in PLACE)
        if len(dice) == len(way) and Counter(one.kind for one in dice) == wanted:
            yield dice
