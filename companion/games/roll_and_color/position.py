"""Reads positions of Roll & Color from their written form (docs/records.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.foundation.errors import BadNotation, BadRecord
from companion.games.roll_and_color.moves import DICE, MOST_PLAYERS, SIZES, enter
from companion.games.roll_and_color.options import Options, check_seats
from companion.games.roll_and_color.sheet import POINTS, ROUNDS, ROW, ROWS, row_of
from companion.games.roll_and_color.situation import KINDS, Situation
from companion.games.roll_and_color.state import RollState
from companion.games.shared.color_dice import COLOR, D6, colors
from companion.games.shared.forms.position_form import reader


class _Dice(Struct, forbid_unknown_fields=True):
    d6: list[str]
    d12: list[str]


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form."""

    sheets: list[dict[str, str]] | None = None
    """For each seat, row to cell, in the order of entry; "0" for no points. Default: all empty."""
    dice: _Dice | None = None
    """The roll of the seat to move. Default: all nine dice are to be rolled."""
    rerolls: Annotated[int, Meta(ge=0, le=len(SIZES))] = 0


def start(seats: int) -> RollState:
    """Returns the position before the first roll: empty sheets (ROL-2).

    Raises:
        BadOptions: The number of players is not possible.
    """
    check_seats(seats)
    return RollState(((),) * seats)


def _state(seats: int, options: Options, record: PositionForm) -> RollState:
    """Returns the position; the seat with the fewest entries is on turn, the first of several."""
    begun = start(seats)
    sheets = tuple(_sheet(one) for one in record.sheets) if record.sheets is not None else begun.sheets
    if len(sheets) != seats:
        raise BadRecord(f"{seats} players need as many sheets, not {len(sheets)}.")
    lengths = [len(sheet) for sheet in sheets]
    turn = lengths.index(min(lengths))
    if record.dice is None:
        if record.rerolls:
            raise BadRecord("Re-rolls need the dice that lie (ROL-3). Give both.")
        return RollState(sheets, turn)
    return RollState(sheets, turn, True, _dice(record.dice), record.rerolls)


def _sheet(rows: Mapping[str, str]) -> tuple[int, ...]:
    for name in rows:
        if name not in ROW:
            raise BadNotation(f'The sheet has no row "{name}". Its rows are {", ".join(ROW)}.')
    return tuple(enter(0, name, cell).entry for name, cell in rows.items())


def _dice(given: _Dice) -> tuple[int, ...]:
    names = [*given.d6, *given.d12]
    kinds = ["d6"] * len(given.d6)
    if len(names) != DICE or len(kinds) != KINDS.count(D6):
        raise BadRecord("A roll has four d6 and five d12 (ROL-1). Give all nine.")
    for name in names:
        if name not in COLOR:
            raise BadRecord(f'"{name}" is no color of the wheel. Write one of: {", ".join(COLOR)}.')
    return tuple(COLOR[name] for name in names)


def check(state: Situation) -> None:
    """Checks a state that was read against the rules.

    Raises:
        BadRecord: Its parts contradict each other.
    """
    seats = len(state.sheets)
    if not 1 <= seats <= MOST_PLAYERS or state.turn >= seats:
        raise BadRecord("A state of Roll & Color has 1 to 6 players, one of them on turn (ROL-2).")
    lengths = [len(sheet) for sheet in state.sheets]
    rounds = lengths[state.turn]
    if lengths != [rounds + (seat < state.turn) for seat in range(seats)] or max(lengths) > ROUNDS:
        raise BadRecord("Players take turns, so earlier seats have one entry more than later ones at most (ROL-2).")
    for sheet in state.sheets:
        _check_sheet(sheet)
    if len(state.dice) not in (0, DICE) or (state.rolled and not state.dice):
        raise BadRecord("A roll has nine dice (ROL-1). Give all of them.")
    if any(color not in colors(kind) for kind, color in zip(KINDS, state.dice, strict=False)):
        raise BadRecord("A six-sided die shows one of the six primary colors (ROL-1).")
    if list(state.picked) != sorted(set(state.picked)):
        raise BadRecord("Each die is re-rolled once at a time (ROL-3).")
    if ((state.picked or state.rerolls) and not state.rolled) or (state.picked and not state.rerolls):
        raise BadRecord("Dice are re-rolled after a roll only (ROL-3).")
    if state.rolled and rounds >= ROUNDS:
        raise BadRecord("After 24 rounds nothing is rolled (ROL-2).")


def _check_sheet(sheet: Sequence[int]) -> None:
    rows = [row_of(number) for number in sheet]
    if len(set(rows)) != len(rows):
        raise BadRecord("Each row takes one entry in the game (ROL-5). Correct the sheet.")
    for number in sheet:
        if number not in POINTS:
            name = ROWS[row_of(number)].name if row_of(number) < len(ROWS) else "a row that is not there"
            raise BadRecord(f"There is an entry in an N/A cell of {name} (ROL-6). Correct the sheet.")


read = reader("Roll & Color", PositionForm, _state, check)
