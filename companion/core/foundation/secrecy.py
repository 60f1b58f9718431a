"""Types for texts that must not be printed: a password, and an address that may contain one.

Cameras, brokers, databases and hooks are given as `scheme://user:password@host/path?token=...`, and people forget the
percent-encoding. So the printed form is composed of the parts that cannot contain a secret, and an ambiguous address
prints none of them. Only `reveal` returns the whole text, for connecting.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

HIDDEN = "***"
"""The text that replaces a secret."""

ENCODE = (
    "In user and password write @ as %40, : as %3A, / as %2F, ? as %3F and # as %23;"
    " elsewhere, too, an @ is written as %40."
)
"""The advice for an ambiguous address."""
NO_ADDRESS = f"The address cannot be read. Write scheme://user:password@host:port/path. {ENCODE}"

_FORM = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)(.*)", re.DOTALL)
_HOST = re.compile(r"(\[[0-9A-Fa-f:.%\w]+\]|[\w.~-]*)(?::([0-9]{0,5}))?")
_HOSTS = re.compile(r"[\w.~:,\[\]-]*")
"""A pattern for several hosts of one database, such as `one:5432,two`."""
_DATABASES = ("postgresql", "postgres")
_SCHEMES = ("http", "https", "rtsp", "rtsps", "mqtt", "mqtts", "postgresql", "postgres", "socket")
"""The schemes that are printed even for an ambiguous address, because they are never passwords."""
_OTHERS = (
    "ftp",
    "ftps",
    "sftp",
    "ssh",
    "smb",
    "ws",
    "wss",
    "tcp",
    "udp",
    "rtmp",
    "rtmps",
    "onvif",
    "amqp",
    "mysql",
    "redis",
)
"""Schemes that this program does not use, but that people enter nevertheless."""
_BEGINS = re.compile(rf"[a-z][a-z0-9+.-]+:/|(?:{'|'.join((*_SCHEMES, *_OTHERS))})(?::|//)", re.IGNORECASE)
"""The beginning of an address that lacks a slash or a colon. A drive letter is a single letter and does not match."""
_PLAIN = re.compile(r"[^@:?#=&%]*")
"""A pattern for a word without any part of an address."""
_PATH = re.compile(r"/(?!/)|\.{1,2}[/\\]|~[/\\]|[A-Za-z]:[\\/]")
"""A pattern for the beginning of a path."""
_PORT_MOST = 65535


def looks_like_address(text: str) -> bool:
    """True if a text is an address, or may be a mistyped one, and is not clearly a path."""
    begins = _BEGINS.match(text.strip()) is not None
    return "://" in text or begins or ("@" in text and not _is_path(text))


def _is_path(text: str) -> bool:
    """True if a text begins like a path and does not go on like an address.

    A password may begin with `/`, so `/word:word@host` is not a path. A text with both `@` and `:` counts as an
    address; the colon of a drive letter is ignored.
    """
    begin = _PATH.match(text)
    return begin is not None and not ("@" in text and ":" in text[begin.end() :])


class Secret:
    """A password, which always prints as `***`."""

    __slots__ = ("_whole",)

    def __init__(self, whole: str) -> None:
        self._whole = whole

    def reveal(self) -> str:
        """Returns the password itself."""
        return self._whole

    def __str__(self) -> str:
        return HIDDEN

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._whole == self._whole

    def __hash__(self) -> int:
        return hash(self._whole)


class SecretAddress:
    """An address, or a path or name in place of one. It prints without user, password, path and query."""

    __slots__ = ("_found", "_whole")

    def __init__(self, whole: str) -> None:
        self._whole = whole.strip()
        self._found = _parts(self._whole)

    def reveal(self) -> str:
        """Returns the whole text, as it was given."""
        return self._whole

    @property
    def is_address(self) -> bool:
        """True if the text is written as an address, valid or not; otherwise it is a path or a name."""
        return "://" in self._whole

    @property
    def fault(self) -> str | None:
        """A sentence on why the address cannot be read, which quotes no part of it; None if it can be read or is not an
        address.
        """
        return NO_ADDRESS if self.is_address and self._found is None else None

    @property
    def scheme(self) -> str:
        """The scheme in lower case; empty if the text is not an address."""
        return "" if self._found is None else self._found[0]

    @property
    def user(self) -> str | None:
        """The decoded user name; None if there is none."""
        return None if self._found is None else self._found[1]

    @property
    def password(self) -> str | None:
        """The decoded password; None if there is none."""
        return None if self._found is None else self._found[2]

    @property
    def host(self) -> str:
        """The host in lower case, without brackets; may be empty."""
        return "" if self._found is None else self._found[3]

    @property
    def port(self) -> int | None:
        """The port; None if the address names none."""
        return None if self._found is None else self._found[4]

    @property
    def target(self) -> str:
        """Path, query and fragment as they were given; may be empty."""
        return "" if self._found is None else self._found[5]

    @property
    def place(self) -> str:
        """Host and port as they appear in an address: `[::1]:8080`."""
        host = f"[{self.host}]" if ":" in self.host and "," not in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    def encoded(self) -> str:
        """Returns the whole address with user and password percent-encoded, so that every program parses it in the same
        way.
        """
        if self._found is None:
            return self._whole
        return self._whole if self.user is None else self.as_user(self)._whole

    def as_user(self, other: SecretAddress) -> SecretAddress:
        """Returns the same address with the user and password of another one."""
        if self._found is None or other.user is None:
            return self
        pair = quote(other.user, safe="")
        if other.password is not None:
            pair += f":{quote(other.password, safe='')}"
        return SecretAddress(f"{self.scheme}://{pair}@{self.place}{self.target}")

    def __str__(self) -> str:
        if self._found is None:
            if self.is_address:
                scheme = self._whole.partition("://")[0].lower()
                return f"{scheme}://{HIDDEN}" if scheme in _SCHEMES else HIDDEN
            if _is_path(self._whole):
                return self._whole
            return self._whole if _PLAIN.fullmatch(self._whole) and not looks_like_address(self._whole) else HIDDEN
        user = "" if self.user is None else f"{HIDDEN}@"
        return f"{self.scheme}://{user}{self.place}{'' if self.target in ('', '/') else '/' + HIDDEN}"

    def __repr__(self) -> str:
        return f"SecretAddress({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SecretAddress) and other._whole == self._whole

    def __hash__(self) -> int:
        return hash(self._whole)


def _parts(whole: str) -> tuple[str, str | None, str | None, str, int | None, str] | None:
    """Returns scheme, user, password, host, port and the rest of an address; None if it is ambiguous.

    A second `@`, or one after the first `/`, `?` or `#`, may belong to a password that was not encoded. What looks like
    the host would then be a part of that password.
    """
    form = _FORM.fullmatch(whole)
    if form is None or not whole.isprintable():
        return None
    scheme, authority, target = form[1].lower(), form[2], form[3]
    pair, at, where = authority.rpartition("@")
    if whole.count("@") > 1 or "@" in target:
        return None
    place = _HOST.fullmatch(where)
    if place is None and scheme in _DATABASES and "," in where and _HOSTS.fullmatch(where):
        host, port = where, None
    elif place is None or int(place[2] or 0) > _PORT_MOST:
        return None
    else:
        host, port = place[1].strip("[]").lower(), int(place[2]) if place[2] else None
    user, colon, password = pair.partition(":")
    return (scheme, unquote(user) if at else None, unquote(password) if colon else None, host, port, target)
