"""What a test shows of the rule in its name, so that every rule can be held to have an allowed and a forbidden example.

    @allows
    @forbids
    def test_brd_16_two_pawns_never_share_a_space() -> None: ...

The marks are read by `tests/companion/test_rule_coverage.py` and change nothing of a test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., None])


def allows(test: Test) -> Test:
    """The rule lets something happen, gives something, or counts something."""
    return test


def forbids(test: Test) -> Test:
    """An event, an option or a record is refused, and the refusal names this very rule."""
    return test


def excludes(test: Test) -> Test:
    """A rule that nobody can break, such as a definition or a count: what does not count, or what another rule refuses."""
    return test
