"""What a dice tower tells, taken to the game in play.

A settled roll that is due becomes `Rolled` with the tower as its source. Everything else (dice that fell although no
roll is due, a die that shows no face, too many dice) is said in one sentence and changes nothing: people roll for fun,
too, and a camera or a person can always tell the roll instead. A tower has more cups than some rolls have dice
(BRD-7), so a cup without a face is empty if all the dice that are due show theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from companion.contract import Rolled, ToRoll
from companion.errors import CompanionError
from companion.pieces import Die
from companion.table import Table


class Throws:
    """Takes rolls to whatever table is in play. Called from the device's thread."""

    def __init__(self, table: Callable[[], Table | None], said: Callable[[], None] = lambda: None) -> None:
        """
        :param table: the table in play, if any.
        :param said: called whenever `sentence` changes.
        """
        self._table = table
        self._said = said
        self.sentence = "No dice have fallen yet."
        """What became of the last roll."""

    def fallen(self) -> None:
        """Dice are falling."""
        self._say("Dice are falling.")

    def unread(self, why: str) -> None:
        """Dice lie still, but not all of them could be read."""
        self._say(f"{why} Let the camera read the dice, tell the roll on the page, or roll again.")

    def settled(self, cups: Sequence[Die | None]) -> None:
        """All dice lie still; what each cup shows, None where that is no face: the cup is empty, or its die cocked."""
        faces = [die for die in cups if die is not None]
        table = self._table()
        if table is None:
            self._say("No game is in play, so the roll was not taken.")
            return
        due = table.state.expects()
        if not isinstance(due, ToRoll):
            self._say("No roll is due now, so the tower's roll was not taken.")
            return
        rolled, wanted = Counter(die.kind for die in faces), Counter(due.dice)
        if rolled != wanted and len(faces) < len(cups) and rolled <= wanted:
            self.unread(f"The tower read {_count(rolled)}, but {_count(wanted)} are due; a die may lie askew.")
            return
        if rolled != wanted:
            self._say(f"The tower told {_count(rolled)}, but {_count(wanted)} are due. Roll again with as many dice.")
            return
        event = Rolled(_ordered(faces, due.dice))
        try:
            table.play(event, source="tower")
        except CompanionError as error:
            self._say(f"The tower's roll was not taken: {error}")
            return
        self._say(f"The tower's roll was taken: {table.game.text(event)}.")

    def _say(self, sentence: str) -> None:
        self.sentence = sentence
        self._said()


def _ordered(faces: Sequence[Die], kinds: Sequence[str]) -> tuple[Die, ...]:
    """The dice in the order of the kinds that are due."""
    waiting: dict[str, list[Die]] = {}
    for die in faces:
        waiting.setdefault(die.kind, []).append(die)
    return tuple(waiting[kind].pop(0) for kind in kinds)


def _count(kinds: Counter[Any]) -> str:
    """ "3 spectrum-d6 and 2 spectrum-d12"."""
    return " and ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "no dice"
