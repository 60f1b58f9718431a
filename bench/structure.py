"""Measures how the code is cut into files: `python -m bench structure`.

A product file is a Python module of the packages in the wheel; an `__init__` with nothing but a docstring is none. The
files of a frame's way are those whose functions run while one picture of the bundled game of Spectra is read and
judged.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from bench.figure import Figure
from companion.app.commands.watch import RecordingReferee
from companion.app.demos import load_demo
from companion.games import RECORDED
from companion.referee.journal import Journal
from vision.gate.moments import moments
from vision.sources.folder import FolderSource

ROOT = Path(__file__).parent.parent
PACKAGES = ("companion", "firmware_protocol", "hardware", "vision", "web")
LONGEST = 450
"""Lines of a file that is still read in one sitting."""


def figures() -> Iterator[Figure]:
    """Yields the files, their lengths, the fullest folders and the files of one frame's way."""
    lines = product_files()
    yield Figure("product files", len(lines), "files")
    yield Figure("their median length", median(lines.values()), "lines")
    yield Figure(f"files of more than {LONGEST} lines", sum(n > LONGEST for n in lines.values()), "files")
    for folder, count in loose_files(lines).most_common(5):
        yield Figure(f"loose files in {folder}/", count, "files")
    way = frame_way()
    yield Figure("files of one frame's way (Spectra)", len(way), "files")
    yield Figure("of these in vision/", sum(path.parts[0] == "vision" for path in way), "files")


def product_files() -> dict[Path, int]:
    """Returns the lines of each product file, by its path in the project."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text()
            if path.name != "__init__.py" or len(ast.parse(text).body) > 1:
                found[path.relative_to(ROOT)] = len(text.splitlines())
    return found


def loose_files(lines: dict[Path, int]) -> Counter[Path]:
    """Returns the number of product files in each folder that has subfolders of modules."""
    parents = {folder for path in lines for folder in path.parent.parents}
    return Counter(path.parent for path in lines if path.parent in parents and path.name != "__init__.py")


def frame_way() -> set[Path]:
    """Returns the files whose functions run while the second picture of the demo of Spectra is read and judged."""
    demo, folder = load_demo("spectra")
    recording = RECORDED[demo.game](demo.mat, demo.setup)
    found: set[Path] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            path = Path(frame.f_code.co_filename)
            if frame.f_code.co_name != "<module>" and path.is_relative_to(ROOT):
                found.add(path.relative_to(ROOT))

    with TemporaryDirectory() as kept:
        referee = RecordingReferee(demo.game, recording, Journal.open(Path(kept) / "journal.sqlite"))
        for number, moment in enumerate(moments(FolderSource(folder))):
            if number == 1:
                sys.setprofile(note)
            try:
                referee.look(moment.picture, number)
            finally:
                sys.setprofile(None)
            if number == 1:
                break
    return {path for path in found if path.parts[0] in PACKAGES}
