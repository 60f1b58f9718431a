"""Findings about ports and devices before a game, without opening any port.

The usual reasons for "it does not work" are not in the device: a permission, a service that takes every adapter for a
braille display, one that sends modem commands to it. Each finding has its observation and its advice.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from hardware.ports import BRIDGES, Lister, Pairing, PortInfo, candidates, known_ports


class Finding(Struct, frozen=True):
    """One checked thing."""

    ok: bool
    seen: str
    """A sentence about the observation."""
    advice: str = ""
    """The advice; empty if there is none."""


def running(proc: Path = Path("/proc")) -> frozenset[str]:
    """Returns the names of running programs, on Linux; elsewhere the set is empty."""
    names = set()
    for status in proc.glob("[0-9]*/comm"):
        try:
            names.add(status.read_text(encoding="utf-8", errors="replace").strip())
        except OSError:
            continue  # it has ended meanwhile
    return frozenset(names)


def may_use(device: str) -> bool:
    """True if this account may read and write the port."""
    return sys.platform == "win32" or os.access(device, os.R_OK | os.W_OK)


def about_port(port: PortInfo, pairing: Iterable[Pairing], allowed: bool) -> Finding:
    """Returns one port."""
    who = next(
        (f"the {one.name}" for one in pairing if one.fits(port.vid, port.pid, port.serial_number)), port.looks_like
    )
    seen = f"{port.device}: {who}."
    if not allowed:
        return Finding(
            False, seen, "This account may not use it: run `sudo usermod -aG dialout $USER` and log in again."
        )
    return Finding(True, seen)


def about_services(names: frozenset[str], found: Iterable[PortInfo]) -> list[Finding]:
    """Returns findings about services that are known to take over serial ports."""
    ports_found = list(found)
    bridges = [port for port in ports_found if (port.vid, port.pid) in BRIDGES]
    findings = []
    if "brltty" in names:
        findings.append(
            Finding(
                not bridges,
                "The braille service brltty is running; it takes CH340, CP210x and FTDI adapters for braille displays.",
                "Without a braille display: `sudo systemctl mask brltty-udev brltty`, then plug the device in again."
                if bridges
                else "",
            )
        )
    if "ModemManager" in names:
        findings.append(
            Finding(
                True,
                "ModemManager is running; it sends modem commands to a new port for up to half a minute.",
                "The link survives that. If the first connection is slow: `sudo systemctl stop ModemManager`.",
            )
        )
    return findings


def examine(
    pairing: Iterable[Pairing] = (),
    *,
    lister: Lister = known_ports,
    allowed: Callable[[str], bool] = may_use,
    names: Callable[[], frozenset[str]] = running,
) -> list[Finding]:
    """Returns all findings about ports that are possible without opening one."""
    paired = list(pairing)
    found = candidates(lister)
    findings = [about_port(port, paired, allowed(port.device)) for port in found]
    if not found:
        findings.append(
            Finding(
                False,
                "No USB serial port is there.",
                "Plug the device in with a cable that carries data: many only charge.",
            )
        )
    for one in paired:
        if not any(one.fits(port.vid, port.pid, port.serial_number) for port in found):
            findings.append(Finding(False, f"The {one.name} is not plugged in.", "Connect it, or pair another."))
    return findings + about_services(names(), found)
