"""The network is looked at for as long as the page is served."""

from __future__ import annotations

import threading

from companion.commands.network_watch import NetworkWatch


def test_it_looks_again_and_again_and_ends() -> None:
    looks, twice = [0], threading.Event()

    def look() -> None:
        looks[0] += 1
        if looks[0] == 2:
            twice.set()

    with NetworkWatch(look, look_s=0.01):
        assert twice.wait(10)
    looked = looks[0]
    assert not any(thread.name == "network" for thread in threading.enumerate()) and looks[0] == looked
