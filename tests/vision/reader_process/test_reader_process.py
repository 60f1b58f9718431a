"""A reader in a process of its own: what it says, what it is told, and what happens when it dies, hangs or lies."""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.app.demos import load_demo
from companion.core.foundation.errors import BadEvent, CameraError, SeeError
from companion.core.foundation.secrecy import SecretAddress
from companion.core.layout import Detection, Layout
from companion.core.protocols.calibration import CalibrationStatus, StillStanding
from companion.core.protocols.eyes import CameraMode, Frame
from companion.games import PLANS
from tests.vision.reader_process.scripted import Processes, Scripted
from tests.vision.sources.mjpeg_server import serving, steady
from vision.reader_process.child import AGAIN
from vision.reader_process.messages import (
    Answered,
    AskFrame,
    AskStep,
    CameraRefused,
    Failed,
    Leave,
    LookAgain,
    Opened,
    ReaderLearned,
    ReadingJudged,
    TableSeen,
    UsePlan,
)
from vision.reader_process.reader_process import ReaderProcess, TimeLimits

PLAN = PLANS["spectrangle"](2)
LAYOUT = Layout(cells={"c0": Detection.sure(None)})
QUICK = TimeLimits(opening_s=5, silent_s=0.3, busy_s=1, backoff_s=(0.0, 0.01), leaving_s=0.2)


class Table:
    """What readings are told to."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.afresh: list[int] = []
        self.reader: ReaderProcess | None = None
        self.error: Exception | None = None

    def see(self, layout: Layout, frame: int) -> None:
        if self.error is not None:
            raise self.error
        self.seen.append(frame)
        if self.reader is not None:
            self.reader.confirm_position(layout)
            self.reader.look_again()

    def look_afresh(self) -> None:
        self.afresh.append(len(self.seen))


@contextmanager
def reading(
    table: Table, start: Processes, bounds: TimeLimits = QUICK, opened: Callable[[str], object] = lambda sentence: None
) -> Iterator[ReaderProcess]:
    threads = threading.active_count()
    reader = ReaderProcess(
        SecretAddress("0"),
        PLAN,
        table.see,
        table.look_afresh,
        kept=Path("nowhere"),
        opened=opened,
        bounds=bounds,
        launch=start,
    )
    table.reader = reader
    reader.start()
    try:
        yield reader
    finally:
        reader.close()
        reader.close()
        until(lambda: threading.active_count() <= threads)


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def idle(process: Scripted) -> None:
    """A process that is well and sees nothing."""
    process.open()
    while not isinstance(process.hear(), Leave):
        process.beat()


def living(process: Scripted, told: Callable[[Any], None]) -> None:
    """A process that shows signs of life and hands on what it is told."""
    while True:
        while process.link.poll(0.05):
            message = process.hear()
            if isinstance(message, Leave):
                return
            told(message)
        process.beat()


def saying(seen: TableSeen) -> tuple[Callable[[Scripted], None], list[object]]:
    """A process that says what it has seen, and what it hears from then on."""
    heard: list[object] = []

    def play(process: Scripted) -> None:
        process.open()
        process.say(seen)
        living(process, heard.append)

    return play, heard


def test_processes_that_die_of_what_was_learned_are_followed_by_one_that_reads_without_it() -> None:
    def dies_of_it(process: Scripted) -> None:
        process.open()
        assert process.begun is not None
        if process.begun.plain:
            while not isinstance(process.hear(), Leave):
                process.beat()

    start = Processes(dies_of_it)
    with reading(Table(), start) as reader:
        until(lambda: reader.status().state == "looking" and start.started[-1].begun is not None)
        until(lambda: bool(start.started[-1].begun and start.started[-1].begun.plain))
        assert [bool(one.begun and one.begun.plain) for one in start.started] == [False, False, False, True]


def test_a_reading_is_judged_before_the_process_goes_on() -> None:
    play, heard = saying(TableSeen(LAYOUT, 7, False))
    table = Table()
    with reading(table, Processes(play)) as reader:
        until(lambda: len(heard) == 2)
        assert table.seen == [7] and table.afresh == []
        assert heard == [LookAgain(), ReadingJudged(LAYOUT)], "what the game says of a reading goes back with it"
        until(lambda: reader.status().state == "looking")
        reader.confirm_position(LAYOUT)
        reader.set_plan(PLAN)
        until(lambda: heard[-1] == UsePlan(PLAN))


def test_what_the_game_cannot_take_in_is_said_to_the_process() -> None:
    play, heard = saying(TableSeen(LAYOUT, 1, True))
    table = Table()
    table.error = BadEvent("No.")
    with reading(table, Processes(play)):
        until(lambda: bool(heard))
        assert heard == [ReadingJudged(None, "No.")] and table.afresh == [0]


def test_one_that_dies_is_started_again_with_what_it_remembered() -> None:
    def dies(process: Scripted) -> None:
        process.open()
        process.beat(frame=12)
        process.say(TableSeen(LAYOUT, 12, False))
        while not isinstance(process.hear(), ReadingJudged):
            pass
        process.say(ReaderLearned(b"what stands where"))

    table, start = Table(), Processes(dies, idle)
    with reading(table, start) as reader:
        until(lambda: reader.restarts == 1 and reader.status().state == "looking")
        begun = start.started[1].begun
        assert begun is not None and (begun.memory, begun.after) == (b"what stands where", 12)
        assert "the game goes on" in (reader.status().notice or "")
        assert table.afresh == [], "pieces keep their names"


def test_one_that_dies_of_what_it_remembers_is_given_nothing() -> None:
    def dies(process: Scripted) -> None:
        process.open()
        process.say(ReaderLearned(b"poison"))

    def dies_at_once(process: Scripted) -> None:
        process.open()

    def sees(process: Scripted) -> None:
        process.open()
        process.say(TableSeen(LAYOUT, 3, False))
        living(process, lambda message: None)

    table, start = Table(), Processes(dies, dies_at_once, sees)
    with reading(table, start):
        until(lambda: table.seen == [3])
        assert [one.begun.memory for one in start.started if one.begun] == [None, b"poison", None]
        assert table.afresh == [0], "its pieces have other names, so the table is looked at afresh before"


@pytest.mark.parametrize("busy", [True, False])
def test_one_that_hangs_is_ended_and_started_again(busy: bool) -> None:
    def hangs(process: Scripted) -> None:
        process.open()
        if busy:
            process.beat(busy_s=100.0)
        while True:
            process.hear()

    start = Processes(hangs, idle)
    with reading(Table(), start) as reader:
        until(lambda: reader.restarts == 1)
        assert start.started[0]._dead.is_set()


def test_while_it_is_away_the_page_says_so_and_nobody_waits() -> None:
    def dies(process: Scripted) -> None:
        process.open()
        process.say(Answered(0))

    def never(process: Scripted) -> None:
        process.hear()
        process.say(CameraRefused("There is no camera 0."))

    start = Processes(dies, never)
    with reading(Table(), start) as reader:
        until(lambda: reader.status().text.endswith("There is no camera 0."))
        assert reader.status().state == "lost" and "being started again" in reader.status().text
        began = time.monotonic()
        assert reader.frame(-1, 0.2) is None
        with pytest.raises(SeeError, match="does not answer now"):
            reader.calibrator.open()
        assert reader.calibrator.status() == CalibrationStatus(
            False, "The camera reader does not answer now. Try again in a few seconds.", False, "no"
        )
        assert time.monotonic() - began < 2
        assert not reader.notice().open and reader.overlay() is None


def test_a_camera_that_does_not_open_is_one_sentence() -> None:
    def refuses(process: Scripted) -> None:
        process.hear()
        process.say(CameraRefused("There is no camera 0."))
        living(process, lambda message: None)

    def dies(process: Scripted) -> None:
        process.hear()

    for script, why in ((refuses, "There is no camera 0"), (dies, "ended before it gave a picture")):
        with reading(Table(), Processes(script)) as reader, pytest.raises(CameraError, match=why):
            reader.await_opening()


def test_a_camera_that_is_missing_at_the_start_is_tried_again_and_told_once() -> None:
    def comes_later(process: Scripted) -> None:
        process.hear()
        for _ in range(3):
            process.say(CameraRefused("Nothing answers at cam:80."))
        process.say(Opened(CameraMode("The camera gives 1280 x 720 pixels.", True)))
        living(process, lambda message: None)

    said: list[str] = []
    start = Processes(comes_later)
    with reading(Table(), start, opened=said.append) as reader:
        until(lambda: reader.status().state == "looking")
        assert reader.status().notice is None and reader.restarts == 0 and len(start.started) == 1
        assert reader.mode is not None
    assert said == [f"Nothing answers at cam:80. {AGAIN}", "The camera gives 1280 x 720 pixels."]


def test_one_picture_is_fetched_once_however_many_look() -> None:
    asked: list[int] = []

    def shows(process: Scripted) -> None:
        process.open()

        def told(message: Any) -> None:
            if isinstance(message, AskFrame):
                asked.append(message.after)
                process.say(Answered(message.n, frame=Frame(message.after + 2, b"jpeg", 1.0)))

        living(process, told)

    with reading(Table(), Processes(shows)) as reader:
        found: list[Frame | None] = []
        viewers = [threading.Thread(target=lambda: found.append(reader.frame(-1, 2.0))) for _ in range(20)]
        for one in viewers:
            one.start()
        for one in viewers:
            one.join()
        assert len(found) == 20 and None not in found
        assert len(asked) < 5


def test_a_step_of_the_set_up_says_why_it_cannot_be_taken() -> None:
    def refuses(process: Scripted) -> None:
        process.open()

        def told(message: Any) -> None:
            if isinstance(message, AskStep):
                process.say(Failed(message.n, "StillStanding", "A piece stands there."))

        living(process, told)

    with reading(Table(), Processes(refuses)) as reader, pytest.raises(StillStanding, match="A piece stands there"):
        reader.calibrator.remember()


def test_a_fault_in_judging_is_said_and_starts_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda fault: printed.append(fault.exc_type))

    def play(process: Scripted) -> None:
        process.open()
        process.say(TableSeen(LAYOUT, 1, False))
        living(process, lambda message: None)

    table, start = Table(), Processes(play)
    table.error = ZeroDivisionError()
    with reading(table, start) as reader:
        until(lambda: reader.status().state == "ended")
        time.sleep(0.1)
        assert "fault in the program" in reader.status().text and len(start.started) == 1
    assert printed == [ZeroDivisionError]


def test_a_real_process_waits_for_a_camera_that_comes_later_and_takes_no_new_one(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    camera = SecretAddress(f"http://ada:hush@127.0.0.1:{port}/video")
    reader = ReaderProcess(camera, PLAN, Table().see, Table().look_afresh, kept=tmp_path / "kept")
    reader.start()
    try:
        until(lambda: reader.status().state == "lost", 120)
        assert re.search(rf"Nothing answers at 127.0.0.1:{port} .*until it is there", reader.status().text)
        assert "hush" not in reader.status().text and reader.frame(-1, 0.0) is None
        with pytest.raises(SeeError, match="Nothing answers"):
            reader.calibrator.open()
        first = reader.pid
        with serving(steady(), port=port):
            until(lambda: reader.status().state not in ("lost", "opening"), 60)
            assert reader.frame(-1, 5.0) is not None
        assert reader.pid == first and reader.restarts == 0
    finally:
        reader.close()


def test_a_real_process_reads_dies_and_goes_on_where_it_was(tmp_path: Path) -> None:
    _, folder = load_demo("spectrangle")
    for n in range(6):
        (tmp_path / f"{n}.jpg").write_bytes((folder / f"frame-000{0 if n < 3 else 6}.jpg").read_bytes())
    table = Table()
    layouts: list[Layout] = []

    def see(layout: Layout, frame: int) -> None:
        layouts.append(layout)
        table.seen.append(frame)

    reader = ReaderProcess(SecretAddress(str(tmp_path)), PLAN, see, table.look_afresh, kept=tmp_path / "kept")
    reader.start()
    try:
        until(lambda: bool(table.seen), 120)
        shown = reader.frame(-1, 5.0)
        assert shown is not None and shown.jpeg.startswith(b"\xff\xd8")
        assert reader.pid is not None
        before = reader.pid
        until(lambda: reader._proved)  # what it remembers has come in
        os.kill(before, signal.SIGKILL)
        until(lambda: reader.restarts == 1, 120)
        until(lambda: table.seen[-1] >= 4, 120)
        assert reader.pid != before and table.afresh == []
        assert sum(one.piece is not None for one in layouts[0].cells.values()) == 0
        assert sum(one.piece is not None for one in layouts[-1].cells.values()) == 1
        assert sorted(table.seen) == table.seen, "no picture is read twice"
    finally:
        reader.close()
