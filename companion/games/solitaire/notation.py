"""One line for each event, the same in every position, and back.

`B9 on pile 3` moves a card and what lies on it, `B9 home` puts it on its foundation; `turn`, `turn over`, `concede`,
and `turned up B9, GB8` for cards that became known, are the others. Capitals do not matter.
"""

from __future__ import annotations

import re

from companion.core.contract import Drawn, Seat
from companion.core.foundation.errors import BadNotation
from companion.games.shared.cards.deck_events import code_of, named_card, pieces_in
from companion.games.shared.forms.player_lines import PlayerLines
from companion.games.solitaire.moves import CONCEDE, PILES, TURN, TURN_OVER, Home, Put, SolitaireEvent

_WORDS = {"turn": TURN, "turn over": TURN_OVER, "concede": CONCEDE}


def text_of(event: SolitaireEvent) -> str:
    """The line for an event.

    :raises BadEvent: it names a card that the deck does not have.
    """
    match event:
        case Put():
            return f"{code_of(event.card)} on pile {event.pile + 1}"
        case Home():
            return f"{code_of(event.card)} home"
        case Drawn():
            return f"turned up {', '.join(map(code_of, event.pieces))}"
    return next(words for words, one in _WORDS.items() if one == event)


def _put(seat: Seat, found: re.Match[str]) -> Put:
    pile = int(found[2])
    if not 1 <= pile <= PILES:
        raise BadNotation(f'"{found[0]}" names pile {pile}; the piles are 1 to {PILES}.')
    return Put(named_card(found[1]), pile - 1)


_LINES: PlayerLines[SolitaireEvent] = PlayerLines(
    "Solitaire",
    1,
    {
        "turn|turn over|concede": lambda seat, found: _WORDS[found[0]],
        "(?:turned up|draws) (.+)": lambda seat, found: Drawn(seat, pieces_in(found[1])),
        r"(.+?) (?:on|to) pile (\d{1,2})": _put,
        "(.+?) home": lambda seat, found: Home(named_card(found[1])),
    },
    "Write: B9 on pile 3, B9 home, turn, turn over, concede, or turned up B9, GB8.",
)

parse = _LINES.parse
