"""Parts for a club or for other programs can be taken away: whatever is left of the house needs none of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.test_rooms import MODULES, ROOMS, ROOT, imported, inside

CLUB_ROOMS = {
    "PettingZoo": ("companion.referee.players.aec",),
    "WLED": ("hardware.wled",),
    "MQTT": ("companion.app.services.mqtt",),
    "PostgreSQL": ("companion.referee.journal.database", "companion.referee.journal.delivery"),
    "hub": ("web.hub", "companion.app.commands.hub", "companion.referee.evening"),
}
"""Each part for which a package of its own is needed, or a second machine: its modules and folders."""

WIRED_IN = {
    "companion.app.commands.devices",
    "companion.app.commands.runtime",
    "companion.app.commands.services",
    "companion.referee.journal.opening",
    "companion.referee.session_manager",
    "web.description.openapi",
}
"""Modules that use such a part where it is asked for, and import it only then or for type checking."""

_IMPORTS_AND_PLAYS = """
import importlib, os, sys
assert importlib.import_module('companion').__file__.startswith(os.getcwd())
for name in sys.argv[1:]:
    importlib.import_module(name)
from companion.__main__ import main
sys.argv[1:] = ["demo", "--headless"]
main()
"""


def test_only_their_wiring_imports_them() -> None:
    for rooms in CLUB_ROOMS.values():
        users = {name for name, path in MODULES.items() for target in imported(path) if inside(target, rooms)}
        assert {name for name in users if not inside(name, rooms)} <= {
            *WIRED_IN,
            *(name for other in CLUB_ROOMS.values() for name in MODULES if inside(name, other)),
        }


def test_the_house_stands_without_them(tmp_path: Path) -> None:
    """All other modules are imported, and a recorded game is refereed to its end, where none of these parts is."""
    gone = tuple(room for rooms in CLUB_ROOMS.values() for room in rooms)
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("*.pyc"))
    for name in gone:
        path = tmp_path / name.replace(".", "/")
        shutil.rmtree(path) if path.is_dir() else path.with_suffix(".py").unlink()
    rest = [
        name
        for name in MODULES
        if not inside(name, gone) and ".training" not in name and not name.endswith(("__main__", "sources.child"))
    ]
    run = subprocess.run(
        [sys.executable, "-P", "-c", _IMPORTS_AND_PLAYS, *rest],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    assert "chain and replay agree" in run.stdout
