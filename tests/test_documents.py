"""Documents stay true: what the README links exists, and what it says of commands is what there is."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from companion.__main__ import COMMANDS
from companion.games import GAMES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CHANGES = (ROOT / "CHANGELOG.md").read_text()
PAGES = {
    str(page.relative_to(ROOT / "docs")): page.read_text()
    for page in (ROOT / "docs").rglob("*.md")
    if "rules" not in page.relative_to(ROOT / "docs").parts
}
"""The text of each page of the documents by its path; the rules of the games are apart."""
ACCURACY = PAGES["accuracy.md"]


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


def test_the_accuracy_page_begins_with_held_out_figures_and_each_names_its_command() -> None:
    text = ACCURACY.partition("## Held-out figures")[2].partition("\n## ")[0]
    tables = [table.splitlines() for table in text.split("\n\n") if table.startswith("| domain")]
    assert tables and ACCURACY.index("## Held-out figures") < ACCURACY.index("## Optimistic figures")
    for title, _, *rows in tables:
        assert "left out" in title
        for row in rows:
            assert re.search(r"`(python -m|companion|make) |`--|the same", row.split("|")[-2]), row


def test_every_file_that_a_page_names_exists() -> None:
    named = set(
        re.findall(
            r"`((?:companion|vision|web|hardware|simulation|bench|tests)/[\w/.-]+\.py)`", "".join(PAGES.values())
        )
    )
    assert sorted(name for name in named if "NAME" not in name and not (ROOT / name).exists()) == []


@pytest.mark.parametrize("module", sorted(set(re.findall(r"python -m ([a-z_.0-9]+)", "".join(PAGES.values())))))
def test_every_command_that_a_page_names_exists(module: str) -> None:
    assert importlib.util.find_spec(module) is not None, module


def test_the_figures_of_the_readme_are_those_of_the_accuracy_page() -> None:
    """They are of tables that no training saw, plain and shown empty."""
    rows = re.findall(r"^\| (?:Evenings of Spectra|The same, shown empty).*?(\d+ of \d+)", ACCURACY, re.M)[:2]
    assert f"on tables that no training saw: {rows[0]}" in README
    assert rows == re.findall(r"\d+ of \d+", README.replace(" events", ""))[:2]


def test_documents_are_short() -> None:
    """Pages are read from beginning to end; notebooks are not."""
    assert len(README.splitlines()) <= 120
    assert len(CHANGES.partition("## 0.1.0")[2].partition("\n## ")[0].splitlines()) <= 40
    assert sum(len(text.encode()) for text in PAGES.values()) <= 220 * 1024
    assert sum(len(text.encode()) for name, text in PAGES.items() if name.startswith("research/")) <= 25 * 1024


@pytest.mark.parametrize("name", GAMES)
def test_changed_rules_have_a_line_in_the_changelog(name: str) -> None:
    rules = CHANGES.partition("### Rules")[2]
    game = GAMES[name]
    assert game.rules == 1 or f"- {game.title}, rules version {game.rules}:" in rules


def test_every_module_says_what_it_is_for() -> None:
    for room in ("companion", "vision", "hardware", "firmware_protocol", "web", "tests", "bench"):
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text()
            assert re.match(r'r?"""\s*[^\s"]', text) or not text.strip(), path
