"""The house rule: which room may look into which, and no circles at any level."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "vision", "hardware", "firmware_protocol", "web")

ROOF = ("companion.app", "companion.api", "companion.__main__")
"""What wires the rooms together, and the door for other packages: no room imports them."""

ALLOWED = {
    "companion.core": ("companion.core",),
    "companion.games": ("companion.games", "companion.core"),
    "companion.referee": ("companion.referee", "companion.games", "companion.core"),
    "companion.testing": ("companion.testing", "companion.referee", "companion.games", "companion.core"),
    "companion.app": ("companion", "vision", "hardware", "firmware_protocol", "web"),
    "companion.api": ("companion.api", "companion.core", "vision", "web"),
    "companion.__main__": ("companion",),
    "companion": (),
    "vision": ("vision", "companion.core"),
    "firmware_protocol": ("firmware_protocol",),
    "hardware": ("hardware", "firmware_protocol", "companion.core"),
    "web": ("web", "companion"),
}
"""Room: what its modules may import from this project. `docs/architecture.md` holds the same table."""


def module_name(path: Path) -> str:
    """Dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources() -> list[Path]:
    """Every Python file of the five packages."""
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


MODULES = {module_name(path): path for path in sources()}


@cache
def parsed(path: Path) -> ast.Module:
    """The tree of a file."""
    return ast.parse(path.read_text())


_NAME = r"\w+(?:\.\w+)*"
_IMPORT = re.compile(
    rf"^[ \t]*(from {_NAME} import (?:\([^)]*\)|[^\n]+)|import {_NAME}(?: as \w+)?[ \t]*(?:#[^\n]*)?$)", re.MULTILINE
)


@cache
def import_statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Every import of a file, those within functions and for type checking included; only these lines are parsed."""
    found = []
    for lines in _IMPORT.findall(path.read_text()):
        (statement,) = ast.parse(lines).body
        assert isinstance(statement, ast.Import | ast.ImportFrom)
        found.append(statement)
    return tuple(found)


@cache
def imported(path: Path) -> frozenset[str]:
    """Modules of this project that a file imports."""
    found: set[str] = set()
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            assert node.level == 0, f"{path}: relative import"
            names = [
                full if (full := f"{node.module}.{alias.name}") in MODULES else str(node.module) for alias in node.names
            ]
        found |= {name for name in names if name.split(".")[0] in ROOMS}
    return frozenset(found)


def inside(name: str, roots: tuple[str, ...]) -> bool:
    """True if a module is one of `roots` or lies under one."""
    return any(name == root or name.startswith(root + ".") for root in roots)


@pytest.mark.parametrize("room", ["bench", "simulation"])
def test_nothing_but_tests_imports_tests(room: str) -> None:
    """Benches and tests share what stands in for the world: it lies in `simulation` and looks into neither."""
    for path in sorted((ROOT / room).rglob("*.py")):
        names = {
            str(name).split(".")[0]
            for node in import_statements(path)
            for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
        }
        assert not names & ({"tests"} if room == "bench" else {"tests", "bench"}), path


def room_of(name: str) -> str:
    """The room that a module belongs to."""
    return max((room for room in ALLOWED if inside(name, (room,))), key=len)


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_looks_only_where_it_may(room: str) -> None:
    for name, path in MODULES.items():
        if room_of(name) != room:
            continue
        for target in imported(path):
            assert target == "companion" or inside(target, ALLOWED[room]), f"{name} imports {target}"
            assert inside(name, ROOF) or not inside(target, ROOF), f"{name} imports the roof ({target})"


def folders() -> list[str]:
    """Every folder of the house that holds modules, "" for the whole house."""
    return sorted({name.rpartition(".")[0] for name in MODULES})


def inhabitant(name: str, folder: str) -> str:
    """The file or folder directly in `folder` that a module belongs to; of the house, the roof is one more."""
    if not folder and inside(name, ROOF):
        return "the roof"
    parts = name.split(".")
    depth = len(folder.split(".")) if folder else 0
    return ".".join(parts[: depth + 1])


@pytest.mark.parametrize("folder", folders())
def test_no_circles_among_the_inhabitants_of(folder: str) -> None:
    edges: dict[str, set[str]] = {}
    for name, path in MODULES.items():
        if not inside(name, (folder,)) and folder:
            continue
        here = inhabitant(name, folder)
        there = {inhabitant(target, folder) for target in imported(path)}
        edges.setdefault(here, set()).update(other for other in there if other not in (here, folder))
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail[trail.index(name) :], name])
        if name not in done:
            for target in sorted(edges.get(name, ())):
                visit(target, (*trail, name))
            done.add(name)

    for name in edges:
        visit(name, ())


def test_the_wheel_holds_exactly_the_five_rooms() -> None:
    import tomllib

    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert sorted(wheel["packages"]) == sorted(ROOMS)
