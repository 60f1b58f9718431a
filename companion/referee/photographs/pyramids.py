"""Pyramids in a photograph: the points of a collection of stalks, and how far each color's trees of Spectra are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from companion.core.foundation.errors import BadRecord
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid
from companion.games.ice_stalks.growth import RAINBOW, is_complete, is_solid, stalk_of
from companion.games.ice_stalks.scoring import SOLID_SET, line
from companion.referee.photographs.report import Note, PhotoReport

_TREES = 3
"""Complete trees that win (SPA-25)."""
_OWN = ("red", "orange", "yellow", "green", "blue", "purple")


def stalk_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """The points of every complete stalk that stands in the last photograph, and their sum (ICE-18, ICE-19)."""
    notes, points = [], 0
    solids = set()
    for stack in _stacks(readings[-1]):
        named = " ".join(f"{piece.color} {piece.size}" for piece in stack)
        fault = _stalk_fault(stack)
        if fault:
            notes.append(Note(f"{named}: {fault}", "ICE-8", broken=True))
            continue
        stalk = stalk_of(stack)
        if not is_complete(stalk):
            notes.append(Note(f"{named}: not complete, no points.", "ICE-17", points=0))
            continue
        scored = line(stalk)
        points += int(scored.points)
        if is_solid(stalk):
            solids.add(stack[0].color)
        notes.append(Note(f"{named}: {scored.points}.", scored.rule, points=int(scored.points)))
    if len(solids) == len(RAINBOW):
        points += SOLID_SET - len(RAINBOW)
        notes.append(Note("Solid stalks of all seven colors: 15 in all.", "ICE-19"))
    return PhotoReport((Note(f"All complete stalks together: {points} points.", "ICE-18", points=points), *notes))


def _stalk_fault(stack: Sequence[Pyramid]) -> str:
    """What keeps a stack from being a stalk (ICE-5 to ICE-11); empty: nothing."""
    if any(piece.color not in RAINBOW for piece in stack):
        return "stalks have the seven colors of the rainbow only."
    if stack[0].size != "large":
        return "a stalk begins with a large."
    places = [(RAINBOW.index(piece.color), PYRAMID_SIZES.index(piece.size)) for piece in stack]
    ways = [b[0] - a[0] for a, b in pairwise(places)]
    falls = [b[1] - a[1] for a, b in pairwise(places)]
    if ways and (len(set(ways)) > 1 or abs(ways[0]) > 1):
        return "colors keep to one direction of the rainbow, or to one color."
    if any(fall < 0 or fall > 1 or (fall == 0 and way == 0) for fall, way in zip(falls, ways, strict=True)):
        return "each piece is as large as the one below or one size smaller, and smaller in its own color."
    if any(size == 2 for _, size in places[:-1]):
        return "nothing stands on a small."
    return ""


def tree_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """By color: complete trees among its pieces, who has won, and the exchanges that pieces of other colors allow."""
    pieces = [piece for stack in _stacks(readings[-1]) for piece in stack]
    pieces += [Pyramid(str(one["color"]), str(one["size"])) for one in readings[-1].get("lying", ())]
    counts = Counter(pieces)
    notes = []
    for color in _OWN:
        sizes = [counts[Pyramid(color, size)] for size in PYRAMID_SIZES]
        if any(sizes):
            trees = min(sizes)
            won = trees >= _TREES
            text = f"{color}: {trees} complete trees of three" + (", which wins." if won else ".")
            notes.append(Note(text, "SPA-25", color, points=trees))
    return PhotoReport((*notes, *_exchanges(counts)))


def _exchanges(counts: Mapping[Pyramid, int]) -> list[Note]:
    """What two different pieces in view give by their colors and sizes (SPA-14 to SPA-17)."""
    found: dict[str, set[str]] = {}
    there = sorted((piece for piece in counts if counts[piece]), key=lambda piece: (piece.color, piece.size))
    for one, other in combinations(there, 2):
        for gained in gains(one, other):
            found.setdefault(f"{gained.color} {gained.size}", set()).add(
                f"{one.color} {one.size} and {other.color} {other.size}"
            )
    return [
        Note(f"{gained} for {'; or '.join(sorted(given)[:3])}.", "SPA-14", gained)
        for gained, given in sorted(found.items())
    ]


_MIXED = {
    "orange": frozenset(("red", "yellow")),
    "green": frozenset(("yellow", "blue")),
    "purple": frozenset(("blue", "red")),
}
"""SPA-3."""


def gains(one: Pyramid, other: Pyramid) -> list[Pyramid]:
    """The pieces that an exchange of these two can gain (SPA-14 to SPA-19)."""
    for plain, special in ((one, other), (other, one)):
        if special.color in ("black", "white"):
            if plain.color in ("black", "white") or plain.size != special.size:
                return []
            if special.color == "black":
                return [Pyramid(color, plain.size) for color, parts in _MIXED.items() if plain.color in parts]
            return [Pyramid(color, plain.size) for color in sorted(_MIXED.get(plain.color, ()))]
    size = one.size
    if one.size != other.size:
        size = next(third for third in PYRAMID_SIZES if third not in (one.size, other.size))
    colors = frozenset((one.color, other.color))
    if len(colors) == 1:
        return []
    for mixed, parts in _MIXED.items():
        if colors == parts:
            return [Pyramid(mixed, size)]
        if mixed in colors and colors - {mixed} <= parts:
            return [Pyramid(next(iter(parts - colors)), size)]
    return []


def _stacks(reading: Mapping[str, Any]) -> list[list[Pyramid]]:
    stacks = [[Pyramid(str(one["color"]), str(one["size"])) for one in stack["pieces"]] for stack in reading["stacks"]]
    for piece in (piece for stack in stacks for piece in stack):
        if piece.color not in PYRAMID_COLORS or piece.size not in PYRAMID_SIZES:
            raise BadRecord(f"There is no {piece.color[:20]} {piece.size[:20]} pyramid. Correct it.")
    return [stack for stack in stacks if stack]
