"""The options of Roll & Color: there are none, only the number of players."""

from __future__ import annotations

from msgspec import Struct

from companion.core.foundation.errors import BadOptions
from companion.games.roll_and_color.moves import MOST_PLAYERS


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Roll & Color: none."""


def check_seats(seats: int) -> None:
    """Checks the number of players (ROL-2).

    Raises:
        BadOptions: Too few or too many.
    """
    if not 1 <= seats <= MOST_PLAYERS:
        raise BadOptions(f"Roll & Color has 1 to {MOST_PLAYERS} players, not {seats} (ROL-2). Choose their number.")
