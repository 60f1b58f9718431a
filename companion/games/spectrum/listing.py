"""Lists the moves of pawns that a usage allows now (BRD-14 to BRD-23, BRD-27, BRD-28).

The next part may be a plain roll's single space, the first part that can be played, or, if the order is free, any part
that is left. A next part without a move is lost.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import (
    ALL,
    INTERMEDIATE,
    JUMPS,
    PATH,
    RIM,
    RINGS,
    SPACES,
    SPOTS,
    STARTS,
    STEP,
    STOCK,
)
from companion.games.spectrum.moves import GOES, ONE_COLOR, Go, Swap, key
from companion.games.spectrum.situation import FREE, Ground, Situation
from companion.games.spectrum.usages import Part, Usage, mixes, within_reach

# Finds the spaces that one pawn can reach with a number of spaces taken at once (BRD-14 to BRD-23).
#
# A way is made of steps (one space) and jumps (two spaces), passes empty spaces only, and visits no space twice, its
# start and the jumped spaces included. Only where it ends matters, and for a few rules which colors it touches; so the
# search carries sets of spaces and keeps no ways.


def ends(ground: Ground, start: int, spaces: int, allowed: int) -> int:
    """Returns the spaces where a pawn on the board can end; `allowed` holds the spaces that it may enter or jump."""
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
    """Returns the ends with `spaces` left from `space`; the way does not enter or jump any of `visited` again."""
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
    """Returns the spaces where a pawn from stock can end: it enters on space 1, or jumps over a pawn there (BRD-15,
    BRD-23).
    """
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
    """A search that also tracks the colors that the way touches.

    `pure` holds the ends of ways that entered only one color, `mixed` those of ways that entered several; an end may be
    in both.
    """

    def __init__(self, ground: Ground, allowed: int, needs: int = 0, more: int = 0) -> None:
        """Args:
        needs: Spaces of which the way must touch one; 0 for no such demand.
        more: Another such set.
        """
        self._ground = ground
        self._allowed = allowed
        self._needs = needs
        self._more = more
        self.pure = 0
        self.mixed = 0

    def from_board(self, start: int, spaces: int) -> None:
        """Adds the spaces where a pawn on the board may end; the color of its start does not count as entered."""
        self._go_on(start, spaces, 1 << start, 0)

    def from_stock(self, spaces: int) -> None:
        """Adds the spaces where a pawn from stock may end."""
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
        """Adds ends of a way that touched these spaces before its end."""
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


PawnMove = Go | Swap


class Playable(NamedTuple):
    """The moves that can be played next."""

    left: int
    """The unused parts as in `Situation.left`, without lost ones; 0 if no part can be played."""
    moves: tuple[PawnMove, ...]


OVER = Playable(0, ())
_LAST_PATH = SPACES - RINGS
"""The difference between the numbers of spaces on the last and the first path, which are neighbors."""


def playable(situation: Situation, usage: Usage, left: int) -> Playable:
    """Returns the moves at hand, and the parts left then (BRD-27)."""
    ground = situation.ground
    if usage.exchange is not None:
        moves = _exchanges(situation, usage.exchange)
        return Playable(left, moves) if moves and left else OVER
    if usage.plain:
        singles = _singles(ground, situation.turn, usage, left)
        return Playable(left, singles) if singles else OVER
    walked = dict(situation.walked)
    if usage.free:
        return _in_any_order(ground, situation.turn, usage, left, walked)
    while left:
        hand = usage.at_hand(left)
        found: list[Go] = []
        for place in bits(hand):
            found += _of_part(ground, situation.turn, usage, usage.parts[place], 0, walked, left != 1 << place)
        if found:
            return Playable(left, tuple(found))
        left &= ~hand
    return OVER


def is_alive(situation: Situation, ground: Ground, usage: Usage) -> bool:
    """True if a usage has any legal move (BRD-28)."""
    if usage.plain:
        near = _spread(ground.own & usage.open) & usage.open & ground.landing
        if near or (ground.stocks and usage.open & STARTS & ground.landing):
            return True
        return bool(_singles(ground, situation.turn, usage, 2))
    if usage.exchange is not None:
        one, other = usage.exchange
        return bool(situation.open_spaces(one) and situation.open_spaces(other))
    return any(_can_be_played(ground, usage, part) for part in usage.parts)


def _can_be_played(ground: Ground, usage: Usage, part: Part) -> bool:
    """True if any pawn can take a part as the first of a turn."""
    spaces, allowed = part.spaces, part.allowed
    for start in bits(ground.own & usage.open & within_reach(allowed)):
        needs, _ = constraints(part, start, None)
        if not needs:
            if ends(ground, start, spaces, allowed):
                return True
        else:
            found = Traced(ground, allowed, needs)
            found.from_board(start, spaces)
            if found.pure | found.mixed:
                return True
    if not ground.stocks or not allowed & STARTS:
        return False
    if not part.needs:
        return bool(entries(ground, spaces, allowed))
    found = Traced(ground, allowed, part.needs)
    found.from_stock(spaces)
    return bool(found.pure | found.mixed)


def _spread(pawns: int) -> int:
    """Returns all spaces that a step reaches from one of these spaces, none of which is a star."""
    around = pawns << RINGS | pawns >> RINGS | pawns << _LAST_PATH | pawns >> _LAST_PATH
    return (pawns << 1 | (pawns & ~RIM) >> 1 | around) & ALL


def _singles(ground: Ground, seat: int, usage: Usage, left: int) -> tuple[Go, ...]:
    """Returns moves of single spaces and, if both are left, of two spaces and jumps (BRD-17, BRD-22)."""
    opened, goes = usage.open, GOES[seat]
    landing = ground.landing & opened
    found: list[Go] = []
    movers = ground.own & opened
    while movers:
        lowest = movers & -movers
        movers ^= lowest
        start = lowest.bit_length() - 1
        targets = STEP[start] & landing
        if left == 2:
            targets |= ends(ground, start, 2, opened)
        row = key(start, 0)
        while targets:
            last = targets & -targets
            targets ^= last
            found.append(goes[row + last.bit_length() - 1])
    if ground.stocks:
        targets = STARTS & landing
        if left == 2:
            targets |= entries(ground, 2, opened)
        for place in ground.stocks:
            row = key(STOCK + place, 0)
            found += [goes[row + space] for space in bits(targets)]
    return tuple(found)


def _in_any_order(ground: Ground, seat: int, usage: Usage, left: int, walked: dict[int, int]) -> Playable:
    """Returns every part that is left; parts that are alike are offered once (BRD-12, VAR-9, VAR-10)."""
    found: list[PawnMove] = []
    offered = set()
    for place, part in enumerate(usage.parts):
        bit = 1 << place
        if left & bit and part not in offered:
            offered.add(part)
            found += _of_part(ground, seat, usage, part, place + 1, walked, left != bit)
    return Playable(left, tuple(found)) if found else OVER


def _of_part(
    ground: Ground, seat: int, usage: Usage, part: Part, number: int, walked: dict[int, int], more: bool
) -> list[Go]:
    """Returns the moves of one part (BRD-18, BRD-19).

    Args:
        number: The part's number in the move, 0 where the order is printed.
        more: True if other parts are left, so that the colors of this one may matter later.
    """
    goes = GOES[seat]
    traced = more and mixes(part.allowed)
    found: list[Go] = []
    spaces, allowed = part.spaces, part.allowed
    for start in bits(ground.own & usage.open & within_reach(allowed)):
        needs, two = constraints(part, start, walked.get(start)) if part.needs or walked else (0, ALL)
        if not traced and not needs and two == ALL:
            targets, both = ends(ground, start, spaces, allowed), 0
        elif two & part.allowed:
            reached = Traced(ground, part.allowed, needs, 0 if two == ALL else two)
            reached.from_board(start, part.spaces)
            targets, both = reached.pure | reached.mixed, reached.pure & reached.mixed
        else:
            continue
        _add(found, goes, key(start, 0, number), targets, both if traced and start not in walked else 0)
    if ground.stocks and part.allowed & STARTS:
        if not traced and not part.needs:
            targets, both = entries(ground, part.spaces, part.allowed), 0
        else:
            reached = Traced(ground, part.allowed, part.needs)
            reached.from_stock(part.spaces)
            targets, both = reached.pure | reached.mixed, reached.pure & reached.mixed
        for place in ground.stocks:
            _add(found, goes, key(STOCK + place, 0, number), targets, both if traced else 0)
    return found


def _add(found: list[Go], goes: dict[int, Go], row: int, targets: int, both: int) -> None:
    while targets:
        last = targets & -targets
        targets ^= last
        place = row + last.bit_length() - 1
        found.append(goes[place])
        if both & last:
            found.append(goes[place + ONE_COLOR])


def constraints(part: Part, start: int, walk: int | None) -> tuple[int, int]:
    """Returns the spaces that the way of a pawn on the board must touch: an intermediate (0: none), and another color
    (`ALL`: any).

    Args:
        walk: The entry of `Situation.walked` for the pawn; None if it has made no part.
    """
    needs = 0 if part.needs and INTERMEDIATE >> start & 1 else part.needs
    return needs, ALL if walk is None or walk == FREE else ALL & ~PATH[walk]


def colors_of(situation: Situation, go: Go, origin: int, space: int, part: Part) -> int:
    """Returns the entry of `walked` for a pawn after a part: the only color that it entered, or `FREE` (BRD-19)."""
    walk = dict(situation.walked).get(origin)
    if walk is not None:
        return FREE
    if part.mixes and not go.one_color:
        needs, _ = (part.needs, ALL) if origin >= STOCK else constraints(part, origin, None)
        ends = Traced(situation.ground, part.allowed, needs)
        if origin >= STOCK:
            ends.from_stock(part.spaces)
        else:
            ends.from_board(origin, part.spaces)
        if ends.mixed >> space & 1:
            return FREE
    return space // 9


def _exchanges(situation: Situation, paths: tuple[int, int]) -> tuple[Swap, ...]:
    """Returns every pair of pawns that a color swap card can exchange (VAR-16)."""
    one, other = (situation.open_spaces(path) for path in paths)
    return tuple(Swap(situation.turn, SPOTS[a], SPOTS[b]) for a in bits(one) for b in bits(other))
