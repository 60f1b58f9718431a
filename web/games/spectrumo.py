"""How Spectrumo looks on the page.

Places: "draw" and "discard" for the two decks, "seat0.hand", "trade" for cards that are laid aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Event, seats_to_move
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import COLOR, NUMBER_CARDS
from companion.games.spectrumo.fitting import ANYTHING
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrumo.moves import Give, Play
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace


class SpectrumoPresenter(CardPresenter):
    """Both decks with the table card, and how many cards everybody holds."""

    game = SPECTRUMO
    example = (
        "player 1 plays R7; player 1 cannot play; player 1 gives R7 to player 2; player 1 trades; "
        "player 1 takes the penalty for R7; player 1 draws R7"
    )

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """The decks, a trade that is going on, the players in clockwise order."""
        draw = CardPlace("draw", "Draw deck", (None,) if state.draw else (), form="pile", count=state.draw, span=4)
        top = cards_of(state.discard[-1:])
        count = len(state.discard) + state.buried
        table = CardPlace(
            "discard",
            "Table card",
            top,
            form="pile",
            count=count,
            note=table_words(state),
            span=8,
            empty="not turned up",
        )
        bands = [[draw, table]]
        if state.swapping is not None and (state.swapping.given or state.swapping.unknown):
            backs = (None,) * (len(state.swapping.given) + state.swapping.unknown)
            to = names[state.swapping.to] if state.swapping.to is not None else ""
            bands.append([CardPlace("trade", f"Laid aside for {to}", backs, size="small")])
        movers = seats_to_move(state.expects())
        return [*bands, *([_player(state, seat, names[seat], seat in movers)] for seat in range(state.seats))]

    def trace(self, event: Event) -> Spot | None:
        """The discard deck for a card that was played."""
        return "discard" if isinstance(event, Play) else None

    def sentence(self, event: Event) -> str:
        """The action of a player; a hidden card is called a card."""
        if isinstance(event, Give) and event.card is None:
            return f"gives a card to player {event.to + 1}"
        return super().sentence(event)


def table_words(state: Any) -> str:
    """The card for which the table card counts, if it differs."""
    way = "clockwise" if state.way == 1 else "the other way around"
    if not state.discard:
        return way
    if state.color == ANYTHING:
        return f"any number card goes on it, {way}"
    top = state.discard[-1]
    if top >= NUMBER_CARDS or COLOR[top] != state.color:
        return f"counts as {WHEEL[state.color]} {state.rank}, {way}"
    return way


def _player(state: Any, seat: int, name: str, to_move: bool) -> CardPlace:
    if not state.is_in(seat):
        return CardPlace(f"seat{seat}.hand", name, note="dropped out", form="line")
    note = f"holds {state.count(seat)}"
    if state.owed[seat]:
        note += f", draws {state.owed[seat]}"
    return CardPlace(f"seat{seat}.hand", name, note=note, form="line", strong=to_move)
