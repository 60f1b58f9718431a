"""The violations of color or size in an exchange, whoever holds the pieces (SPA-14 to SPA-19)."""

from __future__ import annotations

from companion.core.contract import Violation
from companion.core.pieces import Pyramid
from companion.games.spectra.exchanges import colors, is_special, third_size
from companion.games.spectra.moves import Exchange
from companion.games.spectra.stash import PRIMARIES, SECONDARIES, supply_spot

_BACK = "Put the pieces back, or correct what was misread."


def of_colors(exchange: Exchange) -> tuple[Violation, ...]:
    """The violation of the three colors of an exchange of two pieces for one, if any."""
    one, other = exchange.gave
    where = (supply_spot(exchange.seat),)
    made = colors(one.color, other.color)
    took = exchange.took.color
    if not made:
        rule, text = _yields_nothing(one.color, other.color)
        return (Violation(rule, f"{text} {_BACK}", where),)
    if took in made:
        return ()
    if is_special(took):
        return (Violation("SPA-19", f"No exchange yields a {took} piece. {_BACK}", where),)
    yielded = f"{one.color} and {other.color} yield {' or '.join(made)}, not {took}."
    return (Violation(_rule(one, other), f"{yielded[0].upper()}{yielded[1:]} {_BACK}", where),)


def _rule(one: Pyramid, other: Pyramid) -> str:
    pair = (one.color, other.color)
    return "SPA-16" if "black" in pair else "SPA-17" if "white" in pair else "SPA-14"


def _yields_nothing(one: str, other: str) -> tuple[str, str]:
    """Rule and reason for a pair of colors that yields no color."""
    if is_special(one) or is_special(other):
        changes = "Black changes only primaries, and white only secondaries"
        return "SPA-19", f"{changes}: {one} and {other} yield nothing."
    if one == other:
        return "SPA-14", f"Two {one} pieces yield nothing; the colors must differ."
    if one in SECONDARIES and other in SECONDARIES:
        return "SPA-14", f"{one.capitalize()} and {other} are both secondaries and yield nothing."
    primary, secondary = (one, other) if one in PRIMARIES else (other, one)
    return "SPA-14", f"There is no {primary} in {secondary}, so the two yield nothing."


def of_sizes(exchange: Exchange) -> tuple[Violation, ...]:
    """The violation of the three sizes of an exchange of two pieces for one, if any."""
    one, other = exchange.gave
    took = exchange.took.size
    where = (supply_spot(exchange.seat),)
    if is_special(one.color) or is_special(other.color):
        special, changes = (one, other) if is_special(one.color) else (other, one)
        if one.size != other.size:
            text = (
                f"A {special.size} {special.color} piece changes only {special.size} pieces, not a {changes.size} one."
            )
            return (Violation("SPA-18", f"{text} {_BACK}", where),)
        if took != one.size:
            text = f"{special.color.capitalize()} keeps the size: {one.size}, not {took}."
            return (Violation(_rule(one, other), f"{text} {_BACK}", where),)
        return ()
    size = third_size(one.size, other.size)
    if took == size:
        return ()
    pair = f"Two {one.size} pieces" if one.size == other.size else f"A {one.size} and a {other.size} piece"
    return (Violation("SPA-15", f"{pair} yield a {size} one, not a {took} one. {_BACK}", where),)
