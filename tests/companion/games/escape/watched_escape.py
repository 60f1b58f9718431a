"""Random rounds of Spectrum Escape in front of a made-up camera: rolls, moves, escapes, mistakes, put-backs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from companion.core.contract import Over, Rolled, ToRoll
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import FACES, PRIMARIES, Die, Pawn, Piece
from companion.core.verdict import Accepted, Pending, Refused, Same, TakenBack, Unclear, Verdict
from companion.games.escape.game import ESCAPE
from companion.games.escape.moves import AT, SPOTS, EscapeEvent, Lose, Withdraw
from companion.games.escape.observation import PAWN
from companion.games.escape.state import EscapeState
from companion.referee.journal import Header, Journal
from companion.referee.table.table import Table
from tests.companion.games.answering import answered


def camera(state: EscapeState) -> Layout:
    """What lies in view of board and dice: no stock, no escaped pawns."""
    layout = state.layout()
    dice = {spot: heap for spot, heap in layout.heaps.items() if spot.endswith(("dice", ".die"))}
    return Layout(layout.cells, dice)


class Watched:
    """One game, refereed from layouts."""

    def __init__(self, rng: Random, seats: int, journal: Journal, least: float) -> None:
        self.rng = rng
        self.least = least
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        names = tuple(f"Player {seat + 1}" for seat in range(seats))
        header = Header(
            game="escape", rules=ESCAPE.rules, seats=seats, names=names, options={}, started=0.0, software="0"
        )
        self.table = Table(ESCAPE, journal.begin(header), journal, clock=lambda: 0.0)
        self.truth: EscapeState = self.table.session.state
        self._agreed = self._frame = 0

    def look(self, shown: Layout) -> Verdict:
        """One steady picture, read as often as an accusation needs."""
        self._frame += 1
        self.counts["pictures"] += 1
        one, other = self._read(shown), self._read(shown)
        return self.table.see(one, self._frame, further=(other, one))

    def _read(self, shown: Layout) -> Layout:
        cells = {spot: self._sighting(one.piece) for spot, one in shown.cells.items()}
        heaps = {}
        for spot, heap in shown.heaps.items():
            heaps[spot] = tuple(self._sighting(one.piece) for one in self.rng.sample(heap, len(heap)))
        return Layout(cells, heaps)

    def _sighting(self, piece: Piece | None) -> Detection:
        sure = self.rng.uniform(self.least, 0.999)
        others: list[Piece | None] = [None, *map(Pawn, PRIMARIES)]
        if isinstance(piece, Die):
            others = [Die(piece.kind, face) for face in FACES[piece.kind]]
        other = self.rng.choice([one for one in others if one != piece])
        return Detection((Candidate(piece, sure), Candidate(other, (1 - sure) * 0.8)))

    def turn(self) -> bool:
        """A roll, or a move or two; whether the game goes on."""
        due = self.truth.expects()
        if isinstance(due, Over):
            return False
        if isinstance(due, ToRoll):
            self.step([Rolled(tuple(Die(kind, self.rng.choice(FACES[kind])) for kind in due.dice))])
            return True
        if self.rng.random() < 0.2:
            self.mistake()
        events: list[EscapeEvent] = []
        here = self.truth
        while not events or self.rng.random() < 0.25:
            if here.turn is None:
                break
            legal = [move for move in here.legal_moves() if self.rng.random() < 0.9 or not isinstance(move, Withdraw)]
            events.append(self.rng.choice(legal or list(here.legal_moves())))
            here = here.apply(events[-1])
        self.step(events)
        return True

    def step(self, events: Sequence[EscapeEvent]) -> None:
        """Events that one picture shows; lost moves are told, since nothing shows them."""
        before = self.truth
        states = [before]
        for event in events:
            states.append(states[-1].apply(event))
        self.truth = states[-1]
        shown = camera(self.truth)
        told = ", ".join(map(ESCAPE.text, events))
        same = not camera(before).differences(shown)
        verdict = self.look(shown)
        if isinstance(verdict, Accepted) and self.table.session.state in states[1:-1]:
            verdict = self.look(shown)
        if isinstance(verdict, Refused):
            self.fail("accused", f"{told}: {ESCAPE.text(verdict.event)} {verdict.breaches}")
        elif isinstance(verdict, Unclear):
            self.counts["asked"] += 1
            self._answer(verdict, states, told)
        elif isinstance(verdict, Pending) and verdict.text.startswith("It may be: "):
            self.counts["asked"] += 1
        elif same or (isinstance(events[-1], Lose) and self.table.session.state in states):
            self.counts["nothing to see"] += 1
        elif not isinstance(verdict, Accepted):
            self.fail("silent", f"{told}: {verdict}")
        elif self.table.session.state != self.truth:
            self.fail("wrong", f"{told}: {[row.text for row in self.table.session.rows()[-2:]]}")
        else:
            self.counts["right"] += 1
        self.put_right(events)

    def _answer(self, verdict: Unclear, states: Sequence[EscapeState], told: str) -> None:
        if not answered(self.table, verdict, states):
            self.fail("asked in vain", f"{told}: {[choice.text for choice in verdict.choices]}")

    def put_right(self, events: Sequence[EscapeEvent]) -> None:
        """A person tells what happened, where the position is another one."""
        if self.table.session.state != self.truth:
            self.table.undo(self._agreed, "put right", source="page")
            for event in events:
                self.table.play(event, source="page")
        assert self.table.session.state == self.truth
        self._agreed = self.table.session.seq

    def mistake(self) -> None:
        """A pawn goes to another space of its color, or one more comes; it goes back."""
        state = self.truth
        assert state.turn is not None
        color = self.rng.randrange(12)
        column = state.columns[color]
        free = [at for at in range(1, 10) if at not in column]
        at = self.rng.choice(free)
        here = column[state.turn]
        cells = dict(camera(state).cells)
        if here:
            cells[SPOTS[color][here]] = Detection.sure(None)
        cells[SPOTS[color][at]] = Detection.sure(PAWN[state.colors[state.turn]])
        shown = Layout(cells, camera(state).heaps)
        if self._is_legal(state, shown, 3):
            return
        self.counts["mistakes"] += 1
        verdict = self.look(shown)
        if isinstance(verdict, Refused):
            self.counts["named"] += 1
        elif isinstance(verdict, Accepted):
            self.fail("missed", f"{color} {here} to {at}: {verdict}")
        else:
            self.counts[f"mistake {type(verdict).__name__}"] += 1
        back = self.look(camera(state))
        if not isinstance(back, TakenBack | Same | Pending):
            self.fail("not put back", f"{back}")
        self.put_right(())

    def _is_legal(self, state: EscapeState, shown: Layout, depth: int) -> bool:
        """Whether legal moves lead to this board."""
        if all(one.piece == shown.cells[spot].piece for spot, one in state.layout().cells.items() if spot in AT):
            return True
        if not depth or state.turn is None:
            return False
        return any(self._is_legal(state.apply(move), shown, depth - 1) for move in state.legal_moves())

    def fail(self, kind: str, text: str) -> None:
        self.counts[kind] += 1
        self.failures.append(f"{kind}: {text}")


def play(seed: int, turns: int, *, least: float = 0.9) -> Watched:
    """So many pictures' worth of a game, from its start."""
    rng = Random(f"escape {seed}")
    with TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "games.journal")
        try:
            watched = Watched(rng, rng.choice((2, 3, 4)), journal, least)
            for _ in range(turns):
                if not watched.turn():
                    break
        finally:
            journal.close()
    return watched
