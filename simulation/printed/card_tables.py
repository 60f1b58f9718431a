"""Draws the cards of a position in the zones of a plan: piles with a few cards under the top one, fans, and places."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

import cv2
import numpy as np
from msgspec import Struct

from companion.core.layout import Layout, Spot
from companion.core.pieces import Card, Special
from companion.core.plan import CardZone, Plan
from companion.games.shared.cards.deck import CODES, NUMBER
from simulation.drawn.camera import Camera, camera_over, scaled
from simulation.drawn.canvas import Canvas
from simulation.drawn.ground import ground
from simulation.drawn.hand import Hand, draw_hand
from simulation.drawn.lamp import Lamp, random_lamp
from simulation.drawn.sensor import Sensor, encoded, exposed, vignette
from simulation.printed.card_decks import Deck, printed_back, printed_deck
from simulation.printed.laid import LaidPart, lay
from simulation.printed.tables import SURFACES
from vision.gate.change import Map
from vision.image.picture import Picture
from vision.readers.cards.deck import CARD_MM

BACK = "back"
"""The code of a card that lies face down."""
_GAP_MM = 5.0
"""The distance between adjacent cards that do not overlap."""
_COLUMN_MM, _DOWN_MM = 28.0, 6.0
"""The distance from one card of a column to the next on an open card, and on one that lies face down."""
_PILE = 3
"""The number of cards of a pile that are drawn, its top card included."""
_THUMB = 8
"""The number of pixels of a picture across a pixel of its thumb."""
_BACKS = 2
"""The number of face-down cards of a column that are drawn at most."""


class LaidCard(Struct, frozen=True):
    """A card on the drawn table."""

    code: str
    x_mm: float
    y_mm: float
    heading_deg: float = 90.0


def laid_cards(plan: Plan, table: Layout, down: Mapping[Spot, int], columns: bool, seed: int) -> list[LaidCard]:
    """Returns all cards from the lowest up; a card that stays on its spot lies the same way in every picture.

    Args:
        table: The face-up cards, the top card of each heap last.
        down: The number of face-down cards in each zone.
        columns: True if open zones are columns that are fanned downward; otherwise their cards lie side by side.
    """
    found: list[LaidCard] = []
    for zone in plan.zones:
        if not isinstance(zone, CardZone):
            continue
        codes = [BACK] * min(down.get(zone.spot, 0), _BACKS)
        pieces = [one.piece for one in table.heaps.get(zone.spot, ())]
        codes += [CODES[NUMBER[piece]] for piece in pieces if isinstance(piece, Card | Special)]
        places = _places(zone, codes, columns)
        if zone.kind != "cards":
            codes = codes[-_PILE:]
        for code, (x, y) in zip(codes, places, strict=False):
            rng = Random(f"{seed} {zone.spot} {code}")
            loose = 3.0 if zone.kind == "pile" else 1.0
            heading = 90 + rng.uniform(-2, 2) * loose
            found.append(LaidCard(code, x + rng.uniform(-1, 1) * loose, y + rng.uniform(-1, 1) * loose, heading))
    return found


def _places(zone: CardZone, codes: Sequence[str], columns: bool) -> Iterator[tuple[float, float]]:
    outline = np.array(zone.outline_mm)
    (x0, y0), (x1, y1) = outline.min(0), outline.max(0)
    wide, high = CARD_MM
    if zone.kind != "cards":
        x, y = outline.mean(0)
        for _ in codes:
            yield float(x), float(y)
        return
    if columns and y1 - y0 > 2 * high:
        y = float(y0) + high / 2 + 4
        for code in codes:
            yield float((x0 + x1) / 2), y
            y += _DOWN_MM if code == BACK else _COLUMN_MM
        return
    across = max(1, int((x1 - x0 - _GAP_MM) // (wide + _GAP_MM)))
    down = max(1, int((y1 - y0) // (high + _GAP_MM)))
    step = wide + _GAP_MM
    if len(codes) > across * down:
        across = -(-len(codes) // down)
        step = float(x1 - x0 - wide - 2 * _GAP_MM) / max(1, across - 1)
    for number in range(len(codes)):
        row, column = divmod(number, across)
        x = float(x0) + _GAP_MM + wide / 2 + step * column
        yield x, float(y0) + (float(y1 - y0) - down * (high + _GAP_MM)) / 2 + (high + _GAP_MM) * (row + 0.5)


class CardScene:
    """A table of which pictures are drawn; what lies the same way as in the last picture is not drawn again."""

    def __init__(
        self, plan: Plan, camera: Camera, lamp: Lamp, sensor: Sensor, surface: str, deck: Deck, back: Picture
    ) -> None:
        self._deck, self._back, self._sensor = deck, back, sensor
        self._ground = ground(camera, lamp, plan.mat, surface, 0)
        self._shade = vignette(camera.size_px, sensor.vignetting)
        self._drawn: tuple[list[LaidCard], Canvas] = [], self._ground
        self._pictures = 0

    def picture(self, cards: list[LaidCard], hand: Hand | None = None) -> Picture:
        """Returns (H, W, 3) uint8, BGR: the table with these cards, and with the hand if one is given."""
        self._pictures += 1
        before, canvas = self._drawn
        if cards[: len(before)] != before:
            before, canvas = [], self._ground
        canvas = Canvas(canvas.light.copy(), canvas.camera, canvas.lamp)
        for card in cards[len(before) :]:
            ink = self._back if card.code == BACK else self._deck(card.code)
            lay(canvas, LaidPart(ink, card.x_mm, card.y_mm, card.heading_deg))
        self._drawn = cards, canvas
        if hand is not None:
            canvas = Canvas(canvas.light.copy(), canvas.camera, canvas.lamp)
            draw_hand(canvas, hand)
        return exposed(encoded(canvas.light * self._shade), self._sensor, self._pictures)


class DrawnGame:
    """A table on which a game is played with the deck of `companion print deck`, seen from almost straight above.

    Face-down cards are not drawn.
    """

    def __init__(self, plan: Plan, seed: int) -> None:
        rng = Random(seed)
        middle = plan.mat.width_mm / 2, plan.mat.height_mm / 2
        self._camera = scaled(camera_over(plan.mat, rng.uniform(0, 18), rng.uniform(-20, 20), 1.0, 980), 1.25)
        self._plan, self._seed = plan, seed
        sensor = Sensor(0.1, rng.uniform(0.35, 0.6), rng.uniform(0.5, 2.0), 90)
        lamp, surface = random_lamp(rng, middle), rng.choice(SURFACES)
        self._scene = CardScene(plan, self._camera, lamp, sensor, surface, printed_deck, printed_back())

    def picture(self, table: Layout) -> Picture:
        """Returns a picture of the face-up cards."""
        columns = any(isinstance(zone, CardZone) and zone.spot == "pile1" for zone in self._plan.zones)
        return self._scene.picture(laid_cards(self._plan, table, {}, columns, self._seed))

    def stirred(self, spots: Collection[Spot]) -> Map:
        """Returns the number of times that a hand was over each pixel of a thumb, if it was over these zones once."""
        width, height = self._camera.size_px
        found = np.zeros((height // _THUMB, width // _THUMB), np.uint8)
        for zone in self._plan.zones:
            if isinstance(zone, CardZone) and zone.spot in spots:
                corners = np.column_stack([np.array(zone.outline_mm), np.zeros(len(zone.outline_mm))])
                outline = np.round(self._camera.project(corners) / _THUMB).astype(np.int32)
                cv2.fillPoly(found, [outline], 1)
        return found
