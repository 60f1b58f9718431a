"""Tic-tac-toe: two colors of small pyramids on nine cells (rules TTT-1 to TTT-3 in rules.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from companion.api import (
    BadEvent,
    BadNotation,
    BadPlan,
    BadRecord,
    Capabilities,
    Detection,
    EventCodec,
    Expect,
    Game,
    GameInfo,
    GameOver,
    IllegalMove,
    Layout,
    Manifest,
    Mat,
    Outcome,
    Over,
    Plan,
    Point,
    Positions,
    Proposer,
    Pyramid,
    PyramidBoard,
    RecordedMat,
    Recording,
    Score,
    Setup,
    ToMove,
    Violation,
)

Cell = Literal["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
CELLS: tuple[Cell, ...] = get_args(Cell)
ROWS = (CELLS[:3], CELLS[3:6], CELLS[6:])
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
COUNTERS = (Pyramid("red", "small"), Pyramid("blue", "small"))


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """There is nothing to agree on."""


class Place(Struct, frozen=True, tag="place", forbid_unknown_fields=True):
    """A player puts a counter on a cell."""

    seat: Literal[0, 1]
    cell: Cell


class State(Struct, frozen=True):
    """One position: whose counter is on each cell of `CELLS`, and whose turn it is."""

    board: Annotated[tuple[Literal[0, 1] | None, ...], Meta(min_length=9, max_length=9)] = (None,) * 9
    turn: Literal[0, 1] = 0
    seats: Literal[2] = 2

    def row(self) -> tuple[int, ...] | None:
        """The cells of three in a row, if there are any."""
        same = (line for line in LINES if self.board[line[0]] is not None and len({self.board[i] for i in line}) == 1)
        return next(same, None)

    def expects(self) -> Expect:
        return Over() if self.outcome() else ToMove((self.turn,))

    def legal_moves(self) -> tuple[Place, ...]:
        if self.outcome():
            return ()
        return tuple(Place(self.turn, cell) for cell, owner in zip(CELLS, self.board, strict=True) if owner is None)

    def violations(self, move: Place) -> tuple[Violation, ...]:
        if self.outcome():
            return (Violation("TTT-3", "The game is over."),)
        found = []
        if move.seat != self.turn:
            found.append(Violation("TTT-2", f"It is the turn of player {self.turn + 1}.", (move.cell,)))
        if self.board[CELLS.index(move.cell)] is not None:
            found.append(Violation("TTT-2", f"The cell {move.cell} is taken.", (move.cell,)))
        return tuple(found)

    def apply(self, event: Place) -> State:
        if found := self.violations(event):
            raise GameOver(f"{found[0].rule}: {found[0].text}") if self.outcome() else IllegalMove(found)
        return self.apply_unchecked(event)

    def apply_unchecked(self, event: Place) -> State:
        if self.outcome():
            raise GameOver("TTT-3: The game is over.")
        at = CELLS.index(event.cell)
        if self.board[at] is not None:
            raise BadEvent(f"The cell {event.cell} is taken. Take the counter away first.")
        return State((*self.board[:at], event.seat, *self.board[at + 1 :]), 1 if event.seat == 0 else 0)

    def scores(self) -> tuple[Score, ...]:
        return (Score(0), Score(0))

    def outcome(self) -> Outcome | None:
        if row := self.row():
            winner = self.board[row[0]] or 0
            return Outcome(((winner,), (1 - winner,)), "TTT-3", "Three in a row.")
        return None if None in self.board else Outcome(((0, 1),), "TTT-3", "All cells are full.")

    def layout(self) -> Layout:
        pieces = (None if owner is None else COUNTERS[owner] for owner in self.board)
        return Layout({cell: Detection.sure(piece) for cell, piece in zip(CELLS, pieces, strict=True)})


def check(state: State) -> None:
    if abs(state.board.count(0) - state.board.count(1)) > 1:
        raise BadRecord("One player has two counters more than the other (TTT-2). Mend the board.")


def read(seats: int, options: Options, position: Mapping[str, Any]) -> Setup[State]:
    """A position: {"board": {"b2": 0}, "turn": 1}."""
    try:
        told = msgspec.convert(position, type=dict[str, Any])
        owners = msgspec.convert(told.pop("board", {}), dict[Cell, Literal[0, 1]])
        return Setup(msgspec.convert({"board": [owners.get(cell) for cell in CELLS], **told}, State))
    except msgspec.ValidationError as error:
        raise BadRecord(f"This is no position of tic-tac-toe: {error}. Write the board by cells.") from error


def parse(state: State, line: str) -> Place:
    found = re.fullmatch(r"player ([12]) takes ([abc][123])", line.strip().lower())
    if found is None:
        raise BadNotation(f'"{line[:40]}" is no move. Write it as "player 1 takes b2".')
    return msgspec.convert({"type": "place", "seat": int(found[1]) - 1, "cell": found[2]}, Place)


def infer_event(state: State, seen: Layout) -> Place | None:
    """The counter that is new on a cell."""
    for spot, _, (piece,) in state.layout().differences(seen):
        if piece in COUNTERS and spot in CELLS:
            return msgspec.convert({"type": "place", "seat": COUNTERS.index(piece), "cell": spot}, Place)
    return None


def plan(seats: int) -> Plan:
    """A mat of 300 x 300 mm with cells of 70 mm in the middle."""
    corners: tuple[Point, Point, Point, Point] = ((45, 45), (255, 45), (255, 255), (45, 255))
    return Plan(Mat(300, 300, 40), (PyramidBoard(corners, ROWS),))


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """A recording says who plays: {"players": ["Ada", "Bo"]}; the board lies as on the printed mat."""
    names = setup.get("players", ["Ada", "Bo"])
    if not isinstance(names, list) or len(names) != 2:
        raise BadPlan("The setup of tic-tac-toe names two players. Give it two.")
    return Recording(tuple(map(str, names)), {}, None, Plan(mat.mat(), plan(2).zones, mat.clicked_px()), draws="told")


TIC_TAC_TOE: Game[State] = Game.of(
    GameInfo(
        "tic-tac-toe", "Tic-tac-toe", rules=1, seats=range(2, 3), seats_rule="TTT-1", Options=Options, lead="nothing"
    ),
    Positions(State, lambda seats, options: State(), read, check, bound=lambda state: 9),
    EventCodec(
        Place,
        lambda event: f"player {event.seat + 1} takes {event.cell}",
        parse,
        lambda state, event: {"player": event.seat, "type": "place", "cell": event.cell},
    ),
    Capabilities(proposer=Proposer(infer_event=infer_event)),
)
MANIFEST = Manifest(
    game=TIC_TAC_TOE,
    length="short",
    about="Put your counters on nine cells. Three in a row win.",
    plan=plan,
    recorded=recorded,
    presenter="tic_tac_toe.page:TicTacToePresenter",
    rules=files("tic_tac_toe") / "rules.md",
)
