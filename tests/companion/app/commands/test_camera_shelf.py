"""Cameras that are looked at and chosen while a server runs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.app.commands.camera_registry import WIDTH_PX, CameraRegistry, device_names
from companion.app.commands.runtime import Runtime
from companion.core.foundation.errors import CameraError
from companion.core.foundation.secrecy import SecretAddress
from companion.core.protocols.calibration import NoCalibrator
from companion.games import PLANS
from tests.vision.staged_table import THREE, Stage, staged
from tests.web.doubles import PaintedEyes
from vision.sources.device import short_name, steady_name

WATCHED = "rtsp://ada:hush@camera.local/live?token=quiet"


class Apart(PaintedEyes):
    """Eyes of a process that was started for a camera."""

    mode = None
    calibrator = NoCalibrator()

    def __init__(self, camera: SecretAddress, *_: object, **__: object) -> None:
        super().__init__()
        self._camera = camera

    def await_opening(self) -> None:
        if self._camera.reveal() not in ("0", WATCHED):
            raise CameraError(f"The camera {self._camera} does not open.")

    def start(self) -> None:
        """Nothing more."""


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    with Runtime(tmp_path / "journal.sqlite", PLANS["spectra"](2), read_apart=Apart) as runtime:  # type: ignore[arg-type]
        yield runtime


class Cameras:
    """Two cameras, of which the second does not open; remembers every source that it opened."""

    def __init__(self) -> None:
        self.opened: list[Stage] = []

    def open(self, name: SecretAddress) -> Stage:
        if str(name) != "0":
            raise CameraError(f"The camera {name} does not open.")
        self.opened.append(Stage(staged(*THREE)))
        return self.opened[-1]


def test_a_camera_is_looked_at_then_watches_the_table_then_rests(runtime: Runtime) -> None:
    cameras = Cameras()
    shelf = CameraRegistry(runtime, names=lambda: ("0", "1"), opener=cameras.open)
    first, second = shelf.look()
    assert first.jpeg is not None and not first.watched
    picture = cv2.imdecode(np.frombuffer(first.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None and picture.shape[1] == WIDTH_PX
    assert second.jpeg is None and second.text == "The camera 1 does not open."
    with pytest.raises(CameraError, match="does not open"):
        shelf.use("1")
    shelf.use("0")
    assert cameras.opened[0].ended, "what was looked at is let go before the process that reads opens it"
    assert runtime.sessions.eyes.status().state != "off" and shelf.look()[0].watched
    shelf.use("")
    assert runtime.sessions.eyes.status().state == "off"
    with pytest.raises(CameraError, match='no camera "7"'):
        shelf.use("7")


def test_a_camera_that_nobody_looks_at_is_let_go(runtime: Runtime) -> None:
    cameras = Cameras()
    shelf = CameraRegistry(runtime, names=lambda: ("0",), opener=cameras.open, let_go_s=0.05)
    shelf.look()
    until = time.monotonic() + 10
    while not cameras.opened[0].ended:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_cameras_are_found_by_their_devices(tmp_path: Path) -> None:
    for name in ("video10", "video2", "video", "videoX", "audio0"):
        (tmp_path / name).touch()
    assert device_names(tmp_path) == ("2", "10")


def test_the_address_of_a_camera_is_offered_and_chosen_without_its_secrets(runtime: Runtime) -> None:
    shelf = CameraRegistry(runtime, SecretAddress(WATCHED), names=lambda: ("0",), opener=Cameras().open)
    runtime.watch_apart(SecretAddress(WATCHED))
    names = [offered.name for offered in shelf.look()]
    assert names == ["rtsp://***@camera.local/***", "0"] and shelf.look()[0].watched
    shelf.use("0")
    assert [(offered.name, offered.watched) for offered in shelf.look()] == [(names[0], False), ("0", True)]
    shelf.use(names[0])
    assert shelf.look()[0].watched
    for guess in (WATCHED, "rtsp://eve@elsewhere/", "/etc/passwd"):
        with pytest.raises(CameraError, match="There is no camera"):
            shelf.use(guess)
    shelf.close()


def test_a_camera_with_a_name_of_its_own_is_offered_by_it_and_once(tmp_path: Path, runtime: Runtime) -> None:
    ids = tmp_path / "v4l" / "by-id"
    ids.mkdir(parents=True)
    for number in range(5):
        (tmp_path / f"video{number}").touch()
    logitech = ids / "usb-046d_HD_Pro_Webcam_C920_8B2C1A3F-video-index0"
    logitech.symlink_to("../../video2")
    (ids / "usb-046d_HD_Pro_Webcam_C920_8B2C1A3F-video-index1").symlink_to("../../video3")
    (ids / "usb-Sonix_0001-video-index0").symlink_to("../../video0")
    names = device_names(tmp_path)
    assert names == (str(logitech), str(ids / "usb-Sonix_0001-video-index0"), "1", "4"), "video3 gives no pictures"
    assert steady_name("2", tmp_path) == steady_name(str(logitech), tmp_path) == str(logitech)
    assert steady_name("1", tmp_path) == "1" and short_name(str(logitech)) == "046d HD Pro Webcam C920 8B2C1A3F"
    logitech.unlink()
    logitech.symlink_to("../../video4")
    assert steady_name("4", tmp_path) == str(logitech), "after a restart it has another number, and the same name"
