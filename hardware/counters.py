"""The counters of a link since the program started, for the page and for the doctor."""

from __future__ import annotations

from msgspec import Struct

from firmware_protocol.messages import StatsReply


class Counters(Struct):
    """Counts of one link, all from the host's side except `device`."""

    requests: int = 0
    """Requests that were answered."""
    refused: int = 0
    """Requests that the device could not carry out."""
    retries: int = 0
    """Frames sent again because no answer came in time."""
    bad: int = 0
    """Stretches of bytes that were no frame."""
    sessions: int = 0
    """Sessions begun; more than one means resets or lost connections."""
    restarts: int = 0
    """Resets of the device that the link noticed."""
    failures: int = 0
    """Requests that were given up."""
    events: int = 0
    """Events delivered."""
    events_lost: int = 0
    """Events that the device reported as lost."""
    rtt_ms: float | None = None
    """Milliseconds from the last request to its answer; None before the first."""
    device: StatsReply | None = None
    """The device's own counters, about once a second while the line is quiet."""
