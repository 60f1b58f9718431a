"""A dice tower without dice: a program throws, and the tower reports it as a real one does."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_protocol import messages
from firmware_protocol.payload import DieReading, Payload
from hardware.simulated.device import Answer, SimulatedDevice

STEADY_S = 0.1
"""Reading takes five looks, 20 ms apart."""
CONFIDENCE = 230
"""The sensors' confidence in a clear face, 0 to 255."""


class SimulatedTower(SimulatedDevice):
    """A tower with cups. Faces are sensor faces, 1 to 12; 0 is a die that shows none."""

    kind = messages.Kind.TOWER
    caps = messages.Capability.GATE | messages.Capability.COLOR | messages.Capability.BUTTONS

    def restarted(self) -> None:
        """See SimulatedDevice. Dice that lie in the cups stay there."""
        self._sensors = 0
        self._quiet_s = 0.4
        self._roll = 0
        self._thrown: tuple[int, ...] = ()
        self._rested: tuple[DieReading, ...] = ()
        self._settles_s: float | None = None
        self._colors: dict[int, bytes] = {}

    # ---- what people do

    def throw(self, faces: Sequence[int]) -> None:
        """Dice fall through the gate and will come to rest with these faces down, one a cup."""
        if self._settles_s is None:
            self._roll += 1
            self.happen(messages.RollStarted(0, self._roll, self._clock_ms()))
        self._thrown = tuple(faces)
        self._settles_s = self._now_s + self._quiet_s + (STEADY_S if self._sensors else 0.0)

    def turn(self, die: int, face: int) -> None:
        """Somebody turns a die that lies still."""
        self._thrown = (*self._thrown[:die], face, *self._thrown[die + 1 :])
        self._rested = self._readings()
        self._tell(messages.Outcome.MOVED)

    def press(self, button: int) -> None:
        """Somebody presses a button and lets it go."""
        self.happen(messages.Button(0, button, 1))
        self.happen(messages.Button(0, button, 0))

    # ---- what the tower does

    def tick(self, now_s: float) -> None:
        """See SimulatedDevice."""
        if self._settles_s is not None and now_s >= self._settles_s:
            self._settles_s = None
            self._rested = self._readings()
            unknown = any(die.face == 0 for die in self._rested)
            self._tell(messages.Outcome.COCKED if unknown else messages.Outcome.SETTLED)

    def idled(self, policy: messages.Policy) -> None:
        """A tower has no lights."""

    def awoken(self) -> None:
        """A tower has no lights."""

    def execute(self, request: Payload) -> Answer | None:
        """See SimulatedDevice."""
        match request:
            case messages.TowerConfig(sensors, quiet_ms):
                if sensors > messages.DICE_MAX:
                    return messages.Status.BAD_RANGE, b""
                self._sensors, self._quiet_s = sensors, quiet_ms / 1000
                return messages.Status.OK, b""
            case messages.TowerState():
                rolling = self._settles_s is not None
                return messages.Status.OK, messages.TowerStateReply(rolling, self._roll, self._rested).pack()
            case messages.TowerColor(face, color):
                return self._learn(face, color)
            case messages.TowerRaw(die):
                return self._measure(die)
            case _:
                return None

    def _learn(self, face: int, color: bytes) -> Answer:
        if face > 12:
            return messages.Status.BAD_RANGE, b""
        if face == 0:
            self._colors.clear()
        else:
            self._colors[face] = color
        return messages.Status.OK, b""

    def _measure(self, die: int) -> Answer:
        if die >= messages.DICE_MAX:
            return messages.Status.BAD_RANGE, b""
        face = self._thrown[die] if die < len(self._thrown) else 0
        red, green, blue = self._colors.get(face, bytes(3))
        return messages.Status.OK, messages.TowerRawReply(4 * red, 4 * green, 4 * blue).pack()

    def _readings(self) -> tuple[DieReading, ...]:
        faces = (*self._thrown, *(0,) * self._sensors)[: self._sensors]
        return tuple(DieReading(at, face, CONFIDENCE if face else 0) for at, face in enumerate(faces))

    def _tell(self, outcome: messages.Outcome) -> None:
        self.happen(messages.RollSettled(0, self._roll, self._clock_ms(), outcome, self._rested))

    def _clock_ms(self) -> int:
        return int(self._now_s * 1000) % 2**32
