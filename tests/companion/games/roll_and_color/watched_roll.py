"""Random rounds of Roll & Color in front of a made-up camera over the tray: throws, pushed dice, mistakes, put-backs.

The camera knows dice by where they lie, as `vision.readers.dice.zones` does; entries are entered on the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import FACES, Die
from companion.core.verdict import Accepted, Pending, Refused, Same, TakenBack, Unclear, Verdict
from companion.games.roll_and_color.game import ROLL_AND_COLOR
from companion.games.roll_and_color.moves import DICE, SIZES, Enter
from companion.games.roll_and_color.situation import KINDS
from companion.games.roll_and_color.state import MOVED, TRAY, RollState, lying
from companion.referee.journal import Header, Journal
from companion.referee.table.table import Table


class Thrown(NamedTuple):
    """One die in the tray."""

    die: Die
    place: int
    """Another number wherever it lies elsewhere."""
    turn: int
    """Of its kind, which one it is."""


class Watched:
    """One game, refereed from trays."""

    def __init__(self, rng: Random, seats: int, journal: Journal, least: float, pushes: float) -> None:
        self.rng = rng
        self.least = least
        self.pushes = pushes
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self.tray: list[Thrown] = []
        self._agreed: dict[tuple[str, int], int] = {}
        self._shown: list[Thrown] = []
        self._place = self._frame = self._row = 0
        names = tuple(f"Player {seat + 1}" for seat in range(seats))
        header = Header(
            game="roll-and-color",
            rules=ROLL_AND_COLOR.rules,
            seats=seats,
            names=names,
            options={},
            started=0.0,
            software="0",
        )
        self.table = Table(ROLL_AND_COLOR, journal.begin(header), journal, clock=lambda: 0.0, settled=self._settle)

    @property
    def state(self) -> RollState:
        """The position."""
        state: RollState = self.table.session.state
        return state

    def _settle(self, position: Layout) -> None:
        self._agreed = {(one.die.kind, one.turn): one.place for one in self._shown}

    def look(self, shown: Sequence[Thrown]) -> Verdict:
        """One steady picture of these dice, read as often as an accusation needs."""
        self._frame += 1
        self._shown = list(shown)
        self.counts["pictures"] += 1
        one, other = (self._read(shown) for _ in range(2))
        return self.table.see(one, self._frame, further=(other, one))

    def _read(self, shown: Sequence[Thrown]) -> Layout:
        order = list(shown)
        self.rng.shuffle(order)
        found = [(one, self._sighting(one.die)) for one in order]
        heaps = {TRAY: tuple(sighting for _, sighting in found)}
        if self._agreed:
            agreed = self._agreed
            moved = [read for one, read in found if agreed.get((one.die.kind, one.turn)) != one.place]
            heaps[MOVED] = tuple(moved)
        return Layout(heaps=heaps)

    def _sighting(self, die: Die) -> Detection:
        sure = self.rng.uniform(self.least, 0.999)
        other = self.rng.choice([face for face in FACES[die.kind] if face != die.face])
        return Detection((Candidate(die, sure), Candidate(Die(die.kind, other), (1 - sure) * 0.8)))

    def throw(self, numbers: Sequence[int]) -> list[Thrown]:
        """The tray with the dice at these places thrown again; others may be pushed by them."""
        after = []
        for at, one in enumerate(self.tray):
            die, place = one.die, one.place
            if at in numbers:
                die = Die(die.kind, self.rng.choice(FACES[die.kind]))
            if at in numbers or self.rng.random() < self.pushes:
                self._place += 1
                place = self._place
            after.append(Thrown(die, place, one.turn))
        return after

    def round(self) -> None:
        """A roll, re-rolls and an entry; now and then a mistake."""
        self.tray = [Thrown(Die(kind, ""), 0, at) for at, kind in enumerate(KINDS)] if not self.tray else self.tray
        self.legal(range(DICE))
        for made in range(self.rng.choice((0, 1, 2, 3, 4, 4))):
            if self.rng.random() < 0.3:
                self.mistake(made)
            size = SIZES[made] if made < 3 else self.rng.choice((5, 6, 7, 8, 9))
            self.legal(self.rng.sample(range(DICE), size))
        move = self.rng.choice([move for move in self.state.legal_moves() if isinstance(move, Enter)])
        self.table.play(move, source="page")

    def legal(self, numbers: Sequence[int]) -> None:
        """A throw that may be made, some dice still in the hand or the air in between."""
        before, self._row = self.state, self.table.session.seq
        after = self.throw(numbers)
        if self.rng.random() < 0.3:
            lifted = [one for at, one in enumerate(self.tray) if at not in numbers]
            if self.rng.random() < 0.5:
                lifted += [one for at, one in enumerate(after) if at in numbers[: len(numbers) // 2]]
            verdict = self.look(lifted)
            if not isinstance(verdict, Same | Pending):
                self.fail("hasty", f"{len(lifted)} dice lie: {verdict}")
        self.tray = after
        verdict = self.look(self.tray)
        shown = Counter(one.die for one in self.tray)
        if shown == Counter(lying(before)) and before.rolled:
            self.counts["nothing to see"] += 1
            self.put_right(before, numbers)
        elif isinstance(verdict, Refused):
            self.fail("accused", f"{len(numbers)} dice: {verdict}")
            self.put_right(before, numbers)
        elif isinstance(verdict, Unclear):
            self.counts["asked"] += 1
            self.put_right(before, numbers)
        elif not isinstance(verdict, Accepted):
            self.fail("silent", f"{before.rerolls} {len(numbers)} dice: {verdict}")
            self.put_right(before, numbers)
        elif Counter(lying(self.state)) != shown or self.state.rerolls != before.rerolls + before.rolled:
            self.fail("wrong", f"{len(numbers)} dice: {verdict}")
            self.put_right(before, numbers)
        else:
            self.counts["right"] += 1

    def put_right(self, before: RollState, numbers: Sequence[int]) -> None:
        """A person tells what happened on the page."""
        if self.state != before:
            self.table.undo(self._row, "put right", source="page")
        sixes = tuple(one.die for one in self.tray)
        if not before.rolled:
            faces = " ".join(str(one.face) for one in sixes[:4]), " ".join(str(one.face) for one in sixes[4:])
            self._tell(f"rolls d6 {faces[0]}, d12 {faces[1]}")
            return
        rest = Counter(one.die for at, one in enumerate(self.tray) if at not in numbers)
        picked = []
        for number, die in enumerate(lying(before), 1):
            if rest[die]:
                rest[die] -= 1
            else:
                picked.append(number)
        self._tell(f"player {before.turn + 1} re-rolls {' '.join(map(str, picked))}")
        new = Counter(one.die for one in self.tray) - Counter(
            one.die for at, one in enumerate(self.tray) if at not in numbers
        )
        dice = sorted(new.elements(), key=lambda one: one.kind != KINDS[0])
        words = ", ".join(f"{one.kind.removeprefix('spectrum-')} {one.face}" for one in dice)
        self._tell(f"rolls {words}")

    def _tell(self, text: str) -> None:
        self.table.play(ROLL_AND_COLOR.parse(self.table.session.state, text), source="page")

    def mistake(self, made: int) -> None:
        """Too many or too few dice are thrown again, and then put back as they were."""
        size = self.rng.choice([n for n in range(1, DICE) if (n != SIZES[made] if made < 3 else n < SIZES[3])])
        old, before, row = self.tray, self.state, self.table.session.seq
        numbers = self.rng.sample(range(DICE), size)
        self.tray = self.throw(numbers)
        lay = Counter(lying(before))
        differ = (Counter(one.die for one in self.tray) - lay).total()
        moved = sum(one.place != was.place for one, was in zip(self.tray, old, strict=True))
        excused = differ <= SIZES[made] <= moved if made < 3 else moved >= SIZES[3]
        verdict = self.look(self.tray)
        self.counts["mistakes"] += 1
        if isinstance(verdict, Refused):
            self.counts["named"] += verdict.breaches[0].rule == "ROL-3"
        elif excused or not differ:
            self.counts["excused"] += 1
        elif isinstance(verdict, Accepted):
            self.fail("missed", f"re-roll {made} of {size}, {differ} differ, {moved} moved: {verdict.events}")
        else:
            self.counts[f"mistake {type(verdict).__name__}"] += 1
        self.tray = [one._replace(place=new.place) for one, new in zip(old, self.tray, strict=True)]
        back = self.look(self.tray)
        if self.state == before and not isinstance(back, TakenBack | Same | Pending):
            self.fail("not put back", str(back))
        if self.state != before:
            self.table.undo(row, "it was put back", source="page")
            self.look(self.tray)

    def fail(self, kind: str, text: str) -> None:
        self.counts[kind] += 1
        self.failures.append(f"{kind}: {text}")


def play(seed: int, rounds: int, *, least: float = 0.9, pushes: float = 0.0, seats: int = 2) -> Watched:
    """A few rounds from the first roll on."""
    with TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "games.journal")
        try:
            watched = Watched(Random(f"{seed} {pushes}"), seats, journal, least, pushes)
            for _ in range(rounds):
                watched.round()
        finally:
            journal.close()
    return watched
