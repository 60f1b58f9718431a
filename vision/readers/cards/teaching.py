"""Teaches the reader a deck with known cards: one of each color and one of each number, set out in rows."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct

from companion.core.foundation.errors import SeeError, WrongUsage
from vision.calibration.taught import MOST_CORNERS, TaughtCorner, TaughtDeck
from vision.readers.cards.crops import cut_wide_corners
from vision.readers.cards.deck import CARD_MM, CODES, COLORS, LETTERS, NUMBER_CARDS, RANKS
from vision.readers.cards.reader import ReadCard, read_cards
from vision.readers.cards.sheet import table_sheet
from vision.registration.registered_image import RegisteredImage

USUAL_ROWS: tuple[tuple[str, ...], ...] = (LETTERS, tuple(str(rank) for rank in range(1, RANKS + 1)))
"""One card of each color in the order of the wheel, then the numbers from 1 to 12."""
_WHOLE = 0.8
"""The least visible share of a card of a sampler."""
_SURE = 0.9
_CONTRADICTED = 1 / 3
"""If a larger share of cards surely differs from the statement, they lie in another order, or are of another deck."""
_STRANGE = 0.75
"""If a larger share of cards shows no card of this deck, they are of another one, unless a hard deck is being
taught.
"""
_NOTHING = 0.1
"""A card with a lower confidence shows neither a number nor a color."""
_NAMED = 4
"""The largest number of cards that a sentence names."""
_QUALITY = 95


class StatedCard(Struct, frozen=True):
    """The statement about a card: its number or its color or both, or its kind of special card."""

    code: str
    rank: int | None = None
    color: int | None = None
    special: int | None = None


def stated_card(code: str) -> StatedCard:
    """Returns a card by its code: "R7"; "R" if only its color is stated, "7" if only its number; "swap R/G".

    Raises:
        WrongUsage: No card of the deck is called that.

    >>> stated_card("RO12").rank, stated_card("GB").color, stated_card("draw").special
    (12, 7, 7)
    """
    if code in CODES[NUMBER_CARDS:]:
        return StatedCard(code, special=CODES.index(code) - NUMBER_CARDS)
    found = re.fullmatch(r"([A-Z]{0,2})(\d{0,2})", code)
    color, number = (found[1], found[2]) if found else ("", "")
    if not (color or number) or (color and color not in LETTERS) or (number and not 1 <= int(number) <= RANKS):
        raise WrongUsage(
            f"{code[:40]!r} is no card of the deck. Write a card like R7, a color alone like GB, a number alone "
            "like 12, or a special card like swap R/G."
        )
    return StatedCard(code, int(number) if number else None, LETTERS.index(color) if color else None)


def check_sampler(rows: Sequence[Sequence[str]]) -> None:
    """Checks that a sampler can teach a deck.

    Raises:
        WrongUsage: A card is stated twice, or a color or a number is missing.
    """
    cards = [stated_card(code) for row in rows for code in row]
    doubled = [code for code, count in Counter(card.code for card in cards).items() if count > 1]
    if doubled:
        raise WrongUsage(f"{', '.join(doubled[:_NAMED])} stands in the sampler twice. Set out different cards.")
    colors, ranks = {card.color for card in cards}, {card.rank for card in cards}
    missing = [LETTERS[color] for color in range(COLORS) if color not in colors]
    missing += [str(rank) for rank in range(1, RANKS + 1) if rank not in ranks]
    if missing:
        some = f"{', '.join(missing[:_NAMED])}{' and more' if len(missing) > _NAMED else ''}"
        raise WrongUsage(
            f"The sampler lacks {some}. Set out one card of each color and one of each number, 24 cards at most."
        )


def taught_by_pictures(
    deck: TaughtDeck, tables: Sequence[RegisteredImage], rows: Sequence[Sequence[str]]
) -> tuple[TaughtDeck, tuple[str, ...]]:
    """Returns the deck after all cards of some pictures are known, with sentences about it.

    Args:
        tables: One picture or more.
        rows: The cards, picture by picture, row by row from the top of the mat, each from the left. How many rows they
            lie in does not matter.

    Raises:
        SeeError: Other cards are found than are stated.
    """
    stated = [stated_card(code) for row in rows for code in row]
    seen = [_in_order(table) for table in tables]
    count = sum(len(one) for one in seen)
    if count != len(stated):
        raise SeeError(
            f"{len(stated)} cards should lie there face up, but {count} were found. Lay them apart in rows, with "
            "nothing on them, and try again."
        )
    pairs = list(zip(itertools.chain(*seen), stated, strict=True))
    _refuse_others(pairs)
    corners: list[TaughtCorner] = []
    left = iter(stated)
    for table, cards in zip(tables, seen, strict=True):
        sheet = table_sheet(table)
        for card, one in zip(cards, left, strict=False):
            for patch in cut_wide_corners(sheet, card.place):
                picture = cv2.imencode(".jpg", patch, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))[1].tobytes()
                corners.append(TaughtCorner(picture, one.rank, one.color, one.special))
    assert len(corners) <= MOST_CORNERS, "a deck has no more cards"
    right = sum(not _contradicts(card, one) for card, one in pairs)
    return deck.with_corners(tuple(corners)), (f"{count} cards were learned; {right} of them were read right before.",)


def _in_order(table: RegisteredImage) -> list[ReadCard]:
    """Returns the cards of a picture from the top row down, each row from the left."""
    rows: list[list[ReadCard]] = []
    whole = [card for card in read_cards(table) if card.place.shown > _WHOLE]
    for card in sorted(whole, key=lambda one: one.place.y_mm):
        if rows and card.place.y_mm - float(np.mean([one.place.y_mm for one in rows[-1]])) < CARD_MM[0] / 2:
            rows[-1].append(card)
        else:
            rows.append([card])
    return [card for row in rows for card in sorted(row, key=lambda one: one.place.x_mm)]


def _refuse_others(pairs: Sequence[tuple[ReadCard, StatedCard]]) -> None:
    """Checks for cards of another deck, cards in another order than stated, and a card that occurs twice.

    Raises:
        SeeError: One of these faults was found.
    """
    numbers = [card for card, one in pairs if one.special is None]
    strange = sum(card.card is None or card.card >= NUMBER_CARDS or card.confidence < _NOTHING for card in numbers)
    if strange > _STRANGE * len(numbers):
        raise SeeError(
            f"On {strange} of {len(numbers)} cards no number or sign of this deck is seen. Set out cards of the "
            "Spectrum deck, face up."
        )
    sure = [card.code for card, one in pairs if card.confidence > _SURE and one.special is None and card.face == "up"]
    doubled = [code for code, count in Counter(sure).items() if count > 1]
    if doubled:
        raise SeeError(f"Two cards look like {', '.join(doubled[:_NAMED])}. Set out different cards and try again.")
    wrong = [
        f"{one.code} reads as {card.code}"
        for card, one in pairs
        if card.face == "up" and card.confidence > _SURE and _contradicts(card, one)
    ]
    if len(wrong) > max(1.0, _CONTRADICTED * len(pairs)):
        raise SeeError(
            f"The cards do not lie in the order that is stated: {', '.join(wrong[:_NAMED])}. Lay them out from left to "
            "right, row by row from the top, and try again."
        )


def _contradicts(card: ReadCard, one: StatedCard) -> bool:
    """True if a card reads otherwise than stated."""
    if card.card is None:
        return True
    if one.special is not None or card.card >= NUMBER_CARDS:
        return one.special is None or card.card - NUMBER_CARDS != one.special
    color, place = divmod(card.card, RANKS)
    return (one.color is not None and one.color != color) or (one.rank is not None and one.rank != place + 1)
