"""The C core's frame functions, callable from Python."""

from __future__ import annotations

import ctypes
import functools

from firmware_protocol.frame import BODY_MAX, LinkFrame
from simulation.firmware import toolchain


class CDecoder(ctypes.Structure):
    """`ttp_decoder` of ttp_frame.h."""

    _fields_ = [
        ("body", ctypes.c_uint8 * BODY_MAX),
        ("length", ctypes.c_uint8),
        ("left", ctypes.c_uint8),
        ("begun", ctypes.c_bool),
        ("spoiled", ctypes.c_bool),
        ("good", ctypes.c_uint16),
        ("bad", ctypes.c_uint16),
    ]


@functools.cache
def core() -> ctypes.CDLL:
    """The library with the types of its functions."""
    c = ctypes.CDLL(str(toolchain.native("board")))
    c.ttp_crc32.restype = ctypes.c_uint32
    c.ttp_crc32.argtypes = [ctypes.c_char_p, ctypes.c_uint16]
    c.ttp_encode.restype = ctypes.c_uint8
    c.ttp_encode.argtypes = [ctypes.c_char_p, ctypes.c_uint8, ctypes.c_char_p]
    c.ttp_push.restype = ctypes.c_uint8
    c.ttp_push.argtypes = [ctypes.POINTER(CDecoder), ctypes.c_uint8]
    return c


def encode(frame: LinkFrame) -> bytes:
    """The wire form, by the C core."""
    body = frame.body[:-4]
    room = ctypes.create_string_buffer(80)
    count = core().ttp_encode(body, len(body), room)
    return room.raw[:count]


class Decoder:
    """As firmware_protocol.frame.Decoder, by the C core."""

    def __init__(self) -> None:
        self.state = CDecoder()
        self._push = core().ttp_push
        self._at = ctypes.byref(self.state)

    def feed(self, data: bytes) -> list[LinkFrame]:
        """The frames that end inside `data`."""
        found = []
        for byte in data:
            length = self._push(self._at, byte)
            if length:
                body = bytes(self.state.body[:length])
                found.append(LinkFrame(body[0], body[1], body[2], body[3], body[4:]))
        return found
