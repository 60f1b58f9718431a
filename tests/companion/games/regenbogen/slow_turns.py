"""What moves and actions of Regenbogen do, written from the rules alone: positions in their written form, before and after.

A game is followed by its lines of notation. Numbers come from the data file and which moves are left from
`slow_regenbogen`; nothing of the engine's bytes, tables or bookkeeping is used.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.games.regenbogen.data import DATA
from tests.companion.games.regenbogen.slow_regenbogen import Piece, Taken, around, legal, pool

SIDES = ("white", "black")
WHEEL = ["red", "orange", "yellow", "green", "blue", "purple"]
DRAW = ((0, 1),)


class SlowGame:
    """A game from any position on."""

    def __init__(self, position: dict[str, Any], *, any_health: bool, stacks: bool, repeated: int, quiet: int) -> None:
        """
        :param position: a position's written form, with no move half made.
        :param repeated: a position that comes so many times is a draw (RGB-27).
        :param quiet: so are so many turns without damage.
        """
        self.board: dict[str, str] = dict(position["pieces"])
        self.spells: list[int] = list(position["spells"])
        self.turn: int = position["turn"]
        self.quiet: int = position["quiet"]
        self.moved: str | None = None
        self.asked: set[int] = set()
        """Seats whose Cleric would die and may be saved (RGB-17)."""
        self.places: tuple[tuple[int, ...], ...] | None = None
        """Who won, or that nobody did; None while it goes on."""
        self._options = {"any_health": any_health, "stacks": stacks}
        self._most_repeated, self._most_quiet = repeated, quiet
        self._met: Counter[str] = Counter([self._key()])

    def written(self) -> dict[str, Any]:
        """The position in its written form."""
        found = {"pieces": self.board, "spells": self.spells, "turn": self.turn, "quiet": self.quiet}
        return found if self.moved is None else {**found, "moved": self.moved}

    def happened(self, line: str) -> None:
        """Carry out a legal line."""
        seat, words = int(line.split()[1]) - 1, line.split()[2:]
        match words:
            case ["moves", cell, "to", to]:
                self.board[to] = self.board.pop(cell)
                self.moved = to
                if legal(self.written(), **self._options) == {f"player {seat + 1} ends the turn"}:
                    self._over(damage=False)
            case ["fights", there, "with", cell]:
                self._damage({there: self._harm(Piece(self.board[cell]), Piece(self.board[there]))})
            case ["summons", "on", to, "with", cell]:
                wizard = Piece(self.board[cell])
                health = min(DATA.spirits.summon_health, pool(self.board, wizard))
                self.board[to] = f"{wizard.side} {wizard.color} spirit {health}"
                self._over(damage=False)
            case ["heals", there, "by", points, "with", _]:
                self._set_health(there, Piece(self.board[there]).health + int(points))
                self.spells[seat] -= 1
                self._over(damage=False)
            case ["recovers", "a", "spell", "with", _]:
                self.spells[seat] += 1
                self._over(damage=False)
            case ["self-destructs", cell]:
                del self.board[cell]
                self._damage({there: DATA.damage.self_destruct for there in around(cell) if there in self.board})
            case ["ends", "the", "turn"] | ["passes"]:
                self._over(damage=False)
            case ["gives", "up", "a", "spell"]:
                self.spells[seat] -= 1
                self._answered(seat)
            case ["gives", "up", "the", "cleric"]:
                cell = next(cell for cell, words in self.board.items() if words.startswith(f"{SIDES[seat]} cleric"))
                self._die(cell)
                self._answered(seat)
            case _:
                raise ValueError(line)

    def _harm(self, attacker: Taken, victim: Taken) -> int:
        """RGB-18, line for line."""
        if attacker.kind == "cleric":
            return DATA.damage.cleric_on_any
        wizard = attacker.kind == "wizard"
        if victim.kind == "cleric":
            return DATA.damage.wizard_on_cleric if wizard else DATA.damage.spirit_on_cleric
        if "ultima" in (attacker.color, victim.color):
            return DATA.damage.wizard_ultima_involved if wizard else DATA.damage.spirit_ultima_involved
        steps = abs(WHEEL.index(str(attacker.color)) - WHEEL.index(str(victim.color)))
        by_distance = DATA.damage.wizard_by_wheel_distance if wizard else DATA.damage.spirit_by_wheel_distance
        return by_distance[min(steps, len(WHEEL) - steps)]

    def _damage(self, harm: dict[str, int]) -> None:
        """RGB-16, RGB-17 and RGB-24: all at once."""
        for cell, points in harm.items():
            piece = Piece(self.board[cell])
            seat = SIDES.index(piece.side)
            if points <= piece.health:
                self._set_health(cell, piece.health - points)
            elif piece.kind == "cleric" and self.spells[seat]:
                self._set_health(cell, 0)
                self.asked.add(seat)
            else:
                self._die(cell)
        if not self.asked:
            self._over(damage=bool(harm))

    def _answered(self, seat: int) -> None:
        self.asked.remove(seat)
        if not self.asked:
            self._over(damage=True)

    def _set_health(self, cell: str, health: int) -> None:
        self.board[cell] = f"{self.board[cell].rsplit(' ', 1)[0]} {health}"

    def _die(self, cell: str) -> None:
        piece = Piece(self.board.pop(cell))
        if piece.kind == "cleric":
            self.spells[SIDES.index(piece.side)] = 0

    def _over(self, *, damage: bool) -> None:
        """The turn is over; RGB-25 to RGB-27 are looked at."""
        self.quiet = 0 if damage else self.quiet + 1
        self.turn, self.moved = 1 - self.turn, None
        self._met[self._key()] += 1
        won = [self._dominated(SIDES[1 - seat]) for seat in range(2)]
        if won[0] != won[1]:
            self.places = ((0,), (1,)) if won[0] else ((1,), (0,))
        elif won[0] or self._met[self._key()] >= self._most_repeated or self.quiet >= self._most_quiet:
            self.places = DRAW

    def _key(self) -> str:
        return str((sorted(self.board.items()), self.spells, self.turn))

    def _dominated(self, side: str) -> bool:
        """Whether the dead Wizards of a side are what the other one wins by (RGB-25)."""
        there = {
            f"{Piece(words).color}" for words in self.board.values() if words.startswith(side) and "wizard" in words
        }
        dead = [color not in there for color in WHEEL]
        triad = any(all(dead[(first + more) % 6] for more in range(3)) for first in range(6))
        dual = sum(dead[first] and dead[first + 3] for first in range(3)) >= 2
        primary, secondary = dead[0] and dead[2] and dead[4], dead[1] and dead[3] and dead[5]
        return "ultima" not in there or triad or dual or primary or secondary
