"""A few turns of each game through the whole pipeline; longer runs are `python -m simulation.drawn.games`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.core.layout import Detection, Layout
from companion.core.pieces import Pyramid
from companion.core.plan import Plan
from simulation.drawn import refereed
from simulation.drawn.alone import Alone
from simulation.drawn.games import main, write
from simulation.drawn.readings import games_of
from simulation.drawn.refereed import Failure, Refereed, Setting
from simulation.drawn.step import Step
from simulation.drawn.tally import Tally
from vision.calibration.calibration import Calibration
from vision.table_reader import TableReader

GAMES = ("spectra", "ice-stalks")


@pytest.mark.parametrize("game", ["spectra", pytest.param("ice-stalks", marks=pytest.mark.sweep)])
def test_a_game_is_drawn_watched_read_and_refereed(game: str, tmp_path: Path) -> None:
    played = Refereed(Setting(game, steps=2, table="grey cloth", tilt_deg=35, seats=2), 4)
    played.run()
    counts = played.tally.counts
    assert played.tally.outcomes.total() == 2
    assert counts["readings"] == 3
    assert counts["pictures"] >= 3
    assert (counts["hands read"], counts["not read"], counts["no table"]) == (0, 0, 0)
    for failure in played.failures:
        write(failure, game, tmp_path)
    assert len(list(tmp_path.glob("*-read.jpg"))) == len(played.failures)


def test_a_table_that_is_shown_empty_first_is_read_beside_its_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    known = []

    def noted(plan: Plan, calibration: Calibration | None) -> TableReader:
        known.append(calibration)
        return TableReader(plan, calibration)

    monkeypatch.setattr(refereed, "TableReader", noted)
    Refereed(Setting("ice-stalks", steps=1, table="oak", seats=2, calibrated=True), 2).run()
    assert known[0] is not None and known[0].empty.noise > 0


@pytest.mark.parametrize("game", GAMES)
def test_exact_layouts_are_refereed_rightly(game: str) -> None:
    total = Tally()
    for seed in range(3):
        played = Refereed(Setting(game, steps=8, eyes="truth", seats=2), seed)
        played.run()
        total.merge(played.tally)
    assert total.counts["exact"] == total.counts["readings"] > 0
    assert total.of("wrong") == 0
    assert total.of("right") >= 0.8 * total.outcomes.total()


@pytest.mark.parametrize("game", GAMES)
def test_eyes_that_err_lead_to_questions_and_never_to_accusations(game: str) -> None:
    total = Tally()
    for seed in range(4):
        played = Refereed(Setting(game, steps=8, eyes="doubting", seats=2, faults=2.0), seed)
        played.run()
        total.merge(played.tally)
    assert total.counts["exact"] < total.counts["readings"]
    assert total.of("accused") == 0
    assert total.of("right") >= 0.6 * total.outcomes.total()


@pytest.mark.parametrize("game", GAMES)
def test_a_referee_that_nobody_corrects_accuses_nobody_either(game: str) -> None:
    total = Tally()
    for seed in range(3):
        played = Alone(Setting(game, steps=8, eyes="doubting", seats=2), seed)
        played.run()
        total.merge(played.tally)
    assert total.of("accused") == 0
    assert total.of("right") >= 0.5 * total.outcomes.total()


@pytest.mark.parametrize("game", GAMES)
def test_a_referee_that_sees_exactly_needs_nobody(game: str) -> None:
    played = Alone(Setting(game, steps=8, eyes="truth", seats=2), 2)
    played.run()
    assert played.tally.of("right") >= 0.8 * played.tally.outcomes.total()
    assert played.tally.of("wrong", "accused") == 0


@pytest.mark.parametrize("game", GAMES)
def test_the_command_prints_the_sums(game: str) -> None:
    done = CliRunner().invoke(main, ["--game", game, "--games", "2", "--steps", "4", "--eyes", "truth"])
    assert done.exit_code == 0, done.output
    assert "games 2, pictures 10" in done.output
    assert "false accusations" in done.output


def test_a_game_that_was_read_once_is_judged_again_without_pictures(tmp_path: Path) -> None:
    kept = tmp_path / "readings.jsonl"
    setting = ["--game", "ice-stalks", "--steps", "2", "--table", "oak", "--seats", "2", "--games", "1", "--seed", "3"]
    drawn = CliRunner().invoke(main, [*setting, "--record", str(kept)])
    assert drawn.exit_code == 0, drawn.output
    assert [one.seed for one in games_of(kept)] == [3]
    again = CliRunner().invoke(main, ["--readings", str(kept)])
    assert again.exit_code == 0, again.output
    told, told_again = ([line for line in one.output.splitlines() if "right" in line] for one in (drawn, again))
    assert told_again == told


def test_either_a_game_or_readings_are_needed() -> None:
    done = CliRunner().invoke(main, [])
    assert done.exit_code == 2
    assert "--readings" in done.output


def test_a_failure_says_how_to_play_it_again(tmp_path: Path) -> None:
    drew = {"player": 0, "type": "draw", "took": {"color": "red", "size": "small"}}
    step = Step("legal", (), (drew,), (), None, None, (0.0, 0.0))
    truth = Layout(heaps={"seat0.supply": (Detection.sure(Pyramid("red", "small")),)})
    failure = Failure(17, 5, "silent", step, (), truth, Layout(heaps={"seat0.supply": ()}), None, None, ())
    assert failure.line.startswith("seed 17 turn 5: silent (legal, misread): ")
    write(failure, "spectra", tmp_path)
    note = (tmp_path / "spectra-17-5-silent.txt").read_text()
    assert "seat0.supply" in note and "red" in note
