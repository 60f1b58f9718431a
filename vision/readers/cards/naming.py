"""Identifies cards: odds for each card of the deck, from the looks of all cards together.

The number is read in the two index corners, the color from letters there, and from the inks of ground, frame and
swatch. Each number card is in the deck once: if two cards of a table seem to be the same, the more certain one gets the
name, if the other one's second choice is nearly as likely. If it is not, both keep the name, and people must decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.image.packed_net import load_net
from vision.readers.cards.corner_net import read_corners
from vision.readers.cards.crops import cut_index, cut_middle, cut_whole, cut_wide_corners, straight_share
from vision.readers.cards.deck import COLORS, COPIES, KINDS, LETTERS, NUMBER_CARDS, RANKS, SPECIALS, SWAPS
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.frames import card_frame
from vision.readers.cards.glyphs import MIDDLE_NUMBER, TEXTS, IndexCorner, cut_corner, load_lettering
from vision.readers.cards.inks import DARK, PLAIN, lit_inks
from vision.readers.cards.known_deck import KnownSigns, lab_inks
from vision.readers.cards.palette import palette_odds
from vision.readers.cards.sheet import CardSheet
from vision.readers.cards.taught_looks import CardInks, TaughtLooks, card_inks, full_inks
from vision.readers.cards.weights import FOREIGN

Floats = NDArray[Any]
Face = Literal["number", "special", "back", "foreign"]

_GIVES_WAY = 4.0
"""A second choice that is less likely by more than this, as a logarithm, does not count."""
_SURE_NUMBER = 0.35
"""The probability from which a row of ink is a number."""
_NOT_A_SWAP = -2.5
"""Letters of two colors with a lower log probability do not belong to a swap."""
_SURE_MIDDLE, _MIDDLE_SHOWN = 0.25, 0.8
"""The least probability of a number in the middle, and the least visible share of the middle."""
_EVEN = 0.5
"""A corner read as a whole counts if "none" has less probability."""
_SURELY = 0.95
"""If a corner read as a whole gives a number this probability, neither rows of ink nor the middle are read."""
_SAID, _UNSAID = 1.0, 5.0
"""The weight of the log probabilities of readings, and the largest cost of one reading."""
_OPEN, _RATHER_SPECIAL = 0.8, 1.0
"""A card on paper of which more than this share is seen, without a number, is rather a special card: by these log odds.
"""
_PALE, _WHITE = 62.0, 0.45
"""The lightness of paper, and the least share of paper on a special card."""

_FIRM = 12.0
"""The largest evidence, as a logarithm, of earlier pictures against one way of printing."""
LEAST_SHOWN = 0.55
"""The least visible share of a card that may be found to be of a standard pack."""
_FOREIGN = 1.0
"""The log odds from which a card is one of a standard pack."""
_STRAIGHT, _STRAIGHT_PAPER = 0.72, 0.4
"""The share of the visible sides of a card without a number that must be straight; white ones contrast less."""


class CardLooks(Struct, frozen=True):
    """The apparent identity of one card."""

    face: Face
    cards: Floats
    """(KINDS,): the log probability of each card of the deck, if it shows one."""


class PrintingEvidence:
    """The evidence from a table's cards on the way in which their deck prints secondary colors."""

    def __init__(self) -> None:
        self._odds = np.zeros(2)

    def weigh(self, mixed: float, halved: float) -> Floats:
        """Adds the cards of one picture; returns (2,) log probabilities of mixed inks and of halves.

        Cards that stay in place are seen again and again, so older evidence fades.
        """
        both = self._odds + np.array([mixed, halved])
        self._odds = np.clip(both - both.max(), -_FIRM, 0.0)
        return np.asarray(both - np.logaddexp(*both))


class _Signs(Struct, frozen=True):
    """The readings on one card."""

    ranks: Floats
    """(12,): log probabilities of the ranks."""
    letters: Floats
    """(12,): log probabilities of the colors."""
    inks: CardInks
    has_number: bool
    swaps: Floats
    """(6,): log probabilities of the kinds of color swaps."""


def look_at(
    sheet: CardSheet,
    cards: Sequence[PlacedCard],
    own: Sequence[KnownSigns | None],
    printing: PrintingEvidence | None = None,
    taught: TaughtLooks | None = None,
) -> tuple[CardLooks, ...]:
    """Returns the apparent identity of each card, by its looks and by the deck's way of printing secondary colors.

    Args:
        own: The signs of each card of the known deck; None for cards of any deck.
        printing: The evidence of earlier pictures of the same cards; None: there are none.
        taught: The looks of this deck in this light, if people have taught them.
    """
    any_deck = [k for k, sign in enumerate(own) if sign is None]
    read = iter(_signs_of(sheet, [cards[k] for k in any_deck]))
    signs = [next(read) if sign is None else _of_known(sign) for sign in own]
    strange = np.full(len(cards), -np.inf)
    strange[any_deck] = foreign_odds(sheet, [cards[k] for k in any_deck])
    faces: list[Face] = []
    specials: list[Floats] = []
    for card, one, sign, foreign in zip(cards, signs, own, strange > _FOREIGN, strict=True):
        known = None if sign is None else sign.specials
        if taught is not None and sign is None and not one.has_number:
            known = taught.special_odds(cut_wide_corners(sheet, card))
        if foreign and known is None:
            faces.append("foreign")
        elif one.has_number:
            faces.append("number")
        else:
            faces.append("special" if known is not None else _face_without_number(sheet, card, one.swaps))
        others = np.full(len(SPECIALS) - len(SWAPS), 2 * _NOT_A_SWAP)
        specials.append(np.concatenate([one.swaps, others]) if known is None else known)
    found = []
    of_known_deck = any(sign is not None for sign in own)
    colored = _color_odds(signs, faces, printing, taught, of_known_deck=of_known_deck)
    for card, face, one, colors, special in zip(cards, faces, signs, colored, specials, strict=True):
        odds = np.full(KINDS, -50.0)
        odds[:NUMBER_CARDS] = (colors[:, None] + one.ranks[None, :]).reshape(-1)
        if face == "special":
            odds[:] -= 50.0
            odds[NUMBER_CARDS:] = special
        elif not one.has_number and card.shown > _OPEN:
            odds -= np.logaddexp.reduce(odds)
            any_special = np.maximum(special - special.max(), -_UNSAID)
            odds[NUMBER_CARDS:] = any_special - np.logaddexp.reduce(any_special) + _RATHER_SPECIAL
        found.append(CardLooks(face, np.asarray(odds - np.logaddexp.reduce(odds))))
    return tuple(found)


def _of_known(sign: KnownSigns) -> _Signs:
    """Returns the signs of a card of the known deck in the form of those of any deck."""
    inks = tuple(np.asarray(ink, np.float64) for ink in lab_inks(sign.inks))
    return _Signs(sign.ranks, sign.letters, CardInks(inks), sign.specials is None, np.full(len(SWAPS), -12.0))


def foreign_odds(sheet: CardSheet, cards: Sequence[PlacedCard]) -> Floats:
    """Returns (N,): log odds of each card being one of a standard pack; minus infinity if too little of it is seen."""
    odds = np.full(len(cards), -np.inf)
    shown = [k for k, card in enumerate(cards) if card.shown > LEAST_SHOWN]
    if shown:
        net = _foreign_net()
        net.setInput(np.stack([whole_card(*cut_whole(sheet, cards[k])) for k in shown]))
        scores = net.forward().reshape(len(shown), 2).astype(np.float64)
        odds[shown] = scores[:, 1] - scores[:, 0]
    return odds


def whole_card(picture: NDArray[np.uint8], seen: Floats) -> Floats:
    """Returns (4, H, W) float32: a card as the net sees it, without what covers it, and the mask of what is seen."""
    there = (seen > 0.5).astype(np.float32)
    return np.concatenate([(picture.astype(np.float32) / 255 - 0.5).transpose(2, 0, 1) * there, there[None]])


@cache
def _foreign_net() -> cv2.dnn.Net:
    return load_net(FOREIGN)


def _color_odds(
    signs: Sequence[_Signs],
    faces: Sequence[Face],
    printing: PrintingEvidence | None,
    taught: TaughtLooks | None,
    *,
    of_known_deck: bool,
) -> Floats:
    """Returns (N, 12): log likelihoods of the colors of N cards, by their letters and their inks. Taught cards count as
    cards in view whose color is known.
    """
    letters = np.array([one.letters for one in signs]).reshape(-1, COLORS)
    shown = [
        one.inks if face in ("number", "special") else CardInks(()) for one, face in zip(signs, faces, strict=True)
    ]
    lessons = [] if taught is None else [(color, known) for color, known in enumerate(taught.inks) if known]
    stated = np.array([np.where(np.arange(COLORS) == color, 0.0, -_FIRM) for color, _ in lessons]).reshape(-1, COLORS)
    known = np.concatenate([letters, stated])
    inks = [*shown, *(CardInks(ink) for _, ink in lessons)]
    if of_known_deck:
        return np.asarray(letters + palette_odds(inks, known, halves=False, of_known_deck=True)[: len(signs)])
    either = [palette_odds(inks, known, halves=halves) for halves in (False, True)]
    counted = np.array([*(one.has_number for one in signs), *(True for _ in lessons)], bool)
    mixed, halved = (float((odds + known)[counted].max(axis=1).sum()) for odds in either)
    printed = (printing or PrintingEvidence()).weigh(mixed, halved)
    return np.asarray(letters + np.logaddexp(*(odds[: len(signs)] + printed[k] for k, odds in enumerate(either))))


def name_jointly(odds: Floats) -> NDArray[np.int64]:
    """Returns (N,): the card of the deck for each of N cards, from log probabilities (N, KINDS)."""
    left = odds.copy()
    names = left.argmax(axis=1) if len(left) else np.zeros(0, np.int64)
    for _ in range(4 * len(left)):
        counts = np.bincount(names, minlength=KINDS)
        for card in np.flatnonzero(counts > np.array(COPIES)):
            those = np.flatnonzero(names == card)
            seconds = np.where(np.arange(KINDS) == card, -np.inf, left[those])
            losses = left[those, card] - seconds.max(axis=1)
            weakest = int(losses.argmin())
            if losses[weakest] < _GIVES_WAY:
                left[those[weakest], card] = -np.inf
                names = left.argmax(axis=1)
                break
        else:
            break
    return np.asarray(names, np.int64)


def _signs_of(sheet: CardSheet, cards: Sequence[PlacedCard]) -> list[_Signs]:
    """Returns the readings on cards."""
    corners = read_corners(sheet, cards)
    sure = [bool(np.exp(numbers[:, :-1].max()) > _SURELY) for numbers, _ in corners]
    ends, middles = _read_rows(sheet, cards, sure), _middle_numbers(sheet, cards, sure)
    return [_combined(sheet, *one) for one in zip(cards, ends, corners, middles, strict=True)]


def _combined(
    sheet: CardSheet, card: PlacedCard, ends: Sequence[_Index], whole: tuple[Floats, Floats], middle: Floats | None
) -> _Signs:
    """Returns the combined reading of a card's corners, as rows of ink and as a whole, and of its middle."""
    ranks, letters, swaps = np.zeros(RANKS), np.zeros(COLORS), np.full(len(SWAPS), -12.0)
    corners: list[IndexCorner] = []
    best = 0.0
    for number, lettered in zip(*whole, strict=True):
        if np.exp(number[-1]) < _EVEN:
            best = max(best, float(np.exp(number[:-1].max())))
            ranks += np.maximum(_SAID * (number[:-1] - number[:-1].max()), -_UNSAID)
        if np.exp(lettered[-1]) < _EVEN:
            letters += np.maximum(_SAID * (lettered[:-1] - lettered[:-1].max()), -_UNSAID)
    for index in ends:
        corners.append(index.corner)
        said, under = index.said, index.under
        if said is None:
            continue
        best = max(best, index.number)
        if index.number > 0.2:
            ranks += np.maximum(_SAID * (said[:RANKS] - said[:RANKS].max()), -_UNSAID)
        if under is None:
            continue
        texts = under[RANKS : len(TEXTS)]
        if float(np.exp(texts).sum()) > 0.5:
            letters += np.maximum(_SAID * (texts - texts.max()), -_UNSAID)
        upper = said[RANKS : len(TEXTS)]
        swaps = np.maximum(swaps, [max(upper[a] + texts[b], upper[b] + texts[a]) for a, b in SWAPS])
    if middle is not None:
        best = max(best, min(2 * float(np.exp(middle).sum()), 1.0))
        ranks += np.maximum(_SAID * (middle - middle.max()), -_UNSAID)
    return _Signs(ranks, letters, _all_inks(sheet, card, corners), best > _SURE_NUMBER, swaps)


def _all_inks(sheet: CardSheet, card: PlacedCard, corners: Sequence[IndexCorner]) -> CardInks:
    """Returns the inks in the corners of a card and in its frame."""
    found = card_inks(corners)
    if any(np.hypot(*corner.ground[1:]) > PLAIN for corner in corners):
        return found
    if corners and all(corner.ground[0] < DARK for corner in corners):
        return replace(found, inks=(*found.inks, *full_inks(lit_inks(sheet, card))))
    frame = card_frame(sheet, card)
    return replace(found, inks=(*found.inks, *frame.inks), around=frame.around and len(frame.inks) == 1)


class _Index(Struct, frozen=True):
    """The rows of ink in one index corner."""

    corner: IndexCorner
    said: Floats | None
    """(texts + 1,): log probabilities of the topmost row's text; None without a row."""
    under: Floats | None
    """(texts + 1,): log probabilities of the text of the row under it; None without a row."""

    @property
    def number(self) -> float:
        """The probability that the topmost row is a number."""
        return 0.0 if self.said is None else float(np.exp(self.said[:RANKS]).sum())


def _read_rows(sheet: CardSheet, cards: Sequence[PlacedCard], sure: Sequence[bool]) -> list[list[_Index]]:
    """Returns for each card its visible index corners, and unless its number is sure, the rows of ink in them."""
    cut: list[tuple[int, IndexCorner]] = []
    for k, card in enumerate(cards):
        corners = (cut_corner(*cut_index(sheet, card, turn_deg)) for turn_deg in (0.0, 180.0))
        cut += [(k, corner) for corner in corners if corner is not None]
    found: list[list[_Index]] = [[] for _ in cards]
    read = iter(_said_by_rows([corner for k, corner in cut if not sure[k]]))
    for k, corner in cut:
        found[k].append(_Index(corner, *((None, None) if sure[k] else next(read))))
    return found


def _middle_numbers(sheet: CardSheet, cards: Sequence[PlacedCard], sure: Sequence[bool]) -> list[Floats | None]:
    """Returns for each card (12,): log probabilities of a large number in its middle, either way up; None if none is
    read, or the number is sure already.
    """
    cut: list[tuple[int, IndexCorner]] = []
    for k, card in enumerate(cards):
        if sure[k]:
            continue
        patch, seen = cut_middle(sheet, card)
        if float((seen > 0.5).mean()) < _MIDDLE_SHOWN:
            continue
        turned = np.ascontiguousarray(patch[::-1, ::-1]), np.ascontiguousarray(seen[::-1, ::-1])
        corners = [cut_corner(*way, MIDDLE_NUMBER) for way in ((patch, seen), turned)]
        cut += [(k, corner) for corner in corners if corner is not None]
    read: list[list[tuple[IndexCorner, Floats]]] = [[] for _ in cards]
    for (k, corner), (said, _) in zip(cut, _said_by_rows([corner for _, corner in cut]), strict=True):
        if said is not None:
            read[k].append((corner, said[:RANKS]))
    return [_number_of_ways(one) for one in read]


def _number_of_ways(read: Sequence[tuple[IndexCorner, Floats]]) -> Floats | None:
    """Returns (12,): log probabilities of a number that is read both ways up; None if none is read."""
    if not read:
        return None
    upright = [row for corner, row in read if corner.underlined()]
    if len(upright) == 1 and int(np.argmax(upright[0])) in (5, 8):
        return upright[0] if float(np.exp(upright[0]).sum()) > _SURE_MIDDLE else None
    both = np.logaddexp.reduce(np.stack([row for _, row in read]), axis=0) - np.log(2)
    both[[5, 8]] = np.logaddexp(both[5], both[8]) - np.log(2)
    return both if float(np.exp(both).sum()) > _SURE_MIDDLE else None


def _said_by_rows(corners: Sequence[IndexCorner]) -> list[tuple[Floats | None, Floats | None]]:
    """Returns the readings of the two rows of each corner, (texts + 1,) log probabilities each, agreed by most
    thresholds.
    """
    once = {id(row): row for corner in corners for rows in corner.rows for row in rows if row is not None}
    if not once:
        return [(None, None)] * len(corners)
    read = dict(zip(once, load_lettering().read(np.stack(list(once.values()))), strict=True))
    found: list[tuple[Floats | None, Floats | None]] = []
    for corner in corners:
        upper = [read[id(row)] for row, _ in corner.rows]
        under = [read[id(row)] for _, row in corner.rows if row is not None]
        found.append((_agreed(np.array(upper)) if upper else None, _agreed(np.array(under)) if under else None))
    return found


def _agreed(said: Floats) -> Floats:
    """Returns the mean of the readings of several cuts of one row; cuts that are not text hardly count."""
    odds = np.maximum(said, -_UNSAID)
    sure = (1 - np.exp(said[:, -1])) ** 4 + 0.001
    mean = (odds * sure[:, None]).sum(axis=0) / sure.sum()
    return np.asarray(mean - np.logaddexp.reduce(mean))


def _face_without_number(sheet: CardSheet, card: PlacedCard, swaps: Floats) -> Face:
    """Returns the face of a card without a certain number: specials are printed on paper, backs in color. A card on
    paper without the name of a swap is more likely a number card whose number is hidden or faint.
    """
    picture, seen = cut_whole(sheet, card)
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    pixels = lab[seen > 0.5]
    if not len(pixels):
        return "foreign"
    paper = (pixels[:, 0] > _PALE) & (np.hypot(pixels[:, 1], pixels[:, 2]) < PLAIN)
    white, straight = float(paper.mean()) > _WHITE, straight_share(lab, seen)
    if straight < (_STRAIGHT_PAPER if white else _STRAIGHT):
        return "foreign"
    if not white:
        return "back"
    return "special" if float(swaps.max()) > _NOT_A_SWAP else "number"


assert len(LETTERS) == COLORS and len(SPECIALS) > len(SWAPS)
