"""Puts a verdict into words: a recording's words for programs, and a sentence for people.

Terminal, demo and recordings share this text; the page shows the verdict itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.contract import Drawn, Event, Violation
from companion.core.layout import place_words
from companion.core.pieces import Piece
from companion.core.verdict import Accepted, Desynchronized, Pending, Refused, Same, TakenBack, Unclear, Verdict
from companion.referee.journal import Row
from companion.referee.matching import seat_of
from companion.referee.table.table import Table

SEAT = re.compile(r"\b[Pp]layer ([1-9]\d?)\b")
"""The pattern by which a sentence or a notation names a seat."""


def with_names(text: str, names: Sequence[str]) -> str:
    """Returns a sentence with the players' names: "player 2 waits" becomes "Ben waits".

    Args:
        names: The names by seat; a seat without a name stays as it is.
    """
    return SEAT.sub(lambda found: names[int(found[1]) - 1] if int(found[1]) <= len(names) else found[0], text)


def without_names(text: str, names: Sequence[str]) -> str:
    """Returns a typed line in the game's notation: "Ben draws R7" becomes "player 2 draws R7"."""
    for seat, name in sorted(enumerate(names, 1), key=lambda pair: -len(pair[1])):
        if name and text[: len(name) + 1].casefold() == f"{name} ".casefold():
            return f"player {seat} {text[len(name) + 1 :]}"
    return text


SEEN = "Three looks at the steady table show it."
"""The sentence for an accusation whose pieces were all seen in this number of looks."""


class ToldVerdict(Struct, frozen=True):
    """One thing that the referee says."""

    words: dict[str, Any] | None
    """The event in a recording's words, with `legal` and, if it is illegal, `rule` and `why`; None if there is no
    event."""
    text: str
    """The same for people: the observation, the rule, and what to do."""
    verdict: str = "accepted"
    """The verdict in one word: `accepted`, `refused`, `unclear`, `pending`, `taken_back`, `out_of_step` or
    `revised`."""
    revises: int | None = None
    """The number of the picture whose verdict relied on a misreading; 0: the first one."""


WordsOf = Callable[[Any, Event], dict[str, Any] | None]
"""Returns the words of an event, like `EventCodec.words`."""


def tell(table: Table, verdict: Verdict, words_of: WordsOf | None = None) -> tuple[ToldVerdict, ...]:
    """Returns the texts for a verdict on which the table has just acted.

    Args:
        words_of: Returns events in a recording's words, in the order in which they happened; None: the words of a game
            that
            sees no picture.
    """
    words_of = words_of or table.session.game.words
    before = table.session.state
    match verdict:
        case Accepted(events=()):
            return ()
        case Accepted(events=events, told=told):
            steps = table.session.steps()
            first = steps[-len(events)].parent
            state = table.session.state_at(0) if first is None else first.state
            return accepted(table, state, events, told, words_of)
        case Refused(event=event, breaches=breaches, before=first, looks=looks):
            taken = accepted(table, before, first, words_of=words_of)
            state = _after(table, before, first)
            words = words_of(state, event)
            if words is not None:
                words |= {"legal": False, "rule": breaches[0].rule, "why": breaches[0].text}
            shown = f" {SEEN}" if looks else ""
            sentence = f"{_named(table, state, event)} is not allowed. {_reasons(table, breaches)}{shown}"
            return *taken, ToldVerdict(words, sentence, "refused")
        case TakenBack(event=None, to=to):
            return (
                ToldVerdict(
                    None,
                    f"The table looks as it did after row {to}. If moves were taken back, undo them.",
                    "taken_back",
                ),
            )
        case TakenBack(event=event):
            words = table.session.game.words(before, event)
            if words is not None:
                words.pop("points", None)
                words |= {"type": "take_back", "legal": True}
            return (ToldVerdict(words, f"{_named(table, before, event)} was put back.", "taken_back"),)
        case Unclear(choices=(choice,)):
            return (ToldVerdict(None, f"Was it: {choice.text}? The picture does not tell surely.", "unclear"),)
        case Unclear(choices=choices):
            options = " or ".join(choice.text for choice in choices)
            asked = ToldVerdict(None, f"Which was it: {options}? The picture does not tell.", "unclear")
            return (*_in_any_case(table, verdict, words_of), asked)
        case Desynchronized(differences=differences):
            spots = ", ".join(place_words(difference.spot) for difference in differences)
            differs = f"No move explains the table; it differs at {spots}. Put it right, or correct the game."
            return (ToldVerdict(None, differs, "out_of_step"),)
        case Pending(text=text):
            return (ToldVerdict(None, text, "pending"),)
        case Same():
            return ()


def revised(table: Table, row: Row) -> ToldVerdict:
    """Returns the text for a row that notes a misreading, with the event that it changes, if any."""
    earlier = next((step for step in table.session.steps() if step.n == row.more["of"]), None)
    words = None
    if earlier is not None and isinstance(earlier.event, Drawn) and row.more["now"] is not None:
        before = table.session.state_at(0) if earlier.parent is None else earlier.parent.state
        now = msgspec.convert(row.more["now"], Piece)
        words = table.session.game.words(before, Drawn(earlier.event.seat, (now,)))
    frame = 0 if earlier is None else table.session.rows()[earlier.n - 1].more.get("frame", 0)
    return ToldVerdict(
        None if words is None else {**words, "legal": True}, f"Seen by now: {row.text}.", "revised", frame
    )


def _in_any_case(table: Table, asked: Unclear, words_of: WordsOf) -> tuple[ToldVerdict, ...]:
    """Returns the texts for the events that all open explanations share."""
    if not asked.common:
        return ()
    first = asked.choices[0]
    state = table.session.state if first.given is None else first.given.state
    known = _after(table, state, first.events[: -len(asked.common)])
    return tuple(
        replace(one, verdict="unclear", text=f"In any case: {one.text}")
        for one in accepted(table, known, asked.common, words_of=words_of)
    )


def accepted(
    table: Table, state: Any, events: Sequence[Event], known: Sequence[Event] = (), words_of: WordsOf | None = None
) -> tuple[ToldVerdict, ...]:
    """Returns the texts for legal events.

    Args:
        state: The position before the events.
        known: The events for which a text was already given.
        words_of: See `tell`.
    """
    words_of = words_of or table.session.game.words
    told = []
    left = list(known)
    for event in events:
        words = words_of(state, event)
        after = table.session.advance(state, event)
        if event in left:
            left.remove(event)
        elif words is not None:
            gained = _gained(state, after)
            scored = f", {gained}" if gained else ""
            sentence = f"{_named(table, state, event)}{scored}.{_lost(table, state, event, after)}"
            told.append(ToldVerdict({**words, "legal": True}, sentence))
        state = after
    hints = table.session.game.turn_hints
    if told and hints is not None and (due := hints.still_to_do(state)):
        told[-1] = replace(told[-1], text=f"{told[-1].text} {due}")
    return tuple(told)


def _lost(table: Table, before: Any, event: Event, after: Any) -> str:
    """Returns a sentence on the options that an event made impossible, if the game has hints about them."""
    hints = table.session.game.turn_hints
    lost = None if hints is None or hints.lost is None else hints.lost(before, event, after)
    return f" {lost}" if lost else ""


def _after(table: Table, state: Any, events: Sequence[Event]) -> Any:
    for event in events:
        state = table.session.advance(state, event)
    return state


def _named(table: Table, state: Any, event: Event) -> str:
    """Returns the player's name and the event in the game's notation, without the seat's number in front of it."""
    seat = seat_of(state, event)
    return f"{table.session.names[seat]}: {table.session.game.text(event).removeprefix(f'player {seat + 1} ')}"


def _gained(before: Any, after: Any) -> str:
    """Returns the text of the newest line of the score sheet if an event scored, else "". Sheets are in the order of
    play.
    """
    for old, new in zip(before.scores(), after.scores(), strict=True):
        lines = list((Counter(new.lines) - Counter(old.lines)).elements())
        if len(new.lines) > len(old.lines) and lines:
            return str(lines[-1].text)
    return ""


def _reasons(table: Table, breaches: Sequence[Violation]) -> str:
    return with_names(" ".join(f"{breach.rule}: {breach.text}" for breach in breaches), table.session.names)
