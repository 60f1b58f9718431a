"""The state of Roll & Color: applies events to a position (ROL-2 to ROL-5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Self

from companion.core.contract import Outcome, Rolled, Score, ScoreLine, Violation
from companion.core.foundation.errors import BadEvent
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Die, Piece
from companion.games.roll_and_color.moves import CUBES, DICE, ENTRIES, SIZES, Enter, Reroll, Rethrow, RollEvent, takes
from companion.games.roll_and_color.sheet import POINTS, ROWS, cell_of, open_rows, row_of, total, words
from companion.games.roll_and_color.situation import KINDS, Situation
from companion.games.roll_and_color.violations import violations_of
from companion.games.shared.color_dice import D6, D12, PLACE, die, readings
from companion.games.shared.ruled_state import RuledState, places

# Predicts the reading of a position, and finds the events that explain a seen tray.
#
# The one heap is the tray. Any die may be in a hand at any time, so all dice are `covered`: a missing die is no
# evidence, other faces are. Sheets are on the page, so entries and the choice of dice leave no trace; a re-roll is
# seen when its dice lie again. A reader that knows which dice lie elsewhere than before reports those once more in
# the heap "dice.moved"; then their number is known, and not only how many faces differ.

ALL_BUT_ONE = DICE - 1
"""If at least this number of dice moved, all nine were thrown: one may fall as it lay before, two hardly ever do."""
TRAY: Spot = "dice"
MOVED: Spot = "dice.moved"
"""The heap in which a reader repeats the dice that are not where the last confirmed position has them."""


def lying(situation: Situation) -> tuple[Die, ...]:
    """Returns each die as it lies, or as it lay before it was picked up."""
    return tuple([die(kind, color) for kind, color in zip(KINDS, situation.dice, strict=False)])


def layout(situation: Situation) -> Layout:
    """Returns the tray."""
    dice = tuple(sorted(lying(situation), key=lambda one: (one.kind, str(one.face))))
    covered: dict[Spot, tuple[Piece, ...]] = {TRAY: dice} if dice else {}
    return Layout(heaps={TRAY: tuple([Detection.sure(one) for one in dice])}, covered=covered)


def candidates(situation: Situation, seen: Layout) -> tuple[RollEvent, ...]:
    """Returns the legal events that may be the next step from the position toward `seen`."""
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
    """Yields readings of a tray in which all nine dice lie, the d6 first."""
    for faces in readings(seen.heaps.get(TRAY, ()), KINDS):
        yield tuple(sorted(faces, key=lambda one: (one.kind != D6, str(one.face))))


def _rolled(situation: Situation, picked: Sequence[int], faces: Sequence[Die]) -> Rolled | None:
    """Returns the faces of the picked dice, if the others lie as before."""
    kept = Counter(one for number, one in enumerate(lying(situation), 1) if number not in picked)
    rest = Counter(faces)
    if kept - rest:
        return None
    new = sorted((rest - kept).elements(), key=lambda one: (one.kind != D6, str(one.face)))
    if [one.kind for one in new] != [KINDS[number - 1] for number in picked]:
        return None
    return Rolled(tuple(new))


def _picked(situation: Situation, faces: Sequence[Die], seen: Layout) -> tuple[int, ...] | None:
    """Returns the numbers of the dice that were re-rolled; None if no face differs or the reader contradicts itself.

    Dice with another face were rolled. A die with its old face in another place may have been rolled or pushed by those
    that were: as many of them are counted as the re-roll needs, or all if that is impossible. If only faces are known,
    any dice may have kept their face; every choice of them gives the same roll.
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
    """Returns the dice that have moved; None if the reader does not know."""
    heap = seen.heaps.get(MOVED)
    return None if heap is None else Counter(one for sighting in heap if isinstance(one := sighting.piece, Die))


def missing(situation: Situation, stayed: Counter[Die]) -> tuple[int, ...]:
    """Returns the numbers of the dice that did not stay; of equal dice, the later numbers."""
    rest = Counter(stayed)
    picked = []
    for number, one in enumerate(lying(situation), 1):
        if rest[one]:
            rest[one] -= 1
        else:
            picked.append(number)
    return tuple(picked)


def illegal_candidates(situation: Situation, seen: Layout) -> Iterator[RollEvent]:
    """Yields throws of a forbidden number of dice, if the reader knows which dice moved.

    Faces alone cannot distinguish a re-roll of too many dice from the next player's roll, so they never accuse a
    player; neither do nine moved dice.
    """
    if not situation.may_move or MOVED not in seen.heaps:
        return
    for faces in _trays(seen):
        picked = _picked(situation, faces, seen)
        if picked and len(picked) < ALL_BUT_ONE and not takes(situation.rerolls, len(picked)):
            rolled = _rolled(situation, picked, faces)
            if rolled is not None:
                yield Rethrow(situation.turn, picked, rolled.faces)


_SIX = {one: color for one, color in PLACE.items() if one.kind == D6}
_TWELVE = {one: color for one, color in PLACE.items() if one.kind == D12}
"""The colors of the twelve-sided dice, by die."""


@cache
def _cubes(picked: tuple[int, ...]) -> int:
    """Returns the number of six-sided dice among these numbers."""
    return sum(number <= CUBES for number in picked)


class RollState(Situation, RuledState, frozen=True, dict=True, tag="roll-and-color", forbid_unknown_fields=True):
    """A position of Roll & Color with its rules (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: RollEvent) -> Self:
        if isinstance(event, Rolled):
            if self.picked or (not self.rolled and self.ending is None):
                try:
                    return self._rolled(event)
                except KeyError:
                    pass  # The dice are not the expected ones, or in another order: the general method decides.
        elif self.rolled and not self.picked and event.seat == self.turn:
            if isinstance(event, Reroll):
                if self.rerolls < len(SIZES) and takes(self.rerolls, len(event.dice)):
                    return self._picking(event)
            elif isinstance(event, Enter) and self._may_enter(event):
                return self._entered(event)
        return super()._applied(event)

    def _may_enter(self, enter: Enter) -> bool:
        row = enter.row
        return row in open_rows(self.sheets[self.turn]) and enter in ENTRIES[self.turn][row][self.levels[row]]

    def _forced(self, move: RollEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal move that the whole table accepts.

        A wrong number of dice counts as the re-roll that was due; a cell that the roll does not meet brings its points.

        None if the move is impossible: out of turn, before the roll, a filled row, an N/A cell.
        """
        if isinstance(move, Reroll | Enter | Rethrow) and self.may_move and move.seat == self.turn:
            if isinstance(move, Reroll):
                return self._picking(move)
            if isinstance(move, Rethrow):
                return self._rethrown(move)
            if self.is_open(move.seat, move.row) and move.entry in POINTS:
                return self._entered(move)
        return None

    def _rethrown(self, rethrow: Rethrow) -> Self:
        """Returns the position after dice that were thrown against the rules.

        Raises:
            BadEvent: They cannot show that.
        """
        try:
            return self._picking(Reroll(rethrow.seat, rethrow.dice))._rolled(Rolled(rethrow.faces))
        except KeyError as error:
            raise BadEvent("These dice cannot show that. Correct what was misread.") from error

    def _done(self, event: RollEvent) -> Self:
        """Returns the position after a legal event; dice may be named in any order."""
        if isinstance(event, Rolled):
            return self._rolled(Rolled(tuple(sorted(event.faces, key=lambda one: one.kind != D6))))
        assert not isinstance(event, Rethrow), "it is never allowed"
        return self._picking(event) if isinstance(event, Reroll) else self._entered(event)

    def _rolled(self, rolled: Rolled) -> Self:
        """Returns the position after the dice lie again: all nine, or those that were picked, in the order of their
        numbers.

        Raises:
            KeyError: Other dice are due.
        """
        faces, picked = rolled.faces, self.picked
        cubes = _cubes(picked) if picked else CUBES
        colors = [_SIX[face] for face in faces[:cubes]]
        colors += [_TWELVE[face] for face in faces[cubes:]]
        if len(colors) != (len(picked) or DICE):
            raise KeyError(len(colors))
        if not picked:
            return type(self)(self.sheets, self.turn, True, tuple(colors))
        dice = list(self.dice)
        for number, color in zip(picked, colors, strict=True):
            dice[number - 1] = color
        return type(self)(self.sheets, self.turn, True, tuple(dice), self.rerolls)

    def _picking(self, reroll: Reroll) -> Self:
        made = min(self.rerolls + 1, len(SIZES))
        return type(self)(self.sheets, self.turn, True, self.dice, made, reroll.dice)

    def _entered(self, enter: Enter) -> Self:
        seat, sheets = self.turn, self.sheets
        sheet = (*sheets[seat], 10 * enter.row + enter.cell)
        sheets = (*sheets[:seat], sheet, *sheets[seat + 1 :])
        return type(self)(sheets, (seat + 1) % len(sheets), False, self.dice)

    def scores(self) -> tuple[Score, ...]:
        """Returns the sheets, one line an entry (ROL-2)."""
        return tuple(
            Score(total(sheet), tuple(ScoreLine(POINTS[one], _rule(one), words(one)) for one in sheet))
            for sheet in self.sheets
        )

    def outcome(self) -> Outcome | None:
        """Returns places by total; equal totals share (ROL-2)."""
        ending = self.ending
        if ending is None:
            return None
        return Outcome(places(map(total, self.sheets)), ending.rule, ending.text)

    layout = layout


def _rule(number: int) -> str:
    return ROWS[row_of(number)].rule if cell_of(number) else "ROL-5"
