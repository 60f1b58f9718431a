"""Reads positions as people write them (docs/records.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from companion.errors import BadNotation, BadRecord

F = TypeVar("F")
S = TypeVar("S")


def read_form(
    title: str, form: type[F], data: Mapping[str, Any], made: Callable[[F], S], check: Callable[[S], None]
) -> S:
    """The position that a record describes.

    :param made: from the form to the position; may raise `BadNotation` with the rest of a sentence.
    :raises BadRecord: it cannot be read, or contradicts itself or the pieces that there are.
    """
    try:
        state = made(msgspec.convert(data, form))
    except (msgspec.ValidationError, BadNotation) as error:
        raise BadRecord(f"This is no position of {title}: {error} See docs/records.md.") from error
    check(state)
    return state


def checker(title: str, fault: Callable[[S], str | None]) -> Callable[[S], None]:
    """What holds a state of a game that was read from somewhere against the pieces and the players.

    :param fault: what contradicts itself in a state, as the rest of a sentence; None if nothing does.
    """

    def check(state: S) -> None:
        """Whether a position can be.

        :raises BadRecord: its parts contradict each other.
        """
        said = fault(state)
        if said:
            raise BadRecord(f"This is no position of {title}: {said} Start from a journal or a position.")

    return check
