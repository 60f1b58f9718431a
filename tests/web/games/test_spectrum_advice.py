"""What the page tells in Spectrum: usages with their paths, moves with their ways, and reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.conftest import Browser

Told = dict[str, Any]


@pytest.fixture
def begin(sessions: SessionManager, reader: Browser) -> Callable[..., Told]:
    """A game from a position; what the page tells of it."""

    def begin_(position: Told | None = None, *, seats: int = 2, about: str = "", **options: Any) -> Told:
        table = sessions.start("spectrum", ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"][:seats], options)
        if position is not None:
            table.set_position(position, "", source="page")
        told: Told = reader.get("/api/advice", query_string={"about": about}).json
        return told

    return begin_


def table_of(sessions: SessionManager) -> Table:
    assert sessions.table is not None
    return sessions.table


PAWNS = {"red.4": "red", "blue.4": "red", "blue.5": "orange", "purple.1": "orange", "yellow.7": "red"}
STARS = {"orange.9": "red", "green.9": "orange", "purple.9": "red", "blue.9": "orange"}


def test_a_roll_that_is_due_names_its_dice(begin: Callable[..., Told]) -> None:
    told = begin()
    assert [die["kind"] for die in told["roll"]["dice"]] == ["spectrum-d6"] * 2 and told["roll"]["seat"] == 0
    assert told["phase"] == "roll" and told["draw"] is None and told["needed"] == 7
    assert all(code in told["pieces"] for codes in told["faces"].values() for code in codes)


def test_brd_7_stars_taken_say_how_many_dice(begin: Callable[..., Told]) -> None:
    told = begin({"pawns": STARS}, dice="d12")
    assert told["taken"] == 4 and told["dice_due"] == len(told["roll"]["dice"]) == 4
    assert [seat["stars"] for seat in told["seats"]] == [["orange", "purple"], ["green", "blue"]]


def test_every_usage_says_what_it_opens_and_allots(begin: Callable[..., Told]) -> None:
    told = begin({"pawns": {**PAWNS, **STARS}, "roll": ["red", "red", "blue"]})
    found = {usage["name"]: usage for usage in told["usages"]}
    pair, double = found["red + blue"], found["red + red"]
    assert pair["plain"] and pair["opens"] == ["red", "blue"] and pair["codes"] == ["d6R", "d6B"]
    assert double["opens"] == ["red", "red-orange", "yellow-green", "green", "green-blue", "purple-red"]
    assert [part["spaces"] for part in double["parts"]] == [2, 2]
    assert double["parts"][0]["colors"] == ["red"] and double["rule"] == "BRD-10"
    assert all(usage["alive"] and not usage["breaches"] for usage in found.values())
    assert told["moves"] == [] and told["left"] == []


def test_brd_28_a_usage_without_a_move_names_the_rule(begin: Callable[..., Told]) -> None:
    full = {f"{color}.1": "red" for color in ("red", "orange")}
    stuck = {**full, "red.2": "red", "orange.2": "red", "red-orange.1": "orange"}
    told = begin({"pawns": {**stuck, "blue.9": "orange", **STARS}, "roll": ["red", "red", "purple"]})
    dead = [usage for usage in told["usages"] if not usage["alive"]]
    for usage in dead:
        assert usage["breaches"][0]["rule"] == "BRD-28"
        assert usage["breaches"][0]["link"] == "/rules/spectrum#BRD-28"


def test_choosing_a_usage_tells_its_moves_with_their_ways(
    begin: Callable[..., Told], sessions: SessionManager, phone: Browser
) -> None:
    told = begin({"pawns": {**PAWNS, **STARS}, "roll": ["red", "red", "blue"]})
    place = [usage["name"] for usage in told["usages"]].index("red + blue")
    told = phone.get("/api/advice", query_string={"about": str(place)}).json
    jump = next(move for move in told["moves"] if (move["pawn"], move["to"]) == ("blue.4", "blue.6"))
    assert (jump["jumped"], jump["landed"], jump["captures"]) == (["blue.5"], ["blue.6"], None)
    capture = next(move for move in told["moves"] if (move["pawn"], move["to"]) == ("blue.4", "blue.5"))
    assert capture["captures"] == "orange" and not capture["star"]
    table = table_of(sessions)
    after = table.session.state.apply(table.session.game.event(told["usages"][place]["event"]))
    assert {move["text"] for move in told["moves"]} == {table.session.game.text(move) for move in after.legal_moves()}


def test_what_is_left_of_a_usage(begin: Callable[..., Told]) -> None:
    position = {"pawns": {**PAWNS, **STARS}, "roll": ["red", "red", "blue"], "usage": "red + red", "left": [2]}
    told = begin(position)
    assert [(part["spaces"], part["open"], part["now"]) for part in told["left"]] == [
        (2, False, False),
        (2, True, True),
    ]
    assert len(told["left"][1]["colors"]) == 6 and told["moves"]
    assert [usage["name"] for usage in told["usages"] if usage["used"]] == ["red + red"]
    plain = begin({**position, "usage": "red + blue", "left": 1})
    assert [part["open"] for part in plain["left"]] == [True, False]


def test_brd_25_a_move_onto_a_star_says_so(begin: Callable[..., Told]) -> None:
    told = begin({"pawns": {"red.8": "red"}, "roll": ["red", "blue"], "usage": "red + blue"})
    assert [move["to"] for move in told["moves"] if move["star"]] == ["red.9"]


def test_why_a_pawn_cannot_move(begin: Callable[..., Told]) -> None:
    told = begin({"pawns": PAWNS, "roll": ["red", "blue"], "usage": "red + blue"}, about="0 yellow.7")
    assert told["why"]["pawn"] == "yellow.7" and told["why"]["breaches"][0]["rule"] == "BRD-14"
    walled = {"red.4": "red", "red.6": "red", "red.2": "red", "red-orange.4": "red", "red-orange.2": "red"}
    told = begin({"pawns": walled, "roll": ["red", "red"], "usage": "red + red"}, about="0 red.4")
    assert told["why"]["breaches"][0]["rule"] == "BRD-16"
    told = begin({"pawns": {}, "roll": ["red", "red"], "usage": "red + red"}, about="0 red stock")
    assert told["why"] is not None, "what is asked about may well be able to move"
    for about in ("", "0", "0 nowhere", "9 red.4", "x red.4"):
        assert begin({"pawns": {**PAWNS, **STARS}, "roll": ["red", "red", "blue"]}, about=about)["why"] is None


def test_brd_24_the_places_of_a_captured_pawn(begin: Callable[..., Told]) -> None:
    told = begin(
        {"pawns": PAWNS, "roll": ["red", "blue"], "usage": "red + blue", "left": 1, "captured": {"pawn": "orange"}}
    )
    assert told["held"] == {"color": "orange", "code": "pawnO"}
    assert {one["spot"] for one in told["spots"]} == {"red.1", "orange.1", "yellow.1", "green.1", "blue.1"}


def test_brd_32_a_surrendered_pawn(begin: Callable[..., Told], sessions: SessionManager, phone: Browser) -> None:
    told = begin({"pawns": PAWNS}, surrender=True)
    assert {one["kind"] for one in told["plain"]} == {"Surrender", "Roll"}
    phone.post("/api/table/play", {"expected": 1, "text": "player 1 surrenders a pawn"})
    told = phone.get("/api/advice").json
    assert {one["spot"] for one in told["spots"]} == {"red.4", "blue.4", "yellow.7"}
    assert told["phase"] == "off" and table_of(sessions).session.seq == 2


def test_var_6_cards_that_replace_the_dice(begin: Callable[..., Told]) -> None:
    told = begin(cards_as_dice=True, swap_cards=True)
    assert told["draw"]["count"] == 2 and told["draw"]["shown"] and len(told["draw"]["cards"]) == 42
    assert told["roll"] is None and "swap R/G" in told["pieces"]
    told = begin({"pawns": PAWNS, "cards": ["R1", "R3"]}, cards_as_dice=True)
    assert told["cards"] == ["R1", "R3"]
    both = next(usage for usage in told["usages"] if usage["name"] == "R1 + R3")
    assert both["free"] and both["codes"] == ["R1", "R3"]


def test_var_6_an_almost_empty_deck_gives_what_it_has_first(begin: Callable[..., Told]) -> None:
    out = [
        f"{letters}{number}"
        for letters in ("R", "RO", "O", "OY", "Y", "YG", "G", "GB", "B", "BP", "P")
        for number in (1, 2, 3)
    ]
    told = begin({"pawns": PAWNS, "discards": [*out, "PR1", "PR2"]}, cards_as_dice=True)
    assert told["draw"]["cards"] == ["PR3"] and told["draw"]["count"] == 1


def test_var_16_a_swap_tells_both_pawns(begin: Callable[..., Told]) -> None:
    told = begin(
        {"pawns": {"red.4": "red", "green.3": "orange"}, "cards": ["swap R/G", "B1"], "usage": "swap R/G"},
        cards_as_dice=True,
        swap_cards=True,
    )
    assert [(move["pawn"], move["to"]) for move in told["moves"]] == [("red.4", "green.3")]
    assert told["usages"][0]["swap"] and told["moves"][0]["landed"] == []


def test_var_4_doubles_in_a_shotgun_start_offer_free_colors(begin: Callable[..., Told], phone: Browser) -> None:
    begin(shotgun="d12")
    phone.post("/api/table/play", {"expected": 0, "text": "rolled d12 red red"})
    told = phone.get("/api/advice").json
    assert told["picks"] == {"seat": 0, "number": 1, "colors": told["picks"]["colors"]}
    assert len(told["picks"]["colors"]) == 12 and told["dice"] == ["d12R", "d12R"]


def test_var_17_weights_are_told_by_all(begin: Callable[..., Told]) -> None:
    told = begin(weighted=True)
    assert told["draw"]["source"] == "weight cards" and told["draw"]["count"] == 12
    assert len(told["draw"]["cards"]) == 60 and set(told["weights"].values()) == {0}
    assert "highest sum of weights" in told["goal"]
    assert "7 stars of one player" in begin(weighted=True, weighted_end="target")["goal"]


def test_brd_35_one_player_alone(begin: Callable[..., Told]) -> None:
    told = begin(seats=1)
    assert told["solo"] and "all twelve" in told["goal"]
    assert [pawns["color"] for pawns in told["seats"][0]["pawns"]] == ["red", "orange"]
    assert told["seats"][0]["stock"] == 12


def test_options_that_were_chosen_are_told_with_a_sentence(begin: Callable[..., Told]) -> None:
    told = begin(dice="d12", speed_rule=True, missions=True)
    assert [(one["title"], one["value"]) for one in told["options"]] == [
        ("Which dice?", "d12"),
        ("Another turn after a special roll?", "on"),
        ("With secret missions?", "on"),
    ]
    assert all(one["sentence"] for one in told["options"])


def test_nothing_is_asked_when_the_game_is_over(begin: Callable[..., Told]) -> None:
    stars = ("red", "orange", "yellow", "green", "blue", "purple", "red-orange")
    told = begin({"pawns": {f"{color}.9": "red" for color in stars}})
    assert told["phase"] == "over" and told["mover"] is None and told["roll"] is None
