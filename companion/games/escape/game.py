"""The game object of Spectrum Escape, which the command line, the page and the journal use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.capabilities import ChanceEvents, Proposer
from companion.core.contract import Chance, Rolled
from companion.core.foundation.errors import BadEvent, BadRecord
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.layout import Layout, Spot
from companion.core.pieces import PRIMARIES, WHEEL, Pawn, Piece
from companion.games.escape import notation, observation
from companion.games.escape.moves import (
    AT,
    KINDS,
    OUT,
    RIM,
    Add,
    Color,
    EscapeEvent,
    Lose,
    Move,
    Play,
    Player,
    Position,
    Withdraw,
)
from companion.games.escape.observation import SeatChange, change, rolls
from companion.games.escape.options import NEEDED, PAWNS, Options, pawn_colors
from companion.games.escape.situation import BITS, BOTH, TWELVE_SIDED, WITHDREW, Round, Situation, dice_of, next_of
from companion.games.escape.state import EscapeState
from companion.games.shared import color_dice
from companion.games.shared.color_dice import COLOR, D6, D12, TWELVE, colors, die, thrown
from companion.games.shared.forms.player_lines import written_out
from companion.games.shared.forms.position_form import reader


def infer_event(state: EscapeState, seen: Layout) -> EscapeEvent | None:
    """Returns the next event on the way to `seen`, by best candidates: a legal one that it shows, else the likeliest
    guess.
    """
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
    """True if the board shows the result of this legal move, whatever else it shows."""
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


_EMPTY = tuple((0,) * 4 for _ in WHEEL)
_DID = {"": 0, **BITS, "both": BOTH, "withdrew": WITHDREW}


class _Common(Struct, forbid_unknown_fields=True):
    d6: list[Color] = []
    d12: list[Color] = []


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form: colors by name, positions counted from the center."""

    pawns: list[dict[Color, Position]]
    """For each seat, color to position."""
    escaped: list[Annotated[int, Meta(ge=0, le=PAWNS)]] | None = None
    """The number of escaped pawns of each seat. Default: none."""
    round: Round = "d6"
    first: Player | None = None
    """The first player of this round. Default: the one that the options name."""
    personal: list[Color] | None = None
    """The color of the personal die of each seat. Default: the round has not been rolled."""
    common: _Common | None = None
    """The unused common dice; all others are used up. Default: none are unused."""
    done: list[str] | None = None
    """For each seat, "", "personal", "common", "both" or "withdrew". Default: no seat has moved."""


def start(seats: int, options: Options) -> EscapeState:
    """Returns the position before the first roll: a d6 round, every pawn in stock (ESC-1, ESC-16).

    Raises:
        BadOptions: The number of seats or an option is not possible.
    """
    colors = pawn_colors(seats, options)
    columns = tuple(column[:seats] for column in _EMPTY)
    return EscapeState(colors, columns, (0,) * seats, options.first - 1, (0,) * seats, "d6", options.alone)


def _state(seats: int, options: Options, record: PositionForm) -> EscapeState:
    begun = start(seats, options)
    by_seat = (record.pawns, record.escaped, record.personal, record.done)
    if any(one is not None and len(one) != seats for one in by_seat):
        raise BadRecord(f"{seats} players need lists of {seats} for pawns, escaped, personal and done.")
    columns = tuple(tuple(one.get(color, 0) for one in record.pawns) for color in WHEEL)
    if any(max(column) > RIM for column in columns):
        raise BadRecord(f"Position {RIM} is the rim (ESC-2). Count a pawn beyond it as escaped.")
    first = begun.first if record.first is None else record.first
    state = msgspec.structs.replace(
        begun, columns=columns, escaped=tuple(record.escaped or begun.escaped), first=first, round=record.round
    )
    if record.personal is not None:
        state = _with_dice(state, record, record.personal)
    elif record.common is not None or record.done is not None:
        raise BadRecord("Common dice and moves of this round need the personal dice too. Give all of them.")
    return state


def _with_dice(state: EscapeState, record: PositionForm, personal: Sequence[str]) -> EscapeState:
    """Returns the position after the roll, possibly in the middle of its round."""
    common = record.common or _Common()
    done = tuple(record.done or [""] * state.seats)
    for one in done:
        if one not in _DID:
            raise BadRecord(f'"{one}" is nothing that a player has done. Write one of: {", ".join(_DID)}.')
    kinds = dice_of(state.round, state.seats)[state.seats :]
    cubes = kinds.count(D6)
    spent = sum(_DID[one] in (BITS["common"], BOTH) for one in done)
    lying = len(common.d6) + len(common.d12)
    if len(common.d6) > cubes or len(common.d12) > len(kinds) - cubes or not 0 <= len(kinds) - lying <= spent:
        raise BadRecord(
            f"A {state.round} round of {state.seats} has {cubes} common d6 and {len(kinds) - cubes} common d12, of "
            f"which {spent} are used at most (ESC-12). Correct the dice or the moves done."
        )
    unused = [COLOR[color] for color in common.d6] + [COLOR[color] + TWELVE_SIDED for color in common.d12]
    return msgspec.structs.replace(
        state,
        rolled=True,
        personal=tuple(COLOR[color] for color in personal),
        unused=tuple(sorted(unused)),
        done=tuple(_DID[one] for one in done),
    )


def set_out(state: EscapeState, seen: Mapping[Spot, Sequence[Piece]]) -> EscapeState:
    """Returns the position with these pawns on these spaces; all other pawns are in stock.

    Raises:
        BadEvent: A color would hold two pawns of a player, or pawns of a color without a player.
        BadRecord: A player would have more pawns than there are.
    """
    columns = [list(column) for column in state.columns]
    for spot in seen:
        color, position = AT.get(spot, (0, OUT))
        columns[color] = [0 if at == position else at for at in columns[color]]
    for spot, pieces in seen.items():
        for pawn in pieces:
            if spot not in AT:
                raise BadEvent("Only pawns on the board can be set up as they are seen. Correct all else by hand.")
            color, position = AT[spot]
            if not isinstance(pawn, Pawn) or pawn.color not in state.colors:
                raise BadEvent(f"Nobody who plays has the pawn on {spot} (ESC-1). Choose another one, or none.")
            seat = state.colors.index(pawn.color)
            if columns[color][seat]:
                raise BadEvent(
                    f"Player {seat + 1} has one pawn in {WHEEL[color]} at most (ESC-3), and {spot} would hold a second "
                    "one. Correct one of them."
                )
            columns[color][seat] = position
    found = msgspec.structs.replace(state, columns=tuple(map(tuple, columns)))
    check(found)
    return found


def check(state: Situation) -> None:
    """Checks a state that was read against the rules.

    Raises:
        BadRecord: Its parts contradict each other.
    """
    seats = len(state.colors)
    if seats not in NEEDED or len(set(state.colors)) != seats or not set(state.colors) <= set(PRIMARIES):
        raise BadRecord("A state of Spectrum Escape has 2 to 4 players with different pawn colors (ESC-1).")
    by_seat: list[Sequence[Any]] = [state.escaped, state.done, *state.columns]
    if any(len(one) != seats for one in by_seat) or state.first >= seats:
        raise BadRecord("The state names more or fewer players than it has colors.")
    for color, column in zip(WHEEL, state.columns, strict=True):
        standing = [position for position in column if position]
        if len(set(standing)) != len(standing):
            raise BadRecord(f"Two pawns share a space in {color} (ESC-3). Correct the positions.")
    for seat in range(seats):
        if state.stock(seat) < 0:
            raise BadRecord(f"Player {seat + 1} has more than {PAWNS} pawns (ESC-18). Correct board or escapes.")
    if len([count for count in state.escaped if count >= NEEDED[seats]]) > 1:
        raise BadRecord(f"The game ends with the first player of {NEEDED[seats]} escapes (ESC-17). Correct them.")
    _check_dice(state, seats)


def _check_dice(state: Situation, seats: int) -> None:
    if state.rolled and (len(state.personal) != seats or next_of(state.first, state.done) is None):
        raise BadRecord("A round that was rolled has a personal die for each player and moves to come (ESC-12).")
    if not state.rolled and any(state.done):
        raise BadRecord("Nobody has moved before the roll (ESC-12). Give the dice.")
    if len(state.personal) not in (0, seats):
        raise BadRecord("Each player has one personal die (ESC-12).")
    if not state.personal and (state.unused or state.used):
        raise BadRecord("Common dice lie only beside personal ones (ESC-12). Give all of them.")
    if not state.personal:
        return
    round_ = state.round if state.rolled else {"d6": "d12", "d12": "d6"}[state.round]
    kinds = dice_of("d6" if round_ == "d6" else "d12", seats)
    cubes = {code for code in (*state.unused, *state.used) if code < TWELVE_SIDED}
    own = state.personal if kinds[0] == D6 else ()
    if not (cubes | set(own)) <= set(colors(D6)):
        raise BadRecord("A six-sided die shows one of the six primary colors (ESC-1).")
    count = Counter(code >= TWELVE_SIDED for code in (*state.unused, *state.used))
    rest = kinds[seats:]
    if count[False] > rest.count(D6) or count[True] > len(rest) - rest.count(D6):
        raise BadRecord("There are more common dice than the round has (ESC-12).")


read = reader("Spectrum Escape", PositionForm, _state)


def outcomes(state: EscapeState) -> Iterable[tuple[Chance, int]]:
    """Yields every possible roll with its number of ways; there are very many, so they are made one by one."""
    if state.rolled or state.ending is not None:
        return
    kinds = dice_of(state.round, state.seats)
    own = kinds[: state.seats]
    common = [kinds[state.seats :].count(kind) for kind in (D6, D12)]
    faces = [[one for one in TWELVE if kind == D12] or [die(D6, color) for color in range(0, 12, 2)] for kind in own]
    for personal in product(*faces):
        for cubes, ways in color_dice.outcomes(D6, common[0]):
            for others, more in color_dice.outcomes(D12, common[1]):
                yield Rolled((*personal, *cubes, *others)), ways * more


def sample(state: EscapeState, rng: Random) -> Chance:
    """Returns a random roll of the dice that must be rolled now.

    Raises:
        BadEvent: None is due.
    """
    return thrown(state.expects(), rng)


def _words_of(state: EscapeState, event: EscapeEvent) -> dict[str, Any] | None:
    """Returns the event in the words of `companion watch`; None for an event that a camera cannot see.

    Args:
        state: The position before the event.
    """
    match event:
        case Rolled():
            dice = [{"kind": one.kind, "face": one.face} for one in event.faces]
            return {"player": state.first, "type": "roll", "dice": dice}
        case Play():
            to: int | str = "out" if event.to == OUT else event.to
            return {"player": event.seat, "type": "play", "die": event.die, "color": event.color, "to": to}
        case Withdraw(owner=None):
            return {"player": event.seat, "type": "withdraw", "color": event.color}
        case Lose():
            return {"player": event.seat, "type": "lose", "die": event.die}
    return None


ESCAPE: Game[EscapeState] = Game.of(
    GameInfo(
        "escape",
        "Spectrum Escape",
        rules=1,
        seats=range(min(NEEDED), max(NEEDED) + 1),
        seats_rule="ESC-1",
        Options=Options,
    ),
    Positions(EscapeState, start, read, check),
    EventCodec(EscapeEvent, notation.text, notation.parse, _words_of, plain=written_out({"faces": color_dice.plain})),
    Capabilities(
        proposer=Proposer(infer_event=infer_event, candidates=observation.candidates, set_out=set_out),
        chance=ChanceEvents(outcomes=outcomes, sample=sample),
    ),
)
"""The game object of Spectrum Escape."""
