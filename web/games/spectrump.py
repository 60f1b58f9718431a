"""How Spectrump looks on the page.

Places: "trick0" to "trick7" for the cards of the trick by seat, "last" for the trick before, "seat0.won".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Event, seats_to_move
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import CODES, LETTERS, NUMBER
from companion.games.spectrump.game import SPECTRUMP
from companion.games.spectrump.moves import Play
from companion.games.spectrump.trick import SCORING
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace


class SpectrumpPresenter(CardPresenter):
    """The trick with who played what, the one before, and the players."""

    game = SPECTRUMP
    example = "player 1 bids blue 4; player 1 passes; player 1 plays R7; player 1 swaps R7 for B3; player 1 is ready"

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """The trump, the trick in the order of play, the trick before, and by seat bids, cards and tricks."""
        movers = seats_to_move(state.expects())
        bands = [[CardPlace("trump", trump_words(state), form="line")]]
        if state.trick:
            bands += _trick(state, names)
        elif state.phase == "play":
            bands.append([CardPlace("trick", "Trick", empty="nobody has led yet")])
        if state.last and any(state.won):
            led = f"{names[state.last_leader]} led"
            bands.append([CardPlace("last", "The trick before", cards_of(state.last), note=led, size="small")])
        return [*bands, *([_player(state, seat, names[seat], seat in movers)] for seat in range(state.seats))]

    def trace(self, event: Event) -> Spot | None:
        """A card where it was played."""
        return f"trick{event.seat}.{CODES[NUMBER[event.card]]}" if isinstance(event, Play) else None


def trump_words(state: Any) -> str:
    """Trump and the letters of scoring colors, the stronger first; the highest bid during the bidding."""
    if state.bid is None:
        return "No bid yet"
    if state.phase == "bid":
        return f"Highest bid: {state.bid.color} {state.bid.number}"
    stronger, weaker = SCORING[state.trump]
    return f"Trump {WHEEL[state.trump]} costs; {LETTERS[stronger]}, then {LETTERS[weaker]} score"


def _trick(state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
    places = []
    for at, card in enumerate(state.trick):
        seat = (state.leader + at) % state.seats
        title = f"{names[seat]}{' leads' if at == 0 else ''}"
        places.append(CardPlace(f"trick{seat}", title, cards_of([card]), span=3))
    return [places[at : at + 4] for at in range(0, len(places), 4)]


def _player(state: Any, seat: int, name: str, to_move: bool) -> CardPlace:
    sets = [len(cards) + hidden for cards, hidden in zip(state.sets[seat], state.hidden[seat], strict=True)]
    parts = [f"holds {' + '.join(map(str, sets))}"]
    if state.phase == "bid" and state.passed >> seat & 1:
        parts.append("has passed")
    if state.bid is not None and state.bid.seat == seat:
        parts.append(f"bids {state.bid.color} {state.bid.number}")
    if state.won[seat]:
        parts.append(f"won {len(state.won[seat])} cards")
    return CardPlace(f"seat{seat}.won", name, note=", ".join(parts), form="line", strong=to_move)
