"""Reads the cards of a plan's zones: on a pile, at a place before a seat, or openly on the table."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct

from companion.core.layout import Candidate, Detection, Spot
from companion.core.plan import CardZone, Zone
from companion.core.protocols.eyes import OverlayMark
from vision.gate.change import Map
from vision.readers.cards.deck import PIECES
from vision.readers.cards.earlier_cards import EarlierCards
from vision.readers.cards.naming import PrintingEvidence
from vision.readers.cards.reader import ReadCard, card_mark, read_cards, remarks_on
from vision.registration.registered_image import RegisteredImage

_TOP_SHARE = 0.6
"""The least visible share of a pile's top card, unless something else covers it."""
_HALF_SURE = 0.5
"""The largest confidence of two cards that seem to be the same one."""

_VISITED = 0.15
"""The least share of a zone that a hand over it hides."""


class CardsSeen(Struct, frozen=True):
    """The reading of the card zones of a plan."""

    heaps: dict[Spot, tuple[Detection, ...]]
    marks: tuple[OverlayMark, ...]
    """The outlines in the original picture's pixels."""
    remarks: tuple[str, ...]


def read_card_zones(
    table: RegisteredImage,
    zones: Sequence[CardZone],
    printing: PrintingEvidence | None = None,
    earlier: EarlierCards | None = None,
) -> CardsSeen:
    """Returns the contents of each zone; a pile under something foreign is left out.

    Args:
        printing: The evidence of earlier pictures of the table about the deck.
        earlier: The looks of the cards in earlier pictures of the table.
    """
    cards = read_cards(table, printing, earlier)
    heaps: dict[Spot, tuple[Detection, ...]] = {}
    marks: dict[int, OverlayMark] = {}
    for zone in zones:
        mine = [card for card in cards if _inside(card, zone)]
        marks |= {id(card): card_mark(table, card, zone.spot) for card in mine}
        if zone.kind == "cards":
            heaps[zone.spot] = tuple(_sighting(card) for card in _from_below([one for one in mine if one.face == "up"]))
        elif zone.kind == "pile":
            top = next((card for card in mine if card.place.shown >= _TOP_SHARE), None)
            if top is not None and top.face == "up":
                heaps[zone.spot] = (_sighting(top),)
            elif not mine:
                heaps[zone.spot] = ()
        elif zone.kind == "place":
            up = [card for card in mine if card.face == "up"]
            if up or not mine:
                heaps[zone.spot] = tuple(_sighting(card) for card in up[:1])
    return CardsSeen(heaps, tuple(marks.values()), remarks_on(cards))


def visits_of_zones(table: RegisteredImage, zones: Sequence[Zone], stirred: Map) -> dict[Spot, int]:
    """Returns the number of times that something hid a good part of each zone of cards; zones without any are left out.

    Args:
        stirred: (h, w) of a thumb: the number of visits over each pixel.
    """
    scale = stirred.shape[1] / table.picture.shape[1]
    found = {}
    for zone in zones:
        if not isinstance(zone, CardZone):
            continue
        corners = np.array(zone.outline_mm)
        outline = table.pose.project(np.column_stack([corners, np.zeros(len(corners))])) * scale
        inside = np.zeros(stirred.shape, np.uint8)
        cv2.fillPoly(inside, [np.round(outline).astype(np.int32)], 1)
        counts = np.sort(stirred[inside > 0])[::-1]
        visits = int(counts[int(_VISITED * counts.size)]) if counts.size else 0
        if visits:
            found[zone.spot] = visits
    return found


def _from_below(cards: Sequence[ReadCard]) -> list[ReadCard]:
    """Returns overlapping cards from the lowest up: the top one has the largest visible share, the lowest is farthest
    from it.
    """
    if len(cards) < 2:
        return list(cards)
    top = max(cards, key=lambda card: card.place.shown).place
    return sorted(cards, key=lambda card: -math.hypot(card.place.x_mm - top.x_mm, card.place.y_mm - top.y_mm))


def _sighting(card: ReadCard) -> Detection:
    candidates = [Candidate(PIECES[number], probability) for number, probability in card.candidates]
    if card.doubled:
        first = candidates[0]
        candidates[0] = Candidate(first.piece, min(first.probability, _HALF_SURE))
    return Detection(tuple(candidates))


def _inside(card: ReadCard, zone: CardZone) -> bool:
    outline = np.array(zone.outline_mm, np.float32).reshape(-1, 1, 2)
    return cv2.pointPolygonTest(outline, (card.place.x_mm, card.place.y_mm), False) >= 0
