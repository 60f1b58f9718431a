"""What the doctor says about ports, permissions and services."""

from __future__ import annotations

from pathlib import Path

from hardware.doctor import Finding, examine, running
from hardware.ports import Pairing, PortInfo

UNO = PortInfo("/dev/ttyACM0", 0x2341, 0x43, "557363")
ADAPTER = PortInfo("/dev/ttyUSB0", 0x1A86, 0x7523)
TOWER = Pairing("tower", 0x2341, 0x43, "557363")


def look(
    ports: list[PortInfo], pairing: list[Pairing], allowed: bool = True, names: tuple[str, ...] = ()
) -> list[Finding]:
    return examine(pairing, lister=lambda: ports, allowed=lambda device: allowed, names=lambda: frozenset(names))


def test_a_paired_device_that_may_be_used_is_fine() -> None:
    assert look([UNO], [TOWER]) == [Finding(True, "/dev/ttyACM0: the dice tower.")]


def test_a_missing_permission_says_which_group() -> None:
    [finding] = look([UNO], [], allowed=False)
    assert (finding.ok, finding.seen) == (False, "/dev/ttyACM0: Arduino board.")
    assert "usermod -aG dialout" in finding.advice


def test_no_port_at_all_suggests_the_cable() -> None:
    [finding] = look([], [])
    assert not finding.ok
    assert "carries data" in finding.advice


def test_a_paired_device_that_is_missing_is_named() -> None:
    findings = look([ADAPTER], [TOWER])
    assert Finding(False, "The dice tower is not plugged in.", "Connect it, or pair another.") in findings


def test_brltty_matters_only_where_it_would_take_an_adapter() -> None:
    with_adapter = look([ADAPTER], [], names=("brltty",))[-1]
    assert not with_adapter.ok
    assert "systemctl mask brltty-udev" in with_adapter.advice
    without = look([UNO], [], names=("brltty",))[-1]
    assert (without.ok, without.advice) == (True, "")


def test_modem_manager_is_explained() -> None:
    finding = look([UNO], [], names=("ModemManager",))[-1]
    assert finding.ok
    assert "survives" in finding.advice


def test_running_programs_are_read_from_proc(tmp_path: Path) -> None:
    for number, name in ((1, "systemd"), (77, "brltty")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "comm").write_text(f"{name}\n")
    (tmp_path / "88").mkdir()
    assert running(tmp_path) == {"systemd", "brltty"}
    assert running(tmp_path / "nowhere") == frozenset()
