"""What `make firmware` builds: files that fit into an Uno and that a programmer can read."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from simulation.firmware import pipelining, toolchain

FLASH = 32 * 1024 - 512
"""Bytes, less Optiboot."""
RAM = 2048
STACK = 512
"""Bytes of RAM that must be left for the stack."""


@pytest.mark.parametrize("kind", ["board", "tower"])
def test_the_firmware_fits_into_an_uno_with_room_for_the_stack(kind: str) -> None:
    elf = toolchain.elf(kind)
    sizes = subprocess.run(["avr-size", elf], capture_output=True, text=True, check=True).stdout
    text, data, bss = (int(word) for word in sizes.splitlines()[1].split()[:3])
    assert text + data < FLASH
    assert data + bss < RAM - STACK


@pytest.mark.parametrize("kind", ["board", "tower"])
def test_the_hex_file_is_whole(kind: str) -> None:
    elf = toolchain.elf(kind)
    toolchain.run("make", "-s", "-C", toolchain.FIRMWARE, f"OUT={elf.parent}", elf.with_suffix(".hex"))
    lines = elf.with_suffix(".hex").read_text().splitlines()
    assert lines[-1] == ":00000001FF"
    assert all(sum(bytes.fromhex(line[1:])) % 256 == 0 for line in lines)


@pytest.mark.parametrize(("setting", "value"), [("LEDS", 36), ("LEDS", 150), ("BAUD", 500000), ("LIMIT_MA", 2000)])
def test_other_strips_speeds_and_limits_compile(setting: str, value: int, tmp_path: Path) -> None:
    toolchain.elf("board")
    toolchain.run(
        "make", "-s", "-C", toolchain.FIRMWARE, f"OUT={tmp_path}", f"{setting}={value}", tmp_path / "board.elf"
    )
    sizes = subprocess.run(["avr-size", tmp_path / "board.elf"], capture_output=True, text=True, check=True).stdout
    assert sum(int(word) for word in sizes.splitlines()[1].split()[1:3]) < RAM - STACK


def test_other_settings_are_built_anew(tmp_path: Path) -> None:
    """Else the lights of the first build would be flashed for ever."""
    toolchain.elf("board")
    built = []
    for lights in (36, 36, 150):
        make = ["make", "-C", str(toolchain.FIRMWARE), f"OUT={tmp_path}", f"LEDS={lights}", str(tmp_path / "board.hex")]
        assert subprocess.run(make, capture_output=True, timeout=100).returncode == 0
        built.append((tmp_path / "board.hex").stat().st_mtime_ns)
    assert built[0] == built[1] != built[2]


def test_without_the_window_between_two_lights_bytes_would_be_lost(tmp_path: Path) -> None:
    """The other way round: with interrupts off for the whole strip the emulated receiver overruns, so N7 can fail."""
    toolchain.elf("board")
    room = tmp_path / "firmware_protocol"
    shutil.copytree(toolchain.ROOM, room, ignore=shutil.ignore_patterns("build", "__pycache__"))
    strip = room / "firmware" / "uno" / "ws2812.c"
    source = strip.read_text()
    assert source.count("    sei();\n") == 1
    strip.write_text(source.replace("    sei();\n", "").replace("_delay_us(LATCH_US)", "sei(); _delay_us(LATCH_US)"))
    toolchain.run("make", "-s", "-C", room / "firmware", f"OUT={tmp_path}", tmp_path / "board.elf")
    assert pipelining.overruns(tmp_path / "board.elf", pictures=10) > 100
