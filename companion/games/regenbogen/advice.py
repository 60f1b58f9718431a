"""Computes the page's advice on a position: the effect of each move, the stores, the distance to a domination.

All functions are pure functions of a position; they do not judge moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.core.contract import Seat
from companion.games.regenbogen.board import CELL, CELLS, CLEAR, COLOR, HEADING, NAMES, NEIGHBORS, PLACE, RAYS
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import (
    CLERIC,
    DAMAGE,
    KIND,
    MOST_SPIRITS,
    OWNER,
    POOL,
    SPIRITS,
    START_HEALTH,
    VALUE,
    called,
)
from companion.games.regenbogen.moves import Action, Fight, Go, Heal, Recover, SelfDestruct, Summon
from companion.games.regenbogen.reach import open_cells, range_of
from companion.games.regenbogen.situation import Situation


class ActionEffect(Struct, frozen=True):
    """The effect of a move."""

    note: str
    """A few letters for the cell, such as "-3"."""
    text: str
    """The effect in words, with its rule."""


def name_of(one: int) -> str:
    """Returns a piece with its side in words: "White's red Wizard"."""
    return f"{SIDES[OWNER[one]].capitalize()}'s {called(KIND[one])}"


def effect(situation: Situation, move: Go | Action) -> ActionEffect:
    """Returns the effect of a legal move of the side on turn."""
    cell = CELL[move.piece]
    match move:
        case Go():
            return _of_go(situation, cell, CELL[move.to])
        case Fight():
            attacker, victim = (KIND[situation.board[CELL[at]]] for at in (move.piece, move.target))
            harm = DAMAGE[attacker][victim]
            return ActionEffect(f"-{harm}", f"{harm} damage (RGB-18): {_harmed(situation, CELL[move.target], harm)}")
        case Summon():
            color = KIND[situation.board[cell]]
            spirits, health = situation.pool(situation.turn, color)
            given = DATA.spirits.summon_health
            text = (
                f"a {called(SPIRITS + color)} with {given} health comes from the pool (RGB-19); "
                f"it keeps {_count(spirits - 1, 'Spirit')} and {health - given} health"
            )
            return ActionEffect(f"+{given}", text)
        case Heal():
            one = situation.board[CELL[move.target]]
            spells = situation.spells[situation.turn]
            text = (
                f"{called(KIND[one])}: {one & 7} becomes {(one & 7) + move.points} health (RGB-21); "
                f"costs a spell, {spells - 1} left"
            )
            return ActionEffect(f"+{move.points}", text)
        case Recover():
            spells = situation.spells[situation.turn]
            return ActionEffect("+1", f"{spells} becomes {_count(spells + 1, 'spell')} (RGB-22)")
        case SelfDestruct():
            return _of_self_destruct(situation, cell)


def _of_go(situation: Situation, start: int, to: int) -> ActionEffect:
    kind = KIND[situation.board[start]]
    ray = RAYS[start][HEADING[start][to]]
    steps = ray.index(to) + 1
    text = _count(steps, "cell")
    if steps > VALUE[kind]:
        carried = range_of(kind, start, open_cells(kind, ray)[:steps], situation.options.boost_stacks)
        boosts = [
            words
            for holds, words in (
                (carried.by_start, "it starts on its own color, RGB-13"),
                (carried.by_way, "its own color lies on the way, RGB-14"),
            )
            if holds
        ]
        text += f", boosted: {' and '.join(boosts)}"
    return ActionEffect("", text)


def _of_self_destruct(situation: Situation, spirit: int) -> ActionEffect:
    harm = DATA.damage.self_destruct
    victims = [cell for cell in NEIGHBORS[spirit] if situation.board[cell]]
    each = "; ".join(
        f"{name_of(situation.board[cell])} on {CELLS[cell]}: {_harmed(situation, cell, harm)}" for cell in victims
    )
    return ActionEffect(f"-{harm}", f"{harm} damage to everything around (RGB-23): {each or 'nothing is there'}")


def _harmed(situation: Situation, cell: int, harm: int) -> str:
    """Returns the effect of damage on the piece on a cell (RGB-16, RGB-17)."""
    one = situation.board[cell]
    health = one & 7
    if harm <= health:
        return f"{health} becomes {health - harm} health"
    if KIND[one] == CLERIC and situation.spells[OWNER[one]]:
        return f"more than its {health} health, so its owner gives up a spell or the Cleric"
    return f"more than its {health} health, so it is killed"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


class Store(Struct, frozen=True):
    """The pieces of one color and one side (RGB-5, RGB-19)."""

    color: str
    wizard: int | None
    """The health of the Wizard; None if it is dead."""
    wizard_most: int
    spirits: tuple[int, ...]
    """The health of each Spirit on the board."""
    spirits_left: int
    spirits_most: int
    health_left: int
    health_most: int


def stores(situation: Situation, seat: Seat) -> tuple[Store, ...]:
    """Returns the stores of a side by the seven names."""
    own = [one for one in situation.board if OWNER[one] == seat]
    found = []
    for color, name in enumerate(NAMES):
        wizard = next((one & 7 for one in own if KIND[one] == color), None)
        spirits = tuple(sorted((one & 7 for one in own if KIND[one] == SPIRITS + color), reverse=True))
        left, health = situation.pool(seat, color)
        found.append(Store(name, wizard, START_HEALTH[color], spirits, left, MOST_SPIRITS[color], health, POOL[color]))
    return tuple(found)


class Progress(Struct, frozen=True):
    """The progress of a side toward one of the five dominations (RGB-25)."""

    name: str
    way: tuple[str, ...]
    """The names of the enemy Wizards that must die, for the set with the fewest still alive."""
    dead: tuple[str, ...]
    """The names in `way` of Wizards that are dead."""


def dominations(situation: Situation, seat: Seat) -> tuple[Progress, ...]:
    """Returns the five dominations, each in the way that is nearest; the first named of equally near ones."""
    dead = situation.dead[1 - seat]

    def fallen(way: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in way if dead >> PLACE[name] & 1)

    found = []
    for kind, ways in DATA.dominations.items():
        way = min(ways, key=lambda way: len(way) - len(fallen(way)))
        found.append(Progress(kind, way, fallen(way)))
    return tuple(found)


def color_of_cell(cell: int) -> str:
    """Returns the name of a cell's color; Ultima cells are white."""
    return "white" if COLOR[cell] == CLEAR else NAMES[COLOR[cell]]
