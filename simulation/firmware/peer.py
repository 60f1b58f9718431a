"""Provides the three devices that must behave alike, and a conversation with one, frame by frame."""

from __future__ import annotations

from typing import Protocol

from firmware_protocol.frame import Decoder, LinkFrame
from firmware_protocol.messages import Hello
from firmware_protocol.payload import Payload
from simulation.firmware.native_device import NativeDevice
from simulation.firmware.simulated import Simulated
from simulation.firmware.uno import Uno

KINDS = ("simulated", "native", "uno")
"""The kinds of devices: in Python, in C on this machine, and in C on an emulated Uno."""


class Peer(Protocol):
    """A device under virtual time."""

    def reset(self) -> None: ...

    def send(self, data: bytes) -> None: ...

    def run(self, seconds: float) -> bytes: ...


class Board(Peer, Protocol):
    """A device with lights."""

    def strip(self) -> bytes: ...


def board(kind: str) -> Board:
    """Returns an LED board of one of `KINDS`."""
    return {"simulated": Simulated, "native": NativeDevice, "uno": Uno}[kind]("board")


def tower(kind: str) -> Peer:
    """Returns a dice tower of one of `KINDS`."""
    return {"simulated": Simulated, "native": NativeDevice, "uno": Uno}[kind]("tower")


class Talk:
    """A conversation with a device: sends frames, and collects its frames after each."""

    SESSION = 7

    def __init__(self, device: Peer) -> None:
        self.device = device
        self._decoder = Decoder()
        self.listen()

    def listen(self, seconds: float = 0.03) -> list[LinkFrame]:
        """Advances the time, and returns the frames that the device sends in it."""
        return list(self._decoder.feed(self.device.run(seconds)))

    def say(self, frame: LinkFrame, seconds: float = 0.03) -> list[LinkFrame]:
        """Sends a frame and returns the frames that follow."""
        self.device.send(frame.wire())
        return self.listen(seconds)

    def hello(self, nonce: int = 1, session: int = SESSION) -> list[LinkFrame]:
        """Begins a session, and returns the frames that follow."""
        return self.say(LinkFrame(Hello.TYPE, session, 0, 0, Hello(nonce, session).pack()))

    def ask(self, request: Payload, seq: int, *, session: int = SESSION, ack: int = 0) -> list[LinkFrame]:
        """Sends a request, and returns the frames that follow."""
        return self.say(LinkFrame(request.TYPE, session, seq, ack, request.pack()))
