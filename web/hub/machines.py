"""The machines whose tables a hub shows. Each is queried by a thread of its own, so that a slow one delays no other.

Their addresses come only from the configuration. Their answers are limited in size, treated as text, and shown like any
text of the page.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

import msgspec
from msgspec import Struct

from companion.core.foundation.kept_file import decode_json
from companion.core.foundation.secrecy import SecretAddress
from companion.core.foundation.words import is_table_name
from web.tables import PREFIX, summary

ASK_S, WAIT_S = 2.0, 3.0
"""The number of seconds between requests to a machine, and the time to wait for its answer."""
MOST_BYTES = 2 * 1024 * 1024
"""The size limit of an answer in bytes; no table and no picture is larger."""

UNASKED = "This machine has not answered yet."

Fetch = Callable[[str], bytes]


class Machine(Struct, frozen=True):
    """A machine: its name, and the address of its page, such as `http://club-pi:8000`."""

    name: str
    url: str

    def __str__(self) -> str:
        return f"{self.name}={SecretAddress(self.url)}"


class TableSummary(Struct):
    """The summary of one table from a machine; missing keys are empty, unknown keys are ignored."""

    name: str = ""
    open: bool = False
    game: str | None = None
    seq: int = 0
    players: list[dict[str, Any]] = []
    turn: str | None = None
    alert: str | None = None
    trouble: str | None = None
    picture: bool = False


class _Answered(Struct):
    tables: list[TableSummary]


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def fetch(address: str) -> bytes:
    """Returns the answer of an address, without proxies or redirects.

    Raises:
        OSError: The machine does not answer, or its answer is too large.
    """
    try:
        with build_opener(ProxyHandler({}), _NoRedirects()).open(address, timeout=WAIT_S) as answer:
            found: bytes = answer.read(MOST_BYTES + 1)
    except HTTPException as error:
        raise OSError(str(error)) from error
    if len(found) > MOST_BYTES:
        raise OSError("The answer is too large.")
    return found


class Machines:
    """All machines. As a context manager it starts and ends their threads."""

    def __init__(self, machines: Sequence[Machine], *, fetch: Fetch = fetch) -> None:
        self._machines = {machine.name: machine for machine in machines}
        self._fetch = fetch
        self._lock = threading.Lock()
        self._tables: dict[str, list[dict[str, Any]]] = {
            name: [{"name": name, "open": False, "trouble": UNASKED}] for name in self._machines
        }
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._keep_asking, args=(machine,), name=machine.name, daemon=True)
            for machine in machines
        ]

    def tables(self) -> list[dict[str, Any]]:
        """Returns every table as it was last seen, machine by machine."""
        with self._lock:
            return [table for name in self._machines for table in self._tables[name]]

    def names(self) -> tuple[str, ...]:
        """Returns the names of the open tables, those without a game first."""
        found = [table for table in self.tables() if table["open"]]
        return tuple(table["name"] for table in sorted(found, key=lambda table: table["game"] is not None))

    def picture(self, name: str) -> bytes | None:
        """Returns the present picture of a table; None if there is none."""
        address = self._picture_address(name)
        if address is None:
            return None
        try:
            found = self._fetch(address)
        except (OSError, URLError):
            return None
        return found if found.startswith(b"\xff\xd8") else None

    def ask(self, machine: Machine) -> None:
        """Queries one machine once."""
        try:
            found = self._asked(machine)
        except (OSError, URLError, ValueError):
            found = [{"name": machine.name, "open": False, "trouble": "This machine does not answer."}]
        with self._lock:
            self._tables[machine.name] = found

    def __enter__(self) -> Machines:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(2 * WAIT_S)

    def _keep_asking(self, machine: Machine) -> None:
        while True:
            self.ask(machine)
            if self._over.wait(ASK_S):
                return

    def _asked(self, machine: Machine) -> list[dict[str, Any]]:
        """Returns the tables of a machine. Raises ValueError: The answer has another form."""
        try:
            several = decode_json(self._fetch(f"{machine.url}/api/tables"), _Answered).tables
        except HTTPError as error:
            if error.code != 404:
                raise
            only = summary("", decode_json(self._fetch(f"{machine.url}/api/table"), dict[str, Any]))
            return [self._shown(machine, msgspec.convert(only, TableSummary), alone=True)]
        return [self._shown(machine, one, alone=False) for one in several if is_table_name(one.name)]

    def _shown(self, machine: Machine, one: TableSummary, *, alone: bool) -> dict[str, Any]:
        name = machine.name if alone else f"{machine.name}/{one.name}"
        if not one.open:
            return {"name": name, "open": False, "trouble": one.trouble}
        return {
            "name": name,
            "open": True,
            "at": machine.url + ("/" if alone else f"{PREFIX}{one.name}/"),
            "still": f"/machines/{quote(name)}/still.jpg",
            "game": one.game,
            "seq": one.seq,
            "players": [{"name": str(seat.get("name", "")), "total": seat.get("total", 0)} for seat in one.players],
            "turn": one.turn,
            "alert": one.alert,
            "trouble": one.trouble,
            "picture": one.picture,
        }

    def _picture_address(self, name: str) -> str | None:
        table = next((table for table in self.tables() if table["name"] == name and table.get("picture")), None)
        return None if table is None else f"{table['at']}camera/still.jpg"
