"""The page of Solitaire: its presenter, and the advice beside its board.

Places: "pile1" to "pile12", "stock", "waste", "foundation1" to "foundation12" in the order of the wheel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.contract import Event, Seat
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import CODES, COLOR, LETTERS, NUMBER, PIECES, RANKS
from companion.games.solitaire.game import SOLITAIRE
from companion.games.solitaire.moves import Concede, Home, Put, Turn, TurnOver
from companion.referee.table.table import Table
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace, card_count
from web.telling.parts.card_panel import Act, CardAdviser, HeldCards, PanelCount, PanelPick

SHOWN = 3
"""The number of cards of the waste that are shown, the playable one last."""


class SolitairePresenter(CardPresenter):
    """The stock and the waste, the foundations, and the twelve piles."""

    game = SOLITAIRE
    example = "B9 on pile 3; B9 home; turn; turn over; concede; turned up B9, GB8"

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """Returns the stock and the waste, then the foundations, then the piles."""
        left = len(state.stock)
        passes = f"pass {state.passes}" + (f" of {state.options.max_passes}" if state.options.max_passes else "")
        stock = CardPlace(
            "stock", "Stock", (None,) if left else (), form="pile", count=left, span=3, empty="stock is empty"
        )
        waste = CardPlace(
            "waste",
            "Waste",
            cards_of(state.waste[-SHOWN:]),
            note=f"{card_count(len(state.waste))}, {passes}",
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
        """Returns the spot to which a card went."""
        if isinstance(event, Put):
            return f"pile{event.pile + 1}.{CODES[NUMBER[event.card]]}"
        if isinstance(event, Home):
            number = NUMBER[event.card]
            return f"foundation{COLOR[number] + 1}.{CODES[number]}"
        return "stock" if isinstance(event, Turn | TurnOver) else None

    def sentence(self, event: Event) -> str:
        """Returns the action of the player."""
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


_OPEN = PanelPick(("pile", "waste", "foundation"))


def _is_stuck(state: Any) -> bool:
    """True if the only legal move is to give up."""
    return all(isinstance(move, Concede) for move in state.legal_moves())


class SolitaireAdviser(CardAdviser):
    """Advice for Solitaire: players move by tapping a card and then a pile."""

    draws_text = "turned up {cards}"

    def hand(self, state: Any, seat: Seat) -> Sequence[HeldCards]:
        """Returns no cards, because there are no hands."""
        return ()

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """Yields the actions: moving a card to a pile or its foundation, turning the stock, and giving up."""
        onto = PanelPick(("pile",), says="number")
        yield Act("put", seat, "Move it there", "{0} on pile {1}", (_OPEN, onto), main=True)
        yield Act("home", seat, "To its foundation", "{0} home", (PanelPick(("pile", "waste")),))
        if state.stock:
            yield Act("turn", seat, "Turn the stock", "turn", tap="stock")
        else:
            yield Act("turn-over", seat, "Turn the waste over", "turn over", tap="stock")
        sure = "The game ends and is counted as it stands."
        yield Act("concede", seat, "Give up and count", "concede", sure=sure, main=_is_stuck(state))

    def help(self, table: Table, state: Any) -> str:
        """Returns a sentence on which cards to tap."""
        if _is_stuck(state):
            return "No card can go anywhere any more: give up, and the game is counted."
        return "Tap a card, then the pile that it goes on, or send it home. Tap the stock to turn its next cards."

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """Yields the score, line by line."""
        (score,) = state.scores()
        title = "Score if you stopped now" if state.outcome() is None else "Scores"
        yield PanelCount(title, score.lines, score.total)

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """Yields the numbers of cards and passes."""
        yield "On foundations", f"{sum(state.foundations)} of 144"
        yield "Face down on piles", str(sum(state.downs))
        most = state.options.max_passes
        yield "Pass through the stock", f"{state.passes} of {most}" if most else str(state.passes)
