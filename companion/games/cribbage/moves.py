"""The moves of Cribbage: lay cards away, play a card, say Go, count (CRB-2, CRB-4, CRB-6).

Every move names its player, because all players lay cards away at the same time and count their hands one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal, NamedTuple, Protocol

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Drawn, Expect, Seat, Shown, ToMove
from companion.core.foundation.errors import BadNotation
from companion.core.pieces import Card
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.deck import CARDS, place_of
from companion.games.shared.forms.player_lines import PlayerLines

MOST_PLAYERS = 4
Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
Counted = Literal["hand", "crib"]


class _PlayerMove(Struct, frozen=True, cache_hash=True):
    seat: Player
    """The player who acts."""


class LayAway(_PlayerMove, frozen=True, tag="lay-away"):
    """A player lays cards face down into the crib (CRB-2); None stands for a card that the referee has not seen.

    `cards` is kept sorted by number, unknown cards last.
    """

    cards: Annotated[tuple[Card | None, ...], Meta(max_length=12)]

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards, key=place_of)))


def lay_aways(seat: int, choices: Iterable[tuple[Card, ...]], unknown: int) -> list[LayAway]:
    """Returns one move for each choice of cards, which must be sorted by number; each also lays away `unknown` unknown
    cards.

    The moves are copies of an empty one, which avoids sorting their cards again.
    """
    copy, rest = LayAway(seat, ()).__copy__, (None,) * unknown  # type: ignore[attr-defined]
    found = []
    for cards in choices:
        move = copy()
        force_setattr(move, "cards", cards + rest)
        found.append(move)
    return found


class Play(_PlayerMove, frozen=True, tag="play"):
    """A player lays a card open, and its rank is added to the count (CRB-4)."""

    card: Card


class Go(_PlayerMove, frozen=True, tag="go"):
    """A player says that no card in hand keeps the count at 37 or below (CRB-4)."""


class Count(_PlayerMove, frozen=True, tag="count"):
    """A player counts the own hand, or the dealer the crib, and announces its points (CRB-6)."""

    of: Counted
    points: Annotated[int, Meta(ge=0)]


Move = LayAway | Play | Go | Count
CribbageEvent = Move | Drawn | Shown

PLAYS: tuple[tuple[Play, ...], ...] = tuple(tuple(Play(seat, card) for card in CARDS) for seat in range(MOST_PLAYERS))
"""All plays, by seat and card number."""
GOES: tuple[Go, ...] = tuple(Go(seat) for seat in range(MOST_PLAYERS))
"""The Go of each seat."""


# Writes and reads events as one line of text that means the same in every position.
#
# `player 1 lays away R3, B7, ??`, `player 1 plays R9`, `player 1 says go`, `player 1 counts hand 14`; drawn and shown
# cards are read by `deck_events`. A count without points stands for the right ones.


class Countable(Protocol):
    """The part of a position that supplies the points of a count written without them."""

    @property
    def is_played(self) -> bool:
        """True if the hands are to be counted now."""

    @property
    def counting(self) -> tuple[Seat, Counted]:
        """The seat that counts next, and whether it counts its hand or the crib."""

    @property
    def worth(self) -> tuple[int, ...]:
        """The points of the hand or crib to count, by kind."""

    def expects(self) -> Expect:
        """Returns the event that must come next."""


def text(event: CribbageEvent) -> str:
    """Returns the event as a line of text.

    Raises:
        BadEvent: It names a card that the game does not have.
    """
    match event:
        case Drawn() | Shown():
            return deck_events.text_of(event)
        case LayAway():
            cards = ", ".join(map(deck_events.code_of, event.cards)) or "nothing"
            return f"player {event.seat + 1} lays away {cards}"
        case Play():
            return f"player {event.seat + 1} plays {deck_events.code_of(event.card)}"
        case Go():
            return f"player {event.seat + 1} says go"
    return f"player {event.seat + 1} counts {event.of} {event.points}"


def parse(position: Countable, line: str) -> CribbageEvent:
    """Returns the event that a line names, legal or not.

    Raises:
        BadNotation: No event of Cribbage reads so.
    """
    event = _LINES.read(line)
    if not isinstance(event, _Unsaid):
        return event
    due = isinstance(position.expects(), ToMove) and position.is_played
    if not due or position.counting != event:
        raise BadNotation(f'"{line}" does not say how many points, and it is not the time to count that.')
    return Count(*event, sum(position.worth))


class _Unsaid(NamedTuple):
    """A count without points."""

    seat: Seat
    of: Counted


def _count(seat: Seat, found: re.Match[str]) -> Count | _Unsaid:
    of: Counted = "crib" if found[1] == "crib" else "hand"
    return Count(seat, of, int(found[2])) if found[2] else _Unsaid(seat, of)


_LINES: PlayerLines[CribbageEvent | _Unsaid] = PlayerLines(
    "Cribbage",
    MOST_PLAYERS,
    {
        "(?:says )?go": lambda seat, found: GOES[seat],
        r"plays (\S+)": lambda seat, found: Play(seat, deck_events.named_card(found[1])),
        "lays away nothing": lambda seat, found: LayAway(seat, ()),
        "lays away (.+)": lambda seat, found: LayAway(seat, deck_events.cards_in(found[1])),
        r"counts (hand|crib)(?: (\d{1,3}))?": _count,
    },
    'Write "player 1 lays away R3, B7, GB9", "player 1 plays R9", "player 1 says go", "player 1 counts hand 14" or'
    ' "player 1 draws R7, ??".',
    deck_events.read,
)
