"""The page of Roll & Color: its presenter, and the advice beside its board.

Spots: "die.1" to "die.9" are the dice by number, "red-orange" or "spectrum-combo-1" a row of the sheet, and
"spectrum-combo-1.2&3" one of its cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.contract import Event, Move, Rolled, Seat, ToRoll, seats_to_move
from companion.core.foundation.errors import BadEvent
from companion.core.layout import Spot
from companion.core.pieces import Die, Piece
from companion.games.roll_and_color.expectation import EntryChoice, Goal, outlook
from companion.games.roll_and_color.moves import DICE, ENTRIES, SIZES, Enter, Reroll, Rethrow
from companion.games.roll_and_color.moves import text as line_of
from companion.games.roll_and_color.sheet import CELL_COUNT, POINTS, ROWS, cell_of, open_rows, row_of, words
from companion.games.roll_and_color.situation import KINDS
from companion.games.roll_and_color.state import lying
from companion.games.roll_and_color.violations import spot_of
from companion.games.shared.color_dice import colors, name
from companion.games.shared.color_dice import die as die_of
from companion.referee.journal.timeline import Timeline
from companion.referee.table.table import Table
from web.boards import Presenter
from web.boards.parts.pieces import DICE as FACES
from web.boards.parts.pieces import DicePieces, code_of, piece_of
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, UsualOffers
from web.games.escape import faces
from web.scene.boards import sheet
from web.scene.marks import Marks
from web.scene.shape import BoardFrame, Shape
from web.telling.parts.adviser import pictures, roll_data

_DIE = re.compile(r"die\.([1-9])")
SLUGS = tuple(row.name.replace(" ", "-") for row in ROWS)
"""The spot of each row."""
_ROW = {slug: place for place, slug in enumerate(SLUGS)}
PARTS = (("Secondary", 0, 6), ("Primary", 6, 12), ("Sequences", 12, 18), ("Combos", 18, 24))
"""The titles of the sheet's sections, with the range of their rows."""


class RollAndColorPresenter(UsualOffers, DicePieces):
    """Nine dice, and the entries of every player. A die's code is its kind and letters: "d12RO"."""

    example = (
        "rolls d6 red blue green red, d12 red-orange red blue blue purple, player 1 re-rolls 1 2 5 9, "
        "player 1 enters 2&3 in spectrum combo 1, player 1 enters 0 in green"
    )

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """Returns the dice above one sheet with a column for each player."""
        turn = state.turn if state.may_move else None
        players = [sheet.SheetPlayer(marks.sign(seat), str(score.total)) for seat, score in enumerate(state.scores())]
        parts = [sheet.SheetPart(part, _lines(state, first, last, turn, frame.names)) for part, first, last in PARTS]
        return sheet.board(_places(state), parts, players, turn, marks, frame)

    def spot_name(self, spot: Spot) -> str:
        """Returns the name of a die, a row or a cell."""
        if spot in ("dice", "dice.moved"):
            return "the dice"
        if found := _DIE.fullmatch(spot):
            return f"die {found[1]}"
        row, cell = _cell(spot)
        name = ROWS[row].name
        return name if cell is None else f"{name}, {ROWS[row].cells[cell - 1] if cell else 'nothing'}"

    def holds(self, state: Any, spot: Spot) -> Die | None:
        """Returns the die with a number."""
        found = _DIE.fullmatch(spot)
        if found is None:
            self.spot_name(spot)
            return None
        dice = lying(state)
        return dice[int(found[1]) - 1] if dice else None

    def aim(self, event: Event) -> Aim:
        """Returns the cell of an entry; for all other events, the dice."""
        return Aim(None, spot_of(event.entry) if isinstance(event, Enter) else "dice")

    def trace(self, event: Event) -> Spot | None:
        """Returns the row of an entry."""
        return SLUGS[event.row] if isinstance(event, Enter) else None

    def sentence(self, event: Event) -> str:
        """Returns the action of the player in the words of the notation."""
        if not isinstance(event, Enter | Reroll | Rethrow | Rolled):
            raise TypeError(f"not an event of Roll & Color: {event!r}")
        line = line_of(event)
        return line if isinstance(event, Rolled) else line.split(" ", 2)[2]

    def laid(self, event: Event) -> None:
        """Returns None, because no piece is put on a spot."""
        return

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Returns every entry in a row, or the entry in one named cell."""
        if _DIE.fullmatch(spot) or spot == "dice":
            return []
        row, cell = _cell(spot)
        cells = range(CELL_COUNT + 1) if cell is None else (cell,)
        return [Enter(seat, row, one) for seat in seats_to_move(state.expects()) for one in cells]

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Die]:
        """Returns every face of a die, or the one with a code."""
        found = _DIE.fullmatch(spot)
        if code is not None:
            return [_die(piece_of(code))]
        if found is None:
            self.spot_name(spot)
            return []
        kind = KINDS[int(found[1]) - 1]
        return [die_of(kind, color) for color in colors(kind)]

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """Returns the row whose roll brought a die to its present face."""
        found = _DIE.fullmatch(spot)
        row, _ = rolls(timeline).get(int(found[1]), (None, 0)) if found else (None, 0)
        return row

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """Returns None, because a roll alone does not state the numbers of its dice; `rolls` does."""
        return None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Raises BadEvent: Always, because dice are rolled all together."""
        raise BadEvent("Enter all dice together, as a roll. Enter it below the board.")

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """Returns the position with another face of a die.

        Raises:
            BadEvent: No such die can be set up.
        """
        found = _DIE.fullmatch(spot)
        if found is None or piece is None or not state.rolled:
            raise BadEvent("Only a rolled die can be set up. Choose one of the nine.")
        dice = list(lying(state))
        number = int(found[1])
        if _die(piece).kind != KINDS[number - 1]:
            raise BadEvent(f"Die {number} is of the other kind (ROL-1). Choose a face that it has.")
        dice[number - 1] = _die(piece)
        faces = [str(one.face) for one in dice]
        sheets = [{ROWS[row_of(one)].name: _cell_name(one) for one in sheet_} for sheet_ in state.sheets]
        return {"sheets": sheets, "dice": {"d6": faces[:4], "d12": faces[4:]}, "rerolls": state.rerolls}


def rolls(timeline: Timeline) -> dict[int, tuple[int, int]]:
    """Returns for each die the row whose roll brought its face, and its place in that roll.

    Dice of a position that was set up are absent.
    """
    found: dict[int, tuple[int, int]] = {}
    for step in timeline.steps():
        before = timeline.book.start if step.parent is None else step.parent.state
        if step.event is None:
            found = {}
        elif isinstance(step.event, Rolled):
            numbers = before.picked or tuple(range(1, DICE + 1))
            found |= {number: (step.n, at) for number, at in zip(numbers, _told(step.event), strict=True)}
    return found


def _told(rolled: Rolled) -> list[int]:
    """Returns for each rolled die, lower numbers first, its place among the entered faces."""
    return sorted(range(len(rolled.faces)), key=lambda at: rolled.faces[at].kind != KINDS[0])


def _die(piece: Piece) -> Die:
    if not isinstance(piece, Die):
        raise NoSuchPiece("That is not a die.")
    return piece


def _cell(spot: Spot) -> tuple[int, int | None]:
    """Returns the row and the cell of a spot; None for a whole row, 0 for an entry without points.

    Raises:
        NoSuchSpot: The sheet has no such row or cell.
    """
    slug, _, asked = spot.partition(".")
    row = _ROW.get(slug)
    cells = {"": None, "0": 0} | ({} if row is None else {one: at for at, one in enumerate(ROWS[row].cells, 1)})
    if row is None or asked not in cells:
        raise NoSuchSpot('The sheet has no such row or cell. A cell is named like "spectrum-combo-1.2&3".')
    return row, cells[asked]


def _cell_name(number: int) -> str:
    return ROWS[row_of(number)].cells[cell_of(number) - 1] if cell_of(number) else "0"


def _places(state: Any) -> list[sheet.DicePlace]:
    dice = lying(state)
    found = []
    for number, kind in enumerate(KINDS, 1):
        one = dice[number - 1] if dice else None
        up = not state.rolled or number in state.picked
        short = kind.removeprefix("spectrum-")
        shows = "to be rolled" if up or one is None else str(one.face)
        words = f"die {number}, {short}, {shows}"
        found.append(sheet.DicePlace(f"die.{number}", number, kind, one, up, words))
    return found


def _lines(state: Any, first: int, last: int, turn: Seat | None, names: Sequence[str]) -> tuple[sheet.SheetLine, ...]:
    entered = [{row_of(one): one for one in sheet_} for sheet_ in state.sheets]
    worth = {row: _worth(state, row) for row in range(len(ROWS)) if turn is not None and row not in entered[turn]}
    most = max(worth.values(), default=0)
    found = []
    for row in range(first, last):
        shown = tuple(str(POINTS[one[row]]) if row in one else "" for one in entered)
        said = [
            f"{names[seat] if seat < len(names) else f'player {seat + 1}'} {points or 'open'}"
            for seat, points in enumerate(shown)
        ]
        offer = str(worth[row]) if worth.get(row) else ""
        words = f"{ROWS[row].name}: {', '.join(said)}" + (f", now worth {worth[row]}" if row in worth else "")
        name = ROWS[row].name.replace(f" {ROWS[row].kind}", "")
        found.append(sheet.SheetLine(SLUGS[row], name, shown, offer, bool(offer) and worth[row] == most, words))
    return tuple(found)


def _worth(state: Any, row: int) -> int:
    """Returns the most points that the roll brings in a row."""
    cells = state.met(row)
    return ROWS[row].points[cells[-1] - 1] if cells else 0


SHOWN = 6
"""The number of re-rolls that are listed, the best first."""

_HOW: dict[Goal, str] = {
    "points": "Exact: the points that this round's entry brings on average, all that follows played for most points.",
    "sheet": "An estimate from below: the points of this round, exactly, less the par of the row that is filled, which "
    "is what it brings on average in a later round that is played for this row alone.",
}


class RollAndColorAdviser:
    """Shows the dice, the possible entries and the sheets beside the board.

    The `about` of `advice` asks for expected values: "points" or "sheet"; empty: none are computed. The best entries
    come first only if the table allows hints; otherwise entries are in the order of the sheet.
    """

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Returns all advice about the present position."""
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
    """Returns the number of dice of the next re-roll; None after the last one."""
    if made >= len(SIZES):
        return None
    order = ("first", "second", "third", "fourth")[made]
    exactly = made < len(SIZES) - 1
    count = SIZES[made]
    return {"order": order, "least": count, "most": count if exactly else DICE, "rule": "ROL-3"}


def _dice(table: Table, state: Any) -> list[dict[str, Any]]:
    """Returns the nine dice, and the row in which each was entered, for corrections."""
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
    """Returns the cell with the most points in every open row, equal rows once; with hints, the most points first."""
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
    """Returns the sheet itself, section by section."""
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
    """Returns the worth of stopping and of the best re-rolls, and how exactly it is known."""
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
    """Returns a key by the faces of a re-roll's dice, because equal dice are equally good."""
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
