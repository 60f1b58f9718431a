"""Measures the verdicts on pictures and their time, with the rules as prior and without.

Random games of Spectrangle are looked at through readers with faults. A wrong move or an accusation of a legal one is
the worst that can happen; a question or a second look is not.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from bench.figure import Figure
from companion.core.layout import Layout
from companion.core.verdict import Accepted, Refused, Verdict
from companion.games.spectrangle.game import SPECTRANGLE
from companion.referee.matching import match
from companion.referee.matching.foresight import predict_changes
from simulation.matching import noise
from simulation.matching.games import turns
from simulation.matching.without_prior import match_without_prior

_GAMES = 12

Fault = Callable[[random.Random, Any], Layout]

FAULTS: dict[str, Fault] = {
    "every spot read right, 80 to 99.5 % sure": lambda rng, state: noise.unsure(rng, state.layout()),
    "the same, four cells out of sight": lambda rng, state: noise.hidden(rng, noise.unsure(rng, state.layout()), 4),
    "the same, one cell misread": lambda rng, state: noise.misread(
        rng, noise.unsure(rng, state.layout()), state.layout()
    ),
}
"""Readers by what they do wrong."""


def _became(verdict: Verdict, before: Any, after: Any) -> str:
    if isinstance(verdict, Refused):
        return "accused"
    if not isinstance(verdict, Accepted):
        return "waits or asks"
    state = before
    for event in verdict.events:
        state = state.apply(event)
    return "right" if state.layout() == after.layout() else "wrong"


def _tally(fault: Fault, hands: str) -> tuple[Counter[str], Counter[str], list[float]]:
    """What becomes of each move with and without the rules as prior, and the processor time of the former in ms."""
    rng = random.Random(1)
    ruled: Counter[str] = Counter()
    spelled: Counter[str] = Counter()
    times_ms = []
    for before, _, after in turns(rng, _GAMES, hands=hands):
        if not before.layout().differences(after.layout()):
            continue
        seen = fault(rng, after)
        predict_changes(before, False)
        began = time.process_time()
        verdict = match(SPECTRANGLE, before, seen)
        times_ms.append(1000 * (time.process_time() - began))
        ruled[_became(verdict, before, after)] += 1
        spelled[_became(match_without_prior(SPECTRANGLE, before, seen), before, after)] += 1
    return ruled, spelled, times_ms


def figures() -> Iterator[Figure]:
    """Shares of moves, in percent; then the time of one verdict."""
    every_ms: list[float] = []
    for hands in ("open", "unseen"):
        for text, fault in FAULTS.items():
            ruled, spelled, times_ms = _tally(fault, hands)
            every_ms += times_ms
            total = ruled.total()
            name = f"hands {hands}, {text}"
            yield Figure(f"{name}: right", 100 * ruled["right"] / total, "%")
            yield Figure("   without the rules as prior", 100 * spelled["right"] / total, "%")
            harmless = 100 * (1 - (ruled["wrong"] + ruled["accused"]) / total)
            yield Figure("   no wrong move, no accusation", harmless, "%", at_least=100.0)
            yield Figure("   the same without", 100 * (1 - (spelled["wrong"] + spelled["accused"]) / total), "%")
    every_ms.sort()
    yield Figure("one verdict, median", median(every_ms), "ms")
    yield Figure("one verdict, 95th percentile", every_ms[int(0.95 * len(every_ms))], "ms")
