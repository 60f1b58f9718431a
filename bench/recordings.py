"""Recorded games refereed with the rules as prior and without: what that prior is worth.

The bundled demo has no labels, so there the two are only compared. `python -m bench.recordings FOLDER...` holds both
against recordings with a `sequence.json` that says what was done in each picture.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.figure import Figure
from companion.app.commands.watch import RecordingReferee
from companion.app.demos import demo_names, load_demo
from companion.core.foundation.errors import SeeError
from companion.core.recording import Recording, load_recording_file
from companion.core.verdict import Verdict
from companion.games import RECORDED
from companion.referee.journal import Journal
from companion.referee.matching import match
from simulation.matching.without_prior import match_without_prior
from vision.gate.moments import moments
from vision.sources.folder import FolderSource

Judge = Callable[..., Verdict]


def figures() -> Iterator[Figure]:
    """Yields events of the bundled demos that both ways of judging tell alike."""
    for name in demo_names():
        demo, folder = load_demo(name)
        recording = RECORDED[demo.game](demo.mat, demo.setup)
        with_rules = reported(demo.game, recording, folder, match)
        without = reported(demo.game, recording, folder, match_without_prior)
        yield Figure(f"{name}: events told with the rules as prior", len(with_rules), "events", at_least=1)
        yield Figure(f"{name}: the same without it", sum((Counter(with_rules) & Counter(without)).values()), "events")


def reported(game: str, recording: Recording, folder: Path, judge: Judge) -> list[tuple[str, str]]:
    """Returns each event that the referee reports of a recording: its file name, and the event as comparable text."""
    found = []
    with TemporaryDirectory() as kept:
        journal = Journal.open(Path(kept) / "journal.sqlite")
        referee = RecordingReferee(game, recording, journal, judge)
        for moment in moments(FolderSource(folder)):
            try:
                lines = referee.look(moment.picture, moment.number)
            except SeeError:
                continue
            found += [(moment.name, comparable(line.words)) for line in lines if line.words is not None]
        journal.close()
    return found


def comparable(event: dict[str, Any]) -> str:
    """Returns an event as text, without what labels and referee word differently, and without the order of given
    pieces.
    """
    kept = {key: value for key, value in event.items() if key not in ("rule", "why", "n")}
    if not kept.get("legal", True):
        kept.pop("points", None)
    if "gave" in kept:
        kept["gave"] = sorted(map(str, kept["gave"]))
    return json.dumps({key: value for key, value in kept.items() if key != "tree"}, sort_keys=True)


def main(folders: list[str]) -> int:
    """Hold both ways against labeled recordings; 1 if an event is not told right with the rules as prior."""
    missed = 0
    for folder in map(Path, folders):
        sequence = json.loads((folder / "sequence.json").read_text())
        file = load_recording_file(folder / "sequence.json")
        recording = RECORDED[sequence["game"]](file.mat, file.setup)
        wanted: Counter[tuple[str, str]] = Counter()
        for frame in sequence["frames"]:
            events = frame["event"] if isinstance(frame["event"], list) else [frame["event"]]
            wanted.update((frame["file"], comparable(event)) for event in events if event)
        row = [f"{folder.name:16s} events {sum(wanted.values()):3d}"]
        for name, judge in (("with the rules", match), ("without", match_without_prior)):
            said = Counter(reported(sequence["game"], recording, folder, judge))
            right = sum((wanted & said).values())
            accused = sum(1 for _, event in (said - wanted).elements() if not json.loads(event).get("legal", True))
            row.append(f"{name}: right {right:3d}, told {sum(said.values()):3d}, wrongly accused {accused}")
            missed += judge is match and right != sum(wanted.values())
        print("   ".join(row), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
