"""A phone's pictures, its secrets and the key of HTTPS come into no log, no support file and no backup."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from zipfile import ZipFile

from bench.phone_camera import Phone, Server, Table
from tests.browser.filmed_phone import serving


def members(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def run(*words: str | Path) -> None:
    done = subprocess.run([sys.executable, "-m", "companion", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_of_a_phone_is_kept_or_passed_on(tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    journal, support, backup = house / "journal.sqlite", tmp_path / "support.zip", tmp_path / "companion.backup"
    with serving(house, "--camera", "phone") as url:
        sent: list[bytes] = []

        class Noted(Table):
            def picture(self) -> bytes:
                sent.append(super().picture())
                return sent[-1]

        server = Server(None, url)
        with Phone(server, Noted()) as phone:
            until = time.monotonic() + 60
            while server.get("/api/eyes")["state"] != "looking":
                assert time.monotonic() < until
                time.sleep(0.1)
            run("support", support, "--journal", journal, "--port", url.rstrip("/").rpartition(":")[2])
            run("backup", backup, "--journal", journal)
        secrets = phone.secrets
    tls = house / "journal.sqlite.tls"
    assert tls.stat().st_mode & 0o777 == 0o600
    lines = [line for line in tls.read_bytes().splitlines() if b"-----" not in line]
    forbidden = [*(one.encode() for one in secrets), *lines, *(data[400:460] for data in sent[:16])]
    assert len(lines) > 5 and len(sent) > 3 and all(len(one) > 12 for one in forbidden[:2])
    kept = {**members(support), **members(backup)}
    kept |= {path.name: path.read_bytes() for path in house.glob("*.log*")}
    kept |= {
        path.name: path.read_bytes() for path in house.glob("journal.sqlite*") if path.suffix not in (".tls", ".keys")
    }
    assert any(name.endswith(".log") for name in kept)
    for name, data in kept.items():
        assert not any(one in data for one in forbidden), name
