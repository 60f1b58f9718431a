"""The numbered rules for the page: looked up by game, and searched by words.

The written rules name options as the command line does. The page shows the same options as questions, so here a rule
names the question and the answer instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.foundation.errors import WrongUsage
from companion.games import GAMES
from companion.games.rule_pages import Rule, rules_of
from web.facts.options import OptionField, fields
from web.http.answers import NothingThere
from web.language.catalog import CATALOGS

_CODE = re.compile(r"`([a-z]\w*)(?::\s+(\w+))?`")
"""A pattern for an option's field, with or without a value, or for a value alone."""


def with_questions(rule: Rule, options: Sequence[OptionField]) -> Rule:
    """Returns the rule with question and answer in place of an option's field and value."""
    by_name = {option.name: option for option in options}
    translate = CATALOGS[rule.language].translate

    def asked(found: re.Match[str]) -> str:
        name, value = found.groups()
        option = by_name.get(name)
        if option is not None:
            answer = "" if value is None else f" {translate(_label(option, value))}"
            return f"**{translate(option.title)}{answer}**"
        of = next((one for one in options if one.choices is not UNSET and name in one.choices), None)
        return found[0] if of is None else f"**{translate(_label(of, name))}**"

    return replace(rule, text=_CODE.sub(asked, rule.text))


def _label(option: OptionField, value: str) -> str:
    return value if option.labels is UNSET else option.labels.get(value, value)


class Rulebook:
    """All written rules."""

    def __init__(self, rules: Callable[[str, str], Sequence[Rule]] = rules_of) -> None:
        """
        Args:
            rules: Returns the rules of a game by its name and a language; raises WrongUsage if there are none.
        """
        self._rules = rules

    def rules(self, game: str, language: str = "en") -> Sequence[Rule]:
        """Returns the rules of a game in their order; in English if there is no translation.

        Raises:
            NothingThere: The game has no rules here.
        """
        try:
            found = self._rules(game, language)
        except WrongUsage as error:
            raise NothingThere("There are no rules of that name. Go back to the table.") from error
        known = GAMES.get(game)
        return found if known is None else [with_questions(rule, fields(known.Options)) for rule in found]

    def search(self, game: str, query: str, language: str = "en") -> Sequence[Rule]:
        """Returns the rules that contain every word of `query`, in upper or lower case.

        Raises:
            NothingThere: The game has no rules here.
        """
        words = query.lower().split()
        found = []
        for rule in self.rules(game, language):
            text = f"{rule.number} {rule.title} {rule.text}".lower()
            if all(word in text for word in words):
                found.append(rule)
        return found
