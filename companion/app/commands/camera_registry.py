"""The cameras of this machine, which people look at and choose on the page."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.commands.phone_camera import PHONE, PhoneSource
from companion.core.foundation.errors import CameraError
from companion.core.foundation.secrecy import SecretAddress
from companion.core.protocols.eyes import Offered

if TYPE_CHECKING:
    from companion.app.commands.runtime import Runtime
    from vision.sources.source import Source

INDICES = ("0", "1", "2", "3")
"""The cameras that are tried if the system has no list of cameras, or if none is named."""
LET_GO_S = 15.0
"""The number of seconds after which an unused camera is closed, so that its light goes out."""
FIRST_S = 3.0
"""The number of seconds to wait for the first picture of a camera."""
WIDTH_PX = 320
QUALITY = 70


def device_names(folder: Path = Path("/dev")) -> tuple[str, ...]:
    """Returns the names of possible cameras for `--camera`, by the maker's name if they have one."""
    from vision.sources.device import cameras_there

    return cameras_there(folder) if sys.platform.startswith("linux") else INDICES


def _open(name: SecretAddress) -> Source:
    from vision.sources import Limits, open_source

    return open_source(name, limits=Limits(opening_s=5.0))


class CameraRegistry:
    """The cameras of this machine. A camera is open while people look at it, and is closed soon after."""

    def __init__(
        self,
        runtime: Runtime,
        watched: SecretAddress | None = None,
        *,
        names: Callable[[], tuple[str, ...]] = device_names,
        opener: Callable[[SecretAddress], Source] = _open,
        let_go_s: float = LET_GO_S,
    ) -> None:
        """
        Args:
            watched: The camera that the runtime already watches. It is still offered, by a name without secrets.
            names: Returns the names of the possible cameras.
            let_go_s: The number of seconds after which an unused camera is closed.
        """
        self._runtime = runtime
        self.phone = PhoneSource(runtime)
        """The source of pictures from a phone."""
        if watched is not None and watched.reveal() == PHONE:
            self.phone.watches = True
        self._watched = None if watched is None else str(watched)
        self._configured = watched
        self._names = names
        self._opener = opener
        self._let_go_s = let_go_s
        self._open: dict[str, Source] = {}
        self._pictures: dict[str, bytes] = {}
        self._timer: threading.Timer | None = None
        self._lock = threading.RLock()

    def look(self) -> tuple[Offered, ...]:
        """Returns every camera with its present picture."""
        with self._lock:
            self._wait_again()
            configured = [] if self._configured is None else [str(self._configured)]
            known = set(map(self._device, configured))
            if self.phone.watches and PHONE not in configured:
                configured.insert(0, PHONE)
            others = [name for name in self._names() if self._device(name) not in known]
            return tuple(self._offered(name) for name in (*configured, *others))

    def _device(self, name: str) -> str:
        """Returns the canonical name of a camera, whichever of its names is given."""
        from vision.sources.device import steady_name

        return steady_name(name)

    def use(self, name: str) -> None:
        """Chooses the camera that watches the table from now on; "" chooses none.

        Raises:
            CameraError: The camera cannot be opened; the previous one goes on.
        """
        with self._lock:
            if name and self._is_watched(name):
                return
            if name == PHONE:
                self.close()
                self.phone.begin()
                self._watched = None
                return
            address = self._address(name)
            if name and address is None:
                raise CameraError(f'There is no camera "{name}" on this machine. Plug it in, then choose again.')
            self.close()  # most cameras can be opened only once, and the reading process opens it itself
            if address is not None:
                self._runtime.change_camera(address)
            else:
                self._runtime.watch_nothing()
            self.phone.left()
            self._watched = name or None

    def close(self) -> None:
        """Closes every camera that does not watch the table."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            for source in self._open.values():
                source.close()
            self._open.clear()
            self._pictures.clear()

    def _address(self, name: str) -> SecretAddress | None:
        """Returns the address of a camera that was offered by this name; None if there is no such camera now."""
        if self._configured is not None and name == str(self._configured):
            return self._configured
        return SecretAddress(name) if name in self._names() else None

    def _is_watched(self, name: str) -> bool:
        if name == PHONE or self.phone.watches:
            return name == PHONE and self.phone.watches
        return name == self._watched

    def _offered(self, name: str) -> Offered:
        from vision.sources.device import short_name

        if name == PHONE and not self.phone.watches:
            return Offered(PHONE, PHONE, None, "A phone that is let in on the camera page.", False)
        if self._is_watched(name):
            frame = self._runtime.sessions.eyes.frame(-1, 0.0)
            small = None if frame is None else _shrunk(frame.jpeg)
            return Offered(name, short_name(name), small, self._runtime.sessions.eyes.status().text, True)
        try:
            source = self._open.get(name)
            first = source is None
            if source is None:
                source = self._open[name] = self._opener(self._address(name) or SecretAddress(name))
            shot = source.next(FIRST_S if first else 0.1)
        except CameraError as error:
            return Offered(name, short_name(name), None, str(error), False)
        if shot is not None:
            self._pictures[name] = _small(shot.picture)
        picture = self._pictures.get(name)
        text = "Gives pictures." if picture else "Opens, but gives no picture."
        return Offered(name, short_name(name), picture, text, False)

    def _wait_again(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self._let_go_s, self.close)
        self._timer.daemon = True
        self._timer.start()


def _small(picture: object) -> bytes:
    """Returns a picture as a small JPEG."""
    import cv2
    import numpy as np

    pixels = np.asarray(picture)
    height, width = pixels.shape[:2]
    size = (WIDTH_PX, max(1, round(height * WIDTH_PX / width)))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes()


def _shrunk(jpeg: bytes) -> bytes | None:
    """Returns a JPEG as a small one; None if it cannot be read."""
    import cv2
    import numpy as np

    pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return None if pixels is None else _small(pixels)
