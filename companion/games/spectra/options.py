"""The options of Spectra: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.core.foundation.errors import BadOptions
from companion.games.shared.forms.player_colors import colors_by_seat
from companion.games.spectra.stash import TREE_COLORS


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Spectra."""

    colors: Annotated[
        str,
        Meta(
            title="Who has which trees?",
            max_length=80,
            description="Tree colors by player, separated by commas: blue,purple. Empty: red, orange, yellow, green, "
            "blue, purple in the order of the seats. SPA-2.",
        ),
    ] = ""


def tree_colors(seats: int, options: Options) -> tuple[str, ...]:
    """Returns the tree color of each seat (SPA-2).

    Raises:
        BadOptions: Too few or too many players or colors, a color twice, or one that is no tree color.
    """
    if not 2 <= seats <= len(TREE_COLORS):
        raise BadOptions(f"Spectra has 2 to {len(TREE_COLORS)} players, not {seats} (SPA-2). Choose their number.")
    return colors_by_seat(options.colors, seats, TREE_COLORS, TREE_COLORS, "tree", "SPA-2")
