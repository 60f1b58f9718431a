"""What was generated is what the table says now."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_protocol import table
from firmware_protocol.generate import generated_files

TEXTS = generated_files.texts(table.load())


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_a_generated_file_is_up_to_date(path: Path) -> None:
    text = TEXTS[path]
    if path.suffix == ".py" and shutil.which("ruff", path=str(Path(sys.executable).parent)):
        done = subprocess.run(
            [Path(sys.executable).parent / "ruff", "format", "--line-length", "120", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == text, "the generator writes what the formatter leaves alone"
    assert path.read_text() == text, "run `python -m firmware_protocol.generate`"


def test_the_table_in_the_specification_names_every_message() -> None:
    spec = next(text for path, text in TEXTS.items() if path.name == "SPEC.md")
    for message in table.load().message:
        assert f"| {message.id:02X} | {message.name} |" in spec
