"""The score sheet of a game as text, for printing, mailing and reading.

It resembles chess records: a block of tags, then numbered turns in the game's own notation with points and reasons.
Draws and rolls are in parentheses; refused and undone events are in comments that begin with ";".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from time import strftime
from typing import Any

from companion.core.contract import Score, ScoreLine, Violation
from companion.core.foundation.words import Words
from companion.core.game import Game
from companion.referee.journal import Header, Row, utc
from companion.referee.journal.timeline import Timeline, TimelineStep

# The reasons for a change of score, line by line.
#
# Scores keep only sums. A game whose counting is error-prone has a `score_breakdown`, which lists the points of an
# event card by card; for other games the lines follow from the two scores. History, replay and score sheets use these
# lines.


def listed(game: Game[Any], before: Any, event: Any) -> tuple[ScoreLine, ...]:
    """Returns the score lines that a game lists for an event at a position; empty if it lists none."""
    return () if game.score_breakdown is None else game.score_breakdown(before, event)


def score_breakdown(game: Game[Any], before: Any, event: Any, after: Any) -> tuple[ScoreLine, ...]:
    """Returns the score lines of an event.

    Args:
        before: The position before the event.
        after: The position after the event, which reveals points that the game did not list.
    """
    lines = listed(game, before, event)
    had, has = before.scores(), after.scores()
    gained = sum({id(now): now.total - was.total for was, now in zip(had, has, strict=True)}.values())
    if lines and gained == sum(line.points for line in lines):
        return lines
    return (*lines, *_added(had, has))


def _added(had: Sequence[Score], has: Sequence[Score]) -> list[ScoreLine]:
    """Returns the lines that were added to any seat's score; a line that partners share appears once."""
    found: list[ScoreLine] = []
    for was, now in zip(had, has, strict=True):
        found += [line for line in now.lines[len(was.lines) :] if line not in found]
    return found


def score_sheet(
    title: str, header: Header, rows: Sequence[Row], timeline: Timeline | None, note: str = "", words: Words = str
) -> str:
    """Returns the score sheet of one game.

    Args:
        title: The displayed name of the game.
        timeline: The game as today's rules replay it; then turns carry their reasons, and corrected turns the scores
            that followed from the correction. None: everything stands as it was recorded.
        note: A sentence before the turns.
        words: Translates reasons and remarks; tags and notation are the same in all languages.
    """
    remark = [f"; {note}"] if note else []
    result = _result(header, timeline, words)
    turns = _turns(header, rows, timeline, words)
    return "\n".join([*_tags(title, header, result), "", *remark, *turns, "", result, ""])


def _tags(title: str, header: Header, result: str) -> Iterator[str]:
    yield _tag("Game", title)
    yield _tag("Rules", str(header.rules))
    yield _tag("Id", header.id)
    yield _tag("Date", strftime("%Y.%m.%d", utc(header.started)))
    yield _tag("Time", strftime("%H:%M:%S UTC", utc(header.started)))
    for seat, name in enumerate(header.names):
        yield _tag(f"Seat{seat}", name)
    for name, value in header.options.items():
        yield _tag(f"Option {name}", str(value).lower() if isinstance(value, bool) else str(value))
    if header.position is not None:
        yield _tag("Position", "set up")
    yield _tag("Result", result)


def _tag(name: str, value: str) -> str:
    safe = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{safe}"]'


def _result(header: Header, timeline: Timeline | None, words: Words) -> str:
    """Returns the totals joined by dashes, and the winner if the totals do not show it; "*" for a game that goes on or
    was not replayed.
    """
    outcome = None if timeline is None else timeline.state.outcome()
    if timeline is None or outcome is None:
        return "*"
    totals = [score.total for score in timeline.state.scores()]
    joined = "-".join(map(str, totals))
    first = sorted(outcome.places[0])
    if first == [seat for seat, total in enumerate(totals) if total == max(totals)]:
        return joined
    *others, last = [header.names[seat] for seat in first]
    won = f"won by {', '.join(others)} and {last}" if others else f"won by {last}"
    return f"{joined}, {words(won)}"


def _turns(header: Header, rows: Sequence[Row], timeline: Timeline | None, words: Words) -> Iterator[str]:
    names = header.names
    steps = {} if timeline is None else {step.n: step for step in timeline.steps()}
    undone = frozenset() if timeline is None else timeline.undone()
    corrected = {row.more["of"]: row for row in rows if row.kind == "correct" and row.n not in undone}
    turn = 0
    for row in rows:
        name = names[row.seat] if row.seat is not None and row.seat < len(names) else ""
        if row.n in undone:
            what = f"{name} {row.text}".strip()
            yield f"; {row.n}: {words('undone')}: {what}"
        elif row.kind in ("move", "agreed"):
            turn += 1
            yield from _turn(turn, row, name, timeline, steps.get(row.n), corrected.get(row.n), words)
        elif row.kind == "chance":
            text = corrected[row.n].text if row.n in corrected else row.text
            yield f"     ({text})"
        else:
            yield f"; {row.n}: {_remark(row, name, words)}"


def _turn(
    turn: int,
    row: Row,
    name: str,
    timeline: Timeline | None,
    step: TimelineStep | None,
    corrected: Row | None,
    words: Words,
) -> Iterator[str]:
    text = row.text if corrected is None else corrected.text
    totals = row.scores if step is None else tuple(score.total for score in step.state.scores())
    yield f"{turn:3}. {name:<12} {text:<24} {'-'.join(map(str, totals)):>9}".rstrip()
    if row.kind == "agreed":
        reasons = "; ".join(f"{breach['rule']}: {words(breach['text'])}" for breach in row.more.get("breaches", ()))
        yield f"     {{{words('the table agreed')}: {reasons}}}"
    if corrected is not None:
        yield f"     {{{words(f'corrected from {row.text}')}{_because(corrected.more)}}}"
    for reason in _reasons(timeline, step, words):
        yield f"     {{{reason}}}"


def _reasons(timeline: Timeline | None, step: TimelineStep | None, words: Words) -> Iterator[str]:
    """Yields the points of the step's event and their reasons, and the winner of a trick, which brings no points."""
    if timeline is None or step is None:
        return
    before = timeline.book.start if step.parent is None else step.parent.state
    for one in score_breakdown(timeline.book.game, before, step.event, step.state):
        why = f"{words(one.text)} ({one.rule})"
        yield f"{one.points:+g}: {why}" if one.points else why


def _remark(row: Row, name: str, words: Words) -> str:
    if row.kind == "refused":
        breaches = [Violation(breach["rule"], breach["text"]) for breach in row.more.get("breaches", ())]
        told = words(f"{name} {row.text} was refused.")
        return " ".join([told, *(f"{breach.rule}: {words(breach.text)}" for breach in breaches)])
    if row.kind == "asked":
        return row.text if "answer" in row.more else words(f"asked: {row.text}?")
    if row.kind in ("hint", "seat") and row.seat is not None:
        return f"{name} {words(row.text)}"
    return f"{words(row.text)}{_because(row.more)}"


def _because(more: Mapping[str, Any]) -> str:
    return f" ({more['why']})" if more.get("why") else ""
