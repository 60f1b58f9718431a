"""A folder of a table or of a game is read beside its empty table, and without."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.pyramid_tables import BUNDLED, BUNDLED_ROWS, labeled, main

ABOUT = {
    "table": "marble",
    "mat": {"width_mm": 600, "height_mm": 400, "marker_mm": 40},
    "calibration": {
        "empty": "marble-empty.jpg",
        "sampler": {
            "file": "marble-sampler.jpg",
            "rows": [[{"color": p.color, "size": p.size} for p in row] for row in BUNDLED_ROWS],
        },
    },
}
TRUTH = json.loads((BUNDLED / "marble-scatter.json").read_text())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for picture in BUNDLED.glob("marble-*.jpg"):
        shutil.copy(picture, tmp_path)
    return tmp_path


def as_stills(folder: Path) -> None:
    (folder / "table.json").write_text(json.dumps(ABOUT))
    (folder / "still-0.json").write_text(json.dumps({"image": "marble-scatter.jpg", "truth": TRUTH}))


def test_of_a_game_only_steady_pictures_are_read(folder: Path) -> None:
    frames: list[dict[str, Any]] = [
        {"file": "frame-0000.jpg", "stable": True, "truth": TRUTH},
        {"file": "frame-0001.jpg", "stable": False, "truth": TRUTH},
    ]
    (folder / "sequence.json").write_text(json.dumps({**ABOUT, "frames": frames}))
    about, pictures = labeled(folder)
    assert about["table"] == "marble"
    assert pictures == [(folder / "frame-0000.jpg", TRUTH)]


@pytest.mark.parametrize("options", [[], ["--plain"]])
def test_each_folder_has_a_row_with_its_figures(
    folder: Path, options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    as_stills(folder)
    monkeypatch.setattr(sys, "argv", ["pyramid_tables", str(folder), *options])
    main()
    head, row, whole, *_ = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["pics", "pieces", "F1"]
    name, figures = row[: row.index("marble") + len("marble")], row[row.index("marble") + len("marble") :].split()
    assert name == f"{folder.name}, marble"
    pictures, pieces, f1, _, _, _, precision, median_ms, longest_ms = map(float, figures)
    assert (pictures, pieces) == (1, len(TRUTH["stacks"]) + len(TRUTH["lying"]))
    assert f1 > 0.7
    assert precision > 0.8
    assert 0 < median_ms <= longest_ms
    assert whole.split()[:3] == ["all", "1", f"{pieces:.0f}"]
