"""Which port may be opened: the one that was named or paired, and no other."""

from __future__ import annotations

import pytest

from companion.core.foundation.errors import PortError
from hardware import ports
from hardware.ports import Pairing, PortInfo, candidates, paired_port

UNO = PortInfo("/dev/ttyACM0", 0x2341, 0x43, "557363", "Arduino Uno")
OTHER_UNO = PortInfo("/dev/ttyACM1", 0x2341, 0x43, "998877", "Arduino Uno")
PRINTER = PortInfo("/dev/ttyUSB0", 0x1A86, 0x7523, None, "USB Serial")
BUILT_IN = PortInfo("/dev/ttyS0")
TOWER = Pairing("tower", 0x2341, 0x43, "557363")


def test_boards_come_first_adapters_after_them_and_others_not_at_all() -> None:
    found = candidates(lambda: [BUILT_IN, PRINTER, OTHER_UNO, UNO])
    assert found == [UNO, OTHER_UNO, PRINTER]


@pytest.mark.parametrize(
    ("port", "words"),
    [
        (UNO, "Arduino board"),
        (PRINTER, "CH340 adapter: could be anything"),
        (BUILT_IN, "not a USB port"),
        (PortInfo("COM9", 0x1234, 1, None, ""), "unknown USB device"),
        (PortInfo("COM9", 0x1234, 1, None, "Label printer"), "Label printer"),
    ],
)
def test_a_port_is_described_without_being_opened(port: PortInfo, words: str) -> None:
    assert port.looks_like == words


@pytest.mark.parametrize("name", ["/dev/ttyACM0", "/dev/ttyACM7", "COM12"])
def test_the_paired_device_is_found_under_any_name(name: str) -> None:
    moved = PortInfo(name, UNO.vid, UNO.pid, UNO.serial_number)
    assert paired_port(TOWER, lambda: [PRINTER, OTHER_UNO, moved]) == moved


def test_a_device_that_is_not_there_is_named() -> None:
    with pytest.raises(PortError, match="The dice tower is not plugged in"):
        paired_port(TOWER, lambda: [PRINTER, OTHER_UNO])


def test_two_adapters_without_serial_numbers_are_a_question() -> None:
    pairing = Pairing("board", 0x1A86, 0x7523, None)
    twin = PortInfo("/dev/ttyUSB1", 0x1A86, 0x7523)
    with pytest.raises(PortError, match="/dev/ttyUSB0 and /dev/ttyUSB1 both fit the LED board: name the port"):
        paired_port(pairing, lambda: [PRINTER, twin])


def test_the_ports_of_this_machine_are_listed_without_the_names_that_wait_for_a_carrier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Known:
        def __init__(self, device: str) -> None:
            self.device, self.vid, self.pid, self.serial_number, self.description = device, 0x2341, 0x43, "", "Uno"

        def __lt__(self, other: Known) -> bool:
            return self.device < other.device

    monkeypatch.setattr(ports.list_ports, "comports", lambda: [Known("/dev/tty.usbmodem1"), Known("/dev/cu.usbmodem1")])
    assert ports.known_ports() == [PortInfo("/dev/cu.usbmodem1", 0x2341, 0x43, None, "Uno")]
