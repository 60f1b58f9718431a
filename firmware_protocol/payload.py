"""Converts the fields of a message to bytes and back.

The generated classes of `messages` only name their fields and their layout; the two functions that use the layout are
here. Of a longer payload than known, only the known beginning is read: a later minor version may append fields.
"""

from __future__ import annotations

import struct
from typing import Any, ClassVar, Literal, Self

from msgspec import Struct


class BadPayload(ValueError):
    """A payload that is too short for its message."""


class DieReading(Struct, frozen=True):
    """A die as a tower reads it."""

    die: int
    """The number of the sensor, from 0."""
    face: int
    """The face, 1 to 12; 0 if none was recognized."""
    confidence: int
    """The confidence, 0 to 255."""


class Payload(Struct, frozen=True):
    """The fields of one message."""

    TYPE: ClassVar[int]
    """The type byte, without the reply bit."""
    NAME: ClassVar[str]
    """The name in the message table."""
    HEAD: ClassVar[struct.Struct]
    """The layout of the fixed fields."""
    TAIL: ClassVar[Literal["", "rest", "dice"]]
    """The kind of the last field, if it is open-ended."""

    def pack(self) -> bytes:
        """Returns the bytes of the payload.

        Raises:
            ValueError: For a number that does not fit into its field.
        """
        values: list[Any] = [getattr(self, name) for name in self.__struct_fields__]
        tail: Any = values.pop() if self.TAIL else b""
        try:
            head = self.HEAD.pack(*values)
        except struct.error as why:
            raise ValueError(f"{self.NAME}: {why}.") from why
        if self.TAIL == "dice":
            return head + bytes([len(tail)]) + b"".join(bytes((d.die, d.face, d.confidence)) for d in tail)
        return head + bytes(tail)

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Returns the message that `data` holds.

        Raises:
            BadPayload: If bytes are missing.
        """
        size = cls.HEAD.size
        if len(data) < size + (cls.TAIL == "dice"):
            raise BadPayload(f"{cls.NAME}: {len(data)} bytes, at least {size + (cls.TAIL == 'dice')} are needed.")
        values: list[Any] = list(cls.HEAD.unpack_from(data))
        if cls.TAIL == "rest":
            values.append(data[size:])
        elif cls.TAIL == "dice":
            count = data[size]
            triples = data[size + 1 : size + 1 + 3 * count]
            if len(triples) < 3 * count:
                raise BadPayload(f"{cls.NAME}: {count} dice are announced, {len(triples) // 3} are there.")
            values.append(tuple(DieReading(*triples[at : at + 3]) for at in range(0, 3 * count, 3)))
        return cls(*values)
