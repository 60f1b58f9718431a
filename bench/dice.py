"""Measures how well dice are read: `python -m bench.dice FOLDER...` for labeled pictures, or without one those of the
tests.

One row for all pictures and one for each kind of die, tray, light and view; below, what was read wrong, how far
confidences can be believed, and the processor time of a picture. `python -m vision.readers.dice.training FOLDER...
--hold-out table` says how well tables are read that nothing was learned from. `--photos FOLDER` reads photographs of
pip dice that show no markers, see `photo_of`; `--leaning` draws dice that lean; `--stress` reads the pictures
darker, warmer, noisier, blurred and smaller. `python -m bench dice` reads the pictures that come with the tests and
a drawn tray of nine dice.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from bench.accuracy import stresses
from bench.figure import Figure
from companion.core.foundation.errors import SeeError
from companion.core.pieces import FACES, WHEEL, Die
from companion.core.plan import DiceTray, Mat, Plan
from simulation.dice_pictures import MAT, NINE, Drawn, camera, tray
from vision.calibration.taught import TaughtDice
from vision.image.light import LINEAR, Light
from vision.image.picture import Picture, read_picture
from vision.image.pose import Pose
from vision.readers.dice.naming import Colors
from vision.readers.dice.palette import learned
from vision.readers.dice.reader import SeenDie, read_dice
from vision.readers.dice.recognition import SURE
from vision.registration.registered_image import RegisteredImage, find_table
from vision.table_reader import TableReader

BUNDLED = Path(__file__).parents[1] / "tests" / "data" / "dice"
NEAR_MM = 8.0
ROUNDS = 15
SIDES_PX = tuple(1024 * 0.068 * 1.2**k for k in range(-2, 6))
"""Sizes that a die of 16 mm may have in a photograph without markers; smaller and larger dice are found anyhow."""
TILTS_DEG = (0.0, 35.0)
"""How far such a photograph may have been taken from aside."""
PHOTO_NEAR = 0.03
"""A photograph's label tells places with an error of so much of its width."""
DOUBTS = 3
LIKELY_ENOUGH = 0.05
LEANING_DEG = (15.0, 20.0, 25.0, 30.0)
FLOORS = ((0.045, 0.16, 0.05), (0.2, 0.42, 0.7), (0.08, 0.13, 0.24), (0.05, 0.05, 0.35))
"""Linear light B, G, R of felt, oak, walnut and red felt."""


class DicePicture(NamedTuple):
    """One labeled picture, read."""

    label: dict[str, Any]
    pairs: list[tuple[dict[str, Any], SeenDie | None]]
    """Each labeled die and what was read there."""
    invented: list[SeenDie]
    milliseconds: float

    by_top: list[bool]
    """Whether each flat colored die is named right by its top face alone."""

    @property
    def whole(self) -> bool:
        """True if everything is right."""
        return not self.invented and all(right(die, seen) for die, seen in self.pairs)

    @property
    def in_play(self) -> bool | None:
        """The same for a game that knows which dice are in play; None where it would ask, for the count is wrong.

        Each of the three least sure dice may also be its runner-up, as in `companion.games.shared.color_dice.readings`.
        """
        kinds = Counter(die["kind"] for die, _ in self.pairs)
        seen = [one for _, one in self.pairs if one is not None] + self.invented
        heap = [one for one in seen if not one.cocked]
        doubts = sorted(heap, key=lambda one: one.sighting.confidence)[:DOUBTS]
        ways = [(1.0, {id(one): one.die for one in heap})]
        for one in doubts:
            for other in one.sighting.candidates[1:2]:
                odds = other.probability / one.sighting.confidence
                ways += [(share * odds, {**way, id(one): other.piece}) for share, way in ways if odds > LIKELY_ENOUGH]
        for _, way in sorted(ways, key=lambda each: -each[0]):
            if Counter(piece.kind for piece in way.values() if isinstance(piece, Die)) == kinds:
                named = [None if one is None else way.get(id(one)) for _, one in self.pairs]
                faces = ((die["kind"], die["face"]) for die, _ in self.pairs)
                told = ((one.kind, one.face) if isinstance(one, Die) else None for one in named)
                return all(a == b for a, b in zip(faces, told, strict=True))
        return None


def right(die: dict[str, Any], seen: SeenDie | None) -> bool:
    """True if kind and face are as labeled."""
    return seen is not None and (seen.die.kind, seen.die.face) == (die["kind"], die["face"])


def figures() -> Iterator[Figure]:
    """Yields the bundled pictures, then the time of a tray of nine."""
    shots = list(read_all(BUNDLED))
    yield Figure("dice of the bundled pictures, F1", f1(shots), "", at_least=0.99)
    yield Figure("whole pictures right", sum(s.whole for s in shots) / len(shots), "", at_least=0.95)
    picture = tray(NINE)
    reader = TableReader(Plan(MAT, (DiceTray(),)))
    heap = reader.read(picture).layout.heaps["dice"]
    yield Figure("dice of a drawn tray of nine", float(len(heap)), "", at_least=9)
    times_ms = []
    for _ in range(ROUNDS):
        began = time.process_time()
        reader.read(picture)
        times_ms.append(1000 * (time.process_time() - began))
    yield Figure("CPU to read a tray of nine dice, median", statistics.median(times_ms), "ms", at_most=150)


def leaning() -> Iterator[tuple[str, str, float, bool]]:
    """Kind, view, tilt and whether it was noticed, of drawn dice that lean; a tilt of 0 is noticed wrongly."""
    random = np.random.default_rng(5)
    for kind, faces in FACES.items():
        for view in ("oblique", "overhead"):
            for tilt in (0.0, *LEANING_DEG):
                for floor in FLOORS:
                    x, y, yaw = random.uniform((70, 60, 0), (170, 130, 90))
                    face = faces[int(random.integers(len(faces)))]
                    picture = tray((Drawn(kind, face, x, y, yaw, tilt),), camera(view == "oblique"), floor)
                    yield kind, view, tilt, any(die.cocked for die in read_dice(find_table(picture, MAT)))


def report_leaning() -> None:
    """Print the share of leaning dice that are noticed."""
    told: dict[tuple[str, str, float], list[bool]] = defaultdict(list)
    for kind, view, tilt, noticed in leaning():
        told[kind, view, tilt].append(noticed)
    for (kind, view, tilt), answers in told.items():
        print(f"{kind:14s} {view:9s} {tilt:3.0f} degrees: {sum(answers)} of {len(answers)} called cocked")


def seen_without_markers(picture: Picture, side_px: float, tilt_deg: float = 0.0) -> RegisteredImage:
    """Returns a table under a camera of which nothing is known, on which a die of 16 mm in the middle measures
    `side_px`.
    """
    height, width = picture.shape[:2]
    focal = 0.95 * max(width, height)
    away_mm = 16 * focal / side_px + 16
    mat = Mat(width * away_mm / focal, height * away_mm / focal, 25.0)
    tilt = math.radians(tilt_deg)
    turn = cv2.Rodrigues(np.array([tilt, 0.0, 0.0]))[0]
    shift = np.array([0.0, 0.0, away_mm]) - turn @ np.array([mat.width_mm / 2, mat.height_mm / 2, 0.0])
    x, y, z = (float(v) for v in shift)
    pose = Pose((width, height), focal, 0.0, (tilt, 0.0, 0.0), (x, y, z), 0.0)
    white = np.percentile(LINEAR[picture].reshape(-1, 3), 98, axis=0)
    b, g, r = (float(v) for v in np.log(np.maximum(white, 0.02)))
    light = Light((mat.width_mm / 2, mat.height_mm / 2), (b, g, r), 0.0, 0.0, (0, 1, 2, 3))
    return RegisteredImage(picture, 1.0, mat, pose, light, ())


class Photo(NamedTuple):
    """A photograph without markers, read under the camera for which its dice say most."""

    label: dict[str, Any]
    table: RegisteredImage
    dice: tuple[SeenDie, ...]

    def pairs(self) -> Iterator[tuple[dict[str, Any], SeenDie | None]]:
        """Yields each labeled die, and the surest reading there."""
        height, width = self.table.picture.shape[:2]
        found = []
        for die in self.dice:
            top = np.array([[die.place.x_mm, die.place.y_mm, die.candidate.solid.height_mm]])
            found.append((self.table.pose.project(top)[0] / (width, height), die))
        for die in self.label["truth"]["dice"]:
            near = [seen for at, seen in found if math.dist(at, die["at"]) < PHOTO_NEAR]
            yield die, max(near, key=lambda seen: seen.sighting.confidence, default=None)


def photo_of(path: Path) -> Photo:
    """Read a photograph; the camera is guessed, its distance and its tilt."""
    label = json.loads(path.read_text())
    picture = read_picture(path.with_name(label["image"]))
    tables = [seen_without_markers(picture, side_px, tilt) for tilt in TILTS_DEG for side_px in SIDES_PX]
    read = [Photo(label, table, read_dice(table)) for table in tables]
    return max(read, key=lambda photo: sum(die.sighting.confidence for die in photo.dice))


def report_photos(folder: Path) -> None:
    """Print how many faces of pip dice are right, untaught and taught by what the other photographs show."""
    paths = [
        path
        for path in sorted(folder.glob("*.json"))
        if all(die["kind"] == "pips-d6" for die in json.loads(path.read_text())["truth"].get("dice", [{"kind": None}]))
    ]
    photos = [photo_of(path) for path in paths]
    report_faces("untaught", photos)
    report_faces("taught", [taught_by_others(photo, photos) for photo in photos])


def taught_by_others(photo: Photo, photos: Sequence[Photo]) -> Photo:
    """Reads the photograph after the faces without pips of all other photographs were taught."""
    taught = TaughtDice()
    for other in photos:
        if other is photo:
            continue
        for die, seen in other.pairs():
            if seen is not None and seen.look is not None:
                taught = taught.with_look(die["face"], seen.look)
    return photo._replace(dice=read_dice(photo.table, taught=taught)) if taught else photo


def report_faces(name: str, photos: Sequence[Photo]) -> None:
    """Prints the right and the surely wrong readings by the color of the bodies."""
    answers: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for photo in photos:
        for die, seen in photo.pairs():
            good = right(die, seen)
            sure = seen is not None and seen.sighting.confidence >= SURE
            for group in ("all", die["body"]):
                answers[group].append((good, sure and not good))
            if not good:
                read = "nothing" if seen is None else f"{seen.die.kind} {seen.die.face}, {seen.sighting.confidence:.2f}"
                print(f"  {photo.label['image']}: {die['body']} {die['face']} read as {read}")
    for group, some in answers.items():
        count = sum(good for good, _ in some)
        wrong = sum(wrong for _, wrong in some)
        print(f"{name}, {group}: {count} of {len(some)} dice right: {count / len(some):.4f}, surely wrong {wrong}")


def read_all(folder: Path, change: Callable[[Picture], Picture] = lambda picture: picture) -> Iterator[DicePicture]:
    """Yields every labeled picture of a folder; one in which no table is found counts as read empty."""
    for path in sorted(folder.glob("*.json")):
        label = json.loads(path.read_text())
        mat = label["mat"]
        picture = change(read_picture(path.with_name(label["image"])))
        factor = picture.shape[1] / label["size"][0]
        corners = [(x * factor, y * factor) for x, y in mat["corners_px"]] if len(mat["visible_ids"]) < 4 else None
        began = time.process_time()
        try:
            table = find_table(picture, Mat(mat["width_mm"], mat["height_mm"], mat["marker_mm"]), corners)
        except SeeError as error:
            print(f"  {label['image']}: {error}")
            yield DicePicture(label, [(die, None) for die in label["truth"]["dice"]], [], 0.0, [])
            continue
        dice = read_dice(table)
        milliseconds = 1000 * (time.process_time() - began)
        pairs, invented = matched(label["truth"]["dice"], dice)
        pairs = [(die, seen) for die, seen in pairs if not die.get("logo")]
        yield DicePicture(label, pairs, invented, milliseconds, list(by_top(table, pairs)))


def by_top(table: RegisteredImage, pairs: list[tuple[dict[str, Any], SeenDie | None]]) -> Iterator[bool]:
    """Whether the top face's color alone names each colored die right."""
    for die, seen in pairs:
        if seen is None or seen.die.kind == "pips-d6" or not seen.candidate.faces:
            continue
        likely = np.logaddexp.reduce(Colors(table, seen.candidate, learned().palette).top, axis=0)
        faces = [k for k, color in enumerate(WHEEL) if color in FACES[seen.die.kind]]
        yield WHEEL[max(faces, key=lambda k: likely[k])] == die["face"]


def matched(
    labeled: list[dict[str, Any]], dice: tuple[SeenDie, ...]
) -> tuple[list[tuple[dict[str, Any], SeenDie | None]], list[SeenDie]]:
    """Nearest pairs, and what is left of the reading."""
    gaps = sorted(
        (math.hypot(die["x"] - seen.place.x_mm, die["y"] - seen.place.y_mm), i, j)
        for i, die in enumerate(labeled)
        for j, seen in enumerate(dice)
    )
    found: dict[int, int] = {}
    for gap, i, j in gaps:
        if gap < NEAR_MM and i not in found and j not in found.values():
            found[i] = j
    pairs = [(die, dice[found[i]] if i in found else None) for i, die in enumerate(labeled)]
    return pairs, [seen for j, seen in enumerate(dice) if j not in found.values()]


def f1(shots: list[DicePicture]) -> float:
    """Of kinds and faces."""
    good = sum(right(die, seen) for shot in shots for die, seen in shot.pairs)
    wanted = sum(len(shot.pairs) for shot in shots)
    given = sum(seen is not None for shot in shots for _, seen in shot.pairs) + sum(len(s.invented) for s in shots)
    return 2 * good / max(wanted + given, 1)


def report(shots: list[DicePicture]) -> None:
    """Print everything."""
    groups: dict[str, list[DicePicture]] = defaultdict(list)
    kinds: dict[str, list[bool]] = defaultdict(list)
    for shot in shots:
        label = shot.label
        for group in (f"tray {label['table'].split(' on ')[0]}", f"light {label['light']}", f"view {label['view']}"):
            groups[group].append(shot)
        if "family" in label:
            groups[f"plastic {label['family']}"].append(shot)
        for die, seen in shot.pairs:
            kinds[die["kind"]].append(right(die, seen))
            if not right(die, seen):
                read = "nothing" if seen is None else f"{seen.die.kind} {seen.die.face}"
                print(f"  {label['image']}: {die['kind']} {die['face']} read as {read}")
        for seen in shot.invented:
            print(f"  {label['image']}: {seen.die.kind} {seen.die.face} where nothing is")
    for name, some in [("all", shots), *sorted(groups.items())]:
        whole = sum(shot.whole for shot in some) / len(some)
        count = sum(len(shot.pairs) for shot in some)
        print(f"{name:28s} pictures {len(some):4d}   dice {count:5d}   F1 {f1(some):.4f}   whole pictures {whole:.4f}")
    for kind, answers in sorted(kinds.items()):
        print(f"{kind:28s} {len(answers):5d} dice, {sum(answers) / len(answers):.4f} right")
    reliability(shots)
    gaps = [
        math.hypot(die["x"] - seen.place.x_mm, die["y"] - seen.place.y_mm)
        for shot in shots
        for die, seen in shot.pairs
        if seen is not None
    ]
    times_ms = [shot.milliseconds for shot in shots]
    print(f"places: median {statistics.median(gaps):.2f} mm off, worst {max(gaps):.2f} mm")
    print(f"CPU a picture, markers included: median {statistics.median(times_ms):.0f} ms, worst {max(times_ms):.0f} ms")


def reliability(shots: list[DicePicture]) -> None:
    """Share of right readings by how sure they were."""
    said: dict[str, list[bool]] = defaultdict(list)
    for shot in shots:
        answers = [(seen, right(die, seen)) for die, seen in shot.pairs if seen is not None]
        for seen, good in [*answers, *((seen, False) for seen in shot.invented)]:
            low = next(limit for limit in (0.99, 0.95, 0.9, 0.8, 0.0) if seen.sighting.confidence >= limit)
            said[f"{low:.2f}"].append(good)
    for low, answers in sorted(said.items(), reverse=True):
        print(f"confidence at least {low}        {len(answers):5d} dice, {sum(answers) / len(answers):.4f} right")


def report_stress(folders: Sequence[Path]) -> None:
    """Print how well the pictures are read as another camera might have seen them."""
    print(f"{'':18s} dice F1  whole pictures  a game that knows its dice: right  asks  wrong   by top faces alone")
    for name, change in {"as they are": lambda picture: picture, **stresses()}.items():
        shots = [shot for folder in folders for shot in read_all(folder, change)]
        told = [shot.in_play for shot in shots]
        alone = [good for shot in shots for good in shot.by_top]
        counts = f"{told.count(True):5d} {told.count(None):5d} {told.count(False):5d}"
        whole = sum(shot.whole for shot in shots) / len(shots)
        print(f"{name:18s} {f1(shots):.4f}   {whole:.4f}          {counts:>42s}   {sum(alone) / len(alone):.4f}")


def main() -> None:
    """Read the arguments, read the pictures, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[BUNDLED])
    parser.add_argument("--photos", type=Path, help="photographs of pip dice without markers")
    parser.add_argument("--leaning", action="store_true", help="drawn dice that lean: how many are noticed")
    parser.add_argument("--stress", action="store_true", help="read them darker, warmer, noisier, blurred, smaller")
    args = parser.parse_args()
    if args.stress:
        report_stress(args.folders)
        return
    if args.photos is not None:
        report_photos(args.photos)
        return
    if args.leaning:
        report_leaning()
        return
    report([shot for folder in args.folders for shot in read_all(folder)])


if __name__ == "__main__":
    main()
