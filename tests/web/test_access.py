"""Tokens, tickets and the PIN."""

from __future__ import annotations

import pytest

from tests.web.doubles import HandClock
from web.access import Access, NotAdmitted, TooSoon


def test_tokens_are_128_bits_and_stand_for_their_role_alone() -> None:
    access = Access()
    assert len(bytes.fromhex(access.token("host"))) == len(bytes.fromhex(access.token("table"))) == 16
    assert access.role(access.token("host")) == "host"
    assert access.role(access.token("table")) == "table"
    assert access.role("0" * 32) is None
    assert access.role("") is access.role(None) is access.role("ü\udc80") is None
    assert Access().role(access.token("host")) is None


def test_a_ticket_admits_once() -> None:
    access = Access()
    ticket = access.ticket()
    assert access.join_by_ticket(ticket) == "table"
    with pytest.raises(NotAdmitted, match="used before"):
        access.join_by_ticket(ticket)


def test_old_tickets_make_room_for_new_ones() -> None:
    access = Access()
    first = access.ticket()
    for _ in range(64):
        last = access.ticket()
    with pytest.raises(NotAdmitted):
        access.join_by_ticket(first)
    assert access.join_by_ticket(last) == "table"


def test_a_fresh_pin_has_six_digits() -> None:
    pins = {Access.with_pin().pin for _ in range(20)}
    assert all(pin is not None and len(pin) == 6 and pin.isdecimal() for pin in pins)
    assert len(pins) > 1


def test_without_a_pin_nobody_joins_by_one() -> None:
    with pytest.raises(NotAdmitted, match="no PIN"):
        Access().join_by_pin("")


def test_wrong_pins_slow_everybody_down_to_30_s_and_shut_nobody_out() -> None:
    clock = HandClock()
    access = Access(pin="123456", clock=clock)
    waits = []
    for _ in range(8):
        with pytest.raises(NotAdmitted):
            access.join_by_pin("000000")
        with pytest.raises(TooSoon) as soon:
            access.join_by_pin("123456")
        waits.append(soon.value.wait_s)
        clock.pass_(soon.value.wait_s)
    assert waits == sorted(waits)
    assert waits[0] <= 2
    assert 30 <= waits[-1] <= 31
    assert access.join_by_pin("123456") == "table"
    with pytest.raises(NotAdmitted):
        access.join_by_pin("1")
    with pytest.raises(TooSoon) as soon:
        access.join_by_pin("1")
    assert soon.value.wait_s <= 2, "the right PIN starts the slow-down afresh"
