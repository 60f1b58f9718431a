"""Eyes on one table, seen from the page's side."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.foundation.errors import CameraError, JournalError, NoTable
from companion.core.layout import Layout
from companion.core.protocols.eyes import Eyes, EyesStatus
from tests.vision.gate.test_moments import Script
from tests.vision.scenes import GLOVE, hand, stills, table
from tests.vision.watched import CORNERS, Line, Reader, Told, until, watching
from vision.gate.moments import FURTHER_LOOKS
from vision.gate.watcher import Watcher
from vision.sources.folder import FolderSource
from vision.sources.source import Shot

FIST = hand(table(), (550, 280), GLOVE)
MOVED = table([(500, 300)])


def test_it_is_eyes() -> None:
    with watching(Line(), Reader(), Told()) as watcher:
        eyes: Eyes = watcher
        assert eyes.status() == EyesStatus("opening", "Waiting for the first picture of the camera 9.")
        assert eyes.frame(0, 0.01) is None and eyes.overlay() is None


def test_a_steady_table_is_read_and_told_with_its_picture_number() -> None:
    line, reader, told = Line(), Reader(), Told()
    with watching(line, reader, told) as watcher:
        line.play([table()] * 12)
        until(lambda: bool(told) and not line.shots)
        assert told == [9]
        overlay, status = watcher.overlay(), watcher.status()
        assert overlay is not None and overlay.frame == 9 and overlay.size_px == (640, 360)
        assert overlay.marks[0].label == "GGY4"
        until(lambda: watcher.status().frame == 12)
        status = watcher.status()
        assert (status.state, status.text) == ("looking", "Looking at the table.")
        assert status.markers == (0, 1, 2, 3) and status.corners_px == CORNERS
        assert status.size_px == (640, 360) and status.age_s == 2.0


def test_every_viewer_gets_the_newest_picture_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []
    imencode = cv2.imencode
    monkeypatch.setattr(cv2, "imencode", lambda *a: (encoded.append(1), imencode(*a))[1])
    line = Line()
    with watching(line, Reader(), Told()) as watcher:
        waiting: list[object] = []
        viewers = [threading.Thread(target=lambda: waiting.append(watcher.frame(0, 5))) for _ in range(4)]
        for viewer in viewers:
            viewer.start()
        line.play([table()])
        for viewer in viewers:
            viewer.join()
        assert len(waiting) == 4 and len({id(frame) for frame in waiting}) == 1 and len(encoded) == 1
        frame = watcher.frame(0, 1)
        assert frame is not None and frame.number == 1 and frame.at_s == 1000.0
        picture = cv2.imdecode(np.frombuffer(frame.jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None and np.abs(picture.astype(int) - table()).mean() < 12
        assert watcher.frame(1, 0.02) is None


def test_who_waits_for_the_first_picture_gets_it() -> None:
    line = Line()
    late = threading.Timer(0.2, line.play, [[table()]])
    with watching(line, Reader(), Told()) as eyes:
        late.start()
        shot = eyes.shot(-1, 5.0)
        late.join()
    assert shot is not None and shot.picture.shape == table().shape


def test_pictures_nobody_asks_for_are_not_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []
    monkeypatch.setattr(cv2, "imencode", lambda *a: encoded.append(1))
    line, told = Line(), Told()
    with watching(line, Reader(), told):
        line.play([table()] * 12)
        until(lambda: bool(told))
    assert not encoded


def test_a_large_picture_goes_to_the_page_smaller() -> None:
    line = Line()
    with watching(line, Reader(), Told()) as watcher:
        line.play([cv2.resize(table(), (2560, 1440))])
        frame = watcher.frame(0, 5)
        assert frame is not None
        picture = cv2.imdecode(np.frombuffer(frame.jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None and picture.shape == (1080, 1920, 3)
        assert watcher.status().size_px == (2560, 1440)


def test_motion_and_hands_are_said() -> None:
    line, told = Line(), Told()
    with watching(line, Reader(), told) as watcher:
        line.play([table()] * 12)
        until(lambda: bool(told))
        line.play([FIST] * 20)
        until(lambda: watcher.status().text.startswith("A hand is in view"))
        assert watcher.status().state == "moving"
        line.play([MOVED] * 20)
        until(lambda: len(told) == 2 and watcher.status().state == "looking")


def quiet(reader: Reader, judge: Callable[[Watcher, Layout, list[int]], None], readings: int) -> list[int]:
    """A table on which nothing moves; the pictures that were read, after so many readings.

    :param judge: is given each reading, and the pictures that were read before.
    """
    line, told, ready = Line(), list[int](), threading.Event()

    def see(layout: Layout, frame: int) -> None:
        ready.wait(10)
        judge(watcher, layout, told)
        told.append(frame)

    with watching(line, reader, see) as watcher:
        ready.set()
        line.play([table()] * 30)
        until(lambda: len(told) == readings)
    return told


def test_a_second_reading_of_a_quiet_table_comes_when_it_is_asked_for() -> None:
    further: list[bool] = []

    def judge(watcher: Watcher, layout: Layout, told: list[int]) -> None:
        further.append(layout.again)
        if not told:
            watcher.look_again()

    told = quiet(Reader(), judge, 2)
    assert told[1] > told[0], "another picture"
    assert further == [False, True]


def test_the_reader_hears_at_once_that_its_reading_shows_the_position() -> None:
    reader = Reader()
    quiet(reader, lambda watcher, layout, told: watcher.confirm_position(layout), 1)
    assert reader.settled == [1]


def test_in_a_recording_of_stills_the_second_reading_is_a_second_look(tmp_path: Path) -> None:
    for n, picture in enumerate((table(), FIST, MOVED)):
        cv2.imwrite(str(tmp_path / f"{n}.png"), picture)
    reader = Reader()
    told: list[int] = []
    ready = threading.Event()

    def see(layout: Layout, frame: int) -> None:
        ready.wait(10)
        told.append(frame)
        watcher.look_again()

    with watching(FolderSource(tmp_path), reader, see) as watcher:
        ready.set()
        until(lambda: watcher.status().state == "ended")
        until(lambda: len(told) == 2 * (1 + FURTHER_LOOKS))
    each = 1 + FURTHER_LOOKS
    assert told == [1] * each + [3] * each, "asking again and again is answered so many times"
    assert np.array_equal(reader.pictures[0], table()) and not np.array_equal(reader.pictures[1], table())
    assert not np.array_equal(reader.pictures[1], reader.pictures[2])


def test_after_the_end_of_a_recording_it_still_answers() -> None:
    reader, told = Reader(), Told()
    with watching(Script(stills([table(), MOVED])), reader, told) as watcher:
        until(lambda: watcher.status().state == "ended")
        assert watcher.status().text == (
            "The recording camera 9 is over. From now on, enter on this page what happens."
        )
        watcher.look_again()
        until(lambda: told == [1, 2, 2])
        watcher.set_corners(CORNERS)
        until(lambda: told == [1, 2, 2, 2])
        assert reader.corners == [CORNERS] and np.array_equal(reader.pictures[3], reader.pictures[1])


def test_clicked_corners_reach_the_reader_before_the_next_reading() -> None:
    line, reader, told = Line(), Reader(), Told()
    with watching(line, reader, told) as watcher:
        line.play([table()] * 12)
        until(lambda: bool(told))
        watcher.set_corners(CORNERS)
        line.play([table()] * 40)
        until(lambda: len(told) == 2)
        watcher.set_corners(None)
        until(lambda: reader.corners == [CORNERS, None])


def test_a_bumped_camera_sends_the_reader_back_to_the_markers() -> None:
    line, reader, told = Line(), Reader(), Told()
    with watching(line, reader, told):
        line.play([table()] * 12)
        line.play([np.roll(table(), 8, axis=1)] * 20)
        until(lambda: len(told) == 2)
    assert reader.corners == [None]


def test_clicked_corners_that_a_bump_made_wrong_are_said() -> None:
    line, reader, told = Line(), Reader(), Told()
    with watching(line, reader, told) as watcher:
        watcher.set_corners(CORNERS)
        line.play([table()] * 12)
        until(lambda: bool(told))
        reader.error = NoTable("No marker was found.")
        line.play([np.roll(table(), 8, axis=1)] * 20)
        until(lambda: watcher.status().state == "no-table")
        assert watcher.status().text == (
            "The camera was moved, so the corners that were set no longer fit. No marker was found. "
            "Or set the corners by hand."
        )


def test_a_table_that_is_not_found_is_said_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.gate.watcher.RETRY_S", 0.2)
    line, reader, told = Line(), Reader(), Told()
    reader.error = NoTable("Only marker 2 was found.")
    with watching(line, reader, told) as watcher:
        line.play([table()] * 12)
        until(lambda: watcher.status().state == "no-table")
        assert watcher.status().text == "Only marker 2 was found. Or set the corners by hand."
        reader.error = None
        time.sleep(0.2)
        line.play([table()] * 10)
        until(lambda: bool(told) and watcher.status().state == "looking")


def test_a_table_that_is_still_not_found_is_not_said_to_be_read_at_each_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.gate.watcher.RETRY_S", 0.05)
    line, reader, told = Line(), Reader(), Told()
    reader.error = NoTable("Only marker 2 was found.")
    with watching(line, reader, told) as watcher:
        line.play([table()] * 12)
        until(lambda: watcher.status().state == "no-table")
        states = set()
        line.play([table()] * 20)
        while line.shots:
            states.add(watcher.status().state)
        until(lambda: len(reader.pictures) >= 2)
        assert states == {"no-table"}


def test_a_dark_picture_is_said_and_not_read_and_light_ends_it() -> None:
    line, reader, told = Line(), Reader(), Told()
    with watching(line, reader, told) as watcher:
        line.play([table()] * 12)
        until(lambda: bool(told) and not line.shots)
        line.play([np.zeros_like(table())] * 6)
        until(lambda: watcher.status().state == "dark" and not line.shots)
        assert "Take the cap off the lens" in watcher.status().text
        read = len(reader.pictures)
        line.play([table()] * 12)
        until(lambda: watcher.status().state == "looking")
        assert read == 1


def test_a_lost_camera_is_said_with_the_age_of_the_last_picture() -> None:
    line = Line()
    with watching(line, Reader(), Told()) as watcher:
        line.said = "The camera 9 is gone."
        assert watcher.status().text.startswith("The camera 9 is gone. No picture has come yet.")
        line.play([table()])
        until(lambda: watcher.status().frame == 1)
        status = watcher.status()
        assert status.state == "lost" and status.frame == 1
        assert status.text == (
            "The camera 9 is gone. The last picture is 2 s old. The game waits; it goes on by itself."
        )
        line.said = None
        until(lambda: watcher.status().state != "lost")


def test_a_picture_of_this_very_second_has_no_age_to_tell() -> None:
    """A camera that sends one picture again and again has a last picture that is 0 s old, which says nothing."""
    line = Line()
    with watching(line, Reader(), Told()) as watcher:
        line.play([table()])
        line.shots[-1] = line.shots[-1]._replace(at_s=1002.0)
        until(lambda: watcher.status().frame == 1)
        line.said = "The camera 9 sends one and the same picture."
        assert watcher.status().text == (
            "The camera 9 sends one and the same picture. The game waits; it goes on by itself."
        )


def test_a_broken_picture_of_a_recording_is_said_and_the_rest_go_on() -> None:
    shots = stills([table(), MOVED])
    hold = threading.Event()

    class Slow(Script):
        def next(self, timeout_s: float) -> Shot | None:
            if self.told and not hold.is_set():
                time.sleep(0.005)
                return None
            try:
                return super().next(timeout_s)
            except CameraError:
                self.told = True
                raise

        told = False

    told = Told()
    source = Slow([shots[0], CameraError("The picture b.jpg cannot be read."), shots[1]])
    with watching(source, Reader(), told) as watcher:
        until(lambda: watcher.status().text == "The picture b.jpg cannot be read.")
        hold.set()
        until(lambda: told == [1, 2])


def test_a_game_that_cannot_take_a_reading_in_is_said() -> None:
    def see(layout: Layout, frame: int) -> None:
        raise JournalError("The disk is full.")

    line = Line()
    with watching(line, Reader(), see) as watcher:
        line.play([table()] * 12)
        until(lambda: "The disk is full." in watcher.status().text)


def test_closing_wakes_who_waits_and_can_be_done_twice() -> None:
    source = Line()
    watcher = Watcher(source, Reader(), Told())
    waiting: list[object] = []
    viewer = threading.Thread(target=lambda: waiting.append(watcher.frame(0, 30)))
    viewer.start()
    watcher.close()
    viewer.join(5)
    watcher.close()
    assert waiting == [None] and source.ended
