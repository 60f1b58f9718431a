"""Manifests: every game has one, and a game of another package that cannot be used costs one sentence."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

from companion.core.manifest import Manifest
from companion.games import GAMES, GROUP, LEFT_OUT, MANIFESTS, PLANS, RECORDED, foreign_manifests, own_manifests

ROOT = Path(__file__).parents[3]
OWN = MANIFESTS["spectrangle"]


def point(monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> EntryPoint:
    """An entry point of a package that holds one thing."""
    module = ModuleType("foreign")
    module.THING = value  # type: ignore[attr-defined]
    monkeypatch.setitem(__import__("sys").modules, "foreign", module)
    return EntryPoint(name, "foreign:THING", GROUP)


def named(name: str) -> Manifest:
    """Spectrangle under another name."""
    return replace(OWN, game=replace(OWN.game, name=name))


def test_every_folder_of_a_game_has_a_manifest() -> None:
    folders = {path.parent.name for path in (ROOT / "companion" / "games").glob("*/state.py")}
    assert {one.game.name.replace("-", "_") for one in own_manifests()} == folders
    assert LEFT_OUT == ()


def test_lists_keep_the_order_of_the_manifests() -> None:
    assert list(GAMES)[:3] == ["spectrangle", "spectra", "ice-stalks"]
    assert list(GAMES) == list(MANIFESTS)
    positions = [one.position for one in own_manifests()]
    assert positions == sorted(set(positions))


def test_a_game_that_a_camera_watches_says_how_a_recording_begins() -> None:
    assert set(PLANS) == set(RECORDED)


def test_files_that_manifests_name_are_there() -> None:
    for name, one in MANIFESTS.items():
        if isinstance(one.panel, str) and one.panel:
            assert (ROOT / "web" / "static" / "js" / one.panel).is_file(), name
        for page in (*(() if one.rules else (name,)), *one.more_rules):
            assert (ROOT / "docs" / "rules" / f"{page}.md").is_file(), page


def test_a_game_of_another_package_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found, said = foreign_manifests(GAMES, [point(monkeypatch, "other", named("other-game"))])
    assert [one.game.name for one in found] == ["other-game"] and said == []


def test_a_package_that_cannot_be_loaded_costs_one_sentence_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    absent = EntryPoint("ludo", "no_such_package:LUDO", GROUP)
    found, said = foreign_manifests(GAMES, [absent, point(monkeypatch, "other", named("other-game"))])
    assert [one.game.name for one in found] == ["other-game"]
    assert said == [
        'The game "ludo" of no_such_package:LUDO is left out: it cannot be loaded '
        "(No module named 'no_such_package'). Fix or remove that package."
    ]


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (7, "foreign:THING is no companion.core.manifest.Manifest"),
        (named("spectrangle"), 'there is a game named "spectrangle" already'),
        (named("../up"), '"../up" is no name of a game'),
    ],
)
def test_what_is_no_new_game_is_left_out(monkeypatch: pytest.MonkeyPatch, thing: object, words: str) -> None:
    found, said = foreign_manifests(GAMES, [point(monkeypatch, "odd", thing)])
    assert found == [] and len(said) == 1 and words in said[0]
