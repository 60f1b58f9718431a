"""Sends requests to a camera on the web: follows redirects, answers challenges, and cuts off a server that does not
come to an end.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote, urljoin

from companion.core.foundation.errors import CameraError
from companion.core.foundation.secrecy import SecretAddress
from companion.core.printable import one_line
from vision.sources.login import Login

REDIRECTS = 3
"""The number of redirects that are followed."""
TRIES = 3
"""The number of times that a server may ask for user and password; one with a fresh nonce each time asks twice."""
CONNECT_S = 3.0
"""The number of seconds for connecting and getting the answer's header."""
FORBIDDEN = 403
"""The status by which a few cameras mean 401."""


class WebAnswer(NamedTuple):
    """An answer whose header has come."""

    connection: http.client.HTTPConnection
    line: socket.socket
    response: http.client.HTTPResponse

    @property
    def kind(self) -> str:
        """The type of its content, without parameters, in lower case; empty if it names none."""
        return (self.response.getheader("Content-Type") or "").partition(";")[0].strip().lower()

    def close(self) -> None:
        """Let go of it, also while another thread reads."""
        with contextlib.suppress(OSError):
            self.line.shutdown(socket.SHUT_RDWR)
        self.connection.close()
        self.response.close()
        self.line.close()


class WebCamera:
    """One address. For one thread at a time."""

    def __init__(self, label: str, address: SecretAddress) -> None:
        """
        Args:
            label: What a person calls it.
            address: Http or https, with user and password before the host if it wants some.
        """
        self._label, self._address = label, address
        self._login = None if address.user is None else Login(address.user, address.password or "")
        self._kept: tuple[str, http.client.HTTPConnection, socket.socket] | None = None
        """An open connection that the last answer has left, and where it leads."""

    def ask(self) -> WebAnswer:
        """Ask for the pictures; the answer is one of success.

        Raises:
            CameraError: It does not answer, or refuses.
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
        """Use the connection of an answer that was read to its end for the next question, if its server lets us."""
        if answer.response.isclosed() and answer.connection.sock is not None:
            self._kept = f"{answer.connection.host}:{answer.connection.port}", answer.connection, answer.line
        else:
            answer.close()

    def close(self) -> None:
        """Let go of a connection that was kept."""
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
        """The answer to a question at one address, after user and password were given as often as it asks."""
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
        """One question and the header of its answer; a connection that was kept and is dead by now is made anew."""
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
    """Cut a line whose answer is not complete in time: a server that sends a letter a second never stalls otherwise.

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
