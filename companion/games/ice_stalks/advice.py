"""Computes the page's advice on a position: rocks left, futures of each stalk, moves that end one, why no base fits.

All functions are pure functions of a position; they do not judge moves.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.core.pieces import Pyramid, a_color
from companion.games.ice_stalks.growth import (
    KINDS,
    LARGE,
    RAINBOW,
    SMALL,
    Stalk,
    StalkShape,
    completions,
    describe,
    name,
    pieces_of,
    shape,
)
from companion.games.ice_stalks.growth import stock as stock_of
from companion.games.ice_stalks.scoring import line
from companion.games.ice_stalks.situation import Situation


def rocks_left(situation: Situation) -> Mapping[str, int]:
    """Returns the number of rocks in the bag for each color, in the order of the rainbow (ICE-1)."""
    return dict(zip(RAINBOW, situation.rocks, strict=True))


class Addition(Struct, frozen=True):
    """A piece that a player puts, or may put, on top of a stalk."""

    stalk: tuple[Pyramid, ...]
    piece: Pyramid


class Future(Struct, frozen=True):
    """The ways to complete a growing stalk with the remaining rocks and pieces (ICE-12, ICE-15)."""

    stalk: tuple[Pyramid, ...]
    completions: tuple[tuple[Pyramid, ...], ...]
    """All complete stalks that may result, the lowest and then the cheapest first; empty for a dead stalk."""
    points: tuple[int, ...]
    """The points of each completion (ICE-18)."""

    @property
    def is_dead(self) -> bool:
        """True if the stalk can no longer be completed."""
        return not self.completions


def futures(situation: Situation) -> tuple[Future, ...]:
    """Returns one future for each stalk on the table, by the rocks in the bag now."""
    left = stock_of(situation.rocks, situation.kinds_left)
    found = []
    for stalk in situation.stalks:
        ends = sorted(completions(stalk, left), key=lambda end: (len(end), line(end).points, end))
        points = tuple(int(line(end).points) for end in ends)
        found.append(Future(pieces_of(stalk), tuple(map(pieces_of, ends)), points))
    return tuple(found)


def why_dead(situation: Situation, stalk: Stalk) -> tuple[str, ...]:
    """Returns the reasons against every way to complete a dead stalk (ICE-13)."""
    now = shape(stalk)
    if now.way == "none":
        return ("it is neither solid nor rainbow, so nothing fits on it",)
    ways = ("solid", "up", "down") if now.way == "base" else (now.way,)
    return tuple(dict.fromkeys(_missing(situation, now, way) for way in ways))


def _missing(situation: Situation, now: StalkShape, way: str) -> str:
    """Returns the first thing that is missing on one way."""
    needed = SMALL - now.size
    if way == "solid":
        left = situation.rocks[now.color]
        if left < needed:
            return f"{'no' if not left else 'only one'} {RAINBOW[now.color]} rock is left for a solid stalk"
        return "the pieces of a solid stalk are all placed"
    step = 1 if way == "up" else -1
    for distance in range(1, needed + 1):
        color = now.color + step * distance
        if not 0 <= color < len(RAINBOW):
            return f"nothing follows {RAINBOW[color - step]}"
        if not situation.rocks[color]:
            return f"no {RAINBOW[color]} rock is left to go on toward {RAINBOW[-1 if step == 1 else 0]}"
    return "the pieces that would have to follow are all placed"


def killers(situation: Situation, color: str) -> tuple[Addition, ...]:
    """Returns the placements with a rock of this color that fit but would leave a dead stalk (ICE-12)."""
    return _additions(situation.killing(RAINBOW.index(color)))


def additions(situation: Situation, color: str) -> tuple[Addition, ...]:
    """Returns the legal additions with a rock of this color (ICE-6 to ICE-12)."""
    return _additions(situation.additions(RAINBOW.index(color)))


def _additions(found: tuple[tuple[Stalk, int], ...]) -> tuple[Addition, ...]:
    return tuple(Addition(pieces_of(stalk), KINDS[kind]) for stalk, kind in found)


class Base(Struct, frozen=True):
    """A rock's color, whether a base may be placed with it, and the reason."""

    piece: Pyramid
    allowed: bool
    rule: str
    text: str


def base(situation: Situation, color: str) -> Base:
    """Returns the reasons why a base of this color is or is not allowed (ICE-6, ICE-22)."""
    place = RAINBOW.index(color)
    piece = KINDS[3 * place + LARGE]
    fitting = situation.additions(place)
    if fitting:
        stalk, kind = fitting[0]
        more = f" and {len(fitting) - 1} more" if len(fitting) > 1 else ""
        text = f"No base: {name(KINDS[kind])} can be added to {describe(stalk)}{more}."
        return Base(piece, False, "ICE-6", text)
    why = f"no stalk takes {a_color(color)} piece"
    if situation.killing(place):
        why = "every addition would leave a stalk that cannot be completed"
    return Base(piece, True, "ICE-6", f"A base must be placed: {why}.")
