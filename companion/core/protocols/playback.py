"""The state of a recording that is shown as if a camera saw it: its progress, and the commands to stop it."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

PlaybackState = Literal["playing", "paused", "waiting", "over"]
"""`waiting`: it holds at an illegal move until somebody has read it."""


class PlaybackStatus(Struct, frozen=True):
    """The progress of a recording."""

    state: PlaybackState
    text: str
    """One or two sentences for people: the present picture, and what to do."""
    number: int
    """Pictures shown so far."""
    total: int


class Playback(Protocol):
    """A recording that is shown. Every method may be called from any thread."""

    def status(self) -> PlaybackStatus:
        """The progress."""

    def play(self) -> None:
        """Go on, also past an illegal move at which it waits."""

    def pause(self) -> None:
        """Hold until `play` or `step`."""

    def step(self) -> None:
        """Show the next picture and hold there."""

    def restart(self) -> None:
        """Begin again with the first picture and a new game."""

    def detach(self) -> None:
        """Take the recorded eyes away for good: the table belongs to somebody's own game from now on."""
