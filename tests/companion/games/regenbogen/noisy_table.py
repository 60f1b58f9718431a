"""A game of Regenbogen before a camera that doubts and errs: what it sees, and what the referee made of it."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Event
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Piece, Pyramid
from companion.core.verdict import Accepted, Verdict
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.moves import Fight, Heal, OfferDraw, Summon
from companion.games.regenbogen.state import RegenbogenState
from companion.referee.matching import LOOKS
from companion.referee.session_manager import SessionManager

MISREAD = 0.01
"""One cell in a hundred is read as something else."""
KINDS = tuple(Pyramid(color, size) for color in PYRAMID_COLORS for size in PYRAMID_SIZES)


def seen(state: RegenbogenState, rng: Random, noise: bool = True) -> Layout:
    """A reading of the table by eyes that doubt everything a little and misread a cell now and then."""
    if not noise:
        return state.layout()
    return Layout({spot: _sighting(piece, rng) for spot, piece in state.tops.items()})


def _sighting(piece: Piece | None, rng: Random) -> Detection:
    wrong = rng.choice(KINDS)
    if rng.random() < MISREAD and wrong != piece:
        sure = rng.uniform(0.4, 0.7)
        return Detection((Candidate(wrong, sure), Candidate(piece, rng.uniform(0.1, 0.95 - sure))))
    if piece is None:
        return Detection((Candidate(None, rng.uniform(0.7, 0.85)),))
    sure = rng.uniform(0.7, 0.98)
    return (
        Detection((Candidate(piece, sure), Candidate(wrong, (1 - sure) / 2)))
        if wrong != piece
        else Detection.sure(piece)
    )


class NoisyTable:
    """One table: the truth goes on, the referee looks."""

    def __init__(self, sessions: SessionManager, seed: int, *, noise: bool = True, told: float = 1.0) -> None:
        """
        :param told: share of the actions that a camera cannot prove which people tell before anybody looks.
        """
        self.table = sessions.start("regenbogen", ("Ann", "Ben"), {})
        self.rng = Random(seed)
        self.noise = noise
        self.told = told
        self.truth: RegenbogenState = self.table.session.state
        self.unknown: list[Event] = []
        """What has happened and the referee has not taken yet."""
        self.verdicts: list[tuple[Event, Verdict]] = []

    def play(self, turns: int) -> None:
        """So many random events, each looked at until it is judged."""
        for _ in range(turns):
            if self.truth.ending is not None:
                return
            self.step(self.chosen())

    def chosen(self) -> Event:
        """A random event, actions more often than among all legal moves."""
        moves = [move for move in self.truth.legal_moves() if not isinstance(move, OfferDraw)]
        acts = [move for move in moves if isinstance(move, Fight | Heal | Summon)]
        return self.rng.choice(acts if acts and self.rng.random() < 0.4 else moves)

    def step(self, event: Event) -> None:
        """One true event, told or only seen; then the referee is brought to the truth as people would bring it.

        An event that leaves no trace and is not told stays unknown until the next one is looked at. Two things no referee
        can know, so here they are told: what a piece did unseen after it had moved (without a word the turn counts as
        ended, RGB-29), and a second unseen action in a row.
        """
        before = self.truth
        self.truth = before.apply(event)
        self.unknown.append(event)
        unprovable = REGENBOGEN.proposer.needs_confirmation(before, event)
        lost = before.moved is not None or any(
            REGENBOGEN.proposer.needs_confirmation(before, one) for one in self.unknown[:-1]
        )
        hidden = lost and self.truth.tops == before.tops
        if unprovable and (hidden or self.rng.random() < self.told):
            self._tell()
        for frame in range(LOOKS):
            verdict = self.table.see(seen(self.truth, self.rng, self.noise), frame)
            self.verdicts.append((event, verdict))
            if isinstance(verdict, Accepted):
                assert self.table.session.state == self.truth, "the referee took another story for true"
                self.unknown = []
                break
        if self.truth.tops != before.tops or self.truth.saving:
            self._tell()

    def _tell(self) -> None:
        """People tell what the referee has not taken yet."""
        for event in self.unknown:
            self.table.play(event, source="page")
        self.unknown = []
        assert self.table.session.state == self.truth

    def counts(self) -> dict[str, Any]:
        """Verdicts by their kind."""
        found: dict[str, Any] = {}
        for _, verdict in self.verdicts:
            name = type(verdict).__name__
            found[name] = found.get(name, 0) + 1
        return found
