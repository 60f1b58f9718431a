"""A link whose device is played by a test, frame by frame."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from firmware_protocol import messages
from firmware_protocol.frame import REPLY_BIT, Decoder, LinkFrame
from hardware.link import Link
from simulation.hardware.virtual_wire import Errands

BOARD = messages.IdentifyReply(b"TTP", 1, 0, messages.Kind.BOARD, b"\1\0\0", 1, 56, 64, 0, 1, 0)


def sent(data: bytes) -> list[LinkFrame]:
    """The frames that a link wrote."""
    return list(Decoder().feed(data))


def answer(request: LinkFrame, payload: bytes = b"", status: int = 0) -> bytes:
    """A device's reply."""
    return LinkFrame(request.type | REPLY_BIT, request.session, request.seq, status, payload).wire()


def nonsense(random: Random, kind: messages.Kind, asked: LinkFrame) -> bytes:
    """An answer that begins a session and makes no sense in it."""
    status, payload = random.choice((0, 0, 0, 1, 5, 255)), random.randbytes(random.choice((0, 2, 5, 12, 24, 56)))
    if asked.type == messages.Identify.TYPE:
        status, payload = 0, replace(BOARD, kind=kind, leds=random.choice((0, 9, 64, 300))).pack()
    elif asked.type == messages.Hello.TYPE:
        hello = messages.Hello.unpack(asked.payload)
        status, payload = 0, messages.HelloReply(hello.nonce, hello.session, random.randrange(65536)).pack()
    return answer(asked, payload, status)


class Scripted:
    """A link whose device is played by the test, frame by frame."""

    def __init__(self, errands: Errands) -> None:
        self.link = Link(errands, Random(3))
        self.now_s = 0.0
        self.link.start(0.0)

    def hears(self, data: bytes) -> None:
        self.link.receive(data, self.now_s)

    def says(self, after_s: float = 0.0) -> list[LinkFrame]:
        self.now_s += after_s
        return sent(self.link.due(self.now_s))

    def greeted(self, lost: int = 0, who: messages.IdentifyReply = BOARD) -> LinkFrame:
        """Through IDENTIFY and HELLO; returns the HELLO."""
        [probe] = self.says()
        self.hears(answer(probe, who.pack()))
        [hello] = self.says()
        asked = messages.Hello.unpack(hello.payload)
        self.hears(answer(hello, messages.HelloReply(asked.nonce, asked.session, lost).pack()))
        return hello
