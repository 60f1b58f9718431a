"""The recipes of the demos: the drawn game is refereed event by event, and a folder holds what a demo needs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from companion.app.commands.watch import RecordingReferee, ToldVerdict
from companion.core.contract import Rolled
from companion.core.pieces import Die
from companion.core.recording import RecordedMat, Recording
from companion.games import PLANS, RECORDED
from companion.games.roll_and_color.game import ROLL_AND_COLOR
from companion.games.roll_and_color.moves import Reroll
from companion.games.roll_and_color.situation import KINDS
from companion.games.roll_and_color.state import lying
from companion.games.shared.cards.deck import PIECES, number_of
from companion.referee.journal import Journal
from simulation.drawn import demo, roll_demo, spectrum_demo
from simulation.drawn.camera import camera_over
from simulation.drawn.demo import GAME, NAMES, ice_stalks_moments, main
from simulation.drawn.eyes import TruthEyes
from simulation.printed import solitaire_demo
from tests.companion.app.commands.test_demo import BEGINNINGS
from vision.table_reader import TableReader


def refereed(
    folder: Path, game: str, recording: Recording, moments: Iterable[Any]
) -> tuple[list[ToldVerdict], list[float]]:
    """What is told of a drawn game whose pictures are read exactly, and its scores."""
    eyes = TruthEyes(recording.plan)
    journal = Journal.open(folder / "journal.sqlite")
    try:
        referee = RecordingReferee(game, recording, journal, reader=eyes)
        told = []
        for number, moment in enumerate(moments):
            if moment.hand is None:
                eyes.show(moment)
                told += referee.look(np.zeros((2, 2, 3), np.uint8), number)
        return told, [score.total for score in referee.table.session.state.scores()]
    finally:
        journal.close()


def test_every_event_of_the_drawn_game_is_told_where_the_reading_is_exact(tmp_path: Path) -> None:
    plan = PLANS["ice-stalks"](2)
    recording = Recording(NAMES, {}, None, plan, "told")
    told, scores = refereed(tmp_path, "ice-stalks", recording, ice_stalks_moments(camera_over(plan.mat, 38)))
    placed = [one for one in told if one.words is not None and one.words["type"] in ("place", "take")]
    assert len(placed) == sum("places" in line or "takes" in line for line in GAME)
    assert [one.words["rule"] for one in placed if not one.words["legal"]] == ["ICE-6", "ICE-11"]
    assert sum("was put back" in one.text for one in told) == 2
    assert all(one.words is not None for one in told)
    assert scores == [0, 6]


def test_every_event_of_the_drawn_spectrum_is_told_or_asked_where_the_reading_is_exact(tmp_path: Path) -> None:
    setup = spectrum_demo.spectrum_setup()
    recording = RECORDED["spectrum"](msgspec.convert(setup["mat"], RecordedMat), setup["setup"])
    told, stars = refereed(tmp_path, "spectrum", recording, spectrum_demo.spectrum_moments())
    lines = [line for step in spectrum_demo.GAME for line in step]
    events = [one for one in told if one.words is not None and one.words["type"] != "take_back"]
    assert len(events) == len(lines)
    refused = [one.words["rule"] for one in events if not one.words["legal"]]
    assert refused == ["BRD-17"] and sum(line.startswith("not: ") for line in lines) == 1
    assert sum("was put back" in one.text for one in told) == 1
    assert sum(one.text.startswith("Which was it: ") for one in told) == 1
    assert sum("To be played: 1 space" in one.text for one in told) == 2
    assert stars == [3, 2]


def test_the_drawn_roll_and_color_breaks_the_rules_exactly_where_it_says() -> None:
    state = ROLL_AND_COLOR.start(2, ROLL_AND_COLOR.Options())
    tray: dict[int, Die] = {}
    wrong = []
    for step in roll_demo.GAME:
        if isinstance(step, roll_demo.Word):
            state = state.apply(ROLL_AND_COLOR.parse(state, step.text))
            continue
        shown = {n: Die(KINDS[n - 1], color) for n, color in zip(step.dice, step.shows.split(), strict=True)}
        if not state.rolled:
            state = state.apply(Rolled(tuple(shown.values())))
        else:
            assert step.seat == state.turn
            breaches = state.violations(Reroll(state.turn, step.dice))
            assert bool(breaches) == step.wrong
            if step.wrong:
                wrong += [breach.rule for breach in breaches]
                continue
            state = state.apply(Reroll(state.turn, step.dice)).apply(Rolled(tuple(shown.values())))
        tray |= shown
        assert lying(state) == tuple(tray[n] for n in sorted(tray))
    assert wrong == ["ROL-3"]
    assert [score.total for score in state.scores()] == [20, 6]


@pytest.mark.parametrize("game", [pytest.param("spectrum", marks=pytest.mark.sweep), "roll-and-color"])
def test_a_drawn_table_is_read_as_it_is(game: str) -> None:
    """Two pictures of each demo through the real readers: every pawn and every die, sure or not."""
    if game == "spectrum":
        setup = spectrum_demo.spectrum_setup()
        moments, pictures = list(spectrum_demo.spectrum_moments()), spectrum_demo.spectrum_pictures()
    else:
        setup = roll_demo.roll_setup()
        moments, pictures = list(roll_demo.roll_moments()), roll_demo.roll_pictures()
    reader = TableReader(RECORDED[game](msgspec.convert(setup["mat"], RecordedMat), setup["setup"]).plan)
    looked = 0
    for moment, picture in zip(moments[:6], pictures, strict=False):
        if moment.hand is None:
            assert not moment.layout.differences(reader.read(picture).layout)
            looked += 1
    assert looked == 3


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


def test_some_pictures_of_a_recording_are_copied_smaller(tmp_path: Path) -> None:
    source, target = tmp_path / "from", tmp_path / "to"
    source.mkdir()
    noise = np.random.default_rng(1).integers(0, 255, (80, 120, 3)).astype(np.uint8)
    for number in range(3):
        cv2.imwrite(str(source / f"frame-{number}.jpg"), noise)
    mat = {"width_mm": 600, "height_mm": 400, "marker_mm": 40, "dictionary": "DICT_4X4_50"}
    setup = {"players": 2, "table_card": "B8", "discard": [1, 2, 3, 4], "zones": "a note"}
    (source / "sequence.json").write_text(json.dumps({"mat": mat, "setup": setup}))
    options = ["--pictures", "0,2", "--quality", "30", "--table-card", "G8"]
    words = ["record", str(source), str(target), "--game", "spectrumo", "--title", "Spectrumo", *options]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    copied = sorted(target.glob("*.jpg"))
    assert [path.name for path in copied] == ["frame-0000.jpg", "frame-0001.jpg"]
    assert copied[0].stat().st_size < (source / "frame-0.jpg").stat().st_size
    about = json.loads((target / "demo.json").read_text())
    assert about["setup"] == {"players": 2, "table_card": "G8", "discard": [1, 2, 3, 4]}


def test_the_drawn_solitaire_breaks_one_rule_and_is_read_as_it_is() -> None:
    moments = list(solitaire_demo.solitaire_moments())
    assert len(moments) == len(solitaire_demo.GAME) + 4
    reader = TableReader(solitaire_demo.PLAN)
    (picture,) = solitaire_demo.solitaire_pictures(moments[:1])
    seen = reader.read(picture).layout
    for spot, heap in moments[0].layout.heaps.items():
        assert [one.piece for one in seen.heaps[spot]] == [one.piece for one in heap]


def test_the_demo_of_solitaire_names_only_cards_that_are_drawn() -> None:
    moments = list(solitaire_demo.solitaire_moments())
    cards = [one.piece for moment in moments for heap in moment.layout.heaps.values() for one in heap]
    lines = [line for line in BEGINNINGS["solitaire"][1] if "turned up" in line]
    assert len(lines) == 3
    for line in lines:
        for code in line.removesuffix(".").split("turned up ")[1].split(", "):
            assert PIECES[number_of(code)] in cards
