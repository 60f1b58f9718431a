"""The game object of Roll & Color, which the command line, the page and the journal use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from companion.core.capabilities import ChanceEvents, Heuristics, Horizon, Proposer, TurnHints
from companion.core.contract import Chance, Move, Rolled, Seat, ToRoll
from companion.core.foundation.errors import BadNotation
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
)
from companion.games.roll_and_color.options import Options
from companion.games.roll_and_color.position import check, read, start
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
from companion.games.shared.color_dice import D6, D12, thrown
from companion.games.shared.forms.player_lines import written_out


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
