"""The optional capabilities of a game, each declared once and tested by `is None`.

Every capability is a small value that holds functions of a state. A missing capability is None, and
`companion.core.game.Game` defines its default: all information is public, there is no chance, and the camera proposes
no events.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import Any, Generic, Protocol, Self, TypeVar

from companion.core.contract import Chance, Cost, Drawn, Event, Move, Seat
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
Unseen = Callable[[Any], Mapping[Piece, int]]
"""Returns the pieces of a position that are in the bag or in hidden hands, as a multiset."""


@dataclass(frozen=True)
class ChanceEvents(Generic[S]):
    """The chance events of a game: rolls of dice, and draws from a bag or a deck."""

    outcomes: Callable[[S], Iterable[tuple[Chance, int]]]
    """Yields the possible chance events with their weights, lazily, because there may be very many."""
    sample: Callable[[S, Random], Chance]
    """Returns one chance event that is due, drawn fairly and as quickly as a move is made. A draw of several pieces
    comes as one event."""


@dataclass(frozen=True)
class HiddenInformation(Generic[S]):
    """The information that only some players have, or that no player has."""

    unseen: Callable[[S], Mapping[Piece, int]]
    """Returns the pieces in the bag and in hidden hands, as a multiset."""
    view: Callable[[S, Seat | None], S] | None = None
    """Returns the position as a seat (None: the public) may know it. If this is None, everybody may know all of it."""
    redact: Callable[[S, Event, Seat | None], Event | None] | None = None
    """Returns an event at a position as a seat (None: the public) may know it, or None if that seat learns nothing of
    it.

    Games without this function have no private hands.
    """
    determinize: Callable[[S, Random], S] | None = None
    """Returns the position with its hidden pieces filled in at random, consistent with `unseen`. Only players and hints
    use it."""


class TableSearch(Protocol[S_contra]):
    """The functions of a game's search module, which finds the events between a position and the table in a picture;
    see `Proposer`.
    """

    def infer_event(self, state: S_contra, seen: Layout, /) -> Event | None: ...

    def candidates(self, state: S_contra, seen: Layout, /) -> Iterable[Event]: ...

    def illegal_candidates(self, state: S_contra, seen: Layout, /) -> Iterable[Event]: ...


@dataclass(frozen=True)
class Proposer(Generic[S]):
    """The functions that propose which events a camera's picture may show."""

    infer_event: Callable[[S, Layout], Event | None]
    """Returns the one event, legal or not, that best explains the change to the table in the picture; None if no event
    does."""
    looks_alike: Callable[[S, Event, Event], bool] | None = None
    """Returns true if two events leave the same table, so that no camera can distinguish them. If this is None, the
    layouts are compared."""
    candidates: Callable[[S, Layout], Iterable[Event]] | None = None
    """For games with long turns: yields the legal events that may be the next step toward the table in the picture."""
    illegal_candidates: Callable[[S, Layout], Iterable[Event]] | None = None
    """Yields events that seem to lie between a position and a sharp picture; only the illegal ones are used. If this is
    None, `infer_event` is called instead."""
    history_key: Callable[[S, Sequence[Event]], Hashable] | None = None
    """Returns a key for a sequence of events: two sequences between the same positions have equal keys if people would
    call them the same turn."""
    rarity: Callable[[S, Event], float] | None = None
    """Returns by how many nats an illegal event is rarer than the average illegal event. If this is None, all are
    equally rare."""
    gives_up: Callable[[S, Event], bool] | None = None
    """Returns true if an event that leaves no trace gives up a turn in which the seat could have acted, so that the
    seat is unlikely to act again before the next picture. If this is None, every such event gives up a turn."""
    is_said: Callable[[S, Event], bool] | None = None
    """Returns true if an event leaves no trace because people only say it, or do it out of sight, whenever it is due.
    If this is None, no event is of that kind."""
    needs_confirmation: Callable[[S, Event], bool] | None = None
    """Returns true if players must confirm a legal event even if no other event explains the picture."""
    pending_prompt: Callable[[S, Layout], str | None] | None = None
    """Returns a sentence, with its rule, on the action or entry that must come first when no event explains a sharp
    picture; None if there is no such action."""
    reread: Callable[[S, Spot, Piece | None, Piece | None], S | None] | None = None
    """Returns the position as it would be if the piece at a spot had been another one all along, or None if the rules
    forbid that. The arguments are the old and the new piece; None stands for no piece."""
    seen_position: Callable[[int, Any, Layout], Mapping[str, Any]] | None = None
    """Returns the position that a first picture shows, in the JSON form of a record. The arguments are the number of
    seats, the options and the layout."""
    set_out: Callable[[S, Mapping[Spot, Sequence[Piece]]], S] | None = None
    """Returns the position with these pieces at these spots and everything else unchanged. Raises BadRecord or BadEvent
    where the rules do not allow it; the message says why and what to do. If this is None, cells are set up one by one.
    """
    visit: Callable[[S, frozenset[Spot]], Event | None] | None = None
    """Returns the event, if any, that leaves no trace and that a hand over these zones suggests, such as drawing from a
    stock whose height no picture shows."""
    turns: Callable[[S], Mapping[str, S]] | None = None
    """Returns the positions that share this table and differ in whose turn it is, by a sentence such as "player 1 is on
    turn". If this is None, the table itself shows whose turn it is."""

    @staticmethod
    def of(search: TableSearch[S]) -> Proposer[S]:
        """Returns a proposer that uses a game's search; add the other functions with `dataclasses.replace`."""
        return Proposer(search.infer_event, candidates=search.candidates, illegal_candidates=search.illegal_candidates)


Known = TypeVar("Known")


@dataclass(frozen=True)
class PlacedWords(Generic[S, Known]):
    """The functions that name places on the table in the words of an event, where positions do not hold these places.

    The knowledge about the table is a value of the game's own type and starts as `nothing`.
    """

    nothing: Known = field(hash=False)
    """The knowledge before the first reading."""
    follow: Callable[[Known, Layout], Known]
    """Returns the knowledge after a reading that shows the expected position."""
    words: Callable[[Known, Layout, S, Event], tuple[dict[str, Any] | None, Known]]
    """Returns the words of an event that a reading shows (see `EventCodec.words`), and the knowledge after it."""


@dataclass(frozen=True)
class Penalties(Generic[S]):
    """The penalty for an illegal play that was taken back."""

    after_refusal: Callable[[S, Event], S]
    """Returns the position after an illegal event was taken back. Replays of written records use it."""
    cost: Callable[[S, Event], Cost | None]
    """Returns the cost that a live table charges for an illegal event; None if there is no penalty."""


@dataclass(frozen=True)
class TurnHints(Generic[S]):
    """Sentences that help a player to finish a turn."""

    still_to_do: Callable[[S], str | None]
    """Returns a sentence on the rest of a turn that has begun; None if nothing is left to do."""
    lost: Callable[[S, Event, S], str | None] | None = None
    """Returns a sentence on the options that an event made impossible (arguments: position before, event, position
    after)."""


POINTS, LIFE = 10.0, 200.0
"""The value of a place at the end of a game in a playout, in addition to the lead. `POINTS` is small, because a few
playouts learn more from points. `LIFE` exceeds the estimates of games where these are large."""
WHOLE = 60
"""A number of choices that no hand or game exceeds, so that a playout ends only with the hand or the game."""


def _nothing(_: Any) -> object:
    return None


@dataclass(frozen=True)
class Horizon:
    """The place where a playout stops, because later events depend more on luck than on the choice."""

    choices: int = 12
    """The largest number of choices in a playout. A seat with a single legal move makes no choice."""
    turns: float = inf
    """The largest number of times that the turn may pass to another seat."""
    hand: Callable[[Any], object] = _nothing
    """Returns a value of a position that changes only when a new hand begins."""
    decided: float = POINTS
    """The value of each place won at the end of the game."""
    sure: float = 1.0
    """The number of standard errors by which a move must do better in playouts if it looks worse at first; higher in
    games of much luck."""


@dataclass(frozen=True)
class Heuristics(Generic[S]):
    """Estimates for computer players. They are no rules; tournaments measure them (docs/players.md)."""

    prospects: Callable[[S, Seat], float] | None = None
    """Returns the number of points by which a seat stands better than its score says."""
    horizon: Horizon | None = None
    """Where playouts stop; None: at the default horizon."""
    routine: Callable[[S, Seat, Random], Move] | None = None
    """Returns a move of a seat within a playout, chosen by a simple policy."""
    undoing: tuple[type, ...] = ()
    """Types of moves that give up progress. A player who makes them as often as other moves gets nowhere."""


class SoftwareDealer(Protocol):
    """A program that deals the face-down cards of one game: a value that follows from a seed and the events so far."""

    def serve(self, state: Any, unseen: Unseen) -> tuple[tuple[Drawn, ...], Self]:
        """Returns the draws that are due in a position, and the dealer after them.

        Args:
            unseen: The game's `Game.unseen`.
        """

    def follow(self, state: Any, event: Event) -> Self:
        """Returns the dealer after an event at a position."""
