"""The places of a journal: a file, or a server's database that many tables share."""

from __future__ import annotations

from companion.core.foundation.secrecy import SecretAddress

SCHEMES = ("postgresql://", "postgres://")


class Database(SecretAddress):
    """The address of a database; it prints its host only."""

    __slots__ = ()

    @property
    def url(self) -> str:
        """The whole address, for connecting."""
        return self.encoded()


def is_database(text: str) -> bool:
    """True if a text is the address of a database and not a path."""
    return text.lower().startswith(SCHEMES)
