"""Reads every number of Regenbogen from `data.json` and checks it.

Much of the designer's text is lost, so the file holds rulings; when the original is found, only that file changes. A
file that contradicts itself is refused with the contradiction, so that it cannot cause strange moves later.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.foundation.errors import BadRecord
from companion.core.foundation.kept_file import Spoiled, decode_json

ULTIMA = "ultima"
"""The seventh name, which is not on the wheel (RGB-1)."""
CLERIC = "cleric"
SIDES = ("white", "black")
"""The color of the opaque pieces of each seat."""

Count = Annotated[int, Meta(ge=0, le=1000)]


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """The cells and their colors (RGB-6)."""

    files: str
    ranks: Annotated[int, Meta(ge=1, le=9)]
    cells_of_a_wheel_color: Count
    cells_of_ultima: Count
    cells: dict[str, str]


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The setup: cell to the spectrum name of its Wizard, or "cleric" (RGB-7)."""

    white: dict[str, str]
    black: dict[str, str]


class Movement(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of cells in one move (RGB-10), and the cells that a boost adds (RGB-13, RGB-14)."""

    wizard: Count
    cleric: Count
    spirit: Count
    boost: Count


class Health(Struct, frozen=True, forbid_unknown_fields=True):
    """The health of pieces at the start, which is also their maximum (RGB-4); it fits in three bits."""

    wizard: Annotated[int, Meta(ge=0, le=7)]
    cleric: Annotated[int, Meta(ge=0, le=7)]
    spirit: Annotated[int, Meta(ge=0, le=7)]


class Cleric(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of spells of a Cleric (RGB-4, RGB-22) and the health that one spell restores (RGB-21)."""

    spells_start: Count
    spells_max: Count
    heal_up_to: Count


class Spirits(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of Spirits and their health for each color and side (RGB-19)."""

    max_per_color: Count
    health_pool: Count
    ultima_max: Count
    ultima_health_pool: Count
    summon_health: Count


class Damage(Struct, frozen=True, forbid_unknown_fields=True):
    """The damage table (RGB-18) and the damage of a self-destruct (RGB-23)."""

    wizard_by_wheel_distance: tuple[Count, Count, Count, Count]
    spirit_by_wheel_distance: tuple[Count, Count, Count, Count]
    wizard_ultima_involved: Count
    spirit_ultima_involved: Count
    wizard_on_cleric: Count
    spirit_on_cleric: Count
    cleric_on_any: Count
    self_destruct: Count


class SizeCounts(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of pyramids of each size."""

    large: Count
    medium: Count
    small: Count


class SideSet(Struct, frozen=True, forbid_unknown_fields=True):
    """The pyramids of one side (RGB-4)."""

    opaque: SizeCounts
    wheel_color: SizeCounts
    ultima: SizeCounts


class Bounds(Struct, frozen=True, forbid_unknown_fields=True):
    """The range of a number that players may choose."""

    default: Count
    least: Count
    most: Count


class Defaults(Struct, frozen=True, forbid_unknown_fields=True):
    """The defaults of the options (RGB-14, RGB-23, RGB-27)."""

    self_destruct_any_health: bool
    boost_stacks: bool
    repetition_draw: Bounds
    no_damage_draw_turns: Bounds


class Data(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the data file."""

    status: str
    wheel: tuple[str, str, str, str, str, str]
    opposite: dict[str, str]
    board: Board
    setup: Setup
    first_player: str
    movement: Movement
    health: Health
    cleric: Cleric
    spirits: Spirits
    damage: Damage
    dominations: dict[str, tuple[tuple[str, ...], ...]]
    set_of_a_side: SideSet
    options: Defaults

    @property
    def names(self) -> tuple[str, ...]:
        """The seven spectrum names; those of the wheel come first (RGB-1)."""
        return (*self.wheel, ULTIMA)

    def distance(self, one: str, other: str) -> int:
        """Returns the number of steps between two colors on the wheel of six, 0 to 3 (RGB-2)."""
        apart = abs(self.wheel.index(one) - self.wheel.index(other))
        return min(apart, len(self.wheel) - apart)

    def turned(self, cell: str) -> str:
        """Returns where a half turn of the board carries a cell (RGB-6)."""
        files = self.board.files
        return f"{files[-1 - files.index(cell[0])]}{self.board.ranks + 1 - int(cell[1:])}"


def parse(text: bytes) -> Data:
    """Reads and checks a data file.

    Raises:
        BadRecord: The file is not a data file or contradicts itself; the message says where.
    """
    try:
        data = decode_json(text, Data)
    except Spoiled as error:
        raise BadRecord(f"The data of Regenbogen cannot be read: {error}. Restore data.json.") from error
    for what, holds in _checks(data):
        if not holds:
            raise BadRecord(f"The data of Regenbogen contradicts itself: {what}. Restore data.json.")
    return data


def _checks(data: Data) -> list[tuple[str, bool]]:
    """Returns the demands in words, each with whether the data meets it; a later demand may rely on earlier ones."""
    found = [("RGB-2 wants six wheel colors, each named once", len(set(data.wheel)) == len(data.wheel))]
    if not found[0][1] or ULTIMA in data.wheel:
        return [("RGB-2 wants six wheel colors, each named once", False)]
    for one in data.wheel:
        other = data.opposite.get(one, one)
        apart = other in data.wheel and data.distance(one, other) == len(data.wheel) // 2
        found.append((f"RGB-2 wants {one} opposite to {other} on the wheel", apart))
    found.append(("RGB-2 gives an opposite to wheel colors alone", set(data.opposite) == set(data.wheel)))
    found += _board_checks(data.board, data) + _setup_checks(data) + _set_checks(data)
    dead = {name for ways in data.dominations.values() for way in ways for name in way}
    found.append(("RGB-25 names other Wizards than there are", dead == set(data.names)))
    return found


def _board_checks(board: Board, data: Data) -> list[tuple[str, bool]]:
    edge = (board.files[0], board.files[-1])
    corners = {f"{file}{rank}" for file in edge for rank in (1, board.ranks)}
    grid = {f"{file}{rank}" for file in board.files for rank in range(1, board.ranks + 1)}
    if set(board.cells) != grid - corners:
        return [(f"RGB-6 wants all cells but the corners, and there are {len(board.cells)}", False)]
    held = list(board.cells.values())
    counts = [(name, board.cells_of_a_wheel_color) for name in data.wheel] + [(ULTIMA, board.cells_of_ultima)]
    turned = all(color == board.cells.get(data.turned(cell)) for cell, color in board.cells.items())
    return [
        *[(f"RGB-6 wants {count} cells of {name}", held.count(name) == count) for name, count in counts],
        ("RGB-6 wants the same colors after a half turn", turned),
    ]


def _setup_checks(data: Data) -> list[tuple[str, bool]]:
    white, black, cells = data.setup.white, data.setup.black, data.board.cells
    everybody = sorted((*data.names, CLERIC))
    return [
        ("RGB-4 wants seven Wizards and a Cleric a side", sorted(white.values()) == everybody),
        ("RGB-7 wants pieces on cells of the board", set(white) <= set(cells)),
        ("RGB-7 wants Black's array as the half turn", black == {data.turned(at): one for at, one in white.items()}),
        (
            "RGB-7 wants every Wizard on its own color",
            all(name in (CLERIC, cells.get(cell)) for cell, name in white.items()),
        ),
        ("RGB-7 wants White or Black to begin", data.first_player in SIDES),
    ]


def _set_checks(data: Data) -> list[tuple[str, bool]]:
    """Returns the demands on the counts of RGB-4, which are computed again from the board and the stores."""
    spirits, health, cleric, sides = data.spirits, data.health, data.cleric, data.set_of_a_side
    wheel = len(data.wheel)
    every = wheel * spirits.max_per_color + spirits.ultima_max
    opaque = SizeCounts(1, len(data.names) + cleric.spells_max, every + health.cleric)
    color = SizeCounts(1, spirits.max_per_color, health.wizard + spirits.health_pool)
    clear = SizeCounts(1, spirits.ultima_max, health.wizard + spirits.ultima_health_pool)
    chosen = (data.options.repetition_draw, data.options.no_damage_draw_turns)
    return [
        (f"RGB-4 wants {opaque} opaque", sides.opaque == opaque),
        (f"RGB-4 wants {color} of a wheel color", sides.wheel_color == color),
        (f"RGB-4 wants {clear} of Ultima", sides.ultima == clear),
        ("RGB-19 summons with the health that RGB-4 names", spirits.summon_health == health.spirit),
        ("RGB-4 starts with more spells than there are", cleric.spells_start <= cleric.spells_max),
        ("RGB-27 has a default out of bounds", all(one.least <= one.default <= one.most for one in chosen)),
    ]


DATA = parse(files(__package__).joinpath("data.json").read_bytes())
"""The data of the game."""
