"""Files that the house keeps or that people name, as disks, other programs and ill will leave them: used, or refused in
a sentence; where the house keeps them for itself, set aside.

Half of the files of a known form are spoiled as plain data and written anew, so that they get past a decoder: what is in
them must still be something that the program can work with.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import sqlite3
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import click
import msgspec
import numpy as np

from companion.__main__ import cli, main
from companion.app.backup.making import back_up
from companion.app.backup.members import LONE, path_of
from companion.app.backup.restoring import restore
from companion.app.commands.calibrate import _rows
from companion.app.commands.config import commands_of
from companion.app.commands.configuration import CONFIGURED, keys
from companion.app.commands.devices import LightStrip
from companion.app.commands.served_table import TableOptions
from companion.core.foundation.errors import CompanionError
from companion.core.plan import Mat, load_plan
from companion.core.recording import load_recording_file
from companion.games import GAMES, PLANS
from companion.referee.evening import KeptEvening, begin, pair
from companion.referee.evening.standings import standings
from companion.referee.journal import Journal
from companion.referee.journal.file import END
from companion.referee.results.store import Results
from companion.referee.session.chosen_signs import ChosenSign, ChosenSigns
from companion.referee.session_manager import SessionManager
from hardware.ports import Pairing, Pairings
from tests.fuzz.journals import whole
from tests.fuzz.spoiling import spoiled, spoiled_bytes, spoiled_line
from vision.calibration.calibration import Calibration, EmptyTable, load_calibration
from vision.calibration.taught import KnownTone
from vision.image.light import Light
from vision.image.pose import Pose
from vision.setup.known_table import KnownTableReader
from web.admission.keys import Keys
from web.privacy.seats import Seats

Use = Callable[[Path, Random], object]
"""Opens a file as the program does, and does with it what the program would do next."""


def one(rng: Random) -> None:
    """One spoiled file of any kind."""
    rng.choice((_file, _file, _journal, _backup, configuration))(rng)


def _file(rng: Random) -> None:
    name = rng.choice(list(FILES))
    make, use = FILES[name]
    data = make()
    if rng.random() < 0.5 and data[:1] not in (b"S", b"s"):
        data = _rewritten(rng, name, data)
    else:
        for _ in range(rng.choice((1, 1, 2, 4))):
            data = rng.choice((spoiled_bytes, spoiled_bytes, _nothing))(rng, data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kept"
        path.write_bytes(data)
        in_a_sentence(lambda: use(path, rng))


def in_a_sentence(act: Callable[[], object]) -> None:
    """Do something that may be refused; whatever is said is one line."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            act()
        except CompanionError as error:
            assert str(error) and "\n" not in str(error), str(error)
    for line in said.getvalue().splitlines():
        assert line.startswith("companion"), said.getvalue()


def _nothing(rng: Random, data: bytes) -> bytes:
    return rng.choice(
        (b"", b"\0" * len(data), rng.randbytes(100), b"[" * 100_000, b'{"a":' * 50_000, data * 2, b"null")
    )


def _rewritten(rng: Random, name: str, data: bytes) -> bytes:
    """A file whose content was spoiled and written in its form again."""
    if name == "calibration":
        plain = {**msgspec.msgpack.decode(data), "sha256": None}
        for _ in range(rng.choice((1, 1, 3))):
            plain = _numbers(rng, plain) if rng.random() < 0.5 else spoiled(rng, plain)
        return _written(lambda: msgspec.msgpack.encode(plain), data)
    plain = msgspec.json.decode(data)
    for _ in range(rng.choice((1, 1, 3))):
        plain = spoiled(rng, plain)
    return _written(lambda: msgspec.json.encode(plain), data)


def _written(write: Callable[[], bytes], otherwise: bytes) -> bytes:
    try:
        return write()
    except (TypeError, ValueError, OverflowError):
        return otherwise[:-1]


def _numbers(rng: Random, plain: Any) -> Any:
    """The same data with one number of it replaced by another one that a float may hold."""
    if isinstance(plain, dict) and plain:
        key = rng.choice(list(plain))
        return {**plain, key: _numbers(rng, plain[key])}
    if isinstance(plain, list) and plain:
        place = rng.randrange(len(plain))
        return [*plain[:place], _numbers(rng, plain[place]), *plain[place + 1 :]]
    if isinstance(plain, int | float):
        other = (float("nan"), float("inf"), -1e308, 1e-308, 0.0, -1.0, 1e6, -float(plain), float(plain) * 1.001)
        return rng.choice(other)
    return plain


@cache
def calibration() -> bytes:
    """A small table as it was learned."""
    pose = Pose((96, 64), 80.0, -0.05, (0.1, 0.0, 0.0), (-30.0, -20.0, 300.0), 0.2)
    light = Light((30.0, 20.0), (-1.0, -1.1, -1.2), 0.0, 0.001, (0, 1, 2))
    picture = np.random.default_rng(1).integers(0, 255, (64, 96, 3)).astype(np.uint8)
    empty = EmptyTable(picture, pose, light, Mat(60.0, 40.0, 10.0), 0.03, np.ones((64, 96), np.uint8))
    tones = (KnownTone((-2.0, 0.1, -1.0), 3), *(KnownTone(),) * 9)
    return _made(lambda path: Calibration("pyramids", empty, (0.5,) * 10, ("Well.",), tones=tones).save(path))


def _read_by(path: Path, rng: Random) -> None:
    """Load a calibration and compare a picture with it from another place, as the reader does."""
    known = load_calibration(path)
    KnownTableReader(PLANS["spectra"](2), known)
    pose, empty = known.empty.pose, known.empty
    other = Pose(pose.size_px, 90.0, 0.0, (0.0, 0.1, 0.0), (-30.0, -20.0, 310.0), 0.1)
    with np.errstate(all="ignore"):
        empty.picture_from(other)
        empty.known_from(other)
        empty.light.white(np.array(empty.mat.corners_mm()))


def _made(write: Callable[[Path], object]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made"
        write(path)
        return path.read_bytes()


@cache
def _evening() -> bytes:
    def write(path: Path) -> None:
        KeptEvening(path).save(pair(begin("", "swiss", ["Ann", "Ben", "Cleo"], planned=2), known=lambda _: ()))

    return _made(write)


def _use_evening(path: Path, rng: Random) -> None:
    evening = KeptEvening(path).load()
    if evening is not None:
        standings(evening)
        pair(evening, known=lambda _: (), tables=("one",))


@cache
def _results() -> bytes:
    return _made(lambda path: Results(path).close())


def _use_results(path: Path, rng: Random) -> None:
    results = Results(path)
    results.all()
    results.close()


@cache
def _setup() -> bytes:
    return (Path(__file__).parents[2] / "companion" / "app" / "demos" / "spectrangle" / "demo.json").read_bytes()


def _json(value: object) -> bytes:
    return msgspec.json.encode(value)


FILES: dict[str, tuple[Callable[[], bytes], Use]] = {
    "calibration": (calibration, _read_by),
    "plan": (lambda: _json(PLANS["spectrangle"](2)), lambda path, _: load_plan(path)),
    "plan of pyramids": (lambda: _json(PLANS["regenbogen"](2)), lambda path, _: load_plan(path)),
    "lights": (lambda: b'{"c0": [0], "c1": [1, 2], "seat0.digits": [3, 4, 5, 6, 7, 8, 9]}', lambda p, _: LightStrip.load(p)),
    "rows": (lambda: b'[[{"color": "red", "size": "large"}], [{"color": "blue", "size": "small"}]]', lambda p, _: _rows(p, "pyramids")),
    "rows of dice": (lambda: b'[[1, 2, 3], ["logo", 6]]', lambda p, _: _rows(p, "dice")),
    "setup": (_setup, lambda path, _: load_recording_file(path)),
    "keys": (lambda: _made(Keys), lambda path, _: Keys(path).keep_pin("123456", phones=True)),
    "seats": (lambda: _json({"game-1": {"0": "a" * 64}}), lambda path, _: Seats(path).take("game-1", 1, None)),
    "signs": (lambda: _json({"ada": ChosenSign("star", 3)}), lambda path, _: ChosenSigns(path).choose("Ben", ChosenSign("ring", 1))),
    "pairings": (lambda: _json({"tower": Pairing("tower", 1, 2, "7")}), lambda path, _: Pairings(path).get("tower")),
    "evening": (_evening, _use_evening),
    "results": (_results, _use_results),
}  # fmt: skip
"""Each kind of file: a whole one, and what is done with it."""

STATEMENTS = (
    "CREATE TRIGGER eats AFTER INSERT ON row BEGIN DELETE FROM row WHERE n = NEW.n; END",
    "CREATE TRIGGER doubles AFTER INSERT ON game BEGIN INSERT INTO row VALUES (NEW.id, 1, '', ''); END",
    "CREATE VIEW more AS SELECT * FROM row",
    "CREATE INDEX more_rows ON row (hash)",
    "CREATE TABLE more (x)",
    "DROP TRIGGER row_delete",
    "DROP TRIGGER game_update",
    "ALTER TABLE row RENAME TO rows",
    "ALTER TABLE game ADD COLUMN more TEXT",
    "DROP TABLE row",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 7",
    "ANALYZE",
)
"""What others may have run on a journal: after each of them it is no longer ours."""


def _journal(rng: Random) -> None:
    """A journal with a foreign schema, or a spoiled one: refused, set aside at the start, and the evening goes on."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        data = whole()[0]
        path.write_bytes(data)
        foreign = rng.random() < 0.5
        if foreign:
            connection = sqlite3.connect(path)
            connection.execute(rng.choice(STATEMENTS))
            connection.commit()
            connection.close()
            for opening in (Journal.open, Journal.read):
                with contextlib.suppress(CompanionError):
                    opening(path).close()
                    raise AssertionError("a journal that is not ours was opened")
        else:
            path.write_bytes(spoiled_bytes(rng, data))
        path.with_name(path.name + END).write_bytes(
            rng.choice((b"", rng.randbytes(200), b"spectrangle-20231114-221320 7 " + b"0" * 64 + b"\n"))
        )
        path_of(path, "table").write_bytes(rng.choice((b"", b"\xff", b"no-such-game", b"x" * 100)))

        def begun() -> None:
            journal = Journal.open(path)
            try:
                sessions = SessionManager(journal, GAMES, PLANS["spectrangle"](2))
                last = sessions.last_game.unfinished()
                if last is not None:
                    sessions.resume(last.id)
                for header in journal.games():
                    journal.header(header.id)
            finally:
                journal.close()

        in_a_sentence(begun)


@cache
def _packed() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        path.write_bytes(whole()[0])
        path_of(path, "calibration").write_bytes(calibration())
        path_of(path, "results").write_bytes(_results())
        path_of(path, "table").write_bytes(b"spectrangle-20231114-221320")
        back_up({LONE: path}, Path(folder) / "backup.zip")
        return (Path(folder) / "backup.zip").read_bytes()


def _backup(rng: Random) -> None:
    """A backup with spoiled bytes, or with other files in it whose sums were made to fit."""
    with tempfile.TemporaryDirectory() as folder:
        backup, journal = Path(folder) / "backup.zip", Path(folder) / "house" / "journal.sqlite"
        backup.write_bytes(spoiled_bytes(rng, _packed()) if rng.random() < 0.4 else _forged(rng))

        def put_back() -> None:
            restore(backup, {LONE: journal}, check_calibration=load_calibration)
            Journal.open(journal).close()
            if path_of(journal, "calibration").exists():
                load_calibration(path_of(journal, "calibration"))
            Results(path_of(journal, "results")).close()

        in_a_sentence(put_back)
        left = [path for path in journal.parent.iterdir() if ".aside-" in path.name] if journal.parent.exists() else []
        assert not left, f"what was restored had to be set aside: {left}"


def _forged(rng: Random) -> bytes:
    with ZipFile(io.BytesIO(_packed())) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = msgspec.json.decode(members.pop("manifest.json"))
    name = rng.choice(list(members))
    data = spoiled_bytes(rng, members[name])
    members[name] = data
    manifest["files"][name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    if rng.random() < 0.3:
        manifest = spoiled(rng, manifest)
    written = io.BytesIO()
    with ZipFile(written, "w", rng.choice((ZIP_DEFLATED, ZIP_DEFLATED, ZIP_STORED, ZIP_LZMA))) as archive:
        archive.writestr("manifest.json", _written(lambda: msgspec.json.encode(manifest), b"{}"))
        for one_name, held in members.items():
            archive.writestr(one_name, held)
    return written.getvalue()


VALUES = (
    "0", "true", "nan", "inf", "-inf", "1e400", "9" * 5000, "-1", "8000", '"spectra"', '"rtsp://a:b@c/d"', "'/dev/video0'",
    '"\\u0000"', '"a\\u0000b"', '"\\n\\u001b[2J"', '"' + "x" * 5000 + '"', "[]", '["a=b"]', '["\\u0000"]', "[[1]]", "{}", '"600x400"',
    '"0x0"', '"1e9x1e9"', '"nanxnan"', "1979-05-27T07:32:00Z", "07:32:00", '"postgresql://a:b@c/d"', '"en"', "0b1", "'-'", '""',
    '"mqtt://u:p@h"', '["http://h/x"]', '"hall=http://c:80"', '"0,0 1,1 2,2 3,3"', '"\\uFFFF"', '"/proc/self/mem"', '"."', "1.5",
)  # fmt: skip


@cache
def _keys(part: str) -> tuple[str, ...]:
    """The keys of a part of the file, as its command has them."""
    root = click.Context(cli)
    named = "serve" if part.startswith("tables.") else part
    found = keys(commands_of(root)[named]) if named in CONFIGURED else {}
    return tuple(
        key for key, option in found.items() if part == named or option.name in TableOptions._fields or key == "paused"
    )


def configuration(rng: Random) -> None:
    """A configuration with any keys and values: checked and printed, or refused in one line with status 1."""
    parts = rng.sample((*CONFIGURED, "tables.blue", "tables.red"), rng.choice((1, 1, 2, 3)))
    if rng.random() < 0.1:
        parts.append(rng.choice(("tables.X", "more", "tables", '"\\u0000"')))
    lines = []
    for part in parts:
        lines.append(f"[{part}]")
        known = (*_keys(part), "paused") if rng.random() < 0.9 else ("nonsense", '"\\u0000"')
        chosen = rng.sample(known, min(len(known), rng.choice((0, 1, 1, 2, 4))))
        lines += [f"{key} = {rng.choice(VALUES)}" for key in chosen]
    text = "\n".join(lines)
    if rng.random() < 0.2:
        text = spoiled_line(rng, text)
    data = text.encode("utf-8", "replace")
    if rng.random() < 0.2:
        data = spoiled_bytes(rng, data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "companion.toml"
        path.write_bytes(data)
        for words in (("config", "check", str(path)), ("--config", str(path), "config")):
            said, shown = io.StringIO(), io.StringIO()
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(shown):
                try:
                    main(words)
                except SystemExit as left:
                    assert left.code in (0, 1, 2), left.code
                    assert bool(left.code) == bool(said.getvalue()), (left.code, said.getvalue())
            assert said.getvalue().count("\n") <= 1, said.getvalue()
