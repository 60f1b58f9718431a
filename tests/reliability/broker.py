"""Restart the MQTT broker again and again while a game is played, and see that what it says in the end is true and that
nothing was told twice.

`python -m tests.reliability.broker --times 100` prints what it found; exit status 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from companion.app.services.mqtt import MqttService, MqttSettings, standing
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.news.bulletin import bulletin
from companion.referee.news.news_publisher import NewsPublisher
from companion.referee.session_manager import SessionManager
from tests.web.doubles import play

MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"


class Broker:
    """Debian's mosquitto on a port of its own; it keeps nothing over a restart, which is the harder case."""

    def __init__(self, folder: Path, *lines: str, anonymous: bool = True) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port: int = probe.getsockname()[1]
        self._file = folder / "mosquitto.conf"
        allowed = str(anonymous).lower()
        self._file.write_text("\n".join((f"listener {self.port} 127.0.0.1", f"allow_anonymous {allowed}", *lines, "")))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [MOSQUITTO, "-c", str(self._file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.01)
        raise AssertionError("mosquitto did not start")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Listener:
    """Somebody at the broker: what is retained, and every event that came."""

    def __init__(self, port: int, user: str | None = None, password: str | None = None) -> None:
        self.retained: dict[str, bytes] = {}
        self.events: list[dict[str, Any]] = []
        self.retained_events = 0
        self._client = Client(CallbackAPIVersion.VERSION2)
        if user is not None:
            self._client.username_pw_set(user, password)
        self._client.reconnect_delay_set(0.02, 0.1)  # type: ignore[arg-type]
        self._client.on_connect = lambda client, *_: client.subscribe([("companion/#", 0), ("homeassistant/#", 0)])
        self._client.on_message = self._heard
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _heard(self, _: Client, __: Any, message: MQTTMessage) -> None:
        if message.topic.endswith("/event"):
            self.retained_events += message.retain
            self.events.append(msgspec.json.decode(message.payload))
        else:
            self.retained[message.topic] = message.payload

    def send(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        self._client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(5)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Found(NamedTuple):
    """What many restarts led to."""

    restarts: int
    rows: int
    heard: int
    """Different events that reached the listener; those on the wire when the broker died are lost."""
    twice: int
    wrong: int
    """Restarts after which the retained standing was not the table's within 10 s."""
    retained_events: int

    @property
    def good(self) -> bool:
        return not self.twice and not self.wrong and not self.retained_events

    def __str__(self) -> str:
        return (
            f"{self.restarts} restarts of the broker, {self.rows} rows: {self.heard} events heard, {self.twice} twice,"
            f" {self.retained_events} retained; the standing was wrong after {self.wrong} restarts"
        )


def run(folder: Path, times: int, seed: int) -> Found:
    """Play while the broker dies and comes back."""
    rng = Random(seed)
    broker = Broker(folder)
    broker.start()
    journal = Journal.open(folder / "journal.sqlite")
    sessions = SessionManager(journal, GAMES, PLANS["spectrangle"](2))
    settings = MqttSettings("127.0.0.1", broker.port, backoff_s=(0.02, 0.1))
    over = threading.Event()
    rows = wrong = 0

    def evening() -> None:
        nonlocal rows
        while not over.is_set():
            table = sessions.start("spectrangle", ["Ann", "Ben"], {})
            for number in range(30):
                play(table, 1, seed=number)
                over.wait(0.01)
            rows += table.session.seq

    listener = Listener(broker.port)
    with NewsPublisher() as news, MqttService(settings, news):
        news.follow("table", sessions)
        player = threading.Thread(target=evening)
        player.start()
        for restart in range(times):
            time.sleep(rng.uniform(0, 0.3))
            broker.kill()
            time.sleep(rng.uniform(0, 0.1))
            broker.start()
            if restart == times - 1:
                over.set()
                player.join()
            if not _agrees(settings, sessions, listener, over.is_set()):
                wrong += 1
        told = Counter(event["id"] for event in listener.events)
    listener.close()
    broker.kill()
    journal.close()
    twice = sum(count > 1 for count in told.values())
    return Found(times, rows, len(told), twice, wrong, listener.retained_events)


def _agrees(settings: MqttSettings, sessions: SessionManager, listener: Listener, still: bool) -> bool:
    """Whether the listener soon knows the table as it is, or, while play goes on, a standing of after this moment."""
    at_least = bulletin("table", sessions, sessions.table)
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if still:
            wanted = dict(standing(settings, bulletin("table", sessions, sessions.table)))
            if all(listener.retained.get(topic) == payload for topic, payload in wanted.items()):
                return listener.retained.get("companion/status") == b"online"
        else:
            state = msgspec.json.decode(listener.retained.get("companion/table/state", b"{}"))
            if state.get("game", "") > at_least.game or state.get("row", -1) >= at_least.row:
                return True
        time.sleep(0.01)
    return False


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder), given.times, given.seed)
    print(found)
    return 0 if found.good else 1


if __name__ == "__main__":
    sys.exit(main())
