"""The tower and the board of this table: paired once by their USB numbers, then found on any port.

Pairing opens no port. It only notes the USB numbers of the port that a person named.
"""

from __future__ import annotations

import os
from typing import get_args

from platformdirs import user_data_path

from companion.core.foundation.errors import WrongUsage
from hardware.ports import Device, Lister, Pairing, Pairings, known_ports

WORDS: dict[str, Device] = {"tower": "tower", "leds": "board"}
"""The names of the two devices in `companion serve`."""


def pairings() -> Pairings:
    """Returns the pairings of this machine."""
    return Pairings(user_data_path("companion", appauthor=False) / "devices.json")


def paired(kept: Pairings | None = None) -> list[Pairing]:
    """Returns every device that was paired."""
    found = [(kept or pairings()).get(device) for device in get_args(Device)]
    return [pairing for pairing in found if pairing is not None]


def pair(text: str, kept: Pairings | None = None, lister: Lister = known_ports) -> Pairing:
    """Remembers the device that "tower=PORT" or "leds=PORT" names.

    Raises:
        WrongUsage: The text names no such device, no existing port, or a port without USB numbers.
    """
    word, _, name = text.partition("=")
    if word not in WORDS or not name:
        raise WrongUsage(f'"{text}" pairs nothing. Write tower=PORT or leds=PORT, for example tower=/dev/ttyACM0.')
    ports = list(lister())
    port = next((one for one in ports if one.device in (name, os.path.realpath(name))), None)
    if port is None:
        there = ", ".join(one.device for one in ports) or "none"
        raise WrongUsage(f"There is no port {name}. There are: {there}.")
    if port.vid is None or port.pid is None:
        raise WrongUsage(
            f"{name} is not a USB port, so it cannot be recognized later. Name it each time: --{word} {name}."
        )
    pairing = Pairing(WORDS[word], port.vid, port.pid, port.serial_number)
    (kept or pairings()).keep(pairing)
    return pairing
