"""Sets a table up step by step: each step learns from the newest pictures, and the result is kept.

The calibration is kept in one file beside the journal, so that a restart finds it. Each step works on its own pictures
and never delays the reading thread; the reader uses the calibration from its next picture on.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, Protocol

from msgspec import structs
from numpy.typing import NDArray

from companion.core.foundation.errors import BadCalibration, SeeError, WrongTable
from companion.core.foundation.kept_file import set_aside
from companion.core.layout import Layout
from companion.core.pieces import PYRAMID_COLORS, WHEEL, Die, Pyramid
from companion.core.protocols.calibration import (
    CalibrationStatus,
    CardSign,
    Known,
    Notice,
    Row,
    SetupStep,
    Standing,
    StillStanding,
)
from companion.core.protocols.eyes import EyesStatus
from vision.calibration.calibration import Calibration, around_pieces, load_calibration
from vision.calibration.drift import TINT, tint
from vision.calibration.taught import TaughtTable, load_taught
from vision.image.picture import Picture
from vision.readers.cards.teaching import USUAL_ROWS
from vision.registration.registered_image import find_table
from vision.setup.calibrating import calibrate, taught, taught_cards, taught_dice
from vision.setup.known_table import TURN, KnownTableReader, domain_of
from vision.setup.setup_steps import camera_view, colors_step, empty_step, markers_step, row_faults, still_standing, why
from vision.setup.standing_things import StandingThing, things_on
from vision.sources.source import Shot

Floats = NDArray[Any]

SAMPLER_CARDS = tuple(code for row in USUAL_ROWS for code in row)
"""One card of each color and one of each number."""
_ROW_OF: dict[str, Literal["dice", "cards"]] = {"dice": "dice", "cards": "cards"}

TAUGHT_S = 20.0
"""The least number of seconds between writes of what people taught."""
OPEN_S = 600.0
"""The number of seconds after which an idle set-up ends, so that the game does not wait for a closed browser."""
LOOK_S = 0.8
"""The least number of seconds between searches for the markers, however many pages ask."""
QUIET_S = 5.0
"""The number of seconds for which a step waits for hands to leave the picture."""
FRESH_S = 10.0
"""The number of seconds for which a step waits for a fresh picture, while another picture is being read."""
PICTURES = 3
"""The number of pictures of a live camera from which its noise is measured."""
SURE = 0.95
"""A reading below this confidence on a table that was never shown empty may be its pattern."""
SAME_PX = 12.0
"""The distance, in pixels of the working picture, within which a standing piece is the same in two pictures."""


class Pictures(Protocol):
    """The part of `vision.gate.watcher.Watcher` that is used here."""

    def shot(self, after: int, timeout_s: float) -> Shot | None: ...
    def status(self) -> EyesStatus: ...
    def look_again(self) -> None: ...


class TableCalibrator:
    """Learns one table; implements `companion.core.protocols.calibration.Calibrator`.

    Args:
        reader: The reader that uses the calibration.
        path: The file that keeps it.
        see: Gets each reading, unless the set-up is open.
        look_afresh: Called before the first reading after the calibration has changed.
        clock: Returns seconds since the epoch.
        tick: Returns seconds of a clock that never goes back.
    """

    def __init__(
        self,
        reader: KnownTableReader,
        path: Path,
        see: Callable[[Layout, int], object],
        look_afresh: Callable[[], None],
        *,
        clock: Callable[[], float] = time.time,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader = reader
        self._path = path
        self._see = see
        self._look_afresh = look_afresh
        self._clock = clock
        self._tick = tick
        self._eyes: Pictures | None = None
        self._learning = threading.Lock()
        self._looking = threading.Lock()
        self._open_until_s = 0.0
        self._remembered_s: float | None = None
        self._seen: tuple[float, SetupStep, tuple[int, ...]] | None = None
        self._taught_path = path.with_suffix(".taught")
        self._kept_taught: TaughtTable | None = None
        """The knowledge that the file holds; None if the host has not agreed to keep any."""
        self._taught_s = -math.inf

    def attach(self, eyes: Pictures) -> None:
        """Takes pictures from this watcher."""
        self._eyes = eyes

    def load(self, *, known: bool = False) -> None:
        """Loads the kept calibration; a damaged one is set aside and the set-up is offered.

        Args:
            known: True if the reader already has it.
        """
        self._load_taught(known)
        if not self._path.exists():
            return
        try:
            if not known:
                self._reader.learn(load_calibration(self._path))
            self._remembered_s = self._path.stat().st_mtime
        except OSError:
            self._reader.offer_for("damaged")
        except BadCalibration as error:
            set_aside(self._path, str(error).rstrip("."))
            self._reader.offer_for("damaged")

    def _load_taught(self, known: bool) -> None:
        if not self._taught_path.exists():
            return
        try:
            self._kept_taught = load_taught(self._taught_path)
        except BadCalibration as error:
            set_aside(self._taught_path, str(error).rstrip("."))
            return
        if not known:
            self._reader.teach(self._kept_taught)

    def see(self, layout: Layout, frame: int) -> None:
        """Passes a reading on, unless the set-up is open."""
        if self._is_open():
            return
        if self._reader.renamed():
            self._look_afresh()
        self._see(layout, frame)
        if self._kept_taught is not None and self._tick() - self._taught_s >= TAUGHT_S:
            self._taught_s = self._tick()
            taught = self._reader.taught
            if taught != self._kept_taught:
                self._write_taught(taught)

    def keep_taught(self, keep: bool) -> None:
        """Keeps what people teach for the next evening from now on, or forgets it, in memory and in the file.

        Raises:
            BadCalibration: The file cannot be written.
        """
        with self._step():
            if keep:
                self._write_taught(self._kept_taught or TaughtTable())
            else:
                self._forget_taught()
            self._taught_s = -math.inf

    def _write_taught(self, taught: TaughtTable) -> None:
        taught.save(self._taught_path)
        self._kept_taught = taught

    def _forget_taught(self) -> None:
        self._taught_path.unlink(missing_ok=True)
        self._kept_taught = None
        known = self._reader.calibration
        self._reader.teach(TaughtTable() if known is None else TaughtTable(known.colors, known.tones, dice=known.dice))

    def notice(self) -> Notice:
        """Returns the note about the set-up that every page shows."""
        is_open = self._is_open()
        return Notice(is_open, None if is_open else self._reader.offer)

    def status(self) -> CalibrationStatus:
        """Returns the current status; while the set-up is open, the newest picture is checked for it."""
        domain = domain_of(self._reader.plan)
        known = self._reader.calibration
        status = CalibrationStatus(
            domain is not None,
            why(domain),
            self._is_open(),
            _known(known),
            words=() if known is None else known.words + known.color_words,
            colors={"pyramids": PYRAMID_COLORS, "dice": WHEEL, "cards": SAMPLER_CARDS}.get(domain or "", ()),
            row_of=_ROW_OF.get(domain or "", "pyramids"),
            remembered_s=None if known is None else self._remembered_s,
            keeps_taught=self._kept_taught is not None,
            view=camera_view(known, domain),
        )
        if not status.open:
            return status
        markers, ids = self._markers()
        steps = markers, empty_step(known, domain), colors_step(known, domain)
        return structs.replace(status, steps=steps, markers=ids)

    def open(self) -> None:
        """Begins the set-up; the game waits."""
        self._open_until_s = self._tick() + OPEN_S

    def close(self) -> None:
        """Ends the set-up; the game continues with the present table."""
        self._open_until_s = 0.0
        self._watched().look_again()

    def remember(self, standing: Standing | None = None) -> None:
        """Remembers the table as it is now.

        Args:
            standing: The pieces there as people state them, whatever is read; None: let them be read.

        Raises:
            StillStanding: Pieces were read and people have not stated any.
            SeeError: The table cannot be learned from the picture.
        """
        with self._step():
            domain, pictures = self._domain(), self._quiet_pictures()
            mat, corners_px = self._reader.plan.mat, self._reader.clicked_px
            found = () if standing == "none" else self._standing(domain, pictures)
            if standing is None and found:
                raise StillStanding(still_standing([one.name for one in found]))
            try:
                learned = calibrate(domain, mat, pictures, corners_px=corners_px).calibration
            except WrongTable as error:
                raise SeeError("The camera or the table moved meanwhile. Let both rest and press again.") from error
            before = self._reader.calibration
            outlines = [one.outline_px for one in found]
            empty = around_pieces(learned.empty, outlines, self._reader.empty)
            words = learned.words if empty.free is None else (*learned.words, _partly(len(found)))
            learned = structs.replace(learned, empty=empty, words=words)
            if before is not None and tint(learned.empty.light, before.empty) <= TINT:
                learned = structs.replace(
                    learned,
                    colors=before.colors,
                    tones=before.tones,
                    color_words=before.color_words,
                    dice=before.dice,
                    deck=before.deck,
                )
            self._keep(learned)

    def set_out(self, row: Row) -> None:
        """Learns colors from known pieces.

        Raises:
            SeeError: The row differs from the stated one; the sentence names the missing part.
        """
        with self._step():
            known = self._reader.calibration
            domain = self._domain()
            if domain not in ("pyramids", "dice", "cards"):
                raise SeeError(colors_step(known, domain).text)
            if known is None:
                raise SeeError("The empty table is not remembered yet. Do step 2 first.")
            picture = self._quiet_pictures()[-1]
            try:
                with TURN:
                    learned, faults = self._learned(known, picture, row)
            except WrongTable as error:
                raise SeeError(
                    "The table does not look as it did when it was remembered. Do step 2 again first."
                ) from error
            if faults:
                raise SeeError(faults)
            self._keep(learned)

    def _learned(self, known: Calibration, picture: Picture, row: Row) -> tuple[Calibration, str]:
        """Returns the calibration that also knows a row of pieces, and the row's fault."""
        if domain_of(self._reader.plan) == "dice":
            faces = [piece.face for piece in row if isinstance(piece, Die)]
            return taught_dice(known, picture, [faces], self._reader.clicked_px), ""
        if domain_of(self._reader.plan) == "cards":
            codes = [piece.code for piece in row if isinstance(piece, CardSign)]
            return taught_cards(known, [picture], [codes], self._reader.clicked_px), ""
        pieces = [piece for piece in row if isinstance(piece, Pyramid)]
        learned, seen = taught(known, picture, [pieces], self._reader.clicked_px)
        return learned, row_faults(seen)

    def forget(self) -> None:
        """Reads without the empty table from now on, and after a restart."""
        with self._step():
            self._path.unlink(missing_ok=True)
            self._reader.learn(None)
            self._forget_taught()
            self._watched().look_again()

    def later(self) -> None:
        """Withdraws the present offer."""
        self._reader.withdraw()

    def _is_open(self) -> bool:
        """True if the set-up is open; after its time limit, the table is read again."""
        if self._open_until_s and self._tick() >= self._open_until_s:
            self.close()
        return self._open_until_s > 0

    @contextmanager
    def _step(self) -> Iterator[None]:
        """Runs one step at a time and keeps an open set-up from ending.

        Raises:
            SeeError: Another one is being taken.
        """
        if not self._learning.acquire(blocking=False):
            raise SeeError("A step is being taken already. Wait until it is done.")
        try:
            if self._is_open():
                self.open()
            yield
        finally:
            self._learning.release()

    def _watched(self) -> Pictures:
        assert self._eyes is not None, "attach() comes before anything is asked"
        return self._eyes

    def _domain(self) -> str:
        domain = domain_of(self._reader.plan)
        if domain is None:
            raise SeeError(why(domain))
        return domain

    def _markers(self) -> tuple[SetupStep, tuple[int, ...]]:
        """Returns the first step, checked anew at most every `LOOK_S` seconds."""
        with self._looking:
            now_s = self._tick()
            if self._seen is None or now_s - self._seen[0] >= LOOK_S:
                shot = self._watched().shot(-1, 0.0)
                if shot is None:
                    step: SetupStep = SetupStep(False, f"There is no picture yet. {self._watched().status().text}")
                    self._seen = now_s, step, ()
                else:
                    self._seen = now_s, *markers_step(shot.picture, self._reader.plan.mat, self._reader.clicked_px)
            return self._seen[1], self._seen[2]

    def _quiet_pictures(self) -> list[Picture]:
        """Returns pictures of the table at rest, if possible taken after this call; the newest is last.

        Raises:
            SeeError: There are none, or something moves.
        """
        eyes = self._watched()
        last = eyes.shot(-1, FRESH_S)
        if last is None or eyes.status().state in ("lost", "off"):
            raise SeeError(eyes.status().text)
        until_s = self._tick() + QUIET_S
        while eyes.status().state != "ended":
            # The very next picture may have been waiting for seconds while another one was read.
            fresh = eyes.shot(last.number + 1, FRESH_S)
            if fresh is None:
                raise SeeError(eyes.status().text)
            shots = self._following(fresh)
            if eyes.status().state != "moving":
                return [one.picture for one in shots]
            if self._tick() >= until_s:
                raise SeeError("Something moves, or a hand is in view. Take it out of the picture and press again.")
            last = shots[-1]
        return [last.picture]

    def _following(self, shot: Shot) -> list[Shot]:
        """Returns a picture and some that follow it directly."""
        shots = [shot]
        while len(shots) < PICTURES:
            more = self._watched().shot(shots[-1].number, 0.5)
            if more is None or more.picture.shape != shot.picture.shape:
                break
            shots.append(more)
        return shots

    def _standing(self, domain: str, pictures: Sequence[Picture]) -> tuple[StandingThing, ...]:
        """Returns the things that the first and the last picture surely show: for weak readings of a pattern, noise
        decides.
        """
        last = self._standing_in(domain, pictures[-1])
        if not last or len(pictures) == 1:
            return last
        first = self._standing_in(domain, pictures[0])
        return tuple(one for one in last if any(one.is_like(other, SAME_PX) for other in first))

    def _standing_in(self, domain: str, picture: Picture) -> tuple[StandingThing, ...]:
        """Returns the things that certainly stand on the table in one picture; none if its pattern looks like
        pieces.
        """
        plan, known = self._reader.plan, self._reader.calibration
        try:
            table = find_table(picture, plan.mat, self._reader.clicked_px, calibration=known)
        except WrongTable:
            table = find_table(picture, plan.mat, self._reader.clicked_px)
        with TURN:
            return things_on(table, domain, SURE)

    def _keep(self, calibration: Calibration) -> None:
        """Uses and keeps a calibration, from the next picture on."""
        fresh = self._path.with_name(self._path.name + ".new")
        try:
            calibration.save(fresh)
            fresh.replace(self._path)
        except (BadCalibration, OSError):
            unkept = "It could not be written to disk, so a restart will not know it. Make room there, and do it again."
            calibration = structs.replace(calibration, words=(*calibration.words, unkept))
        self._remembered_s = self._clock()
        self._reader.learn(calibration)
        self._watched().look_again()


def _known(calibration: Calibration | None) -> Known:
    if calibration is None:
        return "no"
    return "yes" if calibration.empty.free is None else "partly"


def _partly(count: int) -> str:
    pieces = "the piece" if count == 1 else f"the {count} pieces"
    return (
        f"Under {pieces} on the table it is not known how the table looks. Remember it again when they stand elsewhere."
    )
