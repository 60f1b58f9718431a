"""What works on this machine, and what to do about what does not."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app.commands.doctor import (
    Check,
    camera_checks,
    doctor_command,
    journal_check,
    look,
    marker_check,
    picture_checks,
    port_check,
    serial_checks,
    version_checks,
)
from companion.core.foundation.errors import CameraError
from companion.core.foundation.secrecy import SecretAddress
from tests.vision.gate.test_moments import Script
from tests.vision.scenes import film, table
from vision.registration.checkup import Sharpness, TableHealth
from vision.sources.source import Source

DATA = Path(__file__).parents[3] / "data" / "gate"
SHARP, SOFT = Sharpness("sharp", 2.5, 3.0), Sharpness("unfocused", 7.0, 8.0)
SHAKEN = Sharpness("shaken", 2.5, 9.0)
GOOD = TableHealth((1280, 720), 210.0, 0.001, 1.2, SHARP, (0, 1, 2, 3), False)


@pytest.fixture(autouse=True)
def _short_looks(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "seconds" not in request.node.name:
        monkeypatch.setattr("companion.app.commands.doctor.LOOK_S", 0.2)


def test_the_versions_of_this_installation_fit() -> None:
    assert all(check.ok for check in version_checks())


def test_a_recording_is_looked_at_and_everything_found_in_order(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        doctor_command,
        [
            "--camera",
            str(DATA / "tiles-before.jpg"),
            "--json",
            "--port",
            str(free_port()),
            "--journal",
            str(tmp_path / "j"),
        ],
    )
    found = {line["name"]: line for line in map(json.loads, result.stdout.splitlines())}
    assert result.exit_code == 0, result.output
    assert found["markers"] == {
        "name": "markers",
        "ok": True,
        "needed": True,
        "seen": "Markers 0, 1, 2, 3 are in view.",
        "advice": "",
    }
    assert found["camera"]["seen"] == "tiles-before.jpg: 640x360." and not found["camera"]["ok"]
    assert {"python", "opencv", "light", "sharpness", "page", "journal"} <= found.keys()


def test_a_camera_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    result = CliRunner().invoke(doctor_command, ["--camera", str(tmp_path / "none"), "--journal", str(tmp_path / "j")])
    assert result.exit_code == 1
    assert "FAULT  camera       There is no camera, file or folder" in result.stdout


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def test_without_a_name_the_cameras_0_to_3_are_tried() -> None:
    tried: list[str] = []

    def opener(name: SecretAddress) -> Source:
        tried.append(str(name))
        if str(name) != "2":
            raise CameraError(f"There is no camera {name} (/dev/video{name} does not exist). There are: 2.")
        return Script(film([table()] * 5), live=True, is_stills=False)

    found = list(camera_checks(None, opener))
    assert tried == ["0", "1", "2", "3"]
    assert found[0].name == "camera" and "camera 9: 640x360 at 30 pictures a second." in found[0].seen


def test_a_camera_that_may_not_be_used_says_what_to_do() -> None:
    def opener(name: SecretAddress) -> Source:
        if str(name) == "0":
            raise CameraError("The camera /dev/video0 is there, but this account may not use it. Run usermod.")
        raise CameraError(f"There is no camera {name} (/dev/video{name} does not exist). There are: 0.")

    (found,) = camera_checks(None, opener)
    assert not found.ok and found.needed and found.advice.endswith("may not use it. Run usermod.")


def test_a_camera_that_opens_and_gives_nothing_is_a_fault() -> None:
    (found,) = camera_checks(SecretAddress("0"), lambda name: Script([]))
    assert not found.ok and "gives no picture" in found.seen


def test_a_slow_camera_is_noted() -> None:
    source = Script(film([table()] * 4, rate_hz=2), live=True, is_stills=False)
    found = list(camera_checks(SecretAddress("0"), lambda name: source))
    assert [check.seen for check in found if check.name == "camera"][1] == "The pictures come slowly."


def test_looking_takes_two_seconds_of_a_camera_and_one_picture_of_a_recording() -> None:
    now = iter(range(100))
    assert len(look(Script(film([table()] * 9), live=True), tick=lambda: next(now) / 2)) == 3
    assert len(look(Script(film([table()] * 9)))) == 1


@pytest.mark.parametrize(
    ("health", "name", "sentence"),
    [
        (
            TableHealth((1280, 720), 40.0, 0, 1.2, SHARP, (0, 1, 2, 3), False),
            "light",
            "Too dark: white paper has gray level 40",
        ),
        (TableHealth((1280, 720), 40.0, 0, 1.2, SHARP, (), False), "light", "Too dark: the brightest part"),
        (
            TableHealth((1280, 720), 250.0, 0.2, 1.2, SHARP, (0, 1, 2, 3), False),
            "light",
            "20% of the picture is brighter",
        ),
        (TableHealth((1280, 720), 200.0, 0, 4.0, SHARP, (0, 1, 2, 3), False), "evenness", "4.0 times as bright"),
        (
            TableHealth((1280, 720), 200.0, 0, 1.2, SOFT, (0, 1, 2, 3), False),
            "sharpness",
            "The picture is out of focus: its sharpest edges are 7 pixels wide.",
        ),
        (
            TableHealth((1280, 720), 200.0, 0, 1.2, SHAKEN, (0, 1, 2, 3), False),
            "sharpness",
            "The picture is shaken: edges are 9 pixels",
        ),
    ],
)
def test_light_and_sharpness(health: TableHealth, name: str, sentence: str) -> None:
    (fault,) = [check for check in picture_checks(health) if not check.ok and check.name != "markers"]
    assert fault.name == name and sentence in fault.seen and fault.advice


def test_a_good_picture_has_no_fault() -> None:
    assert all(check.ok for check in picture_checks(GOOD))


@pytest.mark.parametrize(
    ("markers", "mirrored", "needed", "sentence"),
    [
        ((), False, True, "No marker is in view."),
        ((2,), False, True, "Only marker 2 is in view."),
        ((), True, True, "The picture is mirrored."),
        ((0, 2), False, False, "Only markers 0, 2 are in view. Put 1, 3 into view"),
    ],
)
def test_markers(markers: tuple[int, ...], mirrored: bool, needed: bool, sentence: str) -> None:
    check = marker_check(TableHealth((1280, 720), 200.0, 0, 1.2, SHARP, markers, mirrored))
    assert not check.ok and check.needed == needed and sentence in f"{check.seen} {check.advice}"


def test_what_hides_markers_is_to_be_mended_before_they_are_looked_for() -> None:
    *others, last = picture_checks(TableHealth((1280, 720), 200.0, 0, 1.0, SHAKEN, (), False))
    (sharp,) = [check for check in others if check.name == "sharpness"]
    assert not sharp.ok and sharp.needed
    assert (last.seen, last.advice) == ("No marker is in view.", "Fix light and sharpness first.")


def test_a_blur_in_which_all_markers_are_seen_is_a_note() -> None:
    (fault,) = [
        check
        for check in picture_checks(TableHealth((1280, 720), 200.0, 0, 1.0, SOFT, (0, 1, 2, 3), False))
        if not check.ok
    ]
    assert fault.name == "sharpness" and not fault.needed


def test_a_port_in_use_is_a_fault_with_another_one_to_take() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        check = port_check(port)
    assert not check.ok and f"Port {port} cannot be used" in check.seen and str(port + 1) in check.advice
    assert port_check(free_port()).ok


def test_a_journal_needs_a_folder_that_can_be_written(tmp_path: Path) -> None:
    assert journal_check(tmp_path / "journal.sqlite").ok
    lost = journal_check(tmp_path / "none" / "journal.sqlite")
    assert not lost.ok and "--journal" in lost.advice


def test_serial_ports_are_listed_and_none_is_needed() -> None:
    (check,) = serial_checks([(False, "/dev/ttyUSB0: CH340 adapter.", "Run usermod.")])
    assert check == Check("serial", False, "/dev/ttyUSB0: CH340 adapter.", "Run usermod.", needed=False)
    assert check.line() == "note   serial       /dev/ttyUSB0: CH340 adapter. Run usermod."


@pytest.mark.parametrize(("above_deg", "good"), [(86.0, False), (55.0, True)])
def test_a_camera_straight_above_gets_advice(above_deg: float, good: bool) -> None:
    health = TableHealth((1280, 720), 210.0, 0.001, 1.2, SHARP, (0, 1, 2, 3), False, above_deg)
    (view,) = [check for check in picture_checks(health) if check.name == "view"]
    assert view.ok == good and not view.needed and f"{above_deg:.0f} degrees" in view.seen
    assert ("20 to 30 degrees lower" in view.advice) != good
