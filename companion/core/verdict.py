"""The verdicts of the referee on a reading.

Every look gives one of these: nothing new, a move accepted, refused or asked about, a move half made,
moves taken back, or a table that no move explains. Accusing wrongly is the worst error, so
`Refused` needs more than the others.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from companion.core.contract import Event, Seat, Violation
from companion.core.layout import Difference, Spot, place_words
from companion.core.pieces import Piece, Stack


class Same(Struct, frozen=True, tag="same"):
    """The table shows the position that the state predicts."""


class Reread(Struct, frozen=True):
    """A piece was something else than it was held for all along; what came later has shown it."""

    spot: Spot
    was: Piece | None
    """None: it was taken for no piece of the game."""
    now: Piece | None
    """None: there never was a piece of the game."""
    row: int
    """Number of the row after which it came to its place; 0: it was there at the start."""
    state: Any
    """The position with it, and with those of `also`."""
    also: tuple[Reread, ...] = ()
    """Other pieces of which the same holds."""


class Choice(Struct, frozen=True):
    """One answer to a question: the events it stands for, and whether they are legal."""

    events: tuple[Event, ...]
    text: str
    breaches: tuple[Violation, ...]
    score: float
    given: Reread | None = None
    """The earlier misreading that makes the event possible."""
    undo: int | None = None
    """The row after which the record is wrong if it is what happened; None: it only adds to the record."""
    confirm: bool = False
    """True if only a person may say that it is what happened."""


class Accepted(Struct, frozen=True, tag="accepted"):
    """These legal events, in this order, explain the table."""

    events: tuple[Event, ...]
    score: float
    """Mean log-likelihood advantage, in nats, over the table being unchanged."""
    margin: float
    """Nats to the runner-up."""
    runner_up: tuple[Event, ...] = ()
    unseen: bool = False
    """True if they rest on something that no picture shows, such as a drawn piece that is gone again."""
    cost: float = 0.0
    """All that still speaks against them, in nats."""
    given: Reread | None = None
    """The earlier misreading that makes them legal."""
    told: tuple[Event, ...] = ()
    """The events that were written before they were accepted (`Unclear.common`)."""
    rivals: tuple[Choice, ...] = ()
    """Other legal explanations of the same pictures that are less likely, but not ruled out."""


class Refused(Struct, frozen=True, tag="refused"):
    """No legal event explains the table; `event` does and breaks rules."""

    event: Event
    seat: Seat
    breaches: tuple[Violation, ...]
    margin: float
    before: tuple[Event, ...] = ()
    """Legal events (a draw, say) that the same picture shows before it."""
    cost: float = 0.0
    """All that still speaks against it, in nats."""
    looks: int = 0
    """The number of steady pictures that showed every piece that it rests on; 0: they were not counted."""


class Unclear(Struct, frozen=True, tag="unclear"):
    """Two or three explanations are too close: a person is asked."""

    choices: tuple[Choice, ...]
    cost: float | None = None
    """All that speaks against the likeliest of them, in nats; None: they were not weighed against anything else."""
    common: tuple[Event, ...] = ()
    """The last events of every open explanation, if they have the same ones: these have happened in any case."""
    rest: tuple[Choice, ...] = ()
    """Explanations that are open, too, but not offered as answers."""


class Pending(Struct, frozen=True, tag="pending"):
    """A move looks half made; it is not judged yet."""

    text: str
    still: bool = False
    """True if "no event, one misreading" is by far the likeliest."""
    behind: bool = False
    """True if something has happened that the record lacks, so that it may not be known whose turn it is."""


class TakenBack(Struct, frozen=True, tag="taken-back"):
    """The table shows an earlier position (after journal row `to`), or an illegal move was put back (`event`)."""

    to: int
    event: Event | None = None


class Desynchronized(Struct, frozen=True, tag="out-of-step"):
    """No event explains the table: no move is taken until table and state agree or a person corrects."""

    differences: tuple[Difference, ...]


Verdict = Same | Accepted | Refused | Unclear | Pending | TakenBack | Desynchronized


def reread_words(given: Reread) -> str:
    """Returns the misreading in words: "what was read as red small at player 1's supply is red medium"."""
    return ", and ".join(map(_reread_words, (*given.also, given)))


def _reread_words(given: Reread) -> str:
    place = place_words(given.spot)
    if given.was is None:
        return f"{named(given.now) if given.now is not None else 'nothing'} was at {place} all along"
    if given.now is None:
        return f"what was read as {named(given.was)} at {place} was no piece"
    return f"what was read as {named(given.was)} at {place} is {named(given.now)}"


def named(piece: Piece) -> str:
    """A piece in a word or two: "GGY4", "red", "white large"; a stack piece by piece, bottom to top."""
    if isinstance(piece, Stack):
        return ", ".join(map(named, piece.pieces))
    name = getattr(piece, "name", None) or getattr(piece, "face", None)
    return str(name) if name is not None else " ".join(str(part) for part in astuple(piece))
