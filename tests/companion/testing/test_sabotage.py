"""The suite that every game runs fails copies of the tutorial game in which one thing is wrong."""

from __future__ import annotations

import dataclasses
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from companion.core.manifest import Manifest
from companion.testing import GameContract, WorkedGame, cases

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "tic-tac-toe"
SOURCE = (EXAMPLE / "tic_tac_toe" / "game.py").read_text()
sys.path.append(str(EXAMPLE))

from test_tic_tac_toe import TestTicTacToe as Example  # noqa: E402 - it is not installed

Example.__test__ = False  # it runs where the example is installed

SABOTAGES = {
    "no event is proposed": (
        'return msgspec.convert({"type": "place", "seat": COUNTERS.index(piece), "cell": spot}, Place)',
        "return None",
        "test_illegal_moves_on_the_table_are_named",
    ),
    "another seat is named": (
        '"seat": COUNTERS.index(piece), "cell": spot}, Place)',
        '"seat": 1 - COUNTERS.index(piece), "cell": spot}, Place)',
        "test_illegal_moves_on_the_table_are_named",
    ),
    "a rule is cited that there is not": (
        'Violation("TTT-2", f"The cell',
        'Violation("TTT-9", f"The cell',
        "test_cited_rules_are_written_down",
    ),
    "the presenter does not load": (
        "tic_tac_toe.page:TicTacToePresenter",
        "tic_tac_toe.page:TicTacToeLook",
        "test_what_the_page_needs_can_be_loaded",
    ),
    "one cell is never taken": (
        "if self.board[CELLS.index(move.cell)] is not None:",
        'if self.board[CELLS.index(move.cell)] is not None and move.cell != "b2":',
        "test_a_move_is_legal_if_and_only_if_nothing_is_broken",
    ),
    "the loser wins": (
        "((winner,), (1 - winner,))",
        "((1 - winner,), (winner,))",
        "test_a_worked_game_goes_as_a_person_says",
    ),
    "the rows of the mat are mirrored": (
        "PyramidBoard(corners, ROWS)",
        "PyramidBoard(corners, tuple(row[::-1] for row in ROWS))",
        "test_the_mat_shows_the_cells_as_the_page_does",
    ),
    "the corners of the mat are mirrored": (
        "((45, 45), (255, 45), (255, 255), (45, 255))",
        "((255, 45), (45, 45), (45, 255), (255, 255))",
        "test_the_mat_shows_the_cells_as_the_page_does",
    ),
    "pieces have a wrong size": (
        'COUNTERS = (Pyramid("red", "small"), Pyramid("blue", "small"))',
        'COUNTERS = (Pyramid("red", "medium"), Pyramid("blue", "medium"))',
        "test_a_worked_game_goes_as_a_person_says",
    ),
}
"""What is replaced by what, and the test that shall notice it."""


def copy(old: str = "", new: str = "") -> Manifest:
    """The manifest of the tutorial game with one part of its source replaced."""
    assert not old or SOURCE.count(old) == 1, old
    module = ModuleType("tic_tac_toe.game")  # its rules lie beside that module
    sys.modules["sabotaged"] = module
    source = SOURCE.replace(old, new) if old else SOURCE
    exec(compile(source, "sabotaged", "exec"), module.__dict__)
    manifest: Manifest = module.MANIFEST
    return manifest


def failures(manifest: Manifest) -> Iterator[str]:
    """The tests of the tutorial's suite that a copy fails."""
    suite: Any = type("Suite", (Example,), {"manifests": (manifest,)})()
    for name, test in inspect.getmembers(suite, inspect.ismethod):
        if name.startswith("test_"):
            wanted = inspect.signature(test).parameters
            given = {"game": [manifest.game], "manifest": [manifest], "case": list(cases(manifest.game))}
            (values,) = [given[one] for one in wanted]
            try:
                for value in values:
                    test(value)
            except Exception:
                yield name


def test_the_tutorial_game_passes() -> None:
    assert list(failures(copy())) == []


@pytest.mark.parametrize("name", SABOTAGES)
def test_a_sabotaged_copy_fails(name: str) -> None:
    old, new, noticed = SABOTAGES[name]
    assert noticed in list(failures(copy(old, new)))


def test_a_game_without_a_worked_game_fails() -> None:
    suite = type("Suite", (GameContract,), {"manifests": (copy(),)})()
    with pytest.raises(AssertionError, match="give a WorkedGame"):
        suite.test_a_worked_game_goes_as_a_person_says(suite.manifests[0])


def test_a_worked_game_is_played_to_its_end_by_legal_moves() -> None:
    manifest = copy()
    for lines, said in ((("player 1 takes a1",), "to its end"), (("player 2 takes a1",), "TTT-2")):
        worked = (WorkedGame("tic-tac-toe", lines, places=((0, 1),)),)
        suite = type("Suite", (GameContract,), {"manifests": (manifest,), "worked": worked})()
        with pytest.raises(AssertionError, match=said):
            suite.test_a_worked_game_goes_as_a_person_says(manifest)


WITHOUT_PYTEST = """
import sys
sys.modules["pytest"] = None
import companion.testing
from companion.games import GAMES
(case, *_) = companion.testing.cases(GAMES["spectra"])
assert companion.testing.played(case).steps
try:
    companion.testing.GameContract
except ImportError as error:
    print(error)
"""


def test_it_is_imported_without_pytest() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_PYTEST], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == 'GameContract needs pytest: pip install "tabletop-companion[testing]".\n'


def test_texts_of_another_language_come_with_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.games import MANIFESTS, rule_pages
    from web.language.catalog import read_catalogs

    german, french, spoiled = (tmp_path / name for name in ("de.po", "fr.po", "xx.po"))
    german.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgid "The cell {c} is taken."\nmsgstr "Das Feld {c} ist besetzt."\n\nmsgid "red"\nmsgstr "rosig"\n'
    )
    french.write_text('msgid "The cell {c} is taken."\nmsgstr "La case {c} est prise."\n')
    spoiled.write_bytes(b"\xff\xfe msgid")
    rules = tmp_path / "rules.md"
    rules.write_text(
        "# Drei gewinnt\n\n## TTT-1 Brett\nNeun Felder.\n\n## TTT-2 Zug\nEin Feld.\n\n## TTT-3 Ende\nDrei.\n"
    )
    manifest = dataclasses.replace(
        copy(), texts={"de": german, "fr": french, "xx": spoiled}, translated_rules={"de": rules}
    )
    found = read_catalogs([manifest])
    assert set(found) == {"en", "de", "fr"}
    assert found["de"].translate("The cell b2 is taken.") == "Das Feld b2 ist besetzt."
    assert found["fr"].translate("The cell b2 is taken.") == "La case b2 est prise."
    assert found["de"].translate("red") == "rot", "the page's own translation comes first"
    monkeypatch.setitem(MANIFESTS, "tic-tac-toe", manifest)
    assert [rule.title for rule in rule_pages.rules_of("tic-tac-toe", "de")] == ["Brett", "Zug", "Ende"]
    assert [rule.language for rule in rule_pages.rules_of("tic-tac-toe", "fr")] == ["en"] * 3
    rule_pages.rules_of.cache_clear(), rule_pages.rules_on.cache_clear()
    fitting = dataclasses.replace(manifest, texts={"de": german})
    suite = type("Suite", (Example,), {"manifests": (fitting,)})()
    suite.test_texts_of_other_languages_can_be_read(fitting)
    rules.write_text("# Drei gewinnt\n\n## TTT-1 Brett\nNeun Felder.\n")
    with pytest.raises(AssertionError):
        suite.test_texts_of_other_languages_can_be_read(fitting)
