"""Compares a referee with a drawn game: determines an outcome for every picture, and sums up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any

from companion.core.contract import Event
from companion.core.layout import Layout
from companion.core.verdict import Refused, TakenBack, Unclear
from companion.referee.session.alert import Alert
from companion.referee.telling import ToldVerdict
from simulation.drawn.step import Step

OUTCOMES = {
    "right": "told what happened, and nothing else",
    "alike": "told another story that leaves the same table",
    "asked": "asked which it was",
    "silent": "saw no event, or could not say which",
    "wrong": "took something that did not happen",
    "accused": "called a legal move, or none, illegal",
    "misnamed": "called an illegal move illegal, by another rule",
    "missed": "took an illegal move for a legal one",
}
"""The meaning of each outcome. An alike story does no harm by itself, but it may leave the wrong player on turn."""


def outcome(
    step: Step, told: Sequence[ToldVerdict], alert: Alert | None, same_table: bool, stands: Event | None = None
) -> str:
    """Returns the key in `OUTCOMES` for one picture.

    Args:
        told: All verdicts that the referee reported on the picture.
        alert: The new alert for people; None if there is none.
        same_table: True if position and table agree afterwards.
        stands: An illegal event that was already named and that nobody has put back; naming it again is right.
    """
    verdict = None if alert is None else alert.verdict
    accepted = [one.words for one in told if one.words is not None and one.words.get("legal")]
    taken = [words for words in accepted if words["type"] != "take_back"]
    if step.kind == "illegal":
        if isinstance(verdict, Refused):
            rules = {breach.rule for breach in step.breaches}
            return "right" if rules & {breach.rule for breach in verdict.breaches} else "misnamed"
        if isinstance(verdict, Unclear | TakenBack):
            return "asked"
        return "missed" if taken else "silent"
    if isinstance(verdict, Refused):
        return "right" if step.kind == "nothing" and verdict.event == stands else "accused"
    if isinstance(verdict, Unclear | TakenBack):
        return "asked"
    if step.kind == "legal":
        if same_words(taken, step.words):
            return "right"
        return ("alike" if same_table else "wrong") if taken else "silent"
    if taken:
        return "wrong"
    if step.kind == "nothing":
        return "silent" if verdict is not None else "right"
    return "right" if same_table and verdict is None else "silent"


def same_words(told: Sequence[dict[str, Any] | None], expected: Sequence[dict[str, Any]]) -> bool:
    """True if the reported events are the expected ones, in any order; numbers of trees and points are ignored.

    Rocks are ignored, too, because they are drawn out of sight: the placed piece shows them.
    """
    mine, theirs = ([words for words in side if words and "rock" not in words] for side in (told, expected))
    return Counter(map(key_of, mine)) == Counter(map(key_of, theirs))


def key_of(words: dict[str, Any]) -> str:
    kept = {name: value for name, value in words.items() if name not in ("tree", "points", "legal")}
    if "gave" in kept:
        kept["gave"] = sorted(map(repr, kept["gave"]))
    return repr(sorted(kept.items(), key=lambda item: item[0]))


class Tally:
    """Sums of outcomes, counts and times over games."""

    def __init__(self) -> None:
        self.outcomes: Counter[tuple[str, str]] = Counter()
        """The number of each outcome, by kind of step."""
        self.counts: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.looks_s: list[float] = []
        """The CPU time of each look in seconds."""

    def read(self, truth: Layout, seen: Layout) -> bool:
        """Counts a reading; returns True if it is exact."""
        exact = not truth.differences(seen)
        self.counts["readings"] += 1
        self.counts["exact"] += exact
        for spot, heap in truth.heaps.items():
            there = Counter(repr(sighting.piece) for sighting in heap)
            found = Counter(repr(sighting.piece) for sighting in seen.heaps.get(spot, ()))
            self.counts["pieces"] += there.total()
            self.counts["pieces right"] += (there & found).total()
            self.counts["pieces invented"] += (found - there).total()
        return exact

    def merge(self, other: Tally) -> None:
        """Adds the sums of another tally."""
        self.outcomes += other.outcomes
        self.counts += other.counts
        self.seconds += other.seconds
        self.looks_s += other.looks_s

    def of(self, *outcomes: str, kinds: Sequence[str] = ("legal", "illegal", "back", "nothing")) -> int:
        """Returns the number of pictures with these outcomes."""
        return sum(count for (kind, name), count in self.outcomes.items() if name in outcomes and kind in kinds)

    def lines(self) -> list[str]:
        """Returns the sums as lines of text."""
        counts = self.counts
        total = max(self.outcomes.total(), 1)
        illegal = self.of(*OUTCOMES, kinds=("illegal",))
        found = [
            f"games {counts['games']}, pictures {counts['pictures']}, turns {total}, events {counts['events']}",
            f"right {self.of('right')} ({self.of('right') / total:.1%}), alike {self.of('alike')}, "
            f"asked {self.of('asked')} ({self.of('asked') / total:.1%}), silent {self.of('silent')}, "
            f"wrong {self.of('wrong')}, false accusations {self.of('accused')}",
            f"illegal moves {illegal}: named {self.of('right', kinds=('illegal',))}, "
            f"by another rule {self.of('misnamed')}, asked {self.of('asked', kinds=('illegal',))}, "
            f"missed {self.of('missed', 'silent', kinds=('illegal',))}",
            f"hands read {counts['hands read']}, steady pictures not read {counts['not read']}, "
            f"tables not found {counts['no table']}, openings misread {counts['openings misread']}",
        ]
        if counts["readings"]:
            found.append(
                f"readings exact {counts['exact']} of {counts['readings']} ({counts['exact'] / counts['readings']:.1%}), "
                f"pieces right {counts['pieces right'] / max(counts['pieces'], 1):.2%} of {counts['pieces']}, "
                f"invented {counts['pieces invented']}; failures on exact readings {counts['judged wrong']}"
            )
        rates = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in sorted(self.seconds.items()))
        looks_ms = [1000 * look_s for look_s in self.looks_s] or [0.0]
        found.append(f"CPU time: {rates}; a look: median {median(looks_ms):.1f} ms, longest {max(looks_ms):.0f} ms")
        return found
