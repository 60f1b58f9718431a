"""The message table as `messages.toml` has it.

Everything that must agree between a host and a device (Python types, the C header, the printed tables) is written from
this one table, so that the two sides cannot drift apart.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

ROOM = Path(__file__).parent
"""The folder of the protocol, where the table and all that is generated from it lie."""

SIZES = {"u8": 1, "u16": 2, "u32": 4, "color": 3}
"""Bytes of the plain field types."""

OPEN_ENDED = ("rest", "dice")
"""Field types that fill the rest of a payload; only the last field may have one."""


class MessageField(Struct, frozen=True):
    """One field of a payload."""

    name: str
    type: str
    """One of `SIZES`, "bytes:N", or one of `OPEN_ENDED`."""
    doc: str

    @property
    def size(self) -> int:
        """Bytes of a fixed field; the least number of bytes of an open-ended one (the count of `dice`)."""
        if self.type.startswith("bytes:"):
            return int(self.type.removeprefix("bytes:"))
        if self.type in OPEN_ENDED:
            return 1 if self.type == "dice" else 0
        return SIZES[self.type]


class Message(Struct, frozen=True):
    """One message: what it is for, its fields, and for a request the fields of the reply."""

    id: int
    name: str
    kind: Literal["request", "notice", "event", "courtesy"]
    doc: str
    fields: tuple[MessageField, ...]
    reply: tuple[MessageField, ...] | None = None


class Value(Struct, frozen=True):
    """One named number."""

    name: str
    value: int
    """As it goes over the line."""
    doc: str


class Enumeration(Struct, frozen=True):
    """A set of named numbers."""

    name: str
    doc: str
    values: tuple[Value, ...]


class Limit(Struct, frozen=True):
    """A number that both sides rely on."""

    value: int
    what: str


class Protocol(Struct, frozen=True):
    """Name and version."""

    name: str
    major: int
    """Another one is refused."""
    minor: int
    """A higher one only appends messages and fields."""


class MessageTable(Struct, frozen=True):
    """The whole table."""

    protocol: Protocol
    limits: dict[str, Limit]
    enum: tuple[Enumeration, ...]
    message: tuple[Message, ...]


def load(path: Path = ROOM / "messages.toml") -> MessageTable:
    """Read the table;

    Raises:
        msgspec.ValidationError: If a key is missing or of the wrong type.
    """
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), MessageTable)
