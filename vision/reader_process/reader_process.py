"""Watches one table from a supervised process: if it dies or hangs, it is ended and another one is started.

The next process gets the last one's memory of the table, so the game goes on. If a process dies before its first
reading, that memory may be the cause: the next one starts without it, and its first reading is judged as after a
restart of the program. After three such deaths the learned table may be the cause, and from then on every second
process reads without it.
"""

from __future__ import annotations

import multiprocessing
import queue
import threading
import time
from collections.abc import Callable
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.foundation.errors import CameraError, CompanionError, SeeError
from companion.core.foundation.secrecy import SecretAddress
from companion.core.layout import Layout
from companion.core.plan import Plan, Point
from companion.core.protocols.calibration import CalibrationStatus, Notice
from companion.core.protocols.eyes import CameraMode, EyesState, EyesStatus, Frame, Overlay
from vision.reader_process import child, messages
from vision.reader_process.calibrator import RemoteCalibrator

OPENING, AGAIN = child.OPENING, child.AGAIN
ENDED = "The camera reader ended before it gave a picture. See what it wrote in the terminal."
STARTING = "The camera reader stopped and is being started again. The game waits; it goes on by itself."
RESTARTED = "The camera reader stopped and was started again. Nothing is lost: the game goes on."
FAULT = "Reading stopped by a fault in the program. Start the companion again."


class TimeLimits(Struct, frozen=True):
    """The time limits in seconds."""

    opening_s: float = 60.0
    """The time from the start of the process to the first picture; a busy machine loads its readers slowly."""
    silent_s: float = 10.0
    """The time without a message after which the process counts as hanging."""
    busy_s: float = 30.0
    """The time of one task of the reading thread after which the process counts as hanging."""
    steady_s: float = 10.0
    """If a process lived at least this long, the next one starts immediately."""
    backoff_s: tuple[float, ...] = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0)
    """The waits before the first, second, ... consecutive start; the last one repeats."""
    told_s: float = 60.0
    """The time for which the page reports a restart."""
    leaving_s: float = 2.0
    """The time for a process to end on request."""


PLAIN_AFTER = 3
"""The number of processes without a reading after which the learned table may be the cause."""

Launch = Callable[[Connection], multiprocessing.process.BaseProcess]
"""A function that starts the process at the other end of a pipe."""


def spawn(theirs: Connection) -> multiprocessing.process.BaseProcess:
    """Starts a process that shares no memory with this one: a fork with threads and locks may hang."""
    process = multiprocessing.get_context("spawn").Process(target=child.main, args=(theirs,), daemon=True)
    process.start()
    return process


class ReaderProcess:
    """Watches one table from a process of its own, once `start` was called; implements
    `companion.core.protocols.eyes.Eyes`.

    Args:
        camera: As `vision.sources.opening.open_source` takes it.
        see: Gets each reading, with the number of its picture. It may call `look_again` and `confirm_position`.
        look_afresh: Called before a reading in which pieces have other names than before.
        kept: The file that keeps the learned table.
        calibration: A calibration file instead.
        opened: Gets one sentence on how the camera was opened, or why it is not there yet.
        tick: Seconds of a clock that never goes back.
    """

    def __init__(
        self,
        camera: SecretAddress,
        plan: Plan,
        see: Callable[[Layout, int], object],
        look_afresh: Callable[[], None],
        *,
        kept: Path,
        calibration: Path | None = None,
        opened: Callable[[str], object] = lambda sentence: None,
        bounds: TimeLimits | None = None,
        launch: Launch = spawn,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self._see = see
        self._look_afresh = look_afresh
        self._bounds = bounds or TimeLimits()
        self._new_process = launch
        self._tick = tick
        self._begin = messages.BeginWatching(
            camera.reveal(), plan, str(kept), None if calibration is None else str(calibration)
        )
        self._closing = threading.Event()
        self._sending = threading.Lock()
        self._numbers = count(1)
        self._waiting: dict[int, queue.SimpleQueue[messages.Answered | messages.Failed | None]] = {}
        self._readings: queue.SimpleQueue[tuple[messages.TableSeen, Connection] | None] = queue.SimpleQueue()
        self._settled: Layout | None = None
        self._afresh = False
        self._faulty = False
        self._pulse: messages.Pulse | None = None
        self._pulsed_s = 0.0
        self._text = OPENING
        self._told_until_s = 0.0
        self._opened = opened
        self._outcome = threading.Condition()
        self._refused: str | None = None
        """The reason why the last attempt to open the camera failed; None if it did not fail."""
        self._was_open = self._is_open = False
        """True if the camera ever gave pictures. `_is_open` is True if the present process has opened it."""
        self._fetching = threading.Lock()
        self._frame: Frame | None = None
        self._fetched_s = 0.0
        self.mode: CameraMode | None = None
        """The mode in which the camera was opened; None if there was no choice."""
        self.restarts = 0
        """The number of restarts."""
        self.calibrator = RemoteCalibrator(self)
        """The set-up of the same table."""
        self._proved = False
        """True if the present process has read anything."""
        self._stillborn = 0
        """The number of consecutive processes that died young before their first reading."""
        self._launch()
        self._judging = threading.Thread(target=self._judge, name="judge", daemon=True)
        self._watching = threading.Thread(target=self._watch, name="reader", daemon=True)
        self._watching.start()

    def start(self) -> None:
        """Starts to hand over readings; until then they wait."""
        self._judging.start()

    def await_opening(self) -> None:
        """Waits until the camera gives pictures.

        Raises:
            CameraError: It does not, or not in time; the process keeps trying until it is closed.
        """
        with self._outcome:
            known = self._outcome.wait_for(lambda: self._was_open or self._refused, self._bounds.opening_s)
            refused = None if self._was_open else self._refused
        if refused is not None:
            raise CameraError(refused)
        if not known:
            raise CameraError("The camera gives no picture. Unplug it, plug it in, try again.")

    @property
    def pid(self) -> int | None:
        """The number of the process that reads now."""
        return self._process.pid

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """Returns the newest picture with a number above `after`; waits up to `timeout_s`, then None.

        However many ask at once, the process is asked once for each picture.
        """
        until_s = self._tick() + timeout_s
        while not self._closing.is_set():
            left_s = until_s - self._tick()
            if self._fetching.acquire(timeout=max(0.0, left_s)):
                try:
                    self._fetch(after, max(0.0, min(left_s, 0.5)))
                finally:
                    self._fetching.release()
            frame = self._frame
            if frame is not None and frame.number > after:
                return frame
            if self._tick() >= until_s:
                return None
        return None

    def overlay(self) -> Overlay | None:
        """Returns the marks of the last reading."""
        pulse = self._pulse
        return None if pulse is None else pulse.overlay

    def status(self) -> EyesStatus:
        """Returns the current status; while the process is away, the status says so."""
        pulse, now_s = self._pulse, self._tick()
        if self._faulty:
            return EyesStatus("ended", FAULT)
        if pulse is None or (self._was_open and not self._is_open):
            frame = self._frame
            state: EyesState = "opening" if self._text == OPENING else "lost"
            return EyesStatus(state, self._text, 0 if frame is None else frame.number)
        status = pulse.status
        if status.age_s is not None:
            status = replace(status, age_s=status.age_s + now_s - self._pulsed_s)
        return replace(status, notice=RESTARTED) if now_s < self._told_until_s else status

    def notice(self) -> Notice:
        """Returns the note about the set-up that every page shows."""
        pulse = self._pulse
        return Notice(False) if pulse is None else pulse.notice

    def set_plan(self, plan: Plan) -> None:
        """Uses another plan from the next picture on."""
        self._begin = replace(self._begin, plan=plan)
        self._send(messages.UsePlan(plan))

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Uses clicked corners instead of markers; None goes back to markers."""
        self._send(messages.UseCorners(corners_px))

    def look_again(self) -> None:
        """Reads the next steady picture even if nothing moved."""
        self._send(messages.LookAgain())

    def confirm_position(self, position: Layout) -> None:
        """Confirms that the present reading shows the game's position."""
        if threading.current_thread() is self._judging:
            self._settled = position

    def ask_step(self, step: messages.AskStep, within_s: float) -> CalibrationStatus | None:
        """Takes a step of the set-up.

        Raises:
            SeeError: The step fails, or the process does not answer in time; may be any kind that
                `companion.core.protocols.calibration.Calibrator` names.
        """
        answer = self._ask(replace(step, n=next(self._numbers)), within_s)
        if answer is None:
            raise SeeError("The camera reader does not answer now. Try again in a few seconds.")
        return answer.status

    def close(self) -> None:
        """Releases the camera, and ends the process and all threads. Closing twice is allowed."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._send(messages.Leave())
        self._process.join(self._bounds.leaving_s)
        while self._watching.is_alive():  # the thread may be starting another process just now
            self._process.kill()
            self._watching.join(0.1)
        self._end()
        self._readings.put(None)
        if self._judging.ident is not None:
            self._judging.join()

    # Starts, watches and ends the process.

    def _launch(self) -> None:
        ours, theirs = multiprocessing.get_context("spawn").Pipe()
        self._process, self._link = self._new_process(theirs), ours
        theirs.close()
        self._send(self._begin)

    def _watch(self) -> None:
        """Runs the thread that follows the process, and starts another one when it is gone."""
        short = 0
        while True:
            began_s = self._tick()
            self._follow()
            if self._faulty:
                self._process.kill()
            if self._closing.is_set() or self._faulty:
                return
            young = self._tick() - began_s < self._bounds.steady_s
            short = short + 1 if young else 0
            self._stillborn = self._stillborn + 1 if young and not self._proved else 0
            self._text = STARTING if self._was_open else f"{ENDED} {AGAIN}"
            if not self._again(short):
                return

    def _again(self, short: int) -> bool:
        """Ends the process and starts another one; False if the reader is closed meanwhile.

        Args:
            short: The number of consecutive short-lived processes.
        """
        self._end()
        self._pulse, self._is_open = None, False
        for waiting in list(self._waiting.values()):
            waiting.put(None)
        if not self._was_open:
            self._refuse(ENDED)
        waits = self._bounds.backoff_s
        if self._closing.wait(waits[min(short, len(waits) - 1)]):
            return False
        if not self._proved:
            self._begin, self._afresh = replace(self._begin, memory=None), True
        self._proved = False
        frame = self._frame
        plain = self._stillborn >= PLAIN_AFTER and (self._stillborn - PLAIN_AFTER) % 2 == 0
        seen = max(self._begin.after, 0 if frame is None else frame.number)
        self._begin = replace(self._begin, after=seen, plain=plain)
        self._launch()
        return True

    def _follow(self) -> None:
        """Receives messages of the process until it is gone or hangs, or until the reader is closed."""
        self._pulsed_s, silent_s = self._tick(), self._bounds.opening_s
        try:
            while not self._closing.is_set() and not self._faulty:
                if self._link.poll(0.5):
                    self._take(messages.decode_to_house(self._link.recv_bytes()))
                    silent_s = self._bounds.silent_s
                pulse = self._pulse
                if self._tick() - self._pulsed_s > silent_s:
                    return
                if pulse is not None and pulse.busy_s > self._bounds.busy_s:
                    return
        except (EOFError, OSError, msgspec.DecodeError):
            return

    def _end(self) -> None:
        self._process.kill()
        self._process.join()
        with self._sending:
            self._link.close()

    # Handles messages from and to the process.

    def _take(self, told: messages.ToHouse) -> None:
        if isinstance(told, messages.Opened):
            self._note_open(told.mode)
        elif isinstance(told, messages.CameraRefused):
            self._refuse(told.error)
        elif isinstance(told, messages.Pulse):
            self._pulse, self._pulsed_s = told, self._tick()
            self._begin = replace(self._begin, after=max(self._begin.after, told.status.frame))
        elif isinstance(told, messages.TableSeen):
            self._readings.put((told, self._link))
        elif isinstance(told, messages.ReaderLearned):
            self._begin, self._proved = replace(self._begin, memory=told.memory), True
        elif isinstance(told, messages.Answered | messages.Failed):
            waiting = self._waiting.get(told.n)
            if waiting is not None:
                waiting.put(told)

    def _note_open(self, mode: CameraMode | None) -> None:
        """Notes that the camera gives pictures; after an interruption the page says so for a while."""
        with self._outcome:
            again, self._was_open, self._is_open, self.mode = self._was_open, True, True, mode
            self._outcome.notify_all()
        if again:
            self.restarts += 1
            self._told_until_s = self._tick() + self._bounds.told_s
        elif mode is not None:
            self._opened(mode.text)

    def _refuse(self, why: str) -> None:
        """Notes that the camera cannot be opened; before its first picture the terminal says so once, too."""
        with self._outcome:
            first, self._refused = self._refused is None and not self._was_open, why
            self._outcome.notify_all()
        if self._was_open:
            self._text = f"{STARTING} {why}"
        elif first:
            self._opened(f"{why} {AGAIN}")

    def _judge(self) -> None:
        """Runs the thread that judges readings one after the other."""
        judged = False
        try:
            while (reading := self._readings.get()) is not None:
                judged = False
                seen, link = reading
                self._settled, error = None, None
                try:
                    if seen.renamed or self._afresh:
                        self._afresh = False
                        self._look_afresh()
                    self._see(seen.layout, seen.frame)
                except CompanionError as refused:
                    error = str(refused)
                judged = True
                if link is self._link:  # otherwise no caller waits for it any more
                    self._send(messages.ReadingJudged(self._settled, error))
            judged = True
        finally:
            self._faulty = not judged

    def _fetch(self, after: int, wait_s: float) -> None:
        """Asks for a newer picture than the last one, unless that one is recent enough for the caller."""
        frame = self._frame
        here = frame is not None and frame.number > after
        if here and self._tick() - self._fetched_s < 0.1:
            return
        number = -1 if frame is None else frame.number
        answer = self._ask(messages.AskFrame(next(self._numbers), number, 0.0 if here else wait_s), wait_s + 1.0)
        self._fetched_s = self._tick()
        if answer is not None and answer.frame is not None:
            self._frame = answer.frame
        elif answer is None and not here:
            self._closing.wait(min(wait_s, 0.2))

    def _ask(self, question: messages.AskFrame | messages.AskStep, within_s: float) -> messages.Answered | None:
        """Returns the answer of the process; None if it is gone or does not answer in time.

        Raises:
            SeeError: It gives the reason why the question has no answer.
        """
        answers: queue.SimpleQueue[messages.Answered | messages.Failed | None] = queue.SimpleQueue()
        self._waiting[question.n] = answers
        try:
            if not self._send(question):
                return None
            found = answers.get(timeout=within_s)
        except queue.Empty:
            return None
        finally:
            del self._waiting[question.n]
        if isinstance(found, messages.Failed):
            raise messages.ERRORS[found.kind](found.error)
        return found

    def _send(self, message: messages.ToReader) -> bool:
        """Sends a message to the process; returns True if the process was there."""
        data = messages.encode(message)
        with self._sending:
            if self._link.closed:
                return False
            try:
                self._link.send_bytes(data)
            except OSError:
                return False
        return True
