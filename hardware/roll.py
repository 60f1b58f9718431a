"""The events of a dice tower, in the words of the project."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.core.pieces import Die

Outcome = Literal["settled", "cocked", "moved", "timeout"]
"""settled: all faces are known. cocked: a die lies still and shows no face. moved: a die that lay still was turned.
timeout: the sensors found no rest in three seconds, or the tower was restarted while the dice fell."""


class TowerDie(Struct, frozen=True):
    """One die as the tower reads it."""

    die: Die | None
    """None: no face was recognized; a person or the camera must say."""
    confidence: float
    """0 to 1; 0 where no face was recognized."""


class RollBegan(Struct, frozen=True, tag="roll_started"):
    """The first die fell through the gate."""

    roll: int
    """Number of the roll since the device's reset."""


class RollEnded(Struct, frozen=True, tag="roll_settled"):
    """The dice came to rest; `dice` is empty for a tower without sensors."""

    roll: int
    outcome: Outcome
    dice: tuple[TowerDie, ...]
    recovered: bool = False
    """True if the event itself was lost and this was asked for afterwards."""

    @property
    def faces(self) -> tuple[Die, ...] | None:
        """The dice as they lie, if every one is known and there is one at all; else None."""
        known = tuple(seen.die for seen in self.dice if seen.die is not None)
        return known if known and len(known) == len(self.dice) and self.outcome != "timeout" else None


class ButtonPressed(Struct, frozen=True, tag="button"):
    """A button on the tower went down."""

    button: int


TowerEvent = RollBegan | RollEnded | ButtonPressed
"""Any event of a dice tower."""
