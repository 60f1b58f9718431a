"""The deck of `companion print deck`, whose layout, digits, letters and inks the reader knows without being taught.

Its looks come from the drawing code: `python -m simulation.printed.known_prints` writes them. Cards are of this deck if
their prints lie where they must and correlate with it; cards of other decks do not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.image.light import LINEAR, srgb_levels
from vision.readers.cards.crops import cut_card
from vision.readers.cards.deck import CARD_MM, COLORS, RANKS, SPECIALS
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.sheet import PX_PER_MM, CardSheet
from vision.readers.cards.weights import PRINTED_DECK

Floats = NDArray[Any]
Box = tuple[float, float, float, float]

NUMBER_BOX: Box = (3.5, 5.0, 18.5, 15.0)
"""The left, upper, right and lower edges of the number in an index corner, in millimeters from the card's corner."""
LETTERS_BOX: Box = (4.0, 17.0, 18.0, 22.5)
MIDDLE_BOX: Box = (12.0, 30.0, 51.0, 62.0)
SPECIAL_BOX: Box = (3.5, 5.0, 18.5, 24.5)
"""The index of a special card."""
_PAPER_BOX: Box = (0.8, 5.0, 2.2, 16.5)
"""A part of the white edge beside an index."""
_REACH_MM = 8.0
"""The largest distance of a print from its place, because the place of a card is known to a few millimeters."""
_FAR = 0.004
"""The correlation that outweighs a distance of one millimeter, by the square of it."""
_SEEN, _SHOWN = 0.3, 0.75
"""A pixel shows the card if the share of its coarse cells is above this; the least visible share of a box in which
print is compared.
"""
_BLUR_PX = 0.7
"""The blur of a print by a lens and by resampling."""
_GROUND, _DARK = 20, 0.05
"""The largest level of print beside which the ground is measured; paper below this light is in the dark."""
_NUMBER_ALONE = 0.1
"""The amount by which a card fits less because its letters are hidden."""
_FIT = (0.82, 30.0, -3.0, 3.0)
"""How the fit of an index speaks for this deck: the neutral value, the nats for each unit, and the bounds."""
_LARGE = (0.86, 20.0, -3.0, 2.0)
"""The same for the correlation of the large number in the middle."""
_INK = (0.4, -8.0, -3.0, 3.0)
"""The same for the distance of the ground from the nearest ink, as a logarithm of light."""
_APART = (2.0, -2.0, -3.0, 2.0)
"""The same for the distance in millimeters between the places of a card by its two corners."""
_VEIL = 0.05
"""The light that glare and blur add to a dark ink, as a share of that of paper."""
_LEGIBLE = 0.72
"""The least fit of the cards by which the deck is recognized; those that lie face down fit less."""
_SURE_OWN = 1.5
"""The mean evidence of the legible cards from which they are of this deck."""
_LEAST_FIT, _LEAST_EVIDENCE = 0.6, -5.0
"""Cards of less fit or evidence are read like those of any deck: they lie face down, or are of another deck."""
_SPOTS, _UNLIKE, _BEST = 24.0, 12.0, 0.995
"""The number of spots of a print that blur and noise change independently, the bound of the nats for a print, and the
largest correlation that counts.
"""


class _Looks(Struct, frozen=True, eq=False):
    """The looks of the deck: prints on a dark ground for each number, color and special card."""

    numbers: Floats
    letters: Floats
    middles: Floats
    specials: Floats
    inks: Floats
    """(12, 3): the linear light of the grounds, B, G, R, as shares of that of the paper."""


class KnownSigns(Struct, frozen=True, eq=False):
    """The print of one card, compared with that of the deck."""

    fit: float
    """How well the best number and letters, or the best special card, correlate with the card: 1 is best."""
    evidence: float
    """The evidence in nats that the card is of this deck."""
    ranks: Floats
    """(12,): log likelihoods of the ranks."""
    letters: Floats
    """(12,): log likelihoods of the colors by their letters."""
    inks: tuple[Floats, ...]
    """The ground (3,) of each visible corner on white paper, linear, B, G, R."""
    specials: Floats | None
    """(12,): log likelihoods of the special cards; None for a number card."""
    place: PlacedCard
    """The place of the card by its print."""


@cache
def _looks() -> _Looks:
    with np.load(PRINTED_DECK) as file:
        numbers, letters, middles, specials = (
            np.stack([cv2.GaussianBlur(one, (0, 0), _BLUR_PX) for one in file[name]])
            for name in ("numbers", "letters", "middles", "specials")
        )
        return _Looks(numbers, letters, middles, specials, file["inks"].astype(np.float64))


def lab_inks(inks: Sequence[Floats] | Floats) -> Floats:
    """Returns inks (N, 3) in linear light, B, G, R, in CIELAB."""
    levels = srgb_levels(np.clip(np.array(inks).reshape(-1, 3), 0, 1)).astype(np.float32)
    return np.asarray(cv2.cvtColor(levels[None], cv2.COLOR_BGR2LAB)[0], np.float64) if len(inks) else levels


def known_inks() -> Floats:
    """Returns (12, 3): the inks of the deck, as on white paper in white light, in CIELAB."""
    return lab_inks(_looks().inks)


def placed_by_print(
    sheet: CardSheet, cards: Sequence[PlacedCard]
) -> tuple[tuple[PlacedCard, ...], tuple[KnownSigns | None, ...]]:
    """Returns cards at the places of their prints, with the signs of each one.

    Signs are None for cards without a legible index, and for all cards if they are not of this deck: these stay in
    their places.
    """
    signs = tuple(_signs(sheet, card) for card in cards)
    legible = [one.evidence for one in signs if one is not None and one.fit > _LEGIBLE]
    if not legible or sum(legible) < _SURE_OWN * len(legible):
        return tuple(cards), (None,) * len(cards)
    known = tuple(one if one and one.fit > _LEAST_FIT and one.evidence > _LEAST_EVIDENCE else None for one in signs)
    return tuple(card if one is None else one.place for card, one in zip(cards, known, strict=True)), known


class _End(Struct, frozen=True, eq=False):
    """The correlations at one end of a card, -1 to 1."""

    numbers: Floats
    letters: Floats | None
    """None: too little of them is visible."""
    specials: Floats | None
    ink: Floats | None
    off_mm: tuple[float, float]
    """The distance of the print from its place, across and along the card."""


def _signs(sheet: CardSheet, card: PlacedCard) -> KnownSigns | None:
    """Returns the signs of a card from both ends and its middle."""
    around = replace(card, cells=cv2.dilate(card.cells, np.ones((3, 3), np.uint8)))
    turned = {turn_deg: end for turn_deg in (0.0, 180.0) if (end := _end(sheet, around, turn_deg)) is not None}
    if not turned:
        return None
    ends = tuple(turned.values())
    ranks, letters = np.zeros(RANKS), np.zeros(COLORS)
    fits, kinds = [], []
    for end in ends:
        ranks += _odds(end.numbers)
        fits.append(float(end.numbers.max()) - _NUMBER_ALONE)
        if end.letters is not None and end.letters.max() > _LEAST_FIT:
            letters += _odds(end.letters)
            fits[-1] = (float(end.numbers.max()) + float(end.letters.max())) / 2
        if end.specials is not None:
            kinds.append(end.specials)
    fit, special = max(fits), max((float(one.max()) for one in kinds), default=0.0)
    if special > fit:
        kind = np.asarray(sum(_odds(one) for one in kinds))
        return KnownSigns(special, _evidence(special, _FIT), ranks, letters, (), kind, card)
    places = [_moved(card, turn_deg, end) for turn_deg, end in turned.items()]
    evidence = _evidence(fit, _FIT)
    middle = _middle(sheet, around)
    if middle is not None:
        ranks += _odds(middle)
        evidence += _evidence(float(middle.max()), _LARGE)
    inks = tuple(end.ink for end in ends if end.ink is not None)
    if inks:
        apart = np.log(np.mean(inks, axis=0) + _VEIL) - np.log(_looks().inks + _VEIL)
        evidence += _evidence(float(np.abs(apart).mean(axis=1).min()), _INK)
    if len(places) == 2:
        apart_mm = math.hypot(places[0].x_mm - places[1].x_mm, places[0].y_mm - places[1].y_mm)
        evidence += _evidence(apart_mm, _APART)
    return KnownSigns(fit, evidence, ranks, letters, inks, None, places[int(np.argmax(fits))])


def _evidence(value: float, sign: tuple[float, float, float, float]) -> float:
    neutral, sharp, least, most = sign
    return float(np.clip(sharp * (value - neutral), least, most))


def _moved(card: PlacedCard, turn_deg: float, end: _End) -> PlacedCard:
    """Returns a card at the place at which its print lies."""
    a = np.radians(card.heading_deg + turn_deg)
    up, right = np.array([np.cos(a), -np.sin(a)]), np.array([np.sin(a), np.cos(a)])
    x, y = right * end.off_mm[0] - up * end.off_mm[1]
    return replace(card, x_mm=card.x_mm + float(x), y_mm=card.y_mm + float(y))


def _odds(alike: Floats) -> Floats:
    """Returns log likelihoods of prints by their correlations: what a print leaves unexplained is noise, so the better
    the best one fits, the more a small difference tells.
    """
    unexplained = np.log(1 - np.clip(alike, 0.0, _BEST) ** 2)
    return np.asarray(np.maximum(_SPOTS / 2 * (unexplained.min() - unexplained), -_UNLIKE))


def _end(sheet: CardSheet, card: PlacedCard, turn_deg: float) -> _End | None:
    """Returns the correlations at one end; None if too little of the number is visible."""
    looks = _looks()
    numbers = _agreement(sheet, card, turn_deg, NUMBER_BOX, looks.numbers)
    if numbers is None:
        return None
    letters = _agreement(sheet, card, turn_deg, LETTERS_BOX, looks.letters)
    specials = _agreement(sheet, card, turn_deg, SPECIAL_BOX, looks.specials)
    # White print on a dark ground or black print on a light one: number and letters share their place and their sign.
    best, found = -2.0, (numbers, letters)
    at = 0, 0
    for sign in (1, -1):
        total = (sign * numbers).max(axis=0) - _FAR * _distances(numbers.shape[1:])
        if letters is not None:
            total = total + np.maximum((sign * letters).max(axis=0) - _LEAST_FIT, 0.0)
        if float(total.max()) > best:
            best = float(total.max())
            at = divmod(int(total.argmax()), total.shape[1])
            found = sign * numbers, None if letters is None else sign * letters
    near = slice(max(at[0] - 1, 0), at[0] + 2), slice(max(at[1] - 1, 0), at[1] + 2)
    upper, under = (None if one is None else one[:, near[0], near[1]].max(axis=(1, 2)) for one in found)
    assert upper is not None
    off_mm = at[1] / PX_PER_MM - _REACH_MM, at[0] / PX_PER_MM - _REACH_MM
    number = looks.numbers[upper.argmax()] if max(upper) > _LEAST_FIT else None
    ink = None if number is None else _ink(sheet, card, turn_deg, off_mm, number)
    return _End(upper, under, None if specials is None else specials.max(axis=(1, 2)), ink, off_mm)


def _distances(shape: tuple[int, ...]) -> Floats:
    """Returns (h, w): the squared distance in millimeters of each place from the one in the middle."""
    y, x = (np.arange(side) / PX_PER_MM - _REACH_MM for side in shape)
    return np.asarray(y[:, None] ** 2 + x[None, :] ** 2)


def _middle(sheet: CardSheet, card: PlacedCard) -> Floats | None:
    """Returns (12,): the correlations of a card's middle with the deck's large numbers; None if it is hidden."""
    ways = [
        np.abs(numbers).max(axis=(1, 2))
        for turn_deg in (0.0, 180.0)
        if (numbers := _agreement(sheet, card, turn_deg, MIDDLE_BOX, _looks().middles)) is not None
    ]
    return np.max(ways, axis=0) if ways else None


def _agreement(sheet: CardSheet, card: PlacedCard, turn_deg: float, box: Box, prints: Floats) -> Floats | None:
    """Returns (N, h, w): the correlation of each print with a card at all places near its own; None if it is hidden."""
    picture, seen = _cut(sheet, card, turn_deg, box, _REACH_MM)
    there = cv2.matchTemplate((seen > _SEEN).astype(np.float32), np.ones(prints.shape[1:], np.float32), cv2.TM_CCORR)
    hidden = there < _SHOWN * prints[0].size
    if hidden.all():
        return None
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    found = np.stack([cv2.matchTemplate(gray, one, cv2.TM_CCOEFF_NORMED) for one in prints])
    found[:, hidden] = 0.0
    return found


def _cut(
    sheet: CardSheet, card: PlacedCard, turn_deg: float, box: Box, out_mm: float, off_mm: tuple[float, float] = (0, 0)
) -> tuple[NDArray[np.uint8], Floats]:
    """Returns a part of a card with a margin, and a mask of its visible part."""
    size = round((box[2] - box[0] + 2 * out_mm) * PX_PER_MM), round((box[3] - box[1] + 2 * out_mm) * PX_PER_MM)
    middle = CARD_MM[0] / 2 - box[0] + out_mm - off_mm[0], CARD_MM[1] / 2 - box[1] + out_mm - off_mm[1]
    return cut_card(sheet, card, card.heading_deg + turn_deg, size, PX_PER_MM, middle)


def _ink(
    sheet: CardSheet, card: PlacedCard, turn_deg: float, off_mm: tuple[float, float], number: Floats
) -> Floats | None:
    """Returns (3,): the light of the ground around a number as a share of that of the white edge beside it; None if the
    edge is dark.
    """
    paper, _ = _cut(sheet, card, turn_deg, _PAPER_BOX, 0.0, off_mm)
    white = np.median(LINEAR[paper].reshape(-1, 3), axis=0)
    ground, _ = _cut(sheet, card, turn_deg, NUMBER_BOX, 0.0, off_mm)
    ink = np.median(LINEAR[ground[number < _GROUND]], axis=0)
    return None if white.min() < _DARK else np.asarray(np.clip(ink / white, 0.0, 1.2))


assert len(SPECIALS) == COLORS == RANKS
