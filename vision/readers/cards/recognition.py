"""Reads cards in one photograph, with the answer in the words of the labeled picture set."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from companion.core.protocols.eyes import OverlayMark
from vision.readers.cards.deck import CARD_MM
from vision.readers.cards.reader import ReadCard, read_cards
from vision.registration.registered_image import RegisteredImage

SURE = 0.9
"""Readings below this confidence are drawn as doubtful."""


class CardReading(Struct, frozen=True):
    """The reading of a photograph of cards."""

    table: RegisteredImage
    cards: tuple[ReadCard, ...]

    def truth(self) -> dict[str, Any]:
        """Returns `cards`, each with its confidence, without cards of another deck."""
        return {"cards": [_told(card) for card in self.cards if card.face != "foreign"]}

    def marks(self) -> tuple[OverlayMark, ...]:
        """Returns the outlines of all cards."""
        return tuple(card_mark(self.table, card) for card in self.cards)

    def remarks(self) -> tuple[str, ...]:
        """Returns sentences about cards that people should check."""
        return remarks_on(self.cards)


def read_card_table(table: RegisteredImage) -> CardReading:
    """Reads the cards on a table."""
    return CardReading(table, read_cards(table))


def remarks_on(cards: tuple[ReadCard, ...]) -> tuple[str, ...]:
    """Returns sentences about cards of another deck, and about two that seem to be the same one."""
    said = []
    if any(card.face == "foreign" for card in cards):
        said.append("Something that looks like a card is not of this deck. Take it away, or tap it and choose a card.")
    doubled = sorted({card.code for card in cards if card.doubled})
    if doubled:
        said.append(f"Two cards look like {', '.join(doubled)}, of which the deck has one. Tap the misread one.")
    return tuple(said)


def card_mark(table: RegisteredImage, card: ReadCard, spot: str | None = None) -> OverlayMark:
    """Returns the outline of a card in the original picture's pixels."""
    place = card.place
    a = np.radians(place.heading_deg)
    up, right = np.array([np.cos(a), -np.sin(a)]), np.array([np.sin(a), np.cos(a)])
    corners = [
        np.array([place.x_mm, place.y_mm]) + right * x * CARD_MM[0] / 2 + up * y * CARD_MM[1] / 2
        for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    ]
    outline = table.pose.project(np.column_stack([np.array(corners), np.zeros(4)]))
    label = card.code if card.face == "up" else "" if card.face == "down" else "not of this deck"
    sure = card.confidence >= SURE and not card.doubled and card.face != "foreign"
    return OverlayMark(table.original_px(outline), label, "read" if sure else "doubt", spot, card.confidence)


def _told(card: ReadCard) -> dict[str, Any]:
    place = card.place
    told: dict[str, Any] = {
        "card": card.code,
        "x": round(place.x_mm, 2),
        "y": round(place.y_mm, 2),
        "heading": round(place.heading_deg, 1),
        "face": card.face,
        "visible": round(place.shown, 3),
        "confidence": round(card.confidence, 4),
    }
    return told
