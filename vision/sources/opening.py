"""Opens a source from one word on the command line: camera index, device, file, folder or address.

All faults of that word are reported here, before a game depends on it.
"""

from __future__ import annotations

import os
import socket
import stat
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from companion.core.foundation.errors import CameraError
from companion.core.foundation.secrecy import SecretAddress
from vision.sources.device import CHILD, DeviceTap, check_device, short_name, steady_name
from vision.sources.film import FilmSource
from vision.sources.folder import SUFFIXES, FolderSource
from vision.sources.live import Limits, LiveSource
from vision.sources.phone import LABEL, SUFFIX, PhoneMailbox, PhoneTap
from vision.sources.source import Source
from vision.sources.stream import PICTURES, SnapshotTap, StreamTap
from vision.sources.web_camera import WebCamera

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


SCHEMES = ("http", "https", "rtsp", "rtsps")
"""The schemes of supported streams."""
DEVICES = ("/dev/video", "/dev/v4l/")
"""The folders of cameras that may be plugged in later."""
RTSP_PORT = 554
CONNECT_S = 3.0
"""The number of seconds for checking that an RTSP server exists."""


def open_source(
    named: SecretAddress | str,
    *,
    realtime: bool = True,
    pace_s: float = 1.0,
    after: int = 0,
    limits: Limits | None = None,
    clock: Callable[[], float] = time.time,
    tick: Callable[[], float] = time.monotonic,
) -> Source:
    """Opens the source that a person names as a camera.

    Args:
        named: A camera index ("0"), a device path, a video file, a folder of pictures, one picture, or an http, https
            or rtsp address.
        realtime: Recordings only. True: at the pace at which they were made; False: as fast as they are read.
        pace_s: Folders only: seconds from one picture to the next.
        after: So many pictures were delivered before: numbers go on from there, and so do recordings.

    Raises:
        CameraError: There is no such thing, or it gives no picture.
    """
    address = named if isinstance(named, SecretAddress) else SecretAddress(named)
    check_named(address)
    limits = limits or Limits()
    label = f"stream {address.scheme}://{address.place}"
    if address.scheme in ("http", "https"):
        patient = replace(limits, reopen_frozen_s=4 * limits.reopen_frozen_s)
        return LiveSource(
            label, lambda: open_web(label, address, limits, tick), limits=patient, after=after, clock=clock, tick=tick
        )
    if address.is_address:
        _check_rtsp(address)
        return open_device(label, address.encoded(), limits=limits, after=after, clock=clock, tick=tick)
    text = address.reveal()
    if text.isascii() and text.isdecimal():
        check_device(text)
        # The camera's own name is used from now on, so that it is not confused with another one after being replugged.
        camera = steady_name(str(int(text)))
        return open_device(f"camera {int(text)}", camera, limits=limits, after=after, clock=clock, tick=tick)
    if text.startswith(DEVICES):
        check_device(text)
    try:
        path = Path(text).expanduser()
        mode = path.stat().st_mode
    except (OSError, ValueError, RuntimeError) as error:
        raise CameraError(
            f'There is no camera, file or folder "{address}". Give an index such as 0, a path, or an address.'
        ) from error
    if stat.S_ISCHR(mode):
        check_device(text)
        label = f"camera {short_name(text)}"
        return open_device(label, steady_name(text), limits=limits, after=after, clock=clock, tick=tick)
    if stat.S_ISDIR(mode) and path.suffix == SUFFIX:
        mailbox = PhoneMailbox(path)
        return LiveSource(
            LABEL, lambda: PhoneTap(mailbox, limits, tick), limits=limits, after=after, clock=clock, tick=tick
        )
    if stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and path.suffix.lower() in SUFFIXES):
        return FolderSource(path, pace_s=pace_s, realtime=realtime, after=after, clock=clock, tick=tick)
    if stat.S_ISREG(mode):
        return FilmSource(path, realtime=realtime, after=after, clock=clock, tick=tick)
    raise CameraError(f"{text} is neither a camera nor a file nor a folder.")


def open_web(
    label: str, address: SecretAddress, limits: Limits, tick: Callable[[], float] = time.monotonic
) -> StreamTap | SnapshotTap:
    """Opens a camera on the web: a stream if it answers with one, else its snapshot, which is requested repeatedly.

    Raises:
        CameraError: It does not answer, or answers with something else.
    """
    camera = WebCamera(label, address)
    answer = camera.ask()
    if answer.kind in PICTURES:
        return SnapshotTap(label, camera, answer, limits, tick)
    return StreamTap(label, answer, limits, tick)


def open_device(
    label: str,
    camera: str,
    *,
    command: Sequence[str] = CHILD,
    limits: Limits | None = None,
    after: int = 0,
    clock: Callable[[], float] = time.time,
    tick: Callable[[], float] = time.monotonic,
) -> LiveSource:
    """Returns a camera, or an RTSP address, in a child process.

    Args:
        camera: An index, a device path or an address; it goes to the child over its pipe.
        command: The child's command line.
    """
    bounds = limits or Limits()
    return LiveSource(
        label, lambda: DeviceTap(label, camera, bounds, command), limits=bounds, after=after, clock=clock, tick=tick
    )


def check_named(address: SecretAddress) -> None:
    """Rejects names that cannot be a camera, without searching for one.

    Raises:
        CameraError: The name is empty, an address is invalid, or its format cannot be read.
    """
    if not address.reveal():
        raise CameraError("No camera was named. Give an index such as 0, a path, or an http or rtsp address.")
    if not address.is_address:
        return
    if address.fault is not None:
        raise CameraError(f"The camera's address cannot be used. {address.fault}")
    if address.scheme not in SCHEMES:
        raise CameraError(f'"{address.scheme[:20]}:" is no kind of stream that can be read. Use http, https or rtsp.')
    if not address.host:
        raise CameraError("The camera's address names no host. Write http://host:port/path or rtsp://host/path.")


def check_configured(address: SecretAddress) -> None:
    """Rejects mistakes in a configuration. A missing camera is not a mistake: it may come later.

    Raises:
        CameraError: As `check_named` does, or it is the path of a film or a folder that does not exist.
    """
    check_named(address)
    text = address.reveal()
    if address.is_address or text.isdecimal() or text == LABEL or text.startswith(DEVICES):
        return
    try:
        there = Path(text).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        there = False
    if not there:
        raise CameraError(
            f'There is no camera, file or folder "{address}". Give an index such as 0, a path, or an address.'
        )


def _check_rtsp(address: SecretAddress) -> None:
    """Checks that a server listens there, since FFmpeg does not report that."""
    host, port = address.host, address.port or RTSP_PORT
    try:
        socket.create_connection((host, port), CONNECT_S).close()
    except (OSError, UnicodeError) as error:
        raise CameraError(f"Nothing answers at {host}:{port}. Is the camera on, and is the port right?") from error
