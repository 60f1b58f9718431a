"""A turn of Spectrum by the letter of the rules, slowly: it shares no table, mask or bookkeeping with the engine.

Spaces are pairs of a path and a space number, 1 to 9. Every way of a pawn is walked out as a list; pawns have names of
their own, so that what BRD-19 asks of "the same pawn" is simply looked up. The turn is followed from its roll by the
events that happened, and says at every point which events are legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations, product
from typing import Any, NamedTuple

from companion.games.spectrum.moves import Declare, Go, Place, Swap

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
        parts = (
            Part(4, frozenset({color})),
            Part(4, frozenset({opposite(color)})),
            Part(4, six, True),
        )
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
        return Use(opened, (Part(2, frozenset({one})), Part(2, frozenset({other})), Part(2, opened)), free)
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


class Pawn(NamedTuple):
    name: int
    color: str


class SlowTurn:
    """One turn, from its roll on."""

    def __init__(self, state: Any, uses: dict[str, Use], self_capture: bool, self_jump: bool) -> None:
        self.me = state.turn
        self.teams = state.teams
        self.pawns: dict[Space, Pawn] = {}
        for spot, sighting in state.layout().cells.items():
            if sighting.piece is not None:
                path, ring = spot.split(".")
                self.pawns[WHEEL.index(path), int(ring)] = Pawn(len(self.pawns), sighting.piece.color)
        self.stock = Counter(
            sighting.piece.color
            for spot, heap in state.layout().heaps.items()
            if spot.endswith(".stock")
            for sighting in heap
        )
        self.names = 1000
        self.self_capture, self.self_jump = self_capture, self_jump
        self.uses = uses
        self.use: Use | None = None
        self.single = 2
        self.todo: list[int] = []
        self.entered: dict[int, set[str]] = {}
        self.taken: Pawn | None = None
        self.over = False
        if not self.living():
            self.over = True

    # --- who stands where

    def owner(self, color: str) -> int:
        return next(seat for seat, colors in enumerate(self.teams) if color in colors)

    def mine(self, space: Space) -> bool:
        return space in self.pawns and self.owner(self.pawns[space].color) == self.me

    def may_capture(self, space: Space) -> bool:
        return space in self.pawns and space[1] != 9 and (self.self_capture or not self.mine(space))

    def may_jump(self, space: Space) -> bool:
        return space in self.pawns and space[1] != 9 and (self.self_jump or not self.mine(space))

    # --- ways

    def ways(self, start: Space | None, spaces: int, colors: frozenset[str], opened: frozenset[str]) -> Iterator[Any]:
        """(end, colors entered, every space touched) of each way; `start` None is the stock."""
        if start is None:
            for path in range(0, 12, 2):
                first, second = (path, 1), (path, 2)
                if at(path) not in colors:
                    continue
                yield from self.arrive(first, spaces, 1, colors, [first], [first])
                if self.may_jump(first) and spaces >= 2:
                    yield from self.arrive(second, spaces, 2, colors, [first, second], [first, second])
        elif at(start[0]) in opened and start[1] != 9:
            yield from self.walk(start, spaces, colors, [start], [])

    def walk(self, here: Space, spaces: int, colors: frozenset[str], visited: list[Space], touched: list[Space]) -> Any:
        for there in sides(here):
            if there not in visited and at(there[0]) in colors:
                yield from self.arrive(there, spaces, 1, colors, [*visited, there], [*touched, there])
            if spaces < 2 or there in visited or not self.may_jump(there) or at(there[0]) not in colors:
                continue
            for landing in sides(there) | points(there):
                if landing in (here, there) or landing in sides(here) or landing in visited:
                    continue
                if at(landing[0]) in colors:
                    both = [there, landing]
                    yield from self.arrive(landing, spaces, 2, colors, [*visited, *both], [*touched, *both])

    def arrive(self, there: Space, spaces: int, cost: int, colors: Any, visited: Any, touched: Any) -> Any:
        if spaces == cost:
            if there not in self.pawns or self.may_capture(there):
                yield there, {at(path) for path, _ in touched}, touched
        elif there not in self.pawns and there[1] != 9 and spaces > cost:
            yield from self.walk(there, spaces - cost, colors, visited, touched)

    # --- what is legal

    def legal(self) -> set[Any]:
        if self.over:
            return set()
        if self.taken is not None:
            return {
                Place(self.me, self.taken.color, f"{at(path)}.1")
                for path in range(0, 12, 2)
                if (path, 1) not in self.pawns
            }
        if self.use is None:
            return {Declare(self.me, name) for name in self.living()}
        return self.moves(self.use, self.todo, self.single)

    def living(self) -> list[str]:
        """Usages with a legal move (BRD-28)."""
        found = []
        for name, use in self.uses.items():
            todo = list(range(len(use.parts or ())))
            while True:
                if self.moves(use, todo, 2):
                    found.append(name)
                    break
                if not todo or use.any_order:
                    break
                todo = todo[1:]
        return found

    def moves(self, use: Use, todo: list[int], single: int) -> set[Any]:
        if use.swap is not None:
            return set(self.swaps(use.swap))
        if use.parts is None:
            found = set()
            for spaces in range(1, single + 1):
                for origin, name, _ in self.own():
                    for end, _, _ in self.ways(origin, spaces, use.open, use.open):
                        found.add(Go(self.me, name, spot(end)))
            return found
        found = set()
        for number in todo if use.any_order else todo[:1]:
            part = use.parts[number]
            if use.any_order and any(use.parts[other] == part for other in todo if other < number):
                continue
            found |= self.part_moves(use, part, number + 1 if use.any_order else 0, len(todo) > 1)
        return found

    def own(self) -> list[tuple[Space | None, str, Pawn | None]]:
        found: list[tuple[Space | None, str, Pawn | None]] = [
            (space, spot(space), pawn) for space, pawn in self.pawns.items() if self.mine(space)
        ]
        return found + [(None, f"{color} stock", None) for color in self.teams[self.me] if self.stock[color] > 0]

    def part_moves(self, use: Use, part: Part, number: int, more: bool) -> set[Go]:
        found = set()
        for origin, name, pawn in self.own():
            before = self.entered.get(pawn.name) if pawn is not None else None
            kinds: dict[Space, set[bool]] = {}
            for end, entered, touched in self.ways(origin, part.spaces, part.colors, use.open):
                if part.through_intermediate and not self.touches_intermediate(origin, touched):
                    continue
                if before is not None and len(before | entered) < 2:
                    continue
                kinds.setdefault(end, set()).add(len(entered) > 1)
            for end, mixed in kinds.items():
                found.add(Go(self.me, name, spot(end), number))
                if mixed == {True, False} and more and before is None:
                    found.add(Go(self.me, name, spot(end), number, True))
        return found

    def touches_intermediate(self, origin: Space | None, touched: list[Space]) -> bool:
        return any(path % 2 == 1 for path, _ in ([origin] if origin else []) + touched)

    def swaps(self, pair: tuple[str, str]) -> Iterator[Swap]:
        for one, other in product(self.pawns, repeat=2):
            if (at(one[0]), at(other[0])) == pair and 9 not in (one[1], other[1]):
                yield Swap(self.me, spot(one), spot(other))

    # --- what happens

    def happened(self, event: Any) -> None:
        match event:
            case Declare():
                self.use = self.uses[event.usage]
                self.todo = list(range(len(self.use.parts or ())))
            case Place():
                assert self.taken is not None
                self.pawns[space_of(event.to)] = self.taken
                self.taken = None
            case Swap():
                self.over = True
            case Go():
                self.went(event)
        if self.taken is None and not self.over:
            self.next_part()

    def declare_only(self, name: str) -> None:
        self.happened(Declare(self.me, name))

    def went(self, go: Go) -> None:
        assert self.use is not None
        end = space_of(go.to)
        origin = None if go.pawn.endswith("stock") else space_of(go.pawn)
        if self.use.parts is None:
            costs = [
                cost
                for cost in range(1, self.single + 1)
                if any(there == end for there, _, _ in self.ways(origin, cost, self.use.open, self.use.open))
            ]
            self.single -= costs[0]
            entered: set[str] = set()
        else:
            number = go.part - 1 if go.part else self.todo[0]
            part = self.use.parts[number]
            self.todo.remove(number)
            ways = [
                colors
                for there, colors, touched in self.ways(origin, part.spaces, part.colors, self.use.open)
                if there == end and (not part.through_intermediate or self.touches_intermediate(origin, touched))
            ]
            entered = min(ways, key=len) if go.one_color else max(ways, key=len)
        if origin is None:
            color = go.pawn.removesuffix(" stock")
            self.stock[color] -= 1
            self.names += 1
            pawn = Pawn(self.names, color)
        else:
            pawn = self.pawns.pop(origin)
        self.entered[pawn.name] = self.entered.get(pawn.name, set()) | entered
        taken = self.pawns.get(end)
        self.pawns[end] = pawn
        if taken is not None:
            if all((path, 1) in self.pawns for path in range(0, 12, 2)):
                self.stock[taken.color] += 1
            else:
                self.taken = taken

    def next_part(self) -> None:
        """BRD-27: what cannot be played is lost; what can be must be played."""
        if self.use is None:
            return
        if self.use.parts is None:
            self.over = self.single == 0 or not self.moves(self.use, [], self.single)
            return
        if self.use.swap is not None:
            return
        while self.todo and not self.moves(self.use, self.todo, 0):
            if self.use.any_order:
                self.todo = []
            else:
                self.todo = self.todo[1:]
        self.over = not self.todo


def spot(space: Space) -> str:
    return f"{at(space[0])}.{space[1]}"


def space_of(name: str) -> Space:
    path, ring = name.split(".")
    return WHEEL.index(path), int(ring)
