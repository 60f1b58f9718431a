"""Usages of dice and cards by the letter of the rules, slowly: spaces, sides and points, and what a roll opens and allots.

Spaces are pairs of a path and a space number, 1 to 9. Nothing of the engine's tables is used.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, permutations, product
from typing import NamedTuple

WHEEL = [
    "red",
    "red-orange",
    "orange",
    "orange-yellow",
    "yellow",
    "yellow-green",
    "green",
    "green-blue",
    "blue",
    "blue-purple",
    "purple",
    "purple-red",
]
Space = tuple[int, int]
SWAPS = [("red", "green"), ("orange", "blue"), ("yellow", "purple"), ("red-orange", "green-blue"),
         ("orange-yellow", "blue-purple"), ("yellow-green", "purple-red")]  # fmt: skip
LETTERS = {color: "".join(word[0].upper() for word in color.split("-")) for color in WHEEL}


def at(number: int) -> str:
    return WHEEL[number % 12]


def sides(space: Space) -> set[Space]:
    """BRD-3 and BRD-4."""
    path, ring = space
    found = {(path, ring - 1), (path, ring + 1)}
    if ring <= 8:
        found |= {((path + 1) % 12, ring), ((path - 1) % 12, ring)}
    return {one for one in found if 1 <= one[1] <= 9}


def points(space: Space) -> set[Space]:
    path, ring = space
    found = {((path + turn) % 12, ring + step) for turn in (1, -1) for step in (1, -1)}
    return {one for one in found if 1 <= one[1] <= 9}


class Part(NamedTuple):
    spaces: int
    colors: frozenset[str]
    through_intermediate: bool = False


class Use(NamedTuple):
    """A usage: the open colors, and its parts; plain rolls have None."""

    open: frozenset[str]
    parts: tuple[Part, ...] | None
    any_order: bool = False
    swap: tuple[str, str] | None = None
    either: bool = False
    """The first two parts in either order."""


def around(color: str) -> frozenset[str]:
    """A color, its opposite, and the neighbors of both on the wheel."""
    here = WHEEL.index(color)
    return frozenset(at(base + turn) for base in (here, here + 6) for turn in (-1, 0, 1))


def opposite(color: str) -> str:
    return at(WHEEL.index(color) + 6)


def dice_uses(roll: list[str], kind: str, free: bool) -> dict[str, Use]:
    """BRD-10, BRD-11, BRD-13: every choice of dice that is a pair or a special roll."""
    found: dict[str, Use] = {}
    for count in range(2, len(roll) + 1):
        for dice in combinations(sorted(roll, key=WHEEL.index), count):
            shown = Counter(dice)
            name = " + ".join(dice)
            if len(shown) == 1:
                found[name] = one_color_use(dice[0], count, kind, free)
            elif len(shown) == 2 and count == 2:
                found[name] = pair_use(*dice, kind)
            elif len(shown) == 2 and count == 4 and set(shown.values()) == {2}:
                found[name] = double_double_use(*shown, kind, free)
    return found


def one_color_use(color: str, count: int, kind: str, free: bool) -> Use:
    six = around(color)
    if kind == "d6" and count == 4:
        parts = (Part(4, frozenset({color})), Part(4, frozenset({opposite(color)})), Part(4, six, True))
        return Use(six, parts, free)
    return Use(six, (Part(count, frozenset({color})), Part(count, six)), free)


def pair_use(one: str, other: str, kind: str) -> Use:
    near = 2 if kind == "d6" else 1
    a, b = WHEEL.index(one), WHEEL.index(other)
    opened = {one, other}
    if (b - a) % 12 == 12 - near:
        a, b = b, a
    if (b - a) % 12 == near:
        opened |= {at(a + 1)} if kind == "d6" else {at(a - 1), at(b + 1)}
    return Use(frozenset(opened), None)


def double_double_use(one: str, other: str, kind: str, free: bool) -> Use:
    if kind == "d12":
        opened = frozenset({one, other, opposite(one), opposite(other)})
        parts = (Part(2, frozenset({one})), Part(2, frozenset({other})), Part(2, opened))
        return Use(opened, parts, free, either=not free)
    opened = around(one) | around(other)
    tops, bottoms = frozenset({one, other}), frozenset({opposite(one), opposite(other)})
    return Use(opened, (Part(2, tops), Part(2, bottoms), Part(2, opened, True)), free)


def card_uses(cards: list[str]) -> dict[str, Use]:
    """VAR-7 to VAR-12 and VAR-16; cards are "red 2" or "swap red/green"."""
    found: dict[str, Use] = {}
    for card in cards:
        if card.startswith("swap "):
            one, other = card[5:].split("/")
            swap = (one, other)
            found[f"swap {LETTERS[one]}/{LETTERS[other]}"] = Use(frozenset(swap), (), swap=swap)
    for count in range(1, len(cards) + 1):
        for some in combinations(cards, count):
            for ways in product(*(ways_to_play(card) for card in some)):
                made = combination([(color, number) for color, number, _ in ways])
                if made is not None:
                    order = sorted(ways, key=lambda way: (WHEEL.index(way[0]), way[1], " as " in way[2]))
                    if made.any_order:
                        made = made._replace(parts=tuple(Part(number, made.open) for _, number, _ in order))
                    found[" + ".join(name for _, _, name in order)] = made
    return found


def ways_to_play(card: str) -> list[tuple[str, int, str]]:
    if card.startswith("swap "):
        pair = card[5:].split("/")
        code = "swap " + "/".join(LETTERS[color] for color in pair)
        return [(color, 1, f"{code} as {LETTERS[color]}") for color in pair]
    color, number = card.rsplit(" ", 1)
    return [(color, int(number), f"{LETTERS[color]}{number}")]


def combination(cards: list[tuple[str, int]]) -> Use | None:
    colors = [color for color, _ in cards]
    if len(cards) == 1:
        only = frozenset(colors)
        return Use(only, (Part(cards[0][1], only),))
    if len(set(colors)) == 1:
        six = around(colors[0])
        return Use(six, tuple(Part(number, six) for _, number in cards), any_order=True)
    for row in permutations(colors):
        places = [WHEEL.index(color) for color in row]
        if all((b - a) % 12 == 1 for a, b in pairwise(places)):
            opened = frozenset(at(place) for place in range(places[0] - 1, places[0] + len(row) + 1))
            return Use(opened, (Part(sum(number for _, number in cards) // 2, opened),))
    return None
