"""How Solitaire looks on the page.

Places: "pile1" to "pile12", "stock", "waste", "foundation1" to "foundation12" in the order of the wheel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Event
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import CODES, COLOR, LETTERS, NUMBER, PIECES, RANKS
from companion.games.solitaire.game import SOLITAIRE
from companion.games.solitaire.moves import Concede, Home, Put, Turn, TurnOver
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace

SHOWN = 3
"""So many cards of the waste are shown, the playable one last."""


class SolitairePresenter(CardPresenter):
    """Stock and waste, the foundations, the twelve piles."""

    game = SOLITAIRE
    example = "B9 on pile 3; B9 home; turn; turn over; concede; turned up B9, GB8"

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """Stock and waste above, then foundations, then piles."""
        left = len(state.stock)
        passes = f"pass {state.passes}" + (f" of {state.options.max_passes}" if state.options.max_passes else "")
        stock = CardPlace(
            "stock", "Stock", (None,) if left else (), form="pile", count=left, span=3, empty="stock is empty"
        )
        waste = CardPlace(
            "waste",
            "Waste",
            cards_of(state.waste[-SHOWN:]),
            note=f"{len(state.waste)} cards, {passes}",
            span=9,
            empty="no card",
        )
        home = [
            CardPlace(
                f"foundation{color + 1}",
                LETTERS[color],
                _top(color, rank),
                span=1,
                size="small",
                empty=f"{WHEEL[color]} foundation, empty",
            )
            for color, rank in enumerate(state.foundations)
        ]
        piles = [
            CardPlace(
                f"pile{number}",
                str(number),
                (*[None] * down, *cards_of(up)),
                span=1,
                size="small",
                form="column",
                empty=f"pile {number}, empty",
            )
            for number, (up, down) in enumerate(zip(state.ups, state.downs, strict=True), 1)
        ]
        return [[stock, waste], home, piles]

    def trace(self, event: Event) -> Spot | None:
        """A card where it went."""
        if isinstance(event, Put):
            return f"pile{event.pile + 1}.{CODES[NUMBER[event.card]]}"
        if isinstance(event, Home):
            number = NUMBER[event.card]
            return f"foundation{COLOR[number] + 1}.{CODES[number]}"
        return "stock" if isinstance(event, Turn | TurnOver) else None

    def sentence(self, event: Event) -> str:
        """The action of the player."""
        line = self.game.text(event)
        match event:
            case Put():
                return f"puts {line}"
            case Home():
                return f"sends {line}"
            case Turn():
                return "turns the stock"
            case TurnOver():
                return "turns the waste over"
            case Concede():
                return "gives up"
        return line


def _top(color: int, rank: int) -> tuple[Any, ...]:
    return (PIECES[color * RANKS + rank - 1],) if rank else ()
