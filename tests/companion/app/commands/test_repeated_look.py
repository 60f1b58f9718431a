"""What is looked at while a page is served is looked at for as long, and no longer."""

from __future__ import annotations

import threading

from companion.app.commands.runtime import RepeatedLook


def test_it_looks_again_and_again_and_ends() -> None:
    looks, twice = [0], threading.Event()

    def look() -> None:
        looks[0] += 1
        if looks[0] == 2:
            twice.set()

    with RepeatedLook("network", look, 0.01):
        assert twice.wait(10)
        assert any(thread.name == "network" for thread in threading.enumerate())
    assert not any(thread.name == "network" for thread in threading.enumerate())
