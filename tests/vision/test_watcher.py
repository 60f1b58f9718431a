"""Eyes on one table, seen from the page's side."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec import Struct

import companion.demos
from companion.errors import CameraError, JournalError, NoTable
from companion.eyes import Eyes, EyesStatus, OverlayMark
from companion.layout import Layout, Sighting
from companion.plan import Mat, Plan
from tests.vision.scenes import GLOVE, film, hand, stills, table
from tests.vision.test_moments import Script
from vision.camera.folder import FolderSource
from vision.camera.source import Shot, Source
from vision.markers import find_markers
from vision.picture import Picture
from vision.watcher import Corners, Watcher

FIST = hand(table(), (550, 280), GLOVE)
MOVED = table([(500, 300)])
CORNERS: Corners = ((108.0, 78.0), (528.0, 78.0), (528.0, 288.0), (108.0, 288.0))


class Read(Struct, frozen=True):
    layout: Layout
    marks: tuple[OverlayMark, ...] = (OverlayMark(((0.0, 0.0), (9.0, 0.0), (0.0, 9.0)), "GGY4", "read"),)
    markers: tuple[int, ...] = (0, 1, 2, 3)
    corners_px: Corners = CORNERS


class Reader:
    """Reads how bright the picture is, or fails as told."""

    def __init__(self) -> None:
        self.plan = Plan(Mat(600, 300, 40))
        self.pictures: list[Picture] = []
        self.corners: list[Corners | None] = []
        self.settled: list[int] = []
        """How many pictures were read when the position was said to be what they show."""
        self.further: list[int] = []
        """Before which of the pictures a further look was asked for."""
        self.error: NoTable | None = None

    def read(self, picture: Picture) -> Read:
        self.pictures.append(picture)
        if self.error is not None:
            raise self.error
        return Read(Layout(cells={"c0": Sighting.sure(None)}))

    def read_again(self, picture: Picture) -> Read:
        self.further.append(len(self.pictures))
        return self.read(picture)

    def set_corners(self, corners_px: Corners | None) -> None:
        self.corners.append(corners_px)

    def confirm_position(self, position: Layout) -> None:
        self.settled.append(len(self.pictures))


class Line:
    """A live source: gives what is put in, and is in trouble when told."""

    label = "camera 9"
    live = True
    stills = False

    def __init__(self) -> None:
        self.shots: list[Shot] = []
        self.ended = False
        self.said: str | None = None

    def play(self, pictures: list[Picture], gap_s: float = 1 / 30) -> None:
        start = self.shots[-1].number if self.shots else 0
        for shot in film(pictures, start=start):
            self.shots.append(shot._replace(gap_s=gap_s, at_s=1000.0))

    def next(self, timeout_s: float) -> Shot | None:
        if self.shots and not self.ended:
            return self.shots.pop(0)
        time.sleep(0.005)
        return None

    def trouble(self) -> str | None:
        return self.said

    def close(self) -> None:
        self.ended = True


class Told(list[int]):
    """What `see` was told: numbers of pictures."""

    def __call__(self, layout: Layout, frame: int) -> None:
        assert layout.cells["c0"].piece is None
        self.append(frame)


@contextmanager
def watching(source: Source, reader: Reader, see: Callable[[Layout, int], object]) -> Iterator[Watcher]:
    threads = threading.active_count()
    watcher = Watcher(source, reader, see, clock=lambda: 1002.0)
    try:
        yield watcher
    finally:
        watcher.close()
        assert threading.active_count() == threads


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


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
    told = quiet(Reader(), lambda watcher, layout, told: None if told else watcher.look_again(), 2)
    assert told[1] > told[0], "another picture"


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
        until(lambda: len(told) == 8)
    assert told == [1, 1, 1, 1, 3, 3, 3, 3], "asking again and again is answered three times"
    assert np.array_equal(reader.pictures[0], table()) and not np.array_equal(reader.pictures[1], table())
    assert not np.array_equal(reader.pictures[1], reader.pictures[2])


def test_after_the_end_of_a_recording_it_still_answers() -> None:
    reader, told = Reader(), Told()
    with watching(Script(stills([table(), MOVED])), reader, told) as watcher:
        until(lambda: watcher.status().state == "ended")
        assert watcher.status().text == (
            "The recording camera 9 is over. What happens from now on is told on this page."
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
    monkeypatch.setattr("vision.watcher.RETRY_S", 0.2)
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
    monkeypatch.setattr("vision.watcher.RETRY_S", 0.05)
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


class TickingLine(Line):
    """A line that never runs dry: the last picture comes again and again, each with new noise."""

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self.picture = picture
        self.number = 0
        self.rng = np.random.default_rng(4)

    def next(self, timeout_s: float) -> Shot | None:
        time.sleep(0.01)
        self.number += 1
        noise = self.rng.integers(0, 3, self.picture.shape, dtype=np.uint8)
        return Shot(self.number, str(self.number), self.number / 30, 1002.0, 1 / 30, cv2.add(self.picture, noise))


def recorded() -> Picture:
    """A picture of a real mat, with its four markers."""
    picture = cv2.imread(str(Path(companion.demos.__file__).parent / "spectrangle" / "frame-0008.jpg"))
    assert picture is not None
    return np.asarray(picture, dtype=np.uint8)


def moved_by(picture: Picture, right_px: int) -> Picture:
    """As a camera that was pushed sees the same table: a part of it is in view still."""
    shift = np.array([[1.0, 0.0, right_px], [0.0, 1.0, 0.0]])
    height, width = picture.shape[:2]
    found = cv2.warpAffine(picture, shift, (width, height), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(found, dtype=np.uint8)


class RealCorners(Reader):
    """Knows where the markers of a picture are."""

    def read(self, picture: Picture) -> Read:
        seen = find_markers(picture)
        first, second, third, fourth = (tuple(map(float, seen[number][0].mean(axis=0))) for number in range(4))
        return Read(Layout(cells={"c0": Sighting.sure(None)}), corners_px=(first, second, third, fourth))  # type: ignore[arg-type]


def test_a_camera_that_was_pushed_is_not_taken_for_a_hand_for_long() -> None:
    line = TickingLine(recorded())
    with watching(line, RealCorners(), Told()) as watcher:
        until(lambda: watcher.status().state == "looking" and len(watcher.status().markers) == 4)
        line.picture = moved_by(recorded(), 430)
        until(lambda: watcher.status().state == "no-table")
        assert watcher.status().text.startswith("The camera or the mat was moved")
        line.picture = recorded()
        until(lambda: watcher.status().state == "looking")


def test_a_hand_that_rests_is_no_moved_camera() -> None:
    line = TickingLine(recorded())
    with watching(line, RealCorners(), Told()) as watcher:
        until(lambda: watcher.status().state == "looking" and len(watcher.status().markers) == 4)
        line.picture = hand(recorded(), (640, 300), GLOVE)
        until(lambda: watcher.status().state == "moving")
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            assert watcher.status().state in ("moving", "looking", "reading")
            time.sleep(0.05)
