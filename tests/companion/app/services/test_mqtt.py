"""The tables' standing at a real broker: retained state, events that are not, last will, discovery, answers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.app.services.mqtt import MqttService, MqttSettings, parse_broker
from companion.core.contract import Violation
from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.secrecy import Secret, SecretAddress
from companion.core.verdict import Refused
from companion.referee.news.news_publisher import NewsPublisher
from companion.referee.session.alert import Alert
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.companion.referee.news.test_news_publisher import until
from tests.reliability.broker import Broker, Listener
from tests.sessions import sessions_in
from tests.web.doubles import PaintedEyes, play

ROOT = Path(__file__).parents[4]
FAST = (0.02, 0.1)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.kill()


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(tmp_path, eyes=PaintedEyes()) as found:
        yield found


def show(table: Table, alert: Alert | None) -> None:
    with table.session.lock:
        table.session.show(alert)


def said(listener: Listener, what: str) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(listener.retained.get(f"companion/red-table/{what}", b"{}"))
    return found


def test_state_turn_score_and_camera_stand_at_the_broker(broker: Broker, sessions: SessionManager) -> None:
    settings = MqttSettings("127.0.0.1", broker.port, backoff_s=FAST)
    eyes: Any = sessions.eyes
    listener = Listener(broker.port)
    with NewsPublisher() as news, MqttService(settings, news):
        news.follow("red table", sessions)
        table = sessions.start("spectrangle", ["Ann", "Ben"], {})
        play(table, 21)
        until(lambda: said(listener, "state").get("row") == 21)
        assert said(listener, "state")["title"] == "Spectrangle"
        totals = [score.total for score in table.session.state.scores()]
        until(lambda: [one["points"] for one in said(listener, "score")["seats"]] == totals)
        assert said(listener, "turn")["text"].startswith(("Ann to", "Ben to"))
        assert said(listener, "alert") == {"open": False}
        eyes.become("lost", "Gone.")
        until(lambda: said(listener, "camera").get("healthy") is False)
        until(lambda: len(listener.events) >= 23)
        late = Listener(broker.port)
        until(lambda: said(late, "state").get("row") == 21)
        assert late.events == [] and listener.retained_events == 0, "events are never retained"
        late.close()
        news.leave("red table")
        until(lambda: listener.retained.get("companion/red-table/state") == b"")
    until(lambda: listener.retained.get("companion/status") == b"offline")
    listener.close()


REFEREE = """
import sys, time
from companion.referee.news.news_publisher import NewsPublisher
from companion.app.services.mqtt import MqttService
from companion.core.foundation.secrecy import Secret, SecretAddress
from companion.app.services.mqtt import MqttSettings
with NewsPublisher() as news, MqttService(MqttSettings("127.0.0.1", int(sys.argv[1])), news):
    time.sleep(600)
"""


def test_a_referee_that_dies_is_offline_by_its_last_will(broker: Broker) -> None:
    """The process is killed, so nobody but the broker is left to say it."""
    listener = Listener(broker.port)
    process = subprocess.Popen([sys.executable, "-c", REFEREE, str(broker.port)], cwd=ROOT)
    try:
        until(lambda: listener.retained.get("companion/status") == b"online")
    finally:
        process.kill()
        process.wait()
    until(lambda: listener.retained.get("companion/status") == b"offline")
    late = Listener(broker.port)
    until(lambda: late.retained.get("companion/status") == b"offline")
    late.close()
    listener.close()


def test_home_assistant_finds_each_table(broker: Broker, sessions: SessionManager) -> None:
    listener = Listener(broker.port)
    settings = MqttSettings("127.0.0.1", broker.port, answers=True, backoff_s=FAST)
    with NewsPublisher() as news, MqttService(settings, news):
        news.follow("red table", sessions)
        button = "homeassistant/button/companion_red-table/put_back/config"
        until(lambda: button in listener.retained)
        found = {t: msgspec.json.decode(p) for t, p in listener.retained.items() if t.startswith("homeassistant/")}
    listener.close()
    assert sorted(topic.split("/")[1] for topic in found) == ["binary_sensor"] * 2 + ["button"] + ["sensor"] * 4
    assert len({one["unique_id"] for one in found.values()}) == 7
    assert {one["availability_topic"] for one in found.values()} == {"companion/status"}
    for one in found.values():
        if "state_topic" in one:
            assert one["state_topic"] in listener.retained


@pytest.mark.parametrize("allowed", [True, False])
def test_put_back_is_answered_only_where_it_is_allowed_and_open(
    broker: Broker, sessions: SessionManager, allowed: bool
) -> None:
    eyes: Any = sessions.eyes
    listener = Listener(broker.port)
    settings = MqttSettings("127.0.0.1", broker.port, answers=allowed, backoff_s=FAST)
    listener.send("companion/red-table/answer", b"put-back", retain=True)
    table = sessions.start("spectrangle", ["Ann", "Ben"], {})
    play(table, 6)
    refused = Refused(table.session.legal()[0], 0, (Violation("TRI-9", "It touches nothing.", ()),), 1.0)
    show(table, Alert(1, refused, 4))
    before = eyes.looks
    with NewsPublisher() as news, MqttService(settings, news):
        news.follow("red table", sessions)
        until(lambda: said(listener, "alert").get("open") is True)
        assert said(listener, "alert")["rules"] == [{"rule": "TRI-9", "text": "It touches nothing."}]
        assert eyes.looks == before, "a retained answer is an old one"
        listener.send("companion/red-table/answer", b"agree")
        listener.send("companion/red-table/answer", b"put-back")
        if allowed:
            until(lambda: eyes.looks == before + 1)
        show(table, None)
        until(lambda: said(listener, "alert").get("open") is False)
        listener.send("companion/red-table/answer", b"put-back")
        until(lambda: said(listener, "alert").get("open") is False)
    assert eyes.looks == before + allowed
    listener.close()


def test_a_password_is_needed_and_never_told(
    tmp_path: Path, sessions: SessionManager, caplog: pytest.LogCaptureFixture
) -> None:
    passwords = tmp_path / "passwords"
    made = subprocess.run(["mosquitto_passwd", "-c", "-b", str(passwords), "referee", "s3cr3t"], capture_output=True)
    assert made.returncode == 0, made.stderr
    passwords.chmod(0o644)
    (tmp_path / "b").mkdir()
    tmp_path.chmod(0o755)
    broker = Broker(tmp_path / "b", f"password_file {passwords}", "user root", anonymous=False)
    broker.start()
    right = parse_broker(SecretAddress(f"mqtt://referee@127.0.0.1:{broker.port}"), password=Secret("s3cr3t"))
    with caplog.at_level("DEBUG"):
        for password, name in (("wrong-one", "refused"), ("s3cr3t", "connected")):
            with NewsPublisher() as news, MqttService(replace(right, password=Secret(password), backoff_s=FAST), news):
                until(lambda: any(record.message == name for record in caplog.records))  # noqa: B023
    broker.kill()
    assert "s3cr3t" not in caplog.text and "wrong-one" not in caplog.text
    assert not any("s3cr3t" in str(vars(record)) for record in caplog.records)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves a refused socket lying
def test_tls_is_checked(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    words = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout {key} -out {certificate}"
    subprocess.run([*words.split(), "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    broker = Broker(tmp_path, f"certfile {certificate}", f"keyfile {key}", "user root")
    broker.start()
    right = parse_broker(SecretAddress(f"mqtts://127.0.0.1:{broker.port}"), ca=certificate)
    with NewsPublisher() as news, MqttService(replace(right, backoff_s=FAST), news) as service:
        until(lambda: service.connected)
    with NewsPublisher() as news, MqttService(replace(right, ca=None, backoff_s=FAST), news) as service:
        assert not service._connected.wait(0.5), "a certificate that nobody vouches for is refused"
    broker.kill()


@pytest.mark.parametrize("address", ["http://host", "mqtt://", "host", "mqtt://host/path", "mqtt://host:99999"])
def test_what_is_no_broker_is_refused(address: str) -> None:
    with pytest.raises(WrongUsage, match="mqtt://USER@HOST:PORT"):
        parse_broker(SecretAddress(address))


def test_an_address_is_read() -> None:
    assert parse_broker(SecretAddress("mqtts://me:p%40ss@host")) == MqttSettings(
        "host", 8883, "me", Secret("p@ss"), True
    )
    with pytest.raises(WrongUsage, match="cannot begin"):
        parse_broker(SecretAddress("mqtt://host"), topic="a/#")
