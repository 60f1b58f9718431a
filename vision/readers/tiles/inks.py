"""Determines the color of a sector by a model of ink, lamp and glare that gives likelihoods.

The camera sees ink as `shade * ink + glare`: shade is the light that falls there, glare is a mirrored lamp or window
that adds about the same to all channels. Both are unknown and summed over, so a dim corner or a veil of glare makes a
reading less certain instead of wrong. Inks are reflectances relative to white paper; each picture corrects them.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.pose import Floats

LETTERS = "RGBYPW"
"""The letters of the inks, in the order used in this package."""

INKS: Floats = np.array(
    [
        [0.060, 0.054, 0.95],
        [0.121, 0.451, 0.050],
        [0.639, 0.147, 0.049],
        [0.054, 0.95, 1.36],
        [0.392, 0.072, 0.303],
        [1.17, 1.18, 1.22],
    ]
)
"""(6, 3): the usual reflectance as B, G, R, relative to a marker's white minus its black; printed plastic exceeds
paper.
"""

SHADES: Floats = np.exp(np.linspace(-1.8, 1.2, 13))
"""Light on a tile relative to the light that the markers predict there."""
GLARES: Floats = np.array([0.0, 0.02, 0.045, 0.09, 0.16, 0.26, 0.4, 0.6, 0.9, 1.35, 2.0, 3.0])
"""Mirrored light on a tile relative to white paper."""
_GLARE_COST = np.array([0.0, 0.4, 0.9, 1.5, 2.1, 2.7, 3.3, 3.9, 4.5, 5.1, 5.7, 6.3])
"""The negative log prior of each glare."""
_GLARE_RANGE = 0.5
"""The spread of log glare between the sectors of one tile."""
_GLARE_DRIFT = 0.7
"""The spread of log glare from one cell to the next."""
_GLARE_LOCAL = -0.7
"""The log weight of the neighborhood against the prior of any glare."""
_HAZE = 0.012
"""The number added before the root, so that noise in the dark counts little."""
_SIGMA = 0.055
"""The deviation of a sector from its ink in root space: print, noise and color subsampling together."""
_TINT = 0.15
"""The share of glare by which its channels differ, since glare is seldom purely white."""
_SPREAD = 0.5
"""The share of a sector's inner spread by which its median is uncertain."""
_TAIL = 4.0
"""The degrees of freedom of the error's distribution: some sectors are far off (a shadow, a scratch, a finger)."""


class InkPalette(Struct, frozen=True):
    """The inks of one picture."""

    inks: tuple[tuple[float, float, float], ...]
    """The reflectance of the six inks as B, G, R in this picture."""
    board: tuple[float, float, float]
    """The reflectance of the board's bare surface."""
    shade: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The log of the usual shade at the board's middle, and its slopes over a board's half width along u and v."""
    shade_sigma: float = 0.6


def root(reflectance: NDArray[np.floating]) -> NDArray[np.floating]:
    """Returns the cube root, in which errors are about equally large for all reflectances."""
    rooted: NDArray[np.floating] = np.cbrt(np.maximum(reflectance, 0) + _HAZE)
    return rooted


def log_likelihoods(color: Floats, spread: Floats, ceiling: Floats, inks: Floats) -> NDArray[np.float32]:
    """Returns (N, 3, inks, shades, glares): the fit of each ink to each sector under each shade and glare.

    Args:
        color: (N, 3, 3) sector colors.
        spread: (N, 3).
        ceiling: (N, 3) saturation.
        inks: (K, 3).
    """
    shades, glares = SHADES.astype(np.float32), GLARES.astype(np.float32)
    seen = root(color).astype(np.float32)
    inner = (_SPREAD * spread[:, :, None] / (3 * seen**2)) ** 2 / _SIGMA**2
    top = np.maximum(ceiling, 0.05).astype(np.float32)
    shape = (len(color), 3, len(inks), SHADES.size, GLARES.size)
    squares, volume = np.zeros(shape, np.float32), np.ones(shape, np.float32)
    for channel in range(3):
        made = inks[:, channel].astype(np.float32)[:, None, None] * shades[:, None] + glares
        made = np.minimum(made[None], top[:, channel, None, None, None])
        expected = np.cbrt(made + np.float32(_HAZE))
        tint = np.float32(_TINT / 3 / _SIGMA) * glares / (expected * expected)
        variance = (1 + tint * tint)[:, None] + inner[:, :, channel, None, None, None].astype(np.float32)
        off = seen[:, :, channel, None, None, None] - expected[:, None]
        squares += off * off / variance
        volume *= variance
    squares *= np.float32(1 / (_SIGMA**2 * _TAIL))
    return np.asarray(np.float32(-0.5 * (_TAIL + 3)) * np.log1p(squares) - np.float32(0.5) * np.log(volume))


def shared_glare(fits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the array with each sector's own glare summed over, given the tile's glare, from which it differs
    little.
    """
    levels = log_glare(GLARES)
    kernel = np.exp(-0.5 * ((levels[:, None] - levels[None]) / _GLARE_RANGE) ** 2)
    kernel = (kernel / kernel.sum(1, keepdims=True)).astype(np.float32)
    top = fits.max(-1, keepdims=True)
    # A plain sum, not a matrix product: products of this size wake a second thread of the linear algebra library,
    # which costs more than it saves when other work runs beside it.
    spread = np.einsum("...g,hg->...h", np.exp(fits - top), kernel, optimize=False)
    return np.asarray(np.log(spread + np.float32(1e-30)) + top)


def log_glare(glare: Floats) -> Floats:
    """Returns the log of glare, shifted so that no glare is not infinitely far from a little."""
    return np.asarray(np.log(glare + 0.03))


def log_prior(away: Floats, palette: InkPalette, around: Floats | None = None) -> Floats:
    """Returns (N, shades, glares): the log prior of shade and glare at board places `away` (N, 2), in half widths.

    Args:
        around: (N,) log glare of the neighborhood; mirrored lamps are larger than one tile.
    """
    usual = palette.shade[0] + away @ np.array(palette.shade[1:])
    off = (np.log(SHADES)[None] - usual[:, None]) / palette.shade_sigma
    shade = -0.5 * np.minimum(off**2, 25)
    glare = np.broadcast_to(-_GLARE_COST, (len(away), GLARES.size))
    if around is not None:
        near = -0.5 * ((log_glare(GLARES)[None] - around[:, None]) / _GLARE_DRIFT) ** 2
        glare = np.logaddexp(glare, near + _GLARE_LOCAL) - np.log1p(np.exp(_GLARE_LOCAL))
    return np.asarray(shade[:, :, None] + glare[:, None, :])
