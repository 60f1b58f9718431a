"""Games of cards played by rote, and their twins, which differ only in what somebody must not know."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from companion.core.contract import Event, Over, ToDraw
from companion.core.foundation.errors import MoveError
from companion.core.pieces import Card
from companion.games import GAMES
from companion.games.shared.cards.deck import CODES, number_of

PRIVATE: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("casino", 3, {}),
    ("cribbage", 2, {}),
    ("cribbage", 4, {}),
    ("five-hundred", 3, {}),
    ("poker", 4, {"exchanges": 1, "shared": 1}),
    ("spectrumo", 3, {}),
    ("spectrump", 4, {"hand_loading": True}),
)
"""Games with hands, a number of players and options of each."""
NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Finn", "Gus", "Hal")


def story(game: str, seats: int, options: dict[str, Any], number: int, moves: int) -> list[Event]:
    """Everything that happens in so many moves at random of a game that software deals."""
    rng = Random(f"{game} {number}")
    known = GAMES[game]
    state = known.start(seats, known.Options(**options))
    dealer = known.dealer(rng.randbytes(32))
    events: list[Event] = []
    made = 0
    while not isinstance(state.expects(), Over):
        if isinstance(state.expects(), ToDraw):
            drawn, dealer = dealer.serve(state, known.unseen)
            new: tuple[Event, ...] = drawn
        elif made == moves:
            break
        else:
            legal = [move for move in state.legal_moves() if type(move).__name__ not in ("Fold", "Stop")]
            new = (legal[rng.randrange(len(legal))],)
            dealer = dealer.follow(state, new[0])
            made += 1
        for event in new:
            events.append(event)
            state = state.apply(event)
    return events


def after(game: str, seats: int, options: dict[str, Any], events: list[Event]) -> Any:
    """The position after some events."""
    state = GAMES[game].start(seats, GAMES[game].Options(**options))
    for event in events:
        state = state.apply(event)
    return state


def twins(
    game: str, seats: int, options: dict[str, Any], events: list[Event], viewer: int | None, most: int = 3
) -> Iterator[list[Event]]:
    """The same game with two cards exchanged that `viewer` (None: the public) has not seen, one of them in a hand."""
    state = GAMES[game].start(seats, GAMES[game].Options(**options))
    heard: list[Any] = []
    for event in events:
        heard.append(msgspec.to_builtins(GAMES[game].redact(state, event, viewer)))
        state = state.apply(event)
    seen = set(map(_data, _cards(heard)))
    hidden = [
        piece
        for piece in GAMES[game].unseen(GAMES[game].view(state, viewer))
        if isinstance(piece, Card) and _data(piece) not in seen
    ]
    held = [piece for piece in hidden if piece not in GAMES[game].unseen(state)]
    rng = Random(len(events))
    found = 0
    for _ in range(400):
        if not held:
            return
        one, other = rng.choice(held), rng.choice(hidden)
        if one == other:
            continue
        changed = [_exchanged(game, event, one, other) for event in events]
        try:
            twin = after(game, seats, options, changed)
        except MoveError:
            continue
        if twin != state:
            yield changed
            found += 1
            if found == most:
                return


def elsewhere(events: list[Event], twin: list[Event]) -> tuple[str, ...]:
    """The cards that a twin tells in other places, as notation writes them: the two exchanged ones, and what is sorted around."""
    pairs = zip(_cards(msgspec.to_builtins(events)), _cards(msgspec.to_builtins(twin)), strict=True)
    moved = {card for pair in pairs if pair[0] != pair[1] for card in pair}
    return tuple(sorted(CODES[number_of(f"{card.color} {card.rank}")] for card in moved))


def _exchanged(game: str, event: Event, one: Card, other: Card) -> Event:
    swap = {_data(one): msgspec.to_builtins(other), _data(other): msgspec.to_builtins(one)}

    def walk(data: Any) -> Any:
        if isinstance(data, dict):
            key = msgspec.json.encode(data, order="deterministic")
            return swap[key] if key in swap else {name: walk(value) for name, value in data.items()}
        return [walk(value) for value in data] if isinstance(data, list | tuple) else data

    return GAMES[game].event(walk(msgspec.to_builtins(event)))


def _cards(data: Any) -> Iterator[Card]:
    """Every number card that is named anywhere in an event."""
    if isinstance(data, dict):
        if data.get("type") == "card":
            yield Card(data["color"], data["rank"])
        for value in data.values():
            yield from _cards(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _cards(value)


def _data(card: Card) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(card), order="deterministic")
