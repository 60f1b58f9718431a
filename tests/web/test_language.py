"""The catalogs: what they hold is whole, and texts are found with parameters, in parts, and as the browser finds them."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from companion.app.demos import demo_names, load_demo
from companion.core.contract import Over, ToMove
from companion.games import GAMES
from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from web.app import create_app
from web.http.settings import WebSettings
from web.language.catalog import CATALOGS, Catalog

GERMAN = CATALOGS["de"]


def test_both_sides_of_a_message_have_the_same_parameters() -> None:
    for text, translated in GERMAN.messages.items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", translated)), text


@pytest.mark.parametrize(
    ("text", "translated"),
    [
        ("Undo", "Zurücknehmen"),
        ("Ada's turn", "Ada ist am Zug"),
        ("Ada lays red on all edges, value 6, on c7.", "Ada legt rot an allen Kanten, Wert 6, auf c7."),
        ("c12, points down, empty", "c12, Spitze unten, leer"),
        ("Ada now has a device for their own cards.", "Ada sieht die eigenen Karten ab jetzt auf einem Gerät."),
        ("enters on 8", "kommt ins Spiel auf 8"),
        ("3 damage (RGB-18): 3 becomes 0 health.", "3 Schaden (RGB-18): aus 3 Leben wird 0."),
        ("2 · Ada: completed ◀ plays now", "2 · Ada: vollendet ◀ am Zug"),
        ("Ada: three of a kind", "Ada: Drilling"),
        ("Set 2, in play", "Satz 2, wird gespielt"),
        ("Ada draws a card.", "Ada zieht eine Karte."),
        ("Ada plays pass hand left.", "Ada spielt „Hand nach links“."),
        ("Put 1 card in the crib", "1 Karte weglegen"),
        ("Ada places blue large on purple large.", "Ada setzt blau groß auf violett groß."),
        ("– done or lost", "– gespielt oder verfallen"),
        ("Not allowed. Ada's turn", "Nicht erlaubt. Ada ist am Zug"),
        ("Nobody has written this down.", "Nobody has written this down."),
        ("", ""),
    ],
)  # fmt: skip
def test_a_text_in_german(text: str, translated: str) -> None:
    assert GERMAN.translate(text) == translated


def test_a_parameter_of_one_letter_is_one_word() -> None:
    catalog = Catalog("de", {"row {r}": "Reihe {r}", "{who} wins": "{who} gewinnt"})
    assert catalog.translate("row 3") == "Reihe 3" and catalog.translate("row of three") == "row of three"
    assert catalog.translate("Ada Lovelace wins") == "Ada Lovelace gewinnt"


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert GERMAN.number(-1234.5) == "\u22121234,5" and CATALOGS["en"].number(-3) == "\u22123"
    assert GERMAN.number(90, 1) == "90,0" and GERMAN.number(None) == "–"


PEOPLE = ("Ada", "Ben", "Cyd", "Dan")
BARE = Catalog("de", {text: " ".join(re.findall(r"\{[a-z]\w*\}", text)) or "#" for text in GERMAN.messages})
"""Nothing of a translation but its parameters: what has letters was not translated, as a whole or in a parameter."""
LANGUAGELESS = re.compile(
    r"\b(?:Ada|Ben|Cyd|Dan|and|seat\d\S*|pile\d+|spectra|(?:red|orange|yellow|green|blue|purple)(?:-\w+)?\.\d+)\b|Card\(.*?\)"
)
"""Names, and what games call their places."""


def english(text: str) -> str:
    """What of a sentence of the rules is not in German."""
    left = LANGUAGELESS.sub(" ", BARE.with_names(text, PEOPLE))
    return text if re.search(r"[a-z]{3}", left) else ""


@pytest.mark.parametrize("name", GAMES)
def test_every_refusal_and_score_of_a_game_is_in_german(name: str) -> None:
    """Moves of other positions, played at the wrong time: whatever rule they break, its sentence is translated."""
    rng, game = Random(3), GAMES[name]
    tried: list[Any] = []
    found: set[tuple[str, str]] = set()
    for options in ({}, {"edges": "all"}, {"hands": "unseen"}) if name == "spectrangle" else ({},):
        state = game.start(min(game.seats), game.Options(**options))
        for _ in range(30):
            due = state.expects()
            if isinstance(due, Over) or (isinstance(due, ToMove) and not state.legal_moves()):
                break
            event = rng.choice(list(state.legal_moves())) if isinstance(due, ToMove) else game.sample(state, rng)
            tried.append(event)
            for other in rng.sample(tried, min(8, len(tried))):
                found |= {(breach.rule, breach.text) for breach in state.violations(other)}
            state = state.apply(event)
        found |= {(line.rule, line.text) for score in state.scores() for line in score.lines}
    assert found
    assert [(rule, text) for rule, text in sorted(found) if english(text)] == []


def test_what_a_demo_is_called_is_in_german() -> None:
    for name in demo_names():
        title, _, players = load_demo(name)[0].title.partition(", ")
        german = {"one player": "ein Spieler", "two players": "zwei Spieler"}[players]
        assert GERMAN.translate(f"Demo: {title}, {players}.") == f"Vorführung: {title}, {german}."


def test_the_browser_is_answered_in_its_language(host: Browser) -> None:
    german = host.get("/", headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}).text
    assert '<html lang="de"' in german and "Noch ist kein Spiel auf dem Tisch" in german
    assert '<html lang="en"' in host.get("/", headers={"Accept-Language": "fr"}).text
    host.flask.set_cookie("companion_language", "de", domain="localhost")
    assert '<html lang="de"' in host.get("/", headers={"Accept-Language": "en"}).text
    host.flask.set_cookie("companion_language", "../x", domain="localhost")
    assert '<html lang="en"' in host.get("/", headers={"Accept-Language": "en"}).text
    assert host.get("/language/de.json").json["messages"]["Undo"] == "Zurücknehmen"
    assert host.get("/language/xx.json").status_code == 404


def test_the_configured_language_holds_where_nobody_chose_one(sessions: SessionManager) -> None:
    """A browser that asks for English is shown German, until its user chooses."""
    browser = Browser(create_app(sessions, settings=WebSettings(language="de")))
    english = {"Accept-Language": "en"}
    assert '<html lang="de"' in browser.get("/setup", headers=english).text
    browser.flask.set_cookie("companion_language", "en", domain="localhost")
    assert '<html lang="en"' in browser.get("/setup", headers=english).text
