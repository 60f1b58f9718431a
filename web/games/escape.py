"""The page of Spectrum Escape: its presenter, and the advice beside its board.

Spots: "red" is a color, "red.9" to "red.1" are its spaces from the center outwards (ESC-2). A pawn that leaves the
board is shown at its color.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.contract import Event, Move, Rolled, Seat, ToRoll, seats_to_move
from companion.core.foundation.errors import BadEvent
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import PRIMARIES, WHEEL, Pawn, Piece
from companion.games.escape import game
from companion.games.escape.moves import AT, KINDS, OUT, SPOTS, Add, Lose, Play, Withdraw, spot_of
from companion.games.escape.notation import play
from companion.games.escape.notation import text as line_of
from companion.games.escape.observation import PAWN, common_die, personal_die
from companion.games.escape.situation import BITS, BOTH, TWELVE_SIDED, WITHDREW
from companion.games.shared.color_dice import COLOR, SIX, TWELVE
from companion.referee.journal.timeline import Timeline
from companion.referee.table.table import Table
from web.boards import Presenter
from web.boards.parts.pieces import DICE, DicePieces, code_of, piece_of
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, UsualOffers
from web.scene.boards.columns import Column, Open, PlacedPawn, board
from web.scene.marks import Marks
from web.scene.pieces.pawns import single_board_pawn
from web.scene.shape import BoardFrame, Shape
from web.scene.svg import tree
from web.telling.parts.adviser import pictures, roll_data
from web.views.alert_view import breach_data
from web.views.seat_view import signs_of

_DONE = {0: "", BITS["personal"]: "personal", BITS["common"]: "common", BOTH: "both", WITHDREW: "withdrew"}


class EscapePresenter(UsualOffers, DicePieces):
    """The twelve colors with their pawns. A pawn's code is "pawn" and its color's letter: "pawnR"."""

    example = (
        "player 1 plays common red to 4, player 2 plays personal green-blue out, player 1 withdraws red, "
        "player 1 loses the personal move"
    )

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """Returns one column for each color, with the spaces to which the player on turn may go."""
        columns = [_column(state, color, frame.names, frame.live, marks) for color in range(len(WHEEL))]
        return board(columns, marks, frame)

    def spot_name(self, spot: Spot) -> str:
        """Returns the name of a color, of a position in it, or of a heap beside the board with its owner."""
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
        """Returns the pawn on a space."""
        if spot not in AT:
            self.spot_name(spot)
            return None
        color, position = AT[spot]
        column = state.columns[color]
        return PAWN[state.colors[column.index(position)]] if position in column else None

    def aim(self, event: Event) -> Aim:
        """Returns the space to which a pawn goes, or its color if it leaves the board."""
        if isinstance(event, Play | Add):
            return Aim(None, event.color if event.to == OUT else spot_of(COLOR[event.color], event.to))
        if isinstance(event, Withdraw):
            return Aim(None, event.color)
        return Aim(None, "dice" if isinstance(event, Rolled) else None)

    def trace(self, event: Event) -> Spot | None:
        """Returns the same place as `aim`; a roll or a lost move has none."""
        return None if isinstance(event, Rolled) else self.aim(event).spot

    def sentence(self, event: Event) -> str:
        """Returns the action of the player in the words of the notation."""
        if not isinstance(event, Play | Add | Lose | Withdraw | Rolled):
            raise TypeError(f"not an event of Spectrum Escape: {event!r}")
        line = line_of(event)
        return line if isinstance(event, Rolled) else line.split(" ", 2)[2]

    def laid(self, event: Event) -> Pawn | None:
        """Returns None, because a move does not state the color of its player's pawns."""
        return None

    def offer(self, move: Move) -> str:
        """Returns the move as the text of a button."""
        if isinstance(move, Lose):
            return f"Lose the {move.die} move (nothing is allowed)"
        return super().offer(move)

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Returns, for the seat to move, a move in the color by either die, to the named space if any, and a
        withdrawal.
        """
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
        """Returns the pawn with a code, or one of every color."""
        self.spot_name(spot)
        return [Pawn(color) for color in PRIMARIES] if code is None else [_pawn(piece_of(code))]

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """Returns the row that last changed the space."""
        return timeline.origin(spot) if spot in AT else None

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """Returns None, because another pawn on a space would be another player's move."""
        return None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Returns the move that would bring a pawn there.

        Raises:
            BadEvent: No move would.
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
        """Returns the position with another pawn, or none, on a space.

        Raises:
            BadEvent: The spot is not a space, or no player has this color.
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
        PlacedPawn(
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
    """Returns the space to which the seat to move may go in a color, and by which dice."""
    moves = [move for move in state.legal_moves() if isinstance(move, Play) and move.color == WHEEL[color]]
    if not moves:
        return None
    to = moves[0].to
    dice = [move.die for move in moves]
    where = "off the board" if to == OUT else f"to {to}"
    return Open(to, "".join(die[0].upper() for die in dice), f"allowed {where} by the {' or '.join(dice)} die")


# The advice in Spectrum Escape: the dice of the round, the order of play, the moves of each die, and the reasons why
# other moves are illegal.

_WHY_DONE = {
    0: "nothing yet",
    BITS["personal"]: "personal die used",
    BITS["common"]: "common die used",
    BOTH: "both moves made",
    WITHDREW: "took a pawn back",
}


class EscapeAdviser:
    """The dice, the order of play and the moves; it answers no questions about single pieces."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Returns all advice about the present position."""
        due = state.expects()
        return {
            "seq": table.session.seq,
            "pieces": pictures(DICE, presenter),
            "faces": faces(),
            "round": state.round,
            "rolled": state.rolled,
            "turn": state.turn,
            "order": [(state.first + step) % state.seats for step in range(state.seats)],
            "needed": state.needed,
            "roll": roll_data(due, _labels(table, len(due.dice))) if isinstance(due, ToRoll) else None,
            "common": _common(state),
            "moves": _moves(table, state),
            "seats": [_seat(table, state, seat) for seat in range(state.seats)],
            "colors": [_color(table, state, color) for color in range(len(WHEEL))],
        }


def faces() -> dict[str, list[str]]:
    """Returns the codes of the faces for each kind of die."""
    return {
        "spectrum-d6": [code_of(one) for one in SIX if one is not None],
        "spectrum-d12": [code_of(one) for one in TWELVE],
    }


def _labels(table: Table, count: int) -> list[str]:
    """Returns the owner of each die of a roll."""
    return [*table.session.names, *["common"] * (count - len(table.session.names))]


def _common(state: Any) -> list[dict[str, Any]]:
    """Returns the common dice with a mark on used ones; before the roll, those of the previous round."""
    unused = [{"code": code_of(common_die(one)), "used": not state.rolled} for one in state.unused]
    return unused + [{"code": code_of(common_die(one)), "used": True} for one in state.used]


def _moves(table: Table, state: Any) -> list[dict[str, Any]]:
    """Returns every legal move, and the dice that allow no move with the rule that forbids it."""
    if state.turn is None:
        return []
    found = [_move(table, move) for move in table.session.legal()]
    legal = {(move["die"], move["color"]) for move in found}
    seat, done = state.turn, state.done[state.turn]
    dice = [("personal", state.personal[seat])] if done != BITS["personal"] else []
    dice += [("common", color) for color in state.open_colors()] if done != BITS["common"] else []
    for die, color in dice:
        if (die, WHEEL[color]) not in legal:
            event = play(state, seat, "personal" if die == "personal" else "common", color)
            breaches = [breach_data(breach, table.session.game.name) for breach in state.violations(event)]
            found.append({"kind": "play", "die": die, "color": WHEEL[color], "to": None, "breaches": breaches})
    for move in found:
        if move["kind"] == "play":
            color = WHEEL.index(move["color"])
            own = code_of(personal_die(state, seat))
            common = next((code_of(common_die(one)) for one in state.unused if one % 12 == color), own)
            move["code"] = own if move["die"] == "personal" else common
    return found


def _move(table: Table, move: Any) -> dict[str, Any]:
    known = {"event": msgspec.to_builtins(move), "text": table.session.game.text(move), "breaches": []}
    if isinstance(move, Play):
        out = move.to == OUT
        here = table.session.state.columns[WHEEL.index(move.color)][move.seat]
        words = "escapes" if out else f"{'goes' if here else 'enters'} {'to' if here else 'on'} {move.to}"
        return {**known, "kind": "play", "die": move.die, "color": move.color, "to": move.to, "words": words}
    if isinstance(move, Lose):
        return {**known, "kind": "lose", "die": move.die, "color": None, "words": f"lose the {move.die} move"}
    assert isinstance(move, Withdraw)
    return {**known, "kind": "withdraw", "die": None, "color": move.color, "words": f"take {move.color} back to stock"}


def _seat(table: Table, state: Any, seat: Seat) -> dict[str, Any]:
    pawn = PAWN[state.colors[seat]]
    return {
        "seat": seat,
        "name": table.session.names[seat],
        "color": pawn.color,
        "pawn": tree(single_board_pawn(pawn, signs_of(table)[seat].shape)),
        "escaped": state.escaped[seat],
        "stock": state.stock(seat),
        "board": state.on_board(seat),
        "personal": code_of(personal_die(state, seat)) if state.personal else None,
        "used": not state.rolled or bool(state.done[seat] & BITS["personal"]),
        "done": _WHY_DONE[state.done[seat]],
        "turn": state.turn == seat,
    }


def _color(table: Table, state: Any, color: int) -> dict[str, Any]:
    """Returns one color: its pawns, the leader first, and the end of each pawn's move."""
    column = state.columns[color]
    return {
        "color": WHEEL[color],
        "standing": [
            {"seat": seat, "position": position, "pawn": code_of(Pawn(state.colors[seat]))}
            for position, seat in sorted(((at, seat) for seat, at in enumerate(column) if at), reverse=True)
        ],
        "next": [state.target(seat, color) for seat in range(state.seats)],
    }
