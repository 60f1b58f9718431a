"""Texts, JSON and positions: what is written can be read back, and what contradicts itself is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.contract import Drawn, Over, ToDraw
from companion.core.foundation.errors import BadEvent, BadNotation, BadRecord
from companion.core.layout import Detection, Layout
from companion.core.pieces import Pyramid, Rock
from companion.games.spectra.game import SPECTRA
from companion.games.spectra.moves import Add, Draw, EndTurn, Withdraw
from companion.games.spectra.position import Options, set_out, trees_of, turns
from tests.companion.games.reading_back import assert_damage_is_refused, assert_read_back
from tests.companion.games.spectra.short_spectra import draw, give, piece, pieces, table

START = SPECTRA.start(2, Options())


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Draw(0, "small"), "player 1 reaches for small"),
        (draw(1, "WS"), "player 2 draws white small"),
        (Add(5, piece("PL")), "player 6 adds purple large"),
        (Add(0, piece("PL"), 1), "player 1 adds purple large to player 2"),
        (give(0, "YM RS", "OL"), "player 1 gives yellow medium + red small for orange large from bag"),
        (give(2, "YM RS", "OL", 0), "player 3 gives yellow medium + red small for orange large from player 1"),
        (
            give(0, "RL BL", "PL", 1, "RL PL"),
            "player 1 gives tree red large + blue large for tree purple large from player 2",
        ),
        (give(0, "YM", "OL"), "player 1 gives yellow medium for orange large from bag"),
        (Withdraw(0, piece("RL")), "player 1 withdraws red large"),
        (EndTurn(3), "player 4 passes the bag"),
    ],
)
def test_a_line_names_an_event_and_back(event: Any, line: str) -> None:
    assert_read_back(SPECTRA, START, event, line)


def test_given_pieces_have_no_order() -> None:
    assert give(0, "RS YM", "OL") == give(0, "YM RS", "OL")
    assert SPECTRA.parse(START, "player 1 gives red small + yellow medium for orange large from bag") == give(
        0, "YM RS", "OL"
    )


def test_short_forms_of_events() -> None:
    plain = {
        "type": "exchange",
        "seat": 0,
        "gave": ["small red", {"color": "yellow", "size": "medium"}],
        "took": "orange large",
        "source": "bag",
    }
    assert SPECTRA.event(plain) == give(0, "RS YM", "OL")
    assert SPECTRA.event({"type": "drawn", "seat": 1, "pieces": ["red small"]}) == draw(1, "RS")


@pytest.mark.parametrize(
    "line",
    (
        "",
        "player 1",
        "player 7 passes the bag",
        "player 1 draws cyan small",
        "player 1 draws red",
        "player 1 gives red small for orange large",
    ),
)
def test_other_lines_are_refused(line: str) -> None:
    with pytest.raises(BadNotation, match="Spectra"):
        SPECTRA.parse(START, line)


@pytest.mark.parametrize(
    "data",
    (None, {}, [], {"type": "add"}, {"type": "add", "seat": 0, "piece": "cyan small"}, {"type": "end-turn", "seat": 6}),
)
def test_other_data_are_refused(data: Any) -> None:
    with pytest.raises(BadNotation, match="Spectra"):
        SPECTRA.event(data)


def test_states_survive_json_all_through_a_game() -> None:
    rng = Random(3)
    state = SPECTRA.start(3, Options())
    for _ in range(300):
        assert SPECTRA.load(msgspec.json.encode(state)) == state
        for move in state.legal_moves():
            assert SPECTRA.parse(state, SPECTRA.text(move)) == move
            assert SPECTRA.event(msgspec.json.decode(msgspec.json.encode(move))) == move
        if isinstance(state.expects(), Over):
            break
        if isinstance(state.expects(), ToDraw):
            state = state.apply(rng.choice([event for event, _ in SPECTRA.outcomes(state)]))
        else:
            state = state.apply(rng.choice(state.legal_moves()))


def test_a_state_that_is_not_the_set_is_refused() -> None:
    assert_damage_is_refused(
        SPECTRA, START, {"bag": [9] * 24}, {"colors": ["red", "red"]}, {"colors": ["red"]}, {"turn": 4}, {"trees": []}
    )


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ({}, "trees"),
        ({"trees": [["red large"]]}, "2 players"),
        ({"trees": [["cyan large"], []]}, "no piece"),
        ({"trees": [["red large"], []], "supplies": [["black small"] * 3, []]}, "the set has 2"),
        ({"trees": [[], []], "turn": 2}, "seat 2"),
        ({"trees": [[], []], "drawn": True}, "turn"),
        ({"trees": [[], []], "bag": []}, "bag"),
    ],
)
def test_positions_that_contradict_themselves(position: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        SPECTRA.from_record(2, Options(), position)


def test_a_position_in_the_middle_of_a_game() -> None:
    given_position = {
        "trees": [["red large", {"color": "red", "size": "small"}], []],
        "supplies": [["white medium"], []],
        "turn": 1,
    }
    state = SPECTRA.from_record(2, Options(), given_position)
    assert sum(state.bag) == 99 and state.turn == 1
    assert SPECTRA.from_record(2, Options(), {"trees": [["red large"], ["orange large"]]}) == START


def test_the_first_picture_of_a_recording_is_a_position() -> None:
    state = table("OM RS", "WL", trees=("RL RM", "BL"), turn=None)
    options = Options(colors="red,blue")
    assert SPECTRA.from_record(2, options, SPECTRA.proposer.seen_position(2, options, state.layout())) == state
    odd = Layout(heaps={"seat0.trees": (Detection.sure(None), Detection.sure(Rock("red")))})
    assert SPECTRA.proposer.seen_position(2, options, odd) == {"trees": [[], []], "supplies": [[], []]}


def test_trees_are_filled_one_after_the_other() -> None:
    state = table("", "", trees=("RL RL RM RS", "BL"))
    assert trees_of(state, 0) == (pieces("RL RM RS"), pieces("RL"), ())


def test_watch_words() -> None:
    state = table("RM YM", "OM", trees=("RL RL RM", "BL"))
    medium = {"color": "red", "size": "medium"}
    assert SPECTRA.words(state, draw(0, "RM")) == {"player": 0, "type": "draw", "took": medium}
    assert SPECTRA.words(state, Add(0, piece("RM"))) == {"player": 0, "type": "add", "piece": medium, "tree": 1}
    assert SPECTRA.words(state, give(0, "RM YM", "OM", 1)) == {
        "player": 0,
        "type": "exchange",
        "gave": [medium, {"color": "yellow", "size": "medium"}],
        "took": {"color": "orange", "size": "medium"},
        "with": 1,
    }
    assert SPECTRA.words(state, give(0, "RM YM", "OM"))["with"] == "bag"  # type: ignore[index]
    assert SPECTRA.words(state, EndTurn(0)) is None
    assert SPECTRA.words(state, Drawn(0, (None,))) is None


# Set out as it is seen


def test_what_is_seen_is_set_out_and_the_rest_is_in_the_bag() -> None:
    state = set_out(START, {"seat0.trees": pieces("RL RM"), "seat0.supply": pieces("YS BM"), "seat1.supply": ()})
    assert state == table("BM YS", "", colors="red,orange", trees=("RL RM", "OL"), turn=None)


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        ({"seat0.trees": pieces("RL YL")}, r"SPA-8.*1 yellow large"),
        ({"seat0.trees": pieces("RL RL RL RL")}, r"SPA-8.*4 red large"),
        ({"seat0.trees": pieces("RM")}, r"lack the red large.*SPA-2"),
        ({"seat0.supply": pieces("KM KM KM KM KM KM KM")}, r"7 black medium pieces, and the set has"),
        ({"seat0.supply": (Pyramid("clear", "small"),)}, r"no clear small \(SPA-1\)"),
    ],
)
def test_what_the_rules_cannot_have_is_not_set_out(seen: dict[str, Any], says: str) -> None:
    with pytest.raises((BadEvent, BadRecord), match=says):
        set_out(START, seen)


def test_spa_28_what_stands_by_agreement_may_stay() -> None:
    agreed = table("", "", trees=("RL YM", "BL"))
    assert (
        set_out(agreed, {"seat0.trees": pieces("RL YM RM")}).trees[0]
        == table("", "", trees=("RL RM YM", "BL")).trees[0]
    )


def test_spa_5_the_turn_may_stand_in_each_of_its_ways() -> None:
    state = table("RS", "", drawn=True)
    found = turns(state)
    assert list(found) == [
        "nobody has begun",
        "player 1 is on turn and has not drawn yet",
        "player 1 is on turn and has drawn",
        "player 2 is on turn and has not drawn yet",
        "player 2 is on turn and has drawn",
    ]
    assert found["player 1 is on turn and has drawn"] is state
    assert (found["nobody has begun"].turn, found["player 2 is on turn and has drawn"].drawn) == (None, True)
