"""The process that reads for one table: it owns the camera and the eyes, and ends when the house does.

The reading thread hands a reading over and waits until it was judged; the main thread takes what the house says;
questions are answered on threads of their own, so that a step of the set-up holds up no picture.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from companion.calibration import CalibrationStatus
from companion.errors import BadCalibration, CompanionError
from companion.layout import Layout
from vision.calibration.calibration import load_calibration
from vision.calibrator import TableCalibrator
from vision.camera.live import mode_of
from vision.camera.opening import open_source
from vision.known_table import KnownTableReader
from vision.reader_process import messages
from vision.watcher import Watcher

PULSE_S = 0.2
ANSWERERS = 6
"""Threads that answer questions."""


def main(link: Connection) -> None:
    """Run as the process of `vision.reader_process.reader_process.ReaderProcess`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal reaches the whole group; the house says when
    begin = messages.decode_to_reader(link.recv_bytes())
    assert isinstance(begin, messages.BeginWatching)
    with suppress(EOFError, OSError):  # the house is gone
        _Reading(link, begin).run()
    os._exit(0)  # whatever a driver still holds


class _Reading:
    """One table that is watched."""

    def __init__(self, link: Connection, begin: messages.BeginWatching) -> None:
        self._link = link
        self._begin = begin
        self._sending = threading.Lock()
        self._judged: queue.SimpleQueue[messages.ReadingJudged] = queue.SimpleQueue()
        self._renamed = False
        self._closing = threading.Event()
        self._known = self._reader()
        self._calibrator = TableCalibrator(self._known, Path(begin.kept), self._see, self._note_names)

    def run(self) -> None:
        """Watch until the house says that it is enough.

        :raises EOFError: the house is gone. :raises OSError: so it is.
        """
        try:
            source = open_source(self._begin.camera, after=self._begin.after)
        except CompanionError as error:
            self._say(messages.CameraRefused(str(error)))
            return
        self._say(messages.Opened(mode_of(source)))
        if self._begin.calibration is None and not self._begin.plain:
            self._calibrator.load(known=self._begin.memory is not None)
        watcher = Watcher(source, self._known, self._calibrator.see)
        self._calibrator.attach(watcher)
        threading.Thread(target=self._beat, args=(watcher,), name="pulse", daemon=True).start()
        answering = ThreadPoolExecutor(ANSWERERS, thread_name_prefix="answer")
        while True:
            told = messages.decode_to_reader(self._link.recv_bytes())
            if isinstance(told, messages.ReadingJudged):
                self._judged.put(told)
            elif isinstance(told, messages.AskFrame):
                answering.submit(self._answer_frame, watcher, told)
            elif isinstance(told, messages.AskStep):
                answering.submit(self._answer_step, told)
            elif isinstance(told, messages.UsePlan):
                self._known.set_plan(told.plan)
            elif isinstance(told, messages.UseCorners):
                watcher.set_corners(told.corners_px)
            elif isinstance(told, messages.LookAgain):
                watcher.look_again()
            elif isinstance(told, messages.Leave):
                self._closing.set()
                source.close()
                return

    def _reader(self) -> KnownTableReader:
        """The reader with the memory of the one before it, if there was one."""
        begin = self._begin
        if begin.memory is not None:
            reader = pickle.loads(begin.memory)  # written by a process of ours, kept in the house's memory
            assert isinstance(reader, KnownTableReader)
            if reader.plan != begin.plan:
                reader.set_plan(begin.plan)
            return reader
        known, damaged = None, begin.plain
        if begin.calibration is not None and not begin.plain:
            try:
                known = load_calibration(Path(begin.calibration))
            except BadCalibration:  # it was whole when the table was opened
                damaged = True
        reader = KnownTableReader(begin.plan, known)
        if damaged:
            reader.offer_for("damaged")
        return reader

    def _note_names(self) -> None:
        self._renamed = True

    def _see(self, layout: Layout, frame: int) -> None:
        """Hand a reading over, on the thread that reads; then the house knows what the reader remembers by now.

        :raises CompanionError: the game could not take it in.
        """
        renamed, self._renamed = self._renamed, False
        self._say(messages.TableSeen(layout, frame, renamed))
        judged = self._judged.get()
        if judged.position is not None:
            self._known.confirm_position(judged.position)
        with suppress(RuntimeError):  # a step of the set-up changes it just now; the next reading tells
            self._say(messages.ReaderLearned(pickle.dumps(self._known)))
        if judged.error is not None:
            raise CompanionError(judged.error)

    def _beat(self, watcher: Watcher) -> None:
        """Say again and again how things are."""
        while not self._closing.wait(PULSE_S):
            self._say(messages.Pulse(watcher.status(), self._calibrator.notice(), watcher.overlay(), watcher.busy_s()))

    def _answer_frame(self, watcher: Watcher, asked: messages.AskFrame) -> None:
        self._say(messages.Answered(asked.n, frame=watcher.frame(asked.after, asked.timeout_s)))

    def _answer_step(self, asked: messages.AskStep) -> None:
        calibrator = self._calibrator
        steps: dict[str, Callable[[], CalibrationStatus | None]] = {
            "status": calibrator.status,
            "open": calibrator.open,
            "close": calibrator.close,
            "remember": lambda: calibrator.remember(asked.standing),
            "set_out": lambda: calibrator.set_out(asked.row),
            "forget": calibrator.forget,
            "later": calibrator.later,
        }
        try:
            self._say(messages.Answered(asked.n, status=steps[asked.step]()))
        except CompanionError as error:
            kind = type(error).__name__
            self._say(messages.Failed(asked.n, kind if kind in messages.ERRORS else "SeeError", str(error)))

    def _say(self, message: messages.ToHouse) -> None:
        """Send a message; without a house there is nothing left to do."""
        data = messages.encode(message)
        try:
            with self._sending:
                self._link.send_bytes(data)
        except OSError:
            os._exit(0)
