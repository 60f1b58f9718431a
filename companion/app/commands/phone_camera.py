"""A phone as the camera of a table: the way of its pictures to the reader, and the page by HTTPS."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import click
from flask import Flask

from companion.app.commands.options import PATH
from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.secrecy import SecretAddress
from web.admission.security import is_loopback
from web.sockets.certificate import Certificate, given_certificate, own_certificate
from web.sockets.server import lan_address
from web.tables import PREFIX

if TYPE_CHECKING:
    from vision.sources.phone import PhoneMailbox
    from web.sockets.secure_server import SecureServer

PHONE = "phone"
"""The name of a phone for `--camera`."""
HTTPS_PORT = 8443
CERTIFICATE_END = ".tls"
"""The suffix of the file beside the journal that keeps the server's own certificate."""
APART_S = 0.125
"""The number of seconds between pictures; at eight a second the reader distinguishes a moving hand from a resting
one."""
MOST_APART_S = 1.0
FAREWELL_S = 15.0
"""The time in seconds for which HTTPS still answers after a phone was removed: its page asks within this time, and
reports that the phone was removed."""
LONGEST_PX = 1920
_NARROW = ("/phone", "/favicon.ico", "/api/camera/phone/join", "/api/camera/phone/start", "/api/camera/phone/picture")
_NARROW_BELOW = ("/static/", "/language/")


class TlsOptions(NamedTuple):
    """The settings of the command line for HTTPS."""

    chain: Path | None = None
    key: Path | None = None
    port: int = HTTPS_PORT

    def check(self) -> None:
        """Raises WrongUsage: A certificate was given without its key, or the other way round."""
        if (self.chain is None) != (self.key is None):
            raise WrongUsage("--tls-cert and --tls-key belong together. Give both, or neither.")


def tls_options(command: Callable[..., object]) -> Callable[..., object]:
    """Adds the options `--tls-cert`, `--tls-key` and `--https-port` to a command."""
    chain = click.option(
        "--tls-cert", type=PATH, metavar="FILE", help="Certificate (PEM) for HTTPS: the whole page is served by it too."
    )
    key = click.option("--tls-key", type=PATH, metavar="FILE", help="Private key (PEM) of that certificate.")
    port = click.option(
        "--https-port",
        type=click.IntRange(0, 65535),
        default=HTTPS_PORT,
        show_default=True,
        metavar="P",
        help="Port of HTTPS, which a phone needs to be the camera.",
    )
    return chain(key(port(command)))


def private_folder() -> Path:
    """Returns a new folder for pictures that are not kept, in memory if the system has such a place."""
    wanted = (os.environ.get("XDG_RUNTIME_DIR", ""), "/dev/shm")
    memory = next((one for one in wanted if one and os.access(one, os.W_OK | os.X_OK)), None)
    return Path(tempfile.mkdtemp(prefix="companion-", dir=memory))


class WatchedTable(Protocol):
    """The table that a phone may watch; `companion.app.commands.runtime.Runtime` implements it."""

    def phone_mailbox(self) -> PhoneMailbox:
        """Returns the mailbox for pictures of a phone."""

    def watch_apart(self, camera: SecretAddress) -> None:
        """Watches the table with a camera."""

    def watch_nothing(self) -> None:
        """Releases the camera."""


class PhoneSource:
    """The pictures of one table's phone; implements `companion.core.protocols.eyes.PhonePictures`."""

    def __init__(self, runtime: WatchedTable) -> None:
        self._runtime = runtime
        self._lock = threading.Lock()
        self._apart_s = APART_S
        self.watches = False
        """True if the phone watches the table."""

    @property
    def mailbox(self) -> PhoneMailbox:
        """The mailbox from which the reader takes its pictures."""
        return self._runtime.phone_mailbox()

    def begin(self) -> None:
        """Makes the phone the camera of the table from now on."""
        with self._lock:
            if not self.watches:
                self._runtime.watch_apart(SecretAddress(PHONE))
                self.watches = True

    def take(self, jpeg: bytes) -> float:
        """Takes one picture; returns the number of seconds after which the next one is wanted."""
        from vision.image.picture import check_jpeg

        check_jpeg(jpeg, LONGEST_PX)
        kept_up = self.mailbox.put(jpeg)
        self._apart_s = APART_S if kept_up else min(MOST_APART_S, 2 * self._apart_s)
        return self._apart_s

    def end(self) -> None:
        """Forgets all pictures. If the phone was the camera, the table has none from now on."""
        with self._lock:
            if self.watches:
                self._runtime.watch_nothing()
                self.watches = False
            self.mailbox.empty()

    def left(self) -> None:
        """Records that another camera watches the table from now on."""
        self.watches = False


class HttpsDoor:
    """The page by HTTPS; implements `web.admission.phone_camera.SecureDoor`. Every method may be called from any
    thread.
    """

    def __init__(
        self,
        app: Flask,
        kept: Path,
        tls: TlsOptions,
        serves: Callable[[str], bool],
        host: str,
        *,
        find: Callable[[], str] = lan_address,
        farewell_s: float = FAREWELL_S,
    ) -> None:
        """
        Args:
            app: The page.
            kept: The file of the server's own certificate.
            serves: Returns true if a path may be served at present with the server's own certificate; with a given
                one every path is.
            host: The address that the command line names; for a loopback address, `find` chooses.
            find: Returns the address of this machine in the local network.
            farewell_s: The time in seconds from `close` to the end of HTTPS.
        """
        self._app, self._kept, self._tls, self._serves, self._host = app, kept, tls, serves, host
        self._find, self._farewell_s = find, farewell_s
        self._ending: threading.Timer | None = None
        self._lock = threading.RLock()
        self._tables = set[str]()
        """The tables that need HTTPS; the only table of a server has no name."""
        self._server: SecureServer | None = None
        self._certificate: Certificate | None = None

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate; empty while HTTPS is off."""
        return "" if self._certificate is None else self._certificate.fingerprint

    def open(self, table: str = "") -> str:
        """Starts to answer by HTTPS on this machine's present address; returns the URL of the page.

        Args:
            table: The name of the table that needs it; empty: the only one.

        Raises:
            NoCertificate: There is no certificate, or the extra `https` is missing.
            CannotListen: No port can be used.
        """
        with self._lock:
            self._stay()
            url = self._listen()
            self._tables.add(table)
            return url

    def _listen(self) -> str:
        with self._lock:
            address = self._find() if is_loopback(self._host) else self._host
            if self._server is None or self._server.host != address:
                self._leave()
                self._certificate = self._choose(self._find() if address in ("0.0.0.0", "::") else address)
                from web.sockets.secure_server import SecureServer

                app = self._app.wsgi_app
                self._server = SecureServer(app, self._certificate, address, self._tls.port, self.serves)
            shown = self._find() if address in ("0.0.0.0", "::") else address
            return f"https://{f'[{shown}]' if ':' in shown else shown}:{self._server.port}/"

    def follow(self) -> None:
        """Follows this machine from one network to another."""
        with self._lock:
            if self._server is not None and self._ending is None:
                self._listen()

    def close(self, table: str = "") -> None:
        """Stops answering by HTTPS after `farewell_s`, unless another table needs it, `open` is called before, or the
        command line gave a certificate for the whole page.
        """
        with self._lock:
            self._tables.discard(table)
            unused = self._tls.chain is None and not self._tables
            if unused and self._server is not None and self._ending is None:
                self._ending = threading.Timer(self._farewell_s, self._end)
                self._ending.daemon = True
                self._ending.start()

    def leave(self) -> None:
        """Stops answering by HTTPS at once and in any case."""
        with self._lock:
            self._stay()
            self._tables.clear()
            self._leave()

    def serves(self, path: str) -> bool:
        """True if this path may be served by HTTPS now."""
        return self._tls.chain is not None or self._serves(path)

    def _choose(self, address: str) -> Certificate:
        if self._tls.chain is not None and self._tls.key is not None:
            return given_certificate(self._tls.chain, self._tls.key)
        return own_certificate(self._kept, address)

    def _stay(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
        self._ending = None

    def _end(self) -> None:
        with self._lock:
            if self._ending is threading.current_thread():
                self._ending = None
                self._leave()

    def _leave(self) -> None:
        if self._server is not None:
            self._server.close()
        self._server = self._certificate = None


class TableDoor:
    """One of several tables by HTTPS; implements `web.admission.phone_camera.SecureDoor`."""

    def __init__(self, door: HttpsDoor, table: str) -> None:
        """
        Args:
            door: The page of all tables by HTTPS, which is open as long as any table needs it.
        """
        self._door, self._table = door, table

    def open(self) -> str:
        """Starts to answer by HTTPS; returns the URL of the table. It fails as that of `HttpsDoor` does."""
        return f"{self._door.open(self._table).rstrip('/')}{PREFIX}{self._table}/"

    def close(self) -> None:
        """Stops answering by HTTPS soon, unless another table needs it."""
        self._door.close(self._table)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate; empty while HTTPS is off."""
        return self._door.fingerprint


def is_camera_page(path: str) -> bool:
    """True if the path, below the table's address, belongs to the camera page of a phone."""
    return path in _NARROW or path.startswith(_NARROW_BELOW)


def is_camera_page_of_a_table(path: str) -> bool:
    """True if the path belongs to the camera page of a phone at one of several tables."""
    name, slash, below = path.removeprefix(PREFIX).partition("/")
    return path.startswith(PREFIX) and bool(name) and is_camera_page(slash + below)


def remove_folder(folder: Path) -> None:
    """Removes a folder of `private_folder` with its pictures."""
    shutil.rmtree(folder, ignore_errors=True)
