"""The dice tower as the house sees it: rolls in its own words, whatever happened on the wire."""

from __future__ import annotations

import pytest

from companion.core.pieces import Die
from hardware.die_faces import SPECTRUM_D6, SPECTRUM_D12
from hardware.simulated.devices import SimulatedTower
from hardware.tower import ButtonPressed, DiceTower, RollBegan, RollEnded, TowerDie, TowerEvent
from simulation.firmware.simulated import Simulated
from simulation.hardware.virtual_wire import VirtualWire


class Table:
    """A simulated tower with three cups, and what it told."""

    def __init__(self, **settings: object) -> None:
        self.told: list[TowerEvent] = []
        self.tower = DiceTower(self.told.append, **{"sensors": 3, **settings})  # type: ignore[arg-type]
        peer = Simulated("tower")
        assert isinstance(peer.device, SimulatedTower)
        self.device = peer.device
        self.wire = VirtualWire(self.tower, peer, step_s=0.005)
        self.wire.run(0.5)

    def throw(self, *up: str) -> None:
        """Dice that will show these colors, "?" a cocked one."""
        self.device.throw([0 if color == "?" else SPECTRUM_D6.face(color) for color in up])


def dice(*up: str) -> tuple[Die, ...]:
    return tuple(Die("spectrum-d6", color) for color in up)


def test_a_roll_starts_and_settles() -> None:
    table = Table()
    table.throw("red", "blue", "blue")
    table.wire.run(0.1)
    assert table.told == [RollBegan(1)]
    assert table.tower.rest is None
    table.wire.run(0.6)
    settled = table.told[-1]
    assert isinstance(settled, RollEnded)
    assert (settled.roll, settled.outcome, settled.recovered) == (1, "settled", False)
    assert settled.faces == dice("red", "blue", "blue")
    assert all(seen.confidence == pytest.approx(230 / 255) for seen in settled.dice)
    assert table.tower.rest == settled


def test_a_cocked_die_has_no_face_and_the_roll_none_to_report() -> None:
    table = Table()
    table.throw("red", "?", "green")
    table.wire.run(0.7)
    settled = table.told[-1]
    assert isinstance(settled, RollEnded)
    assert settled.outcome == "cocked"
    assert settled.dice[1] == TowerDie(None, 0.0)
    assert settled.faces is None


def test_a_die_that_is_set_straight_by_hand_is_moved() -> None:
    table = Table()
    table.throw("red", "?", "green")
    table.wire.run(0.7)
    table.device.turn(1, SPECTRUM_D6.face("yellow"))
    table.wire.run(0.1)
    moved = table.told[-1]
    assert isinstance(moved, RollEnded)
    assert (moved.roll, moved.outcome) == (1, "moved")
    assert moved.faces == dice("red", "yellow", "green")


def test_a_tower_without_sensors_leaves_the_faces_to_the_camera() -> None:
    table = Table(sensors=0)
    table.throw("red", "red", "red")
    table.wire.run(0.7)
    settled = table.told[-1]
    assert isinstance(settled, RollEnded)
    assert (settled.dice, settled.faces) == ((), None)


def test_twelve_sided_dice_have_twelve_names() -> None:
    table = Table(dice=SPECTRUM_D12)
    table.device.throw([SPECTRUM_D12.face(color) for color in ("purple-red", "red-orange", "green")])
    table.wire.run(0.7)
    settled = table.told[-1]
    assert isinstance(settled, RollEnded)
    assert settled.faces == tuple(Die("spectrum-d12", color) for color in ("purple-red", "red-orange", "green"))


def test_a_button_is_told_when_it_goes_down() -> None:
    table = Table()
    table.device.press(1)
    table.wire.run(0.2)
    assert table.told == [ButtonPressed(1)]


def test_after_a_reset_the_tower_gets_its_settings_again() -> None:
    table = Table()
    table.throw("red", "red", "red")
    table.wire.run(0.7)
    table.device.reset()
    table.wire.run(0.5)
    table.throw("green", "green", "green")
    table.wire.run(0.7)
    assert [type(event) for event in table.told] == [RollBegan, RollEnded, RollBegan, RollEnded]
    settled = table.told[-1]
    assert isinstance(settled, RollEnded)
    assert (settled.roll, settled.faces) == (1, dice("green", "green", "green"))


def test_a_roll_whose_events_were_lost_is_asked_for() -> None:
    table = Table()
    table.throw("red", "red", "red")
    table.wire.run(0.7)
    table.wire.stalled = True
    for _ in range(12):
        table.device.press(0)
    table.throw("blue", "green", "red")
    table.wire.run(1.0)
    table.wire.stalled = False
    table.wire.run(2.0)
    settled = table.told[-1]
    assert isinstance(settled, RollEnded)
    assert (settled.roll, settled.recovered) == (2, True)
    assert table.told[2:-1] == [ButtonPressed(0)] * 4  # what had waited comes first
    assert settled.faces == dice("blue", "green", "red")
    assert table.wire.link.counters.events_lost > 0


def test_a_roll_during_a_broken_connection_is_told_when_it_is_back() -> None:
    table = Table()
    table.wire.cut = True
    table.throw("blue", "green", "red")
    table.wire.run(12.0)
    table.wire.cut = False
    table.wire.link.start(table.wire.now_s)
    table.wire.run(1.0)
    settled = table.told[-1]
    assert isinstance(settled, RollEnded)
    assert settled.faces == dice("blue", "green", "red")


def test_a_die_that_was_moved_while_nobody_listened_is_no_new_roll() -> None:
    table = Table()
    table.throw("red", "?", "green")
    table.wire.run(0.7)
    table.wire.stalled = True
    for _ in range(12):
        table.device.press(0)
    table.device.turn(1, SPECTRUM_D6.face("yellow"))
    table.wire.run(1.0)
    table.wire.stalled = False
    table.wire.run(2.0)
    moved = table.told[-1]
    assert isinstance(moved, RollEnded)
    assert (moved.roll, moved.outcome, moved.recovered) == (1, "moved", True)
    assert moved.faces == dice("red", "yellow", "green")


def test_a_tower_that_was_without_power_counts_its_rolls_anew() -> None:
    """It has as many resets behind it as before, so only its session tells that it has forgotten everything."""
    table = Table()
    table.throw("red", "red", "red")
    table.wire.run(0.7)
    table.wire.cut = True
    table.device.power_on()
    table.wire.run(1.0)
    table.throw("blue", "green", "red")
    table.wire.run(1.0)
    table.wire.cut = False
    table.wire.link.start(table.wire.now_s)
    table.wire.run(1.0)
    table.throw("red", "red", "red")
    table.wire.run(0.7)
    assert [(event.roll, type(event)) for event in table.told[2:] if not isinstance(event, ButtonPressed)] == [
        (1, RollEnded),
        (2, RollBegan),
        (2, RollEnded),
    ]
    settled = table.told[2]
    assert isinstance(settled, RollEnded)
    assert (settled.outcome, settled.recovered) == ("settled", True)


def test_dice_that_fall_while_the_tower_loses_its_power_never_come_to_rest() -> None:
    table = Table()
    table.throw("red", "red", "red")
    table.wire.run(0.1)
    table.device.power_on()
    table.wire.run(1.0)
    assert table.told == [RollBegan(1), RollEnded(1, "timeout", (), recovered=True)]


def test_what_was_rolled_before_the_program_came_is_nobodys_turn() -> None:
    told: list[TowerEvent] = []
    peer = Simulated("tower")
    assert isinstance(peer.device, SimulatedTower)
    peer.device.throw([1, 2, 3])
    peer.run(1.0)
    wire = VirtualWire(DiceTower(told.append, sensors=3), peer)
    wire.run(2.0)
    assert told == []


def test_a_tower_has_at_most_six_sensors() -> None:
    with pytest.raises(ValueError, match="0 to 6 sensors, not 7"):
        DiceTower(lambda event: None, sensors=7)
