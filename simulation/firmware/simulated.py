"""Wraps the Python device with the interface of the two that run the firmware."""

from __future__ import annotations

from hardware.simulated.devices import SimulatedBoard, SimulatedTower

STEP_S = 0.005
"""The longest step of the device's clock in seconds."""


class Simulated:
    """A simulated device under virtual time."""

    def __init__(self, kind: str) -> None:
        self.device: SimulatedBoard | SimulatedTower = SimulatedBoard() if kind == "board" else SimulatedTower()
        self._now_s = 0.0

    def reset(self) -> None:
        """Presses the reset button."""
        self.device.reset()

    def send(self, data: bytes) -> None:
        """Sends bytes from the host, which arrive immediately."""
        self.device.feed(data)

    def run(self, seconds: float) -> bytes:
        """Advances the time; returns the bytes that the device sends."""
        until_s = self._now_s + seconds
        while self._now_s < until_s:
            self._now_s = min(until_s, self._now_s + STEP_S)
            self.device.run(self._now_s)
        return self.device.take()

    def strip(self) -> bytes:
        """Returns the bytes red, green, blue of each visible light."""
        assert isinstance(self.device, SimulatedBoard)
        return bytes(part for color in self.device.strip for part in color)

    def press(self, button: int, down: bool) -> None:
        """Presses a button; pressing causes both of its events, and releasing does nothing."""
        assert isinstance(self.device, SimulatedTower)
        if down:
            self.device.press(button)
