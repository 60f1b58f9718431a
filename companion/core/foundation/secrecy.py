"""Texts that must not be printed, as types: a password, and an address that may hold one.

Cameras, brokers, databases and hooks are given as `scheme://user:password@host/path?token=...`, and people leave out
the percent-encoding. So printed text is composed of the parts that cannot hold a secret, and an ambiguous address
prints none of them. Only `reveal` gives the whole, for connecting.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

HIDDEN = "***"
"""The text in place of a secret."""

ENCODE = (
    "In user and password write @ as %40, : as %3A, / as %2F, ? as %3F and # as %23;"
    " elsewhere, too, an @ is written as %40."
)
"""The advice for an address that can be read in two ways."""
NO_ADDRESS = f"The address cannot be read. Write scheme://user:password@host:port/path. {ENCODE}"

_FORM = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)(.*)", re.DOTALL)
_HOST = re.compile(r"(\[[0-9A-Fa-f:.%\w]+\]|[\w.~-]*)(?::([0-9]{0,5}))?")
_HOSTS = re.compile(r"[\w.~:,\[\]-]*")
"""Several hosts of one database, as `one:5432,two`."""
_DATABASES = ("postgresql", "postgres")
_SCHEMES = ("http", "https", "rtsp", "rtsps", "mqtt", "mqtts", "postgresql", "postgres", "socket")
"""The schemes that are printed of an ambiguous address: they are never passwords."""
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
"""Schemes that nothing here speaks, and that people write all the same."""
_BEGINS = re.compile(rf"[a-z][a-z0-9+.-]+:/|(?:{'|'.join((*_SCHEMES, *_OTHERS))})(?::|//)", re.IGNORECASE)
"""How an address begins that lacks a stroke or a colon; a drive has one letter."""
_PLAIN = re.compile(r"[^@:?#=&%]*")
"""A word that no part of an address is in."""
_PATH = re.compile(r"/(?!/)|\.{1,2}[/\\]|~[/\\]|[A-Za-z]:[\\/]")
"""How a path begins."""
_PORT_MOST = 65535


def looks_like_address(text: str) -> bool:
    """True if a text is an address, or may be one that was written wrongly, and not plainly a path."""
    begins = _BEGINS.match(text.strip()) is not None
    return "://" in text or begins or ("@" in text and not _is_path(text))


def _is_path(text: str) -> bool:
    """True if a text begins like a path and does not go on like an address.

    A password may begin with `/`, so `/word:word@host` is no path. A path that has both `@` and `:` is taken for an
    address, too; the colon of a drive does not count.
    """
    begin = _PATH.match(text)
    return begin is not None and not ("@" in text and ":" in text[begin.end() :])


class Secret:
    """A password: it prints as `***` wherever it goes."""

    __slots__ = ("_whole",)

    def __init__(self, whole: str) -> None:
        self._whole = whole

    def reveal(self) -> str:
        """The password itself."""
        return self._whole

    def __str__(self) -> str:
        return HIDDEN

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._whole == self._whole

    def __hash__(self) -> int:
        return hash(self._whole)


class SecretAddress:
    """An address, or a path or name in the place of one: it prints without user, password, path and query."""

    __slots__ = ("_found", "_whole")

    def __init__(self, whole: str) -> None:
        self._whole = whole.strip()
        self._found = _parts(self._whole)

    def reveal(self) -> str:
        """The whole text, as it was given."""
        return self._whole

    @property
    def is_address(self) -> bool:
        """True if it is written as an address, well or not; else it is a path or a name."""
        return "://" in self._whole

    @property
    def fault(self) -> str | None:
        """Why an address cannot be read, in a sentence that holds no part of it; None if it can, or if it is none."""
        return NO_ADDRESS if self.is_address and self._found is None else None

    @property
    def scheme(self) -> str:
        """In lower case; empty if it is no address."""
        return "" if self._found is None else self._found[0]

    @property
    def user(self) -> str | None:
        """Decoded; None without one."""
        return None if self._found is None else self._found[1]

    @property
    def password(self) -> str | None:
        """Decoded; None without one."""
        return None if self._found is None else self._found[2]

    @property
    def host(self) -> str:
        """In lower case and without brackets; may be empty."""
        return "" if self._found is None else self._found[3]

    @property
    def port(self) -> int | None:
        """None if it names none."""
        return None if self._found is None else self._found[4]

    @property
    def target(self) -> str:
        """Path, query and fragment as they were given; empty if there are none."""
        return "" if self._found is None else self._found[5]

    @property
    def place(self) -> str:
        """Host and port as an address has them: `[::1]:8080`."""
        host = f"[{self.host}]" if ":" in self.host and "," not in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    def encoded(self) -> str:
        """The whole address with user and password percent-encoded, so that every program reads the same in it."""
        if self._found is None:
            return self._whole
        return self._whole if self.user is None else self.as_user(self)._whole

    def as_user(self, other: SecretAddress) -> SecretAddress:
        """The same address with the user and the password of another one."""
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
    """Scheme, user, password, host, port and the rest of an address; None if it cannot be read for sure.

    A second `@`, or one after the first `/`, `?` or `#`, may belong to a password that was not encoded: then what looks
    like a host would be a part of that password.
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
