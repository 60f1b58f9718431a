"""Reads the message table `messages.toml`.

Everything that must agree between a host and a device (Python types, the C header, the printed tables) is generated
from this table, so that the two sides cannot drift apart.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

ROOM = Path(__file__).parent
"""The folder of the protocol, with the table and all files generated from it."""

SIZES = {"u8": 1, "u16": 2, "u32": 4, "color": 3}
"""The number of bytes of each plain field type."""

OPEN_ENDED = ("rest", "dice")
"""The field types that fill the rest of a payload; only the last field may have one."""


class MessageField(Struct, frozen=True):
    """One field of a payload."""

    name: str
    type: str
    """One of `SIZES`, "bytes:N", or one of `OPEN_ENDED`."""
    doc: str

    @property
    def size(self) -> int:
        """The number of bytes of a fixed field, or the least number of an open-ended one (the count of `dice`)."""
        if self.type.startswith("bytes:"):
            return int(self.type.removeprefix("bytes:"))
        if self.type in OPEN_ENDED:
            return 1 if self.type == "dice" else 0
        return SIZES[self.type]


class Message(Struct, frozen=True):
    """A message: its purpose, its fields, and for a request the fields of the reply."""

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
    """The number on the line."""
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
    """The name and version."""

    name: str
    major: int
    """A device with another major version is refused."""
    minor: int
    """A higher minor version only appends messages and fields."""


class MessageTable(Struct, frozen=True):
    """The whole table."""

    protocol: Protocol
    limits: dict[str, Limit]
    enum: tuple[Enumeration, ...]
    message: tuple[Message, ...]


def load(path: Path = ROOM / "messages.toml") -> MessageTable:
    """Reads the table.

    Raises:
        msgspec.ValidationError: If a key is missing or of the wrong type.
    """
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), MessageTable)
