"""Reports on pyramids in a photograph: the points of stalks, and the progress of each color's trees in Spectra."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from companion.core.foundation.errors import BadRecord
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid
from companion.games.ice_stalks.growth import KIND, RAINBOW, is_complete, is_solid, shape, stalk_of
from companion.games.ice_stalks.scoring import SOLID_SET, line
from companion.games.ice_stalks.violations import misfits
from companion.games.spectra.exchanges import yields
from companion.games.spectra.stash import KINDS, TREE_COLORS, TREES
from companion.referee.photographs.report import Note, PhotoReport


def stalk_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """Returns the points of every complete stalk in the last photograph, and their sum (ICE-18, ICE-19)."""
    notes, points = [], 0
    solids = set()
    for stack in _stacks(readings[-1]):
        named = " ".join(f"{piece.color} {piece.size}" for piece in stack)
        fault = _stalk_fault(stack)
        if fault is not None:
            rule, why = fault
            notes.append(Note(f"{named}: {why}", rule, broken=True))
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


def _stalk_fault(stack: Sequence[Pyramid]) -> tuple[str, str] | None:
    """Returns the rule and the reason why a stack is not a stalk (ICE-2, ICE-5, ICE-7 to ICE-11); None if it is one."""
    if any(piece not in KIND for piece in stack):
        return "ICE-2", "The set has no such piece."
    if stack[0].size != "large":
        return "ICE-5", "A base is a large."
    for number, piece in enumerate(stack[1:], 1):
        wrong = misfits(shape(stalk_of(stack[:number])), piece)
        if wrong:
            return wrong[0]
    return None


def tree_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """Returns, by color, the complete trees and a possible win, and the exchanges that pieces of other colors allow."""
    pieces = [piece for stack in _stacks(readings[-1]) for piece in stack]
    pieces += [Pyramid(str(one["color"]), str(one["size"])) for one in readings[-1].get("lying", ())]
    counts = Counter(piece for piece in pieces if piece in KINDS)
    notes = [
        Note(f"{piece.color} {piece.size}: Spectra has no such piece.", "SPA-1", piece.color, broken=True)
        for piece in dict.fromkeys(pieces)
        if piece not in KINDS
    ]
    for color in TREE_COLORS:
        sizes = [counts[Pyramid(color, size)] for size in PYRAMID_SIZES]
        if any(sizes):
            trees = min(sizes)
            won = trees >= TREES
            text = f"{color}: {trees} complete trees of three" + (", which wins." if won else ".")
            notes.append(Note(text, "SPA-25", color, points=trees))
    return PhotoReport((*notes, *_exchanges(counts)))


def _exchanges(counts: Mapping[Pyramid, int]) -> list[Note]:
    """Returns the exchanges that two different visible pieces allow by their colors and sizes (SPA-14 to SPA-17)."""
    found: dict[str, set[str]] = {}
    there = sorted((piece for piece in counts if counts[piece]), key=lambda piece: (piece.color, piece.size))
    for one, other in combinations(there, 2):
        for gained in yields(one, other):
            found.setdefault(f"{gained.color} {gained.size}", set()).add(
                f"{one.color} {one.size} and {other.color} {other.size}"
            )
    return [
        Note(f"{gained} for {'; or '.join(sorted(given)[:3])}.", "SPA-14", gained)
        for gained, given in sorted(found.items())
    ]


def _stacks(reading: Mapping[str, Any]) -> list[list[Pyramid]]:
    stacks = [[Pyramid(str(one["color"]), str(one["size"])) for one in stack["pieces"]] for stack in reading["stacks"]]
    for piece in (piece for stack in stacks for piece in stack):
        if piece.color not in PYRAMID_COLORS or piece.size not in PYRAMID_SIZES:
            raise BadRecord(f"There is no {piece.color[:20]} {piece.size[:20]} pyramid. Correct it.")
    return [stack for stack in stacks if stack]
