"""The readings of a recorded game, kept as JSON and refereed again without any picture.

`python -m bench.recorded_readings record FOLDER -o FILE [--plain]` reads the steady pictures of a labeled recording
once, beside its own empty table and sampler where it has them. `python -m bench.recorded_readings replay FILE...`
referees such files in a second or two each: what is tried on the referee needs no reading then. With `--exact` every
place holds what the labels say stands there; confidences, runners-up, identities and what is hidden stay the reader's.

Two things differ from `companion watch` on the pictures: what the reader learns of the table's colors it learned from
the verdicts of the day when the file was written, and a file keeps `FURTHER` further looks at each picture.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import msgspec
import numpy as np

from bench.exact_readings import exact
from bench.readings_file import RecordedLook, RecordedReadings, replay
from bench.recordings import comparable
from companion.app.commands.watch import RecordingReferee
from companion.core.foundation.errors import SeeError
from companion.core.layout import Layout
from companion.core.pieces import Pyramid
from companion.core.plan import Plan, Point, PyramidZone
from companion.core.recording import RecordedMat, Recording
from companion.games import RECORDED
from companion.referee.journal import Journal
from companion.referee.telling import ToldVerdict
from simulation.drawn.eyes import Noted
from simulation.drawn.standing import Upright
from vision.calibration.calibration import Calibration
from vision.gate.moments import SHIFTS_PX, moments, second_look
from vision.image.picture import Picture, read_picture
from vision.image.pose import Floats
from vision.registration.registered_image import RegisteredImage
from vision.setup.calibrating import calibrate
from vision.sources.folder import FolderSource
from vision.table_reader import Reading, TableReader

FURTHER = len(SHIFTS_PX)
"""Further looks at each picture that a file keeps, those that the referee asked for first."""


class _NotedMarks(Noted):
    """A reader whose last reading is kept whole, outlines included, with every further look at the same picture."""

    shown: Reading
    further: list[Layout]

    def begin(self) -> None:
        """A new picture comes."""
        super().begin()
        self.further = []

    def read(self, picture: Picture) -> Reading:
        """Read a steady picture."""
        self.shown = super().read(picture)
        return self.shown

    def read_again(self, picture: Picture) -> Reading:
        """Returns a further look at it."""
        reading = super().read_again(picture)
        self.further.append(reading.layout)
        return reading


def record(folder: Path, plain: bool = False) -> RecordedReadings:
    """Read the steady pictures of a recording, while a referee judges them as `companion watch` does.

    :param plain: without its empty table and sampler.
    """
    labels = json.loads((folder / "sequence.json").read_text())
    frames = {frame["file"]: frame for frame in labels["frames"]}
    mat = msgspec.convert(labels["mat"], RecordedMat)
    recording = RECORDED[labels["game"]](mat, labels["setup"])
    known = None if plain or "calibration" not in labels else _calibration(folder, labels["calibration"], recording)
    reader = TableReader(recording.plan, known)
    noted = _NotedMarks(reader)
    looks: list[RecordedLook] = []
    with TemporaryDirectory(prefix="companion-") as scratch:
        shown = Path(scratch) / "pictures"
        shown.mkdir()
        for name in frames:
            (shown / name).symlink_to((folder / name).resolve())
        journal = Journal.open(Path(scratch) / "journal.sqlite")
        referee = RecordingReferee(labels["game"], recording, journal, reader=noted)  # type: ignore[arg-type]
        for moment in moments(FolderSource(shown)):
            noted.begin()
            with contextlib.suppress(SeeError):
                referee.look(moment.picture, moment.number)
            reads = tuple(noted.reads)
            places = _places(noted.shown, reader.table, recording.plan) if reads else {}
            for nth in range(len(noted.further) + 1, FURTHER + 1):
                with contextlib.suppress(SeeError):
                    noted.read_again(second_look(moment.picture, nth))
            truth = frames[moment.name]["truth"]
            looks.append(RecordedLook(moment.name, moment.number, reads, tuple(noted.further), places, truth))
        journal.close()
    eye = None
    if reader.table is not None:
        x, y, z = map(float, reader.table.pose.eye_mm())
        eye = (x, y, z)
    events = {name: tuple(_events(frame)) for name, frame in frames.items() if _events(frame)}
    return RecordedReadings(
        folder.name, labels["game"], mat, labels["setup"], known is not None, reader.plan, eye, tuple(looks), events
    )


def _calibration(folder: Path, known: Mapping[str, Any], recording: Recording) -> Calibration:
    rows = [[Pyramid(one["color"], one["size"]) for one in row] for row in known["sampler"]["rows"]]
    sampler = read_picture(folder / known["sampler"]["file"]), rows
    empty = read_picture(folder / known["empty"])
    return calibrate("pyramids", recording.plan.mat, [empty], sampler, recording.plan.corners_px).calibration


def _places(reading: Reading, table: RegisteredImage | None, plan: Plan) -> dict[str, Point]:
    """Returns the places of a reading's things, measured from their outlines: marks are in the order of each heap.

    A mark's label names one piece a level; in zones of kind "stalks" all of them are one sighting.
    """
    found: dict[str, Point] = {}
    if table is None:
        return found
    stalks = {zone.spot for zone in plan.zones if isinstance(zone, PyramidZone) and zone.kind == "stalks"}
    zones = {zone.spot for zone in plan.zones if isinstance(zone, PyramidZone)}
    rest = {spot: list(reading.layout.heaps[spot]) for spot in zones if spot in reading.layout.heaps}
    for mark in reading.marks:
        if mark.spot not in rest:
            continue
        levels = mark.label.split(", ")
        here = rest[mark.spot][: 1 if mark.spot in stalks else len(levels)]
        del rest[mark.spot][: len(here)]
        place = _place(mark.outline_px, levels, table)
        found |= {sighting.place: place for sighting in here}
    return found


def _place(outline_px: Sequence[Point], levels: Sequence[str], table: RegisteredImage) -> Point:
    """Returns the middle of the base of an upright stack, from the middle of its outline in the original picture.

    Where the middle of an outline meets the table is not where the stack stands; how far off it is is measured on the
    outline that such a stack would have there.
    """
    pieces = tuple(_piece(level) for level in levels)
    seen = _middle_mm(((np.array(outline_px) + 0.5) * table.factor - 0.5), table)
    x, y = seen
    for _ in range(2):
        model = table.pose.project(np.concatenate(Upright(pieces, x, y).solids()))
        there = _middle_mm(model, table)
        x, y = x + seen[0] - there[0], y + seen[1] - there[1]
    return x, y


def _piece(label: str) -> Pyramid:
    color, _, size = label.partition(" ")
    return msgspec.convert({"type": "pyramid", "color": color, "size": size}, Pyramid)


def _middle_mm(points_px: Floats, table: RegisteredImage) -> Point:
    """Returns where the middle of the hull of pixels (N, 2) meets the table."""
    hull = cv2.moments(cv2.convexHull(points_px.astype(np.float32)))
    x, y = table.pose.unproject(np.array([[hull["m10"], hull["m01"]]]) / max(hull["m00"], 1e-6))[0]
    return float(x), float(y)


def score(recorded: RecordedReadings, told: Sequence[tuple[str, ToldVerdict]]) -> Counter[str]:
    """Returns how many labeled events the referee got right or wrong, by the names of `SCORED`.

    Accused: illegal events that the labels do not have in that picture.
    """
    said = Counter((name, comparable(one.words)) for name, one in told if one.words is not None)
    wanted = Counter((name, comparable(dict(event))) for name, some in recorded.events.items() for event in some)
    count: Counter[str] = Counter()
    count["wanted"], count["told"] = wanted.total(), said.total()
    count["right"] = (wanted & said).total()
    count["accused"] = sum(n for (_, event), n in (said - wanted).items() if not json.loads(event).get("legal", True))
    count["illegal missed"] = sum(
        n for (_, event), n in (wanted - said).items() if not json.loads(event).get("legal", True)
    )
    count["asked"] = sum(one.words is None and one.verdict in ("unclear", "pending") for _, one in told)
    count["out of step"] = sum(one.verdict == "out_of_step" for _, one in told)
    return count


SCORED = ("wanted", "right", "told", "accused", "illegal missed", "asked", "out of step")


def _events(frame: Mapping[str, Any]) -> list[dict[str, Any]]:
    event = frame.get("event")
    return event if isinstance(event, list) else [event] if event else []


def main(arguments: Sequence[str]) -> int:
    """Record or replay; exit status 1 if a replayed file has an accusation of a legal move or a missed illegal one."""
    parser = argparse.ArgumentParser(prog="python -m bench.recorded_readings", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record", help="read a folder of pictures once")
    recording.add_argument("folder", type=Path)
    recording.add_argument("-o", "--output", type=Path, required=True)
    recording.add_argument("--plain", action="store_true", help="without calibration")
    replaying = verbs.add_parser("replay", help="referee files anew")
    replaying.add_argument("files", type=Path, nargs="+")
    replaying.add_argument("--exact", action="store_true", help="put every reading right by the labels first")
    replaying.add_argument("-v", "--verbose", action="store_true", help="print all that is told beside what was done")
    given = parser.parse_args(arguments)
    if given.verb == "record":
        record(given.folder, given.plain).save(given.output)
        return 0
    total: Counter[str] = Counter()
    for path in given.files:
        recorded = RecordedReadings.load(path)
        recorded = exact(recorded) if given.exact else recorded
        told = replay(recorded)
        count = score(recorded, told)
        total += count
        print(f"{path.stem:24s} " + "  ".join(f"{name} {count[name]}" for name in SCORED), flush=True)
        if given.verbose:
            _print(recorded, told)
    print(f"{'all':24s} " + "  ".join(f"{name} {total[name]}" for name in SCORED))
    return 1 if total["accused"] or total["illegal missed"] else 0


def _print(recorded: RecordedReadings, told: Sequence[tuple[str, ToldVerdict]]) -> None:
    for look in recorded.looks:
        print(f"  {look.frame}")
        for event in recorded.events.get(look.frame, ()):
            print(f"    done  {comparable(dict(event))}")
        for name, one in told:
            if name == look.frame:
                print(f"    told  {one.verdict}: {one.text}" + (f"  {comparable(one.words)}" if one.words else ""))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
