"""A device is paired by what USB says about its port; nothing is opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from serial.tools.list_ports_common import ListPortInfo

from companion.app.commands import pairing
from companion.app.commands.doctor import doctor_command
from companion.app.commands.pairing import pair, paired
from companion.core.foundation.errors import WrongUsage
from hardware.ports import Pairing, Pairings, PortInfo

UNO = PortInfo("/dev/ttyACM0", 0x2341, 0x43, "557363")
PICO = PortInfo("/dev/ttyACM1", 0x2E8A, 0x5, "E66")
BUILT_IN = PortInfo("/dev/ttyS0")


def ports() -> list[PortInfo]:
    return [BUILT_IN, UNO, PICO]


def test_tower_and_lights_are_remembered_by_their_usb_numbers(tmp_path: Path) -> None:
    kept = Pairings(tmp_path / "devices.json")
    assert paired(kept) == []
    pair("tower=/dev/ttyACM0", kept, ports)
    pair("leds=/dev/ttyACM1", kept, ports)
    assert paired(kept) == [Pairing("tower", 0x2341, 0x43, "557363"), Pairing("board", 0x2E8A, 0x5, "E66")]


def test_a_port_may_be_named_by_its_id(tmp_path: Path) -> None:
    """As Linux has it in /dev/serial/by-id."""
    by_id = tmp_path / "usb-Arduino_557363-if00"
    by_id.symlink_to(UNO.device)
    assert pair(f"tower={by_id}", Pairings(tmp_path / "devices.json"), ports).serial_number == "557363"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tower", "Write tower=PORT or leds=PORT"),
        ("printer=/dev/ttyACM0", "Write tower=PORT or leds=PORT"),
        ("tower=", "Write tower=PORT"),
        ("tower=/dev/ttyACM7", "There are: /dev/ttyS0, /dev/ttyACM0, /dev/ttyACM1"),
        ("leds=/dev/ttyS0", "Name it each time: --leds /dev/ttyS0"),
    ],
)
def test_what_cannot_be_paired_says_what_to_write(tmp_path: Path, text: str, why: str) -> None:
    kept = Pairings(tmp_path / "devices.json")
    with pytest.raises(WrongUsage, match=why):
        pair(text, kept, ports)
    assert paired(kept) == []


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with an Uno on its first port and no pairings yet."""
    uno = ListPortInfo("/dev/ttyACM0")
    uno.vid, uno.pid, uno.serial_number, uno.description = 0x2341, 0x43, "557363", "Arduino Uno"
    monkeypatch.setattr("hardware.ports.list_ports.comports", lambda: [uno])
    monkeypatch.setattr(pairing, "user_data_path", lambda *_, **__: tmp_path)
    return tmp_path


def told(*words: str) -> Result:
    return CliRunner().invoke(doctor_command, ["--camera", "no-such-camera", *words])


def test_the_doctor_pairs_and_then_knows_the_device(home: Path) -> None:
    assert "/dev/ttyACM0: Arduino board." in told().output
    assert "/dev/ttyACM0: the dice tower." in told("--pair", "tower=/dev/ttyACM0").output
    assert "/dev/ttyACM0: the dice tower." in told().output


def test_the_doctor_names_a_paired_device_that_is_not_there(home: Path) -> None:
    Pairings(home / "devices.json").keep(Pairing("board", 0x2E8A, 0x5, "E66"))
    assert "The LED board is not plugged in." in told().output


def test_the_doctor_tells_of_a_list_of_devices_that_cannot_be_read(home: Path) -> None:
    (home / "devices.json").write_text("[")
    output = told().output
    assert "devices.json.aside-1 now" in output
    assert "/dev/ttyACM0: Arduino board." in output


def test_the_doctor_refuses_a_port_that_is_not_there(home: Path) -> None:
    result = told("--pair", "tower=/dev/no-such-port")
    assert isinstance(result.exception, WrongUsage)
    assert not (home / "devices.json").exists()
