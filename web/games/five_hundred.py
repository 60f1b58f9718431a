"""How 500 looks on the page.

Places: "stock", "discards", "meld.1" and so on with the numbers that notation gives them, "seat0.seen" for the cards
that everybody has seen a player take up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Event, seats_to_move
from companion.core.layout import Spot
from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.games.five_hundred.moves import Discard, DrawStock, LayOff
from companion.games.five_hundred.scoring import value_of
from companion.games.shared.cards.deck import CODES, NUMBER, RANK
from companion.games.shared.search.bit_sets import bits
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace

LARGE_PILE = 12
"""From so many discards on they are shown small."""


class FiveHundredPresenter(CardPresenter):
    """Stock and discards, the melds, and what everybody has melded and holds."""

    game = FIVE_HUNDRED
    example = (
        "player 1 takes from the stock; player 1 takes discards down to R5; player 2 calls Spectrum down to R5; "
        "player 1 melds R5, RO6, R7, PR8; player 1 lays off R9 on meld 2; player 1 discards B3"
    )

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """The piles, then the melds two by two, then the players."""
        many = len(state.discards) > LARGE_PILE
        stock = CardPlace("stock", "Stock", (None,) if state.stock else (), form="pile", count=state.stock, span=2)
        discards = CardPlace(
            "discards", "Discards", cards_of(state.discards), note="the top one last", span=10,
            size="small" if many else "large", empty="no discard",
        )  # fmt: skip
        melds = [_meld(number, meld) for number, meld in enumerate(state.melds, 1)]
        pairs = [melds[at : at + 2] for at in range(0, len(melds), 2)]
        movers = seats_to_move(state.expects())
        players = [
            [_player(state, seat, names[seat], seat == state.turn and seat in movers)] for seat in range(state.seats)
        ]
        return [[stock, discards], *pairs, *players]

    def trace(self, event: Event) -> Spot | None:
        """A discard, a card that was laid off, the stock that was drawn from."""
        if isinstance(event, Discard):
            return f"discards.{CODES[NUMBER[event.card]]}"
        if isinstance(event, LayOff):
            return f"meld.{event.meld + 1}.{CODES[NUMBER[event.card]]}"
        return "stock" if isinstance(event, DrawStock) else None


def _meld(number: int, mask: int) -> CardPlace:
    cards = sorted(bits(mask), key=lambda card: (RANK[card], card))
    kind = "group" if RANK[cards[0]] == RANK[cards[-1]] else "sequence"
    return CardPlace(
        f"meld.{number}", f"Meld {number}: {kind}", cards_of(cards), note=str(value_of(mask)), span=6, size="small"
    )


def _player(state: Any, seat: int, name: str, to_move: bool) -> CardPlace:
    seen = tuple(bits(state.opened[seat]))
    melded = f"melded {value_of(state.laid[seat])}"
    note = f"holds {state.hands.size(seat)}, {melded}"
    if seen:
        return CardPlace(
            f"seat{seat}.seen", f"{name}, seen to hold", cards_of(seen), note=note, size="small", strong=to_move
        )
    return CardPlace(f"seat{seat}.seen", name, note=note, form="line", strong=to_move)
