"""Names of the code never reach people: no sentence holds an option's field, a spot's key or an event's type."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from msgspec import UNSET

from companion.core.foundation.errors import IllegalMove, MoveError
from companion.games import GAMES
from companion.referee.journal.record import load_record, opening
from web.boards import PRESENTERS
from web.facts.options import fields
from web.language.catalog import CATALOGS

CODE = re.compile(r"\b[a-z]+_[a-z_]+\b|\bseat\d+\b|\bseat\d*\.[a-z]+")
"""A field of the code, or a spot's key."""
STRANGE = re.compile(
    r"\b(?:tell|told) (?:the|this|that|these|it|on|by hand|all)\b|\bto move$|\bto be told\b|\bis told\b(?! from)|\bthe table may\b|"
    r"\b(?:il)?legal\b|\bforbidden\b|\bin one browser\b|\ball the same\b|\bWhole record\b|\bthe own (?:cards|trees|phone)\b|\bhand-?ed: c?cw\b",
    re.IGNORECASE,
)
"""Words that the glossary keeps off the page."""
RECORDED = Path(__file__).parents[1] / "data" / "last_version"
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


def test_no_sentence_of_a_catalog_holds_a_word_that_the_glossary_forbids() -> None:
    with CATALOG.open("rb") as file:
        found = {str(message.id) for message in read_po(file) if message.id and STRANGE.search(str(message.id))}
    assert found == set()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_option_is_called_by_a_question(game: str) -> None:
    assert [one.title for one in fields(GAMES[game].Options) if not one.title.endswith("?")] == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_answer_to_an_option_is_one_that_people_give(game: str) -> None:
    """Values of the code are words for the command line; the page shows answers, or numbers."""
    translate = CATALOGS["de"].translate
    for one in fields(GAMES[game].Options):
        for value in () if one.choices is UNSET else one.choices:
            if isinstance(value, int):
                continue
            assert one.labels is not UNSET and value in one.labels, (one.name, value)
            assert translate(one.labels[value]) != one.labels[value]


def test_what_english_enters_german_enters_too() -> None:
    """One verb for one thing: moves, rolls and cards are entered, and nobody says them to a page."""
    with CATALOG.open("rb") as file:
        catalog = read_po(file)
    enters = re.compile(r"\benter(?:s|ed)?\b(?!.*\bsay\b)", re.IGNORECASE)
    says = re.compile(r"\b(?:sage?|sagt|sagen|gesagt)\b", re.IGNORECASE)
    pairs = {str(one.id): str(one.string) for one in catalog if one.id}
    assert {text: german for text, german in pairs.items() if enters.search(text) and says.search(german)} == {}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_verdict_of_a_recorded_game_holds_a_name_of_the_code(game: str) -> None:
    """Each event of a recorded game is also tried at each other position, where the rules forbid most of them."""
    known, record = GAMES[game], load_record(RECORDED / f"{game}.record.json")
    states, events = [opening(known, record)], []
    for text in record.events:
        event = known.parse(states[-1], text) if isinstance(text, str) else known.event(text)
        events.append(event)
        states.append(states[-1].apply(event))
    said = {PRESENTERS[game].sentence(event) for event in events} | {known.text(event) for event in events}
    verdicts = set()
    for state in states:
        for event in events:
            try:
                state.apply(event)
            except IllegalMove as refused:
                verdicts |= {breach.text for breach in refused.breaches}
            except MoveError as refused:
                verdicts.add(str(refused))
    assert verdicts
    assert {text: names for text in said | verdicts if (names := code_names(text))} == {}
