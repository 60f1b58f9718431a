"""Films of recorded games, refereed live as `companion serve` does, begun at any of their steady pictures.

`python -m bench.live_films FILM... [--first K]...` needs two files beside each film: `FILM.json`, the seconds at which
each state of the table comes to rest with the event that led to it, and `FILM.setup.json`, mat and setup of the
recording; a file `FILM.calibration` is used if it is there. Each start is played twice. First nobody touches the page:
then no row may be written whose event is not in the film, and nobody may be accused of a legal move. Then a scripted
person begins from what is seen, corrects it where the labels of the recording (`--recording FOLDER`, one for each film)
say otherwise, and answers every question truly: then every event from there on should be told. With `--only silent`
that person agrees on the start and answers nothing afterwards.

The session manager, the watcher, the reader and the page are those of `companion serve`, in one process. Time is the
film's: a look takes `READING_S` of it, so a run says the same on every machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np

from bench.recordings import comparable
from companion.app.commands.calibrate import known_table
from companion.core.layout import Layout, Spot
from companion.core.pieces import Pyramid
from companion.core.plan import PyramidZone
from companion.core.recording import Recording, load_recording_file
from companion.core.verdict import Choice, Refused, TakenBack, Unclear
from companion.games import GAMES, RECORDED
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from vision.gate.watcher import Watcher
from vision.image.picture import Picture
from vision.setup.known_table import KnownTableReader
from vision.sources.film import FilmSource
from vision.sources.source import Shot
from vision.table_reader import Reading
from web.admission.access import Access
from web.app import create_app
from web.boards import PRESENTERS
from web.views.agreement_view import seen_pieces

GAME = "spectra"
Who = Literal["nobody", "person", "silent"]
"""The person at the page: nobody, one who answers truly, or one who answers nothing once the game has begun."""
BY_ITSELF: tuple[Who, ...] = ("nobody", "person")
READING_S = 0.5
"""Seconds of the film that one look takes, as on a laptop of the day."""
IDLE_S = 0.3
"""A film is over when nothing has come for so many seconds of real time."""
ORIGIN = "http://localhost"


class FilmState(NamedTuple):
    """The table at rest, and the event that led to it."""

    t_s: float
    event: Mapping[str, Any] | None
    """None: the film begins so."""


class LabeledFilm(NamedTuple):
    """A film with what is known of it."""

    path: Path
    recording: Recording
    states: tuple[FilmState, ...]
    standing: tuple[Mapping[str, Any], ...]
    """By state the labels of its picture; empty: the recording was not given."""


def load(path: Path, recording: Path | None) -> LabeledFilm:
    """Returns a film and the files beside it.

    :param recording: the folder of the recording that the film was made of; None: nothing is corrected.
    """
    about = load_recording_file(path.with_name(path.name + ".setup.json"))
    rests = json.loads(path.with_name(path.name + ".json").read_text())
    states = (FilmState(0.0, None), *(FilmState(rest["t"], rest["event"]) for rest in rests))
    standing: tuple[Mapping[str, Any], ...] = ()
    if recording is not None:
        frames = json.loads((recording / "sequence.json").read_text())["frames"]
        standing = tuple(frame["truth"] for frame in frames if frame["stable"])
    return LabeledFilm(path, RECORDED[GAME](about.mat, about.setup), states, standing)


class LiveFilm(FilmSource):
    """A film from some second on, as a camera would show it: what is not looked at in time is gone."""

    def __init__(self, path: Path, from_s: float) -> None:
        super().__init__(path)
        self.now_s = from_s
        """The time of the film, as a clock: the picture that was shown last."""
        self._from_s = from_s

    def next(self, timeout_s: float) -> Shot | None:
        """Returns the first picture that comes after the time that has passed."""
        while (shot := super().next(timeout_s)) is not None and shot.t_s < self._from_s:
            pass
        if shot is not None:
            self.now_s = max(self.now_s, shot.t_s)
        return shot

    def spend(self, seconds: float) -> None:
        """Let time pass in which no picture is looked at."""
        self._from_s = self.now_s = self.now_s + seconds


class SlowReader(KnownTableReader):
    """A reader whose looks take time of the film."""

    film: LiveFilm

    def read(self, picture: Picture) -> Reading:
        found = super().read(picture)
        self.film.spend(READING_S)
        return found

    def read_again(self, picture: Picture) -> Reading:
        found = super().read_again(picture)
        self.film.spend(READING_S)
        return found


class Truth:
    """The known state of the table while a film plays."""

    def __init__(self, film: LabeledFilm) -> None:
        self.film = film

    def state(self, t_s: float) -> int:
        """Returns the number of the state that the film shows at a time."""
        return max(number for number, state in enumerate(self.film.states) if state.t_s <= t_s + 1e-6)

    def pieces(self, number: int) -> dict[Spot, list[Pyramid]] | None:
        """The pieces in each zone; None if the recording was not given."""
        if number >= len(self.film.standing):
            return None
        zones = [zone for zone in self.film.recording.plan.zones if isinstance(zone, PyramidZone)]
        found: dict[Spot, list[Pyramid]] = {zone.spot: [] for zone in zones}
        labels = self.film.standing[number]
        lying = [{"x": one["x"], "y": one["y"], "pieces": [one]} for one in labels.get("lying", ())]
        for stack in (*labels["stacks"], *lying):
            for zone in zones:
                outline = np.array(zone.outline_mm, np.float32)
                if cv2.pointPolygonTest(outline, (float(stack["x"]), float(stack["y"])), False) >= 0:
                    found[zone.spot] += [Pyramid(one["color"], one["size"]) for one in stack["pieces"]]
        return found

    def turn(self, number: int) -> str:
        """Returns how the turn stands in a state, as the page offers it."""
        events = [state.event for state in self.film.states]
        following = next((event for event in events[number + 1 :] if event is not None), None)
        player = events[number]["player"] if number and events[number] else None  # type: ignore[index]
        if player is None or (following is not None and following["player"] != player):
            whose = player if following is None else following["player"]
            begins = following is None or following["type"] == "draw"
            return f"player {(whose or 0) + 1} is on turn and {'has not drawn yet' if begins else 'has drawn'}"
        drawn = following is None or following["type"] != "draw"
        return f"player {player + 1} is on turn and {'has drawn' if drawn else 'has not drawn yet'}"


class ScriptedPerson:
    """Somebody at the page who knows what happens and answers truly."""

    def __init__(self, table: Table, truth: Truth, post: Any, *, answers: bool = True) -> None:
        """
        :param post: sends a command to the page.
        :param answers: False: once the start is agreed on, nothing is answered any more.
        """
        self._answers = answers
        self._table = table
        self._truth = truth
        self._post = post
        self.begun: int | None = None
        """The state at which the game was first agreed on."""
        self.did: Counter[str] = Counter()
        """How often what was done."""

    def look(self, number: int) -> None:
        """Look at the page, and answer what is asked.

        :param number: of the state that the film shows.
        """
        session = self._table.session
        if self.begun is not None and not self._answers:
            return
        if self._table.apart is not None:
            if self._table.apart.seen is not None:
                self._agree(number)
            return
        if self.begun is None:
            self.begun = number
        verdict = None if session.alert is None else session.alert.verdict
        if isinstance(verdict, Unclear):
            self._answer(verdict, number)
        elif isinstance(verdict, Refused):
            event = session.game.words(session.state, verdict.event) or {}
            if comparable({**event, "legal": False}) not in self._events(0, number):
                self._say("misread", {})
        elif isinstance(verdict, TakenBack) and verdict.event is None:
            self._say("misread", {})

    def _agree(self, number: int) -> None:
        """Begin, or go on, from what stands there."""
        presenter, pieces = PRESENTERS[GAME], self._truth.pieces(number)
        seen = {spot: Counter(held) for spot, held in seen_pieces(self._table).items()}
        wrong = (
            {} if pieces is None else {spot: held for spot, held in pieces.items() if Counter(held) != seen.get(spot)}
        )
        body = {
            "seen": {spot: [presenter.piece_code(one) for one in held] for spot, held in wrong.items() if spot in seen},
            "turn": self._truth.turn(number),
        }
        self.did["corrected zones"] += len(body["seen"])
        if self._say("as-seen", body) and self.begun is None:
            self.begun = number

    def _answer(self, asked: Unclear, number: int) -> None:
        """Choose what happened since the record's last event; if no answer says it, none is taken."""
        told = told_events(self._table)
        since = [event for event in self._events(self.begun or 0, number, ordered=True) if told[event] <= 0]
        for place, choice in enumerate(asked.choices):
            if self._events_of(choice) == since:
                self._say("answer", {"choice": place})
                return
        self._say("misread", {})

    def _events_of(self, choice: Choice) -> list[str]:
        session = self._table.session
        state = session.state if choice.given is None else choice.given.state
        found = []
        for place, event in enumerate(choice.events):
            words = session.game.words(state, event)
            legal = not (choice.breaches and place == len(choice.events) - 1)
            if words is not None:
                found.append(comparable({**words, "legal": legal}))
            state = state.apply_unchecked(event)
        return found

    def _events(self, first: int, last: int, *, ordered: bool = False) -> Any:
        """Returns the events of the film after a state up to another one, in a form that compares."""
        found = [comparable(dict(one.event)) for one in self._truth.film.states[first + 1 : last + 1] if one.event]
        return found if ordered else set(found)

    def _say(self, what: str, body: dict[str, Any]) -> bool:
        """Press a button of the page; whether it did something."""
        answer = self._post(f"/api/table/{what}", {"expected": self._table.session.seq, **body})
        done = int(answer.status_code) == 200
        self.did[what if done else f"{what} refused: {answer.json.get('error', '')}"] += 1
        return done


def told_events(table: Table) -> Counter[str]:
    """Returns the events that rows tell and that count, refusals among them, in a form that compares."""
    found: Counter[str] = Counter()
    undone = table.session.undone()
    for row in table.session.rows():
        if row.event is None or row.n in undone or row.kind not in ("move", "chance", "refused", "correct"):
            continue
        event = table.session.game.event(row.event)
        words = table.session.game.words(table.session.state_at(row.n - 1), event)
        if words is not None:
            found[comparable({**words, "legal": row.kind != "refused"})] += 1
    return found


class Played(NamedTuple):
    """The result of one film from one start."""

    begun: int | None
    """The state at which the game was agreed on; None: never."""
    told: Counter[str]
    wanted: Counter[str]
    """The events after that state."""
    every: Counter[str]
    """The events after the start."""
    did: Counter[str]

    @property
    def right(self) -> int:
        """The number of wanted events that the referee reported."""
        return sum((self.told & self.wanted).values())

    @property
    def invented(self) -> int:
        """The number of reported events that are not in the film."""
        return sum((self.told - self.every).values())

    @property
    def accused(self) -> int:
        """The number of refused legal moves."""
        return sum(n for event, n in (self.told - self.every).items() if not json.loads(event)["legal"])

    @property
    def missed(self) -> int:
        """The number of illegal moves that were not named."""
        return sum(n for event, n in (self.wanted - self.told).items() if not json.loads(event)["legal"])


def play(film: LabeledFilm, first: int, who: Who) -> Played:
    """Referee a film from one of its states on.

    :param who: is at the page.
    """
    truth, recording = Truth(film), film.recording
    with TemporaryDirectory() as kept:
        journal = Journal.open(Path(kept) / "journal.sqlite")
        source = LiveFilm(film.path, film.states[first].t_s)
        calibration = film.path.with_suffix(".calibration")
        reader = SlowReader(
            recording.plan, known_table(calibration if calibration.exists() else None, recording.plan.mat)
        )
        reader.film = source
        sessions = SessionManager(journal, GAMES, recording.plan, use_plan=reader.set_plan, clock=lambda: source.now_s)
        table = sessions.start(GAME, recording.names, recording.options)
        access = Access(pin="000000")
        browser = create_app(sessions, access=access).test_client()
        browser.set_cookie("companion_table", access.token("host"), domain="localhost")
        somebody = ScriptedPerson(
            table,
            truth,
            lambda path, body: browser.post(path, json=body, headers={"Origin": ORIGIN}),
            answers=who == "person",
        )

        watched = threading.Event()

        def see(layout: Layout, frame: int) -> None:
            watched.wait()
            shown = truth.state(source.now_s - READING_S)
            sessions.see(layout, frame)
            if who != "nobody":
                somebody.look(shown)

        watcher = Watcher(source, reader, see, tick=lambda: source.now_s)
        sessions.watch(watcher)
        watched.set()
        quiet_s = time.monotonic()
        while time.monotonic() - quiet_s < IDLE_S:
            time.sleep(0.05)
            if watcher.status().state != "ended":
                quiet_s = time.monotonic()
        watcher.close()
        journal.close()
    begun = somebody.begun
    if who == "nobody" and table.apart is None:
        begun = first
    events = [comparable(dict(one.event)) for one in film.states[first + 1 :] if one.event]
    wanted = [] if begun is None else events[begun - first :]
    return Played(begun, told_events(table), Counter(wanted), Counter(events), somebody.did)


def main(arguments: Sequence[str]) -> int:
    """Play each film from each start, print what came of it; 1 if a row was invented or a legal move accused."""
    parser = argparse.ArgumentParser(description="Referee films of recorded games live, begun anywhere.")
    parser.add_argument("films", nargs="+", type=Path, metavar="FILM")
    parser.add_argument("--recording", action="append", type=Path, metavar="FOLDER", help="the labels, one a film")
    parser.add_argument("--first", action="append", type=int, metavar="K", help="begin at state K; default: 0 to 9")
    parser.add_argument("--only", choices=("nobody", "person", "silent"), help="play each start once")
    parser.add_argument("--say", action="store_true", help="list events that are missing or too many")
    asked = parser.parse_args(arguments)
    folders: list[Path | None] = list(asked.recording or [None] * len(asked.films))
    if len(folders) != len(asked.films):
        parser.error("Give --recording once for each film.")
    ways: tuple[Who, ...] = BY_ITSELF if asked.only is None else (asked.only,)
    total: Counter[str] = Counter()
    for path, folder in zip(asked.films, folders, strict=True):
        film = load(path, folder)
        for first in asked.first or range(min(10, len(film.states) - 1)):
            for who in ways:
                played = play(film, first, who)
                _print(path, first, who, played, asked.say)
                for key in ("right", "invented", "accused", "missed"):
                    total[f"{who} {key}"] += getattr(played, key)
                total[f"{who} wanted"] += played.wanted.total()
    for who in ways:
        right, wanted, invented, accused, missed = (
            total[f"{who} {key}"] for key in ("right", "wanted", "invented", "accused", "missed")
        )
        print(
            f"{who}: {right} of {wanted} events told, {invented} rows invented, {accused} legal moves accused,"
            f" {missed} illegal ones missed"
        )
    return 1 if any(total[f"{who} {what}"] for who in ways for what in ("invented", "accused")) else 0


def _print(path: Path, first: int, who: str, played: Played, say: bool) -> None:
    begun = "never agreed" if played.begun is None else f"agreed at {played.begun}"
    print(
        f"{path.name:18s} from {first} {who:7s} {begun:13s} {played.right:3d} of {played.wanted.total():3d} events,"
        f" {played.invented} invented, {played.accused} accused, {played.missed} illegal missed; {dict(played.did)}",
        flush=True,
    )
    if say:
        for event in (played.wanted - played.told).elements():
            print("    missing ", event)
        for event in (played.told - played.every).elements():
            print("    too many", event)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
