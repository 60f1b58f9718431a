"""Consistent overhead byte stuffing: any bytes without the byte 0, at the cost of one byte for a body of this protocol.

Zero then marks only the ends of frames, so a receiver that starts in the middle, or that lost bytes, is in
step again at the next zero (S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", 1999).
"""

from __future__ import annotations

LONGEST_RUN = 254
"""Bytes other than 0 that one code byte can announce."""


class BadCoding(ValueError):
    """Bytes that no encoder makes: a zero inside, or a run that is cut off."""


def encode(body: bytes) -> bytes:
    """The coded form of `body`, without delimiters; b"" gives one byte."""
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
    """The body of `coded`.

    :raises BadCoding: for a zero byte or a run that ends after the last byte.
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
