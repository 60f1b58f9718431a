"""The part of a presenter that all games with cards of the deck share; each game adds its places.

Moves are chosen in the panel below the table (`web.telling.parts.card_panel`), so the table itself only shows the
cards.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

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
_FIELDS = ("card", "cards", "pieces")
"""The fields of events that name the cards which come to the table or move on it."""


class CardPresenter(UsualOffers, ABC):
    """A presenter of cards on a table. A card's code is its notation: "RO12", "swap R/G"."""

    game: ClassVar[Game[Any]]
    example: str

    @abstractmethod
    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """Returns the places of cards, in bands from top to bottom; the places of a band are side by side."""

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """Returns the picture of the table."""
        known = [frame.names[seat] if seat < len(frame.names) else f"player {seat + 1}" for seat in range(state.seats)]
        return card_table.board(self.bands(state, known), marks, frame)

    def hand(self, state: Any, seat: Seat) -> None:
        """Returns None, because the panel shows each hand to its owner only."""
        return

    def piece_code(self, piece: Piece) -> str:
        """Returns the code of a piece in notation.

        Raises:
            NoSuchPiece: The piece is not a card of the deck.
        """
        return card_code(_card(piece))

    def piece(self, code: str) -> Card | Special:
        """Returns the card with a code.

        Raises:
            NoSuchPiece: No card has this code.
        """
        return card_of(code)

    def aim_code(self, code: str) -> str:
        """Returns the code itself in the form of the notation."""
        return card_code(card_of(code))

    def piece_name(self, piece: Piece) -> str:
        """Returns the name in words: "red-orange 12", "swap cards"."""
        return card_words(_card(piece))

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """Returns the picture of the card, face up."""
        return single_card(_card(piece))

    def spot_name(self, spot: Spot) -> str:
        """Returns the displayed name of a place, or of a card there by its code.

        Raises:
            NoSuchSpot: The spot is not a place of a card table.
        """
        place, _, rest = spot.partition(".")
        if not re.fullmatch(r"[a-z]+\d*", place):
            raise NoSuchSpot("There is no such place on the table. Tap a card or a pile of the board.")
        return spot.replace(".", " ") if rest else place

    def holds(self, state: Any, spot: Spot) -> Piece | None:
        """Returns the card of a spot, which is the top card of a pile; None if the spot shows no open card."""
        self.spot_name(spot)
        where, _, code = spot.rpartition(".")
        for place in self._places(state):
            if place.spot == spot:
                return place.cards[-1] if place.cards else None
            if place.spot == where:
                return next((card for card in place.cards if card is not None and card_code(card) == code), None)
        return None

    def _places(self, state: Any) -> list[CardPlace]:
        return [place for band in self.bands(state, [""] * state.seats) for place in band]

    def aim(self, event: Event) -> Aim:
        """Returns the spot that shows the event or the whole table, and no piece, because every move is made in the
        panel.
        """
        return Aim(None, self.trace(event) or "table")

    def trace(self, event: Event) -> Spot | None:
        """Returns the spot on which an event is visible after it has happened; None if there is none."""
        return None

    def sentence(self, event: Event) -> str:
        """Returns the action of a player in the words of the notation; face-down cards are only counted."""
        if isinstance(event, Drawn | Shown) and event.pieces and all(piece is None for piece in event.pieces):
            return "draws a card" if len(event.pieces) == 1 else f"draws {len(event.pieces)} cards"
        return _PLAYER.sub("", self.game.text(event))

    def laid(self, event: Event) -> Piece | None:
        """Returns None, because cards are not tried out on the table."""
        return None

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Returns no moves, because the panel asks for a whole move."""
        return ()

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Piece]:
        """Returns the card with a code; a card has only one orientation."""
        return () if code is None else (card_of(code),)

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """Returns the number of the row with which the card of a spot came to the table; None if there is none."""
        card = self.holds(timeline.state, spot)
        for step in reversed(timeline.steps()):
            before = timeline.book.start if step.parent is None else step.parent.state
            lay_there = any(card in place.cards for place in self._places(before))
            if step.event is not None and card in _named(step.event) and not lay_there:
                return step.n
        return None

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """Returns the event with another card instead of the one of a spot; None if the event does not name it once.

        Raises:
            BadEvent: The event cannot have that card.
        """
        named = _named(event)
        code = spot.rpartition(".")[2]
        lying = next((card for card in named if len(named) == 1 or card_code(card) == code), None)
        for field in _FIELDS:
            value = getattr(event, field, None)
            if lying is not None and value == lying:
                value = piece
            elif isinstance(value, tuple) and lying in value:
                value = tuple(piece if card == lying else card for card in value)
            else:
                continue
            return self.game.event({**msgspec.to_builtins(event), field: msgspec.to_builtins(value)})
        return None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Raises BadEvent: Always, because cards are played from hands."""
        raise BadEvent("Cards are played from a hand or a pile. Choose them in the panel below the table.")

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """Raises BadEvent: Always, because a wrongly entered card is corrected in its row."""
        raise BadEvent("Undo the row in which the card was entered, and enter it again.")


def _named(event: Event) -> tuple[Card | Special, ...]:
    """Returns the known cards that an event names."""
    found: list[Card | Special] = []
    for field in _FIELDS:
        value = getattr(event, field, None)
        found += [one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Card | Special)]
    return tuple(found)


def card_of(code: str) -> Card | Special:
    """Returns the card with a code.

    Raises:
        NoSuchPiece: The deck has no such card.
    """
    try:
        return PIECES[number_of(code)]
    except BadNotation as error:
        raise NoSuchPiece(str(error)) from error


def cards_of(numbers: Sequence[int | None]) -> tuple[Card | Special | None, ...]:
    """Returns the cards with these numbers; None stays None."""
    return tuple(None if number is None else PIECES[number] for number in numbers)


def _card(piece: Piece) -> Card | Special:
    if not isinstance(piece, Card | Special):
        raise NoSuchPiece("That is not a card of the deck.")
    return piece
