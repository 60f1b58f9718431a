"""Letting phones in and closing the table to them again: what is decided, kept, said, and carried out after a restart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.foundation.errors import CompanionError
from tests.web.doubles import Listener
from web.admission.access import Access
from web.admission.keys import Keys, KeysNotKept
from web.admission.phones import NO_NETWORK, NotOpened, Phones
from web.admission.pin import BadPin
from web.http.settings import WebSettings


class Machine:
    """A machine that goes from one network to another, and what its table was made of."""

    def __init__(self, path: Path | None = None, settings: WebSettings | None = None) -> None:
        self.addresses = ["192.168.1.7"]
        self.changes: list[str | None] = []
        self.hidden: list[str] = []
        self.access = Access(keys=Keys(path))
        self.listener = Listener()
        self.phones = Phones(
            self.access,
            settings or WebSettings(),
            changed=lambda phones: self.changes.append(phones.address),
            hide=self.hidden.append,
            find=lambda: self.addresses[0] if self.addresses else "127.0.0.1",
            ours=lambda address: address in self.addresses,
        )


@pytest.fixture
def machine() -> Machine:
    machine = Machine()
    machine.phones.attach(machine.listener)
    return machine


def test_until_somebody_lets_them_in_no_phone_reaches_the_table(machine: Machine) -> None:
    phones = machine.phones
    assert (phones.by, phones.address, phones.pin, phones.trouble) == (None, None, None, None)
    assert phones.may_open and not phones.may_change_pin
    assert machine.listener.also is None and machine.access.pin is None and machine.changes == []


def test_open_and_closed_again(machine: Machine) -> None:
    phones = machine.phones
    phones.open("246810")
    assert (phones.by, phones.address, phones.pin) == ("page", "192.168.1.7", "246810")
    assert machine.access.join_by_pin("246810") == "table" and machine.hidden == ["246810"]
    phones.close()
    assert (phones.by, phones.address, phones.pin, phones.kept_pin) == (None, None, None, "246810")
    phones.close()
    phones.open()
    assert phones.pin is not None and len(phones.pin) == 6 and phones.pin != "246810"
    assert machine.changes == ["192.168.1.7", None, None, "192.168.1.7"]


def test_another_pin_holds_at_once(machine: Machine) -> None:
    with pytest.raises(NotOpened, match="takes no PIN now"):
        machine.phones.change_pin("246810")
    machine.phones.open("123456")
    with pytest.raises(BadPin):
        machine.phones.change_pin("12345")
    assert machine.phones.pin == "123456"
    machine.phones.change_pin("246810")
    assert machine.access.pin == "246810" and machine.phones.by == "page"
    machine.phones.change_pin()
    assert machine.access.pin != "246810" and machine.access.pin == machine.phones.kept_pin


def no_network(machine: Machine) -> None:
    machine.addresses.clear()


def taken(machine: Machine) -> None:
    machine.listener.taken.add("192.168.1.7")


@pytest.mark.parametrize(
    ("break_", "said"), [(no_network, "in no network"), (taken, "at 192.168.1.7. Port 8000 is in use already.")]
)
def test_what_cannot_be_opened_is_said_and_nothing_changes(
    machine: Machine, break_: Callable[[Machine], None], said: str
) -> None:
    break_(machine)
    with pytest.raises(NotOpened, match=said):
        machine.phones.open("246810")
    assert (machine.phones.by, machine.phones.address, machine.access.pin) == (None, None, None)
    assert not machine.access.keys.kept.phones and machine.changes == []


def test_a_full_disk_leaves_the_table_closed(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "no" / "keys")
    machine.phones.attach(machine.listener)
    with pytest.raises(KeysNotKept):
        machine.phones.open("246810")
    assert (machine.phones.by, machine.listener.also, machine.access.pin) == (None, None, None)


def test_a_full_disk_is_what_is_said_although_the_address_cannot_be_left_now(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "no" / "keys")
    machine.phones.attach(machine.listener)
    machine.listener.stuck = True
    with pytest.raises(KeysNotKept, match="The PIN could not be saved"):
        machine.phones.open("246810")
    machine.phones.follow()
    assert machine.listener.also == "192.168.1.7", "it still cannot be left, which ends no look at the network"
    machine.listener.stuck = False
    machine.phones.follow()
    assert machine.listener.also is None, "nobody has let phones in, so the table is closed as soon as it can be"
    assert (machine.phones.by, machine.access.pin, machine.changes) == (None, None, [])


def test_the_next_start_opens_it_again_by_the_same_pin(tmp_path: Path) -> None:
    before = Machine(tmp_path / "keys")
    before.phones.attach(before.listener)
    before.phones.open("246810")
    after = Machine(tmp_path / "keys")
    assert after.phones.by is None and after.access.pin is None
    after.phones.attach(after.listener)
    assert (after.phones.by, after.phones.address, after.access.pin) == ("page", "192.168.1.7", "246810")
    assert after.changes == ["192.168.1.7"]
    after.phones.close()
    third = Machine(tmp_path / "keys")
    third.phones.attach(third.listener)
    assert third.phones.by is None and third.phones.kept_pin == "246810" and third.changes == []


def test_a_start_before_the_network_opens_it_once_there_is_one(tmp_path: Path) -> None:
    Access(keys=Keys(tmp_path / "keys")).take_pin("246810", phones=True)
    machine = Machine(tmp_path / "keys")
    machine.addresses.clear()
    machine.phones.attach(machine.listener)
    assert (machine.phones.by, machine.phones.address, machine.phones.trouble) == ("page", None, NO_NETWORK)
    assert machine.changes == [None]
    machine.phones.follow()
    machine.addresses.append("10.0.0.3")
    machine.listener.taken.add("10.0.0.3")
    machine.phones.follow()
    assert machine.phones.trouble is not None and "in use" in machine.phones.trouble
    machine.listener.taken.clear()
    machine.phones.follow()
    assert (machine.phones.address, machine.phones.trouble) == ("10.0.0.3", None)
    assert machine.changes == [None, "10.0.0.3"]


def test_it_goes_with_the_machine_and_stays_while_its_address_does(machine: Machine) -> None:
    machine.phones.open("246810")
    machine.addresses.insert(0, "10.8.0.2")
    machine.phones.follow()
    assert machine.phones.address == "192.168.1.7", "a second network takes nothing from the first"
    machine.addresses.clear()
    machine.phones.follow()
    assert machine.phones.trouble == NO_NETWORK
    machine.addresses.append("172.16.0.4")
    machine.phones.follow()
    assert (machine.phones.address, machine.phones.trouble) == ("172.16.0.4", None)
    machine.phones.close()
    machine.addresses[:] = ["192.168.1.7"]
    machine.phones.follow()
    assert machine.phones.address is None


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        (WebSettings(lan=True), "192.168.1.7"),
        (WebSettings(lan=True, host="0.0.0.0"), "192.168.1.7"),
        (WebSettings(host="::"), "192.168.1.7"),
        (WebSettings(host="192.168.9.9"), "192.168.9.9"),
    ],
)
def test_what_the_command_line_opened_the_page_neither_opens_nor_closes(settings: WebSettings, address: str) -> None:
    machine = Machine(settings=settings)
    machine.access.keys.keep_pin("111111", phones=True)
    machine.phones.attach(machine.listener)
    assert (machine.phones.by, machine.phones.address) == ("command", address) and not machine.phones.may_open
    for change in (machine.phones.open, machine.phones.close):
        with pytest.raises(NotOpened, match="The command line has opened"):
            change()
    machine.phones.follow()
    assert machine.listener.also is None
    assert not machine.phones.may_change_pin
    machine.access.pin = "123456"
    machine.phones.change_pin("246810")
    assert machine.access.pin == "246810" and machine.access.keys.kept.phones, "what the page decided is kept"


@pytest.mark.parametrize(
    ("settings", "found_at", "url"),
    [
        (WebSettings(), "localhost:8000", "http://localhost:8000/"),
        (WebSettings(lan=True), "localhost:8000", "http://192.168.1.7:8000/"),
        (WebSettings(lan=True), "[::1]:8000", "http://192.168.1.7:8000/"),
        (WebSettings(lan=True), "localhost", "http://192.168.1.7/"),
        (WebSettings(lan=True), "club-pi.local:8000", "http://club-pi.local:8000/"),
        (WebSettings(lan=True, host="fd00::7"), "localhost:8000", "http://[fd00::7]:8000/"),
        (WebSettings(lan=True, scheme="https", table="blue"), "127.0.0.1", "https://192.168.1.7/t/blue/"),
    ],
)
def test_where_others_find_the_page(settings: WebSettings, found_at: str, url: str) -> None:
    assert Machine(settings=settings).phones.url(found_at) == url


def test_one_of_several_tables_is_not_opened_on_its_page() -> None:
    machine = Machine()
    assert not machine.phones.may_open
    for change in (machine.phones.open, machine.phones.close, machine.phones.change_pin):
        with pytest.raises(CompanionError, match=r"Start the server with --lan|takes no PIN now"):
            change()
