"""The brake on wrong PINs: what docs/http.md promises, with a stranger who guesses twice a second."""

from __future__ import annotations

import pytest

from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from tests.web.doubles import HandClock
from web.admission.access import Access, NotAdmitted, TooSoon
from web.admission.pin import BURST, EACH_S, REMEMBERED, SLIPS, SLOWEST_S, PinBrake, Visitor
from web.app import create_app

GUESSER, OWNER = "192.168.1.66", "192.168.1.7"
PIN = "246810"


class Door:
    """A door at which strangers guess, twice a second each, while a clock goes that only the test moves."""

    def __init__(self, *guessers: str) -> None:
        self.clock = HandClock()
        self.access = Access(pin=PIN, clock=self.clock)
        self.guessers = [Visitor(address) for address in guessers]
        self.looked_at = 0
        """Guesses that were compared with the PIN."""

    def pass_(self, seconds: float) -> None:
        for _ in range(int(seconds * 2)):
            for guesser in self.guessers:
                try:
                    self.access.join_by_pin("000000", guesser)
                except NotAdmitted:
                    self.looked_at += 1
                except TooSoon:
                    continue
            self.clock.pass_(0.5)


def test_one_who_guesses_shuts_nobody_else_out() -> None:
    door = Door(GUESSER)
    for _ in range(16):
        door.pass_(20)
        assert door.access.join_by_pin(PIN, Visitor(OWNER)) == "table", "16 of 16 tries of the owner"
    assert door.looked_at < 20


def test_a_slip_of_the_owner_costs_a_second_whatever_others_guess() -> None:
    door = Door(GUESSER)
    door.pass_(300)
    with pytest.raises(NotAdmitted):
        door.access.join_by_pin("1", Visitor(OWNER))
    with pytest.raises(TooSoon) as soon:
        door.access.join_by_pin(PIN, Visitor(OWNER))
    assert soon.value.wait_s == 1
    door.clock.pass_(1)
    assert door.access.join_by_pin(PIN, Visitor(OWNER)) == "table"


def test_many_addresses_guess_no_faster_than_the_ceiling_and_known_devices_and_tickets_never_wait() -> None:
    door = Door(*(f"10.0.0.{n}" for n in range(100)))
    known = Visitor("10.0.0.1", door.access.known_device(door.access.device()))
    for _ in range(30):
        door.pass_(20)
        assert door.access.join_by_pin(PIN, known) == "table", "even from an address that guesses"
        assert door.access.join_by_ticket(door.access.ticket()) == "table"
    assert door.looked_at <= BURST + 600 / EACH_S + 1


def test_a_known_device_slips_a_few_times_for_nothing_and_is_then_a_stranger() -> None:
    door = Door()
    known = Visitor(OWNER, "0" * 16)
    for _ in range(SLIPS):
        with pytest.raises(NotAdmitted):
            door.access.join_by_pin("1", known)
    with pytest.raises(NotAdmitted):
        door.access.join_by_pin("1", known)
    with pytest.raises(TooSoon):
        door.access.join_by_pin(PIN, known)
    door.clock.pass_(1)
    assert door.access.join_by_pin(PIN, known) == "table"
    with pytest.raises(NotAdmitted):
        door.access.join_by_pin("1", known)
    assert door.access.join_by_pin(PIN, known) == "table", "it is known again"


def test_one_address_of_a_network_stands_for_all_and_memory_is_bounded() -> None:
    clock = HandClock()
    brake = PinBrake(clock)
    brake.wrong(Visitor("2001:db8::1"))
    assert brake.wait_s(Visitor("2001:db8::ffff:2")) == 1 and brake.wait_s(Visitor("2001:db8:1::1")) == 0
    brake.wrong(Visitor("::ffff:192.0.2.1"))
    assert brake.wait_s(Visitor("192.0.2.1")) == 1
    for _ in range(9):
        brake.wrong(Visitor("192.0.2.9"))
    assert brake.wait_s(Visitor("192.0.2.9")) >= SLOWEST_S
    for n in range(3 * REMEMBERED):
        brake.wrong(Visitor(f"an address {n}"))
        brake.wrong(Visitor("192.0.2.1", f"device {n}"))
    assert len(brake._addresses) == len(brake._slips) == REMEMBERED


def test_a_phone_that_was_in_and_was_sent_away_comes_back_while_others_guess(sessions: SessionManager) -> None:
    access = Access(pin=PIN)
    app = create_app(sessions, access=access)
    phone, guesser = Browser(app, address=GUESSER), Browser(app, address=GUESSER)
    assert phone.post("/api/door", {"pin": PIN}).status_code == 200
    access.send_away()
    statuses = [guesser.post("/api/door", {"pin": f"{n:06}"}).status_code for n in range(16)]
    assert statuses == [403] + [429] * 15
    assert phone.get("/api/door").json["role"] is None
    for _ in range(16):
        assert phone.post("/api/door", {"pin": PIN}).status_code == 200, "from the very address that guesses"
    assert Browser(app, address=OWNER).post("/api/door", {"pin": PIN}).status_code == 200
    assert Browser(app, address=GUESSER).post("/api/door", {"ticket": access.ticket()}).status_code == 200


def test_a_phone_that_came_in_before_devices_were_known_is_known_from_its_next_page_on(
    sessions: SessionManager,
) -> None:
    access = Access(pin=PIN)
    app = create_app(sessions, access=access)
    phone = Browser(app, access.token("table"), address=OWNER)
    assert any("companion_device" in cookie for cookie in phone.get("/").headers.getlist("Set-Cookie"))
    assert not any("companion_device" in cookie for cookie in phone.get("/").headers.getlist("Set-Cookie"))
    assert not any("companion_device" in cookie for cookie in Browser(app).get("/").headers.getlist("Set-Cookie"))
