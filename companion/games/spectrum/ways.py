"""Where one pawn can come with so many spaces taken at once (BRD-14 to BRD-23).

A way is made of steps (one space) and jumps (two spaces), passes empty spaces only, and visits no space twice, its
start and the jumped spaces included. Only where it ends matters, and for a few rules which colors it touches; so the
search carries sets of spaces and keeps no ways.
"""

from __future__ import annotations

from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import JUMPS, PATH, RINGS, STARTS, STEP
from companion.games.spectrum.situation import Ground


def ends(ground: Ground, start: int, spaces: int, allowed: int) -> int:
    """Where a pawn on the board can end; `allowed` are the spaces that it may enter or jump."""
    landing = ground.landing & allowed
    if spaces == 1:
        return STEP[start] & landing
    if spaces == 2:
        found = 0
        near = STEP[start] & allowed
        middle = near & ground.way
        while middle:
            lowest = middle & -middle
            found |= STEP[lowest.bit_length() - 1]
            middle ^= lowest
        if near & ground.jumpable:
            found |= _jumped(ground, start, near)
        return found & landing & ~(1 << start)
    return _farther(ground, start, spaces, allowed, 1 << start)


def _jumped(ground: Ground, start: int, near: int) -> int:
    found = 0
    over = near & ground.jumpable
    for jumped, landings in JUMPS[start]:
        if jumped & over:
            found |= landings
    return found


def _farther(ground: Ground, space: int, spaces: int, allowed: int, visited: int) -> int:
    """Ends with `spaces` left from `space`; none of `visited` is entered or jumped again."""
    near = STEP[space] & allowed & ~visited
    if spaces == 1:
        return near & ground.landing
    found = 0
    for middle in bits(near & ground.way):
        found |= _farther(ground, middle, spaces - 1, allowed, visited | 1 << middle)
    if near & ground.jumpable:
        for jumped, landings in JUMPS[space]:
            if jumped & near & ground.jumpable:
                beyond = landings & allowed & ~visited
                if spaces == 2:
                    found |= beyond & ground.landing
                else:
                    for landed in bits(beyond & ground.way):
                        found |= _farther(ground, landed, spaces - 2, allowed, visited | jumped | 1 << landed)
    return found


def entries(ground: Ground, spaces: int, allowed: int) -> int:
    """Where a pawn from stock can end: it enters on space 1, or jumps over a pawn there (BRD-15, BRD-23)."""
    starts = allowed & STARTS
    if spaces == 1:
        return starts & ground.landing
    found = 0
    for start in bits(starts & ground.way):
        found |= _farther(ground, start, spaces - 1, allowed, 1 << start)
    for start in bits(starts & ground.jumpable):
        beyond = 1 << (start + 1) & allowed
        if spaces == 2:
            found |= beyond & ground.landing
        elif beyond & ground.way:
            found |= _farther(ground, start + 1, spaces - 2, allowed, beyond | 1 << start)
    return found


class Traced:
    """A search that also minds which colors the way touches.

    `pure` are ends of ways that entered one color only, `mixed` those of ways that entered several; an end may be both.
    """

    def __init__(self, ground: Ground, allowed: int, needs: int = 0, more: int = 0) -> None:
        """
        :param needs: spaces of which the way must touch one; 0 if that does not matter. `more`: another such set.
        """
        self._ground = ground
        self._allowed = allowed
        self._needs = needs
        self._more = more
        self.pure = 0
        self.mixed = 0

    def from_board(self, start: int, spaces: int) -> None:
        """Add the ends of a pawn on the board. Its start is not entered, so its color does not count."""
        self._go_on(start, spaces, 1 << start, 0)

    def from_stock(self, spaces: int) -> None:
        """Add the ends of a pawn from stock."""
        ground = self._ground
        for start in bits(self._allowed & STARTS):
            bit = 1 << start
            if spaces == 1:
                self._end(bit & ground.landing, 0)
            elif bit & ground.way:
                self._go_on(start, spaces - 1, bit, bit)
            elif bit & ground.jumpable:
                beyond = 1 << (start + 1)
                if spaces == 2:
                    self._end(beyond & ground.landing & self._allowed, bit)
                elif beyond & ground.way & self._allowed:
                    self._go_on(start + 1, spaces - 2, beyond | bit, beyond | bit)

    def _go_on(self, space: int, spaces: int, visited: int, touched: int) -> None:
        ground = self._ground
        near = STEP[space] & self._allowed & ~visited
        if spaces == 1:
            self._end(near & ground.landing, touched)
            return
        for middle in bits(near & ground.way):
            self._go_on(middle, spaces - 1, visited | 1 << middle, touched | 1 << middle)
        for jumped, landings in JUMPS[space]:
            if jumped & near & ground.jumpable:
                beyond = landings & self._allowed & ~visited
                if spaces == 2:
                    self._end(beyond & ground.landing, touched | jumped)
                else:
                    for landed in bits(beyond & ground.way):
                        both = jumped | 1 << landed
                        self._go_on(landed, spaces - 2, visited | both, touched | both)

    def _end(self, found: int, touched: int) -> None:
        """Take ends of a way that touched these spaces before its end."""
        if self._needs and not touched & self._needs:
            found &= self._needs
        if self._more and not touched & self._more:
            found &= self._more
        if not touched:
            self.pure |= found
            return
        path = PATH[((touched & -touched).bit_length() - 1) // RINGS]
        if touched & ~path:
            self.mixed |= found
        else:
            self.pure |= found & path
            self.mixed |= found & ~path
