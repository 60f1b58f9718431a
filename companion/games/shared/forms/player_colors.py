"""Reads the colors that players choose for their pieces from an option: "red,blue"."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.foundation.errors import BadOptions


def chosen_colors(said: str, possible: Sequence[str], what: str, rule: str) -> tuple[str, ...]:
    """Returns the colors that an option names, by seat; empty if it names none.

    Args:
        what: The name of the pieces in the singular: "pawn".

    Raises:
        BadOptions: A color that such pieces do not have.
    """
    given = tuple(color.strip().lower() for color in said.split(",") if color.strip())
    for color in given:
        if color not in possible:
            raise BadOptions(f'"{color}" is no {what} color ({rule}). Choose from: {", ".join(possible)}.')
    return given


def colors_by_seat(
    said: str, seats: int, usual: Sequence[str], possible: Sequence[str], what: str, rule: str
) -> tuple[str, ...]:
    """Returns one color for each seat; if the option names none, the first of `usual`.

    Raises:
        BadOptions: Too few or too many colors, one twice, or one that such pieces do not have.
    """
    given = chosen_colors(said, possible, what, rule) or tuple(usual[:seats])
    if len(given) != seats or len(set(given)) != seats:
        raise BadOptions(
            f"{seats} players need {seats} different {what} colors, not {', '.join(given)} ({rule}). "
            "Give each player one of them."
        )
    return given
