"""Rules read from their Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from web.answers import NothingThere
from web.app import RULES_FOLDER
from web.rulebook import Rulebook, parse


def test_rules_as_headings() -> None:
    (one, two) = parse("# Game\nAbout.\n## Start\n### TRI-1 Tiles\nText.\n\nMore.\n### TRI-2 Values.\nSum.")
    assert (one.id, one.section, one.title, one.text) == ("TRI-1", "Start", "Tiles", "Text.\n\nMore.")
    assert two.title == "Values"


def test_rules_as_list_entries() -> None:
    (one, two) = parse("## Start\n- TRI-1 Tiles\n  and more.\n- **TRI-2** Values.\n")
    assert (one.id, one.text) == ("TRI-1", "Tiles\nand more.")
    assert (two.id, two.text, two.section) == ("TRI-2", "Values.", "Start")


@pytest.mark.parametrize("game", ["", "..", "../secret", "a/b", "A", "x" * 50, "nul\x00"])
def test_only_plain_names_are_looked_up(tmp_path: Path, game: str) -> None:
    (tmp_path / "secret.md").write_text("## TRI-1 x")
    (tmp_path / "rules").mkdir()
    with pytest.raises(NothingThere):
        Rulebook(tmp_path / "rules").rules(game)


@pytest.mark.parametrize("path", sorted(RULES_FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_the_project_s_own_rules_can_be_read(path: Path) -> None:
    rules = Rulebook(RULES_FOLDER).rules(path.stem)
    assert rules
    numbers = [rule.id for rule in rules]
    assert len(set(numbers)) == len(numbers)
    assert all(rule.text for rule in rules)
