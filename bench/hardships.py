"""Recorded games made harder, and how they are refereed then: `python -m bench.hardships FOLDER...`.

A camera is knocked, the light fades, a cloth lies on a piece or is lifted from it, steady pictures are missing, the
pictures are coarse, no hand is ever seen. None of these is an event. Folders are labeled recordings with a
`sequence.json`; each is written anew, made harder, into a scratch folder.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from bench.recordings import comparable, reported
from companion.core.recording import load_recording_file
from companion.games import RECORDED
from companion.referee.matching import match
from vision.image.picture import Picture

KNOCKED_FROM = 0.4
"""The camera is knocked after this share of the pictures: turned, moved and brought nearer a little."""
COVERED_UNTIL = 1 / 3
"""A cloth that is lifted lies there for this share of the pictures."""
CLOTH = (0.02, (70, 84, 120))
"""Radius of the cloth as a share of the picture's width, and its color."""
COARSE, FINE = 25, 92
"""JPEG qualities."""

Hardship = Callable[[Picture, float, Any], Picture]
"""A picture, its share of the way through the recording (0 to 1), and a place in pixels or None."""


def knocked(picture: Picture, share: float, place: Any) -> Picture:
    """Returns the picture with the camera moved once, as if knocked."""
    if share < KNOCKED_FROM:
        return picture
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -1.2, 1.012)
    matrix[:, 2] += (-0.012 * width, 0.01 * height)
    return np.asarray(cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8)


def fading(picture: Picture, share: float, place: Any) -> Picture:
    """Returns the picture with less and warmer light."""
    gain = 1 - share * np.array([0.55, 0.45, 0.35])
    rustle = np.random.default_rng(round(share * 1e6)).normal(0, 1.5, picture.shape)
    return np.asarray(np.clip(((picture / 255) ** 2.2 * gain) ** (1 / 2.2) * 255 + rustle, 0, 255), np.uint8)


def covered(picture: Picture, share: float, place: Any) -> Picture:
    """Returns the picture with a cloth on one piece all the time."""
    cloth = picture.copy()
    cv2.circle(cloth, (round(place[0]), round(place[1])), round(CLOTH[0] * picture.shape[1]), CLOTH[1], -1, cv2.LINE_AA)
    return cloth


def uncovered(picture: Picture, share: float, place: Any) -> Picture:
    """Returns the picture with a cloth on one piece that is lifted after a while."""
    return covered(picture, share, place) if share < COVERED_UNTIL else picture


def plain(picture: Picture, share: float, place: Any) -> Picture:
    """Returns the picture as it is."""
    return picture


HARDSHIPS: dict[str, Hardship] = {
    "knocked": knocked,
    "fading": fading,
    "covered": covered,
    "uncovered": uncovered,
    "coarse": plain,
    "skipped": plain,
    "no hands": plain,
}


def made_harder(source: Path, name: str, out: Path) -> dict[str, Any] | None:
    """Write a recording with a hardship; its labels, or None where a cloth has no piece to lie on all the time."""
    labels = json.loads((source / "sequence.json").read_text())
    frames = labels["frames"]
    place = _still_piece(labels) if name in ("covered", "uncovered") else None
    if name in ("covered", "uncovered") and place is None:
        return None
    kept, waiting, seen = [], [], 0
    for k, frame in enumerate(frames):
        events = _events(frame)
        if name == "no hands" and not frame["stable"]:
            continue
        if name == "skipped" and frame["stable"] and events:
            seen += 1
            following = next((later for later in frames[k + 1 :] if later["stable"] and _events(later)), None)
            plays_on = following is not None and all(event.get("legal", True) for event in _events(following))
            usual = all(event.get("legal", True) and event["type"] != "take_back" for event in events)
            if seen % 3 == 0 and plays_on and usual:
                waiting += events
                continue
        picture = HARDSHIPS[name](_read(source / frame["file"]), k / max(1, len(frames) - 1), place)
        quality = COARSE if name == "coarse" else FINE
        cv2.imwrite(str(out / frame["file"]), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        kept.append({**frame, "event": [*waiting, *events] if frame["stable"] and events else None})
        waiting = [] if frame["stable"] and events else waiting
    harder = {**labels, "frames": kept}
    (out / "sequence.json").write_text(json.dumps(harder))
    return harder


def refereed(folder: Path, labels: dict[str, Any]) -> tuple[int, int, int]:
    """Returns the numbers of right events, of events to report, and of accusations of legal moves."""
    file = load_recording_file(folder / "sequence.json")
    recording = RECORDED[labels["game"]](file.mat, file.setup)
    wanted = Counter((frame["file"], comparable(event)) for frame in labels["frames"] for event in _events(frame))
    said = Counter(reported(labels["game"], recording, folder, match))
    accused = sum(1 for _, event in (said - wanted).elements() if not json.loads(event).get("legal", True))
    return sum((wanted & said).values()), sum(wanted.values()), accused


def main(folders: list[str]) -> int:
    """Print a row for each hardship; 1 if anybody was accused wrongly."""
    total = np.zeros(3, int)
    for name in HARDSHIPS:
        row = np.zeros(3, int)
        for counts in _each(name, folders):
            row += counts
        print(f"{name:10s} right {row[0]:3d} of {row[1]:3d}   wrongly accused {row[2]}", flush=True)
        total += row
    print(f"all        right {total[0]} of {total[1]} ({total[0] / max(1, total[1]):.3f})   wrongly accused {total[2]}")
    return 1 if total[2] else 0


def _each(name: str, folders: list[str]) -> Iterator[tuple[int, int, int]]:
    for folder in map(Path, folders):
        with TemporaryDirectory(prefix="companion-") as scratch:
            labels = made_harder(folder, name, Path(scratch))
            if labels is not None:
                yield refereed(Path(scratch), labels)


def _events(frame: dict[str, Any]) -> list[dict[str, Any]]:
    event = frame.get("event")
    return event if isinstance(event, list) else [event] if event else []


def _read(path: Path) -> Picture:
    return np.asarray(cv2.imread(str(path)), np.uint8)


def _still_piece(labels: dict[str, Any]) -> Any:
    """Returns pixels (2,) of a lone pyramid that stands in its place all the time; None without one."""
    truths = [frame["truth"] for frame in labels["frames"] if frame["stable"]]
    places = [{(one["x"], one["y"]) for one in truth.get("stacks", []) if len(one["pieces"]) == 1} for truth in truths]
    still = sorted(set.intersection(*places)) if places else []
    if not still:
        return None
    lens, dist, turn, move = (np.array(labels["camera"][key]) for key in ("K", "dist", "rvec", "tvec"))
    return cv2.projectPoints(np.array([[*still[-1], -8.0]]), turn, move, lens, dist)[0].ravel()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
