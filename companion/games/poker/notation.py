"""Events as one line of text that means the same in every position, and back.

`player 1 exchanges R3, ??`, `player 1 exchanges nothing`, `player 1 turns up`, `player 1 turns up full house` and
`player 1 folds`; drawn and shown cards are read by `deck_events`.
"""

from __future__ import annotations

from companion.core.contract import Drawn, Shown
from companion.core.foundation.errors import BadNotation
from companion.games.poker.categories import BY_TITLE
from companion.games.poker.moves import FOLDS, MOST_PLAYERS, TURN_UPS, Exchange, PokerEvent, TurnUp
from companion.games.shared.cards import deck_events
from companion.games.shared.forms.player_lines import PlayerLines


def text(event: PokerEvent) -> str:
    """The event as a line.

    :raises BadEvent: it names a card that the game does not have.
    """
    if isinstance(event, Drawn | Shown):
        return deck_events.text_of(event)
    who = f"player {event.seat + 1}"
    match event:
        case Exchange():
            return f"{who} exchanges {', '.join(map(deck_events.code_of, event.cards)) or 'nothing'}"
        case TurnUp():
            return f"{who} turns up" + ("" if event.called is None else f" {event.called}")
    return f"{who} folds"


def check(event: PokerEvent) -> PokerEvent:
    """The event itself.

    :raises BadNotation: it names a category that there is not.
    """
    if isinstance(event, TurnUp) and event.called is not None and event.called not in BY_TITLE:
        raise BadNotation(f'"{event.called}" is no category. Write one of: {", ".join(BY_TITLE)}.')
    return event


_LINES: PlayerLines[PokerEvent] = PlayerLines(
    "Poker",
    MOST_PLAYERS,
    {
        "folds": lambda seat, found: FOLDS[seat],
        "turns up": lambda seat, found: TURN_UPS[seat],
        "turns up (.+)": lambda seat, found: check(TurnUp(seat, found[1])),
        "exchanges nothing": lambda seat, found: Exchange(seat, ()),
        "exchanges (.+)": lambda seat, found: Exchange(seat, deck_events.cards_in(found[1])),
    },
    'Write "player 1 exchanges R3, ??", "player 1 turns up", "player 1 turns up full house", "player 1 folds" or'
    ' "player 1 draws R7, ??".',
    deck_events.read,
)

parse = _LINES.parse
