"""Tokens, tickets and the PIN."""

from __future__ import annotations

from itertools import count

import pytest

from tests.web.doubles import HandClock
from web.admission.access import Access, NotAdmitted, TooSoon
from web.admission.invitations import HOLD_S, MOST, RENEW_S, Invitations
from web.admission.keys import Keys
from web.admission.pin import BadPin, chosen_pin


class Now:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        return self.s


def invitations() -> tuple[Invitations, Now]:
    numbers, now = count(1), Now()
    return Invitations(now, lambda: str(next(numbers))), now


def test_a_code_is_renewed_while_it_is_shown() -> None:
    all_, now = invitations()
    first = all_.show(3)
    assert all_.show(3, first.id) == first
    now.s = RENEW_S
    second = all_.show(3, first.id)
    assert second.id == first.id and second.code != first.code
    now.s = RENEW_S + HOLD_S - 1
    assert first.code is not None and all_.use(first.code), "who scanned it just before it changed comes in"
    now.s = RENEW_S + HOLD_S
    assert not all_.use(first.code)


def test_an_invitation_that_nobody_looks_at_ends() -> None:
    all_, now = invitations()
    one = all_.show(3)
    assert one.code is not None
    now.s = RENEW_S + HOLD_S
    assert not all_.use(one.code)
    assert all_.show(3, one.id).id != one.id


def test_sending_all_away_ends_invitations() -> None:
    all_, _ = invitations()
    one = all_.show(3)
    all_.close()
    assert one.code is not None and not all_.use(one.code)


def test_there_is_always_a_place_and_never_too_many_invitations() -> None:
    all_, _ = invitations()
    shown = [all_.show(0) for _ in range(MOST + 1)]
    assert all(one.left == 1 for one in shown)
    used = [one.code is not None and all_.use(one.code) for one in shown]
    assert used == [False] + [True] * MOST


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


def test_a_pin_that_was_kept_holds_at_the_next_start() -> None:
    keys = Keys()
    first = Access.with_pin(keys)
    first.take_pin("246810", phones=False)
    assert Access.with_pin(keys).pin == "246810"


def test_another_pin_ends_the_one_before_at_once_and_not_the_wait_after_wrong_ones() -> None:
    clock = HandClock()
    access = Access(pin="123456", clock=clock)
    phone = access.token("table")
    access.take_pin("246810", phones=True)
    with pytest.raises(NotAdmitted, match="not the PIN"):
        access.join_by_pin("123456")
    access.take_pin("135791", phones=True)
    with pytest.raises(TooSoon):
        access.join_by_pin("135791")
    clock.pass_(1)
    assert access.join_by_pin("135791") == "table"
    assert access.role(phone) == "table", "who is in stays in"
    access.close_to_phones()
    with pytest.raises(NotAdmitted, match="no PIN"):
        access.join_by_pin("135791")


@pytest.mark.parametrize("text", ["", "12345", "1234567", "12345a", "12 345", "１２３４５６", "²²²²²²", "-12345"])
def test_a_pin_is_exactly_six_digits(text: str) -> None:
    with pytest.raises(BadPin, match="exactly six digits"):
        chosen_pin(text)


def test_blanks_around_a_pin_are_no_part_of_it() -> None:
    assert chosen_pin(" 000042\n") == "000042"


def test_without_a_pin_nobody_joins_by_one() -> None:
    with pytest.raises(NotAdmitted, match="no PIN"):
        Access().join_by_pin("")


def test_wrong_pins_slow_down_who_enters_them_to_30_s() -> None:
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


def test_a_device_is_known_by_its_secret_and_by_no_other() -> None:
    access = Access()
    secret = access.device()
    assert access.known_device(secret) == secret[:16]
    spoiled = secret[:-1] + ("0" if secret[-1] != "0" else "1")
    for other in (None, "", "ü", secret[:16], spoiled, Access().device(), "0" * 80):
        assert access.known_device(other) is None
    access.send_away()
    assert access.known_device(secret) is not None, "who is sent away was in before"
