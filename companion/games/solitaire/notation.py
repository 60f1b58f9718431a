"""One line for each event, the same in every position, and back.

`B9 on pile 3` moves a card and what lies on it, `B9 home` puts it on its foundation; `turn`, `turn over`, `concede`,
and `turned up B9, GB8` for cards that became known, are the others. Capitals do not matter.
"""

from __future__ import annotations

import re

from companion.contract import Drawn
from companion.errors import BadNotation
from companion.games.deck import NUMBER_CARDS, PIECES, number_of, numbers_of
from companion.games.deck_events import code_of
from companion.games.solitaire.moves import (
    CONCEDE,
    HOMES,
    PILES,
    PUTS,
    TURN,
    TURN_OVER,
    Concede,
    Home,
    Put,
    SolitaireEvent,
    Turn,
    TurnOver,
)

_PUT = re.compile(r"(?P<card>.+?) (?:ON|TO) PILE (?P<pile>\d{1,2})")
_HOME = re.compile(r"(?P<card>.+?) HOME")
_TOLD = re.compile(r"(?:TURNED UP|PLAYER 1 DRAWS) (?P<cards>.+)")
_WORDS: dict[str, SolitaireEvent] = {"TURN": TURN, "TURN OVER": TURN_OVER, "CONCEDE": CONCEDE}
_FORMS = "Write: B9 on pile 3, B9 home, turn, turn over, concede, or turned up B9, GB8."


def text_of(event: SolitaireEvent) -> str:
    """The line for an event.

    :raises BadEvent: it names a card that the deck does not have.
    """
    match event:
        case Put():
            return f"{code_of(event.card)} on pile {event.pile + 1}"
        case Home():
            return f"{code_of(event.card)} home"
        case Turn():
            return "turn"
        case TurnOver():
            return "turn over"
        case Concede():
            return "concede"
        case Drawn():
            return f"turned up {', '.join(map(code_of, event.pieces))}"


def _number_card(text: str) -> int:
    number = number_of(text)
    if number >= NUMBER_CARDS:
        raise BadNotation(f'"{text}" is a special. Solitaire is played with number cards alone (DEK-4).')
    return number


def read(text: str) -> SolitaireEvent:
    """The event that a line names, legal or not.

    :raises BadNotation: no event reads so.
    """
    line = " ".join(text.upper().split())
    if line in _WORDS:
        return _WORDS[line]
    told = _TOLD.fullmatch(line)
    if told is not None:
        return Drawn(0, tuple(None if number is None else PIECES[number] for number in numbers_of(told["cards"])))
    put = _PUT.fullmatch(line)
    if put is not None:
        pile = int(put["pile"])
        if not 1 <= pile <= PILES:
            raise BadNotation(f'"{text}" names pile {pile}; the piles are 1 to {PILES}.')
        return PUTS[pile - 1][_number_card(put["card"])]
    home = _HOME.fullmatch(line)
    if home is not None:
        return HOMES[_number_card(home["card"])]
    raise BadNotation(f'"{text}" is no event of Solitaire. {_FORMS}')
