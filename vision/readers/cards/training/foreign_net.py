"""Fits the net that tells cards of standard packs from those of the deck. Needs PyTorch."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.readers.cards.crops import WHOLE_OUT_MM
from vision.readers.cards.deck import CARD_MM, KINDS
from vision.readers.cards.naming import whole_card
from vision.readers.cards.training.designs import BACK, PX_PER_MM, Design, draw_design
from vision.readers.cards.training.packs import FACES, StandardPack, draw_pack, suit_fonts
from vision.readers.pyramids.training.learning import block, keep

Random = np.random.Generator
Floats = NDArray[Any]

_SIZE = round(CARD_MM[0] + 2 * WHOLE_OUT_MM), round(CARD_MM[1] + 2 * WHOLE_OUT_MM)
_CARDS_EACH = 6
"""The number of cards of one printing in the set."""
_FOREIGN_SHARE, _BACK_SHARE = 0.4, 0.04
_RATE, _BATCH = 3e-3, 64


class ForeignNet(nn.Module):
    """A net from whole cards (B, 4, 96, 71) to the scores of the deck and of a standard pack (B, 2)."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            block(4, 16), nn.MaxPool2d(2), block(16, 24), nn.MaxPool2d(2), block(24, 32), nn.MaxPool2d(2),
            block(32, 48), nn.MaxPool2d(2), nn.Conv2d(48, 32, (6, 4), bias=False), nn.BatchNorm2d(32),
            nn.ReLU(inplace=True),
        )  # fmt: skip
        self.drop = nn.Dropout(0.2)
        self.head = nn.Conv2d(32, 2, 1)

    def forward(self, cards: torch.Tensor) -> torch.Tensor:
        return self.head(self.drop(self.features(cards))).flatten(1)


def seen_card(random: Random, face: NDArray[np.uint8]) -> Floats:
    """Returns a printed face as the net sees it: slightly beside its place, in some light, a part of it covered."""
    scale = 1 / PX_PER_MM * float(random.normal(1.0, 0.012))
    a = float(random.normal(0, 0.03)) + (np.pi if random.random() < 0.5 else 0.0)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) * scale
    middle = np.array(_SIZE) / 2 + random.normal(0, 1.2, 2)
    warp = np.column_stack([turn, middle - turn @ (np.array(face.shape[1::-1]) / 2)])
    fine = 3
    big = np.vstack([warp, [0, 0, 1]])
    big[:2] *= fine
    size = _SIZE[0] * fine, _SIZE[1] * fine
    picture: Floats = np.empty((size[1], size[0], 3), np.float32)
    picture[:] = random.uniform(0, 255, 3)
    cv2.warpAffine(face.astype(np.float32), big[:2], size, dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    blur = np.exp(random.normal(0.3, 0.45, 2))
    picture = cv2.GaussianBlur(picture, (0, 0), float(blur[0]), sigmaY=float(blur[1]))
    coarse = float(random.uniform(0.37, 0.85))
    small = cv2.resize(
        picture, None, fx=coarse, fy=coarse * float(random.uniform(0.75, 1.0)), interpolation=cv2.INTER_AREA
    )
    light = np.exp(random.normal(-0.08, 0.17)) * np.exp(random.normal(0, 0.07, 3))
    haze = max(0.0, float(random.normal(0, 14)))
    small = small * light.astype(np.float32) + haze
    small += random.normal(0, float(random.uniform(0.5, 6)), small.shape).astype(np.float32)
    picture = cv2.resize(np.clip(small, 0, 255), size, interpolation=cv2.INTER_LINEAR)
    card: Any = cv2.resize(picture, _SIZE, interpolation=cv2.INTER_AREA).astype(np.uint8)
    seen = np.zeros(_SIZE[::-1], np.float32)
    edge = round(WHOLE_OUT_MM + float(random.uniform(-2, 2)))
    seen[edge : _SIZE[1] - edge, edge : _SIZE[0] - edge] = 1
    if random.random() < 0.45:
        rows, columns = np.mgrid[: _SIZE[1], : _SIZE[0]].astype(np.float32)
        angle, away = float(random.uniform(0, 2 * np.pi)), float(random.uniform(6, 36))
        ahead = (columns - _SIZE[0] / 2) * np.cos(angle) + (rows - _SIZE[1] / 2) * np.sin(angle)
        seen[ahead > away] = 0
    return whole_card(card, seen)


def _examples(random: Random, designs: Sequence[Design], packs: Sequence[StandardPack], count: int) -> tuple[Any, Any]:
    cards: list[Floats] = []
    answers: list[int] = []
    while len(cards) < count:
        foreign = random.random() < _FOREIGN_SHARE
        one = packs[int(random.integers(0, len(packs)))] if foreign else designs[int(random.integers(0, len(designs)))]
        for _ in range(_CARDS_EACH):
            back = not foreign and random.random() < _BACK_SHARE
            number = BACK if back else int(random.integers(0, FACES if foreign else KINDS))
            cards.append(seen_card(random, one.face(number)))
            answers.append(int(foreign))
    return torch.from_numpy(np.stack(cards)).half(), torch.tensor(answers)


def fit_foreign(random: Random, fonts: Sequence[Path], count: int, seconds: float, path: Path) -> str:
    """Fits on cards of most fonts, writes the weights, and returns the figures for other designs, packs and fonts."""
    sets = []
    apart = list(fonts[::7])
    for some, many in (([font for font in fonts if font not in apart], count), (apart, count // 6)):
        signs = suit_fonts(some)
        designs = [draw_design(random, some) for _ in range(many // _CARDS_EACH)]
        packs = [draw_pack(random, some, signs) for _ in range(many // _CARDS_EACH)]
        sets.append(_examples(random, designs, packs, many))
    (cards_in, answers_in), (cards_out, answers_out) = sets
    net = ForeignNet()
    adam = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=0.02)
    start = time.process_time()
    while (done := (time.process_time() - start) / seconds) < 1:
        for group in adam.param_groups:
            group["lr"] = _RATE * (1 - done) + 1e-5
        some_cards = torch.randint(0, len(cards_in), (_BATCH,))
        adam.zero_grad()
        nn.functional.cross_entropy(net(cards_in[some_cards].float()), answers_in[some_cards]).backward()
        adam.step()
    net.eval()
    keep(net, path, torch.zeros(2, 4, *_SIZE[::-1]), {"cards": {0: "n"}, "answers": {0: "n"}})
    with torch.no_grad():
        scores = net(cards_out.float())
    odds = (scores[:, 1] - scores[:, 0]).numpy()
    ours, others = odds[answers_out == 0], odds[answers_out == 1]
    words = [
        f"{bound}: lost {(ours > bound).mean():.4f}, found {(others > bound).mean():.4f}" for bound in (0, 1, 2, 3, 4)
    ]
    return f"foreign: of {len(ours)} and {len(others)} cards apart, by bound {'; '.join(words)}"
