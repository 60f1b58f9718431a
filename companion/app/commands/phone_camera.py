"""A phone as the camera of a table: its pictures on their way to the reader, and the page by HTTPS."""

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

if TYPE_CHECKING:
    from vision.sources.phone import PhoneMailbox
    from web.admission.phones import Phones
    from web.sockets.secure_server import SecureServer

PHONE = "phone"
"""The name of a phone for `--camera`."""
HTTPS_PORT = 8443
CERTIFICATE_END = ".tls"
"""The end of the file beside the journal that keeps the server's own certificate."""
APART_S = 0.125
"""The interval of pictures: the reader tells a moving hand from a resting one at eight a second."""
MOST_APART_S = 1.0
LONGEST_PX = 1920
_NARROW = ("/phone", "/favicon.ico", "/api/camera/phone/join", "/api/camera/phone/start", "/api/camera/phone/picture")
_NARROW_BELOW = ("/static/", "/language/")


class TlsOptions(NamedTuple):
    """The choices of the command line for HTTPS."""

    chain: Path | None = None
    key: Path | None = None
    port: int = HTTPS_PORT

    def check(self) -> None:
        """Raises WrongUsage: a certificate was given without its key, or the other way round."""
        if (self.chain is None) != (self.key is None):
            raise WrongUsage("--tls-cert and --tls-key belong together. Give both, or neither.")


def tls_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options `--tls-cert`, `--tls-key` and `--https-port`."""
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
    """A fresh folder for pictures that nobody keeps: in memory where the system has such a place."""
    wanted = (os.environ.get("XDG_RUNTIME_DIR", ""), "/dev/shm")
    memory = next((one for one in wanted if one and os.access(one, os.W_OK | os.X_OK)), None)
    return Path(tempfile.mkdtemp(prefix="companion-", dir=memory))


class WatchedTable(Protocol):
    """The table that a phone may watch, as `companion.app.commands.runtime.Runtime` is."""

    def phone_mailbox(self) -> PhoneMailbox:
        """The mailbox for pictures of a phone."""

    def watch_apart(self, camera: SecretAddress) -> None:
        """Watch the table by a camera."""

    def watch_nothing(self) -> None:
        """Let go of the camera."""


class PhoneSource:
    """Takes the pictures of one table's phone, as `companion.core.protocols.eyes.PhonePictures`."""

    def __init__(self, runtime: WatchedTable) -> None:
        self._runtime = runtime
        self._lock = threading.Lock()
        self._apart_s = APART_S
        self.watches = False
        """True if the table is watched by the phone."""

    @property
    def mailbox(self) -> PhoneMailbox:
        """The place where the reader takes its pictures."""
        return self._runtime.phone_mailbox()

    def begin(self) -> None:
        """Watches the table by the phone from now on."""
        with self._lock:
            if not self.watches:
                self._runtime.watch_apart(SecretAddress(PHONE))
                self.watches = True

    def take(self, jpeg: bytes) -> float:
        """Takes one picture; returns the seconds after which the next one is wanted."""
        from vision.image.picture import check_jpeg

        check_jpeg(jpeg, LONGEST_PX)
        kept_up = self.mailbox.put(jpeg)
        self._apart_s = APART_S if kept_up else min(MOST_APART_S, 2 * self._apart_s)
        return self._apart_s

    def end(self) -> None:
        """Forgets all pictures; if the phone watches the table, nothing does from now on."""
        with self._lock:
            if self.watches:
                self._runtime.watch_nothing()
                self.watches = False
            self.mailbox.empty()

    def left(self) -> None:
        """Another camera watches the table from now on."""
        self.watches = False


class HttpsDoor:
    """The page by HTTPS, as `web.admission.phone_camera.SecureDoor`. Every method may be called from any thread."""

    def __init__(
        self,
        app: Flask,
        kept: Path,
        tls: TlsOptions,
        phones: Phones,
        host: str,
        *,
        find: Callable[[], str] = lan_address,
    ) -> None:
        """
        Args:
            app: The page.
            kept: The file of the server's own certificate.
            phones: While these are let in, the whole page is served; else the phone's camera page alone.
            host: The address that the command line names; a loopback one leaves the choice to `find`.
            find: The address of this machine in the local network.
        """
        self._app, self._kept, self._tls, self._phones, self._host = app, kept, tls, phones, host
        self._find = find
        self._lock = threading.RLock()
        self._server: SecureServer | None = None
        self._certificate: Certificate | None = None

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate; empty while the door is closed."""
        return "" if self._certificate is None else self._certificate.fingerprint

    def open(self) -> str:
        """Answers by HTTPS from now on, at this machine's present address; returns the address of the page.

        Raises:
            NoCertificate: There is no certificate, or the extra `https` is missing.
            CannotListen: No port can be had.
        """
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
        """Goes with this machine from one network to another."""
        with self._lock:
            if self._server is not None:
                self.open()

    def close(self) -> None:
        """Answers by HTTPS no longer, unless the command line gave a certificate for the whole page."""
        with self._lock:
            if self._tls.chain is None:
                self._leave()

    def leave(self) -> None:
        """Answers no longer in any case."""
        with self._lock:
            self._leave()

    def serves(self, path: str) -> bool:
        """True if this path may be served by HTTPS now."""
        if self._tls.chain is not None or self._phones.by is not None:
            return True
        return path in _NARROW or path.startswith(_NARROW_BELOW)

    def _choose(self, address: str) -> Certificate:
        if self._tls.chain is not None and self._tls.key is not None:
            return given_certificate(self._tls.chain, self._tls.key)
        return own_certificate(self._kept, address)

    def _leave(self) -> None:
        if self._server is not None:
            self._server.close()
        self._server = self._certificate = None


def remove_folder(folder: Path) -> None:
    """Removes a folder of `private_folder` with its pictures."""
    shutil.rmtree(folder, ignore_errors=True)
