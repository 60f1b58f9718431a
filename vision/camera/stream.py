"""A motion-JPEG stream over HTTP, as phones, single-board computers and network cameras serve it.

A reader of our own, because it can tell a stalled line from a slow one, refuses what is no picture stream in one
sentence, and is closed from another thread.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import quote, urljoin

from companion.errors import CameraError, one_line
from companion.secrecy import SecretAddress
from vision.camera.live import Limits, Raw
from vision.camera.multipart import MultipartParser, boundary_of

CHUNK_BYTES = 64 * 1024
REDIRECTS = 3
"""How many times a server may send us on."""
CONNECT_S = 3.0
"""To connect and get the answer's header."""


class StreamTap:
    """One connection to a motion-JPEG stream.

    :param address: http or https; `user:password@` before the host is sent as Basic authentication.
    :raises CameraError: it does not answer, or answers with something else.
    """

    pushes = True
    mode = None

    def __init__(
        self, label: str, address: SecretAddress, limits: Limits, tick: Callable[[], float] = time.monotonic
    ) -> None:
        self._label = label
        self._silent_s = limits.silent_s
        self._patience_s = 2 * limits.silent_s
        """For the next picture; a camera may take its time for its first."""
        self._tick = tick
        self._closing = threading.Event()
        self._before_s: float | None = None
        self._connection, self._socket, self._answer = self._request(address)
        boundary = boundary_of(self._answer.getheader("Content-Type", ""))
        if boundary is None:
            kind = self._answer.getheader("Content-Type", "no content type").split(";")[0]
            self.close()
            raise CameraError(
                f"The {label} answers with {kind}, not with a motion-JPEG stream (multipart/x-mixed-replace). "
                "Give the address of the stream itself, not of its page."
            )
        self._parser = MultipartParser(boundary)

    def read(self) -> Raw:
        """The newest complete part."""
        until_s = self._tick() + self._patience_s
        while True:
            left_s = until_s - self._tick()
            if left_s <= 0:
                raise CameraError(f"The {self._label} stalls: no picture came for {self._patience_s:g} s.")
            try:
                self._socket.settimeout(left_s)
                data = self._answer.read1(CHUNK_BYTES)
            except TimeoutError:
                continue
            except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
                # The last two where another thread has closed it meanwhile: a closed file, or none.
                raise CameraError(f"The {self._label} broke off.") from error
            parts = self._parser.feed(data)
            if parts:
                now_s = self._tick()
                gap_s = 0.0 if self._before_s is None else (now_s - self._before_s) / len(parts)
                self._before_s = now_s
                self._patience_s = self._silent_s
                return Raw(parts[-1], gap_s)
            if not data or self._parser.ended:
                raise CameraError(f"The {self._label} was closed by its server.")

    def close(self) -> None:
        """Cut the line; a read in another thread fails at once."""
        if self._closing.is_set():
            return
        self._closing.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._connection.close()
        self._answer.close()
        self._socket.close()

    def _request(
        self, address: SecretAddress
    ) -> tuple[http.client.HTTPConnection, socket.socket, http.client.HTTPResponse]:
        """Connect and ask, following redirects."""
        for _ in range(REDIRECTS + 1):
            connection = self._connect(address)
            try:
                connection.request("GET", _asked(address), headers=_headers(address))
                line = connection.sock
                with _cut_after(line, CONNECT_S) as late:
                    answer = connection.getresponse()
                if late.is_set():
                    answer.close()
                    raise TimeoutError
            except TimeoutError as error:
                connection.close()
                raise CameraError(f"The {self._label} accepts a connection but does not answer in time.") from error
            except (OSError, http.client.HTTPException, ValueError) as error:
                connection.close()
                raise CameraError(f"The {self._label} does not answer as a web server does.") from error
            if answer.status in (301, 302, 303, 307, 308) and answer.getheader("Location"):
                place = str(answer.getheader("Location"))
                _hang_up(connection, answer)
                address = self._moved(address, place)
                continue
            if answer.status == 200:
                return connection, line, answer
            _hang_up(connection, answer)
            hint = " Put user:password@ before the host." if answer.status == 401 else " Check the address."
            raise CameraError(f"The {self._label} answers {answer.status} {one_line(answer.reason)}.{hint}")
        raise CameraError(f"The {self._label} sends us from address to address. Give the last one.")

    def _moved(self, address: SecretAddress, place: str) -> SecretAddress:
        """Where a server sends us on; user and password go along to the same place alone.

        :raises CameraError: that is no address.
        """
        try:
            moved = SecretAddress(urljoin(f"{address.scheme}://{address.place}{address.target}", place))
        except ValueError:
            moved = SecretAddress("://")
        if moved.scheme not in ("http", "https") or not moved.host:
            raise CameraError(f"The {self._label} sends us to what is no address. Give the right one.")
        if moved.user is None and (moved.scheme, moved.place) == (address.scheme, address.place):
            return moved.as_user(address)
        return moved

    def _connect(self, address: SecretAddress) -> http.client.HTTPConnection:
        """A connection to the address's host."""
        host = address.host
        if not host or address.scheme not in ("http", "https"):
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


def _hang_up(connection: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> None:
    """Close both: an answer that ends with its connection holds the socket for itself."""
    connection.close()
    answer.close()


@contextlib.contextmanager
def _cut_after(line: socket.socket, seconds: float) -> Iterator[threading.Event]:
    """Cut a line whose answer is not complete in time: a server that sends a letter a second never stalls otherwise.

    :return: an event that is set when the line was cut.
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


def _asked(address: SecretAddress) -> str:
    """Path and query as a request has them."""
    target = address.target.partition("#")[0]
    path = target if target.startswith("/") else f"/{target}"
    return quote(path, safe="/?%!$&'()*+,;=:~@[]")


def _headers(address: SecretAddress) -> dict[str, str]:
    """What is sent besides the request."""
    headers = {"User-Agent": "tabletop-companion", "Accept": "multipart/x-mixed-replace, image/jpeg"}
    if address.user is not None:
        pair = f"{address.user}:{address.password or ''}".encode()
        headers["Authorization"] = "Basic " + base64.b64encode(pair).decode()
    return headers
