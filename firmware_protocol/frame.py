"""Frames, which are the bytes between two delimiters, and the decoder that finds them in any stream of bytes.

The check is CRC-32 instead of CRC-16: with COBS a flipped delimiter beside another one makes "frame plus a zero byte",
which a CRC that ends in zero accepts: one frame in 1,400 at one wrong bit in a thousand. CRC-32 accepted none of ten
million.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from msgspec import Struct

# Consistent overhead byte stuffing: any bytes without the byte 0, at the cost of one byte for a body of this protocol.
#
# Zero then marks only the ends of frames, so a receiver that starts in the middle, or that lost bytes, is in
# step again at the next zero (S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", 1999).

LONGEST_RUN = 254
"""The largest number of non-zero bytes that one code byte can announce."""


class BadCoding(ValueError):
    """Raised for bytes that no encoder makes: a zero inside, or a run that is cut off."""


def encode(body: bytes) -> bytes:
    """Returns the coded form of `body`, without delimiters; b"" gives one byte."""
    coded = bytearray()
    for index, run in enumerate(runs := body.split(b"\0")):
        while len(run) > LONGEST_RUN or (len(run) == LONGEST_RUN and index < len(runs) - 1):
            coded.append(LONGEST_RUN + 1)
            coded += run[:LONGEST_RUN]
            run = run[LONGEST_RUN:]
        coded.append(len(run) + 1)
        coded += run
    return bytes(coded)


def decode(coded: bytes) -> bytes:
    """Returns the body of `coded`.

    Raises:
        BadCoding: For a zero byte or a run that ends after the last byte.
    """
    if not coded or 0 in coded:
        raise BadCoding("A coded frame has at least one byte and no zero.")
    body = bytearray()
    at = 0
    while True:
        code = coded[at]
        run = coded[at + 1 : at + code]
        if len(run) < code - 1:
            raise BadCoding(f"The run at byte {at} says {code - 1} bytes and has {len(run)}.")
        body += run
        at += code
        if at >= len(coded):
            return bytes(body)
        if code <= LONGEST_RUN:
            body.append(0)


HEADER = 4
"""The number of bytes of type, session, seq and ack."""
CRC = 4
"""The number of bytes of the CRC-32 (zlib's, little-endian) after the payload."""
PAYLOAD_MAX = 56
"""The largest number of bytes in a payload."""
BODY_MAX = HEADER + PAYLOAD_MAX + CRC
"""The largest number of bytes in a body; its coded form is one byte longer."""
REPLY_BIT = 0x80
"""The bit that marks the type of a reply."""


class LinkFrame(Struct, frozen=True):
    """One frame. `ack` is the number of the last event taken (host) or the status of a request (device)."""

    type: int
    session: int
    seq: int
    ack: int
    payload: bytes = b""

    @property
    def body(self) -> bytes:
        """The header, the payload and the CRC-32."""
        if len(self.payload) > PAYLOAD_MAX:
            raise ValueError(f"A payload of {len(self.payload)} bytes; at most {PAYLOAD_MAX} fit into a frame.")
        plain = bytes((self.type, self.session, self.seq, self.ack)) + self.payload
        return plain + zlib.crc32(plain).to_bytes(CRC, "little")

    def wire(self) -> bytes:
        """Returns the bytes on the line: a delimiter, the coded body, a delimiter.

        The leading delimiter costs one byte and ends whatever garbage the receiver has collected so far.
        """
        return b"\0" + encode(self.body) + b"\0"


def parse(coded: bytes) -> LinkFrame | None:
    """Returns the frame between two delimiters; None if it has any fault."""
    if len(coded) > BODY_MAX + 1:
        return None
    try:
        body = decode(coded)
    except BadCoding:
        return None
    if len(body) < HEADER + CRC or zlib.crc32(body[:-CRC]).to_bytes(CRC, "little") != body[-CRC:]:
        return None
    return LinkFrame(body[0], body[1], body[2], body[3], body[HEADER:-CRC])


class Decoder:
    """Finds frames in a stream of bytes. Other bytes are counted and dropped, because the sender repeats its frames."""

    def __init__(self) -> None:
        self.good = 0
        """The number of frames found."""
        self.bad = 0
        """The number of byte sequences between delimiters that were not frames."""
        self._kept = bytearray()

    def feed(self, data: bytes) -> Iterator[LinkFrame]:
        """Yields the frames that end inside `data`, in order."""
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
