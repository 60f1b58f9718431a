"""Where a server listens, and by which names it is found."""

from __future__ import annotations

import click
import pytest

from companion.app.commands.address import host_names, listening_address


def test_a_machine_is_found_by_the_names_that_it_is_given() -> None:
    assert host_names(("Club-Pi", "games.example.org")) == ("club-pi", "games.example.org")


@pytest.mark.parametrize("name", ["http://club-pi", "club-pi:8000", "", "-pi", "a b", "x" * 64])
def test_what_is_no_name_of_a_machine_is_refused(name: str) -> None:
    with pytest.raises(click.BadParameter, match="not the name of a machine"):
        host_names((name,))


def test_only_the_local_network_opens_more_than_this_machine() -> None:
    assert listening_address(None, lan=False) == "127.0.0.1"
    assert listening_address(None, lan=True) == "0.0.0.0"
    assert listening_address("192.168.0.7", lan=True) == "192.168.0.7"
