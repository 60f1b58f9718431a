"""Whole turns between two pictures: what the referee makes of several events under one hand.

Random positions of the pyramid games, from each a few events, legal ones or one illegal one at the end, and a look at
the table afterwards: through true layouts, through a reader that doubts, and through a rough one. A wrong acceptance
and a wrong accusation are the worst that can happen; a question is not. `python -m bench.turns --games N` prints what
became of N turns of each sort.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any, NamedTuple

from msgspec.structs import replace

from bench.figure import Figure
from companion.core.contract import Over
from companion.core.foundation.errors import MoveError
from companion.core.layout import Layout
from companion.core.verdict import Accepted, Desynchronized, Pending, Refused, Same, Unclear, Verdict
from companion.games.spectra.moves import Draw
from companion.games.spectra.state import SpectraState
from companion.referee.matching import match
from companion.referee.table.reading_debouncer import ReadingDebouncer
from simulation.matching.readers import READERS, Reader
from simulation.matching.stories import STORIES, Story, StoryMaker

GAMES = 120
"""Turns of each sort that the bench looks at by default."""

OUTCOMES = (
    "right",
    "asked, and it fits",
    "asked",
    "pending",
    "out of step",
    "refused with a wrong piece",
    "refused wrongly",
    "accepted otherwise",
    "accepted wrongly",
    "crashed",
)
"""The possible outcomes of a turn.

Right: the true events, perhaps in another order that people would not tell apart. Asked, and it fits: the question
names several stories that all fit the true table. Refused with a wrong piece: who broke a rule is accused of that, with
a piece that another one was taken for. Accepted otherwise: another legal story of the same table, in which an event
differs.
"""

WRONG = ("refused with a wrong piece", "refused wrongly", "accepted otherwise", "accepted wrongly", "crashed")
"""Mistakes: accusations and accepted events that are not true."""

TRUE = next(iter(READERS))
"""The reader that makes no mistake."""


class JudgedStory(NamedTuple):
    """The outcome of one turn."""

    outcome: str
    story: Story
    verdict: Verdict | None
    ms: float


def look(story: Story, reader: Reader, rng: random.Random) -> Verdict:
    """Returns the verdict after as many looks at the table as the referee asks for, as in play."""
    debouncer = ReadingDebouncer()

    def judge(layout: Layout) -> Verdict:
        return match(story.game, story.before, layout)

    looks = reader(rng, story.after.layout())
    judged = debouncer.update(judge, judge, story.before, looks[0])
    for further in looks[1:]:
        if judged.again:
            judged = debouncer.update(judge, judge, story.before, replace(further, again=True))
    return judged.verdict


def outcome(story: Story, verdict: Verdict) -> str:
    """Returns the outcome of a turn: its verdict compared with the truth."""
    truth = story.after.layout()
    match verdict:
        case Accepted(events=events):
            reached = _after(story.before, events)
            if reached.layout().differences(truth):
                return "accepted wrongly"
            true = story.wrong is None and _same(reached, story.after) and _alike(story, events)
            return "right" if true else "accepted otherwise"
        case Refused():
            return _refused(story, verdict)
        case Unclear(choices=choices):
            fit = [choice for choice in choices if _fits(story.game, story.before, choice.events, truth)]
            return "asked, and it fits" if len(fit) > 1 else "asked"
        case Same():
            return "right" if not story.before.layout().differences(truth) else "accepted wrongly"
        case Pending():
            return "pending"
    assert isinstance(verdict, Desynchronized), verdict
    return "out of step"


def _after(state: Any, events: Sequence[Any]) -> Any:
    for event in events:
        state = state.apply(event)
    return state


def _fits(game: Any, state: Any, events: Sequence[Any], truth: Layout) -> bool:
    """True if events lead to the true table: the last one perhaps illegal, one more legal one perhaps not named."""
    try:
        *first, last = events
        reached = _after(state, first).apply_unchecked(last)
    except MoveError:
        return False
    if not reached.layout().differences(truth):
        return True
    return any(
        not reached.apply(event).layout().differences(truth) for event in game.proposer.candidates(reached, truth)
    )


def _same(one: Any, other: Any) -> bool:
    """True if two positions are the same but for what leaves no trace on the table."""
    return bool(one == other or (one.layout() == other.layout() and _flags(one) == _flags(other)))


def _alike(story: Story, events: Sequence[Any]) -> bool:
    """True if people would call events the true ones.

    A hand that reaches into the bag is told by what it draws; what comes after the events leaves no trace on the table.
    """
    told, true = ([event for event in some if not isinstance(event, Draw)] for some in (events, story.events))
    key = story.game.proposer.history_key
    return bool(key(story.before, told) == key(story.before, true[: len(told)]))


def _flags(state: Any) -> tuple[Any, ...]:
    if isinstance(state.expects(), Over):
        return ("over",)
    return state.turn, state.drawn if isinstance(state, SpectraState) else state.hand


def _refused(story: Story, verdict: Refused) -> str:
    """Returns the outcome of an accusation, right if it names the event or as much of it as the table shows: the
    player, the rules, the position.
    """
    if story.wrong is None or verdict.seat != story.wrong.seat:
        return "refused wrongly"
    rules = {breach.rule for breach in story.last.violations(story.wrong)}
    named = {breach.rule for breach in verdict.breaches}
    if verdict.event == story.wrong:
        return "right"
    if named <= rules and _fits(story.game, story.before, (*verdict.before, verdict.event), story.after.layout()):
        return "right"
    return "refused with a wrong piece" if named & rules else "refused wrongly"


def judge(story: Story, reader: Reader, rng: random.Random) -> JudgedStory:
    """Returns how the referee judges one turn that a reader sees, compared with what was played."""
    began = time.process_time()
    try:
        verdict = look(story, reader, rng)
        found = outcome(story, verdict)
    except (MoveError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, AssertionError):
        return JudgedStory("crashed", story, None, 0.0)
    return JudgedStory(found, story, verdict, 1000 * (time.process_time() - began))


def run(maker: StoryMaker, reader: Reader, games: int, seed: int) -> list[JudgedStory]:
    """Plays turns of one sort and judges each through one reader.

    Args:
        games: The number of turns.
    """
    found: list[JudgedStory] = []
    number = seed
    while len(found) < games:
        rng = random.Random(number)
        number += 1
        made = maker(rng)
        if made is not None:
            found.append(judge(made, reader, rng))
    return found


def harmless(found: Sequence[JudgedStory]) -> float:
    """Percent of turns in which nothing untrue was accepted or accused, and nothing crashed."""
    bad = sum(told.outcome in WRONG for told in found)
    return 100 * (1 - bad / len(found))


def figures(games: int = GAMES) -> Iterator[Figure]:
    """Shares of turns, in percent, and the time of one verdict."""
    for game, sorts in STORIES.items():
        for sort, maker in sorts.items():
            for name, reader in READERS.items():
                found = run(maker, reader, games, 1)
                counts = Counter(told.outcome for told in found)
                yield Figure(f"{game}, {sort}, {name}: right", 100 * counts["right"] / games, "%")
                yield Figure("   nothing wrong accepted or accused", harmless(found), "%", at_least=99.5)
                yield Figure("   one verdict, median", median(told.ms for told in found), "ms")


def main(arguments: Sequence[str]) -> int:
    """Print what became of every sort of turn; exit status 1 if one crashed or a true layout led to one of `WRONG`."""
    parser = argparse.ArgumentParser(prog="python -m bench.turns", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help="turns of each sort")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="where the random numbers begin")
    parser.add_argument("--only", default="", metavar="WORD", help="only sorts and readers that this word is part of")
    parser.add_argument(
        "--show", action="store_true", help="print each turn that was neither right nor fittingly asked"
    )
    given = parser.parse_args(arguments)
    bad = 0
    for game, sorts in STORIES.items():
        for sort, maker in sorts.items():
            for name, reader in READERS.items():
                title = f"{game}, {sort}, {name}"
                if given.only not in title:
                    continue
                found = run(maker, reader, given.games, given.seed)
                _print(title, found, given.show)
                bad += sum(told.outcome in (WRONG if name == TRUE else ("crashed",)) for told in found)
    return 1 if bad else 0


def _short(told: JudgedStory) -> str:
    """Returns a verdict in a line."""
    line = told.story.game.text
    match told.verdict:
        case Accepted(events=events, margin=margin):
            return f"accepted by {margin:.1f}: {', '.join(line(event) for event in events)}"
        case Refused(before=before, event=event, breaches=breaches, margin=margin):
            rules = " ".join(breach.rule for breach in breaches)
            return f"refused by {margin:.1f}: {', '.join(line(one) for one in (*before, event))} [{rules}]"
        case Unclear(choices=choices):
            return " OR ".join(f"{choice.text} ({choice.score:.1f})" for choice in choices)
        case Desynchronized(differences=differences):
            return f"out of step at {', '.join(difference.spot for difference in differences)}"
        case Pending(text=text):
            return text
    return str(told.verdict)


def _print(title: str, found: Sequence[JudgedStory], show: bool) -> None:
    counts = Counter(told.outcome for told in found)
    times = sorted(told.ms for told in found)
    late = times[int(0.99 * len(times))]
    print(f"{title}: {len(found)} turns, {median(times):.0f} ms in the middle, {late:.0f} ms at 99 %")
    for name in OUTCOMES:
        if counts[name]:
            print(f"    {name:<22}{counts[name]:>6}{100 * counts[name] / len(found):>8.2f} %")
    for told in found if show else ():
        if told.outcome not in ("right", "asked, and it fits"):
            print(f"    {told.outcome}: {told.story}\n        {_short(told)}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
