"""One line for each event, the same in every position, and back.

`B9 on pile 3` moves a card and what lies on it, `B9 home` puts it on its foundation; `turn`, `turn over`, `concede`,
and `turned up B9, GB8` for cards that became known, are the others. Capitals do not matter.
"""

from __future__ import annotations

import re

from companion.contract import Drawn
from companion.errors import BadNotation
from companion.games.deck import PIECES, numbers_of
from companion.games.deck_events import code_of, named_card
from companion.games.solitaire import moves
from companion.games.solitaire.moves import PILES, SolitaireEvent

_PUT = re.compile(r"(.+?) (?:on|to) pile (\d{1,2})")
_HOME = re.compile(r"(.+?) home")
_TOLD = re.compile(r"(?:turned up|player 1 draws) (.+)")
_WORDS: dict[str, SolitaireEvent] = {"turn": moves.TURN, "turn over": moves.TURN_OVER, "concede": moves.CONCEDE}
_FORMS = "Write: B9 on pile 3, B9 home, turn, turn over, concede, or turned up B9, GB8."


def text_of(event: SolitaireEvent) -> str:
    """The line for an event.

    :raises BadEvent: it names a card that the deck does not have.
    """
    match event:
        case moves.Put():
            return f"{code_of(event.card)} on pile {event.pile + 1}"
        case moves.Home():
            return f"{code_of(event.card)} home"
        case Drawn():
            return f"turned up {', '.join(map(code_of, event.pieces))}"
    return next(words for words, one in _WORDS.items() if one == event)


def read(text: str) -> SolitaireEvent:
    """The event that a line names, legal or not.

    :raises BadNotation: no event reads so.
    """
    line = " ".join(text.lower().split())
    if line in _WORDS:
        return _WORDS[line]
    if told := _TOLD.fullmatch(line):
        return Drawn(0, tuple(None if number is None else PIECES[number] for number in numbers_of(told[1])))
    if put := _PUT.fullmatch(line):
        pile = int(put[2])
        if not 1 <= pile <= PILES:
            raise BadNotation(f'"{text}" names pile {pile}; the piles are 1 to {PILES}.')
        return moves.Put(named_card(put[1]), pile - 1)
    if home := _HOME.fullmatch(line):
        return moves.Home(named_card(home[1]))
    raise BadNotation(f'"{text}" is no event of Solitaire. {_FORMS}')
