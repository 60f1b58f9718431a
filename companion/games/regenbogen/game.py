"""The game object of Regenbogen, which the command line, the page and the journal use."""

from __future__ import annotations

from operator import mul
from typing import Any

from companion.core.capabilities import LIFE, Heuristics, HiddenInformation, Horizon, Proposer
from companion.core.contract import Seat
from companion.core.foundation.errors import BadEvent, GameOver
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions, own_fields
from companion.games.regenbogen import notation, search
from companion.games.regenbogen.board import CELLS, CLEAR, NAMES, PLACE
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import CLERIC, KIND, OWNER, PIECES, SPIRITS
from companion.games.regenbogen.moves import EndTurn, Fight, Go, Heal, Move, Recover, SelfDestruct, Summon
from companion.games.regenbogen.options import Options
from companion.games.regenbogen.position import check, read, set_out, start, turns
from companion.games.regenbogen.situation import Situation
from companion.games.regenbogen.state import RegenbogenState

_BODY = {"ultima": 30.0, "wizard": 8.0, "cleric": 3.0, "spirit": 0.5}
"""Rank of a piece to its worth without health."""
_HEALTH = {"ultima": 3.0, "wizard": 1.5, "cleric": 0.5, "spirit": 0.5}
"""Rank of a piece to the worth of each point of its health."""
_SPELL = 0.4
_MISSING = (0.0, 16.0, 4.0, 0.0, 0.0)
"""The worth of a near domination by the number of enemy Wizards still to kill; with none left the game is over."""
_STEP = 0.15
"""The worth of each step closer to the enemy's Ultima Wizard."""


def _name(kind: int) -> str:
    if kind == CLERIC:
        return "cleric"
    if kind >= SPIRITS:
        return "spirit"
    return "ultima" if kind == CLEAR else "wizard"


def _value(one: int) -> float:
    name = _name(KIND[one])
    return _BODY[name] + _HEALTH[name] * (one & 7)


_VALUES = tuple(
    tuple(0.0 if one < 8 else _value(one) if OWNER[one] == seat else -_value(one) for one in range(PIECES))
    for seat in range(2)
)
"""The worth of each piece to each seat, by seat and piece."""
_OF = tuple(bytes(byte < PIECES and OWNER[byte] == seat for byte in range(256)) for seat in range(2))
_KING = tuple(
    bytes(byte < PIECES and OWNER[byte] == seat and KIND[byte] == CLEAR for byte in range(256)) for seat in range(2)
)
"""For each seat, a translation table of bytes that marks the seat's Ultima Wizard."""
_PLACES = tuple((DATA.board.files.index(cell[0]), int(cell[1:])) for cell in CELLS)
_STEPS = tuple(tuple(max(abs(file - other), abs(rank - level)) for other, level in _PLACES) for file, rank in _PLACES)
"""The number of steps between two cells."""
_WAYS = tuple(
    sum(1 << PLACE[name] for name in way) for ways in DATA.dominations.values() for way in ways if len(way) > 1
)
_DANGER = tuple(max(_MISSING[(way & ~dead).bit_count()] for way in _WAYS) for dead in range(1 << len(NAMES)))
"""For each set of a side's dead Wizards, the loss in worth by the nearest domination against it."""


def prospects(state: Situation, seat: Seat) -> float:
    """Returns pieces, health, spells, dominations that are near, and how near the enemy's Ultima Wizard is."""
    board, other = state.board, 1 - seat
    value = sum(map(_VALUES[seat].__getitem__, board))
    value += _SPELL * (state.spells[seat] - state.spells[other])
    value += _DANGER[state.dead[other]] - _DANGER[state.dead[seat]]
    return value + _pull(board, seat) - _pull(board, other)


def _pull(board: bytes, seat: Seat) -> float:
    aim = board.translate(_KING[1 - seat]).find(1)
    return -_STEP * sum(map(mul, _STEPS[aim], board.translate(_OF[seat]))) if aim >= 0 else 0.0


def _words_of(state: RegenbogenState, event: Move) -> dict[str, Any] | None:
    """Returns the move in the words of a recording; None for a move that recordings leave out, such as a turn's end."""
    if not isinstance(event, Go | Fight | Summon | Heal | Recover | SelfDestruct):
        return None
    return own_fields(state, event)


def _needs_confirmation(state: RegenbogenState, event: Move) -> bool:
    """True if a picture alone is no proof of an event, so that people are asked (RGB-29)."""
    return search.needs_confirmation(event)


def _gives_up(state: RegenbogenState, event: Move) -> bool:
    """True for every move but the end of a turn in which a piece has moved: it need not act as well (RGB-9)."""
    return not isinstance(event, EndTurn)


def _looks_alike(state: RegenbogenState, one: Move, other: Move) -> bool:
    """True if two moves leave the same tops of pieces, so that no camera can distinguish them (RGB-29)."""
    if one == other:
        return True
    try:
        return state.apply_unchecked(one).tops == state.apply_unchecked(other).tops
    except (BadEvent, GameOver):
        return False


REGENBOGEN: Game[RegenbogenState] = Game.of(
    GameInfo(
        "regenbogen",
        "Regenbogen",
        rules=2,
        seats=range(len(SIDES), len(SIDES) + 1),
        seats_rule="RGB-1",
        Options=Options,
        lead="nothing",
    ),
    Positions(RegenbogenState, start, read, check),
    EventCodec(Move, notation.text, notation.parse, _words_of),
    Capabilities(
        hidden=HiddenInformation(unseen=RegenbogenState.unseen),
        proposer=Proposer(
            infer_event=search.infer_event,
            looks_alike=_looks_alike,
            candidates=search.candidates,
            rarity=search.rarity,
            gives_up=_gives_up,
            needs_confirmation=_needs_confirmation,
            set_out=set_out,
            turns=turns,
        ),
        heuristics=Heuristics(prospects=prospects, horizon=Horizon(decided=LIFE)),
    ),
)
"""The game object of Regenbogen."""
