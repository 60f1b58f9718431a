"""The numbered rules for the page: looked up by game, and searched by words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.core.foundation.errors import WrongUsage
from companion.games.rule_pages import Rule, rules_of
from web.http.answers import NothingThere


class Rulebook:
    """All rules that are written down."""

    def __init__(self, rules: Callable[[str, str], Sequence[Rule]] = rules_of) -> None:
        """
        Args:
            rules: The rules of a game by its name and a language; raises WrongUsage where there are none.
        """
        self._rules = rules

    def rules(self, game: str, language: str = "en") -> Sequence[Rule]:
        """The rules of a game in their order; in English if there is no translation.

        Raises:
            NothingThere: There are none.
        """
        try:
            return self._rules(game, language)
        except WrongUsage as error:
            raise NothingThere("There are no rules of that name. Go back to the table.") from error

    def search(self, game: str, query: str, language: str = "en") -> Sequence[Rule]:
        """The rules that hold every word of `query`, in any case.

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
