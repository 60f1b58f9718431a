"""Which event a seen table looks like, legal or not."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.contract import Rolled
from companion.core.layout import Layout
from companion.core.pieces import WHEEL
from companion.games.escape.moves import KINDS, OUT, Add, EscapeEvent, Lose, Move, Play, Withdraw
from companion.games.escape.observation import SeatChange, change, rolls
from companion.games.escape.options import PAWNS
from companion.games.escape.situation import Situation
from companion.games.escape.state import EscapeState


def infer_event(state: EscapeState, seen: Layout) -> EscapeEvent | None:
    """The next event on the way to `seen`, by best readings: a legal one that it shows, or what it looks like."""
    if state.ending is not None:
        return None
    changed = change(state, seen)
    if not state.rolled:
        roll = next(rolls(state, seen), None)
        if roll is not None and any(one.spot.endswith(("dice", ".die")) for one in state.layout().differences(seen)):
            return Rolled(roll)
    for move in state.moves:
        if _is_shown(state, changed, move):
            return move
    guesses = list(_guesses(state, changed))
    return min(guesses, key=lambda guess: len(state.violations(guess)), default=None)


def _is_shown(situation: Situation, changed: SeatChange, move: Move) -> bool:
    """True if the board shows just this legal move done, whatever else it shows."""
    if isinstance(move, Lose):
        return False
    color = WHEEL.index(move.color)
    here = situation.columns[color][move.seat]
    left = not here or (move.seat, color, here) in changed.gone
    if isinstance(move, Play) and move.to < OUT:
        return left and (move.seat, color, move.to) in changed.came
    arrived = any(seat == move.seat and where == color for seat, where, _ in changed.came)
    return bool(here) and left and not arrived


def _guesses(situation: Situation, changed: SeatChange) -> Iterator[EscapeEvent]:
    """Yields moves that the first changed pawn may have made, legal or not; of the player on turn first."""
    turn = situation.turn if situation.turn is not None else situation.first
    for seat, color, position in sorted(changed.came, key=lambda one: one[0] != turn):
        here = situation.columns[color][seat]
        if here and (seat, color, here) not in changed.gone:
            yield Add(seat, WHEEL[color], position)
            return
        if here or situation.on_board(seat) + situation.escaped[seat] < PAWNS:
            for die in KINDS:
                yield Play(seat, die, WHEEL[color], position)
            return
    for seat, color, _ in sorted(changed.gone, key=lambda one: one[0] != turn):
        if any(who == seat and where == color for who, where, _ in changed.came):
            continue
        for die in KINDS:
            yield Play(seat, die, WHEEL[color], OUT)
        yield Withdraw(seat, WHEEL[color])
        return
