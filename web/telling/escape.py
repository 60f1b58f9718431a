"""The advice in Spectrum Escape: the dice of the round, the order of play, the moves of each die and why others are
closed.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.contract import Seat, ToRoll
from companion.core.pieces import WHEEL, Pawn
from companion.games.escape.moves import OUT, Lose, Play, Withdraw
from companion.games.escape.notation import play
from companion.games.escape.observation import PAWN, common_die, personal_die
from companion.games.escape.situation import BITS, BOTH, WITHDREW
from companion.games.shared.color_dice import SIX, TWELVE
from companion.referee.table.table import Table
from web.boards import Presenter
from web.boards.parts.dice_pieces import DICE, code_of
from web.scene.pieces.pawns import single_board_pawn
from web.scene.svg import tree
from web.telling.parts.adviser import pictures, roll_data
from web.views.alert_view import breach_data
from web.views.seat_view import signs_of

_DONE = {
    0: "nothing yet",
    BITS["personal"]: "personal die used",
    BITS["common"]: "common die used",
    BOTH: "both moves made",
    WITHDREW: "took a pawn back",
}


class EscapeAdviser:
    """Dice, play order and moves; it answers no particular questions."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Everything about the position now."""
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
    """Kind of die to the codes of its faces."""
    return {
        "spectrum-d6": [code_of(one) for one in SIX if one is not None],
        "spectrum-d12": [code_of(one) for one in TWELVE],
    }


def _labels(table: Table, count: int) -> list[str]:
    """Whose each die of a roll is."""
    return [*table.session.names, *["common"] * (count - len(table.session.names))]


def _common(state: Any) -> list[dict[str, Any]]:
    """Common dice, those that are used up marked; before the roll those of the round before."""
    unused = [{"code": code_of(common_die(one)), "used": not state.rolled} for one in state.unused]
    return unused + [{"code": code_of(common_die(one)), "used": True} for one in state.used]


def _moves(table: Table, state: Any) -> list[dict[str, Any]]:
    """Every legal move, and the dice that allow none with the rule that forbids it."""
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
        "done": _DONE[state.done[seat]],
        "turn": state.turn == seat,
    }


def _color(table: Table, state: Any, color: int) -> dict[str, Any]:
    """One color: its pawns, the leader first, and the end of each pawn's move."""
    column = state.columns[color]
    return {
        "color": WHEEL[color],
        "standing": [
            {"seat": seat, "position": position, "pawn": code_of(Pawn(state.colors[seat]))}
            for position, seat in sorted(((at, seat) for seat, at in enumerate(column) if at), reverse=True)
        ],
        "next": [state.target(seat, color) for seat in range(state.seats)],
    }
