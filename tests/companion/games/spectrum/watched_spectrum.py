"""Random turns of Spectrum in front of a made-up camera: rolls, half turns, pawns in hands, mistakes, put-backs.

Every picture is a layout as readers of dice and pawns give it, with doubts in it. A person answers the referee's
questions truly. What became of each picture is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace

from companion.core.contract import Rolled
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import PRIMARIES, WHEEL, Die, Pawn, Piece
from companion.core.verdict import Accepted, Pending, Refused, Same, TakenBack, Unclear, Verdict
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import SPOTS
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Declare, Go, SpectrumEvent
from companion.games.spectrum.observation import MOVED
from companion.games.spectrum.options import Options
from companion.games.spectrum.search import explanations
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.turns import with_pawn
from companion.referee.journal import Header, Journal
from companion.referee.table.table import Table
from tests.companion.games.answering import answered
from tests.companion.games.spectrum.test_spectrum_generator import crowded_board, random_roll


class Doubts(NamedTuple):
    """How a made-up reader errs."""

    least: float = 0.8
    """No reading is less sure than this."""
    misread: float = 0.0
    """Share of pictures in which one space reads wrong, with 45 to 70 percent."""
    misrolled: float = 0.0
    """Share of rolls of which one die reads wrong, with 45 to 95 percent, until it is rolled again. Nobody notices
    before the referee judges what was played with that roll."""
    knows_rolled: bool = True
    """Whether the reader knows which dice were rolled since position and table agreed."""


def camera(state: SpectrumState) -> Layout:
    """What lies in view of board and tray: no stock, no captured pawn in a hand, no dice set apart."""
    layout = state.layout()
    return Layout(layout.cells, {"dice": layout.heaps["dice"]})


def read(
    rng: Random, truth: Layout, doubts: Doubts, rolled: bool | None, misread: Mapping[Piece | None, Detection] = {}
) -> Layout:
    """A reading of it.

    :param rolled: whether the dice were rolled since position and table agreed; None: the reader does not know.
    :param misread: how a die reads that is read wrong; of equal ones the first.
    """
    cells = {spot: _sighting(rng, one.piece, doubts) for spot, one in truth.cells.items()}
    wrong = dict(misread)
    pieces = [one.piece for one in truth.heaps["dice"]]
    dice = [wrong.pop(one, None) or _sighting(rng, one, doubts) for one in pieces]
    rng.shuffle(dice)
    heaps = {"dice": tuple(dice)} if rolled is None else {"dice": tuple(dice), MOVED: tuple(dice) if rolled else ()}
    if rng.random() < doubts.misread:
        spot = rng.choice(list(cells))
        sure = rng.uniform(0.45, 0.7)
        right = truth.cells[spot].piece
        other = rng.choice([one for one in (None, *map(Pawn, PRIMARIES)) if one != right])
        cells[spot] = Detection((Candidate(other, sure), Candidate(right, (1 - sure) * rng.uniform(0.5, 0.95))))
    return Layout(cells, heaps)


def _sighting(rng: Random, piece: Piece | None, doubts: Doubts) -> Detection:
    sure = rng.uniform(doubts.least, 0.999)
    others: list[Piece | None] = [one for one in (None, *map(Pawn, PRIMARIES)) if one != piece]
    other = rng.choice(_other_faces(piece) if isinstance(piece, Die) else others)
    return Detection((Candidate(piece, sure), Candidate(other, (1 - sure) * rng.uniform(0.5, 0.95))))


def _other_faces(die: Die) -> list[Piece | None]:
    faces = PRIMARIES if die.kind == "spectrum-d6" else WHEEL
    return [Die(die.kind, face) for face in faces if face != die.face]


class Watched:
    """One game, refereed from layouts."""

    def __init__(self, rng: Random, state: SpectrumState, journal: Journal, doubts: Doubts) -> None:
        self.rng = rng
        self.truth = state
        self.doubts = doubts
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        options = {name: getattr(state.options, name) for name in state.options.__struct_fields__}
        header = Header(
            game="spectrum",
            rules=SPECTRUM.rules,
            seats=state.seats,
            names=tuple(f"Player {seat + 1}" for seat in range(state.seats)),
            options=options,
            position={"pawns": pawns_of(state), "turn": state.turn},
            started=0.0,
            software="0",
        )
        self._misread: dict[Piece | None, Detection] = {}
        self._rolls = self._settled = 0
        self.table = Table(SPECTRUM, journal.begin(header), journal, clock=lambda: 0.0, settled=self._settle)
        assert self.table.session.state == state, (self.table.session.state, state)
        self._frame = 0
        self._agreed = 0
        self._since: list[SpectrumEvent] = []
        """What happened since position and table last agreed."""

    def look(self, shown: Layout) -> Verdict:
        """One steady picture, read as often as an accusation needs."""
        self._frame += 1
        self.counts["pictures"] += 1
        known = self.doubts.knows_rolled and self._settled > 0
        rolled = self._rolls > self._settled if known else None
        one, other = (read(self.rng, shown, self.doubts, rolled, self._misread) for _ in range(2))
        return self.table.see(one, self._frame, further=(other, one))

    def _settle(self, position: Layout) -> None:
        self._settled = self._rolls

    def turn(self) -> None:
        """One turn from its roll to its end."""
        start = self.truth
        self.step([random_roll(self.rng, start)])
        while self.truth.turn == start.turn and self.truth.phase in ("declare", "move", "place", "pass"):
            events: list[SpectrumEvent] = []
            here = self.truth
            while here.turn == start.turn and here.phase in ("declare", "move", "place", "pass"):
                event = self.rng.choice(here.legal_moves())
                events.append(event)
                here = here.apply(event)
                if not isinstance(event, Declare) and self.rng.random() < 0.5:
                    break
            if self.rng.random() < 0.2:
                self.mistake()
            if self.rng.random() < 0.2:
                self.lifted(events)
            self.step(events)

    def step(self, events: Sequence[SpectrumEvent]) -> None:
        """Events that one picture shows."""
        before = self.truth
        states = [before]
        for event in events:
            states.append(states[-1].apply(event))
            if isinstance(event, Rolled):
                self._rolls += 1
                self._misread = self._misrolled(event)
        self.truth = states[-1]
        self._since += events
        shown = camera(self.truth)
        same = not camera(before).differences(shown)
        verdict = self.look(shown)
        if isinstance(verdict, Accepted) and self.table.session.state in states[1:-1]:
            self.counts["in two looks"] += 1
            verdict = self.look(shown)
        told = ", ".join(map(SPECTRUM.text, events))
        if isinstance(verdict, Unclear):
            self.counts["asked"] += 1
            self.answer(verdict, states, told)
        elif isinstance(verdict, Pending) and verdict.text.startswith("It may be: "):
            self.counts["asked"] += 1
            self.put_right()
        elif isinstance(verdict, Refused):
            self.fail("accused", f"{told}: {SPECTRUM.text(verdict.event)} {verdict.breaches[0].rule}")
        elif not same and not isinstance(verdict, Accepted):
            self.fail("silent", f"{told}: {verdict}")
        else:
            self.counts["right"] += 1
        if not (self._misread and isinstance(events[-1], Rolled)):
            self.agree(told)

    def _misrolled(self, rolled: Rolled) -> dict[Piece | None, Detection]:
        """Which die of a roll reads wrong from now on, and how."""
        if self.rng.random() >= self.doubts.misrolled:
            return {}
        die, sure = self.rng.choice(rolled.faces), self.rng.uniform(0.45, 0.95)
        wrong = self.rng.choice(_other_faces(die))
        return {die: Detection((Candidate(wrong, sure), Candidate(die, (1 - sure) * self.rng.uniform(0.5, 0.95))))}

    def answer(self, verdict: Unclear, states: Sequence[SpectrumState], told: str) -> None:
        """Choose what happened."""
        if not answered(self.table, verdict, states[-1:]):
            self.fail("asked in vain", f"{told}: {[choice.text for choice in verdict.choices]}")

    def agree(self, told: str) -> None:
        """Position and table are one again; a person says so where they are not."""
        if self.table.session.state != self.truth and camera(self.table.session.state).differences(camera(self.truth)):
            self.fail("wrong", f"{told}: {self.table.session.rows()[-1].text if self.table.session.rows() else ''}")
        if self.table.session.state != self.truth:
            here = self.table.session.state
            if (here.phase, here.board) == (self.truth.phase, self.truth.board) and here.turn == self.truth.turn:
                self.counts["another story"] += 1
            self.put_right()
        assert self.table.session.state == self.truth, (self.table.session.state, self.truth)
        self._agreed = self.table.session.seq
        self._since.clear()

    def put_right(self) -> None:
        """A person tells what happened since position and table last agreed."""
        self.table.undo(self._agreed, "put right", source="page")
        for event in self._since:
            self.table.play(event, source="page")

    def lifted(self, events: Sequence[SpectrumEvent]) -> None:
        """The pawn that moves next is in a hand that is out of the picture."""
        go = next((event for event in events if isinstance(event, Go)), None)
        if go is None or go.pawn not in SPOTS:
            return
        board = with_pawn(self.truth.board, SPOTS.index(go.pawn), EMPTY)
        verdict = self.look(camera(replace(self.truth, board=board)))
        if isinstance(verdict, Same | Pending | TakenBack):
            self.counts["pending"] += 1
        else:
            self.fail("hasty", f"{go.pawn} lifted: {verdict}")
        self.agree("lifted")

    def mistake(self) -> None:
        """A pawn goes where no legal move leads; it is named, and goes back."""
        state = self.truth
        if state.phase not in ("move", "declare", "pass"):
            return
        seat = state.turn if self.rng.random() < 0.8 else self.rng.randrange(state.seats)
        pawns = list(bits(state.pawns_on_paths(seat)))
        if not pawns:
            return
        start = self.rng.choice(pawns)
        near = [(start + step) % 108 for step in (1, 2, 3, 9, 10, -1, -9, -8, 18, 19)]
        space = self.rng.choice(near)
        if state.board[space] != EMPTY:
            return
        board = with_pawn(with_pawn(state.board, space, state.board[start]), start, EMPTY)
        shown = camera(replace(state, board=board))
        if explanations(state, shown):
            return
        event = Go(seat, SPOTS[start], SPOTS[space])
        breaches = {breach.rule for breach in state.violations(event)}
        verdict = self.look(shown)
        self.counts["mistakes"] += 1
        text = f"{COLOR_OF_LETTER[state.board[start]]} {SPECTRUM.text(event)}"
        if isinstance(verdict, Refused):
            named = {breach.rule for breach in verdict.breaches} & breaches
            self.counts["named"] += bool(named)
            if not named:
                self.fail("misnamed", f"{text} {breaches}: {verdict.breaches}")
        elif isinstance(verdict, Accepted):
            self.fail("missed", f"{text} {breaches}: {verdict}")
        else:
            self.counts[f"mistake {type(verdict).__name__}"] += 1
        back = self.look(camera(state))
        if not isinstance(back, TakenBack | Same):
            self.fail("not put back", f"{text}: {back}")
        self.agree("mistake")

    def fail(self, kind: str, text: str) -> None:
        self.counts[kind] += 1
        state = self.truth
        self.failures.append(f"{kind}: {state.phase} {state.roll} {state.usage!r}: {text}")


def pawns_of(state: SpectrumState) -> dict[str, str]:
    """The board in the words of a written record."""
    return {SPOTS[at]: COLOR_OF_LETTER[letter] for at, letter in enumerate(state.board) if letter != EMPTY}


def play(seed: int, turns: int, options: Options, seats: int, doubts: Doubts) -> Watched:
    """A few turns from a crowded board."""
    rng = Random(f"{seed} {options} {seats}")
    start = SPECTRUM.start(seats, options)
    while True:
        board = crowded_board(rng, start.teams)
        state = replace(start, board=board, turn=rng.randrange(seats))
        if any(state.stock(color) < 0 for team in state.teams for color in team):
            continue
        state = SPECTRUM.from_record(seats, options, {"pawns": pawns_of(state), "turn": state.turn})
        if state.phase == "roll":
            break
    with TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "games.journal")
        try:
            watched = Watched(rng, state, journal, doubts)
            for _ in range(turns):
                if watched.truth.phase != "roll":
                    break
                watched.turn()
        finally:
            journal.close()
    return watched
