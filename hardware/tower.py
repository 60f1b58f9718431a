"""The dice tower, which reports when dice fall and how they lie.

The tower's settings (sensors, quiet time, colors of the faces) are stored here and sent again after every reset. If
events were lost, the tower is asked for its present state, because the dice on the table count, not the messages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Literal, get_args

from msgspec import Struct

from companion.core.foundation.errors import DeviceError, DeviceRestarted, LinkDown
from companion.core.pieces import Die
from firmware_protocol import messages
from firmware_protocol.payload import DieReading, Payload
from hardware.die_faces import SPECTRUM_D6, DieFaces

Outcome = Literal["settled", "cocked", "moved", "timeout"]
""""settled": all faces are known. "cocked": a die lies still and shows no face. "moved": a die that lay still was
turned. "timeout": the sensors found no rest in three seconds, or the tower was restarted while the dice fell.
"""


class TowerDie(Struct, frozen=True):
    """A die as the tower reads it."""

    die: Die | None
    """The die; None if no face was recognized, so that a person or the camera must read it."""
    confidence: float
    """The confidence, 0 to 1; 0 if no face was recognized."""


class RollBegan(Struct, frozen=True, tag="roll_started"):
    """The first die fell through the gate."""

    roll: int
    """The number of the roll since the device's reset."""


class RollEnded(Struct, frozen=True, tag="roll_settled"):
    """The dice came to rest; `dice` is empty for a tower without sensors."""

    roll: int
    outcome: Outcome
    dice: tuple[TowerDie, ...]
    recovered: bool = False
    """True if the event itself was lost and this was asked for afterwards."""

    @property
    def faces(self) -> tuple[Die, ...] | None:
        """The dice, if there are any and all of them are known; else None."""
        known = tuple(seen.die for seen in self.dice if seen.die is not None)
        return known if known and len(known) == len(self.dice) and self.outcome != "timeout" else None


class ButtonPressed(Struct, frozen=True, tag="button"):
    """A button on the tower went down."""

    button: int


TowerEvent = RollBegan | RollEnded | ButtonPressed
"""Any event of a dice tower."""


CALM_S = 0.15
"""The number of seconds without an event before the state is requested: a waiting event is sent again every 40 ms."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class DiceTower:
    """A tower whose cups hold one kind of die.

    Args:
        tell: Called from the line's thread with each event; must return soon and not raise.
        dice: The faces of the dice, and their look to the sensors.
        sensors: Cups with a sensor, 0 to 6; 0: the tower only reports that dice fell, and the camera reads them.
        quiet_ms: Milliseconds without a die in the gate until the sensors read.

    Raises:
        ValueError: For a number of sensors out of range.
    """

    kind = messages.Kind.TOWER

    def __init__(
        self, tell: Callable[[TowerEvent], None], *, dice: DieFaces = SPECTRUM_D6, sensors: int = 0, quiet_ms: int = 400
    ) -> None:
        if not 0 <= sensors <= messages.DICE_MAX:
            raise ValueError(f"A tower has 0 to {messages.DICE_MAX} sensors, not {sensors}.")
        self._tell = tell
        self._dice = dice
        self._sensors = sensors
        self._quiet_ms = quiet_ms
        self._todo: deque[Payload] = deque()
        self._told_roll = 0
        self._settled = True
        self._met = False
        self._asks_state = False
        self._heard = False
        self._quiet_since_s = 0.0
        self._boots: int | None = None
        self._rest: RollEnded | None = None

    @property
    def rest(self) -> RollEnded | None:
        """The last reported dice at rest; None while they fall, before the first roll and after a restart."""
        return self._rest

    # ---- called by the link

    def greet(self, identity: messages.IdentifyReply) -> None:
        """Sends everything that a tower may have forgotten, then asks for its dice."""
        # Without a session it was restarted, even if a power cut made it forget how often.
        if identity.session == 0 or identity.boots != self._boots:
            self._begin_anew()
        self._boots = identity.boots
        self._todo = deque(self._setup())
        self._asks_state = True

    def _begin_anew(self) -> None:
        """Reacts to a restart: the tower counts from 1 again, and never reports the rest of dice that fell before."""
        if not self._settled:
            self._settle(self._told_roll, "timeout", (), recovered=True)
        self._told_roll = 0
        self._settled = True
        self._rest = None

    def _setup(self) -> Sequence[Payload]:
        colors = [messages.TowerColor(face, bytes(color)) for face, color in enumerate(self._dice.seen, 1)]
        return [messages.TowerConfig(self._sensors, self._quiet_ms), messages.TowerColor(0, bytes(3)), *colors]

    def next(self, now_s: float) -> Payload | None:
        """See Driver. The state is asked for after the waiting events have come, so that it is the newest of all."""
        if self._heard:
            self._heard = False
            self._quiet_since_s = now_s
        if self._asks_state and now_s - self._quiet_since_s >= CALM_S:
            self._asks_state = False
            self._todo.append(messages.TowerState())
        return self._todo[0] if self._todo else None

    def answered(self, request: Payload, reply: Payload, status: messages.Status) -> None:
        """See Driver."""
        self._todo.popleft()
        if isinstance(reply, messages.TowerStateReply):
            self._catch_up(reply)

    def failed(self, request: Payload, why: DeviceError) -> None:
        """See Driver."""
        if not isinstance(why, LinkDown | DeviceRestarted):
            self._todo.popleft()  # the tower lacks this part; the rest still works

    def told(self, event: Payload) -> None:
        """See Driver."""
        self._heard = True
        if isinstance(event, messages.RollStarted):
            self._told_roll, self._settled = event.roll, False
            self._rest = None
            self._tell(RollBegan(event.roll))
        elif isinstance(event, messages.RollSettled):
            self._told_roll, self._settled = event.roll, True
            known = event.outcome < len(OUTCOMES)
            self._settle(event.roll, OUTCOMES[event.outcome] if known else "timeout", event.dice, recovered=False)
        elif isinstance(event, messages.Button) and event.edge:
            self._tell(ButtonPressed(event.button))

    def missed(self, count: int) -> None:
        """See Driver."""
        self._asks_state = True

    # ---- inside

    def _settle(self, number: int, outcome: Outcome, dice: Sequence[DieReading], *, recovered: bool) -> None:
        seen = tuple(TowerDie(self._dice.die(one.face), one.confidence / 255 if one.face else 0.0) for one in dice)
        self._rest = RollEnded(number, outcome, seen, recovered)
        self._tell(self._rest)

    def _catch_up(self, now: messages.TowerStateReply) -> None:
        """Reports what the lost events would have reported.

        A roll from before the start of this program does not count.
        """
        first_meeting, self._met = not self._met, True
        if now.rolling or now.roll == 0:
            return
        was_told = now.roll == self._told_roll and self._settled
        if not first_meeting and (not was_told or self._differs(now.dice)):
            cocked = any(one.face == 0 for one in now.dice)
            outcome: Outcome = "moved" if was_told else "cocked" if cocked else "settled"
            self._settle(now.roll, outcome, now.dice, recovered=True)
        self._told_roll, self._settled = now.roll, True

    def _differs(self, dice: Sequence[DieReading]) -> bool:
        if self._rest is None:
            return False
        return tuple(seen.die for seen in self._rest.dice) != tuple(self._dice.die(one.face) for one in dice)
