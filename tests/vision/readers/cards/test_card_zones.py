"""The zones of a plan with cards in them, and which of them a hand was over."""

from __future__ import annotations

import cv2
import numpy as np

from companion.core.pieces import Card
from companion.core.plan import CardZone
from companion.core.recording import RecordedMat
from companion.games.spectrumo.manifest import recorded
from tests.vision.readers.cards.tables import MAT, PILE, table_of
from vision.gate.change import THUMB_PX
from vision.readers.cards.zones import read_card_zones, visits_of_zones

SETUP = {"players": 2, "table_card": "B8", "discard": [308, 153, 388, 257], "stock": [212, 153, 292, 257]}


def zones() -> tuple[CardZone, ...]:
    plan = recorded(RecordedMat(MAT.width_mm, MAT.height_mm, MAT.marker_mm), SETUP).plan
    return tuple(zone for zone in plan.zones if isinstance(zone, CardZone))


def test_a_pile_is_its_top_card_and_a_stock_tells_nothing() -> None:
    seen = read_card_zones(table_of(PILE), zones())
    assert [one.piece for one in seen.heaps["discard"]] == [Card("yellow", 12)]
    assert "stock" not in seen.heaps


def test_a_hand_over_the_stock_has_visited_the_stock_alone() -> None:
    table = table_of(PILE)
    stirred = np.zeros((round(THUMB_PX * table.picture.shape[0] / table.picture.shape[1]), THUMB_PX), np.uint8)
    middle = table.pose.project(np.array([[252.0, 205.0, 0.0]]))[0] * THUMB_PX / table.picture.shape[1]
    cv2.circle(stirred, (round(middle[0]), round(middle[1])), 8, 1, -1)
    assert visits_of_zones(table, zones(), stirred) == {"stock": 1}
    assert visits_of_zones(table, zones(), 3 * stirred) == {"stock": 3}
    assert visits_of_zones(table, zones(), np.zeros_like(stirred)) == {}
