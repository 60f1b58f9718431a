"""Explains why an event is not allowed: the rule's number, what the table shows, and what to do.

Each function lists all broken rules, the most important one first.
"""

from __future__ import annotations

from companion.core.contract import Drawn, Violation
from companion.core.pieces import Piece, Pyramid, Rock, a_color
from companion.games.ice_stalks.growth import (
    EACH,
    KIND,
    LARGE,
    RAINBOW,
    ROCKS_SPOT,
    SIZES,
    SMALL,
    STALKS_SPOT,
    Stalk,
    StalkShape,
    completable,
    describe,
    name,
    shape,
    stalk_of,
    steps,
)
from companion.games.ice_stalks.moves import IceStalksEvent, Pass, PlacePiece, Take
from companion.games.ice_stalks.situation import UNKNOWN, Situation

_BACK = "Take it back, or correct what was misread."
_HERE = (STALKS_SPOT,)


def violations_of(situation: Situation, event: IceStalksEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    if situation.is_over:
        return (Violation("ICE-17", "The game is over: all rocks are drawn and the last piece is placed."),)
    match event:
        case Drawn():
            return _of_drawn(situation, event)
        case PlacePiece():
            return _of_place(situation, event)
        case Take():
            return _of_take(situation, event)
        case Pass():
            return _of_pass(situation, event)
    return (
        Violation(
            "ICE-4", f"{type(event).__name__} is no event of Ice Stalks: a turn draws a rock and places a piece."
        ),
    )


def _out_of_turn(situation: Situation, seat: int) -> tuple[Violation, ...]:
    if seat == situation.turn:
        return ()
    text = f"It is player {situation.turn + 1}'s turn; turns go clockwise, and player {seat + 1} waits."
    return (Violation("ICE-21", text),)


def color_of(piece: Piece | None) -> str | None:
    """Returns the color of a drawn rock, `UNKNOWN` if the referee has not seen it, None if the set has no such rock."""
    if piece is None:
        return UNKNOWN
    return piece.color if isinstance(piece, Rock) and piece.color in RAINBOW else None


def impossible_draw(situation: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    """Returns the reasons why this rock cannot have come from the bag now; empty if it can."""
    where = (ROCKS_SPOT,)
    if len(drawn.pieces) != 1:
        return (Violation("ICE-4", f"A turn draws one rock, not {len(drawn.pieces)}. Say which one it was.", where),)
    color = color_of(drawn.pieces[0])
    if color is None:
        return (Violation("ICE-2", "The bag holds no such rock. Say which color was drawn.", where),)
    if color != UNKNOWN and not situation.rocks[RAINBOW.index(color)]:
        text = f"All {EACH} {color} rocks are out of the bag. Correct what was misread."
        return (Violation("ICE-2", text, where),)
    if situation.hand is not None:
        held = "a rock" if situation.hand == UNKNOWN else f"{a_color(situation.hand)} rock"
        return (Violation("ICE-4", f"Player {situation.turn + 1} holds {held} already. Place a piece for it.", where),)
    return ()


def _of_drawn(situation: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    found = (*_out_of_turn(situation, drawn.seat), *impossible_draw(situation, drawn))
    return (*_standing(situation), *found)


def _standing(situation: Situation) -> tuple[Violation, ...]:
    if situation.done is None:
        return ()
    text = f"The completed stalk ({describe(situation.done)}) still stands. Player {situation.turn + 1} takes it first."
    return (Violation("ICE-16", text, _HERE),)


def _of_pass(situation: Situation, event: Pass) -> tuple[Violation, ...]:
    late = (*_standing(situation), *_out_of_turn(situation, event.seat))
    if situation.hand is None and situation.done is None:
        return (*late, Violation("ICE-4", "No rock was drawn. Draw one, then place a piece of its color."))
    if late or isinstance(situation.moves[0], Pass):
        return late
    return (Violation("ICE-22", "A piece can be placed, so one must be placed. Place it.", _HERE),)


def _of_take(situation: Situation, take: Take) -> tuple[Violation, ...]:
    if situation.done is None:
        return (Violation("ICE-16", "No completed stalk stands on the table. Only completed stalks are taken.", _HERE),)
    if take.seat == situation.turn:
        return ()
    text = (
        f"Player {situation.turn + 1} placed the small and takes the stalk, not player {take.seat + 1}. "
        "Move it to that player's side."
    )
    return (Violation("ICE-16", text, _HERE),)


def _of_place(situation: Situation, place: PlacePiece) -> tuple[Violation, ...]:
    kind = KIND.get(place.piece)
    if kind is None or any(piece not in KIND for piece in place.on):
        return (Violation("ICE-2", "The set has no such piece. Correct what was misread.", _HERE),)
    found = [*_standing(situation), *_out_of_turn(situation, place.seat)]
    if situation.hand is None and situation.done is None:
        found.append(_without_rock(situation, place.piece.color))
    elif situation.hand not in (None, UNKNOWN, place.piece.color):
        text = f"The rock is {situation.hand}, so only {situation.hand} pieces may be placed. {_BACK}"
        found.append(Violation("ICE-5", text, _HERE))
    elif situation.hand == UNKNOWN and not situation.rocks[RAINBOW.index(place.piece.color)]:
        text = f"All {EACH} {place.piece.color} rocks were drawn before, so the rock has another color. {_BACK}"
        found.append(Violation("ICE-5", text, _HERE))
    if situation.left[kind] <= 0:
        text = f"All {EACH} {name(place.piece)} pieces were placed before. Correct what was misread."
        found.append(Violation("ICE-2", text, _HERE))
    if not place.on:
        found += _of_base(situation, place.piece)
    elif stalk_of(place.on) not in situation.stalks:
        text = f"No such stalk grows on the table: {describe(stalk_of(place.on))}. Correct what was misread."
        found.append(Violation("ICE-5", text, _HERE))
    else:
        found += of_growth(situation, stalk_of(place.on), place.piece)
    return tuple(found)


def _without_rock(situation: Situation, color: str) -> Violation:
    """Returns the reasons why a piece may not be placed while no rock is in the hand."""
    if not situation.rocks[RAINBOW.index(color)]:
        text = f"All {EACH} {color} rocks were drawn before, so no {color} piece may follow. {_BACK}"
        return Violation("ICE-5", text, _HERE)
    text = "No rock was drawn for this piece. Draw a rock first; its color says which piece to place."
    return Violation("ICE-4", text, _HERE)


def _of_base(situation: Situation, piece: Pyramid) -> tuple[Violation, ...]:
    color, size = divmod(KIND[piece], 3)
    found = []
    if size != LARGE:
        found.append(Violation("ICE-5", f"A base is a large; {name(piece)} stands alone. {_BACK}", _HERE))
    if color in situation.drawable:
        additions = situation.additions(color)
        if additions:
            stalk, kind = additions[0]
            text = (
                f"{a_color(piece.color).capitalize()} piece can be added, so no base may be placed: "
                f"{piece.color} {SIZES[kind % 3]} fits on {describe(stalk)}. {_BACK}"
            )
            found.append(Violation("ICE-6", text, _HERE))
    return tuple(found)


def of_growth(situation: Situation, stalk: Stalk, piece: Pyramid) -> tuple[Violation, ...]:
    """Returns the violations of a piece on a stalk: its color, its size, or that no piece could follow (ICE-7 to
    ICE-12).
    """
    now = shape(stalk)
    color, size = divmod(KIND[piece], 3)
    for kind, after in steps(now):
        if kind == KIND[piece]:
            if size == SMALL or completable(after, situation.stock(color)):
                return ()
            return (Violation("ICE-12", f"{_dead(situation, after)} {_BACK}", _HERE),)
    return tuple(Violation(rule, f"{text} {_BACK}", _HERE) for rule, text in misfits(now, piece))


def misfits(now: StalkShape, piece: Pyramid) -> tuple[tuple[str, str], ...]:
    """Returns the rules and reasons why a piece does not fit on a stalk by its color and its size (ICE-7 to ICE-11)."""
    color, size = divmod(KIND[piece], 3)
    if any(kind == KIND[piece] for kind, _ in steps(now)):
        return ()
    return (*_color(now, color), *_size(now, color, size))


def _color(now: StalkShape, color: int) -> tuple[tuple[str, str], ...]:
    """Returns the rule and the reason if the color may not follow, whatever the size of the piece."""
    here, there = RAINBOW[now.color], RAINBOW[color]
    step = color - now.color
    if now.way == "none":
        return (("ICE-9", "This stalk stands by agreement; it is neither solid nor rainbow, so nothing fits on it."),)
    if now.way == "base" and abs(step) > 1:
        if {now.color, color} == {0, len(RAINBOW) - 1}:
            return (("ICE-3", "Purple and red are the two ends of the rainbow and not neighbors."),)
        return (("ICE-7", f"On {a_color(here)} base goes {here} or a neighboring color, not {there}."),)
    if now.way == "solid" and step != 0:
        return (("ICE-10", f"This stalk is solid {here}; {there} does not go on it."),)
    if now.way in ("up", "down") and step != (1 if now.way == "up" else -1):
        onward = now.color + (1 if now.way == "up" else -1)
        wanted = f"only {RAINBOW[onward]} may follow" if 0 <= onward < len(RAINBOW) else "nothing follows"
        end = "purple" if now.way == "up" else "red"
        return (("ICE-11", f"This rainbow runs toward {end}: after {here} {wanted}, not {there}."),)
    return ()


def _size(now: StalkShape, color: int, size: int) -> tuple[tuple[str, str], ...]:
    """Returns the rule and the reason if the size may not follow on the piece below."""
    below, above = SIZES[now.size], SIZES[size]
    if now.size == SMALL:
        return (("ICE-8", "Nothing goes on a small."),)
    if color == now.color and size != now.size + 1:
        rule = "ICE-10" if now.way == "solid" else "ICE-8"
        return ((rule, f"A piece of the same color must be exactly one size smaller: {above} does not go on {below}."),)
    if color != now.color and size not in (now.size, now.size + 1):
        return (
            (
                "ICE-8",
                f"A neighboring color must have the same size or be one size smaller: {above} on {below} is neither.",
            ),
        )
    return ()


def _dead(situation: Situation, after: StalkShape) -> str:
    """Returns the reasons why a stalk with this top could never be completed."""
    here = RAINBOW[after.color]
    if after.way == "solid":
        return f"The stalk could never be completed: no {here} rock is left for the small."
    step = 1 if after.way == "up" else -1
    needed = 1 if after.size == SMALL - 1 else 2
    rocks = situation.stock(after.color).rocks
    for distance in range(1, needed + 1):
        color = after.color + step * distance
        if not 0 <= color < len(RAINBOW):
            last = RAINBOW[color - step]
            return f"The stalk could never be completed: nothing follows {last}, and a small would have to come later."
        if not rocks[color]:
            return f"The stalk could never be completed: no {RAINBOW[color]} rock is left, and that color must follow."
    return "The stalk could never be completed: the pieces that would have to follow are all placed."
