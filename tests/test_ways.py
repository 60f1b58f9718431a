"""The pages that walk through the code stay true: each function that they name is in the file that they name."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_NAMES = r"((?:`[A-Za-z_][\w.]*`(?:, (?:and )?)?)+)"
_PLACES = {
    page: [
        (file, name)
        for file, names in re.findall(rf"`([\w./]+\.(?:py|js))` {_NAMES}", (ROOT / "docs" / page).read_text())
        for name in re.findall(r"`([\w.]+)`", names)
    ]
    for page in ("one-frame.md", "one-tap.md")
}


@cache
def names_of(file: str) -> frozenset[str]:
    """Every class, function, method and constant of a module, methods as `Class.method`."""
    found: set[str] = set()
    for node in ast.parse((ROOT / file).read_text()).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
    return frozenset(found)


def is_there(file: str, name: str) -> bool:
    """True if a file defines a name."""
    path = ROOT / file
    if not path.is_file():
        return False
    if file.endswith(".py"):
        return name in names_of(file)
    return re.search(rf"\b(?:class|function) {name}\b", path.read_text()) is not None


@pytest.mark.parametrize("page", _PLACES)
def test_every_function_on_the_way_is_in_its_file(page: str) -> None:
    missing = [place for place in _PLACES[page] if not is_there(*place)]
    assert not missing


@pytest.mark.parametrize("page", _PLACES)
def test_every_file_and_folder_on_the_way_exists(page: str) -> None:
    named = re.findall(r"`((?:vision|web|companion)/[\w./-]+)`", (ROOT / "docs" / page).read_text())
    assert not [name for name in named if not (ROOT / name).exists()]


def test_the_ways_are_not_empty() -> None:
    assert len(_PLACES["one-frame.md"]) > 50 and len(_PLACES["one-tap.md"]) > 20
