"""Where a journal may lie: in a file, or in a server's database that many tables share."""

from __future__ import annotations

from companion.core.foundation.secrecy import SecretAddress

SCHEMES = ("postgresql://", "postgres://")


class Database(SecretAddress):
    """The address of a database; as a text it shows the host alone."""

    __slots__ = ()

    @property
    def url(self) -> str:
        """The whole address, for whoever connects."""
        return self.encoded()


def is_database(text: str) -> bool:
    """True if a text is the address of a database and no path."""
    return text.lower().startswith(SCHEMES)
