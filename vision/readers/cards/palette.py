"""The inks of the deck in view and the light on them, found together with the color of each card.

Inks differ from printing to printing and from lamp to lamp, but not card by card: a lamp that turns one red toward
orange turns all of them. The twelve inks of a picture are one Gaussian vector whose spread over many printings and
lamps is known; each card with a likely color tells about its own ink and, by the spread, about the other eleven. A card
is judged by the inks that all other cards suggest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.cards.deck import COLORS
from vision.readers.cards.known_deck import known_inks
from vision.readers.cards.taught_looks import CardInks
from vision.readers.cards.weights import INKS

Floats = NDArray[Any]

_NOISE = np.array([6.0, 5.0, 5.0])
"""The spread in CIELAB of one ink in one picture: lightness changes with glare and place, color hardly does."""
_DARKER, _PALER = 0.12, 0.1
"""The spread of the light on a card, and of the white in an ink, as shares."""
_BLACK, _PAPER = np.array([-16.0, 0.0, 0.0]), np.array([100.0, 0.0, 0.0])
"""CIELAB's point from which a darker ink is the same direction, and that of paper."""
_LOOSE = np.array([5.0, 2.5, 2.5])
"""The spread of an ink beyond the one in training."""
_STRAY = 9.0
"""The largest evidence in nats of one ink against a color, because glare and blur mix inks."""
_ROUNDS = 4
_ONE_INK, _ONE_SPOT = -0.7, -4.0
"""The log probability, for each ink, that a card of two halves shows only one of them; and that a whole spot does."""
_BLENDED = -1.4
"""The log probability that the camera blends the two halves of a spot."""
_OTHER_PRINTER = 0.5
"""The spread of the inks of a known deck, which another printer prints, as a share of that of all decks."""


class _Printings(Struct, frozen=True, eq=False):
    """The twelve inks over printings and lamps."""

    mean: Floats
    """(36,)"""
    spread: Floats
    """(36, 36)"""
    precision: Floats
    noise: Floats
    """(12, 3, 3): the spread of one measurement of each ink."""


def palette_odds(cards: Sequence[CardInks], known: Floats, *, halves: bool, of_known_deck: bool = False) -> Floats:
    """Returns (N, 12): log likelihoods of the colors of N cards.

    Args:
        cards: The inks of each card; none: its color is not visible.
        known: (N, 12): the log probabilities of the colors by other signs, such as letters.
        halves: True if a secondary color is printed as its two primaries.
        of_known_deck: True if the cards are those of `companion print deck`, measured on white paper.
    """
    printings = _printings(of_known_deck=of_known_deck)
    count = len(cards)
    owners = np.array([k for k, card in enumerate(cards) for _ in card.inks], int)
    if not len(owners):
        return np.zeros((count, COLORS))
    inks = np.array([ink for card in cards for ink in card.inks], float)
    in_spot = np.array([card.spot and not k for card in cards for k in range(len(card.inks))], bool)
    around = np.array([card.around for card in cards], bool)
    whole = np.broadcast_to(printings.spread, (count, *printings.spread.shape))
    means = np.broadcast_to(printings.mean, (count, len(printings.mean)))
    for left in reversed(range(_ROUNDS + 1)):
        centers, reaches = means[owners].reshape(-1, COLORS, 3), _blocks(whole, printings.noise)[owners]
        if halves:
            centers, reaches = (
                np.concatenate([one, (one[:, ::2] + np.roll(one[:, ::2], -1, 1)) / 2], 1) for one in (centers, reaches)
            )
        each = _likelihoods(inks, centers, reaches)
        odds, shares = _card_odds(each, owners, in_spot, around, halves=halves)
        if left:
            weights = np.einsum("oc,ocd->od", _shares(odds + known)[owners], shares)
            means, whole = _suggested(printings, inks, owners, weights, count)
    return odds


def _suggested(
    printings: _Printings, inks: Floats, owners: NDArray[np.int64], weights: Floats, count: int
) -> tuple[Floats, Floats]:
    """Returns means (N, 36) and spreads (N, 36, 36) of the twelve inks, for each card as all others suggest them.

    Args:
        owners: (M,): the card of each ink.
        weights: (M, 12): the probability that an ink is this one of the twelve.
    """
    exact, before = np.linalg.inv(printings.noise), printings.precision
    amount, pull = np.zeros((count, COLORS)), np.zeros((count, COLORS, 3))
    np.add.at(amount, owners, weights)
    np.add.at(pull, owners, weights[:, :, None] * np.einsum("mi,cij->mcj", inks, exact))
    amount, pull = amount.sum(axis=0) - amount, pull.sum(axis=0) - pull
    each = np.arange(COLORS)
    more = np.zeros((count, COLORS, 3, COLORS, 3))
    more[:, each, :, each, :] = amount.T[:, :, None, None] * exact[:, None]
    spreads = np.linalg.inv(more.reshape(count, *before.shape) + before)
    push = pull.reshape(count, -1) + before @ printings.mean
    return np.einsum("nij,nj->ni", spreads, push), spreads


def _blocks(spreads: Floats, noise: Floats) -> Floats:
    """Returns (N, 12, 3, 3): the spread of each ink, with that of one measurement."""
    each = np.arange(COLORS)
    parts = spreads.reshape(-1, COLORS, 3, COLORS, 3)[:, each, :, each, :]
    return np.asarray(parts.transpose(1, 0, 2, 3) + noise)


def _likelihoods(inks: Floats, means: Floats, spreads: Floats) -> Floats:
    """Returns (M, K): log likelihoods of M inks by means (M, K, 3) and spreads, at most `_STRAY` apart."""
    away = inks[:, None, :] - means
    cost = np.einsum("oci,oci->oc", away, np.linalg.solve(spreads, away[..., None])[..., 0])
    odds = -0.5 * (cost + np.linalg.slogdet(spreads)[1])
    return np.asarray(np.maximum(odds - odds.max(axis=1, keepdims=True), -_STRAY))


def _card_odds(
    each: Floats, owners: NDArray[np.int64], in_spot: NDArray[np.bool_], around: NDArray[np.bool_], *, halves: bool
) -> tuple[Floats, Floats]:
    """Returns (N, 12), the log likelihoods of the cards' colors, and (M, 12, 12), the ink of the twelve that each
    measured ink is, if its card has a color.

    Args:
        each: (M, 12): the log likelihoods of the twelve inks; in a deck of halves (M, 18), the blends of two halves
            after them.
    """
    count = len(around)
    shares = np.broadcast_to(np.eye(COLORS), (len(each), COLORS, COLORS)).copy()
    odds = np.zeros((count, COLORS))
    if not halves:
        np.add.at(odds, owners, each)
        return odds, shares
    evens = np.arange(0, COLORS, 2)
    np.add.at(odds, (owners[:, None], evens[None, :]), each[:, evens])
    parts = np.bincount(owners[~in_spot], minlength=count)
    spotted = np.zeros(count, bool)
    spotted[owners[in_spot]] = True
    for color in range(1, COLORS, 2):
        ends = np.array([color - 1, (color + 1) % COLORS])
        pair, blend = each[:, ends], each[:, COLORS + color // 2] + _BLENDED
        first = pair[:, 0] > pair[:, 1]
        blended = in_spot & (blend > pair.max(axis=1) + _ONE_SPOT)
        shares[:, color] = 0
        shares[np.arange(len(each)), color, np.where(first, ends[0], ends[1])] = ~blended
        np.add.at(odds[:, color], owners, np.where(blended, blend, pair.max(axis=1)))
        seen = np.zeros((count, 2), bool)
        seen[owners[~blended], (~first[~blended]).astype(int)] = True
        alone = np.zeros(count, bool)
        alone[owners[in_spot & ~blended]] = True
        both = seen.all(axis=1)
        odds[:, color] += np.where(alone, _ONE_SPOT, 0.0) + np.where(around & ~both, _ONE_SPOT, 0.0)
        odds[:, color] += np.where(both | spotted | around, 0.0, _ONE_INK * parts)
    return odds, shares


def _shares(odds: Floats) -> Floats:
    values = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(values / values.sum(axis=1, keepdims=True))


@cache
def _printings(*, of_known_deck: bool) -> _Printings:
    with np.load(INKS) as file:
        mean, spread = file["means"].astype(np.float64).reshape(-1), file["together"].astype(np.float64)
    loose = np.diag(np.tile(_LOOSE**2, COLORS))
    if of_known_deck:
        mean = known_inks().reshape(-1)
        spread, loose = spread * _OTHER_PRINTER**2, loose * _OTHER_PRINTER**2
    return _Printings(mean, spread + loose, np.linalg.inv(spread + loose), _noise(mean.reshape(COLORS, 3)))


def _noise(means: Floats) -> Floats:
    """Returns (12, 3, 3): the spread of one measurement of inks (12, 3), which the light on a card darkens, and glare
    and the paper beside narrow print make pale.
    """
    dark, pale = (_DARKER * (means - _BLACK), _PALER * (means - _PAPER))
    return np.asarray(np.diag(_NOISE**2) + sum(one[:, :, None] * one[:, None, :] for one in (dark, pale)))
