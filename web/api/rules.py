"""The numbered rules, to look up and to search."""

from __future__ import annotations

from flask import Blueprint, Response

from web.http.answers import NothingThere, json_answer, word
from web.pages.rulebook import Rulebook


def routes(book: Rulebook) -> Blueprint:
    """Returns the routes below `/api/rules`."""
    blueprint = Blueprint("rules", __name__, url_prefix="/api/rules")

    @blueprint.get("/<game>")
    def rules(game: str) -> Response:
        """Returns the rules of a game; `?q=` keeps those that contain every word."""
        found = book.search(game, word("q"))
        return json_answer(
            {"game": game, "rules": [{"rule": rule.number, "title": rule.title, "text": rule.text} for rule in found]}
        )

    @blueprint.get("/<game>/<rule>")
    def rule(game: str, rule: str) -> Response:
        """Returns one rule by its number."""
        for found in book.rules(game):
            if found.number == rule.upper():
                return json_answer({"rule": found.number, "title": found.title, "text": found.text})
        raise NothingThere("There is no such rule. The rules page lists them all.")

    return blueprint
