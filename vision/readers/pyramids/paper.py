"""Paper pyramids of the printed kits on a board: each stack that its game builds is drawn with its print, and compared
with the picture.

The nets know translucent plastic. On paper, fold lines and pips look like the contours of further levels, and white
paper on a white cell like the bare board. The print itself is known, so what stands in a cell is found by drawing it.
Where the print explains the pieces no better than plain sides do, they are plastic, and nothing is changed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES
from vision.image.light import LINEAR, Light
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.readers.pyramids.board_stacks import BoardStacks
from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined
from vision.readers.pyramids.weighing import Weigher

Floats = NDArray[Any]

FILE = WEIGHTS / "paper.npz"
"""The printed sides, written by `python -m simulation.printed.known_prints`."""
SIDE_PX = 24
"""The width and height of the picture of a side."""
PAPER, _PLASTIC, _DECIDED = 3.0, -8.0, 16.0
"""Evidence in nats from which a board's pieces are paper, surely plastic, and surely paper."""
_EACH = 4.0
"""One piece counts at most so much of it."""
_PLAIN = 6.0
"""It counts for paper only if it is so much likelier than the bare board, in nats: else neither is what is seen."""
_NATS = 0.01
"""Nats for a unit of cost: neighboring pixels err together."""
_CAP, _SIGMA = 9.0, 0.05
"""The largest cost of a pixel, and its error as a square root of light."""
_MARGIN_PX, _BLUR_PX = 6, 0.5
_VEIL = 0.005
"""Light that gloss adds to each side."""
_GAINS = (0.15, 0.95)
"""The least and the most light on a side, as a share of that on the table."""
_SHADOWS = (1.0, 0.85, 0.7, 0.55)
"""How light a shadow on the table may be, as square roots of light."""
_REFINED, _STEPS = 6, ((0.6, 2.0), (0.3, 1.0))
"""So many of the best guesses are moved by these steps in millimeters and degrees."""
_SURE = 0.98
"""A guess that is surer is not moved."""
_UNEVEN = 0.06
"""A vacant cell is evener than this: the standard deviation of the square root of its light."""
_PRESENT = 6.0
"""A piece in a cell that seems vacant must be so much likelier than the bare board, in nats."""
_EXPLAINED = 0.3
"""A lying piece of which stacks show so much is none."""
_RIVAL, _NEVER = 0.002, -30.0


class Drawn(NamedTuple):
    """A guess drawn into the picture."""

    cost: float
    """The sum over the pixels around the place."""
    stack: StackHypothesis
    color: str


class PaperPyramids(Struct, frozen=True):
    """The paper stacks on a board in one picture."""

    board: BoardStacks
    picture: Picture
    pose: Pose
    light: Light
    weigher: Weigher
    """Looks for contours with the weights of `board_stacks.FILE`."""
    _looks: dict[StackHypothesis, tuple[_View, list[Drawn]]] = field(default_factory=dict)
    """The guesses at each place, drawn once for the evidence and for the names."""

    def evidence(self, found: Iterable[FoundPieces], so_far: float) -> float:
        """Returns the evidence in nats that a picture's pieces are paper: positive if their print is seen.

        Args:
            so_far: The evidence of earlier pictures. Where it decides already, no piece is looked at.
        """
        for one in found:
            if not _PLASTIC < so_far < _DECIDED:
                break
            if self._spot(one) is None:
                continue
            view, guesses = self._look(one.place)
            best = min(guesses, key=lambda guess: guess.cost)
            gain = (view.cost(best.stack, best.color, printed=False) - best.cost) * _NATS
            most = _EACH if view.gain([best]) > _PLAIN else 0.0
            so_far += min(max(gain, -_EACH), most)
        return so_far

    def among(self, found: Sequence[FoundPieces], kept: Sequence[FoundPieces]) -> list[FoundPieces]:
        """Returns the same things, those in cells as the likeliest paper stacks, and stacks that no net found.

        Args:
            kept: Things of earlier pictures that still stand where they stood.
        """
        # The print makes tall stacks look like large pieces that lie there; nothing lies where a stack explains more.
        lying = [one for one in found if one.place.lies]
        known = [self._named(one) if self._spot(one) else one for one in found if not one.place.lies]
        new = self._overlooked([*known, *kept])
        stands = [*known, *new, *kept]
        taken, shown = {self._spot(one) for one in stands}, self._shown(stands)
        rest = [one for one in lying if self._cell(one) not in taken - {None}]
        return [*known, *new, *(one for one in rest if shown[self._shown([one])].mean() < _EXPLAINED)]

    def _spot(self, found: FoundPieces) -> str | None:
        return None if found.place.lies else self._cell(found)

    def _cell(self, found: FoundPieces) -> str | None:
        return self.board.grid.spot_at(found.place.x_mm, found.place.y_mm)

    def _look(self, place: StackHypothesis) -> tuple[_View, list[Drawn]]:
        """Returns the part of the picture around a place, and the board's stacks drawn into it."""
        if place not in self._looks:
            sizes = dict.fromkeys(one.sizes for one in self.board.stacks)
            shapes = [replace(place, sizes=one, lies=False) for one in sizes]
            moved = self.weigher.around(shapes, self.pose).moved(shapes)
            view = _View(self.picture, self.pose, self.light, moved)
            self._looks[place] = view, view.drawn(self.board)
        return self._looks[place]

    def _named(self, found: FoundPieces) -> FoundPieces:
        view, guesses = self._look(found.place)
        return _found(view.refined(guesses), found.presence, self.pose)

    def _overlooked(self, there: Sequence[FoundPieces]) -> list[FoundPieces]:
        """Returns the stacks in cells that seem vacant and are not even."""
        taken = {self._spot(one) for one in there}
        hidden = self._shown(there)
        new = []
        for spot, (x, y) in self.board.grid.middles().items():
            piece = StackHypothesis(x, y, 0.0, ("medium",))
            if spot in taken or not self._uneven(piece, hidden):
                continue
            turn = self.weigher.around([piece], self.pose).turned(replace(piece, sizes=("large",)))
            view, drawn = self._look(replace(piece, turn_deg=turn))
            guesses = view.refined(drawn)
            gain = view.gain(guesses)
            if gain > _PRESENT:
                new.append(_found(guesses, 1 / (1 + math.exp(_PRESENT - gain)), self.pose))
        return new

    def _shown(self, things: Iterable[FoundPieces]) -> NDArray[np.bool_]:
        """Returns the pixels (h, w) of the picture that show these things."""
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        for one in things:
            for piece in one.outline_px:
                cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(piece).astype(np.int32)), 1)
        return mask > 0

    def _uneven(self, piece: StackHypothesis, hidden: NDArray[np.bool_]) -> bool:
        """Returns true if the picture varies where a piece would be seen; what other things hide does not count."""
        outline = outlines([piece], self.pose)[0][0]
        mask = np.zeros(hidden.shape, np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(outline).astype(np.int32)), 1)
        seen = (mask > 0) & ~hidden
        if seen.sum() < mask.sum() / 2 or not seen.any():
            return False
        white = self.light.white(np.array([[piece.x_mm, piece.y_mm]]))[0]
        return float(np.sqrt(LINEAR[self.picture[seen]] / white).mean(-1).std()) > _UNEVEN


def _found(guesses: Sequence[Drawn], presence: float, pose: Pose) -> FoundPieces:
    """Returns the likeliest guess, with the others as its rivals."""
    ordered = sorted(guesses, key=lambda one: one.cost)
    share = np.exp(-_NATS * np.array([one.cost - ordered[0].cost for one in ordered]))
    share *= presence / share.sum()
    tones = [
        np.tile(np.where(np.array(PYRAMID_COLORS) == one.color, 0.0, _NEVER), (len(one.stack.sizes), 1))
        for one in ordered
    ]
    rivals = tuple(
        Rival(one.stack, float(chance), tone)
        for one, chance, tone in zip(ordered[1:], share[1:], tones[1:], strict=True)
        if chance > _RIVAL
    )
    best = ordered[0].stack
    return FoundPieces(best, float(share[0]), rivals, (), tones[0], *outlined(best, pose))


@cache
def _sides(printed: bool) -> Mapping[tuple[str, str], Floats]:
    """Returns by color and size the picture (h, w, 3) of a side: its light as a share of that of white paper.

    Args:
        printed: False for sides without letters, pips and fold lines.
    """
    with np.load(FILE) as file:
        sides = (file["sides"].astype(np.float32) / 255) ** 2 / 0.86
    if not printed:
        sides = np.broadcast_to(np.median(sides, axis=(2, 3), keepdims=True), sides.shape)
    return {
        (color, size): sides[c, s] for c, color in enumerate(PYRAMID_COLORS) for s, size in enumerate(PYRAMID_SIZES)
    }


class _View:
    """The part of a picture that shows the guesses at one place."""

    def __init__(self, picture: Picture, pose: Pose, light: Light, stacks: Sequence[StackHypothesis]) -> None:
        self._pose, self._stacks = pose, stacks
        corners = outlines(stacks, pose)
        flat = np.concatenate([one.reshape(-1, 2) for one in corners])
        limit = np.array(picture.shape[1::-1])
        self._low = np.clip(np.floor(flat.min(0)).astype(int) - _MARGIN_PX, 0, limit)
        high = np.clip(np.ceil(flat.max(0)).astype(int) + _MARGIN_PX + 1, self._low + 1, limit + 1)
        part = picture[self._low[1] : high[1], self._low[0] : high[0]]
        white = light.white(np.array([[stacks[0].x_mm, stacks[0].y_mm]]))[0]
        self._seen = np.sqrt(np.clip(LINEAR[part] / white, 0, 4)).astype(np.float32)
        union = np.zeros(self._seen.shape[:2], np.uint8)
        for one in corners:
            for piece in one:
                cv2.fillConvexPoly(union, cv2.convexHull(np.rint(piece - self._low).astype(np.int32)), 1)
        self._around = cv2.dilate(union, np.ones((3, 3), np.uint8)) > 0
        """(h, w): the pixels that count."""
        tones = np.clip(self._seen * 200, 0, 255).astype(np.uint8)
        hidden = cv2.dilate(union, np.ones((5, 5), np.uint8))
        table = cv2.inpaint(tones, hidden, 3, cv2.INPAINT_TELEA).astype(np.float32) / 200
        away = np.stack([((self._seen - table * shade) ** 2).sum(-1) for shade in _SHADOWS]).min(0)
        self._bare_cost: Floats = np.minimum(away / _SIGMA**2, _CAP)
        """(h, w): the cost of each pixel if it shows the board, in whatever shadow."""

    def gain(self, guesses: Sequence[Drawn]) -> float:
        """Returns how much likelier the best guess is than the bare board, in nats."""
        return float(self._bare_cost[self._around].sum() - min(guess.cost for guess in guesses)) * _NATS

    def drawn(self, board: BoardStacks) -> list[Drawn]:
        """Returns each stack of a board in each of its colors."""
        by_sizes = {stack.sizes: stack for stack in self._stacks}
        kinds = dict.fromkeys((one.sizes, color) for one in board.stacks for color in one.colors)
        return [Drawn(self.cost(by_sizes[sizes], color), by_sizes[sizes], color) for sizes, color in kinds]

    def refined(self, guesses: Sequence[Drawn]) -> list[Drawn]:
        """Returns the same guesses, the best ones moved to where they fit; all others gain as much as these do."""
        ordered = sorted(guesses, key=lambda one: one.cost)
        share = np.exp(-_NATS * np.array([one.cost - ordered[0].cost for one in ordered]))
        if share[0] > _SURE * share.sum():
            return ordered
        moved = [self._moved(one) for one in ordered[:_REFINED]]
        gain = float(np.median([old.cost - new.cost for old, new in zip(ordered, moved, strict=False)]))
        return [*moved, *(one._replace(cost=one.cost - gain) for one in ordered[_REFINED:])]

    def _moved(self, best: Drawn) -> Drawn:
        for mm, deg in _STEPS:
            for _ in range(2):
                before = best
                for step in ((mm, 0, 0), (-mm, 0, 0), (0, mm, 0), (0, -mm, 0), (0, 0, deg), (0, 0, -deg)):
                    stack = best.stack.moved(*step)
                    best = min(best, Drawn(self.cost(stack, best.color), stack, best.color), key=lambda one: one.cost)
                if best is before:
                    break
        return best

    def cost(self, stack: StackHypothesis, color: str, printed: bool = True) -> float:
        """Returns the sum of squared errors, each at most `_CAP`, of the picture against a drawn stack.

        Each of the four directions in which its sides look has its own light, as bright as fits best.
        """
        sides, faces = self._faces(stack, color, printed)
        inside = (faces > 0).astype(np.float32)
        softened = np.maximum(cv2.GaussianBlur(inside, (0, 0), _BLUR_PX), 0.2)[..., None]
        sides = cv2.GaussianBlur(sides, (0, 0), _BLUR_PX) / softened
        cost = self._bare_cost.copy()
        for face in range(1, 5):
            mine = faces == face
            if not mine.any():
                continue
            side, seen = sides[mine], self._seen[mine]
            fit = float((side * (seen**2 - _VEIL)).sum()) / max(float((side * side).sum()), 1e-6)
            told = np.sqrt(np.clip(fit, *_GAINS) * side + _VEIL)
            cost[mine] = np.minimum(((seen - told) ** 2).sum(-1) / _SIGMA**2, _CAP)
        return float(cost[self._around].sum())

    def _faces(self, stack: StackHypothesis, color: str, printed: bool) -> tuple[Floats, NDArray[np.uint8]]:
        """Returns the sides (h, w, 3) as paper shows them, and the number of the one in each pixel (h, w) or 0."""
        h, w = self._seen.shape[:2]
        sides, faces = np.zeros((h, w, 3), np.float32), np.zeros((h, w), np.uint8)
        eye, corners = self._pose.eye_mm(), outlines([stack], self._pose)[0] - self._low
        for size, solid, flat in zip(stack.sizes, stack.points(), corners, strict=True):
            print_ = _sides(printed)[color, size]
            for face, (a, b) in enumerate(((0, 1), (1, 2), (2, 3), (3, 0)), 1):
                normal = np.cross(solid[b] - solid[a], solid[4] - solid[a])
                middle = solid[[a, b, 4]].mean(0)
                outward = normal if normal @ (middle - solid.mean(0)) > 0 else -normal
                if outward @ (eye - middle) <= 0:
                    continue
                target = flat[[4, a, b]].astype(np.float32)
                (x0, y0), (x1, y1) = (
                    np.maximum(np.floor(target.min(0)).astype(int) - 1, 0),
                    np.ceil(target.max(0)).astype(int) + 2,
                )
                mask = np.zeros((h, w), np.uint8)
                cv2.fillConvexPoly(mask, np.rint(target * 16).astype(np.int32), 1, shift=4)
                part = np.s_[y0 : min(y1, h), x0 : min(x1, w)]
                own = mask[part] > 0
                if not own.any():
                    continue
                matrix = cv2.getAffineTransform(_CORNERS, target - np.array([x0, y0], np.float32))
                drawn = cv2.warpAffine(
                    print_, matrix, own.shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
                )
                sides[part][own], faces[part][own] = drawn[own], face
        return sides, faces


_CORNERS = np.array([[SIDE_PX / 2, 0], [0, SIDE_PX], [SIDE_PX, SIDE_PX]], np.float32) - 0.5
"""The tip and the foot of a side in its picture."""
