"""Where a journal may lie: in a file, or in a server's database that many tables share."""

from __future__ import annotations

from urllib.parse import urlsplit

from msgspec import Struct

SCHEMES = ("postgresql://", "postgres://")


class Database(Struct, frozen=True):
    """The address of a database; as a text it has no password."""

    url: str

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        user = "" if parts.username is None else f"{parts.username}@"
        where = parts.netloc.rpartition("@")[2]
        return f"postgresql://{user}{where}{parts.path}"


def is_database(text: str) -> bool:
    """Whether a text is the address of a database and no path."""
    return text.lower().startswith(SCHEMES)
