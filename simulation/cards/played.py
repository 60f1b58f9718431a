"""Plays whole card games at random on a drawn table, and compares the referee's verdict on each legal and illegal
event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol

from companion.core.contract import Violation
from companion.core.layout import Layout, Spot
from companion.core.plan import Plan
from companion.core.recording import Recording
from companion.referee.telling import ToldVerdict
from simulation.cards.table import CardReferee, DrawnTable

UNHEARD = ("go",)
"""The types of events that players only say. A referee that does not know the hands must assume them more often, so
they are not compared; the pegged points are.
"""


class Step(NamedTuple):
    """The events between two pictures."""

    words: tuple[dict[str, Any], ...]
    """The expected events in the words of recordings: a move, and the events that go with it."""
    after: Any
    """The true position after them; for an illegal move that was refused, the position once it is put back."""
    table: Layout
    """The cards that lie face up after them."""
    breaches: tuple[Violation, ...] = ()
    halfway: tuple[Layout, ...] = ()
    """Earlier pictures with half of the move, on which the referee must not report anything yet."""
    visited: tuple[Spot, ...] = ()
    """Further zones that a hand was over."""


class CardGame(Protocol):
    """A random player of one game."""

    name: str

    def begin(self, rng: Random) -> tuple[Any, Recording]:
        """Returns a true position without hidden cards, and the beginning of the recording."""

    def legal(self, state: Any, rng: Random) -> Step | None:
        """Returns a legal step; None if the game is over or the rest of it is invisible."""

    def illegal(self, state: Any, rng: Random) -> Step | None:
        """Returns an illegal move, which is put back after the referee has named it; None if none was found."""

    def table(self, state: Any) -> Layout:
        """Returns the cards that lie face up in a true position."""


class Tally:
    """The number of each outcome in some games, and the lines of failures."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []

    def note(self, outcome: str, line: str) -> None:
        """Counts one outcome, and keeps the line of a failure."""
        self.counts[outcome] += 1
        if outcome not in ("right", "named", "put back", "began"):
            self.failures.append(f"{outcome}: {line}")


def play(
    game: CardGame,
    seed: int,
    tally: Tally,
    *,
    steps: int = 200,
    illegal: float = 0.1,
    drawn: Callable[[Plan, int], DrawnTable] | None = None,
) -> None:
    """Plays one game to its end, to the first failure of a legal step, or for `steps` steps.

    Args:
        illegal: The share of steps before which an illegal move is tried and put back.
        drawn: Returns the table of a plan and a seed whose pictures the real reader reads; None: readings are exact.
    """
    rng = Random(seed)
    state, recording = game.begin(rng)
    with TemporaryDirectory(prefix="companion-") as folder:
        table = None if drawn is None else drawn(recording.plan, seed)
        referee = CardReferee(game.name, recording, Path(folder), table)
        try:
            told = referee.shown(game.table(state))
            tally.note("began" if not told else "wrong", f"seed {seed}, the first picture: {_lines(told)}")
            for number in range(steps):
                if rng.random() < illegal and (step := game.illegal(state, rng)) is not None:
                    state = _try_illegal(game, referee, state, step, tally, f"seed {seed}, step {number}")
                step = game.legal(state, rng)
                if step is None:
                    return
                told = [*_halfway(referee, step), *referee.shown(step.table, step.visited)]
                line = f"seed {seed}, step {number}: {game.name} {step.words} was told as {_lines(told)}"
                outcome = _outcome(step.words, told)
                if outcome == "right" and _totals(referee.state) != _totals(step.after):
                    outcome, line = "wrong", f"{line}; scores {_totals(referee.state)}, not {_totals(step.after)}"
                tally.note(outcome, line)
                state = step.after
                if outcome != "right":
                    return
        finally:
            referee.close()


def _halfway(referee: CardReferee, step: Step) -> list[ToldVerdict]:
    """Returns the verdicts that came too early: those on pictures of a half-made move, other than "pending"."""
    told = [one for table in step.halfway for one in referee.shown(table)]
    return [one for one in told if one.verdict != "pending"]


def _try_illegal(game: CardGame, referee: CardReferee, state: Any, step: Step, tally: Tally, where: str) -> Any:
    """Plays an illegal move and puts it back, counts the outcomes of both, and returns the position then."""
    told = [*_halfway(referee, step), *referee.shown(step.table, step.visited)]
    (wanted,) = step.words
    rules = {breach.rule for breach in step.breaches}
    refused = [one for one in told if one.verdict == "refused"]
    line = f"{where}: {game.name} {wanted} breaks {sorted(rules)} and was told as {_lines(told)}"
    if not refused:
        tally.note("asked" if all(one.verdict != "accepted" for one in told) else "wrong", line)
    else:
        words = dict(refused[0].words or {})
        rule = words.pop("rule", None)
        same = {key: value for key, value in words.items() if key not in ("legal", "why")} == wanted
        tally.note("named" if same and rule in rules else "misnamed", line)
    back = referee.shown(game.table(state), step.visited)
    put_back = all(one.verdict in ("taken_back", "accepted") for one in back) and (bool(back) or not refused)
    tally.note("put back" if put_back else "wrong", f"{where}: after {wanted} was put back: {_lines(back)}")
    return step.after if refused else state


def _outcome(wanted: Sequence[dict[str, Any]], told: Sequence[ToldVerdict]) -> str:
    if any(one.verdict == "refused" for one in told):
        return "accused"
    accepted = [{key: value for key, value in (one.words or {}).items() if key != "legal"} for one in told]
    accepted, due = ([one for one in words if one.get("type") not in UNHEARD] for words in (accepted, wanted))
    if all(one.verdict == "accepted" for one in told):
        return "right" if accepted == due else "wrong" if accepted else "missed"
    return "asked"


def _totals(state: Any) -> tuple[list[float], Any]:
    """Returns the total of each seat, and the places if the game is over."""
    outcome = state.outcome()
    return [score.total for score in state.scores()], outcome and outcome.places


def _lines(told: Sequence[ToldVerdict]) -> str:
    return "; ".join(f"{one.verdict}: {one.text}" for one in told) or "nothing"
