"""Recorded games that come with the project, each a folder of pictures and a `demo.json`.

The pictures are renders of a table. Their contents are not written down here: the demo reads them from the pictures.
`python -m simulation.drawn.demo` writes such folders.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.kept_file import decode_json
from companion.core.recording import RecordedMat

DEFAULT = "spectrangle"
"""The demo that is shown if none is named."""

_FOLDER = Path(__file__).parent


class Demo(Struct, frozen=True):
    """One recorded game."""

    game: str
    title: str
    names: tuple[str, ...]
    mat: RecordedMat
    setup: Mapping[str, Any]


def demo_names() -> list[str]:
    """Returns the names of games that have a demo."""
    return sorted(path.parent.name for path in _FOLDER.glob("*/demo.json"))


def load_demo(name: str) -> tuple[Demo, Path]:
    """Returns a demo and the folder of its pictures.

    Raises:
        WrongUsage: There is no demo of that name.
    """
    if name not in demo_names():
        raise WrongUsage(f'There is no demo "{name}". Choose one of: {", ".join(demo_names())}.')
    folder = _FOLDER / name
    return decode_json((folder / "demo.json").read_bytes(), Demo), folder
