"""The waiting times and numbers of tries of a link. Every number has its reason; tests may bring their own."""

from __future__ import annotations

from msgspec import Struct


class Patience(Struct, frozen=True):
    """Times in seconds."""

    first_s: float = 0.05
    """Until a request is sent again. Full frames there and back last 12 ms, USB adapters add up to 16."""
    growth: float = 1.25
    """Factor from one wait to the next, so that a device that is busy is not flooded."""
    longest_s: float = 0.4
    """No wait is longer."""
    tries: int = 18
    """The number of times that a request is sent. With the waits above: about five seconds until the caller gets an
    error."""
    struggling: int = 4
    """The number of tries after which the page shows that the link is retrying."""
    probe_s: float = 0.25
    """Between two IDENTIFY frames: opening a port resets an Uno, and its boot loader eats the first ones."""
    probing_s: float = 4.0
    """Until a silent port is given up. An Uno's boot loader takes up to two seconds."""
    quiet_s: float = 1.0
    """Without traffic, until the link asks for the counters to see whether the device is still there."""

    def wait_s(self, tries: int) -> float:
        """The time to wait after `tries` sendings (1 or more) before the next."""
        return min(self.first_s * self.growth ** (tries - 1), self.longest_s)


PATIENCE = Patience()
"""The default; tests use others."""
