"""The log: one line an event, in both forms; what is hidden; what turns over; what a full disk does."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.foundation.errors import BadFile
from companion.core.foundation.logs import REQUEST, EventLog, LogSettings, note
from companion.core.foundation.secrecy import SecretAddress

LOGGER = logging.getLogger("companion.test")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "companion.log"


@pytest.fixture(autouse=True)
def _own_handlers() -> Iterator[None]:
    before = list(logging.getLogger().handlers)
    yield
    assert logging.getLogger().handlers == before, "a log that is left leaves nothing behind"


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def test_one_event_is_one_line_whatever_it_says(path: Path) -> None:
    with EventLog(LogSettings(path)):
        note(LOGGER, logging.INFO, "row", table="red\nblue", n=5, why=None, text='say "so"', ratio=0.5)
        logging.getLogger("another.package").warning("two\nlines of %s", "it")
    first, second = lines(path)
    assert first[10] == "T" and first[23] == "Z"
    assert first[24:] == ' INFO    test row table="red\\nblue" n=5 text="say \\"so\\"" ratio=0.5'
    assert second.endswith("WARNING another.package two\\nlines of it")


def test_as_json_every_line_is_an_object(path: Path) -> None:
    with EventLog(LogSettings(path, as_json=True)):
        note(LOGGER, logging.INFO, "row", table="red\nblue", n=5)
    said = json.loads(lines(path)[0])
    assert said.pop("at").endswith("Z")
    assert said == {"level": "info", "logger": "test", "event": "row", "table": "red\nblue", "n": 5}


def test_levels_and_other_packages(path: Path) -> None:
    with EventLog(LogSettings(path, level="warning")):
        note(LOGGER, logging.INFO, "not this")
        note(LOGGER, logging.WARNING, "this")
        logging.getLogger("another.package").info("nor this")
    assert [line.split()[-1] for line in lines(path)] == ["this"]


def test_a_request_is_named_in_every_line_that_it_leads_to(path: Path) -> None:
    with EventLog(LogSettings(path)):
        token = REQUEST.set("ab12")
        note(LOGGER, logging.INFO, "inside")
        REQUEST.reset(token)
        note(LOGGER, logging.INFO, "outside")
    assert ["request=ab12" in line for line in lines(path)] == [True, False]


def test_what_was_named_as_a_secret_is_hidden_wherever_it_stands_and_addresses_print_without_theirs(path: Path) -> None:
    address = SecretAddress("rtsp://you:word@cam/")
    with EventLog(LogSettings(path)) as log:
        log.hide("s3cret")
        log.hide("")
        log.hide(None)
        note(
            LOGGER,
            logging.INFO,
            "event s3cret",
            camera=SecretAddress("rtsp://me:pass@cam/x?token=abc"),
            other="is s3cret too",
        )
        try:
            raise ValueError(f"s3cret in {address}")
        except ValueError:
            note(LOGGER, logging.ERROR, "fault", error=sys.exc_info())
    text = path.read_text()
    assert len(text.splitlines()) == 2 and "Traceback" in text
    assert not any(secret in text for secret in ("s3cret", "me:pass", "abc", "you:word"))


def test_a_file_turns_over_and_old_ones_go(path: Path) -> None:
    with EventLog(LogSettings(path, most_bytes=500, kept=2)):
        for number in range(40):
            note(LOGGER, logging.INFO, "row", n=number)
    assert sorted(one.name for one in path.parent.iterdir()) == ["companion.log", "companion.log.1", "companion.log.2"]
    assert all(one.stat().st_size <= 500 and one.stat().st_mode & 0o777 == 0o600 for one in path.parent.iterdir())
    assert lines(path)[-1].endswith("n=39")


def test_a_full_disk_is_told_once_and_stops_nothing(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("only Linux has a disk that is always full")
    path.symlink_to("/dev/full")
    with EventLog(LogSettings(path)):
        for _ in range(3):
            note(LOGGER, logging.INFO, "row")
    assert capsys.readouterr().err.count("the game goes on without") == 1


def test_a_log_that_cannot_be_opened_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="--log"):
        EventLog(LogSettings(tmp_path / "nowhere" / "companion.log"))
