"""Names of the code never reach people: no sentence holds an option's field, a spot's key or an event's type."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.games import GAMES
from web.facts.options import fields

CODE = re.compile(r"\b[a-z]+_[a-z_]+\b|\bseat\d+\b|\bseat\d*\.[a-z]+")
"""A field of the code, or a spot's key."""
CATALOG = Path(__file__).parents[2] / "web" / "language" / "de.po"


def code_names(text: str) -> list[str]:
    """Names of the code in a sentence; what stands in braces is put in later."""
    return CODE.findall(re.sub(r"\{[^}]*\}", "", text))


def test_no_sentence_of_a_catalog_holds_a_name_of_the_code() -> None:
    with CATALOG.open("rb") as file:
        catalog = read_po(file)
    found = {
        str(text): names
        for message in catalog
        for text in (message.id, message.string)
        if (names := code_names(str(text))) and message.id
    }
    assert found == {}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_option_is_called_by_a_name_of_the_code(game: str) -> None:
    texts = [f"{one.title}. {one.sentence}" for one in fields(GAMES[game].Options)]
    assert {text: names for text in texts if (names := code_names(text))} == {}
