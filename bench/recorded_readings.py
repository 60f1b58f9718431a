"""What the reader made of a recorded game, kept as JSON, and refereed again without any picture.

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
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import cv2
import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from bench.recordings import comparable
from companion.commands.watch import RecordingReferee
from companion.errors import NoTable, SeeError
from companion.games import RECORDED
from companion.journal import Journal
from companion.layout import Candidate, Layout, Sighting, Spot
from companion.matching import match
from companion.pieces import Piece, Pyramid, Stack, Tile
from companion.plan import Plan, Point, PyramidZone
from companion.recording import RecordedMat, Recording
from companion.referee.telling import ToldVerdict
from companion.verdict import Verdict
from simulation.drawn.eyes import Noted
from simulation.drawn.standing import Upright
from vision.calibrating import calibrate
from vision.calibration.calibration import Calibration
from vision.camera.folder import FolderSource
from vision.moments import SHIFTS_PX, moments, second_look
from vision.picture import Picture, read_picture
from vision.pose import Floats
from vision.pyramids.zone_lines import REACH_MM
from vision.reading import Reading
from vision.registered_image import RegisteredImage
from vision.table_reader import TableReader

FURTHER = len(SHIFTS_PX)
"""Further looks at each picture that a file keeps, those that the referee asked for first."""
NEAR_MM = 9.0
"""A thing that was read no farther than this from where the labels have one is that thing; no two things stand closer
than 11 mm."""
UNREAD = 0.95
"""Confidence of a piece that the reader did not see and that `exact` puts there."""
_CORNERS: tuple[Point, Point, Point, Point] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_NOTHING = np.zeros((2, 2, 3), np.uint8)


class RecordedLook(Struct, frozen=True):
    """What was read of one steady picture."""

    frame: str
    """File name of the picture."""
    number: int
    """Number of the picture in its folder, hands included; the first is 1."""
    reads: tuple[Layout, ...]
    """One reading a call: a game that begins with its first picture reads that twice. Empty: no table was found."""
    further: tuple[Layout, ...]
    """Further looks at the same picture, as `vision.moments.second_look` samples it anew."""
    places: Mapping[str, Point]
    """Where each followed pyramid or stack (`Sighting.place`) stands, in table millimeters.

    What lies is off by up to 8 mm."""
    truth: Mapping[str, Any]
    """What the labels say of the picture."""


class RecordedReadings(Struct, frozen=True):
    """One recording as it was read."""

    name: str
    game: str
    mat: RecordedMat
    setup: Mapping[str, Any]
    calibrated: bool
    plan: Plan
    """Where things stand, as the first picture has shown it."""
    eye_mm: tuple[float, float, float] | None
    """Where the camera is, in table millimeters, z up."""
    looks: tuple[RecordedLook, ...]
    events: Mapping[str, tuple[Mapping[str, Any], ...]]
    """By file name, what the labels say was done before that picture."""

    @staticmethod
    def load(path: Path) -> RecordedReadings:
        """Read a file that `save` wrote."""
        return msgspec.json.decode(path.read_bytes(), type=RecordedReadings)

    def save(self, path: Path) -> None:
        """Write it, numbers rounded to what they are worth."""
        rounded = _rounded(msgspec.to_builtins(self))
        path.write_bytes(msgspec.json.encode(rounded) + b"\n")

    def recording(self) -> Recording:
        """How refereeing begins; hands lie where the first picture showed them."""
        recording = RECORDED[self.game](self.mat, self.setup)
        return replace(recording, plan=self.plan, hands=None)


class RecordedEyes:
    """Eyes that tell what a reader once read."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._look: RecordedLook | None = None
        self._read = 0
        self._again = 0

    def show(self, look: RecordedLook) -> None:
        """The picture that is read from now on."""
        self._look, self._read, self._again = look, 0, 0

    def set_plan(self, plan: Plan) -> None:
        """Use another plan."""
        self.plan = plan

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Corners do not matter."""

    def confirm_position(self, position: Layout) -> None:
        """Nothing is learned."""

    def read(self, picture: Picture) -> Reading:
        """What was read.

        :raises NoTable: no table was found then.
        """
        assert self._look is not None
        self._read += 1
        return _told(self._look.reads, self._read)

    def read_again(self, picture: Picture) -> Reading:
        """What was read in the next further look.

        :raises NoTable: no table was found then.
        """
        assert self._look is not None
        self._again += 1
        return _told(self._look.further, self._again)


def _told(layouts: Sequence[Layout], nth: int) -> Reading:
    if not layouts:
        raise NoTable("No table was found in this picture when it was read.")
    return Reading(layouts[min(nth, len(layouts)) - 1], (), (0, 1, 2, 3), _CORNERS)


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
        """A further look at it."""
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
    """Where the things of a reading stand, measured from their outlines: marks are in the order of each heap.

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
    """The middle of the base of an upright stack, from the middle of its outline in the original picture.

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
    """Where the middle of the hull of pixels (N, 2) meets the table."""
    hull = cv2.moments(cv2.convexHull(points_px.astype(np.float32)))
    x, y = table.pose.unproject(np.array([[hull["m10"], hull["m01"]]]) / max(hull["m00"], 1e-6))[0]
    return float(x), float(y)


class _Thing(NamedTuple):
    """A stack or a lying piece as it was read."""

    sightings: tuple[Sighting, ...]
    place: Point


def exact(recorded: RecordedReadings) -> RecordedReadings:
    """The same recording with every reading put right by the labels, place by place.

    What is right is left as it was read. What is wrong gets the true piece with the confidence of the wrong one, which
    becomes the runner-up. What was not seen is there, unless the reader says that its place is hidden; what was
    invented is not.
    """
    known: dict[str, Point] = {}
    looks = []
    for look in recorded.looks:
        known |= look.places
        reads = tuple(_exact_layout(layout, look, recorded.plan, known) for layout in look.reads)
        looks.append(replace(look, reads=reads, further=reads[-1:]))
    return replace(recorded, looks=tuple(looks))


def _exact_layout(layout: Layout, look: RecordedLook, plan: Plan, known: Mapping[str, Point]) -> Layout:
    cells = dict(layout.cells)
    for number, tile in enumerate(look.truth.get("cells", ())):
        spot = f"c{number}"
        if spot in cells:
            piece = None if tile is None else Tile(tile["left"], tile["right"], tile["flat"], tile["value"])
            cells[spot] = _righted(cells[spot], piece)
    zones = {zone.spot: zone for zone in plan.zones if isinstance(zone, PyramidZone) and zone.spot in layout.heaps}
    heaps: dict[Spot, list[Sighting]] = {spot: [] for spot in zones}
    things = [thing for spot in zones for thing in _things(layout.heaps[spot], look.places)]
    veiled = [known[key] for key in layout.hidden if key in known]
    for place, pieces in _standing(look.truth):
        zone = _zone_at(place, zones.values())
        if zone is None:
            continue
        thing = min(things, key=lambda one: _apart(one.place, place), default=None)
        if thing is not None and _apart(thing.place, place) < NEAR_MM:
            things.remove(thing)
        elif any(_apart(one, place) < NEAR_MM for one in veiled):
            continue
        else:
            thing = _Thing((), place)
        heaps[zone.spot] += _true_sightings(thing, pieces, zone)
    told = {**layout.heaps, **{spot: tuple(heap) for spot, heap in heaps.items()}}
    return replace(layout, cells=cells, heaps=told)


def _standing(truth: Mapping[str, Any]) -> list[tuple[Point, tuple[Pyramid, ...]]]:
    """Places and pieces, bottom to top, of all that the labels say stands or lies there."""
    stacks = [
        ((one["x"], one["y"]), tuple(Pyramid(p["color"], p["size"]) for p in one["pieces"]))
        for one in truth.get("stacks", ())
    ]
    lying = [((one["x"], one["y"]), (Pyramid(one["color"], one["size"]),)) for one in truth.get("lying", ())]
    return [*stacks, *lying]


def _things(heap: Sequence[Sighting], places: Mapping[str, Point]) -> list[_Thing]:
    """The sightings of a heap, those of one stack together: they follow each other and have one place."""
    found: list[_Thing] = []
    for sighting in heap:
        place = places.get(sighting.place, (float("inf"), float("inf")))
        if found and found[-1].place == place:
            found[-1] = _Thing((*found[-1].sightings, sighting), place)
        else:
            found.append(_Thing((sighting,), place))
    return found


def _true_sightings(thing: _Thing, pieces: tuple[Pyramid, ...], zone: PyramidZone) -> list[Sighting]:
    """A thing as it really is, in the confidences and identities of what was read."""
    if zone.kind == "stalks":
        read = thing.sightings[0] if thing.sightings else _unread(thing.place, 0)
        return [_righted(read, Stack(pieces))]
    known = (*thing.sightings, *[_unread(thing.place, level) for level in range(len(thing.sightings), len(pieces))])
    return [_righted(sighting, piece) for sighting, piece in zip(known, pieces, strict=False)]


def _unread(place: Point, level: int) -> Sighting:
    """What was not read, known again by where it stands."""
    return Sighting((Candidate(None, UNREAD),), f"unread {place[0]:.0f} {place[1]:.0f} {level}")


def _righted(sighting: Sighting, piece: Piece | None) -> Sighting:
    if sighting.piece == piece:
        return sighting
    rest = [one for one in sighting.candidates if one.piece != piece]
    true = Candidate(piece, sighting.confidence)
    left = 1 - true.probability
    scale = min(1.0, left / max(sum(one.probability for one in rest), 1e-6))
    return replace(sighting, candidates=(true, *[Candidate(o.piece, o.probability * scale) for o in rest]))


def _apart(one: Point, other: Point) -> float:
    return math.hypot(one[0] - other[0], one[1] - other[1])


def _zone_at(place: Point, zones: Iterable[PyramidZone]) -> PyramidZone | None:
    """The zone that a place is deepest inside of; None if it is far outside of all."""
    depths = [
        (cv2.pointPolygonTest(np.array(zone.outline_mm, np.float32).reshape(-1, 1, 2), place, True), zone)
        for zone in zones
    ]
    depth, zone = max(depths, key=lambda one: float(one[0]))
    return zone if depth >= -REACH_MM else None


def replay(recorded: RecordedReadings, judge: Callable[..., Verdict] = match) -> list[tuple[str, ToldVerdict]]:
    """Everything that is told of a recording, each with the file name of the picture."""
    eyes = RecordedEyes(recorded.plan)
    told: list[tuple[str, ToldVerdict]] = []
    with TemporaryDirectory(prefix="companion-") as scratch:
        journal = Journal.open(Path(scratch) / "journal.sqlite")
        referee = RecordingReferee(recorded.game, recorded.recording(), journal, judge, reader=eyes)  # type: ignore[arg-type]
        for look in recorded.looks:
            eyes.show(look)
            with contextlib.suppress(SeeError):
                told += [(look.frame, one) for one in referee.look(_NOTHING, look.number)]
        journal.close()
    return told


def score(recorded: RecordedReadings, told: Sequence[tuple[str, ToldVerdict]]) -> Counter[str]:
    """What became of the labeled events, by the names of `SCORED`.

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


def _rounded(data: Any) -> Any:
    """JSON data with numbers of four digits after the point: no reading is known better."""
    if isinstance(data, float):
        return round(data, 4)
    if isinstance(data, Mapping):
        return {key: _rounded(value) for key, value in data.items()}
    return [_rounded(one) for one in data] if isinstance(data, list | tuple) else data


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
