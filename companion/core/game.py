"""A game that can be refereed: its declarations, and the common parts of all games.

A game gives functions of its states; checks of options, events and stored states stand here once. Further parts are
capabilities (`companion.core.capabilities`) or None, and the methods here define the meaning of None.
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
    """The position after all draws that are due, unseen.

    A draw that the rules must know (who begins, say) stays due: a person has to enter it.
    """
    while isinstance(due := state.expects(), ToDraw):
        try:
            state = state.apply(Drawn(due.seat, (None,) * due.count))
        except MoveError:
            break
    return state


S = TypeVar("S", bound=State)

ENDLESS = 1_000_000
"""The bound of games without a longest game: so many events are absurd."""


def seat_numbers(seats: range) -> str:
    """The possible numbers of players: "2 to 4", "2 or 4", "1"."""
    if len(seats) == 1:
        return str(seats[0])
    if seats.step == 1 and len(seats) > 2:
        return f"{seats[0]} to {seats[-1]}"
    return f"{', '.join(map(str, seats[:-1]))} or {seats[-1]}"


def _as_it_is(data: Any) -> Any:
    return data


def own_fields(state: State, event: Event) -> dict[str, Any]:
    """An event by its own fields, its seat as "player"; where events name no seat, there is one player."""
    fields = msgspec.to_builtins(event)
    return {"player": fields.pop("seat", 0), **fields}


@dataclass(frozen=True)
class GameInfo:
    """The texts and choices before a game begins."""

    name: str
    """The name on the command line: "spectrangle"."""
    title: str
    """The name that people read."""
    rules: int
    """Rises whenever a fix changes any result."""
    seats: range
    """Possible numbers of seats."""
    seats_rule: str
    """The rule that says how many may play."""
    Options: type[Struct]
    """Options: every field has a default, bounds and a sentence (`msgspec.Meta.description`)."""
    _: KW_ONLY
    lead: Literal["most", "fewest", "nothing"] = "most"
    """The leader: the seat with the most points, with the fewest, or none because points mean nothing during the game.
    """
    left_stands: str | None = None
    """The rule by which an illegal move that is left on the table stands once it was named; None: it is put back."""


@dataclass(frozen=True)
class Positions(Generic[S]):
    """How positions come to be, and which there can be."""

    state_type: type[S]
    """The type of the positions."""
    begin: Callable[[int, Any], S]
    """The first position, for a possible number of seats and options within their bounds; may raise `BadOptions`."""
    read: Callable[[int, Any, Mapping[str, Any]], S]
    """A position from the words of a record, with seats and options as for `begin`; raises `BadRecord`."""
    check: Callable[[S], None]
    """Raises `BadRecord` if a decoded state contradicts itself."""
    _: KW_ONLY
    fit: Callable[[int, Any], None] | None = None
    """Raises `BadOptions` where a number of seats and options do not go together."""
    bound: Callable[[S], int] = lambda state: ENDLESS
    """No game from a position is longer than this many events; without it there is no longest game."""


@dataclass(frozen=True)
class EventCodec(Generic[S]):
    """Events as lines, as JSON, and in the words of a recording."""

    event_type: Any
    """The union of moves and chance events, as tagged structs."""
    text: Callable[[Event], str]
    """One line that means the same in every position; raises `BadEvent` for pieces that there are not."""
    parse: Callable[[S, str], Event]
    """The event that a line names in a position, legal or not; raises `BadNotation`, or `AmbiguousMove` if several."""
    words: Callable[[S, Event], dict[str, Any] | None] = own_fields
    """An event, legal or not, that comes to a position in the words of a recording ("player", "type", ...); None for
    what a recording does not name."""
    _: KW_ONLY
    plain: Callable[[Any], Any] = _as_it_is
    """The JSON data of an event with short forms written out; may raise `BadNotation`."""
    canonical: Callable[[Any], Any] = _as_it_is
    """An event with its pieces as states hold them; raises `BadNotation` for words or pieces that there are not."""


@dataclass(frozen=True, kw_only=True)
class Capabilities(Generic[S]):
    """The capabilities of a game beside its rules, or None (`companion.core.capabilities`)."""

    chance: ChanceEvents[S] | None = None
    hidden: HiddenInformation[S] | None = None
    proposer: Proposer[S] | None = None
    placed_words: PlacedWords[S, Any] | None = None
    penalties: Penalties[S] | None = None
    turn_hints: TurnHints[S] | None = None
    heuristics: Heuristics[S] | None = None
    score_breakdown: Callable[[S, Event], tuple[ScoreLine, ...]] | None = None
    """The points of an event at a position, line by line, where scores keep sums."""
    next_position: Callable[[S], Mapping[str, Any] | None] | None = None
    """The position with which the next game of a match begins; None while this one goes on."""
    dealer: Callable[[bytes], SoftwareDealer] | None = None
    """The software dealer, from a secret seed; None: people deal."""


@dataclass(frozen=True)
class Game(Capabilities[S], EventCodec[S], Positions[S], GameInfo):
    """One game. Functions named here take and give states of the game's own type."""

    @classmethod
    def of(
        cls, info: GameInfo, positions: Positions[S], codec: EventCodec[S], capabilities: Capabilities[S] | None = None
    ) -> Game[S]:
        """A game of its parts."""
        parts = (info, positions, codec, capabilities or Capabilities[S]())
        return Game(**{name: value for part in parts for name, value in vars(part).items()})

    def start(self, seats: int, options: Struct) -> S:
        """The position before the first event.

        Raises:
            BadOptions: The number of seats or an option is out of its bounds.
        """
        return self.begin(seats, self._checked(seats, options))

    def from_record(self, seats: int, options: Struct, position: Mapping[str, Any]) -> S:
        """Any position, from the JSON form that `docs/records.md` describes.

        Raises:
            BadRecord: The position contradicts itself, with the reason.
            BadOptions: As for `start`.
        """
        return self.read(seats, self._checked(seats, options), position)

    def refusal(self, seats: int) -> str:
        """Why the game cannot be played by so many, in a sentence."""
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
        """An event of this game from plain JSON data.

        Raises:
            BadNotation: It is not one.
        """
        try:
            event = msgspec.convert(self.plain(data), self.event_type)
            self.text(event)
        except (msgspec.ValidationError, BadEvent) as error:
            said = str(error).rstrip(".")
            raise BadNotation(f"This is no event of {self.title}: {said}. See docs/records.md.") from error
        return self.canonical(event)

    def told(self, events: Iterable[Event]) -> str:
        """Several events in one line."""
        return ", ".join(map(self.text, events))

    def load(self, data: bytes) -> S:
        """A state from its JSON, checked.

        Raises:
            BadRecord: It is not a state of this game.
        """
        try:
            state = decode_json(data, self.state_type)
        except Spoiled as error:
            said = f"This is no state of {self.title}: {error}. Start from a journal or a position."
            raise BadRecord(said) from error
        self.check(state)
        return state

    def outcomes(self, state: S) -> Iterable[tuple[Chance, int]]:
        """Possible chance events with weights, lazily; none without chance."""
        return () if self.chance is None else self.chance.outcomes(state)

    def sample(self, state: S, rng: Random) -> Chance:
        """One chance event that is due.

        Raises:
            BadEvent: None can come.
        """
        if self.chance is None:
            raise BadEvent(f"Nothing is left to chance in {self.title}. Make a move.")
        return self.chance.sample(state, rng)

    def unseen(self, state: S) -> Mapping[Piece, int]:
        """Bag and hidden hands together, as a multiset."""
        return {} if self.hidden is None else self.hidden.unseen(state)

    def view(self, state: S, seat: Seat | None) -> S:
        """The position as a seat, or the public, may know it; the state itself if that is all."""
        return state if self.hidden is None or self.hidden.view is None else self.hidden.view(state, seat)

    def redact(self, state: S, event: Event, seat: Seat | None) -> Event | None:
        """The event at a position as a seat, or the public, may know it; None if it learns nothing."""
        return event if self.hidden is None or self.hidden.redact is None else self.hidden.redact(state, event, seat)

    def determinize(self, state: S, rng: Random) -> S:
        """The position with hidden pieces filled in consistently; for players and hints only."""
        if self.hidden is None or self.hidden.determinize is None:
            return state
        return self.hidden.determinize(state, rng)

    @property
    def has_private_hands(self) -> bool:
        """True if some players see what others do not."""
        return self.hidden is not None and self.hidden.redact is not None

    def looks_alike(self, state: S, one: Event, other: Event) -> bool:
        """True if two events leave the same table; False where the game cannot carry one of them out."""
        if one == other:
            return True
        if self.proposer is not None and self.proposer.looks_alike is not None:
            return self.proposer.looks_alike(state, one, other)
        try:
            return state.apply_unchecked(one).layout() == state.apply_unchecked(other).layout()
        except (BadEvent, GameOver):
            return False
