"""The process that reads one table: it owns the camera and the readers, and ends when the server does.

The reading thread hands a reading over and waits until the server has judged it. The main thread receives the server's
messages. Other threads answer questions, so that a step of the set-up does not delay pictures.
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
from itertools import chain, repeat
from multiprocessing.connection import Connection
from pathlib import Path

from companion.core.foundation.errors import BadCalibration, CameraError, CompanionError
from companion.core.foundation.secrecy import SecretAddress
from companion.core.layout import Layout
from companion.core.protocols.calibration import CalibrationStatus
from companion.core.protocols.eyes import EyesStatus
from vision.calibration.calibration import load_calibration
from vision.gate.watcher import Watcher
from vision.reader_process import messages
from vision.setup.calibrator import TableCalibrator
from vision.setup.known_table import KnownTableReader
from vision.sources.live import mode_of
from vision.sources.opening import open_source

PULSE_S = 0.2
WAITS_S = (0.5, 1.0, 2.0, 5.0)
"""The waits in seconds before a camera that cannot be opened is tried again; the last one repeats."""
OPENER = "opening"
"""The name of the thread that opens the camera."""
OPENING = "The camera is being opened."
AGAIN = "It is tried again until it is there; moves can be entered on the page meanwhile."
"""The sentence on the page before the first picture."""
ANSWERERS = 6
"""The number of threads that answer questions."""


def main(link: Connection) -> None:
    """Runs the process of `vision.reader_process.reader_process.ReaderProcess`."""
    # Ctrl+C in a terminal reaches the whole group, but the server decides when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.excepthook = _end_with
    begin = messages.decode_to_reader(link.recv_bytes())
    assert isinstance(begin, messages.BeginWatching)
    with suppress(EOFError, OSError):  # the server is gone
        _Reading(link, begin).run()
    os._exit(0)  # even if a driver still holds something


def _end_with(fault: threading.ExceptHookArgs) -> None:
    """Prints an error; ends the process if the thread that opens the camera died, because the next process may
    succeed.
    """
    threading.__excepthook__(fault)
    if fault.thread is not None and fault.thread.name == OPENER:
        os._exit(1)


class _Reading:
    """One table that is being watched."""

    def __init__(self, link: Connection, begin: messages.BeginWatching) -> None:
        self._link = link
        self._begin = begin
        self._sending = threading.Lock()
        self._judged: queue.SimpleQueue[messages.ReadingJudged] = queue.SimpleQueue()
        self._renamed = False
        self._closing = threading.Event()
        self._watcher: Watcher | None = None
        self._away: str | None = None
        """The reason why the last attempt to open the camera failed; None before the first one."""
        self._known = self._reader()
        self._calibrator = TableCalibrator(self._known, Path(begin.kept), self._see, self._note_names)

    def run(self) -> None:
        """Watches until the server ends it.

        Raises:
            EOFError: The server is gone.
            OSError: The server is gone.
        """
        if self._begin.calibration is None and not self._begin.plain:
            self._calibrator.load(known=self._begin.memory is not None)
        threading.Thread(target=self._open, name=OPENER, daemon=True).start()
        threading.Thread(target=self._beat, name="pulse", daemon=True).start()
        answering = ThreadPoolExecutor(ANSWERERS, thread_name_prefix="answer")
        while True:
            told = messages.decode_to_reader(self._link.recv_bytes())
            watcher = self._watcher
            if isinstance(told, messages.ReadingJudged):
                self._judged.put(told)
            elif isinstance(told, messages.AskFrame):
                answering.submit(self._answer_frame, watcher, told)
            elif isinstance(told, messages.AskStep):
                answering.submit(self._answer_step, told)
            elif isinstance(told, messages.UsePlan):
                self._known.set_plan(told.plan)
            elif isinstance(told, messages.UseCorners):
                if watcher is None:
                    self._known.set_corners(told.corners_px)
                else:
                    watcher.set_corners(told.corners_px)
            elif isinstance(told, messages.LookAgain):
                if watcher is not None:
                    watcher.look_again()
            elif isinstance(told, messages.Leave):
                self._closing.set()
                if watcher is not None:
                    watcher.close()
                return

    def _open(self) -> None:
        """Opens the camera, with as many tries as necessary, and watches the table from then on."""
        camera = SecretAddress(self._begin.camera)
        for wait_s in chain(WAITS_S, repeat(WAITS_S[-1])):
            try:
                source = open_source(camera, after=self._begin.after)
                break
            except CameraError as error:
                self._away = str(error)
                self._say(messages.CameraRefused(self._away))
            if self._closing.wait(wait_s):
                return
        self._say(messages.Opened(mode_of(source)))
        watcher = Watcher(source, self._known, self._calibrator.see)
        self._calibrator.attach(watcher)
        self._watcher = watcher

    def _reader(self) -> KnownTableReader:
        """Returns the reader, with the memory of the previous process if there was one."""
        begin = self._begin
        if begin.memory is not None:
            reader = pickle.loads(begin.memory)  # an earlier process wrote it, and the server kept it in memory
            assert isinstance(reader, KnownTableReader)
            if reader.plan != begin.plan:
                reader.set_plan(begin.plan)
            return reader
        known, damaged = None, begin.plain
        if begin.calibration is not None and not begin.plain:
            try:
                known = load_calibration(Path(begin.calibration))
            except BadCalibration:  # the file was intact when the table was opened
                damaged = True
        reader = KnownTableReader(begin.plan, known)
        if damaged:
            reader.offer_for("damaged")
        return reader

    def _note_names(self) -> None:
        self._renamed = True

    def _see(self, layout: Layout, frame: int) -> None:
        """Hands a reading over, on the reading thread, and then sends what the reader remembers.

        Raises:
            CompanionError: The game could not process it.
        """
        renamed, self._renamed = self._renamed, False
        self._say(messages.TableSeen(layout, frame, renamed))
        judged = self._judged.get()
        if judged.position is not None:
            self._known.confirm_position(judged.position)
        with suppress(RuntimeError):  # a step of the set-up is changing it; the next reading sends it
            self._say(messages.ReaderLearned(pickle.dumps(self._known)))
        if judged.error is not None:
            raise CompanionError(judged.error)

    def _beat(self) -> None:
        """Sends the state again and again."""
        while not self._closing.wait(PULSE_S):
            self._say(self._pulse())

    def _pulse(self) -> messages.Pulse:
        watcher, notice = self._watcher, self._calibrator.notice()
        if watcher is not None:
            return messages.Pulse(watcher.status(), notice, watcher.overlay(), watcher.busy_s())
        text = OPENING if self._away is None else f"{self._away} {AGAIN}"
        status = EyesStatus("opening" if self._away is None else "lost", text, self._begin.after)
        return messages.Pulse(status, notice, None, 0.0)

    def _answer_frame(self, watcher: Watcher | None, asked: messages.AskFrame) -> None:
        if watcher is None:
            self._closing.wait(asked.timeout_s)
        frame = None if watcher is None else watcher.frame(asked.after, asked.timeout_s)
        self._say(messages.Answered(asked.n, frame=frame))

    def _answer_step(self, asked: messages.AskStep) -> None:
        if self._watcher is None:
            self._say(messages.Failed(asked.n, "SeeError", self._away or OPENING))
            return
        calibrator = self._calibrator
        steps: dict[str, Callable[[], CalibrationStatus | None]] = {
            "status": calibrator.status,
            "open": calibrator.open,
            "close": calibrator.close,
            "remember": lambda: calibrator.remember(asked.standing),
            "set_out": lambda: calibrator.set_out(asked.row),
            "keep_taught": lambda: calibrator.keep_taught(asked.keep),
            "forget": calibrator.forget,
            "later": calibrator.later,
        }
        try:
            self._say(messages.Answered(asked.n, status=steps[asked.step]()))
        except CompanionError as error:
            kind = type(error).__name__
            self._say(messages.Failed(asked.n, kind if kind in messages.ERRORS else "SeeError", str(error)))

    def _say(self, message: messages.ToHouse) -> None:
        """Sends a message; without a parent the process ends."""
        data = messages.encode(message)
        try:
            with self._sending:
                self._link.send_bytes(data)
        except OSError:
            os._exit(0)
