"""Defines the faults of a wire, one small class each.

A fault is called with the bytes that were written, and returns the bytes that arrive. `Faults` chains them; each has
its own random source, so that a run can be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from hardware.simulated.device import Fault


class Faults:
    """A chain of faults, applied one after the other."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self._faults = faults

    def __call__(self, data: bytes) -> bytes:
        for fault in self._faults:
            data = fault(data)
        return data


class Rare:
    """A source of events with a small probability, which draws the distance to the next one."""

    def __init__(self, rate: float, random: Random) -> None:
        self._rate = rate
        self._random = random
        self._next = self._distance()

    def _distance(self) -> int:
        if self._rate <= 0:
            return 2**62
        return int(math.log(1.0 - self._random.random()) / math.log(1.0 - self._rate)) if self._rate < 1 else 0

    def among(self, count: int) -> list[int]:
        """Returns the indices of those of the next `count` things that are hit."""
        hit = []
        while self._next < count:
            hit.append(self._next)
            self._next += 1 + self._distance()
        self._next -= count
        return hit


class BitFlips:
    """A fault that inverts each bit with probability `rate`, the bit error rate."""

    def __init__(self, rate: float, random: Random) -> None:
        self._bits = Rare(rate, random)

    def __call__(self, data: bytes) -> bytes:
        hits = self._bits.among(8 * len(data))
        if not hits:
            return data
        changed = bytearray(data)
        for bit in hits:
            changed[bit // 8] ^= 1 << bit % 8
        return bytes(changed)


class ByteDrops:
    """A fault that loses each byte with probability `rate`, as by an overrun."""

    def __init__(self, rate: float, random: Random) -> None:
        self._bytes = Rare(rate, random)

    def __call__(self, data: bytes) -> bytes:
        lost = set(self._bytes.among(len(data)))
        return bytes(byte for at, byte in enumerate(data) if at not in lost) if lost else data


class ByteDuplicates:
    """A fault that repeats each byte with probability `rate`."""

    def __init__(self, rate: float, random: Random) -> None:
        self._bytes = Rare(rate, random)

    def __call__(self, data: bytes) -> bytes:
        twice = set(self._bytes.among(len(data)))
        return b"".join(data[at : at + 1] * (2 if at in twice else 1) for at in range(len(data))) if twice else data


class WriteDrops:
    """A fault that loses a whole write, mostly a frame, with probability `rate`."""

    def __init__(self, rate: float, random: Random) -> None:
        self._rate = rate
        self._random = random

    def __call__(self, data: bytes) -> bytes:
        return b"" if data and self._random.random() < self._rate else data


class WriteDuplicates:
    """A fault that repeats a whole write with probability `rate`."""

    def __init__(self, rate: float, random: Random) -> None:
        self._rate = rate
        self._random = random

    def __call__(self, data: bytes) -> bytes:
        return data + data if self._random.random() < self._rate else data


class Truncations:
    """A fault that loses the end of a write with probability `rate`."""

    def __init__(self, rate: float, random: Random) -> None:
        self._rate = rate
        self._random = random

    def __call__(self, data: bytes) -> bytes:
        return data[: self._random.randrange(len(data))] if data and self._random.random() < self._rate else data


class Bursts:
    """A fault that inserts 1 to 64 bytes of garbage before a write with probability `rate`."""

    def __init__(self, rate: float, random: Random) -> None:
        self._rate = rate
        self._random = random

    def __call__(self, data: bytes) -> bytes:
        if not data or self._random.random() >= self._rate:
            return data
        return self._random.randbytes(self._random.randint(1, 64)) + data
