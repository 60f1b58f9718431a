"""What people can do to a simulated tower; what it does on the wire is proven with the firmware's tests."""

from __future__ import annotations

from firmware_protocol import messages
from hardware.simulated.devices import SimulatedTower


def state(tower: SimulatedTower) -> messages.TowerStateReply:
    answer = tower.execute(messages.TowerState())
    assert answer is not None
    return messages.TowerStateReply.unpack(answer[1])


def test_dice_settle_after_the_quiet_time() -> None:
    tower = SimulatedTower()
    tower.execute(messages.TowerConfig(2, 300))
    tower.throw([3, 5])
    tower.run(0.39)
    assert (state(tower).rolling, state(tower).dice) == (1, ())
    tower.run(0.41)
    assert (state(tower).rolling, [die.face for die in state(tower).dice]) == (0, [3, 5])


def test_a_second_throw_before_that_is_the_same_roll() -> None:
    tower = SimulatedTower()
    tower.throw([1])
    tower.throw([2])
    tower.run(1.0)
    assert state(tower).roll == 1
    tower.throw([3])
    assert state(tower).roll == 2


def test_cups_without_dice_show_no_face() -> None:
    tower = SimulatedTower()
    tower.execute(messages.TowerConfig(3, 100))
    tower.throw([4])
    tower.run(1.0)
    assert [die.face for die in state(tower).dice] == [4, 0, 0]


def test_a_cup_can_be_measured_after_its_colors_were_taught() -> None:
    tower = SimulatedTower()
    tower.execute(messages.TowerColor(2, bytes((10, 20, 30))))
    tower.throw([2])
    answer = tower.execute(messages.TowerRaw(0))
    assert answer == (messages.Status.OK, messages.TowerRawReply(40, 80, 120).pack())
    assert tower.execute(messages.TowerRaw(6)) == (messages.Status.BAD_RANGE, b"")
    assert tower.execute(messages.TowerColor(13, bytes(3))) == (messages.Status.BAD_RANGE, b"")
