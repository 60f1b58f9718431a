"""The capabilities of a game beside its rules, each declared once and tested by `is None`.

Every capability is a small value that holds functions of a state. A missing capability is None, and
`companion.core.game.Game` defines its default: all is public, there is no chance, the camera proposes no events.
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
"""Bag and hidden hands of a position together, as a multiset."""


@dataclass(frozen=True)
class ChanceEvents(Generic[S]):
    """Dice that fall, and pieces that come out of a bag or a deck."""

    outcomes: Callable[[S], Iterable[tuple[Chance, int]]]
    """Possible chance events with weights, lazily; there may be very many."""
    sample: Callable[[S, Random], Chance]
    """One chance event that is due, picked fairly and as cheaply as a move; draws of several pieces come whole."""


@dataclass(frozen=True)
class HiddenInformation(Generic[S]):
    """Pieces that only some players see, or none."""

    unseen: Callable[[S], Mapping[Piece, int]]
    """Bag and hidden hands together, as a multiset."""
    view: Callable[[S, Seat | None], S] | None = None
    """The position as a seat, or the public, may know it; None: all of it."""
    redact: Callable[[S, Event, Seat | None], Event | None] | None = None
    """The event at a position as a seat, or the public, may know it, None if it learns nothing.

    Games without this have no private hands.
    """
    determinize: Callable[[S, Random], S] | None = None
    """The position with hidden pieces filled in, consistent with `unseen`; for players and hints only."""


class TableSearch(Protocol[S_contra]):
    """A game's module that looks for the events between a position and a seen table; see `Proposer`."""

    def infer_event(self, state: S_contra, seen: Layout, /) -> Event | None: ...

    def candidates(self, state: S_contra, seen: Layout, /) -> Iterable[Event]: ...

    def illegal_candidates(self, state: S_contra, seen: Layout, /) -> Iterable[Event]: ...


@dataclass(frozen=True)
class Proposer(Generic[S]):
    """Events that a camera's picture may show."""

    infer_event: Callable[[S, Layout], Event | None]
    """The one event, legal or not, that the change to a seen table looks like; None if none does."""
    looks_alike: Callable[[S, Event, Event], bool] | None = None
    """Returns true if two events leave the same table, so that no camera can distinguish them; None: layouts are
    compared."""
    candidates: Callable[[S, Layout], Iterable[Event]] | None = None
    """For games with long turns: the legal events that may be the next step toward a seen table."""
    illegal_candidates: Callable[[S, Layout], Iterable[Event]] | None = None
    """Events that look like lying between a position and a crisp picture; the illegal ones of them are considered.
    Without it `infer_event` is asked."""
    history_key: Callable[[S, Sequence[Event]], Hashable] | None = None
    """Equal for two ways from a position to another one if people would call them the same."""
    rarity: Callable[[S, Event], float] | None = None
    """The nats by which an illegal event is rarer than illegal events are; None: they are all alike."""
    gives_up: Callable[[S, Event], bool] | None = None
    """True if an event that leaves no trace gives up a turn in which something could be done, so that its seat hardly
    acts again before the next picture; None: each such event does."""
    is_said: Callable[[S, Event], bool] | None = None
    """True if an event leaves no trace because people only say it, or do it out of sight, whenever it is due; None:
    no event is such."""
    needs_confirmation: Callable[[S, Event], bool] | None = None
    """Returns true if people are asked about a legal event even if no other event explains the picture."""
    pending_prompt: Callable[[S, Layout], str | None] | None = None
    """The action or entry that must come first if no event explains a clear picture, with its rule; None: none."""
    reread: Callable[[S, Spot, Piece | None, Piece | None], S | None] | None = None
    """The position if a piece at a spot had been another one all along (was, now; None: no piece); None if the rules
    forbid it."""
    seen_position: Callable[[int, Any, Layout], Mapping[str, Any]] | None = None
    """The position, as a record writes it, that a first picture shows, by seats and options."""
    set_out: Callable[[S, Mapping[Spot, Sequence[Piece]]], S] | None = None
    """The position with these pieces at these spots and all else as it is. Raises BadRecord or BadEvent where the rules
    cannot have it so; the sentence says why, and what to do. None: cells are set up one by one."""
    visit: Callable[[S, frozenset[Spot]], Event | None] | None = None
    """The event that leaves no trace and that a hand over these zones means, if anything: cards that are drawn from a
    stock whose height no picture shows."""
    turns: Callable[[S], Mapping[str, S]] | None = None
    """The same table by whose turn it may be: the sentence on the turn ("player 1 is on turn"), and the position. None:
    the table shows it."""

    @staticmethod
    def of(search: TableSearch[S]) -> Proposer[S]:
        """The proposals of a game's search; `dataclasses.replace` adds the rest."""
        return Proposer(search.infer_event, candidates=search.candidates, illegal_candidates=search.illegal_candidates)


Known = TypeVar("Known")


@dataclass(frozen=True)
class PlacedWords(Generic[S, Known]):
    """Words of events that name places on the table, which positions do not hold.

    What is known of the table is a value of the game's own type, and begins with `nothing`.
    """

    nothing: Known = field(hash=False)
    """The knowledge before the first reading."""
    follow: Callable[[Known, Layout], Known]
    """The knowledge after a reading shows the expected position."""
    words: Callable[[Known, Layout, S, Event], tuple[dict[str, Any] | None, Known]]
    """As `EventCodec.words`, for an event that a reading shows, with the knowledge after it."""


@dataclass(frozen=True)
class Penalties(Generic[S]):
    """The penalty for an illegal play that was taken back."""

    after_refusal: Callable[[S, Event], S]
    """The position after an illegal event was taken back; written records are judged with it."""
    cost: Callable[[S, Event], Cost | None]
    """The legal event that charges it at a live table; None if there is no penalty."""


@dataclass(frozen=True)
class TurnHints(Generic[S]):
    """Sentences about a turn that goes on."""

    still_to_do: Callable[[S], str | None]
    """The rest of a turn that has begun."""
    lost: Callable[[S, Event, S], str | None] | None = None
    """The parts that can no longer be played after an event (position before, event, position after)."""


POINTS, LIFE = 10.0, 200.0
"""The value of a place at the end of a game in a playout, beside the lead: small where points decide, because a few
playouts learn more from points; larger than the estimates where these are large during the game."""
WHOLE = 60
"""Choices of a playout where a hand or a game is played to its end; more than any has."""


def _nothing(_: Any) -> object:
    return None


@dataclass(frozen=True)
class Horizon:
    """Where a playout is cut off, because what happens later says more about luck than about the choice."""

    choices: int = 12
    """The largest number of choices; a seat with one move has no choice."""
    turns: float = inf
    """The number of times that another seat may come to move."""
    hand: Callable[[Any], object] = _nothing
    """Of a position: something that stays the same until the hand is over."""
    decided: float = POINTS
    """The value of a place ahead at the end of the game."""
    sure: float = 1.0
    """Standard errors by which a move that stands worse at once must do better later: more where luck is wild."""


@dataclass(frozen=True)
class Heuristics(Generic[S]):
    """Estimates for computer players, without rules; tournaments judge them (docs/players.md)."""

    prospects: Callable[[S, Seat], float] | None = None
    """The points by which a seat stands better than its scores say."""
    horizon: Horizon | None = None
    """The length of a playout; None: the usual one."""
    routine: Callable[[S, Seat, Random], Move] | None = None
    """The policy of a seat within a playout."""
    undoing: tuple[type, ...] = ()
    """Moves that give up progress; a player who makes them as readily as others makes none."""


class SoftwareDealer(Protocol):
    """The face-down cards of one game: a value that follows from a seed and from the events so far."""

    def serve(self, state: Any, unseen: Unseen) -> tuple[tuple[Drawn, ...], Self]:
        """The draws that are due in a position, and the dealer after them.

        Args:
            unseen: The game's `Game.unseen`.
        """

    def follow(self, state: Any, event: Event) -> Self:
        """The dealer after a move that was made in a position."""
