"""Every text for people that the code holds is in the German catalog: collected from the code, not by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from web.language.catalog import CATALOGS
from web.language.forms import ROOT, forms_of, missing, skeleton

KNOWN = frozenset(map(skeleton, CATALOGS["de"].messages))

SPEAKING = (
    "companion/games/**/*.py",
    "web/**/*.py",
    "web/static/js/**/*.js",
    "vision/registration/checkup.py",
    "vision/registration/diagnosis.py",
    "vision/registration/pose_estimate.py",
    "vision/registration/registered_image.py",
    "vision/setup/setup_steps.py",
    "vision/gate/watcher.py",
    "vision/reader_process/reader_process.py",
    "vision/sources/live.py",
    "vision/sources/stream.py",
    "vision/sources/web_camera.py",
)
"""Rules, page, and what a camera in use says. What else cameras and devices say is in the catalog, too, but is not held
by this test."""

SILENT = re.compile(
    # Records, plans, printed mats and numbers for programs are no part of the page.
    r"companion/games/shared/(forms/position_form|cards/mat)\.py|companion/games/__init__\.py|"
    r"companion/games/.*/(position|plan|manifest|data|secrets|chance|written)\.py|"
    r"web/\w+/(openapi|route_answers|health|server|keys|compression|compiled_templates|bundles)\.py|web/language/.*"
)

POSITIONS = re.compile(r".*/companion/games/.*/game\.py")
"""Modules whose functions read and check the positions of records; their classes speak to people."""
NOTATION = re.compile(r"^(player \d|roll(s|ed) d6|turned up |[A-Z]+\d+ on pile|GGY4 c21|B9 on pile|\{who\} .*\{\d\})")
"""Lines in a game's own notation, which has no language."""
TECHNICAL = re.compile(
    r"\(\?|^[A-Z]{3}-\d|^(CREATE|INSERT|SELECT) |^(text|application|multipart|attachment|inline|default-src|id|event)\b"
    r".*[;:/]|^--|^li:|^\(prefers|^companion replay$|^[A-Z][A-Za-z]+$|^[A-Z ]+( \{\w+\}/\{\w+\})?$"
)
"""Patterns, queries, headers, numbers of rules, names of classes and of keys: one word alone says nothing to a person."""
ASSEMBLED = {
    "The {differing}",
    ", the {one}",
    "edge is",
    "edge of {name} on {cell} is",
    "{upper}{yielded} Put the pieces back, or correct what was misread.",
}
"""Pieces of sentences that the catalog holds as whole ones."""
UNSEEN = {
    "known and hidden hands are of different lengths.",
    "the cards of a hand do not rise.",
    "a card is in two places.",
    "the face-down cards are none of the deck.",
    "a card is both known and face down.",
    "more cards are hidden than are face down.",
    "an unmoved piece's actions are among `turns`",
    "what for",
    "judge {camera}",
    "reader {camera}",
    "watch {label}",
}
"""What no page shows: faults of records and of programs, the head of a file."""

CLASSES = frozenset(
    re.findall(r"\.([a-z][\w-]*)", "".join(path.read_text() for path in (ROOT / "web/static/css").glob("*.css")))
)


def _is_style(form: str) -> bool:
    """True if a form is a list of the style sheets' classes."""
    return all(
        word in CLASSES or re.fullmatch(r"[\w-]*\{\w+\}[\w-]*|board|triangle|dot|series|checked", word)
        for word in form.split()
    )


def _files() -> list[Path]:
    found = dict.fromkeys(path for pattern in SPEAKING for path in sorted(ROOT.glob(pattern)))
    return [path for path in found if not SILENT.fullmatch(path.relative_to(ROOT).as_posix())]


def _untranslated(path: Path) -> list[str]:
    return [
        sentence
        for form in forms_of(path, bool(POSITIONS.fullmatch(path.as_posix())))
        if not (NOTATION.search(form) or TECHNICAL.search(form) or _is_style(form))
        for sentence in missing(form, KNOWN)
        if not (TECHNICAL.search(sentence) or sentence in ASSEMBLED | UNSEEN)
    ]


@pytest.mark.parametrize("room", ["companion/games", "vision", "web"])
def test_every_text_for_people_is_in_german(room: str) -> None:
    found = {}
    for path in _files():
        if path.is_relative_to(ROOT / room) and (texts := _untranslated(path)):
            found[path.relative_to(ROOT).as_posix()] = texts
    assert found == {}


def test_a_text_that_nobody_has_translated_is_found(tmp_path: Path) -> None:
    (tmp_path / "breaches.py").write_text(
        'def of(card, seat):\n    """Why."""\n    return f"{NAMES[card]} was eaten by player {seat + 1}. Play a card."\n'
    )
    (tmp_path / "panel.js").write_text(
        '// Not this.\nh("p", { class: "soft" }, `Eat ${n ? `${n} more` : ""}: ${what}`);\n'
    )
    assert _untranslated(tmp_path / "breaches.py") == ["{card} was eaten by {who}."]
    assert _untranslated(tmp_path / "panel.js") == ["Eat {it}: {what}", "{it} more"]


COUNTED = sorted(
    {
        noun
        for path in (ROOT / "web/static/js").rglob("*.js")
        for noun in re.findall(r'\bmany\((?:[^()"]|\([^()]*\))*, "([^"]+)"\)', path.read_text())
    }
)
"""What the page counts, by `many(3, "card")`: the form that a page joins a number and a word to is in no module."""


def test_what_the_page_counts_is_found() -> None:
    assert {"card", "destination", "heal", "spell", "summon", "turn"} <= set(COUNTED)


@pytest.mark.parametrize("noun", COUNTED)
def test_one_and_several_of_what_the_page_counts_are_in_german(noun: str) -> None:
    german = CATALOGS["de"].translate
    for counted in (f"1 {noun}", f"0 {noun}s", f"7 {noun}s"):
        number, word = counted.split()
        assert german(counted).startswith(f"{number} ") and german(counted) != counted, word
        assert german(f"3 of 5 health, {counted}.").endswith(f", {german(counted)}."), word
