"""Spectrum's usages and moves as the page shows them: open colors, parts, moves with their ways, and reasons against
moves.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.contract import Violation
from companion.core.pieces import PRIMARIES, Die
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import ORIGIN, RINGS, SPOTS, STARS, STARTS, STEP, STOCK, STOCKS
from companion.games.spectrum.chance import KIND
from companion.games.spectrum.going import breaches_of
from companion.games.spectrum.listing import playable
from companion.games.spectrum.moves import Declare, Go, Swap, ends_of
from companion.games.spectrum.route import route_of
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY
from companion.games.spectrum.usages import PLUS, Part, Usage, cards_of
from companion.referee.table.table import Table
from web.boards.parts.pieces import code_of
from web.scene.pieces.dice import LETTERS
from web.scene.pieces.number_cards import NUMBER_CODES
from web.views.alert_view import breach_data

_CODES = list(NUMBER_CODES)
REASONS = 4
"""The number of rules that are named for a pawn that cannot move."""


def usages(table: Table, state: Any) -> list[dict[str, Any]]:
    """Returns every usage of the roll or the cards; a usage without a move comes with the rule that forbids it."""
    if state.phase not in ("declare", "pass", "move", "place"):
        return []
    alive = {usage.name for usage in state.alive}
    return [_usage(table, state, usage, usage.name in alive) for usage in state.usages]


def _usage(table: Table, state: Any, usage: Usage, alive: bool) -> dict[str, Any]:
    declare = Declare(state.turn, usage.name)
    closed = state.phase == "declare" and not alive
    return {
        "name": usage.name,
        "kind": usage.kind,
        "rule": usage.rule,
        "codes": _codes(state, usage),
        "opens": list(usage.colors),
        "parts": [_part(part) for part in usage.parts],
        "plain": usage.plain,
        "free": usage.free,
        "swap": usage.exchange is not None,
        "used": state.usage == usage.name,
        "alive": alive,
        "event": msgspec.to_builtins(declare),
        "breaches": [breach_data(breach, table.session.game.name) for breach in state.violations(declare)]
        if closed
        else [],
    }


def _codes(state: Any, usage: Usage) -> list[str]:
    """Returns the codes of the dice or cards that a usage takes."""
    if state.options.cards_as_dice:
        return [_CODES[number] for number in cards_of(usage.name)]
    return [code_of(Die(KIND[state.options.dice], color)) for color in usage.name.split(PLUS)]


def _part(part: Part) -> dict[str, Any]:
    return {"spaces": part.spaces, "colors": list(part.colors), "needs": bool(part.needs)}


def left(state: Any) -> list[dict[str, Any]]:
    """Returns the rest of the usage: the single spaces of a plain roll, or each part with its place in the order."""
    if state.phase not in ("move", "place"):
        return []
    usage, left = state.used, state.left
    if usage.plain:
        return [{"spaces": 1, "colors": list(usage.colors), "open": number < left} for number in range(2)]
    now = usage.at_hand(left)
    found = []
    for number, part in enumerate(usage.parts):
        bit = 1 << number
        found.append({**_part(part), "open": bool(left & bit), "now": bool(now & bit)})
    return found


def chosen(state: Any, about: str) -> tuple[Usage, int] | None:
    """Returns the usage in question, by its place among all, and its rest; otherwise the one in use."""
    if state.phase == "move":
        return state.used, state.left
    asked = about.split(" ")[0]
    if state.phase == "declare" and asked.isdecimal() and int(asked) < len(state.usages):
        usage: Usage = state.usages[int(asked)]
        return usage, usage.all_parts
    return None


def moves(table: Table, state: Any, usage: Usage, left: int) -> list[dict[str, Any]]:
    """Returns every move that a usage allows now, with its way and its capture."""
    first = playable(state, usage, left)
    return [_move(table, state, usage, first.left, move) for move in first.moves]


def _move(table: Table, state: Any, usage: Usage, left: int, move: Go | Swap) -> dict[str, Any]:
    known = {"text": table.session.game.text(move), "event": msgspec.to_builtins(move)}
    if isinstance(move, Swap):
        return {**known, "pawn": move.one, "to": move.other, "part": 0, "one_color": False, **_nothing()}
    ends = ends_of(move)
    assert ends is not None
    route = route_of(state, usage, left, move)
    there = state.board[ends.space]
    return {
        **known,
        "pawn": move.pawn,
        "to": move.to,
        "part": move.part,
        "one_color": move.one_color,
        "captures": None if there == EMPTY else COLOR_OF_LETTER[there],
        "star": bool(STARS >> ends.space & 1),
        "landed": [SPOTS[space] for space in route.landed] if route else [move.to],
        "jumped": [SPOTS[space] for space in route.jumped] if route else [],
    }


def _nothing() -> dict[str, Any]:
    return {"captures": None, "star": False, "landed": [], "jumped": []}


def pawns(state: Any) -> list[dict[str, Any]]:
    """Returns every place from which a pawn of the seat on turn may come: the board, and the stock."""
    found = []
    for space in bits(state.pawns_on_paths(state.turn)):
        color = COLOR_OF_LETTER[state.board[space]]
        found.append({"at": SPOTS[space], "color": color, "code": f"pawn{LETTERS[color]}", "stock": 0})
    for color in state.teams[state.turn]:
        if state.stock(color):
            stock = {"color": color, "code": f"pawn{LETTERS[color]}", "stock": state.stock(color)}
            found.append({"at": STOCKS[PRIMARIES.index(color)], **stock})
    return found


def why_not(table: Table, state: Any, about: str) -> dict[str, Any] | None:
    """Returns the rules against a pawn's moves on an empty board; None without a question.

    Args:
        about: The place of the usage, then the pawn's space: "2 red.4", "0 red stock".
    """
    _, _, pawn = about.partition(" ")
    used = chosen(state, about)
    if used is None or pawn not in ORIGIN:
        return None
    usage, left = used
    first: dict[str, Violation] = {}
    for go in _tries(state, usage, left, pawn):
        ends = ends_of(go)
        assert ends is not None
        for breach in breaches_of(state, go, ends, usage, left)[:1]:
            first.setdefault(breach.rule, breach)
        if len(first) >= REASONS:
            break
    return {"pawn": pawn, "breaches": [breach_data(breach, table.session.game.name) for breach in first.values()]}


def _tries(state: Any, usage: Usage, left: int, pawn: str) -> list[Go]:
    """Returns the moves of the right number of spaces, as if the way were empty."""
    if usage.exchange is not None:
        return []
    part = 0 if usage.plain else (left & -left).bit_length() - 1
    spaces = 1 if usage.plain else usage.parts[part].spaces
    origin = ORIGIN[pawn]
    edge = STARTS if origin >= STOCK else STEP[origin]
    seen = edge if origin >= STOCK else edge | 1 << origin
    for _ in range(spaces - 1):
        beyond = 0
        for space in bits(edge):
            beyond |= STEP[space]
        edge = beyond & ~seen
        seen |= edge
    number = part + 1 if usage.free else 0
    # Straight moves come first, because people try them first.
    targets = sorted(bits(edge), key=lambda space: (space // RINGS != origin // RINGS, space))
    return [Go(state.turn, pawn, SPOTS[space], number) for space in targets]
