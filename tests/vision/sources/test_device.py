"""Cameras in child processes: found, lost, hanging, frozen, and come back."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.core.foundation.errors import CameraError
from tests.vision.sources.census import open_files, trouble_of
from tests.vision.sources.fake_camera import COMMAND
from vision.sources.device import DeviceTap, check_device
from vision.sources.live import Limits, LiveSource, mode_of
from vision.sources.opening import open_device
from vision.sources.source import Shot

QUICK = Limits(opening_s=10, silent_s=0.4, frozen_s=0.3, reopen_frozen_s=0.3, backoff_s=(0.02, 0.05))


def camera(behavior: str, limits: Limits = QUICK) -> LiveSource:
    return open_device(f"camera {behavior.partition(':')[0]}", behavior, command=COMMAND, limits=limits)


def await_shot(source: LiveSource, seconds: float = 10) -> Shot:
    """The next picture, which must come."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        shot = source.next(0.2)
        if shot is not None:
            return shot
    raise AssertionError(f"no picture: {source.trouble()}")


def await_that(condition: Callable[[], bool], seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_pictures_come_numbered_and_in_time() -> None:
    source = camera("good")
    first, second = await_shot(source), await_shot(source)
    source.close()
    assert first.number == 1 and second.number > 1
    assert first.picture.shape == (72, 128, 3)
    assert first.t_s <= second.t_s and abs(second.at_s - time.time()) < 60
    assert source.live and not source.stills and source.ended and source.next(1) is None


def test_a_gray_camera_gives_three_channels() -> None:
    source = camera("gray")
    assert await_shot(source).picture.shape == (72, 128, 3)
    source.close()


def test_a_camera_says_in_which_mode_it_was_opened() -> None:
    source = camera("slow")
    assert source.mode is not None and source.mode.enough
    shown = mode_of(source)
    assert shown is not None and shown.enough
    assert shown.text.startswith("The camera slow gives 1280 x 720 pixels, ")
    assert await_shot(source).picture.shape == (720, 1280, 3)
    source.close()
    plain = camera("good")
    assert mode_of(plain) is None
    plain.close()


@pytest.mark.parametrize(("behavior", "sentence"), [("absent", "cannot be opened"), ("broken", "cannot be decoded")])
def test_a_camera_that_never_works_is_refused_in_one_sentence(behavior: str, sentence: str) -> None:
    with pytest.raises(CameraError, match=sentence):
        camera(behavior)


def test_a_camera_that_does_not_open_in_time_is_refused() -> None:
    with pytest.raises(CameraError, match="does not open: nothing came"):
        DeviceTap("camera 0", "0", Limits(opening_s=0.3), [sys.executable, "-c", "import time; time.sleep(60)"])


def test_a_hanging_camera_is_killed_and_opened_anew() -> None:
    source = camera("hangs")
    began = time.monotonic()
    trouble = trouble_of(source)
    assert "hangs" in trouble and time.monotonic() - began < QUICK.silent_s + 3
    assert await_shot(source).number > 1, "a new child gives pictures again"
    source.close()


def test_a_camera_that_stops_is_opened_anew() -> None:
    source = camera("stops")
    assert "stopped giving pictures" in trouble_of(source)
    await_shot(source)
    source.close()


def test_a_camera_that_is_let_go_of_while_it_is_asked_is_gone() -> None:
    tap = DeviceTap("camera gone", "good", QUICK, COMMAND)

    class Asked:
        """A channel that another thread closes once the camera is asked."""

        def __init__(self, channel: socket.socket) -> None:
            self._channel = channel

        def sendall(self, data: bytes) -> None:
            self._channel.sendall(data)
            self._channel.close()

        def __getattr__(self, name: str) -> Any:
            return getattr(self._channel, name)

    tap._channel = Asked(tap._channel)  # type: ignore[assignment]
    with pytest.raises(CameraError, match="is gone"):
        tap.read()
    tap.close()


def test_a_frozen_picture_is_noticed_though_pictures_keep_coming() -> None:
    source = camera("freezes")
    assert "one and the same picture" in trouble_of(source)
    await_shot(source)
    assert source.trouble() is None
    source.close()


def test_unplugged_and_plugged_in_again_five_times(tmp_path: Path) -> None:
    plug = tmp_path / "plug"
    plug.touch()
    source = camera(f"plugged:{plug}")
    await_shot(source)
    threads, files = threading.active_count(), open_files()
    for _ in range(5):
        plug.unlink()
        trouble_of(source)
        plug.touch()
        await_shot(source)
    assert threading.active_count() == threads
    await_that(lambda: open_files() <= files)
    source.close()
    assert threading.active_count() == threads - 1


def test_closing_ends_the_child() -> None:
    tap = DeviceTap("camera 0", "hangs", QUICK, COMMAND)
    process = tap._process
    tap.close()
    tap.close()
    assert process.poll() is not None


def test_a_child_leaves_when_its_parent_is_gone() -> None:
    script = (
        "import sys, subprocess, socket; a, b = socket.socketpair();"
        f"p = subprocess.Popen({COMMAND!r}, stdin=b.fileno()); a.sendall(b'\\0\\0\\0\\4good');"
        "print(p.pid, flush=True); a.recv(1)"
    )
    parent = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, timeout=30)
    pid = int(parent.stdout)
    await_that(lambda: not Path(f"/proc/{pid}").exists() or "zombie" in Path(f"/proc/{pid}/status").read_text())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="device files are Linux's")
def test_a_camera_that_is_not_plugged_in_is_named_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match=r"There is no camera 3 .* None is plugged in"):
        check_device("3", tmp_path)
    (tmp_path / "video0").touch()
    with pytest.raises(CameraError, match=r"There are: 0\."):
        check_device("3", tmp_path)
    check_device("0", tmp_path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked at as Linux shows them")
def test_no_process_list_shows_which_camera_a_child_holds(tmp_path: Path) -> None:
    (tmp_path / "ada:hush@camera").touch()
    tap = DeviceTap("stream", f"good:{tmp_path}/ada:hush@camera", QUICK, COMMAND)
    process = Path(f"/proc/{tap._process.pid}")
    shown = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
    tap.close()
    assert b"hush" not in shown and str(Path(COMMAND[1])).encode() in shown
