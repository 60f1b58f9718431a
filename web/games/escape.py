"""How Spectrum Escape looks on the page.

Spots: "red" is a color, "red.9" to "red.1" its spaces from the center outwards (ESC-2). What leaves the board is shown
at its color.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Event, Move, Rolled, seats_to_move
from companion.core.foundation.errors import BadEvent
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import PRIMARIES, WHEEL, Pawn, Piece
from companion.games.escape import game
from companion.games.escape.moves import AT, KINDS, OUT, SPOTS, Add, Lose, Play, Withdraw, spot_of
from companion.games.escape.notation import play
from companion.games.escape.notation import text as line_of
from companion.games.escape.observation import PAWN
from companion.games.escape.situation import BITS, BOTH, TWELVE_SIDED, WITHDREW
from companion.games.shared.color_dice import COLOR
from companion.referee.journal.timeline import Timeline
from web.boards.parts.dice_pieces import DicePieces, piece_of
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, UsualOffers
from web.scene.boards.columns import Column, ColumnStack, Open, board
from web.scene.frame import BoardFrame
from web.scene.marks import Marks
from web.scene.shape import Shape

_DONE = {0: "", BITS["personal"]: "personal", BITS["common"]: "common", BOTH: "both", WITHDREW: "withdrew"}


class EscapePresenter(UsualOffers, DicePieces):
    """The twelve colors with their pawns. A pawn's code is "pawn" and its color's letter: "pawnR"."""

    example = (
        "player 1 plays common red to 4, player 2 plays personal green-blue out, player 1 withdraws red, "
        "player 1 loses the personal move"
    )

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """One column a color, with where the player whose turn it is may go."""
        columns = [_column(state, color, frame.names, frame.live, marks) for color in range(len(WHEEL))]
        return board(columns, marks, frame)

    def spot_name(self, spot: Spot) -> str:
        """A color, or a position in it; the heaps beside the board by their owners."""
        if spot in COLOR:
            return spot
        if spot in AT:
            color, position = AT[spot]
            return f"{WHEEL[color]} position {position}"
        if spot == "dice":
            return "the common dice"
        seat, _, heap = spot.partition(".")
        words = {"die": "the personal die", "stock": "the stock", "escaped": "the escaped pawns"}.get(heap)
        if words is None or not seat.removeprefix("seat").isdecimal():
            raise NoSuchSpot('There is no such place. A space is named by color and number, such as "red.9".')
        return f"{words} of player {int(seat.removeprefix('seat')) + 1}"

    def holds(self, state: Any, spot: Spot) -> Pawn | None:
        """The pawn on a space."""
        if spot not in AT:
            self.spot_name(spot)
            return None
        color, position = AT[spot]
        column = state.columns[color]
        return PAWN[state.colors[column.index(position)]] if position in column else None

    def aim(self, event: Event) -> Aim:
        """Where a pawn goes; a color for what leaves the board."""
        if isinstance(event, Play | Add):
            return Aim(None, event.color if event.to == OUT else spot_of(COLOR[event.color], event.to))
        if isinstance(event, Withdraw):
            return Aim(None, event.color)
        return Aim(None, "dice" if isinstance(event, Rolled) else None)

    def trace(self, event: Event) -> Spot | None:
        """The same place; a lost move leaves none."""
        return None if isinstance(event, Rolled) else self.aim(event).spot

    def sentence(self, event: Event) -> str:
        """The action of the player in the words of the notation."""
        if not isinstance(event, Play | Add | Lose | Withdraw | Rolled):
            raise TypeError(f"not an event of Spectrum Escape: {event!r}")
        line = line_of(event)
        return line if isinstance(event, Rolled) else line.split(" ", 2)[2]

    def laid(self, event: Event) -> Pawn | None:
        """None: a move does not say which color the pawns of its player have."""
        return None

    def offer(self, move: Move) -> str:
        """The move as a button says it."""
        if isinstance(move, Lose):
            return f"Lose the {move.die} move (nothing is allowed)"
        return super().offer(move)

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """For the seat to move: a move in the color by either die, to a space if one is named, and a withdrawal."""
        color, position = AT.get(spot, (COLOR.get(spot), 0))
        if color is None:
            return []
        found: list[Move] = []
        for seat in seats_to_move(state.expects()):
            for die in KINDS:
                move = play(state, seat, die, color)
                found.append(Play(seat, die, WHEEL[color], position) if position else move)
            found.append(Withdraw(seat, WHEEL[color]))
        return found

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Pawn]:
        """One pawn, or one of every color."""
        self.spot_name(spot)
        return [Pawn(color) for color in PRIMARIES] if code is None else [_pawn(piece_of(code))]

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """The row that last changed the space."""
        return timeline.origin(spot) if spot in AT else None

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """None: another pawn on a space is another player's move."""
        return None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """The move that would bring a pawn there.

        Raises:
            BadEvent: None would.
        """
        pawn = _pawn(piece)
        if spot not in AT or pawn.color not in state.colors:
            raise BadEvent("No such pawn plays here. Choose one of the players' colors.")
        color, _ = AT[spot]
        old = state.columns[color][state.colors.index(pawn.color)]
        cells = {**state.layout().cells, spot: Detection.sure(pawn)}
        if old:
            cells[SPOTS[color][old]] = Detection.sure(None)
        event = game.infer_event(state, Layout(cells))
        if event is None:
            raise BadEvent("No move brings that pawn there. Set the position up instead.")
        return event

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """The position with another pawn, or none, on a space.

        Raises:
            BadEvent: The pawn plays no part here.
        """
        if spot not in AT:
            raise BadEvent("Only a space of the board can be set up. Choose one.")
        color, position = AT[spot]
        columns = [list(column) for column in state.columns]
        columns[color] = [0 if at == position else at for at in columns[color]]
        if piece is not None:
            pawn = _pawn(piece)
            if pawn.color not in state.colors:
                raise BadEvent("No such pawn plays here. Choose one of the players' colors.")
            columns[color][state.colors.index(pawn.color)] = position
        found: dict[str, Any] = {
            "pawns": [
                {WHEEL[at]: one[seat] for at, one in enumerate(columns) if one[seat]} for seat in range(state.seats)
            ],
            "escaped": list(state.escaped),
            "round": state.round,
            "first": state.first,
        }
        if state.rolled:
            found["personal"] = [WHEEL[one] for one in state.personal]
            cubes = [WHEEL[code] for code in state.unused if code < TWELVE_SIDED]
            found["common"] = {"d6": cubes, "d12": [WHEEL[code - 12] for code in state.unused if code >= TWELVE_SIDED]}
            found["done"] = [_DONE[one] for one in state.done]
        return found


def _pawn(piece: Piece) -> Pawn:
    if not isinstance(piece, Pawn):
        raise NoSuchPiece("That is not a pawn.")
    return piece


def _column(state: Any, color: int, names: Sequence[str], live: bool, marks: Marks) -> Column:
    standing = tuple(
        ColumnStack(
            SPOTS[color][position],
            position,
            PAWN[state.colors[seat]],
            marks.sign(seat).shape,
            names[seat] if seat < len(names) else f"player {seat + 1}",
        )
        for seat, position in enumerate(state.columns[color])
        if position
    )
    return Column(WHEEL[color], SPOTS[color][1:], standing, _open(state, color) if live else None)


def _open(state: Any, color: int) -> Open | None:
    """Where the seat to move may go in a color, and by which dice."""
    moves = [move for move in state.legal_moves() if isinstance(move, Play) and move.color == WHEEL[color]]
    if not moves:
        return None
    to = moves[0].to
    dice = [move.die for move in moves]
    where = "off the board" if to == OUT else f"to {to}"
    return Open(to, "".join(die[0].upper() for die in dice), f"allowed {where} by the {' or '.join(dice)} die")
