"""How long a request waits in all."""

from __future__ import annotations

import pytest

from hardware.link import PATIENCE, Patience


def test_a_caller_is_told_after_about_five_seconds() -> None:
    assert sum(PATIENCE.wait_s(tries) for tries in range(1, PATIENCE.tries + 1)) == pytest.approx(4.9, abs=0.3)


def test_waits_grow_to_a_limit() -> None:
    patience = Patience(first_s=0.1, growth=2.0, longest_s=0.5)
    assert [patience.wait_s(tries) for tries in (1, 2, 3, 4, 50)] == [0.1, 0.2, 0.4, 0.5, 0.5]
