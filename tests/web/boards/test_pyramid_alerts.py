"""What the page says and shows when the camera sees something in Spectra or Ice Stalks that the rules refuse."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.layout import Detection, Layout
from companion.core.pieces import Pyramid, Stack
from companion.referee.matching import LOOKS
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.conftest import Browser

RED_LARGE, BLUE_LARGE, PURPLE_LARGE = (Pyramid(color, "large") for color in ("red", "blue", "purple"))


def begin(sessions: SessionManager, game: str, position: dict[str, Any], **options: Any) -> Table:
    return sessions.start(game, ["Ann", "Ben"], options, position=position)


def see(table: Table, changes: dict[str, list[Any]]) -> None:
    """As many pictures as an accusation needs of the table with other things in these heaps."""
    layout = table.session.state.layout()
    heaps = {**layout.heaps, **{spot: tuple(Detection.sure(one) for one in held) for spot, held in changes.items()}}
    for frame in range(LOOKS):
        table.see(Layout(heaps=heaps), frame)


def words(tree: Any) -> str:
    """Every class of a scene."""
    return " ".join([tree[1].get("class", ""), *[words(child) for child in tree[2] if isinstance(child, list)]])


@pytest.fixture
def exchanged(sessions: SessionManager) -> Table:
    """Red and blue large were exchanged for a yellow large, which they do not yield."""
    position = {
        "trees": [["blue large"], ["purple large"]],
        "supplies": [["red large", "blue large"], []],
        "turn": 0,
        "drawn": True,
    }
    table = begin(sessions, "spectra", position, colors="blue,purple")
    see(table, {"seat0.supply": [Pyramid("yellow", "large")]})
    return table


def test_spa_14_a_wrong_exchange_is_named_with_its_rule_and_shown(exchanged: Table, reader: Browser) -> None:
    shown = reader.get("/api/table").json
    assert shown["alert"]["kind"] == "refused"
    told = "Ann gives red large + blue large for yellow large from bag."
    assert shown["alert"]["text"] == f"{told} Three looks at the steady table show it."
    assert "SPA-14" in [breach["rule"] for breach in shown["alert"]["breaches"]]
    assert shown["alert"]["refused"] == ["seat0.supply"]
    assert "zone refused" in words(shown["board"])
    assert "ghost" in words(shown["choices"][0])
    assert exchanged.session.seq == 1


def test_spa_28_the_table_may_agree_to_it(exchanged: Table, phone: Browser) -> None:
    answer = phone.post("/api/table/agree", {"expected": exchanged.session.seq})
    assert answer.json["row"]["sentence"].startswith("Ann gives red large")
    assert exchanged.session.state.supplies[0][2] == 1, "a yellow large lies in the supply"


def test_ice_12_a_placement_that_kills_a_stalk_is_shown_on_top_of_it(sessions: SessionManager, reader: Browser) -> None:
    position = {"stalks": [["cyan large"]], "hand": "blue", "turn": 0}
    table = begin(sessions, "ice-stalks", position)
    see(table, {"stalks": [Stack((Pyramid("cyan", "large"), BLUE_LARGE))]})
    shown = reader.get("/api/table").json
    assert [breach["rule"] for breach in shown["alert"]["breaches"]] == ["ICE-12"]
    assert shown["alert"]["refused"] == ["stalks.C3"]
    assert "ghost" in words(shown["choices"][0])


@pytest.mark.parametrize(
    ("game", "heap", "held", "named"),
    [
        ("spectra", "seat1.supply", [RED_LARGE] * 4 + [PURPLE_LARGE] * 3, "the supply of player 2"),
        ("ice-stalks", "stalks", [Stack((RED_LARGE, PURPLE_LARGE, BLUE_LARGE))] * 3, "the growing stalks"),
    ],
)
def test_a_table_that_nothing_explains_is_told_heap_by_heap(
    sessions: SessionManager, reader: Browser, game: str, heap: str, held: list[Any], named: str
) -> None:
    table = sessions.start(game, ["Ann", "Ben"], {})
    see(table, {heap: held})
    alert = reader.get("/api/table").json["alert"]
    assert alert["kind"] == "out-of-step"
    (difference,) = alert["differences"]
    assert difference["name"] == named and difference["expected"] == "nothing"
    assert "red large" in difference["seen"]
