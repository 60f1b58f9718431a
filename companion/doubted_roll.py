"""A roll that the tower told and that the camera reads differently: neither is believed, people are asked.

Only faces may differ. Where anything else on the table has changed, a move was made, and the roll is no longer what
the dice show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from companion.contract import Game, Rolled
from companion.journal import Row
from companion.layout import Layout, Sighting
from companion.line import Line
from companion.pieces import Die
from companion.verdict import Choice, Unclear

DICE, MOVED = "dice", "dice.moved"
"""The heap that a dice tray fills, and the one with those of its dice that were rolled since table and game agreed."""
SURE = 0.8
"""Below this a reading of a die contradicts nobody."""


def doubted_roll(game: Game[Any], line: Line, rows: Sequence[Row], seen: Layout) -> Unclear | None:
    """The question, first the tower's roll, then the camera's; None if they agree or the camera cannot tell."""
    steps = line.steps()
    if not steps or rows[steps[-1].n - 1].source != "tower":
        return None
    # Where it is known which dice were rolled, the others have nothing to do with what the tower tells.
    told, heap = steps[-1].event, seen.heaps.get(MOVED, seen.heaps.get(DICE))
    if not isinstance(told, Rolled) or heap is None or len(heap) != len(told.faces):
        return None
    if any(difference.spot != DICE for difference in line.state.layout().differences(seen)):
        return None
    read = _read(told.faces, heap)
    if read is None or read == told:
        return None
    return Unclear(
        (
            Choice((told,), f"The tower is right: {game.text(told)}", (), 0.0),
            Choice((read,), f"The camera is right: {game.text(read)}", (), 0.0),
        )
    )


def _read(told: Sequence[Die], heap: Sequence[Sighting]) -> Rolled | None:
    """The camera's roll in the order of the tower's; None if a die is doubtful or of another kind."""
    dice = [sighting.piece for sighting in heap if sighting.confidence >= SURE]
    left: Counter[Die] = Counter(die for die in dice if isinstance(die, Die))
    if left.total() != len(told) or Counter(d.kind for d in left.elements()) != Counter(d.kind for d in told):
        return None
    # Dice that both see alike keep their places; the others fill what is left, kind by kind.
    kept: list[Die | None] = []
    for die in told:
        alike = left[die] > 0
        left[die] -= alike
        kept.append(die if alike else None)
    rest = sorted(left.elements(), key=lambda die: (die.kind, str(die.face)))
    faces = []
    for place, wanted in zip(kept, told, strict=True):
        die = place or next(other for other in rest if other.kind == wanted.kind)
        if place is None:
            rest.remove(die)
        faces.append(die)
    return Rolled(tuple(faces))
