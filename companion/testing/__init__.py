"""What a game promises, as a suite of tests that each game runs, also games of other packages. Needs pytest."""

import pytest

pytest.register_assert_rewrite("companion.testing.contract")

from companion.testing.contract import GameContract  # noqa: E402 - asserts are rewritten before they are loaded

__all__ = ["GameContract"]
