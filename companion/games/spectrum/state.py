"""The state of Spectrum: applies events to a position (BRD-8 to BRD-35, VAR-1 to VAR-28)."""

from __future__ import annotations

from typing import Self, TypeVar

from msgspec.structs import replace

from companion.core.contract import Drawn, Expect, Rolled, Shown, Violation
from companion.core.foundation.errors import GameOver, IllegalMove
from companion.core.pieces import PRIMARIES
from companion.games.shared.lazy import lazy
from companion.games.shared.ruled_state import RuledState, sentences
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum import chance, observation, opening, portals, scoring, told, turns, violations
from companion.games.spectrum.board import SPACE, SPOTS, STARS, STARTS, STOCK
from companion.games.spectrum.listing import is_alive, playable
from companion.games.spectrum.moves import (
    END_TURNS,
    FULFILS,
    PASSES,
    ROLLS,
    SURRENDERS,
    Activate,
    Declare,
    Ends,
    EndTurn,
    Fulfil,
    Go,
    Move,
    Pass,
    Pick,
    PlacePawn,
    Roll,
    Send,
    SpectrumEvent,
    Surrender,
    Swap,
    TakeOff,
    ends_of,
)
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY, LETTERS, Situation
from companion.games.spectrum.usages import Usage

# Computes the position after an illegal event that the whole table accepts.
#
# Only what the pieces permit is carried out. A pawn's move of the seat on turn uses up the part at hand, the rest of a
# plain roll, or a whole roll of undeclared usage; any other event moves pawns and leaves the turn where it is.

S = TypeVar("S", bound=Situation)


def allowed(state: S, event: SpectrumEvent) -> S | None:
    """Returns the position after an illegal event that stands; None if it cannot be carried out."""
    match event:
        case Go():
            ends = ends_of(event)
            return None if ends is None else _gone(state, ends)
        case PlacePawn():
            return _placed(state, event)
        case TakeOff():
            return _taken_off(state, event)
        case Swap():
            return _swapped(state, event)
        case Declare() if state.phase in ("declare", "move"):
            usage = state.usage_named(event.usage)
            if usage is None or not playable(state, usage, usage.all_parts).moves:
                return None
            return turns.declared(state, usage)
        case Pass() if state.phase in ("declare", "move"):
            return turns.passed(state)
        case Roll() if state.phase == "end":
            return turns.going_to_roll(turns.ended(state))
        case Surrender() if state.phase in ("roll", "cards") and state.pawns_on_paths(state.turn):
            return turns.surrendering(state)
        case Rolled() if state.phase in ("declare", "move"):
            return _rolled(state, event)
        case EndTurn() if state.phase in ("roll", "cards", "move", "declare", "start"):
            return turns.passed(state)
        case Fulfil() if state.options.missions and state.phase in ("roll", "move", "end", "start"):
            return portals.declared_missions(state) if event.seat == state.turn else None
    return None


def _rolled(state: S, rolled: Rolled) -> S | None:
    """Returns the position after the next player has rolled although something could still be played."""
    special = state.phase == "move" and state.used.special
    after = turns.turn_over(state, state.board, state.masks, special, 0)
    return None if told.impossible(after, rolled) or told.timing_errors(after, rolled) else told.apply(after, rolled)


def _gone(state: S, ends: Ends) -> S | None:
    """Returns the position after a pawn of any player moved; one of the seat on turn uses up the part at hand."""
    origin, space = ends.origin, ends.space
    board = state.board
    if origin == space or (board[space] != EMPTY and STARS >> space & 1) or state.held is not None:
        return None
    if state.phase in ("set-up", "drawing", "send", "bonus"):
        return None
    if origin >= STOCK:
        color = PRIMARIES[origin - STOCK]
        if color not in state.owner or not state.stock(color):
            return None
    elif board[origin] == EMPTY or STARS >> origin & 1:
        return None
    letter = LETTERS[origin - STOCK] if origin >= STOCK else board[origin]
    own = state.owner[COLOR_OF_LETTER[letter]] == state.turn
    if own and state.phase in ("declare", "pass"):
        return turns.carried(state, origin, space, state.usages[0], 0, ())
    if own and state.phase == "move":
        usage = state.used
        left = 0 if usage.plain else state.left & (state.left - 1)
        return turns.carried(state, origin, space, usage, left, state.walked)
    # Outside of a turn's moves a captured pawn simply leaves the board: no player has to place it.
    board = turns.with_pawn(board, space, letter)
    if origin < STOCK:
        board = turns.with_pawn(board, origin, EMPTY)
    return _again(replace(state, board=board))


def _again(state: S) -> S:
    """Returns the same point of the turn on a changed board; if no part can be played, the turn is over."""
    if state.phase == "move":
        left = playable(state, state.used, state.left)
        if not left.moves:
            return turns.turn_over(state, state.board, state.masks, state.used.special, 0)
        return state if left.left == state.left else replace(state, left=left.left)
    if state.phase in ("declare", "pass"):
        return turns.reconsidered(state)
    return state


def _placed(state: S, place: PlacePawn) -> S | None:
    """Returns the position with the captured pawn on another free space; None if that is impossible."""
    held, space = state.held, SPACE.get(place.to)
    if held is None or space is None or state.board[space] != EMPTY or place.pawn != held.color:
        return None
    put = PlacePawn(held.seat, held.color, place.to)
    return turns.placed(state, put) if state.extras.activation is None else portals.placed(state, put)


def _taken_off(state: S, off: TakeOff) -> S | None:
    """Returns the position after any pawn is taken off the board; a pawn of the seat to move counts as a late
    surrender.
    """
    space = SPACE.get(off.pawn)
    if space is None or state.board[space] == EMPTY or STARS >> space & 1 or state.held is not None:
        return None
    if state.masks[state.turn] >> space & 1 and state.phase in ("off", "start", "roll", "cards"):
        return turns.taken_off(state, off)
    return _again(replace(state, board=turns.with_pawn(state.board, space, EMPTY)))


def _swapped(state: S, swap: Swap) -> S | None:
    one, other = SPACE.get(swap.one), SPACE.get(swap.other)
    if one is None or other is None or EMPTY in (state.board[one], state.board[other]) or one == other:
        return None
    if state.phase == "move" and state.used.exchange is not None:
        return turns.swapped(state, swap)
    return None


def moves(situation: Situation, alive: tuple[Usage, ...]) -> tuple[Move, ...]:
    """Returns every legal move, in a stable order.

    Args:
        alive: The usages that may be declared.
    """
    turn = situation.turn
    match situation.phase:
        case "move":
            return playable(situation, situation.used, situation.left).moves
        case "declare":
            return tuple([Declare(turn, usage.name) for usage in alive])
        case "place":
            return places(situation)
        case "pass":
            return (PASSES[turn],)
        case "start":
            return _before_the_roll(situation)
        case "end":
            return (*portals.activations(situation), END_TURNS[turn])
        case "off":
            return tuple([TakeOff(turn, SPOTS[space]) for space in bits(situation.pawns_on_paths(turn))])
        case "send":
            return tuple(portals.destinations(situation))
        case "set-up":
            due = opening.due(situation)
            return opening.picks(situation, due.seat) if due is not None and due.step == "pick" else ()
    return ()


def places(situation: Situation) -> tuple[PlacePawn, ...]:
    """Returns where a captured pawn may be put: every free start (BRD-24)."""
    held = situation.held
    assert held is not None
    free = STARTS & ~situation.occupied
    return tuple([PlacePawn(held.seat, held.color, SPOTS[space]) for space in bits(free)])


def _before_the_roll(situation: Situation) -> tuple[Move, ...]:
    """Returns the moves before the roll, and the roll itself (BRD-32, VAR-20, VAR-23)."""
    turn, options = situation.turn, situation.options
    found: list[Move] = []
    if options.portals:
        found += portals.activations(situation)
    if options.missions and portals.may_fulfil(situation):
        found.append(FULFILS[turn])
    if options.surrender and situation.masks[turn] & ~STARS:
        found.append(SURRENDERS[turn])
    return (*found, ROLLS[turn])


_TOLD = (Rolled, Drawn, Shown)


class SpectrumState(Situation, RuledState, frozen=True, dict=True, tag="spectrum", forbid_unknown_fields=True):
    """A position of Spectrum with its rules (the contract's `State`)."""

    @lazy
    def alive(self) -> tuple[Usage, ...]:
        """The usages that have a legal move, if one must be declared; otherwise empty (BRD-28)."""
        if self.phase != "declare":
            return ()
        return tuple([usage for usage in self.usages if is_alive(self, self.ground, usage)])

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move, in a stable order."""
        return moves(self, self.alive)

    def expects(self) -> Expect:
        """Returns the event that must come next. Dice and cards may also be entered while other moves may come before
        them.
        """
        return chance.expects(self)

    def violations(self, move: SpectrumEvent) -> tuple[Violation, ...]:
        """Returns the rules that an event breaks; empty if and only if it is legal now.

        A pawn's move need not name its part if only one is possible, and declaring the present usage again has no
        effect.
        """
        return violations.violations_of(self, move, self.moves, self.alive)

    def _applied(self, event: SpectrumEvent) -> Self:
        if type(event) is Rolled and self.phase == "roll":
            roll = told.roll_of(event.faces, chance.dice_kinds(self))
            if roll is not None:
                return turns.rolled(self, roll)
        if isinstance(event, _TOLD):
            found = self.violations(event)
            if not found:
                return told.apply(self, event)
        elif event in self.moves:
            return self._done(event)
        else:
            found = self.violations(event)
            if not found:
                go = violations.meant(self, event, self.moves) if isinstance(event, Go) else None
                return self if go is None else self._done(go)
        if self.phase == "over":
            raise GameOver(sentences(found))
        raise IllegalMove(found)

    def _done(self, move: Move) -> Self:
        """Returns the position after a legal move."""
        match move:
            case Go():
                ends = ends_of(move)
                assert ends is not None
                return turns.gone(self, move, ends)
            case Declare():
                usage = self.usage_named(move.usage)
                assert usage is not None
                return turns.declared(self, usage)
            case PlacePawn():
                return turns.placed(self, move) if self.extras.activation is None else portals.placed(self, move)
            case Pass():
                return turns.passed(self)
            case Roll():
                return turns.going_to_roll(self)
            case Surrender():
                return turns.surrendering(self)
            case TakeOff():
                return turns.taken_off(self, move)
            case Swap():
                return turns.swapped(self, move)
            case Pick():
                return opening.picked(self, move)
            case Fulfil():
                return portals.declared_missions(self)
            case Activate():
                return portals.activated(self, move)
            case Send():
                return portals.sent(self, move)
            case EndTurn():
                return turns.ended(self)

    def _forced(self, move: SpectrumEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal event that the whole table accepts.

        None if the move is impossible: no such pawn, no such place, or not what the turn waits for.
        """
        return allowed(self, move)

    scores = scoring.scores
    outcome = scoring.outcome
    layout = observation.layout
