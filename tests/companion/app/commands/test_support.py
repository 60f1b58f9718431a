"""What is packed for whoever looks for a fault, and what never is."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from companion.__main__ import main
from companion.app.commands.configuration import VARIABLE
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from tests.web.doubles import PaintedEyes
from web.admission.access import Access
from web.app import create_app
from web.http.settings import WebSettings
from web.sockets.server import Server
from web.tables import OpenTable, create_tables_app

SECRETS = ("hunter2", "s3cret-of-hooks", "key-of-the-hook", "p4ss")
CONFIGURATION = f"""[serve]
camera = "rtsp://cam:{SECRETS[0]}@10.0.0.9/x"
mqtt = "mqtt://me:{SECRETS[3]}@broker"
mqtt-password = "{SECRETS[0]}"
hooks = ["https://club.example/{SECRETS[2]}"]
hook-secret = '{SECRETS[1]}'
"""


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal with its keys and logs beside it, and a configuration that holds secrets."""
    path = tmp_path / "journal.sqlite"
    path.with_name("journal.sqlite.keys").write_text("hunter2")
    path.with_name("journal.sqlite.taught").write_text("{}")
    path.with_name("journal.sqlite.log").write_text("new\n")
    path.with_name("journal.sqlite.log.1").write_text("old\n")
    (tmp_path / "companion.toml").write_text(CONFIGURATION)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "companion.toml"))
    return path


def packed(journal: Path, *more: str) -> dict[str, bytes]:
    target = journal.with_name("support.zip")
    with pytest.raises(SystemExit) as ended:
        main(["support", str(target), "--journal", str(journal), *more])
    assert ended.value.code == 0 and target.stat().st_mode & 0o777 == 0o600
    with ZipFile(target) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_log_settings_and_report_without_secrets(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = packed(journal, "--port", "1")
    assert sorted(found) == [
        "companion.toml", "doctor.jsonl", "log/journal.sqlite.log", "log/journal.sqlite.log.1", "version.txt",
    ]  # fmt: skip
    assert not any(secret.encode() in data for secret in SECRETS for data in found.values())
    assert {json.loads(line)["name"] for line in found["doctor.jsonl"].splitlines()} >= {"python", "opencv", "journal"}
    with pytest.raises(SystemExit) as ended:
        main(["support", str(journal.with_name("support.zip")), "--journal", str(journal), "--port", "1"])
    assert ended.value.code == 1 and "nothing was overwritten" in capsys.readouterr().err


@pytest.mark.parametrize("wanted", [True, False])
def test_a_running_server_tells_readings_and_a_picture_only_when_asked(journal: Path, wanted: bool) -> None:
    kept = Journal.open(journal)
    sessions = SessionManager(kept, GAMES, PLANS["spectrangle"](2), eyes=PaintedEyes())
    table = sessions.start("spectrangle", ["Ann", "Ben"], {})
    sessions.see(table.session.state.layout(), 1)
    server = Server(create_app(sessions, access=Access()), port=0, threads=8)
    server.start()
    found = packed(journal, "--port", str(server.port), *(["--picture"] if wanted else []))
    server.close()
    kept.close()
    assert [one["verdict"] for one in json.loads(found["readings.json"])["readings"]] == ["same"]
    assert json.loads(found["healthz.json"])["ok"]
    assert ("picture.jpg" in found) is wanted


def test_each_of_several_tables_tells_its_readings(journal: Path) -> None:
    kept = [Journal.open(journal.with_name(name)) for name in ("blue", "red")]
    tables: dict[str, OpenTable | str] = {"shut": "No camera."}
    for name, one in zip(("blue", "red"), kept, strict=True):
        sessions = SessionManager(one, GAMES, PLANS["spectrangle"](2), eyes=PaintedEyes())
        table = sessions.start("spectrangle", ["Ann", "Ben"], {})
        sessions.see(table.session.state.layout(), 1)
        tables[name] = OpenTable(create_app(sessions, settings=WebSettings(table=name), access=Access()), sessions)
    server = Server(create_tables_app(tables, WebSettings()), port=0, threads=8)
    server.start()
    found = packed(journal, "--port", str(server.port), "--picture")
    server.close()
    for one in kept:
        one.close()
    for name in ("blue", "red"):
        assert len(json.loads(found[f"readings-{name}.json"])["readings"]) == 1
        assert {f"devices-{name}.json", f"picture-{name}.jpg"} <= found.keys()
    assert "readings.json" not in found and not any("shut" in name for name in found)


def test_the_configuration_is_printed_without_secrets(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["config"])
    printed = capsys.readouterr().out
    assert not any(secret in printed for secret in SECRETS)
    assert 'mqtt-password = "***"  # file' in printed and 'hooks = ["https://club.example/***"]  # file' in printed
