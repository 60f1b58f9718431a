"""Reads all cards in one picture of a table: their places, identities, confidences and alternatives. A photograph is
answered in the words of the labeled picture set.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.protocols.eyes import OverlayMark
from vision.readers.cards.deck import CARD_MM, CODES, COPIES, KINDS, NUMBER_CARDS
from vision.readers.cards.earlier_cards import EarlierCards
from vision.readers.cards.finder import LEAST_SHARE, PlacedCard, find_cards
from vision.readers.cards.known_deck import KnownSigns, placed_by_print
from vision.readers.cards.naming import CardLooks, PrintingEvidence, look_at, name_jointly
from vision.readers.cards.sheet import table_sheet
from vision.readers.cards.taught_looks import taught_looks
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[Any]

SURE = 0.9
"""Readings below this confidence are drawn as doubtful."""
_RUNNERS_UP = 4
"""The largest number of candidates listed for a number card; for a special card all of its kinds are listed."""
_LISTED = 0.001
"""Candidates below this probability are not listed."""

_FOREIGN_SHARE = 0.5
"""The least visible share of a reported card of another deck; less of it may be anything."""
_SURE_FACE = 0.95
"""The confidence that a card without a recognized number lies face down."""
_LEGIBLE, _APART_MM = 0.75, 8.0
"""The least fit of a sliver's index, and the least distance of a sliver's card from the middles of other cards."""


class ReadCard(Struct, frozen=True):
    """The reading of one card."""

    place: PlacedCard
    face: Literal["up", "down", "foreign"]
    """"foreign" is a card of another deck, or not a card."""
    candidates: tuple[tuple[int, float], ...]
    """Cards of the deck by falling probability, led by the choice of the joint reading; empty unless the card lies face
    up.
    """
    confidence: float
    doubled: bool = False
    """True if another visible card seems to be the same one, although the deck has it once."""

    @property
    def card(self) -> int | None:
        """Its number in the deck; None unless it lies face up."""
        return self.candidates[0][0] if self.candidates else None

    @property
    def code(self) -> str:
        """The code of the card in notation."""
        return "??" if self.card is None else CODES[self.card]


def read_cards(
    table: RegisteredImage, printing: PrintingEvidence | None = None, earlier: EarlierCards | None = None
) -> tuple[ReadCard, ...]:
    """Returns the cards on a table, those with the largest visible share first.

    Args:
        printing: The evidence of earlier pictures about the deck.
        earlier: The looks of the cards in earlier pictures.
    """
    sheet = table_sheet(table)
    placed, known = _without_slivers(*placed_by_print(sheet, find_cards(sheet)))
    calibration = table.calibration
    taught = taught_looks(calibration.deck) if calibration is not None and calibration.deck else None
    looks = look_at(sheet, placed, known, printing, taught)
    read = name_cards(placed, looks if earlier is None else earlier.folded(placed, looks))
    return tuple(card for card in read if card.face != "foreign" or card.place.shown > _FOREIGN_SHARE)


def _without_slivers(
    placed: Sequence[PlacedCard], known: Sequence[KnownSigns | None]
) -> tuple[tuple[PlacedCard, ...], tuple[KnownSigns | None, ...]]:
    """Returns the cards without slivers, and their signs; a sliver with an index of the known deck is a card, unless it
    is part of another one.
    """
    kept: list[tuple[PlacedCard, KnownSigns | None]] = []
    for card, sign in zip(placed, known, strict=True):
        if card.shown < LEAST_SHARE:
            apart = (math.hypot(card.x_mm - one.x_mm, card.y_mm - one.y_mm) for one, _ in kept)
            if sign is None or sign.fit < _LEGIBLE or min(apart, default=_APART_MM) < _APART_MM:
                continue
        kept.append((card, sign))
    return tuple(card for card, _ in kept), tuple(sign for _, sign in kept)


def name_cards(placed: tuple[PlacedCard, ...], looks: tuple[CardLooks, ...]) -> tuple[ReadCard, ...]:
    """Returns cards with their names, each card of the deck at most as often as the deck has it."""
    up = [k for k, look in enumerate(looks) if look.face in ("number", "special")]
    odds = np.array([looks[k].cards for k in up]).reshape(len(up), KINDS)
    names = dict(zip(up, (int(name) for name in name_jointly(odds)), strict=True))
    found = []
    for k, (place, look) in enumerate(zip(placed, looks, strict=True)):
        if k not in names:
            found.append(ReadCard(place, "down" if look.face == "back" else "foreign", (), _SURE_FACE))
            continue
        candidates = _candidates(look, names[k])
        alike = sum(name == names[k] for name in names.values()) > COPIES[names[k]]
        found.append(ReadCard(place, "up", candidates, candidates[0][1], alike))
    return tuple(found)


def _candidates(look: CardLooks, chosen: int) -> tuple[tuple[int, float], ...]:
    """Returns the chosen card first; if others seemed likelier, it gets half of their probability."""
    probabilities = np.exp(look.cards)
    likelier = probabilities > probabilities[chosen]
    probabilities[chosen] += 0.5 * probabilities[likelier].sum()
    probabilities[likelier] *= 0.5
    count = KINDS - NUMBER_CARDS if chosen >= NUMBER_CARDS else _RUNNERS_UP
    ranked = sorted(np.argsort(-probabilities)[:count], key=lambda card: (card != chosen, -probabilities[card]))
    listed = [(int(card), float(probabilities[card])) for card in ranked]
    return tuple(one for k, one in enumerate(listed) if k == 0 or one[1] > _LISTED)


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
