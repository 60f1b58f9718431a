"""Explains why an event is not allowed: the rule's number, what the table shows, and what to do.

Each function lists all broken rules, the most important one first.
"""

from __future__ import annotations

from companion.core.contract import Rolled, Violation
from companion.core.pieces import WHEEL
from companion.games.roll_and_color.moves import DICE, SIZES, Enter, Reroll, Rethrow, RollEvent, takes
from companion.games.roll_and_color.sheet import ROWS, SheetRow, cell_of, counts_of, row_of, words
from companion.games.roll_and_color.situation import KINDS, Situation
from companion.games.shared.color_dice import is_roll_of

_ORDER = ("first", "second", "third", "fourth")
_TRAY = ("dice",)


def violations_of(situation: Situation, event: RollEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    if situation.ending is not None:
        return (Violation("ROL-2", "The game is over: all 24 rounds are played."),)
    if isinstance(event, Rolled):
        return of_roll(situation, event)
    if not isinstance(event, Reroll | Enter | Rethrow):
        return (
            Violation(
                "ROL-2", f"{type(event).__name__} is no event of Roll & Color. Enter a roll, a re-roll or points."
            ),
        )
    if not 0 <= event.seat < situation.seats:
        return (Violation("ROL-2", f"There is no player {event.seat + 1}; the game has {situation.seats}."),)
    if event.seat != situation.turn:
        return (*_out_of_turn(situation, event),)
    if not situation.rolled:
        return (Violation("ROL-3", "First all nine dice are rolled. Roll them.", _TRAY),)
    if situation.picked:
        named = _dice(situation.picked)
        return (Violation("ROL-3", f"Dice {named} are being re-rolled. Enter first what they show.", _TRAY),)
    if isinstance(event, Enter):
        return _of_entry(situation, event)
    found = _of_reroll(situation, event)
    if isinstance(event, Rethrow) and not found:
        return (Violation("ROL-3", "So many dice may be re-rolled. Enter the re-roll first, and then what they show."),)
    return found


def _dice(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def _out_of_turn(situation: Situation, event: Reroll | Enter | Rethrow) -> list[Violation]:
    on_turn = f"It is player {situation.turn + 1}'s round"
    found = [Violation("ROL-2", f"{on_turn}; player {event.seat + 1} waits.", _TRAY)]
    before = (situation.turn - 1) % situation.seats
    if isinstance(event, Enter) and event.seat == before and not situation.rolled and situation.dice:
        text = f"Player {event.seat + 1} has entered this roll already; one roll fills one row only."
        found.insert(0, Violation("ROL-14", text, _TRAY))
    return found


def of_roll(situation: Situation, rolled: Rolled) -> tuple[Violation, ...]:
    """Returns the reasons why these dice cannot be the next roll; empty if they can (ROL-1, ROL-3)."""
    count = len(rolled.faces)
    if situation.picked:
        due = [KINDS[number - 1] for number in situation.picked]
        if count != len(due):
            text = f"{len(due)} dice are re-rolled, not {count}: {_dice(situation.picked)}. Enter what these show."
            return (Violation("ROL-3", text, _TRAY),)
    elif situation.rolled:
        text = "The roll lies. Say first which dice are re-rolled, or enter it in a row."
        found = [Violation("ROL-3", text, _TRAY)]
        if situation.rerolls < len(SIZES) and not takes(situation.rerolls, count):
            found.append(Violation("ROL-3", _wrong_number(situation.rerolls, count), _TRAY))
        return tuple(found)
    else:
        due = list(KINDS)
        if count != DICE:
            text = f"A round begins with all nine dice, not {count}. Enter all of them."
            return (Violation("ROL-1" if count > DICE else "ROL-3", text, _TRAY),)
    if not is_roll_of(rolled.faces, due):
        return (Violation("ROL-1", "There are four d6 in six colors and five d12 in twelve. Correct the roll.", _TRAY),)
    return ()


def _wrong_number(reroll: int, count: int) -> str:
    wanted = f"exactly {SIZES[reroll]}" if reroll < len(SIZES) - 1 else f"{SIZES[-1]} or more"
    return f"The {_ORDER[reroll]} re-roll takes {wanted} dice, not {count}. Put them back as they were."


def _of_reroll(situation: Situation, reroll: Reroll | Rethrow) -> tuple[Violation, ...]:
    count = len(reroll.dice)
    made = situation.rerolls
    if made >= len(SIZES):
        return (Violation("ROL-4", "All four re-rolls are made. Enter the roll in a row.", _TRAY),)
    if takes(made, count):
        return ()
    where = tuple(f"die.{number}" for number in reroll.dice)
    found = [Violation("ROL-3", _wrong_number(made, count), where)]
    if any(takes(later, count) for later in range(made + 1, len(SIZES))):
        found.append(
            Violation("ROL-4", f"No re-roll is skipped to reach a later one; this is the {_ORDER[made]}.", where)
        )
    return tuple(found)


def spot_of(number: int) -> str:
    """Returns the name of the place of an entry on a sheet: "red-orange.3", "spectrum-combo-1.2&3", "green.0"."""
    row = ROWS[row_of(number)]
    cell = cell_of(number)
    return f"{row.name.replace(' ', '-')}.{row.cells[cell - 1] if cell else 0}"


def _of_entry(situation: Situation, enter: Enter) -> tuple[Violation, ...]:
    row, cells = ROWS[enter.row], situation.met(enter.row)
    where = (spot_of(enter.entry),)
    if not situation.is_open(enter.seat, enter.row):
        old = next(one for one in situation.sheets[enter.seat] if row_of(one) == enter.row)
        text = f"Player {enter.seat + 1} has an entry there already ({words(old)}); each row takes one. Choose another."
        return (Violation("ROL-5", text, where),)
    if not enter.cell:
        if not cells:
            return ()
        best = row.cells[cells[-1] - 1]
        text = f"The roll meets {best} in {row.name}; nothing is entered only in a row that it does not meet."
        return (Violation("ROL-5", text, where),)
    asked = row.cells[enter.cell - 1]
    if not row.points[enter.cell - 1]:
        return (Violation("ROL-6", f"The cell {asked} of {row.name} is N/A and can never be filled.", where),)
    if enter.cell in cells:
        return ()
    at_best = f"at best {row.cells[cells[-1] - 1]}" if cells else "no cell"
    text = f"{row.name} {asked} is not met: {_shown(situation, row)}; the roll meets {at_best} of this row."
    found = [Violation(row.rule, text[0].upper() + text[1:], where)]
    if row.kind == "sequence" and _with_spare(situation, row) >= int(asked):
        found.append(
            Violation("ROL-12", "A sequence uses one die of each color; spare dice do not lengthen it.", where)
        )
    found.append(Violation("ROL-11", "Only a cell that the dice contain can be filled. Choose one of those.", where))
    return tuple(found)


def _shown(situation: Situation, row: SheetRow) -> str:
    """Returns the dice of the roll that count for a row."""
    counts = counts_of(situation.dice)
    if row.color is not None:
        count = counts[row.color]
        return f"{count} {'die shows' if count == 1 else 'dice show'} {WHEEL[row.color]}"
    step = {"secondary": (1, 2), "primary": (0, 2), "spectrum": (0, 1)}[row.palette]
    shown = [f"{counts[color]} {WHEEL[color]}" for color in range(step[0], 12, step[1]) if counts[color]]
    return f"there are {', '.join(shown)}" if shown else "no such color is there"


def _with_spare(situation: Situation, row: SheetRow) -> int:
    """Returns the length that a sequence would have if spare dice of its colors counted."""
    step = {"secondary": (1, 2), "primary": (0, 2), "spectrum": (0, 1)}[row.palette]
    counts = counts_of(situation.dice)
    ring = [counts[color] for color in range(step[0], 12, step[1])]
    best = run = 0
    for count in ring + ring[:-1]:
        run = run + count if count else 0
        best = max(best, run)
    return best
