"""Builds the programs that the C tests need, once per process, in a separate folder.

Without a compiler or simavr the tests skip and name the missing package; with CI=true they fail instead.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from firmware_protocol.table import ROOM

HERE = Path(__file__).parents[2] / "tests" / "firmware_protocol"
FIRMWARE = ROOM / "firmware"
CORE = ROOM / "core"
SIMAVR_HEADERS = Path("/usr/include/simavr")


def missing(what: str) -> None:
    """Skips the test; fails it if CI=true demands every test."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, and CI=true asks for every test.")
    pytest.skip(f"{what} is not installed.")


def need(program: str, package: str) -> None:
    """Skips or fails the test if a program is missing."""
    if shutil.which(program) is None:
        missing(f"{program} (Debian: apt install {package})")


@functools.cache
def build_folder() -> Path:
    """Returns a folder that is removed when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="ttp-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def run(*command: str | Path) -> None:
    """Runs a command; fails with its output if the command fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, f"{command[0]} failed:\n{done.stdout}\n{done.stderr}"


@functools.cache
def _native(kind: str, flags: str) -> Path:
    out = build_folder() / f"native{abs(hash(flags))}"
    run("make", "-s", "-C", FIRMWARE, f"OUT={out}", f"NATIVE_FLAGS={flags}", out / f"{kind}.so")
    return out / f"{kind}.so"


def native(kind: str, flags: str = "-O2") -> Path:
    """Returns the firmware "board" or "tower" as a shared library for this machine."""
    need("make", "make")
    need("cc", "gcc")
    return _native(kind, flags)


@functools.cache
def _has_avr_libc() -> bool:
    """True if avr-gcc finds the headers of the chips, which come in a separate package."""
    command = ["avr-gcc", "-mmcu=atmega328p", "-E", "-x", "c", "-"]
    return subprocess.run(command, input=b"#include <avr/io.h>\n", capture_output=True).returncode == 0


@functools.cache
def _elf(kind: str) -> Path:
    out = build_folder() / "avr"
    run("make", "-s", "-C", FIRMWARE, f"OUT={out}", out / f"{kind}.elf")
    return out / f"{kind}.elf"


def elf(kind: str) -> Path:
    """Returns the firmware "board" or "tower" as an ELF file for the Uno."""
    need("make", "make")
    need("avr-gcc", "gcc-avr")
    if not _has_avr_libc():
        missing("avr-libc (Debian: apt install avr-libc)")
    return _elf(kind)


@functools.cache
def _simavr(process: bool) -> Path:
    out = build_folder() / ("uno_sim" if process else "uno_sim.so")
    kind = ["-DPTY"] if process else ["-shared", "-fPIC"]
    libraries = ["-lsimavr", *(["-lutil"] if process else [])]
    run("cc", "-O2", *kind, f"-I{SIMAVR_HEADERS}", HERE / "simavr" / "uno_sim.c", "-o", out, *libraries)
    return out


def simavr(*, process: bool = False) -> Path:
    """Returns the emulated Uno, as a shared library or as a process that serves a pseudo-terminal."""
    need("cc", "gcc")
    if not SIMAVR_HEADERS.exists():
        missing("simavr (Debian: apt install simavr libsimavr-dev)")
    return _simavr(process)


@functools.cache
def _program(name: str, flags: tuple[str, ...], device: str | None) -> Path:
    out = build_folder() / f"{name}-{device}-{abs(hash(flags))}"
    sources = [HERE / "core" / f"{name}.c", CORE / "ttp_frame.c"]
    if device is not None:
        sources += [CORE / "ttp_link.c", CORE / f"{device}.c", FIRMWARE / "native" / "hal_native.c"]
    places = [f"-I{CORE}", f"-I{FIRMWARE / 'native'}"]
    run("cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", *flags, *places, *sources, "-lm", "-o", out)
    return out


def program(name: str, *flags: str, device: str | None = None) -> Path:
    """Returns a C program of tests/firmware_protocol/core, built with the frame code, and with the rest of a device if
    one is named.
    """
    need("cc", "gcc")
    return _program(name, flags, device)


SANITIZERS = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
"""The compiler flags that abort a program at any access out of bounds and any undefined arithmetic."""
