"""Finds one way that a legal move of a pawn can have taken, to draw it: the spaces it passed, and the pawns it jumped.

A move is identified by its ends alone (`moves.Go`), which is enough for the rules. People want to see the way; of
several ways, the one with the fewest jumps is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import ALL, JUMPS, PATH, STARTS, STEP, STOCK
from companion.games.spectrum.listing import constraints
from companion.games.spectrum.moves import Go, ends_of
from companion.games.spectrum.situation import Ground, Situation
from companion.games.spectrum.usages import Part, Usage, mixes


class Route(NamedTuple):
    """The way of a pawn."""

    landed: tuple[int, ...]
    """The spaces on which the pawn stood one after the other; the last one is its end."""
    jumped: tuple[int, ...]
    """The spaces of the pawns that it jumped."""

    @property
    def touched(self) -> int:
        """The mask of all spaces that the pawn entered or jumped."""
        mask = 0
        for space in (*self.landed, *self.jumped):
            mask |= 1 << space
        return mask


def route_of(situation: Situation, usage: Usage, left: int, go: Go) -> Route | None:
    """Returns a way of a legal move, None for a move that is not legal.

    Args:
        left: What of the usage is left, as in `Situation.left`.
    """
    ends = ends_of(go)
    if ends is None:
        return None
    origin, space = ends.origin, ends.space
    if usage.plain:
        single = STARTS if origin >= STOCK else STEP[origin]
        part = Part(1 if single >> space & 1 else 2, usage.open)
        more = False
    else:
        place = usage.place_of(left, go.part, space)
        part = usage.parts[place]
        more = left != 1 << place
    walk = dict(situation.walked).get(origin)
    needs, two = (part.needs, ALL) if origin >= STOCK else constraints(part, origin, walk)
    wants_two = more and mixes(part.allowed) and walk is None and not go.one_color
    found = None
    for route in _routes(situation.ground, origin, part, space):
        touched = route.touched
        if (needs and not touched & needs) or not touched & two:
            continue
        several = touched & ~PATH[space // 9] != 0
        if go.one_color and several:
            continue
        if not wants_two or several:
            return route
        found = found or route
    return found


def _routes(ground: Ground, origin: int, part: Part, space: int) -> Iterator[Route]:
    """Yields every way of exactly the part's spaces that ends on `space`, those with fewer jumps first."""
    for jumps in range(part.spaces // 2 + 1):
        if origin < STOCK:
            yield from _from(ground, part.allowed, origin, part.spaces, jumps, Route((), ()), 1 << origin, space)
        else:
            yield from _from_stock(ground, part, jumps, space)


def _from_stock(ground: Ground, part: Part, jumps: int, space: int) -> Iterator[Route]:
    """Yields the ways of a pawn from stock: it enters, or jumps over a pawn that stands on a start (BRD-15, BRD-23)."""
    for start in bits(part.allowed & STARTS):
        if part.spaces == 1:
            if start == space and not jumps and ground.landing >> start & 1:
                yield Route((start,), ())
        elif ground.way >> start & 1:
            yield from _from(
                ground, part.allowed, start, part.spaces - 1, jumps, Route((start,), ()), 1 << start, space
            )
        elif ground.jumpable >> start & 1 and jumps:
            beyond = start + 1
            so_far = Route((beyond,), (start,))
            if part.spaces == 2:
                if beyond == space and jumps == 1 and ground.landing & part.allowed & 1 << beyond:
                    yield so_far
            elif ground.way & part.allowed & 1 << beyond:
                yield from _from(
                    ground, part.allowed, beyond, part.spaces - 2, jumps - 1, so_far, 1 << beyond | 1 << start, space
                )


def _from(
    ground: Ground, allowed: int, here: int, spaces: int, jumps: int, so_far: Route, visited: int, space: int
) -> Iterator[Route]:
    """Yields the ways of `spaces` more spaces, with exactly `jumps` jumps among them, that end on `space`."""
    near = STEP[here] & allowed & ~visited
    landed, jumped = so_far
    if not jumps and spaces == 1:
        if near & ground.landing & 1 << space:
            yield Route((*landed, space), jumped)
        return
    if spaces > 1 and 2 * jumps < spaces:
        for middle in bits(near & ground.way):
            after = Route((*landed, middle), jumped)
            yield from _from(ground, allowed, middle, spaces - 1, jumps, after, visited | 1 << middle, space)
    if jumps and spaces >= 2:
        for over, landings in JUMPS[here]:
            if not over & near & ground.jumpable:
                continue
            beyond = landings & allowed & ~visited
            pawn = over.bit_length() - 1
            if spaces == 2:
                if beyond & ground.landing & 1 << space:
                    yield Route((*landed, space), (*jumped, pawn))
                continue
            for stood in bits(beyond & ground.way):
                after = Route((*landed, stood), (*jumped, pawn))
                yield from _from(
                    ground, allowed, stood, spaces - 2, jumps - 1, after, visited | over | 1 << stood, space
                )
