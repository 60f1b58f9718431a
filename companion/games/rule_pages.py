"""Reads the numbered rules, which `companion rules` prints and the page quotes.

The rules are written in docs/rules, one file for each game, or more if variants have rule numbers of their own. Each
rule is a heading that begins with its number. Subfolders with the tag of a language hold translations. An installed
wheel carries a copy of that folder beside this package; a checkout reads the original. A game of another package brings
its own page.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from msgspec import Struct

from companion.core.foundation.errors import WrongUsage
from companion.games import MANIFESTS

_HEADING = re.compile(r"^## (?P<number>(?:[A-Z]{2,4}|500)-\d+) (?P<title>.+)$", re.MULTILINE)
_NAME = re.compile(r"[a-z0-9-]+")


class Rule(Struct, frozen=True):
    """One numbered rule."""

    number: str
    """The number that breaches name: "TRI-11"."""
    title: str
    text: str
    """The text in Markdown, without the heading."""
    language: str = "en"
    """The language of the page."""


def rules_folder() -> Traversable:
    """Returns the folder with one `<game>.md` a game."""
    installed = files("companion") / "rules_text"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "docs" / "rules"


@cache
def rules_of(game: str, language: str = "en") -> tuple[Rule, ...]:
    """Returns all rules of a game in order, followed by the rules of its further pages.

    Args:
        language: A tag such as "de"; a page that is not written in it is given in English, the original.

    Raises:
        WrongUsage: No rules of that name are written down.
    """
    return tuple(rule for page in pages_of(game) for rule in rules_on(page, language))


def pages_of(game: str) -> tuple[str, ...]:
    """Returns the names of the pages with a game's rules, its own first; a page need not exist."""
    return (game, *(MANIFESTS[game].more_rules if game in MANIFESTS else ()))


@cache
def rules_on(page: str, language: str = "en") -> tuple[Rule, ...]:
    """Returns the rules of one page, in their order.

    Args:
        language: As for `rules_of`.

    Raises:
        WrongUsage: There is no page of that name.
    """
    brought = MANIFESTS[page].rules if page in MANIFESTS else None
    path = rules_folder() / f"{page}.md" if brought is None else brought
    if not _NAME.fullmatch(page) or not path.is_file():
        foreign = [name for name, one in MANIFESTS.items() if one.rules is not None]
        known = ", ".join(
            sorted([*foreign, *(one.name.removesuffix(".md") for one in rules_folder().iterdir() if one.is_file())])
        )
        raise WrongUsage(f'There are no rules of a game "{page}". There are those of {known}.')
    translated = rules_folder() / language / f"{page}.md"
    if brought is not None:
        translated = MANIFESTS[page].translated_rules.get(language, path)
    if translated != path and translated.is_file():
        return read(translated.read_text(encoding="utf-8"), language)
    return read(path.read_text(encoding="utf-8"))


def rule_of(game: str, number: str) -> Rule:
    """Returns the rule with a number; upper and lower case are equal.

    Raises:
        WrongUsage: The game has no rule of that number.
    """
    for rule in rules_of(game):
        if rule.number == number.strip().upper():
            return rule
    spans = [f"{rules[0].number} to {rules[-1].number}" for page in pages_of(game) if (rules := rules_on(page))]
    raise WrongUsage(f'{game} has no rule "{number}". Its rules are {" and ".join(spans) or "none"}.')


def read(page: str, language: str = "en") -> tuple[Rule, ...]:
    """The rules on a page.

    >>> read("## TRI-8 First tile\\nIt goes on a plain cell.\\n")
    (Rule(number='TRI-8', title='First tile', text='It goes on a plain cell.', language='en'),)
    """
    headings = list(_HEADING.finditer(page))
    ends = [heading.start() for heading in headings[1:]] + [len(page)]
    return tuple(
        Rule(heading["number"], heading["title"].strip(), page[heading.end() : end].strip(), language)
        for heading, end in zip(headings, ends, strict=True)
    )
