"""Explains why a pawn may not move as it did (BRD-14 to BRD-23, BRD-26)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from companion.core.contract import Violation
from companion.core.pieces import PRIMARIES, WHEEL
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import INTERMEDIATE, NAMES, RINGS, SIDE, SPOTS, STARS, STARTS, STEP, STOCK, STOCKS
from companion.games.spectrum.faults import (
    Fault,
    Try,
    arrives,
    fault_of,
    spaces_taken,
    starts_in_intermediate,
    two_faults_of,
)
from companion.games.spectrum.listing import playable
from companion.games.spectrum.moves import Ends, Go
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY, FREE, Ground, Situation
from companion.games.spectrum.usages import Part, Usage


def breaches_of(situation: Situation, go: Go, ends: Ends, usage: Usage, left: int) -> tuple[Violation, ...]:
    """Returns the rules that a pawn's move breaks if the roll is used in this way; empty if and only if the move is
    legal then.

    Args:
        left: The unused parts of the usage, as in `Situation.left`.
    """
    hand = playable(situation, usage, left)
    if go in hand.moves:
        return ()
    if usage.exchange is not None:
        text = f"{usage.name} exchanges the places of two pawns; no other pawn moves. Say which two."
        return (Violation("VAR-16", text, (go.to,)),)
    still = tuple(_standing(situation, ends)) or tuple(_paths(situation, ends, usage))
    if still:
        return still
    part = _part(usage, hand.left or left, go, ends)
    if isinstance(part, Violation):
        return (part,)
    if go.one_color:
        text = "Here it makes no difference by which colors the pawn went. Leave that out."
        return (Violation("BRD-19", text, (go.to,)),)
    return _way(situation, ends, usage, part, hand.left or left)


def where(origin: int) -> str:
    """Returns a place that a pawn comes from."""
    return NAMES[origin] if origin < STOCK else STOCKS[origin - STOCK]


def spot_of(situation: Situation, origin: int) -> str:
    """Returns the spot of a layout to light up for a place that a pawn comes from."""
    return SPOTS[origin] if origin < STOCK else f"seat{situation.turn}.stock"


def _standing(situation: Situation, ends: Ends) -> Iterator[Violation]:
    """Yields the violations of the spaces where the pawn starts and ends."""
    origin, space = ends.origin, ends.space
    who = f"player {situation.turn + 1}"
    board, ground = situation.board, situation.ground
    here = (spot_of(situation, origin),)
    if origin >= STOCK:
        color = PRIMARIES[origin - STOCK]
        if color not in situation.teams[situation.turn]:
            yield Violation(
                "BRD-8", f"{color.capitalize()} pawns are not those of {who}, who moves own pawns only.", here
            )
        elif origin - STOCK not in ground.stocks:
            yield Violation("BRD-5", f"No {color} pawn is left in stock. Move one that is on the board.", here)
    elif board[origin] == EMPTY:
        yield Violation("BRD-14", f"No pawn stands on {NAMES[origin]}. Correct what was misread.", here)
    elif not situation.masks[situation.turn] >> origin & 1:
        color = COLOR_OF_LETTER[board[origin]]
        yield Violation(
            "BRD-8", f"The {color} pawn on {NAMES[origin]} is not one of {who}, who moves own pawns only.", here
        )
    elif STARS >> origin & 1:
        yield Violation("BRD-25", f"The pawn on {NAMES[origin]} marks a captured color and never moves again.", here)
    there = board[space]
    if origin == space:
        yield Violation("BRD-18", "A move ends on another space than its start. Correct what was misread.", here)
    elif there != EMPTY and STARS >> space & 1:
        text = f"The color of {NAMES[space]} is captured, and nobody enters its star again. Put the pawn back."
        yield Violation("BRD-25", text, (SPOTS[space],))
    elif there != EMPTY and not ground.landing >> space & 1:
        text = f"An own pawn stands on {NAMES[space]}, and two pawns never share a space. Put the pawn back."
        yield Violation("BRD-16", text, (SPOTS[space],))


def _paths(situation: Situation, ends: Ends, usage: Usage) -> Iterator[Violation]:
    """Yields the violations if the paths where the pawn starts and ends are closed."""
    origin, space = ends.origin, ends.space
    opened = f"{usage.name} opens {listed(usage.colors)}"
    if origin < STOCK and not usage.open >> origin & 1:
        text = f"{opened}, and the pawn on {NAMES[origin]} cannot move at all. Put it back."
        yield Violation(_closed_rule(usage), text, (SPOTS[origin],))
    if not usage.open >> space & 1:
        if origin >= STOCK and INTERMEDIATE >> space & 1:
            text = f"A pawn enters on space 1 of an open primary, never on {WHEEL[space // RINGS]}. Put it back."
            yield Violation("BRD-15", text, (SPOTS[space],))
        else:
            text = f"{opened}, so nothing may enter {WHEEL[space // RINGS]}. Put the pawn back."
            yield Violation(_closed_rule(usage), text, (SPOTS[space],))


def _closed_rule(usage: Usage) -> str:
    return "BRD-14" if usage.rule.startswith("BRD") else usage.rule


def _part(usage: Usage, left: int, go: Go, ends: Ends) -> Part | Violation:
    """Returns the part that the move plays, with a plain roll's spaces as one part; or the violation if it plays
    none.
    """
    if usage.plain:
        if go.part:
            return Violation("BRD-17", f"{usage.name} allots two single spaces and no parts. Leave the part out.")
        return Part(left, usage.open)
    if not usage.free:
        if go.part:
            return Violation("BRD-12", "The parts come in the printed order. Leave out which part it is.")
        return _at_hand(usage, left, ends)
    rule = "BRD-12" if usage.rule.startswith("BRD") else usage.rule
    if not 1 <= go.part <= len(usage.parts):
        return Violation(
            rule, f"The parts of {usage.name} may be taken in any order. Say which of them this is, from 1."
        )
    if not left >> (go.part - 1) & 1:
        return Violation(rule, f"Part {go.part} of {usage.name} is played already. Take another one.")
    first = usage.parts.index(usage.parts[go.part - 1])
    part = usage.parts[go.part - 1]
    alike = [place for place in range(first, go.part - 1) if usage.parts[place] == part and left >> place & 1]
    if alike:
        return Violation(rule, f"Parts {alike[0] + 1} and {go.part} are alike. Call it part {alike[0] + 1}.")
    return part


def _at_hand(usage: Usage, left: int, ends: Ends) -> Part:
    """Returns the part that comes next in the printed order; where either of two does, and the space fits none, both in
    one.
    """
    part = usage.parts[usage.place_of(left, 0, ends.space)]
    if part.allowed >> ends.space & 1:
        return part
    allowed = 0
    for place in bits(usage.at_hand(left)):
        allowed |= usage.parts[place].allowed
    return part._replace(allowed=allowed)


def _way(situation: Situation, ends: Ends, usage: Usage, part: Part, left: int) -> tuple[Violation, ...]:
    """Returns the violations of every way from start to end."""
    walk = dict(situation.walked).get(ends.origin)
    needs = 0 if starts_in_intermediate(ends.origin) else part.needs
    tried = Try(
        situation.ground, ends.origin, ends.space, usage.open, part.allowed, needs, None if walk == FREE else walk
    )
    counts = tuple(range(1, left + 1)) if usage.plain else (part.spaces,)
    spaces = spaces_taken(tried)
    if spaces is None or spaces > counts[-1]:
        fault = _entry(tried, counts) or fault_of(tried, counts)
        if fault is not None:
            return (_breach(_by_steps(fault, tried, counts), ends, usage, part),)
    if spaces is not None:
        near = (_breach("near", ends, usage, part),) if arrives(tried, counts, "near") else ()
        return (_wrong_count(situation.ground, ends, usage, part, spaces, left), *near)
    found = two_faults_of(tried, counts)
    if not found and not part.allowed >> ends.space & 1:
        found = ("part",)
    return tuple(_breach(_by_steps(one, tried, counts), ends, usage, part) for one in found) or (
        _nowhere(ends, usage, part),
    )


def _entry(tried: Try, counts: tuple[int, ...]) -> Fault | None:
    """Returns the fault of a pawn from stock on an intermediate if it can only have entered there (BRD-15)."""
    if tried.origin >= STOCK and INTERMEDIATE >> tried.space & 1 and arrives(tried, counts, "entry"):
        return "entry"
    return None


def _by_steps(fault: Fault, tried: Try, counts: tuple[int, ...]) -> Fault | Literal["stepped"]:
    """Distinguishes steps that leave the open paths (BRD-14) from a way that needs a jump (BRD-21)."""
    if fault != "closed":
        return fault
    steps = tried._replace(ground=tried.ground._replace(jumpable=0))
    return "stepped" if arrives(steps, counts, "closed") else "closed"


def _wrong_count(ground: Ground, ends: Ends, usage: Usage, part: Part, spaces: int, left: int) -> Violation:
    spot = SPOTS[ends.space]
    took = f"The way from {where(ends.origin)} to {NAMES[ends.space]} takes {_spaces(spaces)}"
    if usage.plain:
        rule = "BRD-22" if spaces == 2 and _is_jump(ground, ends, usage) else "BRD-17"
        return Violation(
            rule, f"{took}, and {_spaces(left)} of the roll {_are(left)} left. Put the pawn back.", (spot,)
        )
    if STARS >> ends.space & 1:
        text = f"{took}, and a star is taken by the exact number: this part has {_spaces(part.spaces)}."
        return Violation("BRD-26", f"{text} Put the pawn back.", (spot,))
    text = f"{took}, and this part is {_spaces(part.spaces)} at once, no more and no less. Put the pawn back."
    return Violation("VAR-8" if usage.rule == "VAR-8" else "BRD-18", text, (spot,))


def _is_jump(ground: Ground, ends: Ends, usage: Usage) -> bool:
    """True if a plain move of two spaces must have been a jump, because no empty space lies between."""
    if ends.origin >= STOCK:
        return not SIDE[ends.space] & STARTS & usage.open & ground.way
    return not STEP[ends.origin] & SIDE[ends.space] & usage.open & ground.way


def _breach(fault: Fault | Literal["stepped"], ends: Ends, usage: Usage, part: Part) -> Violation:
    spot, name = (SPOTS[ends.space],), NAMES[ends.space]
    way = f"The way from {where(ends.origin)} to {name}"
    match fault:
        case "two":
            text = "This pawn has made another part of the roll in the same color; both together must show two colors."
            return Violation("BRD-19", f"{text} Put it back.", spot)
        case "needs":
            text = "This part starts in an intermediate or enters one, and the way touches none. Put the pawn back."
            return Violation(usage.rule, text, spot)
        case "own":
            return Violation(
                "BRD-20", f"{way} jumps an own pawn; only opposing pawns may be jumped. Put it back.", spot
            )
        case "point":
            text = f"{way} jumps a pawn that only touches by a point; a jump needs a full side. Put it back."
            return Violation("BRD-37", text, spot)
        case "near":
            text = f"{name} shares a full side with the start, and a jump does not land there. Put the pawn back."
            return Violation("BRD-20", text, spot)
        case "blocked":
            text = f"{way} leads over a space with a pawn on it, which can only be jumped. Put the pawn back."
            return Violation("BRD-18" if not usage.plain else "BRD-16", text, spot)
        case "part":
            text = f"{way} enters a color that this part does not allow: it allows {listed(part.colors)}."
            return Violation(usage.rule, f"{text} Put the pawn back.", spot)
        case "closed" | "stepped":
            opened = listed(usage.colors)
            rule = "BRD-21" if fault == "closed" else "BRD-14"
            return Violation(rule, f"{way} leaves the open paths: {opened}. Put the pawn back.", spot)
        case "entry":
            return Violation("BRD-15", "A pawn enters on space 1 of an open primary, never of an intermediate.", spot)
        case "star":
            return Violation("BRD-26", f"{way} passes a star, where every move ends. Put the pawn back.", spot)
        case "stars":
            return Violation("BRD-4", "A star shares no side with other stars. Put the pawn back.", spot)
        case "nothing":
            return Violation("BRD-20", f"{way} jumps over a space without a pawn. Put the pawn back.", spot)


def _nowhere(ends: Ends, usage: Usage, part: Part) -> Violation:
    spot, name = SPOTS[ends.space], NAMES[ends.space]
    if ends.origin >= STOCK:
        text = f"A pawn enters on space 1 of an open primary, so it cannot come to {name} now. Put it back."
        return Violation("BRD-15", text, (spot,))
    text = f"No way of {_spaces(part.spaces)} leads from {where(ends.origin)} to {name}. Put the pawn back."
    if STARS >> ends.space & 1:
        return Violation("BRD-26", text, (spot,))
    return Violation("BRD-17" if usage.plain else "BRD-18", text, (spot,))


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count} spaces"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def listed(words: tuple[str, ...]) -> str:
    """Returns words as a list with commas and an "and"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
