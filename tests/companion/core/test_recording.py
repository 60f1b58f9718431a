"""The file beside a recording: what is read of it, and what is said when it is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from companion.core.foundation.errors import BadPlan
from companion.core.plan import TileBoard
from companion.core.recording import RecordingFile, load_recording_file
from companion.games import RECORDED
from companion.games.spectrangle.manifest import recorded

MAT = {
    "width_mm": 440,
    "height_mm": 400,
    "marker_mm": 40,
    "visible_ids": [0, 1, 2, 3],
    "corners_px": [[0, 0], [9, 0], [9, 9], [0, 9]],
}


def write(tmp_path: Path, data: object) -> Path:
    path = tmp_path / "sequence.json"
    path.write_text(json.dumps(data))
    return path


def test_only_mat_and_setup_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, {"mat": MAT, "setup": {"players": 2}, "frames": 7, "truth": {"anything": "at all"}})
    file = load_recording_file(path)
    assert file.mat.mat().width_mm == 440
    assert dict(file.setup) == {"players": 2}


def test_clicked_corners_count_only_where_a_marker_is_hidden(tmp_path: Path) -> None:
    seen = load_recording_file(write(tmp_path, {"mat": MAT})).mat
    hidden = load_recording_file(write(tmp_path, {"mat": {**MAT, "visible_ids": [0, 1, 2]}})).mat
    assert seen.clicked_px() is None
    assert hidden.clicked_px() == ((0, 0), (9, 0), (9, 9), (0, 9))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "cannot be used"),
        ("[]", "cannot be used"),
        ("{}", "mat"),
        ('{"mat": {"width_mm": "wide"}}', "width_mm"),
        ('{"mat": {"width_mm": 440, "height_mm": 400', "cannot be used"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(BadPlan, match=says) as caught:
        load_recording_file(path)
    assert "broken.json" in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match=r"nowhere\.json"):
        load_recording_file(tmp_path / "nowhere.json")


def test_a_mat_out_of_bounds_is_refused(tmp_path: Path) -> None:
    file = load_recording_file(write(tmp_path, {"mat": {**MAT, "width_mm": -1}}))
    with pytest.raises(BadPlan, match="width_mm"):
        file.mat.mat()


def test_hands_in_sight_are_told_and_hands_out_of_sight_are_not(tmp_path: Path) -> None:
    mat = load_recording_file(write(tmp_path, {"mat": MAT})).mat
    hands = [["GGY4", "PPB4", "YYB5", "BBP5"], ["RYB1", "BBR5", "BBY4", "GRB3"]]
    shown = recorded(mat, {"players": 2, "hands_shown": True, "hands": hands, "board": None})
    hidden = recorded(mat, {"players": 3, "hands": None})
    assert (shown.draws, shown.options["hands"], shown.position) == (
        "told",
        "open",
        {"hands": tuple(map(tuple, hands)), "to_move": 0},
    )
    assert (hidden.draws, hidden.options["hands"], hidden.position) == ("unseen", "unseen", None)
    assert len(hidden.names) == 3


def test_the_boards_place_is_taken_over(tmp_path: Path) -> None:
    mat = load_recording_file(write(tmp_path, {"mat": MAT})).mat
    begun = recorded(mat, {"players": 2, "board": {"apex": [1, 2], "left": [3, 4], "right": [5, 6]}})
    assert begun.plan.zones == (TileBoard(((1, 2), (3, 4), (5, 6))),)


@pytest.mark.parametrize(
    "setup", [{}, {"players": 9}, {"players": 2, "hands": [["GGY4"]]}, {"players": 2, "board": {"apex": 3}}]
)
def test_a_setup_that_contradicts_itself_is_refused(tmp_path: Path, setup: dict[str, object]) -> None:
    mat = load_recording_file(write(tmp_path, {"mat": MAT})).mat
    with pytest.raises(BadPlan):
        recorded(mat, setup)


def test_the_example_of_the_document_is_a_setup() -> None:
    text = (
        (Path(__file__).parents[3] / "docs" / "records.md")
        .read_text(encoding="utf-8")
        .partition("\n## Recordings\n")[2]
    )
    example = re.search(r"```json\n(.*?)```", text, re.S)
    assert example is not None
    file = msgspec.json.decode(example[1].encode(), type=RecordingFile)
    found = RECORDED["ice-stalks"](file.mat, file.setup)
    assert found.names == ("Ada", "Ben")
    assert set(re.findall(r"^\| `([a-z-]+)` \|", text, re.M)) >= {"spectrangle", "spectra", "ice-stalks"}
