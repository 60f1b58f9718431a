"""Debian's PostgreSQL, started by the tests on a port of its own; it is killed and started again at their wish."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from companion.referee.journal.places import Database

USER = "companion"


def program(name: str) -> str | None:
    """A program of PostgreSQL, None if it is not installed; Debian keeps those of a server out of the path."""
    return shutil.which(name) or next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))), None)


INITDB, POSTGRES = program("initdb") or "initdb", program("postgres") or "postgres"


class PostgreSQL:
    """One server and its databases, in a folder of its own that goes when it is stopped."""

    def __init__(self, host: str = "127.0.0.1", namespace: str | None = None) -> None:
        """
        :param namespace: of the network that it runs in; None: this one.
        """
        self._namespace = namespace
        # Names of sockets are short, and the server's user must get there: so not in a folder of pytest's.
        self._folder, self.host = Path(tempfile.mkdtemp(prefix="companion-")), host
        self._data = self._folder / "data"
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port: int = probe.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0
        # The server refuses to be root's.
        self._as: dict[str, Any] = (
            {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}
        )
        if self._as:
            shutil.chown(self._folder, "nobody")
        subprocess.run(
            [INITDB, "-D", str(self._data), "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "-N"],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self._folder,
            **self._as,
        )

        if host != "127.0.0.1":
            with (self._data / "pg_hba.conf").open("a") as allowed:
                allowed.write(f"host all all {host}/24 trust\n")

    def start(self) -> None:
        """Start it and wait until it answers."""
        inside = ["ip", "netns", "exec", self._namespace] if self._namespace else []
        # To enter a namespace one must be root, so who it runs as is settled behind that.
        inside += ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] if inside else []
        self._process = subprocess.Popen(
            [
                *inside,
                POSTGRES,
                *("-D", str(self._data), "-p", str(self.port), "-k", str(self._folder)),
                *(word for setting in self._settings() for word in ("-c", setting)),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            **({} if inside else self._as),
        )
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                psycopg.connect(self.local, connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise AssertionError("PostgreSQL did not start")

    def _settings(self) -> tuple[str, ...]:
        # Killed processes lose no file's contents, so nothing has to reach the disk for what is tried here.
        return (f"listen_addresses={self.host}", "fsync=off", "shared_buffers=16MB", "max_connections=40")

    @property
    def local(self) -> str:
        """The address of its first database over its socket, whatever its network does."""
        return f"host={self._folder} port={self.port} user={USER} dbname=postgres"

    def database(self) -> Database:
        """A new empty database."""
        self._made += 1
        name = f"club{self._made}"
        with psycopg.connect(self.local, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return Database(f"postgresql://{USER}@{self.host}:{self.port}/{name}")

    def within(self, database: Database) -> Database:
        """The same database by the server's socket, whatever its network does."""
        name = database.url.rpartition("/")[2]
        return Database(f"postgresql://{USER}@/{name}?host={self._folder}&port={self.port}")

    def kill(self) -> None:
        """Kill it and all its processes at once, as a loss of power would; starting it mends its files."""
        if self._process is None:
            return
        for child in Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._process = None

    def stop(self) -> None:
        """End it for good, whatever is connected."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)
