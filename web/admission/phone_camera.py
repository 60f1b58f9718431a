"""A phone as the camera: the one device that may send pictures of the table, and its address by HTTPS.

The host asks for a code on the page; the first phone that scans it becomes the camera, also after a restart, until the
host removes it or another phone takes its place. Its secret gives only the right to send pictures.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

from companion.core.foundation.errors import CompanionError
from web.admission.access import NotAdmitted
from web.admission.keys import Keys

CODE_S = 600.0
"""The time in seconds for which a code may be scanned."""
_RATE_S = 3.0
"""The time in seconds over which pictures per second are counted."""
_UNKNOWN = "phone"
_KINDS = (
    ("iphone", "iPhone"),
    ("ipad", "iPad"),
    ("android", "Android phone"),
    ("windows", "Windows computer"),
    ("macintosh", "Mac"),
    ("linux", "Linux computer"),
)
"""Words in a browser's `User-Agent`, and the kinds of devices that they stand for; the first match counts."""


class OtherStart(CompanionError, status=409):
    """An error: the camera page was opened again meanwhile, so pictures from the earlier opening are not accepted."""


class NoPhoneCamera(CompanionError, status=403):
    """An error: no phone can be the camera of this table."""


class SecureDoor(Protocol):
    """The page's address by HTTPS."""

    def open(self) -> str:
        """Starts to answer by HTTPS.

        Returns:
            The address of the page, "https://192.168.1.7:8443/".

        Raises:
            CompanionError: HTTPS is not possible; the message says why.
        """

    def close(self) -> None:
        """Stops answering by HTTPS soon, unless the command line asked for it. Until then, a removed phone gets 403."""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate, as browsers show it; empty while HTTPS is off."""


class Device(NamedTuple):
    """The phone that is the camera."""

    kind: str
    """The kind of device, according to its browser: "iPhone"."""
    pictures_per_s: float
    age_s: float | None
    """The number of seconds since the last picture; None: it has sent none since the start."""


class PhoneCamera:
    """The phone of one table. Every method may be called from any thread."""

    def __init__(
        self,
        keys: Keys,
        door: SecureDoor | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        """
        Args:
            keys: The store of the phone's secret.
            door: The page's address by HTTPS; None: there is none, so no phone can be invited.
            clock: Returns the time in seconds, which never goes back.
            draw: Draws a random secret of 128 bits.
        """
        self._keys, self._door, self._clock, self._draw = keys, door, clock, draw
        self._lock = threading.RLock()
        self._code: tuple[str, float] | None = None
        self._session: str | None = None
        self._kind = _UNKNOWN
        self._times = deque[float](maxlen=64)

    @property
    def available(self) -> bool:
        """True if a phone can be invited."""
        return self._door is not None

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate, as browsers show it."""
        return "" if self._door is None else self._door.fingerprint

    def attach(self, door: SecureDoor) -> None:
        """Uses `door` for phones from now on. A phone that was the camera in an earlier run may go on at once."""
        with self._lock:
            self._door = door
            if self._keys.kept.camera:
                door.open()

    def invite(self) -> str:
        """Returns a link with a new code, which admits one phone once; an earlier code expires.

        Raises:
            CompanionError: HTTPS is not possible.
        """
        with self._lock:
            if self._door is None:
                raise NoPhoneCamera("A phone cannot watch this table. Start a server of your own: companion serve.")
            at = self._door.open()
            code = self._draw()
            self._code = code, self._clock() + CODE_S
        # The code follows the #, so that no log contains it.
        return f"{at}phone#{code}"

    def join(self, code: str, browser: str) -> str:
        """Uses up a code; the phone replaces the previous camera phone.

        Args:
            browser: The `User-Agent` of the phone's browser.

        Returns:
            The phone's secret.

        Raises:
            NotAdmitted: The code was used before, has expired, or never was one.
            KeysNotKept: The phone's secret could not be saved.
        """
        with self._lock:
            known, self_until = self._code or ("", 0.0)
            right = hmac.compare_digest(code.encode("utf-8", "surrogatepass"), known.encode())
            if not known or not right or self._clock() > self_until:
                raise NotAdmitted(
                    "This code was used before or is too old. Ask for another one on the table's page: Camera, Use a"
                    " phone."
                )
            secret = self._draw()
            self._keys.keep_camera(secret)
            self._code, self._session = None, None
            self._kind = kind_of_device(browser)
            self._times.clear()
            return secret

    def is_camera(self, secret: str | None) -> bool:
        """True if the device with this secret is the camera. The secret is compared in constant time."""
        kept = self._keys.kept.camera
        return bool(secret and kept) and hmac.compare_digest(
            (secret or "").encode("utf-8", "surrogatepass"), kept.encode()
        )

    def start(self, browser: str) -> str:
        """Records that the phone's page was opened; pictures from an earlier opening are not accepted any more.

        Returns:
            The word that its pictures carry.
        """
        with self._lock:
            self._session = secrets.token_hex(8)
            self._kind = kind_of_device(browser)
            return self._session

    def count(self, session: str) -> None:
        """Counts a picture that has come.

        Raises:
            OtherStart: The picture is from an earlier opening of the page.
        """
        with self._lock:
            if session != self._session:
                raise OtherStart("The camera page was opened again, here or in another tab. Go on there, or reload.")
            self._times.append(self._clock())

    def device(self) -> Device | None:
        """Returns the phone that is the camera; None if no phone is."""
        with self._lock:
            if not self._keys.kept.camera:
                return None
            now = self._clock()
            recent = sum(now - at <= _RATE_S for at in self._times)
            age_s = now - self._times[-1] if self._times else None
            return Device(self._kind, recent / _RATE_S, age_s)

    def remove(self) -> None:
        """Removes the phone: no phone is the camera from now on, codes expire, and HTTPS ends soon.

        Raises:
            KeysNotKept: The change could not be saved, and is valid only until this run ends.
        """
        with self._lock:
            self._code = self._session = None
            self._times.clear()
            try:
                self._keys.keep_camera("")
            finally:
                if self._door is not None:
                    self._door.close()


def kind_of_device(browser: str) -> str:
    """Returns the kind of device from the `User-Agent` of its browser; "phone" if it is unknown."""
    lower = browser.lower()
    return next((kind for sign, kind in _KINDS if sign in lower), _UNKNOWN)
