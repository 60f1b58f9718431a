"""A game that can be refereed: its declarations, and the functions that all games share.

A game provides functions of its states; checks of options, events and stored states are implemented here once. The
other parts are capabilities (`companion.core.capabilities`) or None, and the methods here define the meaning of None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from random import Random
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from companion.core.capabilities import (
    ChanceEvents,
    Heuristics,
    HiddenInformation,
    Penalties,
    PlacedWords,
    Proposer,
    SoftwareDealer,
    TurnHints,
)
from companion.core.contract import Chance, Drawn, Event, ScoreLine, Seat, State, ToDraw
from companion.core.foundation.errors import BadEvent, BadNotation, BadOptions, BadRecord, GameOver, MoveError
from companion.core.foundation.kept_file import Spoiled, decode_json
from companion.core.pieces import Piece


def apply_due_draws(state: Any) -> Any:
    """Returns the position after all draws that are due, with face-down pieces.

    A draw whose pieces the rules need (to decide who begins, say) stays due: a person must enter it.
    """
    while isinstance(due := state.expects(), ToDraw):
        try:
            state = state.apply(Drawn(due.seat, (None,) * due.count))
        except MoveError:
            break
    return state


S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class Setup(Generic[S]):
    """A position that was read or typed, before it was checked: it has no moves, and only `checked` returns it."""

    _state: S

    def checked(self, check: Callable[[S], None]) -> S:
        """Returns the position if `check` does not refuse it.

        Raises:
            BadRecord: The position contradicts itself, the pieces or the players.
        """
        check(self._state)
        return self._state


ENDLESS = 1_000_000
"""The limit on events for games without a longest game; no real game comes near it."""


def seat_numbers(seats: range) -> str:
    """Returns the possible numbers of players in words: "2 to 4", "2 or 4", "1"."""
    if len(seats) == 1:
        return str(seats[0])
    if seats.step == 1 and len(seats) > 2:
        return f"{seats[0]} to {seats[-1]}"
    return f"{', '.join(map(str, seats[:-1]))} or {seats[-1]}"


def _as_it_is(data: Any) -> Any:
    return data


def own_fields(state: State, event: Event) -> dict[str, Any]:
    """Returns the fields of an event, with its seat as "player". Events without a seat belong to player 0."""
    fields = msgspec.to_builtins(event)
    return {"player": fields.pop("seat", 0), **fields}


@dataclass(frozen=True)
class GameInfo:
    """The names of a game, and the choices that exist before it begins."""

    name: str
    """The name on the command line: "spectrangle"."""
    title: str
    """The displayed name."""
    rules: int
    """The version of the rules; it rises whenever a fix changes any result."""
    seats: range
    """The possible numbers of seats."""
    seats_rule: str
    """The rule that says how many may play."""
    Options: type[Struct]
    """The type of the options; every field has a default, bounds and a sentence (`msgspec.Meta.description`)."""
    _: KW_ONLY
    lead: Literal["most", "fewest", "nothing"] = "most"
    """Who leads: the seat with the most points, the one with the fewest, or no seat because points mean nothing during
    the game."""
    left_stands: str | None = None
    """The rule by which an illegal move stands if it is left on the table after it was announced; None: it must be
    taken back."""


@dataclass(frozen=True)
class Positions(Generic[S]):
    """The functions that create positions and check them."""

    state_type: type[S]
    """The type of the positions."""
    begin: Callable[[int, Any], S]
    """Returns the first position, for a valid number of seats and valid options; may raise `BadOptions`."""
    read: Callable[[int, Any, Mapping[str, Any]], Setup[S]]
    """Returns the words of a record as a position to be checked, with seats and options as for `begin`; raises
    `BadRecord` for words that mean no position."""
    check: Callable[[S], None]
    """Raises `BadRecord` if a position that was read contradicts itself, the pieces or the players."""
    _: KW_ONLY
    fit: Callable[[int, Any], None] | None = None
    """Raises `BadOptions` if the number of seats does not go with the options."""
    bound: Callable[[S], int] = lambda state: ENDLESS
    """Returns the largest number of events in any game from a position; the default is for games without a longest
    game."""


@dataclass(frozen=True)
class EventCodec(Generic[S]):
    """The functions that convert events to and from text, JSON, and the words of a recording."""

    event_type: Any
    """The union of moves and chance events, as tagged structs."""
    text: Callable[[Event], str]
    """Returns one line that means the same event in every position; raises `BadEvent` for pieces that do not exist."""
    parse: Callable[[S, str], Event]
    """Returns the event, legal or not, that a line names in a position; raises `BadNotation`, or `AmbiguousMove` if
    there are several."""
    words: Callable[[S, Event], dict[str, Any] | None] = own_fields
    """Returns an event at a position, legal or not, in the words of a recording ("player", "type", ...); None if a
    recording does not name such events."""
    _: KW_ONLY
    plain: Callable[[Any], Any] = _as_it_is
    """Returns the JSON data of an event with short forms written out; may raise `BadNotation`."""
    canonical: Callable[[Any], Any] = _as_it_is
    """Returns an event with its pieces as states hold them; raises `BadNotation` for words or pieces that do not exist.
    """


@dataclass(frozen=True, kw_only=True)
class Capabilities(Generic[S]):
    """The optional capabilities of a game, each of them None if the game lacks it (`companion.core.capabilities`)."""

    chance: ChanceEvents[S] | None = None
    hidden: HiddenInformation[S] | None = None
    proposer: Proposer[S] | None = None
    placed_words: PlacedWords[S, Any] | None = None
    penalties: Penalties[S] | None = None
    turn_hints: TurnHints[S] | None = None
    heuristics: Heuristics[S] | None = None
    score_breakdown: Callable[[S, Event], tuple[ScoreLine, ...]] | None = None
    """Returns the points of an event at a position, line by line, for games whose scores keep sums only."""
    next_position: Callable[[S], Mapping[str, Any] | None] | None = None
    """Returns the position with which the next game of a match begins; None while this game goes on."""
    dealer: Callable[[bytes], SoftwareDealer] | None = None
    """Returns a software dealer for a secret seed; None: people deal."""


@dataclass(frozen=True)
class Game(Capabilities[S], EventCodec[S], Positions[S], GameInfo):
    """One game. Its functions take and return states of the game's own type."""

    @classmethod
    def of(
        cls, info: GameInfo, positions: Positions[S], codec: EventCodec[S], capabilities: Capabilities[S] | None = None
    ) -> Game[S]:
        """Returns a game that consists of these parts."""
        parts = (info, positions, codec, capabilities or Capabilities[S]())
        return Game(**{name: value for part in parts for name, value in vars(part).items()})

    def start(self, seats: int, options: Struct) -> S:
        """Returns the position before the first event.

        Raises:
            BadOptions: The number of seats or an option is out of its bounds.
        """
        return self.begin(seats, self._checked(seats, options))

    def from_record(self, seats: int, options: Struct, position: Mapping[str, Any]) -> S:
        """Returns a position from the JSON form that `docs/records.md` describes.

        Raises:
            BadRecord: The position contradicts itself; the message says how.
            BadOptions: As for `start`.
        """
        return self.read(seats, self._checked(seats, options), position).checked(self.check)

    def refusal(self, seats: int) -> str:
        """Returns a sentence on why the game cannot be played with this number of seats."""
        players = "player" if tuple(self.seats) == (1,) else "players"
        return f"{self.title} has {seat_numbers(self.seats)} {players}, not {seats} ({self.seats_rule})."

    def _checked(self, seats: int, options: Struct) -> Struct:
        if seats not in self.seats:
            raise BadOptions(self.refusal(seats))
        try:
            chosen = msgspec.convert(msgspec.to_builtins(options), self.Options)
        except msgspec.ValidationError as error:
            raise BadOptions(f"An option of {self.title} is out of its bounds: {error}.") from error
        if self.fit is not None:
            self.fit(seats, chosen)
        return chosen

    def event(self, data: Any) -> Event:
        """Returns an event of this game from plain JSON data.

        Raises:
            BadNotation: The data is not an event of this game.
        """
        try:
            event = msgspec.convert(self.plain(data), self.event_type)
            self.text(event)
        except (msgspec.ValidationError, BadEvent) as error:
            said = str(error).rstrip(".")
            raise BadNotation(f"This is not an event of {self.title}: {said}. See docs/records.md.") from error
        return self.canonical(event)

    def told(self, events: Iterable[Event]) -> str:
        """Returns several events in one line."""
        return ", ".join(map(self.text, events))

    def load(self, data: bytes) -> S:
        """Returns a state from its JSON form, after checking it.

        Raises:
            BadRecord: The data is not a state of this game.
        """
        try:
            state = Setup(decode_json(data, self.state_type))
        except Spoiled as error:
            said = f"This is not a state of {self.title}: {error}. Start from a journal or a position."
            raise BadRecord(said) from error
        return state.checked(self.check)

    def outcomes(self, state: S) -> Iterable[tuple[Chance, int]]:
        """Yields the possible chance events with their weights; none in a game without chance."""
        return () if self.chance is None else self.chance.outcomes(state)

    def sample(self, state: S, rng: Random) -> Chance:
        """Returns one chance event that is due.

        Raises:
            BadEvent: No chance event is due.
        """
        if self.chance is None:
            raise BadEvent(f"Nothing is left to chance in {self.title}. Make a move.")
        return self.chance.sample(state, rng)

    def unseen(self, state: S) -> Mapping[Piece, int]:
        """Returns the pieces in the bag and in hidden hands, as a multiset."""
        return {} if self.hidden is None else self.hidden.unseen(state)

    def view(self, state: S, seat: Seat | None) -> S:
        """Returns the position as a seat (None: the public) may know it; the state itself if nothing is hidden."""
        return state if self.hidden is None or self.hidden.view is None else self.hidden.view(state, seat)

    def redact(self, state: S, event: Event, seat: Seat | None) -> Event | None:
        """Returns an event at a position as a seat (None: the public) may know it; None if that seat learns nothing."""
        return event if self.hidden is None or self.hidden.redact is None else self.hidden.redact(state, event, seat)

    def determinize(self, state: S, rng: Random) -> S:
        """Returns the position with hidden pieces filled in consistently; only players and hints use it."""
        if self.hidden is None or self.hidden.determinize is None:
            return state
        return self.hidden.determinize(state, rng)

    @property
    def has_private_hands(self) -> bool:
        """True if some players see pieces that others do not see."""
        return self.hidden is not None and self.hidden.redact is not None

    def looks_alike(self, state: S, one: Event, other: Event) -> bool:
        """True if two events leave the same table; False if the game cannot carry one of them out."""
        if one == other:
            return True
        if self.proposer is not None and self.proposer.looks_alike is not None:
            return self.proposer.looks_alike(state, one, other)
        try:
            return state.apply_unchecked(one).layout() == state.apply_unchecked(other).layout()
        except (BadEvent, GameOver):
            return False
