"""The conformance suite of games: tests that every game must pass, including games of other packages.

Random games (`cases`) can be played without pytest. `GameContract` needs pytest: `pip install
"tabletop-companion[testing]"`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from companion.testing.cases import Case, WorkedGame, cases, played

if TYPE_CHECKING:
    from companion.testing.contract import GameContract
    from companion.testing.reader_contract import ReaderContract

__all__ = ["Case", "GameContract", "ReaderContract", "WorkedGame", "cases", "played"]


def __getattr__(name: str) -> Any:
    if name not in ("GameContract", "ReaderContract"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import pytest
    except ImportError as error:
        raise ImportError(f'{name} needs pytest: pip install "tabletop-companion[testing]".') from error
    for module in ("parts_contract", "contract", "reader_contract"):  # asserts are rewritten first
        if f"{__name__}.{module}" not in sys.modules:
            pytest.register_assert_rewrite(f"{__name__}.{module}")
    from companion.testing.contract import GameContract
    from companion.testing.reader_contract import ReaderContract

    return GameContract if name == "GameContract" else ReaderContract
