"""One position of Roll & Color and what changes it (ROL-2 to ROL-5)."""

from __future__ import annotations

from functools import cache
from typing import Self

from companion.core.contract import Outcome, Rolled, Score, ScoreLine, Violation
from companion.core.foundation.errors import BadEvent
from companion.games.roll_and_color import observation
from companion.games.roll_and_color.moves import CUBES, DICE, ENTRIES, SIZES, Enter, Reroll, Rethrow, RollEvent, takes
from companion.games.roll_and_color.sheet import POINTS, ROWS, cell_of, open_rows, row_of, total, words
from companion.games.roll_and_color.situation import Situation
from companion.games.roll_and_color.violations import violations_of
from companion.games.shared.color_dice import D6, D12, PLACE
from companion.games.shared.places import places
from companion.games.shared.ruled_state import RuledState

_SIX = {one: color for one, color in PLACE.items() if one.kind == D6}
_TWELVE = {one: color for one, color in PLACE.items() if one.kind == D12}
"""Dice of one kind to their colors."""


@cache
def _cubes(picked: tuple[int, ...]) -> int:
    """The number of six-sided dice among these numbers."""
    return sum(number <= CUBES for number in picked)


class RollState(Situation, RuledState, frozen=True, dict=True, tag="roll-and-color", forbid_unknown_fields=True):
    """One position of Roll & Color (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: RollEvent) -> Self:
        if isinstance(event, Rolled):
            if self.picked or (not self.rolled and self.ending is None):
                try:
                    return self._rolled(event)
                except KeyError:
                    pass  # Other dice than those that are due, or in another order: the long way tells.
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
        """The position after an illegal move that the whole table lets stand.

        A wrong number of dice counts as the re-roll that was due; a cell that the roll does not meet brings its points.

        None if it cannot be carried out: out of turn, before the roll, a filled row, an N/A cell.
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
        """The position after dice that were thrown against the rules.

        Raises:
            BadEvent: They cannot show that.
        """
        try:
            return self._picking(Reroll(rethrow.seat, rethrow.dice))._rolled(Rolled(rethrow.faces))
        except KeyError as error:
            raise BadEvent("These dice cannot show that. Correct what was misread.") from error

    def _done(self, event: RollEvent) -> Self:
        """The position after a legal event; dice may be named in any order."""
        if isinstance(event, Rolled):
            return self._rolled(Rolled(tuple(sorted(event.faces, key=lambda one: one.kind != D6))))
        assert not isinstance(event, Rethrow), "it is never legal"
        return self._picking(event) if isinstance(event, Reroll) else self._entered(event)

    def _rolled(self, rolled: Rolled) -> Self:
        """The dice lie again: all nine, or those that were picked, in the order of their numbers.

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
        """The sheets, one line an entry (ROL-2)."""
        return tuple(
            Score(total(sheet), tuple(ScoreLine(POINTS[one], _rule(one), words(one)) for one in sheet))
            for sheet in self.sheets
        )

    def outcome(self) -> Outcome | None:
        """Places by total; equal totals share (ROL-2)."""
        ending = self.ending
        if ending is None:
            return None
        return Outcome(places(map(total, self.sheets)), ending.rule, ending.text)

    layout = observation.layout


def _rule(number: int) -> str:
    return ROWS[row_of(number)].rule if cell_of(number) else "ROL-5"
