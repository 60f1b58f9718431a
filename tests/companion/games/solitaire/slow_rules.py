"""Solitaire's rules once more, slowly and by names: every card against every place, as a reader of SOL-2 to SOL-8 would."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import PIECES


def name(number: int) -> tuple[str, int]:
    piece: Any = PIECES[number]
    return piece.color, piece.rank


def related(one: str, other: str) -> bool:
    """Whether one color is a shade of the other: one is a primary, the other names it."""
    if one == other:
        return False
    return other in one.split("-") if "-" in one else one in other.split("-")


def may_lie_on(card: int, below: int, options: Any) -> bool:
    color, rank = name(card)
    on_color, on_rank = name(below)
    same = color == on_color and not options.strict_shades
    return rank == on_rank - 1 and (same or related(color, on_color))


def moves(state: Any) -> set[str]:
    """Every legal move by the text of its notation."""
    options = state.options
    found = {"concede"}
    runs: list[list[int]] = [[state.waste[-1]]] if state.waste else []
    for cards in state.ups:
        for start in range(len(cards)):
            part = list(cards[start:])
            if all(may_lie_on(upper, lower, options) for lower, upper in pairwise(part)):
                runs.append(part)
    if options.foundation_back:
        runs += [[color * 12 + height - 1] for color, height in enumerate(state.foundations) if height]
    letters = {color: "".join(word[0].upper() for word in color.split("-")) for color in WHEEL}
    for run in runs:
        color, rank = name(run[0])
        code = f"{letters[color]}{rank}"
        home = state.foundations[WHEEL.index(color)]
        if len(run) == 1 and home == rank - 1:
            found.add(f"{code} home")
        for pile, cards in enumerate(state.ups):
            if cards:
                fits = may_lie_on(run[0], cards[-1], options)
            else:
                fits = rank == 12 or options.empty_pile == "any"
            if fits and run[0] not in cards:
                found.add(f"{code} on pile {pile + 1}")
    if state.stock:
        found.add("turn")
    elif state.waste and (state.passes < options.max_passes or options.max_passes == 0):
        found.add("turn over")
    return found
