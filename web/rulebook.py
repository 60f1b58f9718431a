"""The numbered rules as data: read once from their Markdown, so that an alert can show the very sentence it rests on.

A rule is a heading or a list entry that begins with its number: `### TRI-9 Touching` with the text below it, or
`- TRI-9 text`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from web.answers import NothingThere

_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_RULE = re.compile(r"(?:\*\*)?([A-Z]{2,4}-\d+[a-z]?)(?:\*\*)?[.:]?\s*(.*)", re.DOTALL)
_GAME = re.compile(r"[a-z0-9-]{1,40}\Z")


class Rule(Struct, frozen=True):
    """One rule."""

    id: str
    """"TRI-9"."""
    section: str
    """Heading that it stands under."""
    title: str
    """Its own heading; empty where it has none."""
    text: str
    """Markdown."""


class Rulebook:
    """All rules in one folder, one `GAME.md` a game."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, tuple[Rule, ...]] = {}

    def rules(self, game: str) -> tuple[Rule, ...]:
        """The rules of a game in their order.

        :raises NothingThere: there are none.
        """
        if game not in self._read:
            if not _GAME.match(game):
                raise NothingThere("There are no rules of that name. Go back to the table.")
            try:
                text = (self._folder / f"{game}.md").read_text(encoding="utf-8")
            except OSError as error:
                raise NothingThere("There are no rules of that name. Go back to the table.") from error
            self._read[game] = tuple(parse(text))
        return self._read[game]

    def search(self, game: str, query: str) -> Sequence[Rule]:
        """The rules that hold every word of `query`, in any case.

        :raises NothingThere: the game has no rules here.
        """
        words = query.lower().split()
        found = []
        for rule in self.rules(game):
            text = f"{rule.id} {rule.section} {rule.title} {rule.text}".lower()
            if all(word in text for word in words):
                found.append(rule)
        return found


def parse(text: str) -> list[Rule]:
    """The rules of one Markdown file."""
    found: list[Rule] = []
    section = ""
    open_rule: tuple[str, str, list[str]] | None = None

    def close() -> None:
        nonlocal open_rule
        if open_rule is not None:
            number, title, lines = open_rule
            found.append(Rule(number, section, title, "\n".join(lines).strip()))
            open_rule = None

    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            close()
            rule = _RULE.match(heading[2])
            if rule:
                open_rule = rule[1], rule[2].strip(" -:."), []
            elif len(heading[1]) > 1:
                section = heading[2].strip()
            continue
        entry = re.match(r"[-*]\s+(.*)", line)
        rule = _RULE.match(entry[1]) if entry else None
        if rule:
            close()
            open_rule = rule[1], "", [rule[2]]
        elif open_rule is not None:
            open_rule[2].append(line.removeprefix("  "))
    close()
    return found
