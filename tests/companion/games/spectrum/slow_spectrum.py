"""A turn of Spectrum by the letter of the rules, slowly: it shares no table, mask or bookkeeping with the engine.

Spaces are pairs of a path and a space number, 1 to 9. Every way of a pawn is walked out as a list; pawns have names of
their own, so that what BRD-19 asks of "the same pawn" is simply looked up. The turn is followed from its roll by the
events that happened, and says at every point which events are legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from companion.games.spectrum.moves import Declare, Go, PlacePawn, Swap
from tests.companion.games.spectrum.slow_usages import WHEEL, Part, Space, Use, at, points, sides


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
                PlacePawn(self.me, self.taken.color, f"{at(path)}.1")
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
                todo = todo[len(self.next_of(use, todo)) :]
        return found

    def next_of(self, use: Use, todo: list[int]) -> list[int]:
        """The parts that may be taken next: all, the first, or the first two colors of a double double with d12."""
        if use.any_order:
            return todo
        if use.either:
            return [number for number in todo if number < 2] or todo[:1]
        return todo[:1]

    def number_of(self, use: Use, go: Go) -> int:
        """The part that a move is: the one at hand whose color its end has."""
        if go.part:
            return go.part - 1
        color = at(space_of(go.to)[0])
        hand = self.next_of(use, self.todo)
        return next(number for number in hand if color in (use.parts or ())[number].colors)

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
        for number in self.next_of(use, todo):
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
            case PlacePawn():
                assert self.taken is not None
                self.pawns[space_of(event.to)] = self.taken
                self.taken = None
            case Swap():
                one, other = space_of(event.one), space_of(event.other)
                self.pawns[one], self.pawns[other] = self.pawns[other], self.pawns[one]
                self.over = True
            case Go():
                self.went(event)
        if self.taken is None and not self.over:
            self.next_part()

    def standing(self) -> tuple[dict[str, str], Counter[str]]:
        """The color of the pawn on each space, and how many of each color are in stock."""
        return {spot(space): pawn.color for space, pawn in self.pawns.items()}, +self.stock

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
            number = self.number_of(self.use, go)
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
            self.todo = self.todo[len(self.next_of(self.use, self.todo)) :]
        self.over = not self.todo


def spot(space: Space) -> str:
    return f"{at(space[0])}.{space[1]}"


def space_of(name: str) -> Space:
    path, ring = name.split(".")
    return WHEEL.index(path), int(ring)
