"""Bytes on a serial line that no device should send: the link counts them, asks again, and never falls over."""

from __future__ import annotations

from random import Random

from firmware_protocol import messages
from firmware_protocol.frame import REPLY_BIT, LinkFrame
from hardware.led_board import LedBoard
from hardware.link import Driver, Link
from hardware.simulated.devices import SimulatedBoard, SimulatedTower
from hardware.tower import DiceTower
from tests.fuzz.spoiling import spoiled_bytes

STEPS = 80
"""Exchanges of one case; time passes between them, without a clock."""
_TYPES = sorted({kind.TYPE for kind in vars(messages).values() if isinstance(kind, type) and hasattr(kind, "TYPE")})
"""Every message of the protocol."""
fed = 0
"""Bytes that came in so far."""


def one(rng: Random) -> None:
    """One device whose bytes are spoiled, mixed with frames that it never sent."""
    global fed
    told: list[object] = []
    tower = rng.random() < 0.5
    driver: Driver = DiceTower(told.append) if tower else LedBoard({f"c{n}": [n] for n in range(24)})
    device = SimulatedTower() if tower else SimulatedBoard()
    link = Link(driver, rng)
    now_s = 0.0
    link.start(now_s)
    for _ in range(STEPS):
        now_s += rng.choice((0.001, 0.02, 0.1, 1.0, 6.0))
        device.feed(link.due(now_s))
        device.run(now_s)
        data = device.take()
        if rng.random() < 0.3:
            data = spoiled_bytes(rng, data)
        if rng.random() < 0.3:
            data += _frame(rng)
        if rng.random() < 0.1:
            data += rng.randbytes(rng.randrange(400))
        fed += len(data)
        link.receive(data, now_s)
    assert link.deadline_s() >= 0


def _frame(rng: Random) -> bytes:
    """A whole frame of any kind, in any session, with any payload."""
    kind = rng.choice((*_TYPES, *(kind | REPLY_BIT for kind in _TYPES), rng.randrange(256)))
    payload = rng.choice((b"", bytes(rng.randrange(57)), rng.randbytes(rng.randrange(57))))
    return LinkFrame(kind, rng.randrange(256), rng.randrange(256), rng.randrange(256), payload).wire()
