"""One word on the command line to a source: camera index, device, file, folder or address.

Everything that can be wrong with that word is said here, once, before a game depends on it.
"""

from __future__ import annotations

import socket
import stat
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from msgspec.structs import replace

from companion.errors import CameraError
from vision.camera.device import DeviceTap, check_device, child_command
from vision.camera.film import FilmSource
from vision.camera.folder import SUFFIXES, FolderSource
from vision.camera.live import Limits, LiveSource
from vision.camera.source import Source
from vision.camera.stream import StreamTap

RTSP_PORT = 554
CONNECT_S = 3.0
"""To see whether an RTSP server is there at all."""


def open_source(
    text: str,
    *,
    realtime: bool = True,
    pace_s: float = 1.0,
    after: int = 0,
    limits: Limits | None = None,
    clock: Callable[[], float] = time.time,
    tick: Callable[[], float] = time.monotonic,
) -> Source:
    """Open what a person calls a camera.

    :param text: a camera index ("0"), a device path, a video file, a folder of pictures, one picture, or an http, https
        or rtsp address.
    :param realtime: recordings only. True: at the pace at which they were made; False: as fast as they are read.
    :param pace_s: folders only: seconds from one picture to the next.
    :param after: so many pictures were delivered before: numbers go on from there, and so do recordings.
    :raises CameraError: there is no such thing, or it gives no picture.
    """
    text = text.strip()
    try:
        scheme = urlsplit(text).scheme.lower() if "://" in text else ""
    except ValueError as error:
        raise CameraError(f'"{text}" is no address. Write http://host:port/path.') from error
    limits = limits or Limits()
    if not text:
        raise CameraError("No camera was named. Give an index such as 0, a path, or an http or rtsp address.")
    if scheme in ("http", "https"):
        label = f"stream {_shown(text)}"
        patient = replace(limits, reopen_frozen_s=4 * limits.reopen_frozen_s)
        return LiveSource(
            label, lambda: StreamTap(label, text, limits, tick), limits=patient, after=after, clock=clock, tick=tick
        )
    if scheme in ("rtsp", "rtsps"):
        _check_rtsp(text)
        return open_device(f"stream {_shown(text)}", text, limits=limits, after=after, clock=clock, tick=tick)
    if scheme:
        raise CameraError(f'"{scheme}:" is no kind of stream that can be read. Use http, https or rtsp.')
    if text.isascii() and text.isdecimal():
        check_device(text)
        return open_device(f"camera {int(text)}", str(int(text)), limits=limits, after=after, clock=clock, tick=tick)
    path = Path(text).expanduser()
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise CameraError(
            f'There is no camera, file or folder "{text}". Give an index such as 0, a path, or an http or rtsp address.'
        ) from error
    if stat.S_ISCHR(mode):
        check_device(text)
        return open_device(f"camera {text}", text, limits=limits, after=after, clock=clock, tick=tick)
    if stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and path.suffix.lower() in SUFFIXES):
        return FolderSource(path, pace_s=pace_s, realtime=realtime, after=after, clock=clock, tick=tick)
    if stat.S_ISREG(mode):
        return FilmSource(path, realtime=realtime, after=after, clock=clock, tick=tick)
    raise CameraError(f"{text} is neither a camera nor a file nor a folder.")


def open_device(
    label: str,
    camera: str,
    *,
    command: Callable[[str], list[str]] = child_command,
    limits: Limits | None = None,
    after: int = 0,
    clock: Callable[[], float] = time.time,
    tick: Callable[[], float] = time.monotonic,
) -> LiveSource:
    """A camera, or an RTSP address, in a child process.

    :param command: makes the child's command line.
    """
    bounds = limits or Limits()
    return LiveSource(
        label, lambda: DeviceTap(label, command(camera), bounds), limits=bounds, after=after, clock=clock, tick=tick
    )


def _shown(url: str) -> str:
    """An address without the password that may be in it."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"


def _check_rtsp(url: str) -> None:
    """See whether anything listens there, since FFmpeg does not say."""
    parts = urlsplit(url)
    try:
        host, port = parts.hostname, parts.port or RTSP_PORT
    except ValueError as error:
        raise CameraError(f"The address {_shown(url)} has a port that is no number.") from error
    if not host:
        raise CameraError(f"The address {_shown(url)} names no host.")
    try:
        socket.create_connection((host, port), CONNECT_S).close()
    except (OSError, UnicodeError) as error:
        raise CameraError(f"Nothing answers at {host}:{port}. Is the camera on, and is the port right?") from error
