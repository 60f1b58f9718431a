"""Writes and reads events as one line of text that means the same in every position.

Players are counted from 1. Spaces are "R4", cards "R3", usages "red + red" or "R1 + R2".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from companion.core.contract import Drawn, Rolled, Shown
from companion.core.foundation.errors import AmbiguousMove, BadNotation
from companion.core.pieces import PRIMARIES, WHEEL, Card, Piece
from companion.games.shared import color_dice
from companion.games.shared.cards.deck import LETTERS, NUMBER, PIECES, color_of, number_of, numbers_of, written
from companion.games.spectrum import moves
from companion.games.spectrum.board import name_of, spot_named
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.usages import named
from companion.games.spectrum.violations import meant

_COLOR = "|".join(sorted(WHEEL, key=len, reverse=True))
_LETTERS = "|".join(sorted((letters.lower() for letters in LETTERS), key=len, reverse=True))
_SPOT = rf"(?:(?:{_COLOR})[. ]|(?:{_LETTERS}))[1-9]"
_PAWN = "|".join(PRIMARIES)
_LINE = re.compile(r"player ([1-6]) (.+)")
_MEANT = (
    'Write, for example, "rolled d6 red blue", "player 1 uses red + red", "player 1 moves R4 to R5", '
    '"player 1 moves red stock to B1" or "player 1 puts blue on G1".'
)


def text(event: moves.SpectrumEvent) -> str:
    """Returns the event as a line: "player 1 moves R4 to R5".

    Raises:
        BadNotation: It names a card that the deck does not have.
    """
    check(event)
    if isinstance(event, Rolled):
        return f"rolled {color_dice.text(event.faces)}"
    return f"player {event.seat + 1} {_did(event)}"


def _did(event: moves.SpectrumEvent) -> str:
    match event:
        case moves.Declare():
            return f"uses {event.usage}"
        case moves.Go():
            part = f" as part {event.part}" if event.part else ""
            return (
                f"moves {name_of(event.pawn)} to {name_of(event.to)}{part}{' in one color' if event.one_color else ''}"
            )
        case moves.PlacePawn():
            return f"puts {event.pawn} on {name_of(event.to)}"
        case moves.TakeOff():
            return f"takes {name_of(event.pawn)} off"
        case moves.Swap():
            return f"swaps {name_of(event.one)} and {name_of(event.other)}"
        case moves.Pick():
            return f"picks {event.one} and {event.other}"
        case moves.Activate():
            return f"activates {written((NUMBER[event.card],))}"
        case moves.Send():
            return f"sends to {written((NUMBER[event.card],))}"
        case Drawn() | Shown():
            verb = "draws" if isinstance(event, Drawn) else "shows"
            return f"{verb} {written(None if piece is None else NUMBER[piece] for piece in event.pieces)}"
    return _PLAIN[type(event)]


_PLAIN: dict[type, str] = {
    moves.Pass: "cannot move",
    moves.Roll: "goes on to the roll",
    moves.Surrender: "surrenders a pawn",
    moves.Fulfil: "declares the missions",
    moves.EndTurn: "ends the turn",
}
_PLAIN_EVENTS: dict[str, Callable[[int], moves.SpectrumEvent]] = {words: kind for kind, words in _PLAIN.items()}

_FORMS: tuple[tuple[re.Pattern[str], Callable[[int, re.Match[str]], moves.SpectrumEvent]], ...] = (
    (
        re.compile(
            rf"moves (?P<pawn>{_SPOT}|(?:{_PAWN}) stock) to (?P<to>{_SPOT})(?: as part (?P<part>[1-4]))?"
            r"(?P<one> in one color)?"
        ),
        lambda seat, m: moves.Go(seat, spot_named(m["pawn"]), spot_named(m["to"]), int(m["part"] or 0), bool(m["one"])),
    ),
    (
        re.compile(rf"puts (?P<pawn>{_PAWN}) on (?P<to>{_SPOT})"),
        lambda seat, m: moves.PlacePawn(seat, m["pawn"], spot_named(m["to"])),
    ),
    (re.compile(rf"takes (?P<pawn>{_SPOT}) off"), lambda seat, m: moves.TakeOff(seat, spot_named(m["pawn"]))),
    (
        re.compile(rf"swaps ({_SPOT}) and ({_SPOT})"),
        lambda seat, m: moves.Swap(seat, spot_named(m[1]), spot_named(m[2])),
    ),
    (re.compile(rf"picks ({_COLOR}) and ({_COLOR})"), lambda seat, m: moves.Pick(seat, m[1], m[2])),
    (re.compile(r"activates (.+)"), lambda seat, m: moves.Activate(seat, card_named(m[1]))),
    (re.compile(r"sends to (.+)"), lambda seat, m: moves.Send(seat, card_named(m[1]))),
    (re.compile(r"draws (.+)"), lambda seat, m: Drawn(seat, _pieces(m[1]))),
    (
        re.compile(r"shows (.+)"),
        lambda seat, m: Shown(seat, tuple(piece for piece in _pieces(m[1]) if piece is not None)),
    ),
)


def check(event: moves.SpectrumEvent) -> moves.SpectrumEvent:
    """Returns the event itself.

    Raises:
        BadNotation: It names a card that the deck does not have.
    """
    pieces: tuple[Piece | None, ...] = ()
    if isinstance(event, Drawn | Shown):
        pieces = event.pieces
    elif isinstance(event, moves.Activate | moves.Send):
        pieces = (event.card,)
    for piece in pieces:
        if piece is not None and piece not in NUMBER:
            raise BadNotation(
                f"This is not an event of Spectrum: {piece} is no card of the deck. Name one, such as R3."
            )
    return event


def card_named(words: str) -> Card:
    """Returns the number card that a text names.

    Raises:
        BadNotation: It is none.
    """
    piece = PIECES[number_of(words)]
    if not isinstance(piece, Card):
        raise BadNotation(f'"{words}" is no card with a number. Write a color and a number, such as R3.')
    return piece


def _pieces(words: str) -> tuple[Card | None, ...]:
    found = [None if number is None else PIECES[number] for number in numbers_of(words)]
    return tuple(found)  # type: ignore[arg-type]


def usage_named(words: str) -> str:
    """Returns the name of a usage from words: dice in the order of the wheel, cards as their codes.

    Raises:
        BadNotation: It names neither dice nor cards.
    """
    parts = moves.declared(words.lower()).split(" + ")
    if all(part in WHEEL for part in parts):
        return " + ".join(sorted(parts, key=WHEEL.index))
    played = []
    for part in parts:
        card, _, color = part.partition(" as ")
        played.append((number_of(card), color_of(color) if color else None))
    return named(played)


def parse(state: SpectrumState, line: str) -> moves.SpectrumEvent:
    """Returns the event that a line names, legal or not.

    Where parts may be taken in any order, the part may be left out if it can only be one.

    Raises:
        BadNotation: No event of Spectrum reads so.
        AmbiguousMove: The move may be several parts.
    """
    wanted = " ".join(line.split())
    if wanted.lower().startswith("rolled "):
        return Rolled(color_dice.parse(wanted[len("rolled ") :].lower()))
    whole = _LINE.fullmatch(wanted.lower())
    if whole is None:
        raise BadNotation(f'"{line}" is no event of Spectrum. {_MEANT}')
    seat, rest = int(whole[1]) - 1, whole[2]
    if rest in _PLAIN_EVENTS:
        return _PLAIN_EVENTS[rest](seat)
    if rest.startswith("uses "):
        return moves.Declare(seat, usage_named(rest[len("uses ") :]))
    for form, event in _FORMS:
        found = form.fullmatch(rest)
        if found is not None:
            made = event(seat, found)
            return _with_part(state, made) if isinstance(made, moves.Go) and not made.part else made
    raise BadNotation(f'"{line}" is no event of Spectrum. {_MEANT}')


def _with_part(state: SpectrumState, go: moves.Go) -> moves.Go:
    """Returns the move with its part if only one part is possible."""
    possible = [
        move
        for move in state.moves
        if isinstance(move, moves.Go)
        and (move.seat, move.pawn, move.to, move.one_color) == (go.seat, go.pawn, go.to, go.one_color)
    ]
    if len(possible) > 1:
        parts = " or ".join(f'"as part {move.part}"' for move in possible)
        raise AmbiguousMove(f"{name_of(go.pawn)} to {name_of(go.to)} may be several parts. Add {parts}.")
    return possible[0] if possible else meant(state, go, state.moves)
