"""The dice tower's C code, natively and in an emulated Uno: gate, cups, buttons."""

from __future__ import annotations

from typing import Protocol

import pytest

from firmware_protocol import messages
from firmware_protocol.frame import LinkFrame
from firmware_protocol.payload import Payload
from simulation.firmware.native_device import NativeDevice
from simulation.firmware.peer import Peer, Talk
from simulation.firmware.uno import Uno

SIMAVR_ADC_COUNTS = 2
"""How far the emulated converter may be off."""

COLORS = {1: (200, 30, 30), 2: (215, 115, 20), 3: (220, 210, 40), 4: (30, 140, 50), 5: (25, 60, 180), 6: (110, 30, 140)}
"""Sensor colors of six faces, a quarter of the counts."""


class Cups(Peer, Protocol):
    """A device that can be thrown dice at."""

    def fall(self) -> None: ...

    def press(self, button: int, down: bool) -> None: ...

    def lay(self, cup: int, color: tuple[int, int, int]) -> None: ...


class Thrower(Talk):
    """A talk with a tower of two cups that takes every event."""

    def __init__(self, device: Cups) -> None:
        super().__init__(device)
        self.cups = device
        self._seq = 0
        self._taken = 0
        self.hello()
        self.do(messages.TowerConfig(2, 200))
        for face, color in COLORS.items():
            self.do(messages.TowerColor(face, bytes(color)))

    def do(self, request: Payload) -> tuple[messages.Status, bytes]:
        """Status and payload of the answer; events meanwhile stay in the device."""
        self._seq += 1
        answer = next(one for one in self.ask(request, self._seq, ack=self._taken) if one.seq == self._seq)
        return messages.Status(answer.ack), answer.payload

    def happens(self, seconds: float) -> list[messages.RollStarted | messages.RollSettled | messages.Button]:
        """The events of the next seconds, each taken."""
        told: list[messages.RollStarted | messages.RollSettled | messages.Button] = []
        for _ in range(round(seconds / 0.01)):
            for frame in self.listen(0.01):
                if frame.type in (0x40, 0x41, 0x42) and frame.seq == self._taken + 1:
                    self._taken = frame.seq
                    kind = {0x40: messages.RollStarted, 0x41: messages.RollSettled, 0x42: messages.Button}[frame.type]
                    told.append(kind.unpack(frame.payload))
                    self.device.send(LinkFrame(messages.EventAck.TYPE, self.SESSION, 0, self._taken).wire())
        return told

    def lay(self, *faces: int) -> None:
        """Dice lie in the cups with these faces down, a little off their nominal color; 0: the cup is empty."""
        for cup, face in enumerate(faces):
            red, green, blue = COLORS.get(face, (0, 0, 0))
            self.cups.lay(cup, (4 * red + 8, 4 * green, 4 * blue + 4) if face else (0, 0, 0))


@pytest.fixture(params=["native", "uno"])
def tower(request: pytest.FixtureRequest) -> Thrower:
    """A tower in a session."""
    return Thrower(NativeDevice("tower") if request.param == "native" else Uno("tower"))


def test_dice_fall_come_to_rest_and_are_read(tower: Thrower) -> None:
    tower.cups.fall()
    [started] = tower.happens(0.1)
    assert (type(started), started.roll) == (messages.RollStarted, 1)
    tower.lay(3, 5)
    [settled] = tower.happens(0.5)
    assert isinstance(settled, messages.RollSettled)
    assert (settled.roll, settled.outcome) == (1, messages.Outcome.SETTLED)
    assert [die.face for die in settled.dice] == [3, 5]
    assert all(die.confidence > 150 for die in settled.dice)


def test_a_second_die_in_time_is_the_same_roll(tower: Thrower) -> None:
    tower.lay(1, 2)
    tower.cups.fall()
    told = tower.happens(0.15)
    tower.cups.fall()
    told += tower.happens(0.6)
    assert [(type(one), getattr(one, "roll", None)) for one in told] == [
        (messages.RollStarted, 1),
        (messages.RollSettled, 1),
    ]
    tower.cups.fall()
    assert [getattr(one, "roll", None) for one in tower.happens(0.6)] == [2, 2]


def test_a_die_that_shows_no_face_is_cocked(tower: Thrower) -> None:
    tower.lay(4, 0)
    tower.cups.fall()
    settled = tower.happens(0.6)[-1]
    assert isinstance(settled, messages.RollSettled)
    assert settled.outcome == messages.Outcome.COCKED
    assert [(die.face, die.confidence > 0) for die in settled.dice] == [(4, True), (0, False)]


def test_a_color_between_two_faces_is_no_face(tower: Thrower) -> None:
    tower.lay(4, 4)
    tower.cups.lay(1, (4 * 207, 4 * 72, 4 * 25))
    tower.cups.fall()
    settled = tower.happens(0.6)[-1]
    assert isinstance(settled, messages.RollSettled)
    assert [die.face for die in settled.dice] == [4, 0]


def test_a_die_that_is_turned_by_hand_is_moved_and_not_rolled(tower: Thrower) -> None:
    tower.lay(4, 0)
    tower.cups.fall()
    tower.happens(0.6)
    tower.lay(4, 6)
    [moved] = tower.happens(0.5)
    assert isinstance(moved, messages.RollSettled)
    assert (moved.roll, moved.outcome) == (1, messages.Outcome.MOVED)
    assert [die.face for die in moved.dice] == [4, 6]


def test_a_hand_that_passes_over_the_cups_is_no_news(tower: Thrower) -> None:
    tower.lay(4, 1)
    tower.cups.fall()
    tower.happens(0.6)
    tower.lay(4, 0)
    tower.happens(0.05)
    tower.lay(4, 1)
    assert tower.happens(1.0) == []


def test_readings_that_never_rest_are_given_up(tower: Thrower) -> None:
    tower.cups.fall()
    told: list[messages.RollStarted | messages.RollSettled | messages.Button] = []
    for turn in range(45):
        tower.lay(1 + turn % 2, 3)
        told += tower.happens(0.08)
    settled = told[1]
    assert isinstance(settled, messages.RollSettled)
    assert settled.outcome == messages.Outcome.TIMEOUT


def test_a_tower_without_sensors_tells_that_the_dice_lie(tower: Thrower) -> None:
    tower.do(messages.TowerConfig(0, 100))
    tower.cups.fall()
    settled = tower.happens(0.5)[-1]
    assert isinstance(settled, messages.RollSettled)
    assert (settled.outcome, settled.dice) == (messages.Outcome.SETTLED, ())


def test_the_state_can_be_asked_at_any_time(tower: Thrower) -> None:
    assert messages.TowerStateReply.unpack(tower.do(messages.TowerState())[1]).roll == 0
    tower.lay(2, 6)
    tower.cups.fall()
    tower.happens(0.05)
    assert messages.TowerStateReply.unpack(tower.do(messages.TowerState())[1]).rolling == 1
    tower.happens(0.6)
    state = messages.TowerStateReply.unpack(tower.do(messages.TowerState())[1])
    assert (state.rolling, state.roll, [die.face for die in state.dice]) == (0, 1, [2, 6])


def test_one_sensor_can_be_measured_for_calibration(tower: Thrower) -> None:
    tower.cups.lay(1, (700, 30, 260))
    reply = messages.TowerRawReply.unpack(tower.do(messages.TowerRaw(1))[1])
    for measured, laid in zip((reply.red, reply.green, reply.blue), (700, 30, 260), strict=True):
        assert abs(measured - laid) <= SIMAVR_ADC_COUNTS
    assert tower.do(messages.TowerRaw(6))[0] is messages.Status.BAD_RANGE


def test_face_0_forgets_all_faces(tower: Thrower) -> None:
    tower.lay(1, 1)
    tower.do(messages.TowerColor(0, bytes(3)))
    tower.cups.fall()
    settled = tower.happens(0.6)[-1]
    assert isinstance(settled, messages.RollSettled)
    assert settled.outcome == messages.Outcome.COCKED
    assert tower.do(messages.TowerColor(13, bytes(3)))[0] is messages.Status.BAD_RANGE


def test_a_button_that_bounces_is_pressed_once(tower: Thrower) -> None:
    for down in (True, False, True, False, True):
        tower.cups.press(1, down)
        tower.happens(0.01)
    assert [(one.button, one.edge) for one in tower.happens(0.1) if isinstance(one, messages.Button)] == [(1, 1)]
    tower.cups.press(1, False)
    assert [(one.button, one.edge) for one in tower.happens(0.1) if isinstance(one, messages.Button)] == [(1, 0)]
