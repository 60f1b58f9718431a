"""Pictures of cards on tables that come with the tests, and what lies on them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.core.plan import Mat
from vision.image.picture import read_picture
from vision.registration.registered_image import RegisteredImage, find_table

FOLDER = Path(__file__).parents[3] / "data" / "cards"

MAT = Mat(600, 400, 40)
ROWS, FRAMES, PILE = "cards-0012", "cards-0030", "spectrumo-1"
"""Colored cards in two rows, white ones with frames in two rows, and a discard pile beside a stock."""

ON_ROWS = {
    "O2": (182, 155), "P2": (263, 148), "B6": (338, 147), "RO9": (412, 152),
    "R6": (185, 249), "YG11": (259, 248), "BP8": (344, 244),
}  # fmt: skip
"""By card, where its middle lies in millimeters."""


@cache
def table_of(name: str) -> RegisteredImage:
    """The table in one of the pictures."""
    return find_table(read_picture(FOLDER / f"{name}.jpg"), MAT)
