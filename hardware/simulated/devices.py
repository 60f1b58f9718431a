"""A dice tower without dice and an LED board without lights.

A program throws the dice, and the tower reports them like a real one. The board's lights can be read at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from firmware_protocol import messages
from firmware_protocol.payload import DieReading, Payload
from hardware import picture
from hardware.die_faces import Color
from hardware.picture import Picture
from hardware.simulated.device import Answer, SimulatedDevice

OK: Answer = (messages.Status.OK, b"")
BAD_RANGE: Answer = (messages.Status.BAD_RANGE, b"")


def set_bits(offset: int, bits: bytes) -> Iterator[int]:
    """Returns the lights of a mask."""
    return (offset + at for at in range(8 * len(bits)) if bits[at // 8] >> at % 8 & 1)


class SimulatedBoard(SimulatedDevice):
    """A strip of `leds` lights with a limit on the current."""

    kind = messages.Kind.BOARD
    caps = messages.Capability.LEDS

    def __init__(self, leds: int = 64, uid: int = 0, limit_ma: float = picture.USB_MA) -> None:
        self.leds = leds
        self._limit_ma = limit_ma
        super().__init__(uid)

    @property
    def strip(self) -> Picture:
        """The visible lights, including brightness and effect."""
        return self._strip

    @property
    def held(self) -> Picture:
        """The picture in memory, whether or not it is shown."""
        return tuple(self._held)

    def restarted(self) -> None:
        """See SimulatedDevice."""
        self._held: list[Color] = list(picture.dark(self.leds))
        self._strip = picture.dark(self.leds)
        self._generation = 0
        self._brightness = 255
        self._idle_brightness: int | None = None
        self._effect: messages.LedEffect | None = None
        self._effect_s = 0.0

    def tick(self, now_s: float) -> None:
        """See SimulatedDevice."""
        if self._effect is not None:
            if (now_s - self._effect_s) * 1000 >= self._effect.duration_ms:
                self._effect = None
            self._render()

    def idled(self, policy: messages.Policy) -> None:
        """See SimulatedDevice."""
        self._idle_brightness = {
            messages.Policy.OFF: 0,
            messages.Policy.DIM: self._brightness // 4,
            messages.Policy.KEEP: None,
        }[policy]
        self._effect = None
        self._render()

    def awoken(self) -> None:
        """See SimulatedDevice."""
        self._idle_brightness = None
        self._render()

    def execute(self, request: Payload) -> Answer | None:
        """See SimulatedDevice."""
        match request:
            case messages.LedPixels(offset, colors):
                triples = [colors[at : at + 3] for at in range(0, len(colors), 3)]
                fits = len(colors) % 3 == 0 and offset + len(triples) <= self.leds
                return self._set(zip(range(offset, offset + len(triples)), triples, strict=True)) if fits else BAD_RANGE
            case messages.LedMask(color, offset, bits):
                which = list(set_bits(offset, bits))
                return self._set((at, color) for at in which) if all(at < self.leds for at in which) else BAD_RANGE
            case messages.LedFill(color, offset, count):
                fits = offset + count <= self.leds
                return self._set((at, color) for at in range(offset, offset + count)) if fits else BAD_RANGE
            case messages.LedShow():
                return self._show(request)
            case messages.LedDigest():
                return messages.Status.OK, messages.LedDigestReply(self._generation, picture.digest(self.held)).pack()
            case messages.LedEffect():
                return self._start(request)
            case _:
                return None

    def _set(self, colors: Iterable[tuple[int, bytes]]) -> Answer:
        for at, color in colors:
            self._held[at] = (color[0], color[1], color[2])
        return OK

    def _show(self, request: messages.LedShow) -> Answer:
        self._generation = request.generation
        self._brightness = picture.allowed_brightness(self.held, request.brightness, self._limit_ma)
        self._render()
        draws = int(picture.current_ma(self.held, self._brightness))
        status = messages.Status.OVER_POWER if self._brightness < request.brightness else messages.Status.OK
        return status, messages.LedShowReply(self._generation, draws, self._brightness).pack()

    def _start(self, request: messages.LedEffect) -> Answer:
        known = request.effect in messages.Effect.__members__.values()
        if not known or any(at >= self.leds for at in set_bits(request.offset, request.bits)):
            return BAD_RANGE
        self._effect = request if request.effect else None
        self._effect_s = self._now_s
        self._render()
        return OK

    def _strength(self, effect: messages.LedEffect) -> int:
        age_ms = int((self._now_s - self._effect_s) * 1000)
        if effect.effect == messages.Effect.FLASH:
            return 0 if age_ms // 125 % 2 else 255
        phase = age_ms // 2 % 256
        return 2 * phase if phase < 128 else 2 * (255 - phase)

    def _render(self) -> None:
        colors = list(self._held)
        if self._effect is not None:
            by = self._strength(self._effect) + 1
            red, green, blue = self._effect.color
            for at in set_bits(self._effect.offset, self._effect.bits):
                colors[at] = (red * by >> 8, green * by >> 8, blue * by >> 8)
        wanted = self._brightness if self._idle_brightness is None else self._idle_brightness
        by = picture.allowed_brightness(tuple(colors), wanted, self._limit_ma) + 1
        self._strip = tuple((red * by >> 8, green * by >> 8, blue * by >> 8) for red, green, blue in colors)


STEADY_S = 0.1
"""The number of seconds that a reading takes: five samples, 20 ms apart."""
CONFIDENCE = 230
"""The sensors' confidence in a clear face, 0 to 255."""


class SimulatedTower(SimulatedDevice):
    """A tower with cups. Faces are sensor faces, 1 to 12; 0 is a die without a recognized face."""

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
        """Throws dice through the gate, which come to rest with these faces down, one in each cup."""
        if self._settles_s is None:
            self._roll += 1
            self.happen(messages.RollStarted(0, self._roll, self._clock_ms()))
        self._thrown = tuple(faces)
        self._settles_s = self._now_s + self._quiet_s + (STEADY_S if self._sensors else 0.0)

    def turn(self, die: int, face: int) -> None:
        """Turns a die that lies still, as a person may do."""
        self._thrown = (*self._thrown[:die], face, *self._thrown[die + 1 :])
        self._rested = self._readings()
        self._tell(messages.Outcome.MOVED)

    def press(self, button: int) -> None:
        """Presses a button and releases it."""
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
        """Does nothing: a tower has no lights."""

    def awoken(self) -> None:
        """Does nothing: a tower has no lights."""

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
