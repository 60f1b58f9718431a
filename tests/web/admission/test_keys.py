"""Secrets that survive a restart, for their owner's eyes alone, and can be drawn anew."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from web.admission.access import Access, NotAdmitted
from web.admission.keys import Keys, KeysNotKept


def test_who_had_come_in_is_still_in_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    before, after = Access(keys=Keys(path)), Access(keys=Keys(path))
    assert after.role(before.token("table")) == "table" and after.role(before.token("host")) == "host"


def test_nobody_else_on_the_machine_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    Keys(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b'{"host": "", "table": ""}',
        b'{"host": "a", "table": "b"}',
        b'{"host": "%s", "table": "%s"}' % (b"a" * 32, b"a" * 32),
    ],
)
def test_what_was_never_drawn_lets_nobody_in(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "keys"
    path.write_bytes(text)
    access = Access(keys=Keys(path))
    assert len(access.token("host")) == len(access.token("table")) == 32
    assert access.role("a" * 32) is access.role("a") is access.role("") is None


def test_phones_are_sent_away_and_the_host_stays(tmp_path: Path) -> None:
    access = Access(keys=Keys(tmp_path / "keys"))
    host, phone, link = access.token("host"), access.token("table"), access.ticket()
    access.send_away()
    assert access.role(phone) is None and access.role(host) == "host"
    with pytest.raises(NotAdmitted):
        access.join_by_ticket(link)
    assert Access(keys=Keys(tmp_path / "keys")).role(phone) is None


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    access = Access(keys=Keys(tmp_path / "no" / "keys"))
    phone = access.token("table")
    with pytest.raises(KeysNotKept, match="All phones are still in"):
        access.send_away()
    assert access.role(phone) == "table"


def test_the_pin_and_whether_phones_are_let_in_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    access = Access(keys=Keys(path))
    host, phone = access.token("host"), access.token("table")
    access.take_pin("246810", phones=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    after = Access(keys=Keys(path))
    assert (after.keys.kept.pin, after.keys.kept.phones) == ("246810", True)
    assert after.pin is None, "whether it holds is for the page to say"
    assert (after.token("host"), after.token("table")) == (host, phone)
    after.send_away()
    after.close_to_phones()
    kept = Keys(path).kept
    assert (kept.pin, kept.phones, kept.host) == ("246810", False, host) and kept.table != phone


@pytest.mark.parametrize("pin", ["", "12345", "1234567", "12345a", "１２３４５６"])
def test_a_damaged_pin_closes_the_table_and_sends_nobody_away(tmp_path: Path, pin: str) -> None:
    path = tmp_path / "keys"
    host = Keys(path).kept.host
    path.write_text(path.read_text().replace("}", f', "pin": "{pin}", "phones": true}}'))
    kept = Keys(path).kept
    assert (kept.host, kept.pin, kept.phones) == (host, "", False)


def test_a_pin_that_cannot_be_written_down_changes_nothing(tmp_path: Path) -> None:
    access = Access(pin="123456", keys=Keys(tmp_path / "no" / "keys"))
    with pytest.raises(KeysNotKept, match="Nothing has changed"):
        access.take_pin("246810", phones=True)
    assert access.pin == "123456" and not access.keys.kept.phones
    with pytest.raises(KeysNotKept, match="is closed to phones, but"):
        access.close_to_phones()
    assert access.pin is None
