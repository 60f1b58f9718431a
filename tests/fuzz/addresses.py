"""Addresses with secrets in them, as people write them: well, badly, and where none belongs. Whatever is done with one,
no secret of it is printed.

Every part that may be secret (user, password, path, query, fragment) holds one word that is found nowhere else; it is
looked for in what the command line prints, in the support file, in a backup, in the log, in what the page says of its
cameras, and in what a camera that does not answer is called.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import tempfile
from pathlib import Path
from random import Random
from urllib.parse import quote
from zipfile import ZipFile

from companion.__main__ import main
from companion.app.commands.camera_registry import CameraRegistry
from companion.app.commands.devices import TableDevices
from companion.app.commands.runtime import Runtime
from companion.app.services.mqtt import parse_broker
from companion.core.foundation.errors import CompanionError
from companion.core.foundation.logs import EventLog, LogSettings, note
from companion.core.foundation.secrecy import Secret, SecretAddress
from companion.games import PLANS
from companion.referee.journal import Journal
from companion.referee.journal.database import check_address
from companion.referee.journal.places import Database
from vision.sources import Limits, open_source

WORD = "sEcReT7f3"
"""The secret; decoded and encoded it is the same."""
SCHEMES = (
    "http",
    "https",
    "rtsp",
    "rtsps",
    "mqtt",
    "mqtts",
    "postgresql",
    "postgres",
    "socket",
    "ftp",
    "RTSP",
    "",
    "rtsp:",
)
HOSTS = (
    "127.0.0.1:1",
    "127.0.0.1",
    "[::1]:1",
    "localhost:1",
    "cam.invalid",
    "",
    "127.0.0.1:99999",
    "127.0.0.1:port",
    "[::1",
)
NOISE = (
    "'",
    '"',
    " ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "@",
    "#",
    ":",
    "/",
    "?",
    "%",
    "%40",
    "&",
    "=",
    "\\",
    "$",
    "`",
)
NOISE += (";", ",", "|", "é", "☃", "%zz", "\t", "+", "*", "!", "~", "^", ".", "-", "_")
KEYS = (
    "camera",
    "mqtt",
    "journal",
    "tower",
    "leds",
    "hooks",
    "mqtt-password",
    "hook-secret",
    "names",
    "players",
    "machines",
)
"""Keys under which people write addresses, and some that they take for one of these."""
_LOG = logging.getLogger("companion.fuzz")


def one(rng: Random) -> None:
    """One address, in every place where one is told."""
    text = address(rng)
    _as_a_value(text)
    _in_the_configuration(rng, text)
    _as_a_camera(text)
    if rng.random() < 0.05:
        _packed(text)


def address(rng: Random) -> str:
    """An address with the secret word in some of its parts, right or wrong."""
    scheme, host = rng.choice(SCHEMES), rng.choice(HOSTS)
    pair = ""
    if rng.random() < 0.9:
        user = _word(rng) if rng.random() < 0.4 else rng.choice(("admin", "", "a b"))
        pair = user + (f":{_word(rng)}" if rng.random() < 0.9 else "") + "@"
    target = ""
    if rng.random() < 0.7:
        target = rng.choice(("/", "/stream", f"/{_word(rng)}", f"/user={_word(rng)}_channel=1", "/live@main"))
    if rng.random() < 0.4:
        target += f"?{rng.choice(('token', 'pwd', ''))}={_word(rng)}"
    if rng.random() < 0.1:
        target += f"#{_word(rng)}"
    colon = rng.choice(("://", "://", "://", "://", ":/", ":", "//")) if scheme else rng.choice(("", "//"))
    if not pair and (not scheme or not host):
        target = ""  # what looks like a path alone is printed as one, and what stands where a host does as a host
    if not scheme and ":" not in pair + host:
        pair = pair.lstrip("/.~\\")  # without a colon, what begins like a path is one
    return scheme + colon + pair + host + target


def _word(rng: Random) -> str:
    """The secret word with anything around it, encoded or not."""
    around = "".join(rng.choice(NOISE) for _ in range(rng.choice((0, 0, 1, 2))))
    word = around + WORD + "".join(rng.choice(NOISE) for _ in range(rng.choice((0, 1))))
    return quote(word, safe="") if rng.random() < 0.3 else word


def silent(text: str) -> None:
    """:raises AssertionError: the secret is in a text."""
    assert WORD.lower() not in text.lower(), text


def _as_a_value(text: str) -> None:
    for value in (SecretAddress(text), Database(text), Secret(text)):
        silent(f"{value} {value!r} {[value]} {value!s:>20} {(value,)!s}" + str({"camera": value}))
        silent(json.dumps({"camera": value}, default=str))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        with EventLog(LogSettings(path)):
            note(_LOG, logging.WARNING, "lost", camera=SecretAddress(text), all=[SecretAddress(text)])
        silent(path.read_text())


def _in_the_configuration(rng: Random, text: str) -> None:
    key = rng.choice(KEYS)
    several = key in ("hooks", "names", "machines")
    part = "hub" if key == "machines" else rng.choice(("serve", "serve", "tables.blue"))
    if key in ("machines", "players"):
        text = rng.choice((f"hall={text}", text)) if key == "machines" else "Ada,Ben"
    said = json.dumps([text] if several else text)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "companion.toml"
        path.write_text(f"[{part}]\n{key} = {said}\n")
        for words in (("config", "check", str(path)), ("--config", str(path), "config")):
            printed(*words)


def printed(*words: str) -> str:
    """What a command prints; whatever it is, no secret is in it."""
    shown = io.StringIO()
    with contextlib.redirect_stderr(shown), contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
        main(words)
    silent(shown.getvalue())
    return shown.getvalue()


def _as_a_camera(text: str) -> None:
    """Everything that connects, where nobody answers."""
    given = SecretAddress(text)
    quick = Limits(opening_s=0.5, silent_s=0.2, backoff_s=(0.1,))
    for act in (
        lambda: open_source(given, limits=quick) if "invalid" not in text else None,
        lambda: parse_broker(given),
        lambda: check_address(Database(text)),
    ):
        try:
            act()
        except CompanionError as error:
            silent(str(error))
            assert "\n" not in str(error)
    with tempfile.TemporaryDirectory() as folder, Runtime(Path(folder) / "journal", PLANS["spectra"](2)) as runtime:
        shelf = CameraRegistry(runtime, given, names=tuple, opener=lambda camera: open_source(camera, limits=quick))
        if "invalid" not in text:
            for offered in shelf.look():
                silent(str(offered))
        shelf.close()
        with TableDevices(runtime.sessions) as devices:
            try:
                devices.add_tower(given)
                silent(str(devices.statuses()))
            except CompanionError as error:
                silent(str(error))


def _packed(text: str) -> None:
    """The support file and a backup."""
    with tempfile.TemporaryDirectory() as folder:
        path, journal = Path(folder) / "companion.toml", Path(folder) / "journal.sqlite"
        path.write_text(f"[serve]\ncamera = {json.dumps(text)}\n# {text.replace(chr(9), ' ')}\n")
        Journal.open(journal).close()
        for command in ("support", "backup"):
            target = Path(folder) / f"{command}.zip"
            words = ("--port", "1") if command == "support" else ()
            printed("--config", str(path), command, str(target), "--journal", str(journal), *words)
            with ZipFile(target) as archive:
                for name in archive.namelist():
                    if name != "journal":
                        silent(archive.read(name).decode("utf-8", "replace"))
