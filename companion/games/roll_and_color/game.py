"""Roll & Color as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.capabilities import ChanceEvents, Heuristics, Horizon, Proposer, TurnHints
from companion.core.contract import Rolled
from companion.core.foundation.errors import BadNotation
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.roll_and_color import chance, hints, notation, prospects, routine, search, sighted
from companion.games.roll_and_color.moves import MOST_PLAYERS, SIZES, Enter, Reroll, Rethrow, RollEvent
from companion.games.roll_and_color.options import Options
from companion.games.roll_and_color.position import check, read, start
from companion.games.roll_and_color.sheet import POINTS, ROUNDS, ROW, ROWS
from companion.games.roll_and_color.state import RollState
from companion.games.shared import color_dice
from companion.games.shared.forms.short_forms import written_out

_EVENTS_PER_ROUND = 2 + 2 * len(SIZES)
"""A roll, four re-rolls of two events each, and the entry."""


def _begin(seats: int, options: Options) -> RollState:
    """The first position: empty sheets, nine dice to be rolled (ROL-2, ROL-3)."""
    return start(seats)


def _words_of(state: RollState, event: RollEvent) -> dict[str, Any] | None:
    """The event in the words of `companion watch`.

    :param state: the position before the event.
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
    """No game from here is longer than this many events."""
    return _EVENTS_PER_ROUND * sum(ROUNDS - len(sheet) for sheet in state.sheets)


_PLAIN_FACES = written_out({"faces": color_dice.plain})


def _plain_event(data: Any) -> Any:
    """The data with every die written as an object, rows and cells as numbers.

    :raises BadNotation: there is no such row or cell.
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
            suggest=search.suggest,
            candidates=sighted.candidates,
            illegal_candidates=sighted.illegal_candidates,
            pending_prompt=hints.pending_prompt,
        ),
        chance=ChanceEvents(outcomes=chance.outcomes, sample=chance.sample),
        turn_hints=TurnHints(still_to_do=hints.still_to_do),
        heuristics=Heuristics(prospects=prospects.prospects, horizon=Horizon(turns=1), routine=routine.routine),
    ),
)
"""The one game object."""
