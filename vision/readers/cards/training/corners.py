"""Fits the net that reads an index corner as a whole, on corners cut from drawn scenes. Needs PyTorch."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from vision.readers.cards.corner_net import ANSWERS, VIEW_PX, corner_view, cut_view
from vision.readers.cards.deck import CARD_MM, COLORS, NUMBER_CARDS, RANKS
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.sheet import CELL_PX, CardSheet
from vision.readers.cards.training.designs import Design, draw_design
from vision.readers.cards.training.scenes import PX_PER_MM, LaidCard, Scene, draw_scene
from vision.readers.pyramids.training.learning import block, half, keep

Random = np.random.Generator
Floats = NDArray[Any]

_WHOLE, _GONE = 0.9, 0.45
"""With this visible share a number is one; with less than the second share there is none; others are left out."""
_NONE_SHARE = 0.25
"""The share of the corners without a number that are kept."""
_SHOWN, _MOSTLY = 0.1, 0.6
"""The least visible share of a card that counts, and that of a card whose place is found well."""
_OFF_MM, _OFF_DEG = (2.2, 1.0), (2.4, 1.6)
"""The standard deviations of the finder's places and headings, of mostly hidden cards and of others."""
_EVERY = 9
"""One font of so many is kept apart."""
_APART = 28
"""The corners that are kept apart are fewer by this factor."""
_RATE, _BATCH = 2e-3, 96


_Corner = tuple[NDArray[np.uint8], NDArray[np.uint8], int, int]
"""A view, its mask, the number and the letters."""


class CornerSamples(Struct, frozen=True):
    """Views of corners with their answers."""

    pictures: NDArray[np.uint8]
    """(N, H, W, 3) BGR."""
    masks: NDArray[np.uint8]
    """(N, H, W): 255 where the card is visible."""
    numbers: NDArray[np.int64]
    """(N,): 0 to 11, or 12 for none."""
    letters: NDArray[np.int64]
    """(N,): the color by the letters, or 12 for none."""


def _corners_of(scene: Scene, design: Design, random: Random) -> list[_Corner]:
    """Returns the corners of a scene's cards, each as it would be cut after its card was found, with its answers."""
    sheet = CardSheet(scene.picture, np.zeros(tuple(side // CELL_PX for side in scene.owner.shape), bool), (0.0, 0.0))
    found = []
    for k, card in enumerate(scene.cards):
        mine = scene.owner == k
        if card.shown < _SHOWN:
            continue
        cells = _cells(mine, random)
        whole = card.shown > _MOSTLY
        for turn_deg in (0.0, 180.0):
            answer = _answer(mine, card, turn_deg, design)
            if answer is None or (answer[0] == RANKS and random.random() > _NONE_SHARE):
                continue
            off = random.normal(0, _OFF_MM[whole] * float(random.uniform(0.3, 1.0)), 2)
            heading = card.heading_deg + float(random.normal(0, _OFF_DEG[whole]))
            place = PlacedCard(card.x_mm + off[0], card.y_mm + off[1], heading, card.shown, cells)
            picture, seen = cut_view(sheet, place, turn_deg)
            found.append((picture, (255 * seen).astype(np.uint8), *answer))
    return found


def _cells(mine: NDArray[np.bool_], random: Random) -> Floats:
    """Returns the cells of the table that show a card, with errors like those of the finder."""
    cells = mine[CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX].astype(np.float32)
    if random.random() < 0.5:
        cells[random.random(cells.shape) < float(random.uniform(0, 0.08))] = 0
    return cells


def _answer(mine: NDArray[np.bool_], card: LaidCard, turn_deg: float, design: Design) -> tuple[int, int] | None:
    """Returns the number and the letters at one end of a card; None if they are neither seen nor covered."""
    if not 0 <= card.card < NUMBER_CARDS:
        return RANKS, COLORS
    color, rank = divmod(card.card, RANKS)
    (x, y), high = design.index_at_mm, design.index_mm
    wide = high * (0.7 if rank >= 9 else 0.4)
    number = _seen(mine, card, turn_deg, (x - wide, y - high / 2, x + wide, y + high / 2))
    if number < _GONE:
        return RANKS, COLORS
    if number < _WHOLE:
        return None
    if design.below != "letters":
        return rank, COLORS
    low = y + high * 0.77 + 0.6
    under = _seen(mine, card, turn_deg, (x - wide, low, x + wide, low + design.below_mm))
    return None if _GONE <= under < _WHOLE else (rank, color if under >= _WHOLE else COLORS)


def _seen(mine: NDArray[np.bool_], card: LaidCard, turn_deg: float, box_mm: tuple[float, float, float, float]) -> float:
    """Returns the visible share of a box of a card's face, 0 to 1."""
    x, y = np.meshgrid(np.linspace(box_mm[0], box_mm[2], 7), np.linspace(box_mm[1], box_mm[3], 7))
    a = np.radians(card.heading_deg + turn_deg - 90)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    off = np.column_stack([x.ravel() - CARD_MM[0] / 2, y.ravel() - CARD_MM[1] / 2])
    at = np.floor((np.array([card.x_mm, card.y_mm]) + off @ turn.T) * PX_PER_MM).astype(int)
    inside = ((at >= 0) & (at < len(mine))).all(axis=1)
    return float(mine[at[inside, 1], at[inside, 0]].sum()) / len(at)


def _draw_corners(random: Random, designs: Sequence[Design], count: int) -> CornerSamples:
    """Returns corners of cards of these designs."""
    found: list[_Corner] = []
    while len(found) < count:
        design = designs[int(random.integers(0, len(designs)))]
        for _ in range(4):
            found += _corners_of(draw_scene(random, design), design, random)
    pictures, masks, numbers, letters = zip(*found[:count], strict=True)
    return CornerSamples(np.stack(pictures), np.stack(masks), np.array(numbers), np.array(letters))


class CornerNet(nn.Module):
    """A net from views of corners (B, 4, 80, 64) to scores (B, ANSWERS)."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            block(4, 24), nn.MaxPool2d(2), block(24, 40), block(40, 40), nn.MaxPool2d(2),
            block(40, 64), block(64, 64), nn.MaxPool2d(2), block(64, 96), block(96, 96),
            nn.Conv2d(96, 24, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU(inplace=True),
            nn.Conv2d(24, 64, (10, 8), bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.drop = nn.Dropout(0.1)
        self.head = nn.Conv2d(64, ANSWERS, 1)

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        return self.head(self.drop(self.features(views))).flatten(1)


def _varied(samples: CornerSamples, chosen: NDArray[np.int64], random: Random) -> torch.Tensor:
    """Returns (B, 4, H, W): views in other colors and slightly beside their place, since letters have any ink."""
    views = []
    for k in chosen:
        picture = samples.pictures[k]
        if random.random() < 0.7:
            picture = picture[..., random.permutation(3)]
        if random.random() < 0.5:
            picture = np.uint8(255) - picture
        warp = np.array([[1 + random.normal(0, 0.03), random.normal(0, 0.02), random.normal(0, 2.0)],
                         [random.normal(0, 0.02), 1 + random.normal(0, 0.03), random.normal(0, 2.0)]])  # fmt: skip
        both: Floats = cv2.warpAffine(
            np.dstack([picture, samples.masks[k]]), warp, VIEW_PX, borderMode=cv2.BORDER_REPLICATE
        )
        views.append(corner_view(both[..., :3], both[..., 3].astype(np.float32) / 255))
    return torch.from_numpy(np.stack(views))


def fit_corners(random: Random, fonts: Sequence[Path], counts: tuple[int, int], seconds: float, path: Path) -> str:
    """Fits on corners of most fonts, writes the weights, and returns the figures for those of the other fonts.

    Args:
        counts: The numbers of designs and of corners.
    """
    apart = fonts[::_EVERY]
    known = [font for font in fonts if font not in apart]
    sets = []
    for some, share in ((known, 1), (apart, _APART)):
        designs = [draw_design(random, some) for _ in range(max(counts[0] // share, 1))]
        sets.append(_draw_corners(random, designs, counts[1] // share))
    return _fit(random, sets[0], sets[1], seconds, path)


def _fit(random: Random, samples: CornerSamples, apart: CornerSamples, seconds: float, path: Path) -> str:
    net = CornerNet()
    mean = get_ema_multi_avg_fn(0.998)
    slow = AveragedModel(net, multi_avg_fn=mean, use_buffers=True)
    adam = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=0.02)
    start, step = time.process_time(), 0
    while (done := (time.process_time() - start) / seconds) < 1:
        for group in adam.param_groups:
            group["lr"] = _RATE * min(1.0, (step + 1) / 200) * (1 - done) + 1e-5
        chosen = random.integers(0, len(samples.numbers), _BATCH)
        views = _varied(samples, chosen, random)
        adam.zero_grad()
        with half():
            scores = net(views.contiguous(memory_format=torch.channels_last))
        scores = scores.float()
        numbers = torch.from_numpy(samples.numbers[chosen])
        letters = torch.from_numpy(samples.letters[chosen])
        loss = nn.functional.cross_entropy(scores[:, : RANKS + 1], numbers, label_smoothing=0.02)
        loss = loss + nn.functional.cross_entropy(scores[:, RANKS + 1 :], letters, label_smoothing=0.02)
        loss.backward()
        adam.step()
        slow.update_parameters(net)
        step += 1
    keep(slow.module.eval(), path, torch.zeros(2, 4, *VIEW_PX[::-1]), {"views": {0: "n"}, "answers": {0: "n"}})
    return f"corners: {step} steps, {_figures(slow.module, apart)}"


def _figures(net: nn.Module, samples: CornerSamples) -> str:
    """Returns the share of numbers and of letters that a net reads right, as words."""
    net.eval()
    scores = []
    with torch.no_grad():
        for at in range(0, len(samples.numbers), _BATCH):
            part = slice(at, at + _BATCH)
            both = zip(samples.pictures[part], samples.masks[part], strict=True)
            views = [corner_view(picture, mask.astype(np.float32) / 255) for picture, mask in both]
            scores.append(net(torch.from_numpy(np.stack(views))).numpy())
    said = np.concatenate(scores)
    numbers, letters = said[:, : RANKS + 1].argmax(1), said[:, RANKS + 1 :].argmax(1)
    numbered, lettered = samples.numbers < RANKS, samples.letters < COLORS
    return (
        f"numbers {(numbers == samples.numbers)[numbered].mean():.4f}, none {(numbers == RANKS)[~numbered].mean():.4f},"
        f" letters {(letters == samples.letters)[lettered].mean():.4f}"
    )
