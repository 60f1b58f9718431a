"""The example of docs/adding-a-game.md: found by its entry point, it is refereed, shown, played and seen by a camera."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from random import Random

import pytest

from companion.core.contract import Over
from companion.core.pieces import Pyramid
from companion.core.plan import PyramidBoard
from companion.core.verdict import Accepted, Refused
from companion.referee.matching import match
from companion.referee.players import Searching
from companion.referee.players.player import mover
from simulation.drawn.scene import random_scene
from simulation.drawn.standing import Upright
from vision.table_reader import TableReader

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "tic-tac-toe"
FILES = sorted(path for path in EXAMPLE.rglob("*") if path.suffix in (".py", ".toml", ".md"))
sys.path.append(str(EXAMPLE))

from tic_tac_toe.game import CELLS, COUNTERS, ROWS, TIC_TAC_TOE, Place, State, plan  # noqa: E402 - it is not installed

PAGE = """
from pathlib import Path
import sys
from companion.referee.session_manager import SessionManager
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from tests.web.conftest import Browser
from web.admission.access import Access
from web.app import create_app

access = Access()
app = create_app(SessionManager(Journal.open(Path(sys.argv[1])), GAMES, PLANS["tic-tac-toe"](2)), access=access)
phone = Browser(app, access.token("table"))
assert phone.post("/api/games", {"game": "tic-tac-toe", "names": ["Ada", "Bo"]}).status_code == 201
move = {"event": {"type": "place", "seat": 0, "cell": "b2"}, "expected": 0}
assert phone.post("/api/table/play", move).status_code == 200
print(phone.get("/").text)
print([breach["text"] for breach in phone.get("/api/table/why?spot=b2").json["breaches"]])
assert phone.get("/api/table/correction?spot=b2&piece=B1&how=position").status_code == 200
"""
"""What a phone does with the game; run where the example is installed."""


def environment(folder: Path) -> dict[str, str]:
    """The example as `pip install` leaves it: the package on the path, its entry points beside it."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    about = folder / "companion_tic_tac_toe-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(EXAMPLE), str(ROOT)))}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of programs that find the example."""
    return environment(tmp_path_factory.mktemp("site"))


def run(arguments: list[str], env: dict[str, str]) -> str:
    """What a program says, if all went well."""
    done = subprocess.run([sys.executable, *arguments], env=env, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_as_small_as_the_document_says() -> None:
    assert len(FILES) <= 5
    assert sum(len(path.read_text().splitlines()) for path in FILES) <= 280


def test_the_blocks_of_the_document_are_the_files() -> None:
    document = (ROOT / "docs" / "adding-a-game.md").read_text()
    blocks: dict[str, list[str]] = {}
    for name, text in re.findall(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", document, re.MULTILINE | re.DOTALL):
        blocks.setdefault(name, []).append(text)
    assert set(blocks) == {str(path.relative_to(EXAMPLE)) for path in FILES}
    for name, parts in blocks.items():
        told = [line for part in parts for line in part.splitlines() if line]
        assert told == [line for line in (EXAMPLE / name).read_text().splitlines() if line], name
    steps = re.findall(r"^## (\d)\. ", document, re.MULTILINE)
    assert steps == [str(number) for number in range(1, 10)]


def test_the_entry_point_makes_it_a_game_like_any_other(installed: dict[str, str]) -> None:
    listed = [json.loads(line) for line in run(["-m", "companion", "games", "--json"], installed).splitlines()]
    assert [game["title"] for game in listed if game["name"] == "tic-tac-toe"] == ["Tic-tac-toe"]
    assert "pyramid of their own on an empty cell" in run(
        ["-m", "companion", "rules", "tic-tac-toe", "TTT-2"], installed
    )


def test_the_page_shows_and_plays_it(installed: dict[str, str], tmp_path: Path) -> None:
    said = run(["-c", PAGE, str(tmp_path / "journal.sqlite")], installed)
    assert "b2, red small, last move" in said
    assert "The cell b2 is taken." in said


def test_it_passes_the_suite_that_every_game_passes(installed: dict[str, str]) -> None:
    said = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(EXAMPLE)], installed)
    assert re.search(r"\b(1\d|2\d) passed", said), said


def test_the_machine_never_loses_to_chance() -> None:
    random, machine = Random(1), Searching(0.02)
    for _ in range(2):
        state = State()
        while not isinstance(state.expects(), Over):
            seat = mover(state, random)
            move = machine.choose(TIC_TAC_TOE, state, 0, random) if seat == 0 else random.choice(state.legal_moves())
            state = state.apply(move)
        outcome = state.outcome()
        assert outcome is not None and 0 in outcome.places[0]


def standing(state: State) -> list[Upright]:
    """The counters of a position on the printed mat, put down as people do."""
    (board,) = plan(2).zones
    assert isinstance(board, PyramidBoard)
    (x0, y0), (x1, _), *_ = board.outline_mm
    side = (x1 - x0) / 3
    found = []
    for number, owner in enumerate(state.board):
        if owner is not None:
            x, y = x0 + (number % 3 + 0.5) * side + 6, y0 + (number // 3 + 0.5) * side - 5
            found.append(Upright((COUNTERS[owner],), x, y, 20 + 7 * number))
    return found


def test_a_camera_sees_a_move_and_names_a_broken_rule() -> None:
    before = State().apply(Place(0, "b2")).apply(Place(1, "a3"))
    scene = random_scene(Random(1), plan(2).mat, tilt_deg=8, things=0)
    reader = TableReader(plan(2))
    for move, verdict in ((Place(0, "c1"), Accepted), (Place(1, "c1"), Refused)):
        after = before.apply_unchecked(move)
        seen = reader.read(scene.picture(standing(after))).layout
        assert {spot for spot, one in seen.cells.items() if one.piece is not None} == {"a3", "b2", "c1"}
        found = match(TIC_TAC_TOE, before, seen)
        assert isinstance(found, verdict), found
        if isinstance(found, Accepted):
            assert found.events == (move,)
        if isinstance(found, Refused):
            assert found.event == move and found.breaches[0].rule == "TTT-2"
    assert Pyramid("red", "small") in COUNTERS and len(CELLS) == 9 == sum(map(len, ROWS))
