"""Rules in other languages say the same as the original: each rule, its numbers, its options, its rulings."""

from __future__ import annotations

import re

import pytest

from companion.games.rule_pages import rules_folder, rules_of, rules_on

PAGES = sorted(
    (folder.name, page.name.removesuffix(".md"))
    for folder in rules_folder().iterdir()
    if folder.is_dir()
    for page in folder.iterdir()
)
_RULINGS = {"en": "*ruling:*", "de": "*auslegung:*"}


def facts(text: str) -> tuple[list[str], list[str]]:
    """The numbers and the names of options in a text, sorted."""
    words = " ".join(text.split())
    return sorted(re.findall(r"\d+", words)), sorted(re.findall(r"`[^`]+`", words))


@pytest.mark.parametrize(("language", "page"), PAGES)
def test_a_translated_page_says_the_same(language: str, page: str) -> None:
    original, translated = rules_on(page), rules_on(page, language)
    assert [rule.number for rule in translated] == [rule.number for rule in original]
    for before, after in zip(original, translated, strict=True):
        assert after.language == language and after.text != before.text
        assert facts(after.text) == facts(before.text), after.number
        assert after.text.lower().count(_RULINGS[language]) == before.text.lower().count(_RULINGS["en"]), after.number
        assert after.text.count("\n| ") == before.text.count("\n| "), after.number


def test_a_page_that_nobody_has_translated_is_given_in_english() -> None:
    assert {rule.language for rule in rules_of("casino", "tlh")} == {"en"}
