"""The advice in Roll & Color: dice, the best entries, the sheets, and the worth of re-rolls."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.contract import Rolled, Seat, ToRoll
from companion.games.roll_and_color.expectation import EntryChoice, Goal, outlook
from companion.games.roll_and_color.moves import DICE, ENTRIES, SIZES, Enter, Reroll
from companion.games.roll_and_color.sheet import POINTS, ROWS, cell_of, open_rows, row_of, words
from companion.games.roll_and_color.state import lying
from companion.games.shared.color_dice import name
from companion.referee.table.table import Table
from web.boards import Presenter
from web.boards.parts.dice_pieces import DICE as FACES
from web.boards.parts.dice_pieces import code_of
from web.games.roll_and_color import PARTS, SLUGS, rolls
from web.telling.escape import faces
from web.telling.parts.adviser import pictures, roll_data

SHOWN = 6
"""So many re-rolls are listed, the best first."""

_HOW: dict[Goal, str] = {
    "points": "Exact: the points that this round's entry brings on average, all that follows played for most points.",
    "sheet": "An estimate from below: the points of this round, exactly, less the par of the row that is filled, which "
    "is what it brings on average in a later round that is played for this row alone.",
}


class RollAndColorAdviser:
    """Dice, entries, sheets.

    `about` asks for expected values: "points" or "sheet"; empty: none are computed. The best entries come first only if
    the table allows hints; otherwise entries stand in the order of the sheet.
    """

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Everything about the position now."""
        due = state.expects()
        return {
            "seq": table.session.seq,
            "pieces": pictures(FACES, presenter),
            "faces": faces(),
            "turn": state.turn if state.may_move else None,
            "roll": roll_data(due, _labels(state, due)) if isinstance(due, ToRoll) else None,
            "rerolls": state.rerolls,
            "next": _next(state.rerolls),
            "dice": _dice(table, state),
            "hints": table.session.hints,
            "entries": _entries(table, state) if state.may_move else [],
            "parts": _parts(),
            "met": [list(state.met(row)) for row in range(len(ROWS))] if state.may_move else [],
            "seats": [_seat(table, state, seat) for seat in range(state.seats)],
            "odds": _odds(state, "sheet" if about == "sheet" else "points")
            if about and state.may_move and table.session.hints
            else None,
        }


def _labels(state: Any, due: ToRoll) -> list[str]:
    numbers = state.picked or range(1, len(due.dice) + 1)
    return [f"die {number}" for number in numbers]


def _next(made: int) -> dict[str, Any] | None:
    """The number of dice of the next re-roll; None after the last one."""
    if made >= len(SIZES):
        return None
    order = ("first", "second", "third", "fourth")[made]
    exactly = made < len(SIZES) - 1
    count = SIZES[made]
    return {"order": order, "least": count, "most": count if exactly else DICE, "rule": "ROL-3"}


def _dice(table: Table, state: Any) -> list[dict[str, Any]]:
    """The nine dice, and the row in which each was entered, for corrections."""
    told = rolls(table.session.timeline)
    events = {step.n: step.event for step in table.session.steps()}
    found = []
    for number, one in enumerate(lying(state), 1):
        row, at = told.get(number, (0, 0))
        event = events.get(row)
        names = [name(face) for face in event.faces] if isinstance(event, Rolled) else []
        up = not state.rolled or number in state.picked
        found.append({"number": number, "code": code_of(one), "up": up, "row": row or None, "at": at, "roll": names})
    return found


def _entries(table: Table, state: Any) -> list[dict[str, Any]]:
    """The cell that counts most in every open row, equal rows once; with hints the most points first."""
    seat = state.turn
    found = []
    known = set()
    for row in open_rows(state.sheets[seat]):
        about = ROWS[row]
        if (about.group, about.color) in known:
            continue
        known.add((about.group, about.color))
        move = ENTRIES[seat][row][state.levels[row]][-1]
        found.append({"row": SLUGS[row], **_entry(table, move)})
    return sorted(found, key=lambda one: -one["points"]) if table.session.hints else found


def _entry(table: Table, move: Enter) -> dict[str, Any]:
    return {
        "words": words(move.entry),
        "points": POINTS[move.entry],
        "text": table.session.game.text(move),
        "event": msgspec.to_builtins(move),
    }


def _parts() -> list[dict[str, Any]]:
    """The sheet itself, section by section."""
    return [
        {
            "title": title,
            "rows": [
                {
                    "row": SLUGS[row],
                    "place": row,
                    "name": ROWS[row].name,
                    "cells": ROWS[row].cells,
                    "points": ROWS[row].points,
                }
                for row in range(first, last)
            ],
        }
        for title, first, last in PARTS
    ]


def _seat(table: Table, state: Any, seat: Seat) -> dict[str, Any]:
    sheet = state.sheets[seat]
    return {
        "seat": seat,
        "name": table.session.names[seat],
        "entered": {SLUGS[row_of(one)]: {"cell": cell_of(one), "points": POINTS[one]} for one in sheet},
        "total": sum(POINTS[one] for one in sheet),
        "left": len(ROWS) - len(sheet),
    }


def _odds(state: Any, goal: Goal) -> dict[str, Any]:
    """The worth of stopping and of the best re-rolls, and how surely it is known."""
    found = outlook(state, goal)
    stop = found.entries[0]
    assert isinstance(stop.event, Enter)
    better = bool(found.rerolls) and found.rerolls[0].value > stop.value
    return {
        "goal": goal,
        "exact": goal == "points",
        "how": _HOW[goal],
        "stop": {"value": round(stop.value, 2), "words": words(stop.event.entry)},
        "rerolls": [_choice(state, choice) for choice in found.rerolls[:SHOWN]],
        "choices": len(found.rerolls),
        "values": {_key(state, choice): round(choice.value, 2) for choice in found.rerolls},
        "best": "reroll" if better else "stop",
    }


def _key(state: Any, choice: EntryChoice) -> str:
    """The dice of a re-roll by what they show: equal dice are as good as each other."""
    assert isinstance(choice.event, Reroll)
    dice = lying(state)
    return " ".join(sorted(code_of(dice[number - 1]) for number in choice.event.dice))


def _choice(state: Any, choice: EntryChoice) -> dict[str, Any]:
    assert isinstance(choice.event, Reroll)
    dice = lying(state)
    return {
        "dice": list(choice.event.dice),
        "codes": [code_of(dice[number - 1]) for number in choice.event.dice],
        "value": round(choice.value, 2),
        "event": msgspec.to_builtins(choice.event),
    }
