"""The recipes of the demos: the drawn game is refereed event by event, and a folder holds what a demo needs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.commands.watch import Referee
from companion.journal import Journal
from companion.plans import PLANS
from companion.recording import Recording
from tests.drawn import demo
from tests.drawn.camera import camera_over
from tests.drawn.demo import GAME, NAMES, ice_stalks_moments, main
from tests.drawn.eyes import TruthEyes


def test_every_event_of_the_drawn_game_is_told_where_the_reading_is_exact(tmp_path: Path) -> None:
    plan = PLANS["ice-stalks"](2)
    eyes = TruthEyes(plan)
    journal = Journal.open(tmp_path / "journal.sqlite")
    try:
        referee = Referee("ice-stalks", Recording(NAMES, {}, None, plan, "told"), journal, reader=eyes)
        told = []
        for number, moment in enumerate(ice_stalks_moments(camera_over(plan.mat, 38))):
            if moment.hand is None:
                eyes.now = moment.layout
                told += referee.look(np.zeros((2, 2, 3), np.uint8), number)
        scores = [score.total for score in referee.table.state.scores()]
    finally:
        journal.close()
    placed = [one for one in told if one.words is not None and one.words["type"] in ("place", "take")]
    assert len(placed) == sum("places" in line or "takes" in line for line in GAME)
    assert [one.words["rule"] for one in placed if not one.words["legal"]] == ["ICE-6", "ICE-11"]
    assert sum("was put back" in one.text for one in told) == 2
    assert all(one.words is not None for one in told)
    assert scores == [7, 0]


def test_a_demo_is_written_as_pictures_and_what_must_be_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "GAME", GAME[:2])
    done = CliRunner().invoke(main, ["ice-stalks", str(tmp_path / "ice")])
    assert done.exit_code == 0, done.output
    assert [path.name for path in sorted((tmp_path / "ice").glob("*.jpg"))] == [
        "frame-0000.jpg",
        "frame-0001.jpg",
        "frame-0002.jpg",
    ]
    about = json.loads((tmp_path / "ice" / "demo.json").read_text())
    assert about["setup"]["stalks"] == [110, 110, 530, 370]
    assert [player["name"] for player in about["setup"]["players"]] == list(NAMES)


def test_a_recording_is_copied_without_what_it_tells(tmp_path: Path) -> None:
    source, target = tmp_path / "from", tmp_path / "to"
    source.mkdir()
    (source / "frame-0003.jpg").write_bytes(b"picture")
    mat = {"width_mm": 600, "height_mm": 400, "marker_mm": 40, "dictionary": "DICT_4X4_50", "corners_px": []}
    setup = {"players": [{"color": "red"}], "zones": "a note"}
    (source / "sequence.json").write_text(json.dumps({"mat": mat, "setup": setup, "frames": [{"truth": {}}]}))
    done = CliRunner().invoke(main, ["record", str(source), str(target), "--game", "spectra", "--title", "Spectra"])
    assert done.exit_code == 0, done.output
    assert (target / "frame-0000.jpg").read_bytes() == b"picture"
    about = json.loads((target / "demo.json").read_text())
    assert set(about) == {"game", "title", "names", "mat", "setup"}
    assert about["setup"] == {"players": [{"color": "red"}]}
    assert "corners_px" not in about["mat"]
