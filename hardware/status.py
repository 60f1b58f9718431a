"""The page's view of one device: a frozen picture of its link."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field, structs

from firmware_protocol.messages import Kind
from hardware.counters import Counters
from hardware.link import Link, Phase

SIMULATED = "simulated"
"""The name of a port that leads to a device without hardware."""
State = Literal["closed", "waiting", "probing", "ready", "retrying"]
"""closed: not in use. waiting: no port; the next try comes by itself. probing: a port is open, no device has answered
yet. ready: a session stands. retrying: a session stands, but the last request has been sent several times."""


class LinkStatus(Struct, frozen=True):
    """One link at one moment."""

    device: Literal["tower", "board"]
    state: State
    port: str | None
    """Name of the open port."""
    sentence: str
    """For people: what the matter is and what to do, or that all is well."""
    firmware: str | None = None
    """Version of the firmware, "1.0.0"."""
    uid: int | None = None
    """Number burnt into the device; None if it has none."""
    counters: Counters = field(default_factory=Counters)
    """A copy."""


def status_of(link: Link, port: str | None, state: State, trouble: str) -> LinkStatus:
    """The status of `link` on `port`; `trouble` is the last reason for having no port."""
    device: Literal["tower", "board"] = "tower" if link.driver.kind is Kind.TOWER else "board"
    name = "dice tower" if device == "tower" else "LED board"
    on = f"{name} on {port}" if port != SIMULATED else f"simulated {name}"
    sentence = {
        "closed": f"The {name} is not in use.",
        "waiting": trouble or f"The {name} is not there yet.",
        "probing": str(link.trouble or "") or f"Asking for the {on}.",
        "ready": f"The {on} answers.",
        "retrying": f"The {on} answers slowly or not at all: check the cable.",
    }[state]
    who = link.identity
    return LinkStatus(
        device=device,
        state=state,
        port=port,
        sentence=sentence,
        firmware=".".join(str(part) for part in who.firmware) if who else None,
        uid=who.uid or None if who else None,
        counters=structs.replace(link.counters),
    )


def state_of(link: Link) -> State:
    """The state of a link whose port is open."""
    if link.phase is Phase.READY:
        return "retrying" if link.struggling else "ready"
    return "probing"
