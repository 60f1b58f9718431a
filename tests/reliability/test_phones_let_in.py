"""From a start with no option to a phone at the table: let in on the page, by another PIN, through a killed server, and out."""

from __future__ import annotations

import http.client
import json
import re
import socket
import stat
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

import pytest

from companion.referee.journal import Journal
from tests.reliability.house import WITHIN_S, Browser, House, Serve
from web.sockets.server import lan_address

LAN = lan_address()
pytestmark = pytest.mark.skipif(LAN.startswith("127."), reason="this machine is in no network")


def port_of(house: House) -> int:
    return int(house.url.rpartition(":")[2])


def in_lan(house: House) -> str:
    """The page's address in the local network."""
    return f"http://{LAN}:{port_of(house)}"


def next_line(house: House) -> str:
    """What the terminal says next."""
    assert house.process.stdout is not None
    return house.process.stdout.readline()


def refused(browser: Browser, url: str, body: Any = None) -> tuple[int, str]:
    """Status and sentence of a refusal."""
    with pytest.raises(HTTPError) as error:
        browser.ask(url, body)
    return error.value.code, json.loads(error.value.read())["error"]


def unreached(house: House) -> bool:
    """Whether nobody answers in the local network."""
    try:
        Browser(phone=False).ask(f"{in_lan(house)}/api/door")
    except URLError as error:
        return isinstance(error.reason, ConnectionRefusedError)
    return False


def stream(host: str, port: int) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(host, port, timeout=20)
    connection.request("GET", "/stream")
    answer = connection.getresponse()
    assert answer.status == 200 and b"retry" in answer.readline()
    return answer


def test_the_whole_evening_of_a_phone(serve: Serve, tmp_path: Path) -> None:
    house = serve("--game", "regenbogen", "--players", "Ada,Ben")
    next_line(house)  # how it ends
    assert unreached(house), "by default it is on this machine alone"
    host = Browser(phone=False)
    host.ask(f"{house.url}/")
    here = stream("127.0.0.1", port_of(house))
    assert host.ask(f"{house.url}/api/phones")["may_open"]
    assert refused(host, f"{house.url}/api/phones/open", {"pin": "12"})[0] == 400
    opened = host.ask(f"{house.url}/api/phones/open", {"pin": "123456"})
    assert opened["at"] == f"{in_lan(house)}/" and not unreached(house)
    assert f"{in_lan(house)}/  PIN 123456" in next_line(house)
    assert stat.S_IMODE((tmp_path / "journal.sqlite.keys").stat().st_mode) == 0o600

    phone = Browser(phone=False)
    phone.ask(f"{in_lan(house)}/")
    assert phone.ask(f"{in_lan(house)}/api/door")["role"] is None, "who comes over the network is nobody at first"
    phone.ask(f"{in_lan(house)}/api/door", {"pin": "123456"})
    phone.ask(f"{in_lan(house)}/api/door/seat", {"seat": 0})
    assert refused(phone, f"{in_lan(house)}/api/phones/close", {})[0] == 403

    host.ask(f"{house.url}/api/phones/pin", {"pin": "246810"})
    assert "PIN 246810" in next_line(house)
    late = Browser(phone=False)
    assert refused(late, f"{in_lan(house)}/api/door", {"pin": "123456"})[0] == 403
    status, said = refused(late, f"{in_lan(house)}/api/door", {"pin": "246810"})
    assert status == 429 and "Try again in" in said, "wrong PINs still cost time"
    assert phone.ask(f"{in_lan(house)}/api/door")["role"] == "table"
    house.cut()
    here.close()

    house = serve("--game", "regenbogen", "--players", "Ada,Ben")
    assert f"Open to phones, as chosen on the page: {in_lan(house)}/  PIN 246810" in next_line(house)
    assert phone.ask(f"{in_lan(house)}/api/door") == {"role": "table", "pin": True, "seat": 0}
    moved = phone.ask(f"{in_lan(house)}/api/table/moves?piece=")
    assert moved["seq"] >= 0
    late.ask(f"{in_lan(house)}/api/door", {"pin": "246810"})

    here, there = stream("127.0.0.1", port_of(house)), stream(LAN, port_of(house))
    host.ask(f"{house.url}/api/phones/close", {})
    began = time.monotonic()
    with pytest.raises((http.client.IncompleteRead, OSError)):
        there.read()
    there.close()
    assert time.monotonic() - began < WITHIN_S, "it ends now, not after its ten minutes"
    assert unreached(house)
    assert b"event" in here.read(120) and host.ask(f"{house.url}/api/door")["role"] == "host"
    here.close()
    house.cut()

    house = serve()
    assert "Ctrl+C" in next_line(house) and unreached(house), "what was closed stays closed"
    assert host.ask(f"{house.url}/api/phones")["kept"] == "246810"
    journal = Journal.read(tmp_path / "journal.sqlite")
    assert len(journal.games()) == 1
    journal.close()
    assert "246810" not in (tmp_path / "journal.sqlite.log").read_text()


def test_a_port_that_another_program_has_there_is_said_and_the_table_goes_on(serve: Serve) -> None:
    house = serve("--game", "regenbogen")
    host = Browser(phone=False)
    host.ask(f"{house.url}/")
    with socket.create_server((LAN, port_of(house))):
        status, said = refused(host, f"{house.url}/api/phones/open", {})
        assert status == 409 and re.search(r"cannot be opened to phones at .* is in use already", said)
        assert host.ask(f"{house.url}/api/phones")["by"] is None
    host.ask(f"{house.url}/api/phones/open", {"pin": "123456"})
    house.cut()
    with socket.create_server((LAN, port_of(house))):
        house = serve()
        assert "Phones were let in on the page, but do not reach it" in next_line(house)
        assert "in use" in host.ask(f"{house.url}/api/phones")["trouble"]


def test_a_start_with_lan_is_opened_by_the_command_line(serve: Serve) -> None:
    house = serve("--game", "regenbogen", "--lan")
    told = next_line(house)
    assert re.fullmatch(rf"On the local network: {in_lan(house)}/  PIN \d{{6}}\n", told)
    host = Browser(phone=False)
    host.ask(f"{house.url}/")
    now = host.ask(f"{house.url}/api/phones")
    assert (now["by"], now["may_open"], now["at"]) == ("command", False, f"{in_lan(house)}/")
    assert refused(host, f"{house.url}/api/phones/close", {})[0] == 409
    host.ask(f"{house.url}/api/phones/pin", {"pin": "246810"})
    phone = Browser(phone=False)
    phone.ask(f"{in_lan(house)}/api/door", {"pin": "246810"})
    house.process.terminate()
    house.process.communicate(timeout=20)
