"""Recorded evenings with things about that do not belong to the game: `python -m bench.intruders FOLDER...`.

FOLDER is a labeled recording with a `sequence.json`; a file `FOLDER.calibration` beside it, or in the folder of
`--calibrations`, is used if it is there. Each recording is refereed as a film, as `companion watch` does it, alone (the
control) and with each intruder: an arm that rests on the rim of the mat and stirs, a cup that the picture's border
cuts, a sleeve over half a marker, a phone, a lamp that is switched on and off, and a nudge of the camera. Prints
the events that the referee wrote right, the rows of events that did not happen, and the accusations of legal moves.

`--light` plays films of ten minutes with light that changes instead: dusk, blinds, shadows, a lamp, the sun, a screen.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.recordings import comparable
from companion.app.commands.calibrate import known_table
from companion.app.commands.watch import RecordingReferee, refereed
from companion.core.recording import load_recording_file
from companion.games import RECORDED
from companion.referee.journal import Journal
from simulation.changed.changing_light import LIGHTS
from simulation.changed.evening_film import USUAL, EveningFilm, FilmPace, RecordedEvening
from simulation.changed.intruders import INTRUDERS, Intruder
from vision.table_reader import TableReader

EVENTS = 8
"""So many events of each recording are played."""
LONG = FilmPace(rate_hz=3.0, rest_s=36.0)
"""Ten minutes for the sixteen events of an evening."""


class PlayedFilm(NamedTuple):
    """The result of one film."""

    right: int
    wanted: int
    invented: int
    accused: int


def play(
    folder: Path,
    intruder: Intruder,
    events: int | None,
    calibrations: Path | None,
    pace: FilmPace = USUAL,
    *,
    say: bool = False,
) -> PlayedFilm:
    """Referee a recording with an intruder."""
    evening = RecordedEvening.load(folder, events)
    file = load_recording_file(folder / "sequence.json")
    game = evening.labels["game"]
    recording = RECORDED[game](file.mat, file.setup)
    kept = (calibrations or folder.parent) / f"{folder.name}.calibration"
    calibration = known_table(kept if kept.exists() else None, recording.plan.mat)
    wanted = Counter(map(comparable, evening.events()))
    told: Counter[str] = Counter()
    with TemporaryDirectory() as scratch:
        journal = Journal.open(Path(scratch) / "journal.sqlite")
        reader = TableReader(recording.plan, calibration)
        referee = RecordingReferee(game, recording, journal, reader=reader)
        for _, line in refereed(EveningFilm(evening, intruder, pace), referee, lambda error, name: None):
            if line.words is not None and line.verdict != "revised":
                told[comparable(line.words)] += 1
            if say:
                print(f"    {line.verdict}: {line.text}", flush=True)
        journal.close()
    extra = told - wanted
    accused = sum(number for event, number in extra.items() if not json.loads(event).get("legal", True))
    return PlayedFilm(sum((told & wanted).values()), sum(wanted.values()), sum(extra.values()), accused)


def main(arguments: Sequence[str]) -> int:
    """Print a row for each intruder; 1 if anybody was accused wrongly."""
    parser = argparse.ArgumentParser(description="Referee recorded evenings with intruders on the table.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--only", action="append", choices=[*INTRUDERS, *LIGHTS], help="only this intruder")
    parser.add_argument("--light", action="store_true", help="changing light in films of ten minutes")
    parser.add_argument("--events", type=int, help=f"events of each recording; default: {EVENTS}, with --light all")
    parser.add_argument("--calibrations", type=Path, help="the folder of the calibrations")
    parser.add_argument("--say", action="store_true", help="print what the referee says")
    asked = parser.parse_args(arguments)
    accused = 0
    known, pace = (LIGHTS, LONG) if asked.light else (INTRUDERS, USUAL)
    events = asked.events or (None if asked.light else EVENTS)
    for name in asked.only or known:
        began = time.monotonic()
        each = [play(folder, known[name], events, asked.calibrations, pace, say=asked.say) for folder in asked.folders]
        right, wanted, invented, wrong = (sum(column) for column in zip(*each, strict=True))
        by_folder = " ".join(f"{one.right}/{one.wanted}" for one in each)
        print(
            f"{name:20s} right {right:3d} of {wanted:3d} ({by_folder})   invented {invented}   wrongly accused {wrong}"
            f"   {time.monotonic() - began:.0f} s",
            flush=True,
        )
        accused += wrong
    return 1 if accused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
