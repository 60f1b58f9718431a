"""What a camera should see in a position, and which events a seen tray looks like.

The one heap is the tray. Any die may be in a hand at any time, so all dice are `covered`: a die that is gone says
nothing, and only other faces do. Sheets are on the page, so entries and the choice of dice leave no trace; a re-roll is
seen when its dice lie again. A reader that knows which dice lie elsewhere than before reports those once more in the
heap "dice.moved"; then their number is known, and not only how many faces differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.contract import Rolled
from companion.games.color_dice import D6, die, readings
from companion.games.roll_and_color.moves import DICE, SIZES, Reroll, Rethrow, RollEvent, takes
from companion.games.roll_and_color.situation import KINDS, Situation
from companion.layout import Layout, Sighting, Spot
from companion.pieces import Die, Piece

if TYPE_CHECKING:
    from companion.games.roll_and_color.state import RollState

TRAY: Spot = "dice"
MOVED: Spot = "dice.moved"
"""The heap in which a reader repeats the dice that lie elsewhere than in the position it was last told."""


def lying(situation: Situation) -> tuple[Die, ...]:
    """By number: the die as it lies, or as it lay before it was picked up."""
    return tuple([die(kind, color) for kind, color in zip(KINDS, situation.dice, strict=False)])


def layout(situation: Situation) -> Layout:
    """The tray."""
    dice = tuple(sorted(lying(situation), key=lambda one: (one.kind, str(one.face))))
    covered: dict[Spot, tuple[Piece, ...]] = {TRAY: dice} if dice else {}
    return Layout(heaps={TRAY: tuple([Sighting.sure(one) for one in dice])}, covered=covered)


def candidates(situation: Situation, seen: Layout) -> tuple[RollEvent, ...]:
    """The legal events that may be the next step from the position towards `seen`."""
    return tuple(dict.fromkeys(_candidates(situation, seen)))


def _candidates(situation: Situation, seen: Layout) -> Iterator[RollEvent]:
    if situation.ending is not None:
        return
    for faces in _trays(seen):
        if not situation.rolled:
            yield Rolled(faces)
        elif situation.picked:
            rolled = _rolled(situation, situation.picked, faces)
            if rolled is not None:
                yield rolled
        elif situation.rerolls < len(SIZES):
            picked = _picked(situation, faces, seen)
            if picked is not None and takes(situation.rerolls, len(picked)):
                yield Reroll(situation.turn, picked)


def _trays(seen: Layout) -> Iterator[tuple[Die, ...]]:
    """Readings of a tray in which all nine dice lie, the d6 first."""
    for faces in readings(seen.heaps.get(TRAY, ()), KINDS):
        yield tuple(sorted(faces, key=lambda one: (one.kind != D6, str(one.face))))


def _rolled(situation: Situation, picked: Sequence[int], faces: Sequence[Die]) -> Rolled | None:
    """What the picked dice show, if the others lie as they did."""
    kept = Counter(one for number, one in enumerate(lying(situation), 1) if number not in picked)
    rest = Counter(faces)
    if kept - rest:
        return None
    new = sorted((rest - kept).elements(), key=lambda one: (one.kind != D6, str(one.face)))
    if [one.kind for one in new] != [KINDS[number - 1] for number in picked]:
        return None
    return Rolled(tuple(new))


def _picked(situation: Situation, faces: Sequence[Die], seen: Layout) -> tuple[int, ...] | None:
    """Numbers of the dice that were re-rolled; None where no face differs or the reader contradicts itself.

    Where only faces are known, dice that came up as before are filled in: any of them leads to the same roll.
    """
    moved = seen.heaps.get(MOVED)
    stayed = Counter(faces)
    if moved is not None:
        stayed -= Counter(one for sighting in moved if isinstance(one := sighting.piece, Die))
    picked = missing(situation, stayed)
    if moved is not None:
        return picked if len(picked) == len(moved) else None
    if not picked:
        return None
    least = SIZES[situation.rerolls]
    same = [number for number in range(1, DICE + 1) if number not in picked]
    return tuple(sorted([*picked, *same[: max(0, least - len(picked))]]))


def missing(situation: Situation, stayed: Counter[Die]) -> tuple[int, ...]:
    """Numbers of the dice that are not among those that stayed; of equal ones the later numbers."""
    rest = Counter(stayed)
    picked = []
    for number, one in enumerate(lying(situation), 1):
        if rest[one]:
            rest[one] -= 1
        else:
            picked.append(number)
    return tuple(picked)


def suggest(state: RollState, seen: Layout) -> RollEvent | None:
    """The next event on the way to `seen`, by best readings; an illegal one only where it is told which dice moved.

    Faces alone do not tell a re-roll of too many dice from the roll of the next player, so they accuse nobody.
    """
    if not state.layout().differences(seen):
        return None
    legal = next(_candidates(state, seen), None)
    if legal is not None or not state.may_move or MOVED not in seen.heaps:
        return legal
    faces = next(_trays(seen), None)
    picked = None if faces is None else _picked(state, faces, seen)
    if faces is None or not picked or len(picked) == DICE:
        return None
    rolled = _rolled(state, picked, faces)
    return None if rolled is None else Rethrow(state.turn, picked, rolled.faces)
