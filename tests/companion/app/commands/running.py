"""Runs the command line as a person does."""

from __future__ import annotations

import pytest

from companion.__main__ import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, output and errors of the command line with these words."""
    with pytest.raises(SystemExit) as left:
        main([*arguments])
    out, err = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, out, err
