"""Frames: what travels between two delimiters, and the decoder that finds them in any stream of bytes.

The check is CRC-32 and not CRC-16: with COBS a flipped delimiter beside another one makes "frame plus a zero byte",
which a CRC that ends in zero accepts: one frame in 1,400 at one wrong bit in a thousand. CRC-32 let none of ten million
pass.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from msgspec import Struct

from firmware_protocol import cobs

HEADER = 4
"""Bytes of type, session, seq and ack."""
CRC = 4
"""Bytes of the CRC-32 (zlib's, little-endian) after the payload."""
PAYLOAD_MAX = 56
"""Longest payload, in bytes."""
BODY_MAX = HEADER + PAYLOAD_MAX + CRC
"""Longest body, in bytes; its coded form is one byte longer."""
REPLY_BIT = 0x80
"""Set in the type of a reply."""


class LinkFrame(Struct, frozen=True):
    """One frame. `ack` is the number of the last event taken (host) or the status of a request (device)."""

    type: int
    session: int
    seq: int
    ack: int
    payload: bytes = b""

    @property
    def body(self) -> bytes:
        """Header, payload and CRC-32."""
        if len(self.payload) > PAYLOAD_MAX:
            raise ValueError(f"A payload of {len(self.payload)} bytes; at most {PAYLOAD_MAX} fit into a frame.")
        plain = bytes((self.type, self.session, self.seq, self.ack)) + self.payload
        return plain + zlib.crc32(plain).to_bytes(CRC, "little")

    def wire(self) -> bytes:
        """The bytes on the line: a delimiter, the coded body, a delimiter.

        The leading delimiter costs one byte and ends whatever garbage the receiver has collected so far.
        """
        return b"\0" + cobs.encode(self.body) + b"\0"


def parse(coded: bytes) -> LinkFrame | None:
    """The frame between two delimiters; None if anything at all is wrong with it."""
    if len(coded) > BODY_MAX + 1:
        return None
    try:
        body = cobs.decode(coded)
    except cobs.BadCoding:
        return None
    if len(body) < HEADER + CRC or zlib.crc32(body[:-CRC]).to_bytes(CRC, "little") != body[-CRC:]:
        return None
    return LinkFrame(body[0], body[1], body[2], body[3], body[HEADER:-CRC])


class Decoder:
    """Finds frames in a stream of bytes. Anything else is counted and dropped: the sender will send it again."""

    def __init__(self) -> None:
        self.good = 0
        """Frames found."""
        self.bad = 0
        """Stretches between two delimiters that were no frame."""
        self._kept = bytearray()

    def feed(self, data: bytes) -> Iterator[LinkFrame]:
        """The frames that end inside `data`, in order."""
        *ended, rest = data.split(b"\0")
        for stretch in ended:
            coded = bytes(self._kept + stretch)
            self._kept.clear()
            if not coded:
                continue
            frame = parse(coded)
            if frame is None:
                self.bad += 1
            else:
                self.good += 1
                yield frame
        self._kept += rest
        # One byte more than the longest frame is enough to know that it is too long.
        del self._kept[BODY_MAX + 2 :]
