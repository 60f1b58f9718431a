"""The numbered rules as text: what `companion rules` prints and the page quotes.

They are written in docs/rules, one file a game, and every rule is a heading that begins with its number. An installed
wheel carries a copy of that folder beside this package; a checkout reads the original.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from msgspec import Struct

from companion.errors import WrongUsage

_HEADING = re.compile(r"^## (?P<number>[A-Z]{2,4}-\d+) (?P<title>.+)$", re.MULTILINE)
_NAME = re.compile(r"[a-z0-9-]+")


class Rule(Struct, frozen=True):
    """One numbered rule."""

    number: str
    """The number that breaches name: "TRI-11"."""
    title: str
    text: str
    """Markdown, without the heading."""


def rules_folder() -> Traversable:
    """The folder with one `<game>.md` a game."""
    installed = files("companion") / "rules_text"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "docs" / "rules"


@cache
def rules_of(game: str) -> tuple[Rule, ...]:
    """All rules of a game, in their order.

    :raises WrongUsage: no rules of that name are written down.
    """
    page = rules_folder() / f"{game}.md"
    if not _NAME.fullmatch(game) or not page.is_file():
        known = ", ".join(sorted(one.name.removesuffix(".md") for one in rules_folder().iterdir()))
        raise WrongUsage(f'There are no rules of a game "{game}". There are those of {known}.')
    return read(page.read_text(encoding="utf-8"))


def rule_of(game: str, number: str) -> Rule:
    """One rule, by its number in any case.

    :raises WrongUsage: the game has no rule of that number.
    """
    for rule in rules_of(game):
        if rule.number == number.strip().upper():
            return rule
    rules = rules_of(game)
    span = f"{rules[0].number} to {rules[-1].number}" if rules else "none"
    raise WrongUsage(f'{game} has no rule "{number}". Its rules are {span}.')


def read(page: str) -> tuple[Rule, ...]:
    """The rules on a page.

    >>> read("## TRI-8 First tile\\nIt goes on a plain cell.\\n")
    (Rule(number='TRI-8', title='First tile', text='It goes on a plain cell.'),)
    """
    headings = list(_HEADING.finditer(page))
    ends = [heading.start() for heading in headings[1:]] + [len(page)]
    return tuple(
        Rule(heading["number"], heading["title"].strip(), page[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=True)
    )
