"""Searches the events between a position and a seen table: a rock, a placement and a taken stalk, turn after turn.

A camera need not see rocks, because each placed piece has the color of its rock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from companion.core.contract import Drawn
from companion.core.foundation.errors import MoveError
from companion.core.layout import Layout
from companion.games.ice_stalks.growth import (
    CODES,
    KIND,
    RAINBOW,
    ROCKS,
    ROCKS_SPOT,
    STALKS_SPOT,
    Stalk,
    is_complete,
    kinds_of,
    pieces_of,
    stalk_of,
    taken_spot,
)
from companion.games.ice_stalks.moves import TAKES, IceStalksEvent, PlacePiece, Take
from companion.games.ice_stalks.observation import aside, rocks_in, sharpened, stalks_in
from companion.games.ice_stalks.situation import Situation
from companion.games.shared.search.ways import first_step, ways

if TYPE_CHECKING:
    from companion.games.ice_stalks.state import IceStalksState

DEPTH = 6
"""The largest number of events searched between two pictures: two whole turns."""
BREADTH = 300
"""The largest number of positions searched."""


class StalkChange(NamedTuple):
    """The stalks that may have come to the table or disappeared, with their possible places."""

    came: Counter[Stalk]
    """The stalks that may have come to the middle or to a player's side."""
    gone: Counter[Stalk]
    """The stalks that disappeared from the middle."""
    collected: tuple[Counter[Stalk] | None, ...]
    """The stalks that may have come to each seat's side; None if the side was not looked at."""
    unsure: tuple[Stalk, ...] = ()
    """The stalks among those that came whose readings are very uncertain."""


def change(situation: Situation, seen: Layout) -> StalkChange:
    """Returns the possible differences of `seen` to the position; a doubtful reading may be each of its candidates."""
    read = stalks_in(seen)
    middle = read.get(STALKS_SPOT)
    standing = Counter(situation.stalks)
    if situation.done is not None:
        standing[situation.done] += 1
    came: Counter[Stalk] = Counter()
    gone: Counter[Stalk] = Counter()
    if middle is not None:
        came += middle.may_be - standing
        gone += standing - middle.must_be
    collected: list[Counter[Stalk] | None] = []
    for seat, taken in enumerate(situation.taken):
        heap = read.get(taken_spot(seat))
        collected.append(None if heap is None else heap.may_be - Counter(taken))
    for pile in collected:
        came += pile or Counter()
    heaps = [middle, *[read.get(taken_spot(seat)) for seat in range(situation.seats)]]
    unsure = {stalk for heap in heaps if heap is not None for stalk in heap.doubtful}
    return StalkChange(came, gone, tuple(collected), tuple(sorted(unsure & set(came))))


def resembles(read: Stalk, stalk: Stalk) -> bool:
    """True if one stalk may be misread as the other: up to half of its pieces differ, or one piece is missing or
    extra.
    """
    one, other = kinds_of(read), kinds_of(stalk)
    if len(one) == len(other):
        differing = sum(mine != theirs for mine, theirs in zip(one, other, strict=True))
        return differing <= max(1, len(one) // 2)
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    if len(longer) != len(shorter) + 1:
        return False
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))


def candidates(situation: Situation, seen: Layout) -> tuple[IceStalksEvent, ...]:
    """Returns the legal events that may be the next step from the position toward `seen`."""
    if situation.is_over:
        return ()
    found = change(situation, seen)
    if situation.done is not None:
        pile = found.collected[situation.turn]
        if pile is None:
            taken = situation.done in found.gone
        else:
            taken = situation.done in pile or any(
                one in pile and resembles(one, situation.done) for one in found.unsure
            )
        return (TAKES[situation.turn],) if taken else ()
    if situation.hand is None:
        return tuple(_draws(situation, found, seen))
    return tuple(move for move in situation.moves if isinstance(move, PlacePiece) and _is_plausible(found, move))


def _draws(situation: Situation, found: StalkChange, seen: Layout) -> Iterator[Drawn]:
    """Yields draws of the rocks that new pieces need, or that lie aside now."""
    colors = {kind // 3 for came in found.came for rest in _new_parts(found, came) for kind in kinds_of(rest)}
    unseen = {seat for seat, pile in enumerate(found.collected) if pile is None}
    if found.unsure:
        colors = set(range(len(RAINBOW)))
    if unseen and found.gone:
        # If a stalk was completed and taken out of sight, any color that could complete one may have been drawn.
        colors |= set(range(len(RAINBOW)))
    heap = seen.heaps.get(ROCKS_SPOT)
    if heap is not None:
        shown = rocks_in(heap)
        colors = {color for color, count in enumerate(aside(situation)) if shown[color] > count}
    for color in sorted(colors):
        if situation.rocks[color]:
            yield Drawn(situation.turn, (ROCKS[RAINBOW[color]],))


def _new_parts(found: StalkChange, came: Stalk) -> list[Stalk]:
    """Returns the new part of a stalk that came: the part above a stalk that disappeared, or all of it."""
    return [came[len(gone) :] for gone in found.gone if came.startswith(gone)] or [came]


def _is_plausible(found: StalkChange, place: PlacePiece) -> bool:
    """True if the result of the placement, or a stalk that it may have grown into since, has come.

    The stalk below need not have disappeared: an equal one may have been placed since.
    """
    stalk = stalk_of(place.on)
    grown = stalk + CODES[KIND[place.piece]]
    if any(came.startswith(grown) for came in found.came):
        return True
    if (not stalk or found.gone[stalk]) and any(_may_hold(read, grown) for read in found.unsure):
        return True
    return is_complete(grown) and found.gone[stalk] > 0 and found.collected[place.seat] is None


def _may_hold(read: Stalk, grown: Stalk) -> bool:
    """True if an uncertain reading may show a stalk, or one that has grown from it."""
    return resembles(read, grown) or (len(read) > len(grown) and resembles(read[: len(grown)], grown))


def infer_event(state: IceStalksState, seen: Layout) -> IceStalksEvent | None:
    """Returns the first event of the shortest sequence that turns the position into `seen`, judged by best candidates.

    All events of the sequence are legal, or all but the last. None if there is no such sequence, or no change.
    """
    seen = sharpened(seen)
    if state.is_over or not state.layout().differences(seen):
        return None
    legal = ways(state, lambda here: candidates(here, seen), DEPTH, BREADTH)
    return first_step(legal, seen, lambda here: _illegal(here, seen))


def _illegal(state: IceStalksState, seen: Layout) -> IceStalksEvent | None:
    """Returns the illegal event that alone turns the position into `seen`; the taking of a stalk it completes may
    follow.
    """
    for event in illegal_candidates(state, seen):
        if not state.violations(event):
            continue
        try:
            after = state.apply_unchecked(event)
            if isinstance(event, PlacePiece) and after.done is not None and after.layout().differences(seen):
                after = after.apply(TAKES[after.turn])
        except MoveError:
            continue
        if not after.layout().differences(seen):
            return event
    return None


def illegal_candidates(state: IceStalksState, seen: Layout) -> Iterator[IceStalksEvent]:
    """Yields the events that the difference to `seen`, a table without doubts, looks like, legal or not.

    An event may explain only a part of the change.
    """
    if not state.is_over:
        yield from _guesses(state, change(state, seen))


def _guesses(situation: Situation, found: StalkChange) -> Iterator[IceStalksEvent]:
    """Yields the events that the difference looks like, legal or not: a base, an addition, a stalk taken."""
    came, gone = list(found.came.elements()), list(found.gone.elements())
    if situation.done is not None and gone == [situation.done] and came == gone:
        for seat, pile in enumerate(found.collected):
            if pile and situation.done in pile:
                yield Take(seat)
    if len(came) != 1 or len(gone) > 1:
        return
    below, piece = came[0][:-2], pieces_of(came[0])[-1]
    if situation.hand is None and situation.rocks[RAINBOW.index(piece.color)]:
        # With a rock of this color in the bag, its draw comes before the placement.
        return
    if below == (gone[0] if gone else ""):
        # Any player may have taken a stalk that this completed, but the player to move drew the rock for it (ICE-16).
        yield PlacePiece(situation.turn, piece, pieces_of(below))
