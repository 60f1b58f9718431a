"""Stores owner, kind, color and health of a piece in one byte, with tables by piece and kind (RGB-3, RGB-4, RGB-18).

A *kind* is a number: Wizards of the seven names, the Cleric, Spirits of the seven names. A *piece* is 8 x (1 + 15 x
owner + kind) + health; 0 is an empty cell.
"""

from __future__ import annotations

from companion.core.pieces import Pyramid
from companion.games.regenbogen.board import CLEAR, NAMES, OPPOSITE
from companion.games.regenbogen.data import DATA, SIDES, ULTIMA

CLERIC = len(NAMES)
SPIRITS = CLERIC + 1
"""The first kind of Spirit; the kinds of Wizards begin at 0."""
KINDS = SPIRITS + len(NAMES)
RED_FIRST = range(len(NAMES))
"""The indices of `NAMES`."""


def piece(owner: int, kind: int, health: int) -> int:
    """Returns the byte of a piece."""
    return 8 * (1 + KINDS * owner + kind) + health


PIECES = piece(len(SIDES) - 1, KINDS - 1, 7) + 1
"""The number of byte values in use; larger bytes have no meaning."""

KIND: tuple[int, ...] = tuple((one // 8 - 1) % KINDS if one >= 8 else -1 for one in range(PIECES))
"""The kind of each piece; -1 for an empty cell."""
OWNER: tuple[int, ...] = tuple((one // 8 - 1) // KINDS if one >= 8 else -1 for one in range(PIECES))
"""The owner's seat of each piece; -1 for an empty cell."""


def color_of(kind: int) -> int | None:
    """Returns the place of a Wizard's or Spirit's color in `NAMES`; None for a Cleric."""
    if kind == CLERIC:
        return None
    return kind if kind < CLERIC else kind - SPIRITS


COLOR_OF: tuple[int | None, ...] = tuple(color_of(kind) for kind in range(KINDS))
"""The color of each kind."""


def rank_of(kind: int) -> str:
    """Returns "wizard", "cleric" or "spirit"."""
    if kind == CLERIC:
        return "cleric"
    return "wizard" if kind < CLERIC else "spirit"


VALUE: tuple[int, ...] = tuple(getattr(DATA.movement, rank_of(kind)) for kind in range(KINDS))
"""For each kind, cells in one move (RGB-10)."""
START_HEALTH: tuple[int, ...] = tuple(getattr(DATA.health, rank_of(kind)) for kind in range(KINDS))
"""The health of each kind at the start, which is also its maximum (RGB-4)."""
MOST_SPIRITS: tuple[int, ...] = tuple(
    DATA.spirits.ultima_max if color == CLEAR else DATA.spirits.max_per_color for color in RED_FIRST
)
"""For each color, Spirits of one side (RGB-19)."""
POOL: tuple[int, ...] = tuple(
    DATA.spirits.ultima_health_pool if color == CLEAR else DATA.spirits.health_pool for color in RED_FIRST
)
"""For each color, all health of one side's Spirits (RGB-19)."""


def shuns(kind: int, color: int) -> bool:
    """True if pieces of a kind may not stand on cells of a color: its opposite, or white for a Cleric (RGB-12)."""
    own = COLOR_OF[kind]
    return color == CLEAR if own is None else color == OPPOSITE[own]


def _damage(attacker: int, victim: int) -> int:
    """Returns one entry of the table (RGB-18): the first line that fits."""
    table = DATA.damage
    one, other = COLOR_OF[attacker], COLOR_OF[victim]
    if one is None:
        return table.cleric_on_any
    spirit = attacker >= SPIRITS
    if other is None:
        return table.spirit_on_cleric if spirit else table.wizard_on_cleric
    if CLEAR in (one, other):
        return table.spirit_ultima_involved if spirit else table.wizard_ultima_involved
    row = table.spirit_by_wheel_distance if spirit else table.wizard_by_wheel_distance
    return row[DATA.distance(NAMES[one], NAMES[other])]


DAMAGE: tuple[tuple[int, ...], ...] = tuple(
    tuple(_damage(attacker, victim) for victim in range(KINDS)) for attacker in range(KINDS)
)
"""The damage by the kinds of attacker and victim."""


def called(kind: int) -> str:
    """Returns a kind in words: "red Wizard", "Ultima Spirit", "Cleric"."""
    color = COLOR_OF[kind]
    if color is None:
        return "Cleric"
    return f"{NAMES[color].capitalize() if color == CLEAR else NAMES[color]} {rank_of(kind).capitalize()}"


def words(one: int) -> str:
    """Returns a piece in the words of a record: "white red wizard 5", "black cleric 0"."""
    kind = KIND[one]
    color = COLOR_OF[kind]
    named = "" if color is None else f"{NAMES[color]} "
    return f"{SIDES[OWNER[one]]} {named}{rank_of(kind)} {one & 7}"


def translucent(color: int) -> str:
    """Returns the color of pyramids that show a spectrum name: Ultima pieces are clear (RGB-1)."""
    return "clear" if NAMES[color] == ULTIMA else NAMES[color]


def top(one: int, spells: int) -> Pyramid:
    """Returns the topmost pyramid of a piece, which is what a camera sees from above (RGB-3, RGB-29).

    Args:
        spells: The number of spells of the owner; they lie on a Cleric, under its health.
    """
    kind = KIND[one]
    color = COLOR_OF[kind]
    shown = SIDES[OWNER[one]] if color is None else translucent(color)
    if one & 7:
        return Pyramid(shown, "small")
    if kind >= SPIRITS or (kind == CLERIC and spells):
        return Pyramid(shown, "medium")
    return Pyramid(shown, "large")
