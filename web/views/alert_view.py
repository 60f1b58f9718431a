"""An open matter in words: the observation, the rule, what to do, and the spots to highlight on the board."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from companion.core.contract import Event, Rolled, Violation
from companion.core.foundation.errors import MoveError
from companion.core.layout import Difference
from companion.core.verdict import Choice, Desynchronized, Pending, Refused, TakenBack, Unclear
from companion.referee.matching import seat_of
from companion.referee.session.alert import Alert
from companion.referee.table.table import Table
from companion.referee.telling import SEEN
from web.boards import NoSuchSpot, Presenter
from web.scene.marks import Marks
from web.views.agreement_view import may_be_set


def breach_data(breach: Violation, game: str) -> dict[str, Any]:
    """Returns the data of a broken rule, with the address of its text."""
    return {
        "rule": breach.rule,
        "text": breach.text,
        "where": list(breach.where),
        "link": f"/rules/{game}#{breach.rule}",
    }


def alert_data(table: Table, alert: Alert, presenter: Presenter) -> dict[str, Any]:
    """Returns the data of an open matter, without pictures."""
    verdict = alert.verdict
    data: dict[str, Any] = {
        "number": alert.number,
        "kind": "",
        "title": "",
        "text": "",
        "do": "",
        "breaches": [],
        "choices": [],
        "differences": [],
        "answers": [],
        "where": [],
        "refused": [],
        "frame": alert.frame,
    }
    if isinstance(verdict, Refused):
        return data | _refused(table, verdict, presenter)
    if isinstance(verdict, Unclear):
        return data | _unclear(table, verdict, presenter)
    if isinstance(verdict, Pending):
        return data | {"kind": "pending", "title": "Not judged yet", "text": verdict.text, "answers": ["misread"]}
    if isinstance(verdict, TakenBack):
        return data | _taken_back(verdict)
    return data | _out_of_step(table, verdict, presenter)


def _refused(table: Table, verdict: Refused, presenter: Presenter) -> dict[str, Any]:
    name = table.session.names[verdict.seat]
    spot = presenter.aim(verdict.event).spot
    where = {spot for breach in verdict.breaches for spot in breach.where} | ({spot} if spot else set())
    return {
        "kind": "refused",
        "title": "Not allowed",
        "seat": verdict.seat,
        "text": f"{name} {presenter.sentence(verdict.event)}.{f' {SEEN}' if verdict.looks else ''}",
        "do": "Put it back, or say that it was misread. If everybody accepts it, the table can agree to it.",
        "breaches": [breach_data(breach, table.session.game.name) for breach in verdict.breaches],
        "answers": ["put-back", "misread", "agree"],
        "where": sorted(where),
        "refused": [spot] if spot else [],
    }


def _unclear(table: Table, verdict: Unclear, presenter: Presenter) -> dict[str, Any]:
    choices = [
        {
            "text": choice.text,
            "sentence": _told(table, choice, presenter),
            "breaches": [breach_data(breach, table.session.game.name) for breach in choice.breaches],
        }
        for choice in verdict.choices
    ]
    spots = {spot for choice in verdict.choices for event in choice.events if (spot := presenter.aim(event).spot)}
    if len(choices) == 1:
        title, text = "Was it this?", f"{_first_upper(verdict.choices[0].text)}?"
        do = "If it was, choose it. If not, correct the history."
    elif _only_rolls(verdict):
        title, text = "Which roll was it?", "The dice were read in more than one way."
        do = "Choose what the dice really show."
    else:
        title, text, do = "Which one was it?", "The picture fits more than one move.", "Choose what really happened."
    return {
        "kind": "unclear",
        "title": title,
        "text": text,
        "do": do,
        "choices": choices,
        "answers": ["choose", "misread"],
        "where": sorted(spots),
    }


def _told(table: Table, choice: Choice, presenter: Presenter) -> str:
    """Returns the players and their actions, one sentence for each event."""
    names, state = table.session.names, table.session.state
    told = []
    for event in choice.events:
        told.append(f"{names[seat_of(state, event)]} {presenter.sentence(event)}.")
        with suppress(MoveError):  # an answer may be against the rules
            state = state.apply(event)
    return " ".join(told)


def _only_rolls(verdict: Unclear) -> bool:
    return all(isinstance(event, Rolled) for choice in verdict.choices for event in choice.events)


def _taken_back(verdict: TakenBack) -> dict[str, Any]:
    to = f"as it was after row {verdict.to}" if verdict.to else "as it was at the start"
    return {
        "kind": "taken-back",
        "title": "Moves taken back?",
        "text": f"The table is {to}.",
        "do": "If the moves since then were taken back, undo them. If not, put the pieces where they were.",
        "to": verdict.to,
        "answers": ["undo", "misread"],
    }


def _out_of_step(table: Table, verdict: Desynchronized, presenter: Presenter) -> dict[str, Any]:
    """Returns the data while table and record disagree; the table's own behavior follows from the same state
    (`Table.apart`).
    """
    begun = bool(table.session.steps())
    if not verdict.differences:
        title, seen = "Is the table as recorded?", "It looks so, and not all of it could be read surely."
    elif begun:
        title, seen = "Table and record differ", "The camera sees something else than the record has."
    else:
        title, seen = "Does the game begin so?", "The table does not stand as the record begins."
    return {
        "kind": "out-of-step",
        "title": title,
        "text": f"{seen} Nothing is judged until they agree.",
        "do": "Put the pieces as the board on this page shows them, and it goes on by itself. Or choose what is right.",
        "differences": [difference_data(difference, presenter) for difference in verdict.differences],
        "answers": ["as-seen", "misread"] if may_be_set(table) else ["misread"],
        "where": [difference.spot for difference in verdict.differences],
    }


def difference_data(difference: Difference, presenter: Presenter) -> dict[str, Any]:
    """Returns one spot where table and record differ, in words."""

    def words(pieces: tuple[Any, ...]) -> str:
        return ", ".join(presenter.piece_name(piece) for piece in pieces if piece is not None) or "nothing"

    try:
        name = presenter.spot_name(difference.spot)
    except NoSuchSpot:
        name = difference.spot
    return {
        "spot": difference.spot,
        "name": name,
        "expected": words(difference.expected),
        "seen": words(difference.seen),
    }


def pictures(alert: Alert, presenter: Presenter, state: Any = None) -> Iterator[tuple[str, Marks]]:
    """Yields the meaning of each answer on the board: a title, and the marks in the present position.

    Rolls have none, because they change no board.

    Args:
        state: The present position, for presenters that derive all changes of an event from it (`ghosts`).
    """
    verdict = alert.verdict
    if isinstance(verdict, Unclear):
        if _only_rolls(verdict):
            return
        for number, choice in enumerate(verdict.choices, 1):
            refused = bool(choice.breaches)
            yield f"Answer {number}: {choice.text}", _trial(choice.events, presenter, state, refused=refused)
    elif isinstance(verdict, Refused):
        yield "The move that is not allowed", _trial((*verdict.before, verdict.event), presenter, state, refused=True)


def _trial(events: tuple[Event, ...], presenter: Presenter, state: Any, *, refused: bool) -> Marks:
    changes = getattr(presenter, "ghosts", None)
    ghosts = {} if changes is None or state is None else changes(state, events)
    spots = frozenset(spot for spot, piece in ghosts.items() if piece is not None) or frozenset(ghosts)
    if not ghosts:
        aims = [(presenter.aim(event).spot, event) for event in events]
        ghosts = {spot: presenter.laid(event) for spot, event in aims if spot is not None}
        spots = frozenset(ghosts)
    return Marks(ghosts=ghosts, refused=spots if refused else frozenset(), changed=frozenset() if refused else spots)


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]
