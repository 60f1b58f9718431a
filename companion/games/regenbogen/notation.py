"""Writes and reads moves as one line of text that means the same in every position. Players are counted from 1."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.core.foundation.errors import AmbiguousMove, BadNotation
from companion.games.regenbogen import moves
from companion.games.regenbogen.board import CELLS
from companion.games.regenbogen.data import SIDES

if TYPE_CHECKING:
    from companion.games.regenbogen.state import RegenbogenState

_Plain = (
    moves.EndTurn
    | moves.Pass
    | moves.GiveSpell
    | moves.LoseCleric
    | moves.OfferDraw
    | moves.AcceptDraw
    | moves.DeclineDraw
)
_CELL = r"[a-z][0-9]"
_WITH = rf"(?: with (?P<piece>{_CELL}))?"
_LINE = re.compile(rf"(?:player (?P<number>[12])|(?P<side>{'|'.join(SIDES)})) (?P<rest>.+)")
_PLAIN: dict[str, type[_Plain]] = {
    "ends the turn": moves.EndTurn,
    "passes": moves.Pass,
    "gives up a spell": moves.GiveSpell,
    "gives up the cleric": moves.LoseCleric,
    "offers a draw": moves.OfferDraw,
    "accepts the draw": moves.AcceptDraw,
    "declines the draw": moves.DeclineDraw,
}
_TEXT = {kind: words for words, kind in _PLAIN.items()}
_GO = re.compile(rf"moves (?P<piece>{_CELL}) to (?P<to>{_CELL})")
_FIGHT = re.compile(rf"fights (?P<target>{_CELL}){_WITH}")
_SUMMON = re.compile(rf"summons on (?P<to>{_CELL}){_WITH}")
_HEAL = re.compile(rf"heals (?P<target>{_CELL}) by (?P<points>[1-9]){_WITH}")
_RECOVER = re.compile(rf"recovers a spell{_WITH}")
_DESTROY = re.compile(rf"self-destructs (?P<piece>{_CELL})")


def text(move: moves.Move) -> str:
    """Returns the move as a line: "player 1 fights c5 with b4"."""
    who = f"player {move.seat + 1}"
    match move:
        case moves.Go():
            return f"{who} moves {move.piece} to {move.to}"
        case moves.Fight():
            return f"{who} fights {move.target} with {move.piece}"
        case moves.Summon():
            return f"{who} summons on {move.to} with {move.piece}"
        case moves.Heal():
            return f"{who} heals {move.target} by {move.points} with {move.piece}"
        case moves.Recover():
            return f"{who} recovers a spell with {move.piece}"
        case moves.SelfDestruct():
            return f"{who} self-destructs {move.piece}"
    return f"{who} {_TEXT[type(move)]}"


def parse(state: RegenbogenState, line: str) -> moves.Move:
    """Returns the move that a line names, legal or not; without a piece, the action belongs to the only piece that may
    do it.

    Raises:
        BadNotation: No move of Regenbogen reads so.
        AmbiguousMove: Several pieces may do it.
    """
    whole = _LINE.fullmatch(" ".join(line.lower().split()))
    if whole is not None:
        seat = int(whole["number"]) - 1 if whole["number"] else SIDES.index(whole["side"])
        move = _plain(seat, whole["rest"]) or _action(state, seat, whole["rest"])
        if move is not None:
            return move
    raise BadNotation(
        f'"{line}" is no move of Regenbogen. Write "player 1 moves b2 to b4", "player 1 fights c5 with b4", '
        '"player 1 summons on c3 with b2", "player 1 heals b2 by 2 with c1" or "player 1 ends the turn".'
    )


def _plain(seat: int, rest: str) -> moves.Move | None:
    """Returns the move of a line that names everything; None for any other line."""
    if rest in _PLAIN:
        return _PLAIN[rest](seat)
    if found := _GO.fullmatch(rest):
        return moves.Go(seat, found["piece"], found["to"])
    if found := _DESTROY.fullmatch(rest):
        return moves.SelfDestruct(seat, found["piece"])
    return None


def _action(state: RegenbogenState, seat: int, rest: str) -> moves.Move | None:
    """Returns the action of a line that may leave out the acting piece; None for any other line."""
    for form in (_FIGHT, _SUMMON, _HEAL, _RECOVER):
        found = form.fullmatch(rest)
        if found is None:
            continue
        named = found["piece"]
        if named is not None:
            return _with(form, found, seat, named)
        every = [_with(form, found, seat, cell) for cell in CELLS]
        able = [move for move in every if state.may(move)]
        if len(able) > 1:
            raise AmbiguousMove(f'Several pieces may do "{rest}". Say which: {", ".join(text(move) for move in able)}.')
        if not able:
            if state.moved is None:
                raise BadNotation(
                    f'No piece of player {seat + 1} may do "{rest}" now. Say which one it was: "with b2".'
                )
            return _with(form, found, seat, CELLS[state.moved])
        return able[0]
    return None


def _with(
    form: re.Pattern[str], found: re.Match[str], seat: int, actor: str
) -> moves.Fight | moves.Summon | moves.Heal | moves.Recover:
    """Returns the action of that piece."""
    if form is _FIGHT:
        return moves.Fight(seat, actor, found["target"])
    if form is _SUMMON:
        return moves.Summon(seat, actor, found["to"])
    if form is _HEAL:
        return moves.Heal(seat, actor, found["target"], int(found["points"]))
    return moves.Recover(seat, actor)
