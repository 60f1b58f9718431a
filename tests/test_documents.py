"""Documents stay true: what the README links exists, and what it says of commands is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.__main__ import COMMANDS
from companion.games import GAMES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("link", re.findall(r"\]\((?!https?:)([^)#]+)\)", README))
def test_what_the_readme_links_is_there(link: str) -> None:
    assert (ROOT / link).exists(), link


def test_the_readme_lists_every_command() -> None:
    listed = set(re.findall(r"`companion ([a-z]+)`", README))
    assert listed == set(COMMANDS)


def test_the_status_table_names_every_game_that_can_be_refereed() -> None:
    rows = [line for line in README.splitlines() if line.startswith("|") and "complete" in line]
    for game in GAMES.values():
        assert any(game.title in row for row in rows), game.title


@pytest.mark.parametrize("reader", ["dice", "pawns", "pyramids"])
def test_the_first_figure_of_what_is_learned_is_held_out(reader: str) -> None:
    rows = [
        line for line in (ROOT / "docs" / f"accuracy-{reader}.md").read_text().splitlines() if line.startswith("| ")
    ]
    title, _, first, *_ = rows
    assert re.search(r"held out|other tables only|never saw", first), f"{title}\n{first}"


def test_the_first_figures_of_the_readme_are_of_tables_that_no_training_saw() -> None:
    """They are those of docs/matching.md, without and with calibration."""
    first = next(line for line in README.splitlines() if re.search(r"\d+ of \d+ ", line))
    assert "on tables that no training saw" in first
    held_out = (ROOT / "docs" / "matching.md").read_text().partition("on tables that no training saw")[2]
    row = next(line for line in held_out.splitlines() if line.startswith("| all |"))
    assert re.findall(r"\d+ of \d+", first) == re.findall(r"\d+ of \d+", row)


def test_every_module_says_what_it_is_for() -> None:
    import ast

    for room in ("companion", "vision", "hardware", "firmware_protocol", "web", "tests", "bench"):
        for path in (ROOT / room).rglob("*.py"):
            if path.read_text().strip():
                assert ast.get_docstring(ast.parse(path.read_text())), path
