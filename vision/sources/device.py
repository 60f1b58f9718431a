"""A camera at this machine, or an RTSP stream, held by a child process that can be killed if it hangs.

The parent asks for each picture and waits a limited time for it. A child that does not answer is killed, which also
closes the device, and the live source opens a new one.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from companion.core.foundation.errors import CameraError
from vision.sources.answer import ANSWER, ASK, NAME
from vision.sources.live import Limits, Raw
from vision.sources.mode import Mode

ROOT = Path(__file__).parents[2]
"""The folder that holds the package `vision`, for the child's import path."""
BYTES_LIMIT = 3 * 25_000_000
"""The largest number of bytes of one picture in BGR, as for photographs."""
DEVICES = Path("/dev")
"""The folder of devices on Linux."""
BY_ID = "v4l/by-id"
"""The folder below it that names cameras by maker, model and serial number."""
_PICTURES = "-video-index0"
"""The suffix of a name that leads to a camera's pictures; other names of the same camera lead to its metadata."""
CHILD = (sys.executable, "-m", "vision.sources.child")
"""The command line of a child. The camera's address comes over its pipe, because any account can read a command
line.
"""
STOPPING_S = 1.0
"""The number of seconds for a killed child to end; one that hangs in the kernel stays until the kernel releases it."""


def check_device(camera: str, folder: Path = DEVICES) -> None:
    """Checks on Linux that a camera exists and may be used, since OpenCV reports neither.

    Args:
        camera: An index or a device path.

    Raises:
        CameraError: It does not exist, or this account may not read it.
    """
    if not sys.platform.startswith("linux"):
        return
    path = folder / f"video{int(camera)}" if camera.isdigit() else Path(camera)
    if not path.exists():
        there = cameras_there(folder)
        have = f"There are: {', '.join(there)}." if there else "None is plugged in."
        raise CameraError(f"There is no camera {short_name(camera)} ({path} does not exist). {have}")
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError(
            f"The camera {path} is there, but this account may not use it. "
            'Run "sudo usermod -aG video $USER" and log in again.'
        )


def cameras_there(folder: Path = DEVICES) -> tuple[str, ...]:
    """Returns the cameras that may be there on Linux, as `--camera` takes them.

    A camera that has a name from its maker is given by that name. Linux numbers cameras in the order in which it finds
    them, so two cameras may exchange their numbers at a restart. Devices with metadata alone are left out.
    """
    named = {path.name: os.path.realpath(path) for path in sorted((folder / BY_ID).glob("*"))}
    pictures = {name: at for name, at in named.items() if name.endswith(_PICTURES)}
    numbers = [path for path in folder.glob("video*") if path.name.removeprefix("video").isdecimal()]
    rest = [path.name.removeprefix("video") for path in numbers if os.path.realpath(path) not in named.values()]
    return (*(str(folder / BY_ID / name) for name in pictures), *sorted(rest, key=int))


def steady_name(camera: str, folder: Path = DEVICES) -> str:
    """Returns the maker's name of a camera, which stays with it over restarts; the given name if it has none."""
    at = os.path.realpath(folder / f"video{camera}" if camera.isdigit() else camera)
    for path in sorted((folder / BY_ID).glob(f"*{_PICTURES}")):
        if os.path.realpath(path) == at:
            return str(path)
    return camera


def short_name(camera: str) -> str:
    """Returns the name of a camera for people, without the parts that are the same in all names from makers."""
    name = Path(camera).name
    if camera == name or not name.endswith(_PICTURES):
        return camera
    return name.removesuffix(_PICTURES).removeprefix("usb-").replace("_", " ")


class DeviceTap:
    """A child process that holds a camera.

    Args:
        label: The name for people.
        camera: An index, a device path or an address.
        command: The child's command line.

    Raises:
        CameraError: It cannot be opened in `limits.opening_s`.
    """

    pushes = False
    renews_s = 0.0

    def __init__(self, label: str, camera: str, limits: Limits, command: Sequence[str] = CHILD) -> None:
        self._label = label
        self._silent_s = limits.silent_s
        self._patience_s = limits.opening_s
        """The time limit in seconds for the next picture; a camera may warm up before its first one."""
        self._gone = threading.Lock()
        ours, theirs = socket.socketpair()
        environment = dict(os.environ)
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), environment.get("PYTHONPATH"))))
        with theirs:
            self._process = subprocess.Popen(
                list(command),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,  # Ctrl+C is for the parent, which then ends the child
            )
        self._channel = ours
        try:
            self._name(camera)
            width, height, rate_hz, _ = self._answer(limits.opening_s, "does not open")
        except CameraError:
            self.close()
            raise
        self.mode: Mode | None = Mode(width, height, rate_hz) if width else None
        """The mode in which it was opened; None for an RTSP stream."""

    def read(self) -> Raw:
        """Returns a picture taken after this call."""
        try:
            self._channel.sendall(ASK)
        except OSError as error:
            raise CameraError(f"The {self._label} is gone. Plug it in again.") from error
        width, height, gap_s, data = self._answer(self._patience_s, "hangs")
        self._patience_s = self._silent_s
        return Raw(np.frombuffer(data, dtype=np.uint8).reshape(height, width, 3), gap_s)

    def close(self) -> None:
        """Kills the child and waits for its end."""
        with self._gone:
            self._process.kill()
            try:
                self._process.wait(STOPPING_S)
            except subprocess.TimeoutExpired:
                return
            finally:
                self._channel.close()

    def _name(self, camera: str) -> None:
        """Sends the camera's address to the child."""
        data = camera.encode("utf-8", "surrogateescape")
        try:
            self._channel.sendall(NAME.pack(len(data)) + data)
        except OSError as error:
            raise CameraError(f"The {self._label} cannot be opened: its reader ended at once.") from error

    def _answer(self, timeout_s: float, fault: str) -> tuple[int, int, float, bytearray]:
        """Returns width, height, seconds since the previous picture, and the bytes of the child's next answer."""
        try:
            self._channel.settimeout(timeout_s)  # fails if another thread has closed it since it was asked
            well, width, height, gap_s, size = ANSWER.unpack(self._exactly(ANSWER.size))
            if size > BYTES_LIMIT:
                raise CameraError(f"The {self._label} gives pictures of {width}x{height}; the limit is 25 megapixels.")
            data = self._exactly(size)
        except TimeoutError as error:
            raise CameraError(f"The {self._label} {fault}: nothing came for {timeout_s:g} s.") from error
        except OSError as error:
            raise CameraError(f"The {self._label} is gone. Plug it in again.") from error
        if not well:
            raise CameraError(f"The {self._label} {data.decode('utf-8', 'replace')}. Is it in use, or unplugged?")
        return width, height, gap_s, data

    def _exactly(self, size: int) -> bytearray:
        """Returns exactly `size` bytes from the child."""
        data = bytearray(size)
        view, have = memoryview(data), 0
        while have < size:
            count = self._channel.recv_into(view[have:])
            if count == 0:
                raise ConnectionResetError
            have += count
        return data
