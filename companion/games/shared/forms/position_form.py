"""Reads positions in their written form (docs/records.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from companion.core.contract import State
from companion.core.foundation.errors import BadNotation, BadRecord
from companion.core.game import Setup
from companion.games.shared.cards.deck import numbers_of

F = TypeVar("F")
N = TypeVar("N", int, float)
Options = TypeVar("Options")
S = TypeVar("S", bound=State)


def reader(
    title: str, form: type[F], made: Callable[[int, Options, F], S]
) -> Callable[[int, Options, Mapping[str, Any]], Setup[S]]:
    """Returns the function that reads a position of a game from seats, options and its written form.

    Args:
        made: Converts the form to the position; may raise `BadNotation` with the rest of a sentence.
    """

    def read(seats: int, options: Options, data: Mapping[str, Any]) -> Setup[S]:
        """Returns the position that a record describes, to be checked.

        Raises:
            BadRecord: It cannot be read.
        """
        try:
            return Setup(made(seats, options, msgspec.convert(data, form)))
        except (msgspec.ValidationError, BadNotation) as error:
            said = str(error).rstrip(".")
            raise BadRecord(f"This is no position of {title}: {said}. See docs/records.md.") from error

    return read


def checker(title: str, fault: Callable[[S], str | None]) -> Callable[[S], None]:
    """Returns the function that checks a state of a game from a file against the pieces and the players.

    Args:
        fault: Returns the contradiction in a state, as the rest of a sentence, or None.
    """

    def check(state: S) -> None:
        """Checks that a position is possible.

        Raises:
            BadRecord: Its parts contradict each other.
        """
        said = fault(state)
        if said:
            raise BadRecord(f"This is no position of {title}: {said} Start from a journal or a position.")

    return check


def check_seat(seat: int, seats: int) -> None:
    """Checks that a seat exists.

    Raises:
        BadNotation: There is no such seat.
    """
    if seat >= seats:
        raise BadNotation(f"there is no seat {seat}; seats are 0 to {seats - 1}.")


def brought(scores: tuple[N, ...], seats: int) -> tuple[N, ...]:
    """Returns the scores of a match so far; an empty tuple if all are 0.

    Raises:
        BadNotation: There is not one score for each player.
    """
    if scores and len(scores) != seats:
        raise BadNotation(f"it has {len(scores)} scores for {seats} players.")
    return scores if any(scores) else ()


CardsForm = str | tuple[str, ...]
"""Cards as a list of codes, or in the older form of one text: ["R5", "??"], "R5, ??"."""


def cards_in(cards: CardsForm, where: str) -> tuple[int | None, ...]:
    """Returns the cards of a list or a text, None for each unknown one; an empty text names none.

    Raises:
        BadRecord: One of them is no card of the deck, or an entry of a list is not one card.
    """
    try:
        if isinstance(cards, str):
            return numbers_of(cards) if cards.strip() else ()
        found = [numbers_of(card) for card in cards]
    except BadNotation as error:
        raise BadRecord(f"In {where}: {error}") from error
    for card, numbers in zip(cards, found, strict=True):
        if len(numbers) != 1:
            raise BadRecord(f'In {where} "{card[:40]}" is not one card. Write a list with a code for each card.')
    return tuple(number for (number,) in found)
