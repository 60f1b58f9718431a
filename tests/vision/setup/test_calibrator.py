"""A table is set up step by step: what each step learns, and what it says when something is wrong."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from companion.core.foundation.errors import SeeError
from companion.core.layout import Layout
from companion.core.pieces import Die, Pyramid
from companion.core.plan import DiceTray, Plan
from companion.core.protocols.calibration import Calibrator, StillStanding
from companion.core.protocols.eyes import EyesStatus
from companion.games import PLANS
from simulation.dice_pictures import MAT, Drawn, tray
from tests.vision.staged_table import CYAN, LARGES, ROW, THREE, another, empty, marble, staged
from vision.calibration.taught import TaughtDice, TaughtTable
from vision.image.picture import Picture
from vision.setup.calibrator import OPEN_S, TableCalibrator
from vision.setup.known_table import OFFERS, KnownTableReader
from vision.setup.setup_steps import empty_step
from vision.sources.source import Shot

PLAN = PLANS["spectra"](2)


@cache
def rustle(shape: tuple[int, ...]) -> np.ndarray:
    """What a sensor's noise adds to three pictures, float32."""
    return np.random.default_rng(3).normal(0, 1.5, (3, *shape)).astype(np.float32)


class Shown:
    """Eyes that show one picture again and again, with a little noise, as a camera does."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.number = 0
        self.state = EyesStatus("looking", "Looking at the table.")
        self.looks = 0
        self.noise = rustle(picture.shape)

    def shot(self, after: int, timeout_s: float) -> Shot | None:
        self.number = max(self.number, after) + 1
        rustling = np.clip(self.picture + self.noise[self.number % 3], 0, 255).astype(np.uint8)
        return Shot(self.number, "", 0.0, 0.0, 0.03, rustling)

    def status(self) -> EyesStatus:
        return self.state

    def look_again(self) -> None:
        self.looks += 1


class House:
    """A calibrator with all that it needs."""

    def __init__(self, folder: Path, picture: Picture) -> None:
        self.eyes = Shown(picture)
        self.path = folder / "journal.sqlite.calibration"
        self.told: list[int | str] = []
        self.now_s = 1000.0
        self.again()

    def again(self) -> None:
        """As after a restart."""
        self.reader = KnownTableReader(PLAN)
        self.calibrator = TableCalibrator(
            self.reader,
            self.path,
            lambda layout, frame: self.told.append(frame),
            lambda: self.told.append("afresh"),
            clock=lambda: 1_700_000_000.0,
            tick=lambda: self.now_s,
        )
        self.calibrator.attach(self.eyes)
        self.calibrator.load()

    def knows(self) -> None:
        """As after a restart, the empty table remembered, and the set-up begun."""
        marble().save(self.path)
        self.again()
        self.calibrator.open()


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, empty())


def test_it_is_a_calibrator(house: House) -> None:
    calibrator: Calibrator = house.calibrator
    status = calibrator.status()
    assert (status.useful, status.open, status.known) == (True, False, "no")
    assert status.steps[0].text == "" and calibrator.notice().offer == OFFERS["new"]


def test_the_way_through_the_three_steps(house: House) -> None:
    calibrator = house.calibrator
    calibrator.open()
    first = calibrator.status()
    assert [step.done for step in first.steps] == [True, False, False]
    assert first.steps[0].text == "All four markers are seen." and first.markers == (0, 1, 2, 3)
    assert first.steps[1].text.startswith("Take everything off the table")
    calibrator.remember()
    second = calibrator.status()
    assert [step.done for step in second.steps] == [True, True, False]
    assert second.known == "yes" and second.words[0].startswith("The empty table is remembered")
    assert house.reader.calibration is not None and house.reader.calibration.empty.noise > 0
    assert first.view is None and second.view is not None and 30 < second.view.above_deg < 90
    house.eyes.picture = staged(ROW)
    calibrator.set_out(LARGES)
    third = calibrator.status()
    assert [step.done for step in third.steps] == [True, True, True]
    assert any(word.startswith("Told apart well: red, orange") for word in third.words)
    calibrator.close()
    assert calibrator.notice().offer is None
    assert not calibrator.status().open and house.eyes.looks == 3


def test_a_restart_finds_what_was_learned(house: House) -> None:
    house.knows()
    house.eyes.picture = staged(ROW)
    house.calibrator.set_out(LARGES)
    words = house.calibrator.status().words
    house.again()
    status = house.calibrator.status()
    assert status.known == "yes" and status.words == words and status.remembered_s is not None
    assert house.calibrator.notice().offer is None
    assert [path.name for path in house.path.parent.iterdir()] == [house.path.name]


def test_what_was_kept_and_is_damaged_is_said(house: House) -> None:
    house.path.write_bytes(b"gone")
    house.again()
    assert house.calibrator.status().known == "no"
    assert house.calibrator.notice().offer == OFFERS["damaged"]
    assert not house.path.exists() and house.path.with_name(house.path.name + ".aside-1").read_bytes() == b"gone"


def test_forgotten_is_forgotten_after_a_restart_too(house: House) -> None:
    house.knows()
    house.calibrator.forget()
    assert house.reader.calibration is None
    house.again()
    assert house.calibrator.status().known == "no"


def test_pieces_that_still_stand_are_named(house: House) -> None:
    house.eyes.picture = staged(*THREE)
    with pytest.raises(StillStanding) as refused:
        house.calibrator.remember()
    said = str(refused.value)
    assert said.startswith("3 pieces or stacks still stand on the table: ")
    assert all(piece in said for piece in ("red large", "orange large", "black small"))
    assert house.calibrator.status().known == "no" and not house.path.exists()


def test_who_says_that_nothing_stands_there_is_believed(house: House) -> None:
    house.eyes.picture = staged(*THREE)
    house.calibrator.remember("none")
    assert house.calibrator.status().known == "yes"


def test_in_the_middle_of_a_game_the_table_is_learned_around_its_pieces(house: House) -> None:
    house.calibrator.open()
    house.eyes.picture = staged(*THREE)
    house.calibrator.remember("game")
    status = house.calibrator.status()
    assert status.known == "partly"
    assert "Under the 3 pieces on the table" in status.words[-1]
    assert status.steps[1].text == "The table is remembered, but for what is under the pieces."
    house.eyes.picture = staged(THREE[0])
    house.calibrator.remember("game")
    assert house.calibrator.status().known == "partly", "under the two pieces that stay it was never seen"


def test_what_was_known_under_the_pieces_stays_known(house: House) -> None:
    house.knows()
    house.eyes.picture = staged(*THREE)
    house.calibrator.remember("game")
    assert house.calibrator.status().known == "yes"
    assert house.reader.calibration is not None
    apart = np.abs(house.reader.calibration.empty.picture.astype(int) - empty())
    assert apart.max() < 40


def test_another_table_is_learned_in_place_of_the_first(house: House) -> None:
    house.knows()
    house.eyes.picture = another()
    house.calibrator.remember()
    assert house.reader.calibration is not None
    assert np.abs(house.reader.calibration.empty.picture.astype(int) - another()).mean() < 3


def test_a_color_that_is_not_in_the_row_is_named(house: House) -> None:
    house.knows()
    house.eyes.picture = staged(ROW, without=CYAN)
    with pytest.raises(SeeError, match="Cyan was not found in the row"):
        house.calibrator.set_out(LARGES)
    house.calibrator.set_out([piece for piece in LARGES if piece.color != "cyan"])
    assert house.calibrator.status().steps[2].done


def test_a_row_in_another_order_is_refused(house: House) -> None:
    house.knows()
    house.eyes.picture = staged(ROW)
    with pytest.raises(SeeError, match="not in the order of the picture: black reads as red"):
        house.calibrator.set_out(LARGES[::-1])
    assert not house.calibrator.status().steps[2].done


def test_colors_come_after_the_empty_table(house: House) -> None:
    with pytest.raises(SeeError, match="Do step 2 first"):
        house.calibrator.set_out(LARGES)


def test_a_row_on_another_table_is_refused(house: House) -> None:
    house.knows()
    house.eyes.picture = another()
    with pytest.raises(SeeError, match="Do step 2 again first"):
        house.calibrator.set_out([Pyramid("red", "large"), Pyramid("blue", "large")])


def test_colors_stay_known_when_the_empty_table_is_remembered_again(house: House) -> None:
    house.knows()
    house.eyes.picture = staged(ROW)
    house.calibrator.set_out(LARGES)
    words = house.calibrator.status().words
    assert house.reader.calibration is not None
    tones = house.reader.calibration.tones
    assert sum(one.pieces for one in tones) == len(LARGES)
    house.eyes.picture = empty()
    house.calibrator.remember()
    assert house.reader.calibration.tones == tones
    assert house.calibrator.status().steps[2].done and house.calibrator.status().words[-1] == words[-1]


def test_colors_are_forgotten_with_the_light_in_which_they_were_learned(house: House) -> None:
    house.calibrator.open()
    house.calibrator.remember()
    house.eyes.picture = staged(ROW)
    house.calibrator.set_out(LARGES)
    house.eyes.picture = np.asarray(empty() * (0.6, 0.85, 1.0), np.uint8)
    house.calibrator.remember("none")
    assert not house.calibrator.status().steps[2].done
    assert house.reader.calibration is not None and not house.reader.calibration.colors
    assert not house.reader.calibration.tones


def test_a_hand_in_view_is_waited_for_and_then_said(house: House) -> None:
    house.eyes.state = EyesStatus("moving", "A hand is in view.")
    ticks = iter(range(10_000))
    house.calibrator._tick = lambda: 1000.0 + 3 * next(ticks)
    with pytest.raises(SeeError, match="Take it out of the picture and press again"):
        house.calibrator.remember()


def test_a_picture_that_waited_while_another_was_read_is_not_used(house: House) -> None:
    """The table is cleared while a picture is read; what was taken before that is old."""
    waiting = house.eyes.shot(-1, 0.0)
    assert waiting is not None
    asked: list[int] = []
    shot = house.eyes.shot

    def noted(after: int, timeout_s: float) -> Shot | None:
        asked.append(after)
        return shot(after, timeout_s)

    house.eyes.shot = noted  # type: ignore[method-assign]
    house.calibrator.remember()
    assert asked[0] == -1 and min(asked[1:]) > waiting.number + 1


def test_a_recording_that_is_over_still_shows_its_table(house: House) -> None:
    house.eyes.state = EyesStatus("ended", "The recording is over.")
    house.calibrator.remember("none")
    assert house.calibrator.status().known == "yes"


def test_a_lost_camera_is_said(house: House) -> None:
    house.eyes.state = EyesStatus("lost", "The camera 0 is gone. Plug it in again.")
    with pytest.raises(SeeError, match="Plug it in again"):
        house.calibrator.remember()


def test_while_the_set_up_is_open_the_game_waits_but_not_forever(house: House) -> None:
    calibrator, layout = house.calibrator, Layout()
    calibrator.see(layout, 1)
    calibrator.open()
    assert calibrator.notice().open and calibrator.notice().offer is None
    calibrator.see(layout, 2)
    calibrator.close()
    calibrator.see(layout, 3)
    calibrator.open()
    looks = house.eyes.looks
    house.now_s += OPEN_S + 1
    calibrator.see(layout, 4)
    assert house.told == [1, 3, 4]
    assert house.eyes.looks == looks + 1, "what was laid meanwhile is looked at"
    calibrator.see(layout, 5)
    assert house.eyes.looks == looks + 1


def test_readings_under_new_names_are_announced(house: House) -> None:
    house.reader.read(staged(*THREE))
    house.calibrator.see(Layout(), 1)
    house.calibrator.remember("game")
    house.calibrator.close()
    house.reader.read(staged(*THREE))
    house.calibrator.see(Layout(), 2)
    assert house.told == [1, "afresh", 2]


def test_two_steps_at_once_are_one_too_many(house: House) -> None:
    shot = house.eyes.shot

    def pressed_again(after: int, timeout_s: float) -> Shot | None:
        with pytest.raises(SeeError, match="Wait until it is done"):
            house.calibrator.remember()
        return shot(after, timeout_s)

    house.eyes.shot = pressed_again  # type: ignore[method-assign]
    house.calibrator.remember()
    house.calibrator.forget()


def test_a_disk_that_is_full_is_said_and_the_table_is_used_all_the_same(house: House) -> None:
    house.path.mkdir()
    house.calibrator.remember()
    status = house.calibrator.status()
    assert status.known == "yes" and "could not be written to disk" in status.words[-1]


def test_on_a_table_of_tiles_it_learns_the_empty_table_and_sets_nothing_out(house: House) -> None:
    house.reader.set_plan(structs.replace(PLANS["spectrangle"](2), mat=PLAN.mat))
    assert house.calibrator.notice().offer is None, "tiles are read without"
    house.calibrator.open()
    status = house.calibrator.status()
    assert status.useful and "tiles beside the board" in status.why
    assert status.colors == () and status.steps[2].done
    house.calibrator.remember()
    assert house.reader.calibration is not None and house.reader.calibration.domain == "spectrangle"
    with pytest.raises(SeeError, match="Nothing is set out"):
        house.calibrator.set_out(LARGES)


def test_a_board_of_pawns_is_remembered_with_its_board(house: House) -> None:
    house.reader.set_plan(structs.replace(PLANS["spectrum"](2), mat=PLAN.mat))
    assert "the empty board" in empty_step(None, "spectrum").text
    with pytest.raises(SeeError, match="board"):
        house.calibrator.remember()


def test_where_no_camera_reads_anything_it_says_so(house: House) -> None:
    house.reader.set_plan(structs.replace(PLAN, zones=()))
    status = house.calibrator.status()
    assert not status.useful and status.why.startswith("Nothing that a camera reads")
    with pytest.raises(SeeError, match="Begin a game first"):
        house.calibrator.remember()


def test_dice_are_laid_out_row_by_row(tmp_path: Path) -> None:
    colors = ("red", "blue", "yellow", "green", "orange")
    lying = [
        Drawn("spectrum-d6", color, 60 + 50 * (k % 3), 60 + 60 * (k // 3), 12.0 * k) for k, color in enumerate(colors)
    ]
    house = House(tmp_path, tray(()))
    house.reader.set_plan(Plan(MAT, (DiceTray(),)))
    house.calibrator.open()
    house.calibrator.remember("none")
    status = house.calibrator.status()
    assert (status.row_of, status.steps[2].done, status.colors[0]) == ("dice", False, "red")
    house.eyes.picture = tray(lying)
    with pytest.raises(SeeError, match="rows of 4 should lie there, but rows of 5 were found"):
        house.calibrator.set_out([Die("spectrum-d6", color) for color in colors[:4]])
    house.calibrator.set_out([Die("spectrum-d6", color) for color in colors])
    assert house.calibrator.status().steps[2].done
    known = house.reader.calibration
    assert known is not None and set(known.dice.colors) == set(colors)
    house.calibrator.remember("none")
    known = house.reader.calibration
    assert known is not None and set(known.dice.colors) == set(colors)


KEPT = TaughtTable(dice=TaughtDice().with_color("red", (0.1, 0.1, 0.6)))


def of_dice(folder: Path) -> House:
    """A house with a tray of dice."""
    house = House(folder, tray(()))
    house.reader.set_plan(Plan(MAT, (DiceTray(),)))
    return house


def again(house: House) -> House:
    """As after a restart."""
    house.again()
    house.reader.set_plan(Plan(MAT, (DiceTray(),)))
    return house


def test_nothing_that_is_taught_is_kept_unless_the_host_says_so(tmp_path: Path) -> None:
    house = of_dice(tmp_path)
    house.reader.teach(KEPT)
    layout = house.reader.read(tray(())).layout
    house.calibrator.see(layout, 1)
    assert not house.calibrator.status().keeps_taught
    assert not list(tmp_path.glob("*.taught"))


def test_what_is_taught_is_there_the_next_evening_and_can_be_forgotten(tmp_path: Path) -> None:
    house = of_dice(tmp_path)
    house.calibrator.keep_taught(True)
    house.reader.teach(KEPT)
    house.calibrator.see(house.reader.read(tray(())).layout, 1)
    assert [path.name for path in tmp_path.glob("*.taught")] == ["journal.sqlite.taught"]
    again(house).reader.read(tray(()))
    assert house.calibrator.status().keeps_taught
    assert house.reader.taught.dice == KEPT.dice
    house.calibrator.keep_taught(False)
    assert not list(tmp_path.glob("*.taught"))
    house.reader.read(tray(()))
    assert not house.reader.taught.dice


def test_a_damaged_file_of_what_was_taught_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite.taught").write_bytes(b"{}x")
    house = of_dice(tmp_path)
    assert not house.calibrator.status().keeps_taught
    assert not (tmp_path / "journal.sqlite.taught").exists()


def test_who_forgets_the_table_forgets_what_was_taught_of_it(tmp_path: Path) -> None:
    house = of_dice(tmp_path)
    house.calibrator.keep_taught(True)
    house.calibrator.forget()
    assert not list(tmp_path.glob("*.taught")) and not house.calibrator.status().keeps_taught
