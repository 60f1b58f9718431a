"""The options of Spectrum Escape: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.foundation.errors import BadOptions
from companion.core.pieces import PRIMARIES
from companion.games.shared.forms.player_colors import colors_by_seat

MOST_PLAYERS = 4
"""The largest number of players (ESC-1)."""
NEEDED = {2: 7, 3: 5, 4: 4}
"""Number of players to the number of escapes that wins (ESC-1)."""
PAWNS = 10
"""The number of pawns of each player (ESC-1)."""
USUAL_COLORS = ("red", "blue", "yellow", "green", "orange", "purple")
"""The default pawn colors by seat: neighbors at the table get colors that look least alike."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Spectrum Escape."""

    alone: Annotated[
        Literal["one", "centre"],
        Meta(
            title="How far does a pawn alone advance?",
            description="This is for a pawn that leads a color in which no other pawn stands. ESC-8.",
            extra_json_schema={"labels": {"one": "1 space", "centre": "as far as its gap from the center"}},
        ),
    ] = "one"
    first: Annotated[
        int,
        Meta(
            title="Which player begins?",
            ge=1,
            le=MOST_PLAYERS,
            description="Which player begins, counted from 1. ESC-16.",
            extra_json_schema={"seats": "most"},
        ),
    ] = 1
    colors: Annotated[
        str,
        Meta(
            title="Who has which pawns?",
            max_length=60,
            description="Pawn colors by player, separated by commas: red,blue. Empty: red, blue, yellow, green in "
            "the order of the seats. ESC-1.",
        ),
    ] = ""


def pawn_colors(seats: int, options: Options) -> tuple[str, ...]:
    """Returns the pawn color of each seat.

    Raises:
        BadOptions: Too few or too many players, no player who begins, or colors that no set of pawns has.
    """
    if seats not in NEEDED:
        raise BadOptions(f"Spectrum Escape has 2 to {MOST_PLAYERS} players, not {seats} (ESC-1). Choose their number.")
    if options.first > seats:
        raise BadOptions(f"Player {options.first} cannot begin: there are {seats} (ESC-16). Choose one of them.")
    return colors_by_seat(options.colors, seats, USUAL_COLORS, PRIMARIES, "pawn", "ESC-1")
