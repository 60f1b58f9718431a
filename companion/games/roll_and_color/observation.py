"""The expected reading of a position, and the events that explain a seen tray.

The one heap is the tray. Any die may be in a hand at any time, so all dice are `covered`: a missing die is no evidence,
other faces are. Sheets are on the page, so entries and the choice of dice leave no trace; a re-roll is seen when its
dice lie again. A reader that knows which dice lie elsewhere than before reports those once more in the heap
"dice.moved"; then their number is known, and not only how many faces differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.core.contract import Rolled
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Die, Piece
from companion.games.roll_and_color.moves import DICE, SIZES, Reroll, Rethrow, RollEvent, takes
from companion.games.roll_and_color.situation import KINDS, Situation
from companion.games.shared.color_dice import D6, die, readings

ALL_BUT_ONE = DICE - 1
"""Of nine dice thrown, one may come to lie as one lay before; two hardly ever do."""
TRAY: Spot = "dice"
MOVED: Spot = "dice.moved"
"""The heap in which a reader repeats the dice that lie elsewhere than in the last confirmed position."""


def lying(situation: Situation) -> tuple[Die, ...]:
    """By number: the die as it lies, or as it lay before it was picked up."""
    return tuple([die(kind, color) for kind, color in zip(KINDS, situation.dice, strict=False)])


def layout(situation: Situation) -> Layout:
    """The tray."""
    dice = tuple(sorted(lying(situation), key=lambda one: (one.kind, str(one.face))))
    covered: dict[Spot, tuple[Piece, ...]] = {TRAY: dice} if dice else {}
    return Layout(heaps={TRAY: tuple([Detection.sure(one) for one in dice])}, covered=covered)


def candidates(situation: Situation, seen: Layout) -> tuple[RollEvent, ...]:
    """The legal events that may be the next step from the position toward `seen`."""
    return tuple(dict.fromkeys(_candidates(situation, seen)))


def _candidates(situation: Situation, seen: Layout) -> Iterator[RollEvent]:
    if situation.ending is not None:
        return
    moved = moved_dice(seen)
    for faces in _trays(seen):
        if not situation.rolled:
            if moved is None or moved.total() >= ALL_BUT_ONE:
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
    """The faces of the picked dice, if the others lie as before."""
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

    Dice with another face were rolled. A die with its old face that lies elsewhere may have been rolled or only been
    pushed by those that were, so as many of them are counted as make the re-roll allowed, and all if none does. Where
    only faces are known, any dice may have come up as before; whichever is taken leads to the same roll.
    """
    differ = missing(situation, Counter(faces))
    if not differ:
        return None
    numbers = range(1, DICE + 1)
    same = [number for number in numbers if number not in differ]
    least = SIZES[situation.rerolls] if situation.rerolls < len(SIZES) else 0
    moved = moved_dice(seen)
    if moved is None:
        return tuple(sorted([*differ, *same[: max(0, least - len(differ))]]))
    lie = lying(situation)
    if Counter(faces) - Counter(lie) - moved:
        return None
    pushed = moved - (Counter(faces) - Counter(lie))
    again = []
    for number in same:
        if pushed[lie[number - 1]] > 0:
            pushed[lie[number - 1]] -= 1
            again.append(number)
    for count in range(len(again), -1, -1):
        if takes(situation.rerolls, len(differ) + count):
            return tuple(sorted([*differ, *again[:count]]))
    return tuple(sorted([*differ, *again]))


def moved_dice(seen: Layout) -> Counter[Die] | None:
    """The dice that lie elsewhere than before; None where the reader does not know."""
    heap = seen.heaps.get(MOVED)
    return None if heap is None else Counter(one for sighting in heap if isinstance(one := sighting.piece, Die))


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


def illegal_candidates(situation: Situation, seen: Layout) -> Iterator[RollEvent]:
    """A wrong number of dice that were thrown again, where it is told which dice moved.

    Faces alone do not tell a re-roll of too many dice from the roll of the next player, so they accuse nobody; nor do
    all nine dice.
    """
    if not situation.may_move or MOVED not in seen.heaps:
        return
    for faces in _trays(seen):
        picked = _picked(situation, faces, seen)
        if picked and len(picked) < ALL_BUT_ONE and not takes(situation.rerolls, len(picked)):
            rolled = _rolled(situation, picked, faces)
            if rolled is not None:
                yield Rethrow(situation.turn, picked, rolled.faces)
