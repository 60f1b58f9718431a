"""The verdicts of the referee on a reading.

Every reading leads to one of these: no change, a move accepted, refused or in question, a half-made move, moves taken
back, or a table that no move explains. A wrong accusation is the worst error, so `Refused` needs more evidence than the
others.
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
    """A misreading that later pictures revealed: a piece was another one all along."""

    spot: Spot
    was: Piece | None
    """The piece that was read before; None: no piece of the game."""
    now: Piece | None
    """The piece that it really is; None: there never was a piece of the game."""
    row: int
    """The number of the journal row after which the piece came to its place; 0: it was there at the start."""
    state: Any
    """The position with this correction and those of `also`."""
    also: tuple[Reread, ...] = ()
    """Further pieces with the same correction."""


class Choice(Struct, frozen=True):
    """One answer to a question: the events that it stands for, and the rules that they break."""

    events: tuple[Event, ...]
    text: str
    breaches: tuple[Violation, ...]
    score: float
    given: Reread | None = None
    """The earlier misreading that makes the events possible."""
    undo: int | None = None
    """The journal row after which the record is wrong if these events happened; None if they only add to the record."""
    confirm: bool = False
    """True if only a person may confirm that these events happened."""


class Accepted(Struct, frozen=True, tag="accepted"):
    """Legal events that explain the table, in this order."""

    events: tuple[Event, ...]
    score: float
    """The mean log-likelihood advantage, in nats, over an unchanged table."""
    margin: float
    """The advantage over the runner-up, in nats."""
    runner_up: tuple[Event, ...] = ()
    unseen: bool = False
    """True if the events rely on something that no picture shows, such as a drawn piece that is gone again."""
    cost: float = 0.0
    """All remaining evidence against the events, in nats."""
    given: Reread | None = None
    """The earlier misreading that makes the events legal."""
    told: tuple[Event, ...] = ()
    """The events that were recorded before the others were accepted (`Unclear.common`)."""
    rivals: tuple[Choice, ...] = ()
    """Other legal explanations of the same pictures that are less likely, but not ruled out."""


class Refused(Struct, frozen=True, tag="refused"):
    """An illegal event: no legal event explains the table, and `event`, which breaks rules, does."""

    event: Event
    seat: Seat
    breaches: tuple[Violation, ...]
    margin: float
    before: tuple[Event, ...] = ()
    """Legal events (a draw, say) that the same picture shows before the illegal one."""
    cost: float = 0.0
    """All remaining evidence against this explanation, in nats."""
    looks: int = 0
    """The number of steady pictures that showed every piece on which the verdict relies; 0: they were not counted."""


class Unclear(Struct, frozen=True, tag="unclear"):
    """A question: two or three explanations are too close, so a person is asked."""

    choices: tuple[Choice, ...]
    cost: float | None = None
    """All evidence against the likeliest explanation, in nats; None: it was not weighed."""
    common: tuple[Event, ...] = ()
    """The last events that all open explanations share, if any: these have happened in any case."""
    rest: tuple[Choice, ...] = ()
    """Open explanations that are not offered as answers."""

    @property
    def only_accuses(self) -> bool:
        """True if all answers are illegal."""
        return all(choice.breaches for choice in self.choices)


class Pending(Struct, frozen=True, tag="pending"):
    """A move that looks half made; it is not judged yet."""

    text: str
    still: bool = False
    """True if "no event, one misreading" is by far the likeliest explanation."""
    behind: bool = False
    """True if something has happened that the record lacks, so that it may be unknown whose turn it is."""


class TakenBack(Struct, frozen=True, tag="taken-back"):
    """The table shows an earlier position (after journal row `to`), or an illegal move was put back (`event`)."""

    to: int
    event: Event | None = None


class Desynchronized(Struct, frozen=True, tag="out-of-step"):
    """No event explains the table. No move is taken until table and state agree again, or a person corrects one of
    them.
    """

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
    """Returns a short name of a piece: "GGY4", "red", "white large"; of a stack all pieces, bottom to top."""
    if isinstance(piece, Stack):
        return ", ".join(map(named, piece.pieces))
    name = getattr(piece, "name", None) or getattr(piece, "face", None)
    return str(name) if name is not None else " ".join(str(part) for part in astuple(piece))
