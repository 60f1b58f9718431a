"""`companion doctor`: reports what works on this machine, and how to fix the rest.

Every line is one check, because a failure can have a dozen causes that look alike on the page. No serial port is
opened: that could reset the device behind it.
"""

from __future__ import annotations

import json
import platform
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from companion.app.commands.address import PORT
from companion.app.commands.camera_registry import INDICES
from companion.app.commands.options import ADDRESS, PATH
from companion.app.commands.runtime import journal_path
from companion.core.foundation.errors import CameraError, JournalError
from companion.core.foundation.secrecy import SecretAddress

if TYPE_CHECKING:
    from vision.registration.checkup import TableHealth
    from vision.sources.source import Shot, Source

LOOK_S = 2.0
"""The number of seconds for which a camera is examined."""
LOOK_SHOTS = 40
"""The largest number of pictures that are examined."""
RATE_LEAST_HZ = 4.0
"""The lowest acceptable frame rate; a slower camera misses what happens between two pictures."""
WIDTH_LEAST_PX = 1000
"""The smallest acceptable width of a picture; a narrower one shows tiles and digits too small."""
UNEVEN_MOST = 3.0
"""The largest acceptable ratio of brightness between two markers."""
STEEP_DEG = 70.0
"""The angle above the table from which on stacks of pyramids of one color hide their levels."""
MARKERS = 4
"""The number of markers on a mat."""
FREE_LEAST_MB = 100
"""The number of megabytes that journals need."""
OPENCV = ((4, 10), (6, 0))
"""The lowest supported version, and the first unsupported one."""


class Check(Struct, frozen=True):
    """The result of one check."""

    name: str
    ok: bool
    seen: str
    """The finding in a sentence."""
    advice: str = ""
    """The action that helps."""
    needed: bool = True
    """True if the referee cannot work without it."""

    def line(self) -> str:
        """Returns the result as a line of text."""
        mark = "ok   " if self.ok else "FAULT" if self.needed else "note "
        return f"{mark}  {self.name:<12} {self.seen} {self.advice}".rstrip()


@click.command("doctor", short_help="Check camera, light, markers, ports and permissions.")
@click.option(
    "--camera",
    type=ADDRESS,
    metavar="SOURCE",
    help="Check this camera, film, folder or stream instead of cameras 0 to 3.",
)
@click.option(
    "--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, metavar="P", help="Port of the page."
)
@click.option("--journal", type=PATH, metavar="FILE", help="File of the journal.")
@click.option(
    "--pair",
    "pairs",
    multiple=True,
    metavar="WHAT=PORT",
    help="Remember the device on PORT as the table's tower or leds, as in tower=/dev/ttyACM0. Nothing is opened.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each line.")
def doctor_command(
    camera: SecretAddress | None, port: int, journal: Path | None, pairs: tuple[str, ...], as_json: bool
) -> None:
    """Check what works, and explain how to fix the rest.

    Exit status 0: everything needed works; 1: a check failed.
    """
    from companion.app.commands.pairing import pair

    for text in pairs:
        pair(text)
    fault = False
    for check in checks(camera, port, journal):
        fault |= check.needed and not check.ok
        fields: dict[str, Any] = {field: getattr(check, field) for field in ("name", "ok", "needed", "seen", "advice")}
        click.echo(json.dumps(fields) if as_json else check.line())
    if fault:
        sys.exit(1)


def checks(camera: SecretAddress | None, port: int, journal: Path | None) -> Iterator[Check]:
    """Yields all checks, in the order in which a person would fix problems."""
    yield from version_checks()
    yield from game_checks()
    yield from camera_checks(camera)
    yield port_check(port)
    yield journal_check(journal)
    yield from serial_checks()


def version_checks() -> Iterator[Check]:
    """Checks Python and OpenCV."""
    import cv2

    yield Check("python", sys.version_info >= (3, 11), f"Python {platform.python_version()} on {platform.system()}.")
    number = cv2.__version__
    major, minor = (int(part) for part in number.split(".")[:2])
    low, high = OPENCV
    fits = low <= (major, minor) < high and hasattr(cv2, "aruco")
    advice = "" if fits else "Install opencv-python-headless 4.10 or later."
    yield Check("opencv", fits, f"OpenCV {number}.", advice)
    both = [name for name in ("opencv-python", "opencv-python-headless", "opencv-contrib-python") if _installed(name)]
    if len(both) > 1:
        yield Check("opencv", False, f"{' and '.join(both)} overwrite each other.", "Uninstall all, then install one.")


def game_checks() -> Iterator[Check]:
    """Checks the games of other packages."""
    from companion.games import GAMES, LEFT_OUT
    from web.boards import PRESENTERS
    from web.telling import ADVISERS

    yield Check("games", True, f"{len(GAMES)} games.")
    for sentence in (*LEFT_OUT, *PRESENTERS.left_out, *ADVISERS.left_out):
        yield Check("games", False, sentence, needed=False)


def _installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def camera_checks(
    named: SecretAddress | None, opener: Callable[[SecretAddress], Source] | None = None
) -> Iterator[Check]:
    """Checks the named camera, or those that are found, and the picture of the first one that works.

    Args:
        opener: Opens a source; None: `vision.sources.open_source` with short limits.
    """
    open_source = opener or _open
    from vision.sources.device import steady_name

    shown: list[Shot] = []
    refused: list[str] = []
    for name in map(SecretAddress, INDICES) if named is None else (named,):
        own = steady_name(name.reveal()) if name.reveal().isdecimal() else name.reveal()
        try:
            source = open_source(name)
        except CameraError as error:
            refused.append(str(error))
            continue
        try:
            shots = look(source)
        except CameraError as error:
            refused.append(str(error))
            continue
        finally:
            source.close()
        if shots:
            yield from source_checks(source, shots)
            if own != name.reveal():
                advice = "By that name a restart takes no other camera for it."
                yield Check("camera", True, f'Camera {name} is "{own}".', advice, needed=False)
            shown = shown or shots
        else:
            refused.append(f"The {source.label} opens but gives no picture.")
    if not shown:
        seen = refused[0] if named is not None else "None of the cameras 0 to 3 gives a picture."
        others = sorted({sentence for sentence in refused if "does not exist" not in sentence} - {seen})
        advice = " ".join(others) or "Plug one in, or name a source with --camera; the demo needs none."
        yield Check("camera", False, seen, advice if named is None else "")
        return
    from vision.registration.checkup import checked

    yield from picture_checks(checked(shown[-1].picture))


def _open(name: SecretAddress) -> Source:
    """Opens a source with a shorter timeout than in a game."""
    from vision.sources import Limits, open_source

    return open_source(name, realtime=False, limits=Limits(opening_s=5.0))


def look(source: Source, tick: Callable[[], float] = time.monotonic) -> list[Shot]:
    """Returns the pictures of about two seconds, or the first picture of a recording."""
    until_s = tick() + LOOK_S
    shots: list[Shot] = []
    while tick() < until_s and len(shots) < LOOK_SHOTS and not source.ended:
        shot = source.next(0.2)
        if shot is not None:
            shots.append(shot)
            if not source.live:
                break
    return shots


def source_checks(source: Source, shots: list[Shot]) -> Iterator[Check]:
    """Checks the size and the rate of a source's pictures."""
    height, width = shots[-1].picture.shape[:2]
    rate_hz = (len(shots) - 1) / max(shots[-1].t_s - shots[0].t_s, 1e-3) if source.live and len(shots) > 1 else None
    pace = "" if rate_hz is None else f" at {rate_hz:.0f} pictures a second"
    wide = max(width, height) >= WIDTH_LEAST_PX
    yield Check(
        "camera",
        wide,
        f"{source.label}: {width}x{height}{pace}.",
        "" if wide else "It gives no larger pictures often enough; small pieces are hard to read at this size.",
        needed=False,
    )
    if rate_hz is not None and rate_hz < RATE_LEAST_HZ:
        advice = "More light lets the camera expose shorter; a USB port of its own helps too."
        yield Check("camera", False, "The pictures come slowly.", advice, needed=False)


def picture_checks(health: TableHealth) -> Iterator[Check]:
    """Checks the light, the sharpness and the markers of one picture."""
    from vision.registration.checkup import blur_fault, light_fault

    light, blur = light_fault(health), blur_fault(health)
    if light is None:
        yield Check("light", True, f"White has gray level {health.white:.0f} of 255.")
    else:
        yield Check("light", False, light.seen, light.advice)
    if health.markers:
        even = health.uneven <= UNEVEN_MOST
        yield Check(
            "evenness",
            even,
            f"The brightest marker is {health.uneven:.1f} times as bright as the darkest.",
            "" if even else "Use two lamps, or one further away.",
            needed=False,
        )
    if blur is None:
        yield Check("sharpness", True, f"Edges are {health.sharpness.narrow_px:.1f} pixels wide.")
    else:
        yield Check("sharpness", False, blur.seen, blur.advice, needed=len(health.markers) < MARKERS)
    if health.above_deg is not None:
        steep = health.above_deg > STEEP_DEG
        yield Check(
            "view",
            not steep,
            f"The camera sees the table from about {health.above_deg:.0f} degrees above it.",
            "For pyramids, put it 20 to 30 degrees lower: from above, stacks of one color hide their levels."
            if steep
            else "",
            needed=False,
        )
    yield marker_check(health, any(fault is not None and fault.blinding for fault in (light, blur)))


def marker_check(health: TableHealth, blind: bool = False) -> Check:
    """Checks which of the four markers are in view.

    Args:
        blind: True if a fault of light or sharpness already hides markers.
    """
    ids = ", ".join(str(i) for i in health.markers)
    if health.mirrored:
        return Check("markers", False, "The picture is mirrored.", "Switch mirroring off in the camera's settings.")
    if len(health.markers) >= MARKERS:
        return Check("markers", True, f"Markers {ids} are in view.")
    missing = ", ".join(str(i) for i in range(MARKERS) if i not in health.markers)
    first = "Fix light and sharpness first."
    if len(health.markers) >= 2:
        advice = first if blind else f"Put {missing} into view, flat and uncovered: four measure better."
        return Check("markers", False, f"Only markers {ids} are in view.", advice, needed=False)
    seen = f"Only marker {ids} is in view." if ids else "No marker is in view."
    advice = (
        "Uncover them and bring them into view, print them with `companion mat GAME`, or set the corners on the page."
    )
    return Check("markers", False, seen, first if blind else advice)


def port_check(port: int) -> Check:
    """Checks that the page's port is free."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as error:
            advice = f"Choose another: companion serve --port {port + 1 if port < 65535 else port - 1}."
            return Check("page", False, f"Port {port} cannot be used ({error.strerror}).", advice)
    return Check("page", True, f"Port {port} is free.")


def journal_check(journal: Path | None) -> Check:
    """Checks that the journal can be written at its path."""
    advice = "Name a file in another folder with --journal."
    try:
        folder = (journal_path() if journal is None else journal).resolve().parent
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(b"companion")
            trial.flush()
        free_mb = shutil.disk_usage(folder).free // 1_000_000
    except JournalError as error:
        return Check("journal", False, str(error))
    except OSError as error:
        return Check("journal", False, f"The journal's folder cannot be written ({error.strerror}).", advice)
    if free_mb < FREE_LEAST_MB:
        return Check("journal", False, f"{folder} has only {free_mb} MB left.", advice)
    return Check("journal", True, f"{folder} can be written.")


def serial_checks(findings: Iterable[tuple[bool, str, str]] | None = None) -> Iterator[Check]:
    """Checks the serial ports for a dice tower or an LED board; none is needed, and none is opened.

    Args:
        findings: For each port: true if all is well, the finding, the advice; None: ask `hardware.ports`.
    """
    if findings is None:
        from companion.app.commands.pairing import paired
        from hardware.doctor import examine

        findings = [(found.ok, found.seen, found.advice) for found in examine(paired())]
    for ok, seen, advice in findings:
        yield Check("serial", ok, seen, advice, needed=False)
