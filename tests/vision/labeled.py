"""The labeled pictures of Spectrangle tables that come with the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.core.plan import Mat
from vision.image.picture import Picture, read_picture

FOLDER = Path(__file__).parent.parent / "data" / "spectrangle"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
MAT = Mat(440, 400, 40)

Corners = tuple[tuple[float, float], ...]


def load(name: str) -> tuple[Picture, dict[str, Any]]:
    """A picture and its label."""
    return read_picture(FOLDER / f"{name}.jpg"), json.loads((FOLDER / f"{name}.json").read_text())


def clicked(label: dict[str, Any]) -> Corners | None:
    """Corners as a person would click them, where a marker is hidden."""
    hidden = len(label["mat"]["visible_ids"]) < 4
    return tuple((x, y) for x, y in label["mat"]["corners_px"]) if hidden else None
