"""The game object of Roll & Color, its first position, and positions read from their written form (docs/records.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Annotated, Any

from msgspec import Meta, Struct

from companion.core.capabilities import ChanceEvents, Heuristics, Horizon, Proposer, TurnHints
from companion.core.contract import Chance, Move, Rolled, Seat, ToRoll
from companion.core.foundation.errors import BadNotation, BadOptions, BadRecord
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.layout import Layout
from companion.games.roll_and_color import moves as notation
from companion.games.roll_and_color import state as observation
from companion.games.roll_and_color.expectation import PARS, cost
from companion.games.roll_and_color.moves import (
    DICE,
    ENTRIES,
    MOST_PLAYERS,
    REROLLS,
    SIZES,
    Enter,
    Reroll,
    Rethrow,
    RollEvent,
    enter,
)
from companion.games.roll_and_color.sheet import POINTS, ROUNDS, ROW, ROWS, open_rows, row_of
from companion.games.roll_and_color.situation import KINDS, Situation
from companion.games.roll_and_color.state import (
    ALL_BUT_ONE,
    TRAY,
    RollState,
    candidates,
    illegal_candidates,
    moved_dice,
)
from companion.games.shared import color_dice
from companion.games.shared.color_dice import COLOR, D6, D12, colors, thrown
from companion.games.shared.forms.player_lines import written_out
from companion.games.shared.forms.position_form import reader


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Roll & Color: none."""


def check_seats(seats: int) -> None:
    """Checks the number of players (ROL-2).

    Raises:
        BadOptions: Too few or too many.
    """
    if not 1 <= seats <= MOST_PLAYERS:
        raise BadOptions(f"Roll & Color has 1 to {MOST_PLAYERS} players, not {seats} (ROL-2). Choose their number.")


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


read = reader("Roll & Color", PositionForm, _state)


def routine(state: Situation, seat: Seat, random: Random) -> Move:
    """Returns the entry that gains most over its row's par, if one gains; otherwise any re-roll before the last one is
    used.
    """
    levels, entries = state.levels, ENTRIES[seat]
    best = max([entries[row][levels[row]][-1] for row in open_rows(state.sheets[seat])], key=_beyond_par)
    if state.rerolls == len(SIZES) or _beyond_par(best) > 0:
        return best
    return random.choice(REROLLS[seat][state.rerolls])


def _beyond_par(enter: Enter) -> float:
    return POINTS[enter.entry] - cost(enter.row, "sheet")


_COST = tuple(PARS[row.group] for row in ROWS)
"""The par of each row."""


def prospects(state: Situation, seat: Seat) -> float:
    """Returns the mean of the pars that the other seats have used up, minus those of this seat."""
    used = [sum(_COST[row_of(entry)] for entry in sheet) for sheet in state.sheets]
    mine = used.pop(seat)
    return (sum(used) / len(used) if used else 0.0) - mine


def infer_event(state: RollState, seen: Layout) -> RollEvent | None:
    """Returns the next event on the way to `seen`, by best candidates; an illegal one only if the reader knows which
    dice moved.
    """
    if not state.layout().differences(seen):
        return None
    return next(iter(candidates(state, seen)), None) or next(illegal_candidates(state, seen), None)


def still_to_do(situation: Situation) -> str | None:
    """Returns the next action of the seat to move with the present roll; None if there is no roll."""
    if situation.picked:
        return f"Dice {', '.join(map(str, situation.picked))} are rolled now (ROL-3)."
    if not situation.rolled:
        return None
    if situation.rerolls == len(SIZES):
        return "All four re-rolls are made: the roll is entered in a row (ROL-4)."
    size = SIZES[situation.rerolls]
    count = f"exactly {size}" if situation.rerolls < len(SIZES) - 1 else f"{size} or more"
    return f"The roll is entered in a row, or {count} dice are re-rolled (ROL-3, ROL-4)."


def pending_prompt(situation: Situation, seen: Layout) -> str | None:
    """Returns the entry or action that must come first if no event explains a tray; None if that is not clear."""
    heap, moved = seen.heaps.get(TRAY, ()), moved_dice(seen)
    if len(heap) > DICE:
        return f"{len(heap)} dice lie, and the game has nine (ROL-1). Take the others away."
    if len(heap) < DICE or situation.ending is not None:
        return None
    if situation.may_move and (moved is None or moved.total() >= ALL_BUT_ONE):
        seat = situation.turn + 1
        return f"New dice lie, and player {seat} has not entered the roll before in a row (ROL-4). Enter it first."
    if not situation.rolled and moved is not None and 0 < moved.total() < ALL_BUT_ONE:
        stayed = DICE - moved.total()
        return f"{stayed} dice lie as they lay before; a round begins with all nine (ROL-3). Roll those, too."
    return None


def outcomes(state: RollState) -> Iterable[tuple[Chance, int]]:
    """Yields every possible roll, its dice in any order, with its number of ways."""
    due = state.expects()
    if state.may_move or state.outcome() is not None:
        return
    kinds = due.dice if isinstance(due, ToRoll) else KINDS
    for cubes, ways in color_dice.outcomes(D6, kinds.count(D6)):
        for others, more in color_dice.outcomes(D12, kinds.count(D12)):
            yield Rolled((*cubes, *others)), ways * more


def sample(state: RollState, rng: Random) -> Chance:
    """Returns a random roll of the dice that must be rolled now.

    Raises:
        BadEvent: None is due.
    """
    return thrown(state.expects(), rng)


_EVENTS_PER_ROUND = 2 + 2 * len(SIZES)
"""The largest number of events in a round: a roll, four re-rolls of two events each, and the entry."""


def _begin(seats: int, options: Options) -> RollState:
    """Returns the first position: empty sheets, nine dice to be rolled (ROL-2, ROL-3)."""
    return start(seats)


def _words_of(state: RollState, event: RollEvent) -> dict[str, Any] | None:
    """Returns the event in the words of `companion watch`.

    Args:
        state: The position before the event.
    """
    match event:
        case Rolled():
            dice = [{"kind": one.kind, "face": one.face} for one in event.faces]
            return {"player": state.turn, "type": "roll", "dice": dice}
        case Reroll() | Rethrow():
            return {"player": event.seat, "type": "reroll", "dice": list(event.dice)}
        case Enter():
            row = ROWS[event.row]
            cell = row.cells[event.cell - 1] if event.cell else "0"
            words = {"player": event.seat, "type": "enter", "row": row.name, "cell": cell}
            return {**words, "points": POINTS.get(event.entry, 0)}
    return None


def _bound(state: RollState) -> int:
    """Returns an upper bound for the number of events until the game ends."""
    return _EVENTS_PER_ROUND * sum(ROUNDS - len(sheet) for sheet in state.sheets)


_PLAIN_FACES = written_out({"faces": color_dice.plain})


def _plain_event(data: Any) -> Any:
    """Returns the data with every die written as an object, rows and cells as numbers.

    Raises:
        BadNotation: There is no such row or cell.
    """
    if not isinstance(data, Mapping):
        return data
    plain = _PLAIN_FACES(data)
    row, cell = plain.get("row"), plain.get("cell")
    if isinstance(row, str):
        if row not in ROW:
            raise BadNotation(f'The sheet has no row "{row}". Its rows are {", ".join(ROW)}.')
        plain["row"] = ROW[row]
        if isinstance(cell, str):
            plain["cell"] = notation.enter(0, row, cell).cell
    return plain


ROLL_AND_COLOR: Game[RollState] = Game.of(
    GameInfo(
        "roll-and-color", "Roll & Color", rules=1, seats=range(1, MOST_PLAYERS + 1), seats_rule="ROL-2", Options=Options
    ),
    Positions(RollState, _begin, read, check, bound=_bound),
    EventCodec(RollEvent, notation.text, notation.parse, _words_of, plain=_plain_event),
    Capabilities(
        proposer=Proposer(
            infer_event=infer_event,
            candidates=observation.candidates,
            illegal_candidates=observation.illegal_candidates,
            pending_prompt=pending_prompt,
        ),
        chance=ChanceEvents(outcomes=outcomes, sample=sample),
        turn_hints=TurnHints(still_to_do=still_to_do),
        heuristics=Heuristics(prospects=prospects, horizon=Horizon(turns=1), routine=routine),
    ),
)
"""The game object of Roll & Color."""
