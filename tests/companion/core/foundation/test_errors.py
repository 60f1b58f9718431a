"""What an error says is one line, whatever was in the file that it is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.commands.calibrate import _rows
from companion.core.contract import Violation
from companion.core.foundation.errors import BadFile, CompanionError, IllegalMove


def kinds(root: type[CompanionError] = CompanionError) -> list[type[CompanionError]]:
    """The root of all errors and everything below it."""
    return [root, *(kind for child in root.__subclasses__() for kind in kinds(child))]


@pytest.mark.parametrize("kind", kinds())
def test_every_error_is_one_line(kind: type[CompanionError]) -> None:
    error = kind.__new__(kind, "a blue\n s\x1b[2Jmall")  # some make their message of other arguments
    assert str(error) == "a blue? s?[2Jmall"


def test_the_reasons_of_an_illegal_move_are_one_line() -> None:
    assert str(IllegalMove([Violation("R-1", "No\r\nmove.")])) == "R-1: No??move."


def test_a_size_with_a_line_break_in_a_file_of_rows_is_named_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('[[{"color": "blue", "size": "s\\nall"}]]')
    with pytest.raises(BadFile, match=r"names a blue s\?all\.") as refused:
        _rows(path, "pyramids")
    assert "\n" not in str(refused.value)
