"""`companion serve` where everything is missing at the start: camera, tower, board, broker, database and receiver of news
come later, as after a power cut, and each is found without a restart.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from hardware.simulated.device import SimulatedDevice
from hardware.simulated.devices import SimulatedBoard, SimulatedTower
from tests.postgresql import PostgreSQL
from tests.reliability.broker import Broker, Listener
from tests.vision.sources.mjpeg_server import serving, steady

PATIENCE_S = 60
CONFIGURATION = """
[serve]
port = 0
mqtt = "mqtt://ada:hush@127.0.0.1:{mqtt}"
hooks = ["http://127.0.0.1:{hook}/news?key=hush"]
hook-secret = "hush"

[tables.blue]
game = "spectrum"
camera = "http://ada:hush@127.0.0.1:{camera}/video"
tower = "socket://127.0.0.1:{tower}"
leds = "socket://127.0.0.1:{leds}"
journal = "postgresql://companion@127.0.0.1:{database}/postgres"

[tables.red]
game = "casino"
journal = "{folder}/red.sqlite"

[tables.shut]
camera = "{folder}/film.avi"
journal = "{folder}/shut.sqlite"
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def get(url: str) -> Any:
    with urlopen(url, timeout=10) as answer:
        return json.loads(answer.read())


def eventually(ask: Callable[[], Any], check: Callable[[Any], bool]) -> Any:
    """The first answer that passes."""
    until = time.monotonic() + PATIENCE_S
    while not check(answer := ask()):
        assert time.monotonic() < until, answer
        time.sleep(0.1)
    return answer


@contextmanager
def served(folder: Path, file: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a server with this configuration."""
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "--config", str(file), "serve"],
        env={**os.environ, "XDG_DATA_HOME": str(folder), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = next((m for line in process.stdout if (m := re.search(r"http://[\d.]+:\d+/", line))), None)
        assert found is not None
        yield found.group(), process
    finally:
        process.terminate()
        said = process.communicate(timeout=30)[0]
        assert "Traceback" not in said and "hush" not in said, said


@contextmanager
def receiver(port: int) -> Iterator[list[dict[str, Any]]]:
    """Takes news at a port."""
    taken: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield taken
    server.shutdown()
    server.server_close()
    thread.join()


@contextmanager
def plugged_in(device: SimulatedDevice, port: int) -> Iterator[None]:
    """A device behind an address, as a serial port that a network shares."""
    over = threading.Event()

    def wire() -> None:
        with socket.create_server(("127.0.0.1", port)) as listener:
            listener.settimeout(0.05)
            while not over.is_set():
                try:
                    line, _ = listener.accept()
                except TimeoutError:
                    continue
                with line:
                    line.settimeout(0.01)
                    while not over.is_set():
                        try:
                            data = line.recv(4096)
                        except TimeoutError:
                            data = None
                        if data == b"":
                            break
                        device.feed(data or b"")
                        device.run(time.monotonic())
                        line.sendall(device.take())

    thread = threading.Thread(target=wire)
    thread.start()
    yield
    over.set()
    thread.join()


def test_what_is_missing_at_the_start_is_found_when_it_comes(tmp_path: Path) -> None:
    broker, database = Broker(tmp_path), PostgreSQL()
    ports = {name: free_port() for name in ("hook", "camera", "tower", "leds")}
    file = tmp_path / "companion.toml"
    file.write_text(CONFIGURATION.format(folder=tmp_path, mqtt=broker.port, database=database.port, **ports))
    try:
        with served(tmp_path, file) as (url, _):
            tables = eventually(lambda: get(f"{url}healthz")["tables"], lambda now: now["blue"]["camera"] == "lost")
            assert tables["blue"] == {
                "state": "open",
                "kept": True,
                "camera": "lost",
                "database": "away",
                "devices": {"dice tower": "waiting", "LED board": "waiting"},
            }
            assert tables["red"]["state"] == "open"
            assert tables["shut"]["state"] == "closed" and "film.avi" in tables["shut"]["why"]
            blue = get(f"{url}t/blue/api/table")
            assert blue["game"] is not None, "the game has begun and is entered on the page meanwhile"
            assert blue["eyes"]["blind"] == "Camera lost" and "until it is there" in blue["eyes"]["text"]
            assert str(ports["camera"]) in blue["eyes"]["text"]

            with serving(steady(), port=ports["camera"]):
                eventually(lambda: get(f"{url}t/blue/api/eyes"), lambda eyes: eyes["blind"] != "Camera lost")
            with plugged_in(SimulatedTower(), ports["tower"]), plugged_in(SimulatedBoard(), ports["leds"]):
                ready = {"dice tower": "ready", "LED board": "ready"}
                eventually(lambda: get(f"{url}healthz")["tables"]["blue"]["devices"], lambda now: now == ready)
            broker.start()
            database.start()
            eventually(lambda: get(f"{url}healthz")["tables"]["blue"], lambda now: now["database"] == "delivered")
            heard = Listener(broker.port)
            eventually(lambda: heard.retained, lambda told: told.get("companion/status") == b"online")
            with receiver(ports["hook"]) as taken:
                eventually(lambda: taken, lambda news: {one["table"] for one in news} >= {"blue"})
            heard.close()
            (tmp_path / "film.avi").mkdir()
            (tmp_path / "film.avi" / "1.jpg").write_bytes(b"no picture")
            eventually(lambda: get(f"{url}healthz")["tables"]["shut"], lambda now: now["state"] == "open")
    finally:
        broker.kill()
        database.stop()


def test_a_lone_table_opens_without_its_camera(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(f'[serve]\nport = 0\ngame = "spectra"\ncamera = "/dev/video97"\njournal = "{tmp_path}/j.sqlite"\n')
    with served(tmp_path, file) as (url, _):
        eyes = eventually(lambda: get(f"{url}api/eyes"), lambda eyes: eyes["state"] == "lost")
        assert "no camera /dev/video97" in eyes["text"] and "until it is there" in eyes["text"]
        assert get(f"{url}healthz")["tables"]["table"]["camera"] == "lost"
