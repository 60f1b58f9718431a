"""Several tables of one server, each with a phone as its camera: no phone sends pictures to another's table."""

from __future__ import annotations

import http.client
import re
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from bench.phone_camera import FIRST, Phone, Server, Table

CONFIGURATION = """
[serve]
port = 0
https-port = 0

[tables.blue]
game = "spectrangle"
camera = "phone"
journal = "{folder}/blue.sqlite"

[tables.red]
game = "spectrangle"
journal = "{folder}/red.sqlite"
"""


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The address of the page of all tables."""
    file = tmp_path / "companion.toml"
    file.write_text(CONFIGURATION.format(folder=tmp_path))
    command = [sys.executable, "-m", "companion", "--config", str(file), "serve"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        found = next(filter(None, (re.search(r"http://[\d.:]+/", line) for line in process.stdout)))
        yield found.group()
    finally:
        process.terminate()
        process.communicate(timeout=20)


def eventually(check: Callable[[], bool], timeout_s: float = 60) -> None:
    until = time.monotonic() + timeout_s
    while not check():
        assert time.monotonic() < until
        time.sleep(0.05)


def asked(url: str, data: bytes | None = None, **headers: str) -> int:
    """Returns the status of an answer by HTTPS, on a connection that is kept, as browsers have it."""
    at = urlsplit(url)
    line = http.client.HTTPSConnection(str(at.hostname), at.port, timeout=30, context=ssl._create_unverified_context())
    try:
        line.request("GET" if data is None else "POST", f"{at.path}?{at.query}", data, headers)
        return line.getresponse().status
    finally:
        line.close()


def moves(server: Server) -> list[Any]:
    return [row["text"] for row in server.get("/api/journal/rows")["rows"] if row["kind"] == "move"]


def test_each_table_has_a_phone_of_its_own(url: str, tmp_path: Path) -> None:
    blue, red = (Server(None, f"{url}t/{name}/") for name in ("blue", "red"))
    seen = Table(), Table()
    with Phone(blue, seen[0]) as first:
        # The table that began without a camera takes one later.
        with Phone(red, seen[1]) as second:
            eventually(lambda: all(one.get("/api/eyes")["state"] == "looking" for one in (blue, red)))
            eventually(lambda: all(one.get("/api/table")["judged"] for one in (blue, red)))
            seen[0].shown = FIRST
            eventually(lambda: moves(blue) == ["YPG2 c17 YPG"])
            assert moves(red) == []

            # A phone's secret is good at its own table alone, under either table's name for it.
            secret, session = first.secrets
            link = red.post("/api/camera/phone/invite")["link"]
            at, port = link.partition("/phone#")[0], link.partition("/t/")[0].rpartition(":")[2]
            picture, origin = f"{at}/api/camera/phone/picture?session={session}", at.partition("/t/")[0]
            for name in ("red", "blue"):
                cookie = f"companion_camera_{port}_{name}={secret}"
                headers = {"Cookie": cookie, "Origin": origin, "Content-Type": "image/jpeg"}
                assert asked(picture, seen[0].picture(), **headers) == 403

            # By HTTPS there are the camera pages alone.
            assert [asked(f"{origin}/t/{name}/phone") for name in ("blue", "red")] == [200, 200]
            for path in ("", "t/blue/", "t/blue/api/table", "t/blue/camera/still.jpg", "api/tables", "t/none/phone"):
                assert asked(f"{origin}/{path}") == 404, path
        red.post("/api/camera/phone/remove")
        assert red.get("/api/eyes")["state"] == "off"
        sent = first.sent
        eventually(lambda: first.sent > sent + 3)
        assert blue.get("/api/eyes")["state"] == "looking"
        assert second.sent > 3
    assert (tmp_path / "blue.sqlite.tls").stat().st_mode & 0o777 == 0o600
