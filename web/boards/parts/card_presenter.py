"""The part of a presenter that all games with cards of the deck share; each game adds its places.

Moves are chosen in the panel below the table (`web.telling.parts.card_panel`), so the table itself only shows.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from companion.core.contract import Drawn, Event, Move, Seat, Shown
from companion.core.foundation.errors import BadEvent, BadNotation
from companion.core.game import Game
from companion.core.layout import Spot
from companion.core.pieces import Card, Piece, Special
from companion.games.shared.cards.deck import PIECES, number_of
from companion.referee.journal.timeline import Timeline
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, UsualOffers
from web.scene.boards import card_table
from web.scene.boards.card_table import CardPlace
from web.scene.marks import Marks
from web.scene.pieces.number_cards import card_code, card_words, single_card
from web.scene.shape import BoardFrame, Shape

_PLAYER = re.compile(r"^player \d+ ")


class CardPresenter(UsualOffers, ABC):
    """Cards on a table. A card's code is what notation writes: "RO12", "swap R/G"."""

    game: ClassVar[Game[Any]]
    example: str

    @abstractmethod
    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """The places of cards side by side, band below band."""

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """The table."""
        known = [frame.names[seat] if seat < len(frame.names) else f"player {seat + 1}" for seat in range(state.seats)]
        return card_table.board(self.bands(state, known), marks, frame)

    def hand(self, state: Any, seat: Seat) -> None:
        """None: hands are shown in the panel, to their owners alone."""
        return

    def piece_code(self, piece: Piece) -> str:
        """The code of a piece in notation.

        Raises:
            NoSuchPiece: It is no card of the deck.
        """
        return card_code(_card(piece))

    def piece(self, code: str) -> Card | Special:
        """The card of a code.

        Raises:
            NoSuchPiece: There is none.
        """
        return card_of(code)

    def aim_code(self, code: str) -> str:
        """The code itself, as notation writes it."""
        return card_code(card_of(code))

    def piece_name(self, piece: Piece) -> str:
        """The name in words: "red-orange 12", "swap cards"."""
        return card_words(_card(piece))

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """The card, face up."""
        return single_card(_card(piece))

    def spot_name(self, spot: Spot) -> str:
        """A place as it is named, a card there by its code.

        Raises:
            NoSuchSpot: It is no place of a card table.
        """
        place, _, rest = spot.partition(".")
        if not re.fullmatch(r"[a-z]+\d*", place):
            raise NoSuchSpot("There is no such place on the table. Tap a card or a pile of the board.")
        return spot.replace(".", " ") if rest else place

    def holds(self, state: Any, spot: Spot) -> Piece | None:
        """None: entered cards are corrected in the history, row by row."""
        self.spot_name(spot)
        return None

    def aim(self, event: Event) -> Aim:
        """The table: every move is made in the panel."""
        return Aim(None, self.trace(event) or "table")

    def trace(self, event: Event) -> Spot | None:
        """Where an event can be seen once it has happened."""
        return None

    def sentence(self, event: Event) -> str:
        """The action of a player in the words of the notation; unseen cards are counted."""
        if isinstance(event, Drawn | Shown) and event.pieces and all(piece is None for piece in event.pieces):
            return f"draws {'a card' if len(event.pieces) == 1 else f'{len(event.pieces)} cards'}"
        return _PLAYER.sub("", self.game.text(event))

    def laid(self, event: Event) -> Piece | None:
        """None: cards are not tried out on the table."""
        return None

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """None: the panel asks for a whole move."""
        return ()

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Piece]:
        """The card of a code; cards have no ways to lie."""
        return () if code is None else (card_of(code),)

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """None: see `holds`."""
        return None

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """None: see `holds`."""
        return None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Raises BadEvent: always; cards are played from hands."""
        raise BadEvent("Cards are played from a hand or a pile. Choose them in the panel below the table.")

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """Raises BadEvent: always; a wrongly entered card is corrected where it was entered."""
        raise BadEvent("Undo the row in which the card was entered, and enter it again.")


def card_of(code: str) -> Card | Special:
    """The card of a code.

    Raises:
        NoSuchPiece: The deck has none.
    """
    try:
        return PIECES[number_of(code)]
    except BadNotation as error:
        raise NoSuchPiece(str(error)) from error


def cards_of(numbers: Sequence[int | None]) -> tuple[Card | Special | None, ...]:
    """Cards by number."""
    return tuple(None if number is None else PIECES[number] for number in numbers)


def _card(piece: Piece) -> Card | Special:
    if not isinstance(piece, Card | Special):
        raise NoSuchPiece("That is no card of the deck.")
    return piece
