"""Sends requests to a camera on the web: follows redirects, answers challenges, and cuts off a server that never
finishes.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import re
import secrets
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import md5, sha256
from typing import NamedTuple
from urllib.parse import quote, urljoin

from companion.core.foundation.errors import CameraError
from companion.core.foundation.secrecy import SecretAddress
from companion.core.printable import one_line

# Logs in to a camera on the web: by Digest (RFC 7616, and RFC 2069 for old cameras) if the camera knows it, otherwise
# by Basic. No login is sent before the camera has asked.

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


REDIRECTS = 3
"""The number of redirects that are followed."""
TRIES = 3
"""The number of times that a server may ask for user and password; one with a fresh nonce each time asks twice."""
CONNECT_S = 3.0
"""The number of seconds for connecting and getting the answer's header."""
FORBIDDEN = 403
"""The status by which a few cameras mean 401."""


class WebAnswer(NamedTuple):
    """An answer whose header has arrived."""

    connection: http.client.HTTPConnection
    line: socket.socket
    response: http.client.HTTPResponse

    @property
    def kind(self) -> str:
        """The type of its content, without parameters, in lower case; empty if it names none."""
        return (self.response.getheader("Content-Type") or "").partition(";")[0].strip().lower()

    def close(self) -> None:
        """Releases the connection, even while another thread reads."""
        with contextlib.suppress(OSError):
            self.line.shutdown(socket.SHUT_RDWR)
        self.connection.close()
        self.response.close()
        self.line.close()


class WebCamera:
    """A camera at one address. Only one thread may use it at a time."""

    def __init__(self, label: str, address: SecretAddress) -> None:
        """
        Args:
            label: What a person calls it.
            address: Http or https, with user and password before the host if it wants some.
        """
        self._label, self._address = label, address
        self._login = None if address.user is None else Login(address.user, address.password or "")
        self._kept: tuple[str, http.client.HTTPConnection, socket.socket] | None = None
        """An open connection left by the last answer, with its destination."""

    def ask(self) -> WebAnswer:
        """Requests the pictures; the answer has a status of success.

        Raises:
            CameraError: The camera does not answer, or refuses.
        """
        address = self._address
        for _ in range(REDIRECTS + 1):
            answer = self._admitted(address)
            status, place = answer.response.status, answer.response.getheader("Location")
            if status in (301, 302, 303, 307, 308) and place:
                answer.close()
                address = self._moved(address, place)
                continue
            if status == 200:
                return answer
            reason = one_line(answer.response.reason)
            answer.close()
            raise CameraError(f"The {self._label} answers {status} {reason}.{self._hint(status)}")
        raise CameraError(f"The {self._label} sends us from address to address. Give the last one.")

    def keep(self, answer: WebAnswer) -> None:
        """Keeps the connection of an answer that was read to its end for the next request, if its server allows
        that.
        """
        if answer.response.isclosed() and answer.connection.sock is not None:
            self._kept = f"{answer.connection.host}:{answer.connection.port}", answer.connection, answer.line
        else:
            answer.close()

    def close(self) -> None:
        """Closes a kept connection."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept[1].close()

    def _hint(self, status: int) -> str:
        if status not in (401, FORBIDDEN):
            return " Check the address."
        if self._address.user is None:
            return " Put user:password@ before the host."
        return " Check user and password; in them @ is written as %40, : as %3A, / as %2F, ? as %3F and # as %23."

    def _admitted(self, address: SecretAddress) -> WebAnswer:
        """Returns the answer to a request at one address, giving user and password as often as the server asks."""
        own = (address.scheme, address.place) == (self._address.scheme, self._address.place)
        login = self._login if own else None
        for tried in range(TRIES):
            answer = self._asked(address, login)
            status = answer.response.status
            if login is None or status not in (401, FORBIDDEN) or tried == TRIES - 1:
                return answer
            challenges = answer.response.headers.get_all("WWW-Authenticate") or []
            if (status == FORBIDDEN and challenges == [] and tried) or not login.take(challenges):
                return answer
            answer.close()
        raise AssertionError("the last try returns")

    def _asked(self, address: SecretAddress, login: Login | None) -> WebAnswer:
        """Sends one request and returns the answer's header; a kept connection that is dead by now is opened anew."""
        kept, self._kept = self._kept, None
        if kept is not None and kept[0] == f"{address.host}:{address.port or _PORTS[address.scheme]}":
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                return self._sent(kept[1], address, login)
        if kept is not None:
            kept[1].close()
        connection = self._connect(address)
        try:
            return self._sent(connection, address, login)
        except TimeoutError as error:
            connection.close()
            raise CameraError(f"The {self._label} accepts a connection but does not answer in time.") from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            connection.close()
            raise CameraError(f"The {self._label} does not answer as a web server does.") from error

    def _sent(self, connection: http.client.HTTPConnection, address: SecretAddress, login: Login | None) -> WebAnswer:
        target = _target(address)
        headers = {"User-Agent": "tabletop-companion", "Accept": "multipart/x-mixed-replace, image/jpeg"}
        said = None if login is None else login.header("GET", target)
        if said is not None:
            headers["Authorization"] = said
        connection.request("GET", target, headers=headers)
        line = connection.sock
        with cut_after(line, CONNECT_S) as late:
            response = connection.getresponse()
        if late.is_set():
            response.close()
            raise TimeoutError
        return WebAnswer(connection, line, response)

    def _moved(self, address: SecretAddress, place: str) -> SecretAddress:
        """Returns the address to which a server redirects.

        Raises:
            CameraError: That is no address.
        """
        try:
            moved = SecretAddress(urljoin(f"{address.scheme}://{address.place}{address.target}", place))
        except ValueError:
            moved = SecretAddress("://")
        if moved.scheme not in _PORTS or not moved.host:
            raise CameraError(f"The {self._label} sends us to what is no address. Give the right one.")
        return moved

    def _connect(self, address: SecretAddress) -> http.client.HTTPConnection:
        """Connects to the address's host."""
        host = address.host
        if not host or address.scheme not in _PORTS:
            raise CameraError(f"The {self._label} is no address. Write http://host:port/path.")
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        try:
            connection = kind(host, address.port, timeout=CONNECT_S)
            connection.connect()
        except ConnectionRefusedError as error:
            raise CameraError(
                f"Nothing answers at {host}:{connection.port} (connection refused). "
                "Start the camera's server there, or correct the port."
            ) from error
        except TimeoutError as error:
            raise CameraError(f"{host} does not answer. Is it switched on and in the same network?") from error
        except ssl.SSLError as error:
            raise CameraError(f"{host} has no certificate that this machine trusts. Try http:// instead.") from error
        except (OSError, UnicodeError, http.client.InvalidURL) as error:
            raise CameraError(f"{host} cannot be reached ({error}). Check the name and the network.") from error
        return connection


_PORTS = {"http": 80, "https": 443}


def _target(address: SecretAddress) -> str:
    """Returns path and query in the form of a request."""
    target = address.target.partition("#")[0]
    path = target if target.startswith("/") else f"/{target}"
    return quote(path, safe="/?%!$&'()*+,;=:~@[]")


@contextlib.contextmanager
def cut_after(line: socket.socket, seconds: float) -> Iterator[threading.Event]:
    """Cuts a line whose answer is not complete in time, because a server that sends a letter a second never stalls.

    Returns:
        An event that is set when the line was cut.
    """
    late = threading.Event()

    def cut() -> None:
        late.set()
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
