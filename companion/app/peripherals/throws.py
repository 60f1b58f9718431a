"""Brings throws of a dice tower to the game in play.

A settled roll that is due becomes a `Rolled` event with the tower as its source. All other throws (no roll is due, a
die shows no face, too many dice) lead to one sentence and leave the game unchanged: people also roll for fun, and a
camera or a person can always enter the roll instead. A tower has more cups than some rolls have dice (BRD-7), so a cup
without a face counts as empty if all due dice show theirs. If the camera was first and read the same throw differently,
people are asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from companion.core.contract import Rolled, ToRoll
from companion.core.foundation.errors import CompanionError
from companion.core.pieces import Die
from companion.referee.table.doubted_roll import camera_roll
from companion.referee.table.table import Table


class Throws:
    """Takes rolls to the table in play. It is called from the device's thread."""

    def __init__(self, table: Callable[[], Table | None], said: Callable[[], None] = lambda: None) -> None:
        """
        Args:
            table: Returns the table in play, if any.
            said: A function that is called whenever `sentence` changes.
        """
        self._table = table
        self._said = said
        self.sentence = "No dice have fallen yet."
        """The effect of the last roll."""
        self._fell: tuple[str, int] | None = None
        """The game and the row at which the last dice fell while a roll was due."""
        self._left: tuple[str, int] | None = None
        """The game and the row at which the tower was last lost; None if it never was."""

    def away(self) -> None:
        """Records that the tower does not answer any more, so that its dice may fall unnoticed."""
        self._left = self._place()

    def fallen(self) -> None:
        """Records that dice are falling."""
        table = self._table()
        due = table is not None and isinstance(table.session.state.expects(), ToRoll)
        self._fell = (table.session.header.id, table.session.seq) if table is not None and due else None
        self._say("Dice are falling.")

    def moved(self) -> None:
        """Records that a die at rest was turned or taken."""
        table = self._table()
        if table is not None and isinstance(table.session.state.expects(), ToRoll):
            self.unread("A die in the tower was moved after the roll.")
        else:
            self._say("Dice in the tower were moved. No roll is due now, so nothing changes.")

    def unread(self, why: str) -> None:
        """Reports that dice are at rest, but that not all of them could be read."""
        self._say(f"{why} Let the camera read the dice, enter the roll on the page, or roll again.")

    def settled(self, cups: Sequence[Die | None], *, recovered: bool = False) -> None:
        """Takes a roll whose dice are all at rest.

        Args:
            cups: The face in each cup; None: the cup is empty, or its die is cocked.
            recovered: True if the time of the roll is unknown; it then counts only if the game has not changed
                meanwhile.
        """
        if recovered and self._left is not None and self._left != self._place():
            self._say(
                "Dice fell while the tower was away, and the game has gone on since. Roll again, or enter the roll."
            )
            return
        faces = [die for die in cups if die is not None]
        table = self._table()
        if table is None:
            self._say("No game is in play, so the roll was not taken.")
            return
        due = table.session.state.expects()
        if not isinstance(due, ToRoll):
            self._late(table, faces)
            return
        rolled, wanted = Counter(die.kind for die in faces), Counter(due.dice)
        if rolled != wanted and len(faces) < len(cups) and rolled <= wanted:
            self.unread(f"The tower read {_count(rolled)}, but {_count(wanted)} are due; a die may lie askew.")
            return
        if rolled != wanted:
            self._say(f"The tower rolled {_count(rolled)}, but {_count(wanted)} are due. Roll again with as many dice.")
            return
        event = Rolled(_ordered(faces, due.dice))
        try:
            table.play(event, source="tower")
        except CompanionError as error:
            self._say(f"The tower's roll was not taken: {error}")
            return
        self._say(f"The tower's roll was taken: {table.session.game.text(event)}.")

    def _place(self) -> tuple[str, int]:
        """Returns the present game and row; without a game, the name is empty."""
        table = self._table()
        return ("", 0) if table is None else (table.session.header.id, table.session.seq)

    def _late(self, table: Table, faces: Sequence[Die]) -> None:
        """Handles a roll that is no longer due, because the camera may have read the same throw first."""
        fell, self._fell = self._fell, None
        here = fell is not None and fell[0] == table.session.header.id
        read = camera_roll(table.session.timeline, table.session.rows(), fell[1]) if fell is not None and here else None
        if read is None or not _same_kinds(faces, read[1].faces):
            self._say("No roll is due now, so the tower's roll was not taken.")
        elif Counter(faces) == Counter(read[1].faces):
            self._say(f"The camera read the same: {table.session.game.text(read[1])}.")
        else:
            table.contradict(read[0], faces)
            self._say("Tower and camera differ about the roll. Say on the page which of them is right.")

    def _say(self, sentence: str) -> None:
        self.sentence = sentence
        self._said()


def _same_kinds(dice: Sequence[Die], others: Sequence[Die]) -> bool:
    return Counter(die.kind for die in dice) == Counter(die.kind for die in others)


def _ordered(faces: Sequence[Die], kinds: Sequence[str]) -> tuple[Die, ...]:
    """Returns the dice in the order of the kinds that are due."""
    waiting: dict[str, list[Die]] = {}
    for die in faces:
        waiting.setdefault(die.kind, []).append(die)
    return tuple(waiting[kind].pop(0) for kind in kinds)


def _count(kinds: Counter[Any]) -> str:
    """Returns the counts in words: "3 d6 and 2 d12"."""
    return " and ".join(f"{count} {kind.removeprefix('spectrum-')}" for kind, count in sorted(kinds.items())) or "none"
