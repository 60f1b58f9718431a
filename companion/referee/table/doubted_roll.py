"""Handles a roll about which tower and camera disagree: neither is believed, and people are asked.

Only faces may differ. If anything else on the table has changed, a move was made, and the dice no longer show the roll.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from companion.core.contract import Rolled
from companion.core.game import Game
from companion.core.layout import Layout
from companion.core.pieces import Die
from companion.core.verdict import Choice, Unclear
from companion.referee.journal import Row
from companion.referee.journal.timeline import Timeline, TimelineStep

DICE, MOVED = "dice", "dice.moved"
"""The heap of a dice tray, and the heap of its dice that were rolled since table and record last agreed."""
SURE = 0.8
"""The confidence below which a reading of a die contradicts no roll."""


class RollDispute:
    """The dispute between tower and camera about the last roll. Callers hold the session's lock."""

    def __init__(self) -> None:
        self.question: Unclear | None = None
        """The open question about the dispute; None if there is none."""
        self._claim: tuple[int, tuple[Die, ...]] | None = None

    def claim(self, n: int, dice: Sequence[Die]) -> None:
        """Records that the tower reports another roll than row `n`, which the camera read."""
        self._claim = n, tuple(dice)

    def look(self, game: Game[Any], timeline: Timeline, rows: Sequence[Row], seen: Layout) -> bool:
        """Compares a reading with the tower's roll.

        Returns:
            True if the question is new; the camera should then read once more before people are asked.
        """
        question = None if self._claim is None else contradicted_roll(game, timeline, *self._claim, seen)
        question = question or doubted_roll(game, timeline, rows, seen)
        new, self.question = question is not None and question != self.question, question
        return new

    def drop_claim(self) -> None:
        """Forgets the tower's report, because a person has decided."""
        self._claim = None


def doubted_roll(game: Game[Any], timeline: Timeline, rows: Sequence[Row], seen: Layout) -> Unclear | None:
    """Returns the question about a roll that the tower reported first; None if camera and tower agree, or if the camera
    cannot decide.
    """
    last = timeline.tip
    if last is None or not _told_by("tower", last, rows):
        return None
    # If it is known which dice were rolled, the other dice are not compared with the tower's report.
    told, heap = last.event, seen.heaps.get(MOVED, seen.heaps.get(DICE))
    if not isinstance(told, Rolled) or heap is None or len(heap) != len(told.faces):
        return None
    if _moved_on(timeline, seen):
        return None
    dice = [sighting.piece for sighting in heap if sighting.confidence >= SURE]
    read = _like(told, [die for die in dice if isinstance(die, Die)])
    return None if read is None or read == told else _question(game, told, read)


def camera_roll(timeline: Timeline, rows: Sequence[Row], fell: int) -> tuple[int, Rolled] | None:
    """Returns the row and the roll that the camera read of the dice that fell after row `fell`, if this is the last
    event; else None.
    """
    last = timeline.tip
    if last is None or not isinstance(last.event, Rolled) or not _told_by("camera", last, rows):
        return None
    before = last.parent.n if last.parent is not None else 0
    return (last.n, last.event) if before <= fell < last.n else None


def contradicted_roll(game: Game[Any], timeline: Timeline, n: int, dice: Sequence[Die], seen: Layout) -> Unclear | None:
    """Returns the question about row `n`, which the camera read first; None if the game has gone on, or the tower
    agrees.

    Args:
        dice: The dice as the tower reports them, in any order.
    """
    last = timeline.tip
    if last is None or last.n != n or not isinstance(last.event, Rolled) or _moved_on(timeline, seen):
        return None
    told = _like(last.event, dice)
    return None if told is None or told == last.event else _question(game, told, last.event)


def _told_by(source: str, step: TimelineStep, rows: Sequence[Row]) -> bool:
    """True if the event is still as `source` reported it, without a correction."""
    corrected = any(row.kind == "correct" and row.more["of"] == step.n for row in rows[step.n :])
    return rows[step.n - 1].source == source and not corrected


def _moved_on(timeline: Timeline, seen: Layout) -> bool:
    """True if the table shows other differences than faces of dice."""
    return any(difference.spot != DICE for difference in timeline.state.layout().differences(seen))


def _question(game: Game[Any], told: Rolled, read: Rolled) -> Unclear:
    """Returns a question with two choices: first the tower's roll, then the camera's."""
    return Unclear(
        (
            Choice((told,), f"The tower is right: {game.text(told)}", (), 0.0),
            Choice((read,), f"The camera is right: {game.text(read)}", (), 0.0),
        )
    )


def _like(roll: Rolled, dice: Sequence[Die]) -> Rolled | None:
    """Returns another report of the same dice in the order of `roll`; None if the numbers of dice of each kind
    differ.
    """
    left = Counter(dice)
    if Counter(die.kind for die in dice) != Counter(die.kind for die in roll.faces):
        return None
    # Dice on which both reports agree keep their places; the others fill the remaining places, kind by kind.
    kept: list[Die | None] = []
    for die in roll.faces:
        alike = left[die] > 0
        left[die] -= alike
        kept.append(die if alike else None)
    rest = sorted(left.elements(), key=lambda die: (die.kind, str(die.face)))
    faces = []
    for place, wanted in zip(kept, roll.faces, strict=True):
        die = place or next(other for other in rest if other.kind == wanted.kind)
        if place is None:
            rest.remove(die)
        faces.append(die)
    return Rolled(tuple(faces))
