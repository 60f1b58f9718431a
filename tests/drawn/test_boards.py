"""Drawn boards come with labels that say where their pawns stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from companion.core.pieces import PRIMARIES
from simulation.drawn.boards import labeled_board, main
from vision.image.picture import Picture
from vision.readers.pawns.training.samples import classes_of, labeled_table, read_samples
from vision.readers.pawns.wheel import SPACES


@pytest.fixture(scope="module")
def board() -> tuple[Picture, dict[str, Any]]:
    return labeled_board(8)


def test_the_same_seed_writes_the_same_board_and_each_pawn_changes_the_crop_of_its_space(
    tmp_path: Path, board: tuple[Picture, dict[str, Any]]
) -> None:
    assert CliRunner().invoke(main, [str(tmp_path), "--count", "1", "--seed", "8"]).exit_code == 0
    (path,) = tmp_path.glob("*.json")
    label = json.loads(path.read_text())
    assert label == board[1]
    samples = read_samples([tmp_path])
    assert samples.classes[0].tolist() == classes_of(label)
    changed = np.abs(samples.change[0].astype(np.float32))[:, 15:-15, 15:-15].max(-1).mean((1, 2))
    there = samples.classes[0] > 0
    assert there.sum() == len(label["truth"]["pawns"])
    assert np.median(changed[there]) > 3 * np.median(changed[~there])


def test_a_label_leads_to_its_table(board: tuple[Picture, dict[str, Any]]) -> None:
    picture, label = board
    table = labeled_table(picture, label)
    corners = table.pose.project(np.array([(x, y, 0.0) for x, y in table.mat.corners_mm()]))
    assert np.abs(corners - label["mat"]["corners_px"]).max() < 1.5
    assert {pawn["color"] for pawn in label["truth"]["pawns"]} <= set(PRIMARIES)
    assert all(any(s.color == p["path"] and s.ring == p["space"] for s in SPACES) for p in label["truth"]["pawns"])
