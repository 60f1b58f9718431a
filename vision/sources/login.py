"""Logs in to a camera on the web: by Digest (RFC 7616, and RFC 2069 for old cameras) if the camera knows it, otherwise
by Basic. No login is sent before the camera has asked.
"""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from hashlib import md5, sha256

Hash = Callable[[bytes], str]

_HASHES: Mapping[str, Hash] = {
    "SHA-256": lambda data: sha256(data).hexdigest(),
    "MD5": lambda data: md5(data, usedforsecurity=False).hexdigest(),
}
"""The hash functions by the name of their algorithm, the strongest first."""
_HEAD_BYTES = 8 * 1024
"""The number of characters of a challenge that are read."""
_CHALLENGE = re.compile(
    r"(?:^|,)\s*(?:([A-Za-z][A-Za-z0-9-]*)\s+(?=[A-Za-z0-9-]+\s*=|$)|(Basic|Digest)\s*(?=,|$))", re.IGNORECASE
)
_FIELD = re.compile(r'(?<![A-Za-z0-9-])([A-Za-z0-9-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))')


class Login:
    """A user and password, with the last challenge of the camera. For one thread at a time."""

    def __init__(self, user: str, password: str, nonce: Callable[[], str] = lambda: secrets.token_hex(8)) -> None:
        """
        Args:
            nonce: Returns a random text that cannot be foreseen.
        """
        self._user, self._password, self._nonce = user, password, nonce
        self._basic = False
        self._asked: Mapping[str, str] | None = None
        """The fields of the last Digest challenge."""
        self._count = 0

    def take(self, challenges: Sequence[str]) -> bool:
        """Takes the challenges that a camera sends with its 401.

        Args:
            challenges: Its headers `WWW-Authenticate`; without any, Basic is assumed.

        Returns:
            True if another try may succeed, False if it would repeat the last one.
        """
        before, self._basic = (self._asked, self._basic), False
        digests = [fields for scheme, fields in parsed(challenges) if scheme == "digest" and _usable(fields)]
        self._asked = min(digests, key=lambda one: list(_HASHES).index(_algorithm(one)), default=None)
        self._count = 0
        if self._asked is None:
            schemes = [scheme for scheme, _ in parsed(challenges)]
            self._basic = not challenges or "basic" in schemes
            return self._basic and not before[1]
        fresh = self._asked.get("stale", "").lower() == "true"
        return before[0] is None or fresh or before[0].get("nonce") != self._asked.get("nonce")

    def header(self, method: str, target: str) -> str | None:
        """Returns the header `Authorization` for a request; None as long as the camera has not asked.

        Args:
            target: Path and query, as the request has them.
        """
        if self._basic:
            pair = f"{self._user}:{self._password}".encode()
            return "Basic " + base64.b64encode(pair).decode()
        if self._asked is None:
            return None
        self._count += 1
        return _digest(self._asked, self._user, self._password, method, target, self._count, self._nonce())


def parsed(challenges: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """Returns the schemes in lower case, each with its fields; one header may hold several."""
    found: list[tuple[str, dict[str, str]]] = []
    for text in challenges:
        text = text[:_HEAD_BYTES]
        starts = list(_CHALLENGE.finditer(text))
        for place, start in enumerate(starts):
            end = starts[place + 1].start() if place + 1 < len(starts) else len(text)
            fields = {
                name.lower(): re.sub(r"\\(.)", r"\1", quoted) if quoted else plain
                for name, quoted, plain in _FIELD.findall(text[start.end() : end])
            }
            found.append(((start[1] or start[2]).lower(), fields))
    return found


def _usable(fields: Mapping[str, str]) -> bool:
    qops = _qops(fields)
    return (
        bool(fields.get("nonce")) and _algorithm(fields) in _HASHES and (not qops or bool(qops & {"auth", "auth-int"}))
    )


def _algorithm(fields: Mapping[str, str]) -> str:
    return fields.get("algorithm", "MD5").upper().removesuffix("-SESS") or "MD5"


def _qops(fields: Mapping[str, str]) -> set[str]:
    return {one.strip().lower() for one in fields.get("qop", "").split(",") if one.strip()}


def _digest(
    asked: Mapping[str, str], user: str, password: str, method: str, target: str, count: int, drawn: str
) -> str:
    """Returns the header that answers a Digest challenge."""
    algorithm = asked.get("algorithm", "MD5")
    hashed = _HASHES[_algorithm(asked)]

    def h(*parts: str) -> str:
        return hashed(":".join(parts).encode("utf-8"))

    qops, realm, nonce = _qops(asked), asked.get("realm", ""), asked["nonce"]
    secret = h(user, realm, password)
    if algorithm.upper().endswith("-SESS"):
        secret = h(secret, nonce, drawn)
    qop = "auth" if "auth" in qops else "auth-int" if qops else ""
    request = h(method, target, h("")) if qop == "auth-int" else h(method, target)
    number = f"{count:08x}"
    answer = h(secret, nonce, number, drawn, qop, request) if qop else h(secret, nonce, request)
    fields = [f"username={_quoted(user)}", f"realm={_quoted(realm)}", f"nonce={_quoted(nonce)}"]
    fields += [f"uri={_quoted(target)}", f'response="{answer}"']
    if "algorithm" in asked:
        fields.append(f"algorithm={algorithm}")
    if "opaque" in asked:
        fields.append(f"opaque={_quoted(asked['opaque'])}")
    if qop:
        fields += [f"qop={qop}", f"nc={number}"]
    if qop or algorithm.upper().endswith("-SESS"):
        fields.append(f'cnonce="{drawn}"')
    # Headers go out as Latin-1; other letters are sent as the bytes of UTF-8.
    return ("Digest " + ", ".join(fields)).encode("utf-8").decode("latin-1")


def _quoted(text: str) -> str:
    escaped = re.sub(r'(["\\])', r"\\\1", "".join(one for one in text if one.isprintable()))
    return f'"{escaped}"'
