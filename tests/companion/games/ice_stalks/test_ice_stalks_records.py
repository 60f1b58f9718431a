"""Texts, JSON and positions: what is written can be read back, and what contradicts itself is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.contract import Drawn, Over
from companion.core.foundation.errors import BadEvent, BadNotation, BadOptions, BadRecord
from companion.core.layout import Layout
from companion.core.pieces import Pyramid, Stack
from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.growth import RAINBOW, pieces_of
from companion.games.ice_stalks.moves import Pass, PlacePiece, Take
from companion.games.ice_stalks.options import Options
from companion.games.ice_stalks.position import set_out, turns
from tests.companion.games.ice_stalks.short_stalks import draw, put, table, words
from tests.companion.games.reading_back import assert_read_back


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (draw("C"), "player 1 draws cyan rock"),
        (Drawn(2, (None,)), "player 3 draws an unseen rock"),
        (put("G3", seat=1), "player 2 places green large on the table"),
        (put("Y2", "R3O3"), "player 1 places yellow medium on red large, orange large"),
        (Take(3), "player 4 takes the stalk"),
        (Pass(0), "player 1 places nothing"),
    ],
)
def test_a_line_names_an_event_and_back(event: Any, line: str) -> None:
    state = ICE_STALKS.start(2, Options())
    assert_read_back(ICE_STALKS, state, event, line)


def test_short_forms_of_events() -> None:
    plain = {
        "type": "place",
        "seat": 0,
        "piece": "yellow medium",
        "on": ["red large", {"color": "orange", "size": "large"}],
    }
    assert ICE_STALKS.event(plain) == put("Y2", "R3O3")
    assert ICE_STALKS.event({"type": "drawn", "seat": 1, "pieces": ["red"]}) == draw("R", seat=1)
    assert ICE_STALKS.event({"type": "drawn", "seat": 1, "pieces": [{"color": "red"}]}) == draw("R", seat=1)


@pytest.mark.parametrize(
    "line", ("", "player 1", "player 9 takes the stalk", "player 1 places red giant on the table", "cyan")
)
def test_other_lines_are_refused(line: str) -> None:
    with pytest.raises(BadNotation, match="Ice Stalks"):
        ICE_STALKS.parse(ICE_STALKS.start(2, Options()), line)


@pytest.mark.parametrize(
    "data",
    (
        None,
        {},
        [],
        {"type": "place"},
        {"type": "place", "seat": 0, "piece": "pink giant"},
        {"type": "take", "seat": 99},
    ),
)
def test_other_data_are_refused(data: Any) -> None:
    with pytest.raises(BadNotation, match="Ice Stalks"):
        ICE_STALKS.event(data)


def test_states_survive_json_all_through_a_game() -> None:
    rng = Random(3)
    state = ICE_STALKS.start(3, Options(solid_set="add"))
    while True:
        assert ICE_STALKS.load(msgspec.json.encode(state)) == state
        if isinstance(state.expects(), Over):
            break
        events = [event for event, _ in ICE_STALKS.outcomes(state)] or list(state.legal_moves())
        state = state.apply(rng.choice(events))


def test_rocks_follow_from_the_pieces_unless_told() -> None:
    state = ICE_STALKS.from_record(2, Options(), {"stalks": [words("R3O3"), words("R3")], "hand": "red"})
    assert state.rocks == (2, 4, 5, 5, 5, 5, 5)
    assert state.turn == 0
    assert ICE_STALKS.from_record(2, Options(first=2), {"stalks": []}).turn == 1


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ({}, "stalks"),
        ({"stalks": [[]]}, "at least one piece"),
        ({"stalks": [["pink large"]]}, "no piece"),
        ({"stalks": [["red large"]] * 6, "rocks": {}}, "the set has 5"),
        ({"stalks": [["red large"]] * 6}, "ICE-2"),
        ({"stalks": [["red large"]] * 3 + [["red medium"]] * 3, "rocks": {"red": 5}}, r"6 red pieces .*ICE-2"),
        ({"stalks": [["red large"]] * 3 + [["red medium"]] * 3, "rocks": {}}, r"6 red pieces .*ICE-2"),
        ({"stalks": [["red large"]] * 3 + [["red medium"]] * 2, "hand": "red"}, r"6 red pieces .*ICE-2"),
        ({"stalks": [words("R3R2R1")]}, "ICE-16"),
        ({"stalks": [], "taken": [[words("R3R2")], []]}, "ICE-16"),
        ({"stalks": [], "taken": [[]]}, "taken stalks"),
        ({"stalks": [], "turn": 2}, "seat 2"),
        ({"stalks": [], "hand": "pink"}, "ICE-1"),
        ({"stalks": [], "rocks": {"pink": 1}}, "ICE-1"),
        ({"stalks": [], "hand": "red", "rocks": {"red": 5}}, "ICE-2"),
        ({"stalks": [], "color": "red"}, "color"),
    ],
)
def test_positions_that_contradict_themselves(position: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        ICE_STALKS.from_record(2, Options(), position)


def test_watch_words() -> None:
    state = table("R3", hand="R")
    red = {"color": "red", "size": "large"}
    assert ICE_STALKS.words(state, draw("R")) == {"player": 0, "type": "draw", "rock": "red"}
    assert ICE_STALKS.words(state, PlacePiece(0, put("R3").piece)) == {
        "player": 0,
        "type": "place",
        "piece": red,
        "on": [],
        "points": 0,
    }
    assert ICE_STALKS.words(state, Take(1)) == {"player": 1, "type": "take", "stalk": []}
    assert ICE_STALKS.words(state, Pass(1)) is None


def test_watch_words_name_the_points_of_a_completed_stalk() -> None:
    state = table("R3O3Y2", hand="G")
    small = put("G1", "R3O3Y2")
    told = ICE_STALKS.words(state, small)
    assert told is not None and told["points"] == 4
    wrong = ICE_STALKS.words(state, put("B1", "R3O3Y2"))
    assert wrong is not None and wrong["points"] == 0
    done = ICE_STALKS.words(state.apply(small), Take(0))
    assert done is not None and [piece["color"] for piece in done["stalk"]] == ["red", "orange", "yellow", "green"]


def test_a_first_picture_shows_the_position() -> None:
    state = table("R3", "B3C2", "R3", taken=("G3G2G1", ""))
    again = ICE_STALKS.from_record(2, Options(), ICE_STALKS.proposer.seen_position(2, Options(), state.layout()))
    assert (again.stalks, again.taken, again.turn, again.hand) == (state.stalks, state.taken, 0, None)
    nothing = ICE_STALKS.proposer.seen_position(2, Options(), Layout())
    assert ICE_STALKS.from_record(2, Options(), nothing) == ICE_STALKS.start(2, Options())
    with pytest.raises(BadOptions, match="ICE-2"):
        ICE_STALKS.proposer.seen_position(5, Options(), Layout())


def test_ice_2_more_than_four_players_are_an_option() -> None:
    with pytest.raises(BadOptions, match="how many the table allows"):
        ICE_STALKS.start(5, Options())
    assert ICE_STALKS.start(5, Options(max_players=5)).seats == 5


def test_no_game_is_longer_than_its_bound() -> None:
    rng = Random(9)
    for _ in range(20):
        state = ICE_STALKS.start(2, Options())
        most, events = ICE_STALKS.bound(state), 0
        while not isinstance(state.expects(), Over):
            state = state.apply(
                rng.choice([event for event, _ in ICE_STALKS.outcomes(state)] or list(state.legal_moves()))
            )
            events += 1
        assert events <= most


def test_a_rock_nobody_saw_is_filled_in_from_the_bag() -> None:
    state = table("R3").apply(Drawn(0, (None,)))
    assert sum(ICE_STALKS.unseen(state).values()) == 28
    assert {move.piece.color for move in state.legal_moves() if isinstance(move, PlacePiece)} == set(RAINBOW)
    guessed = ICE_STALKS.determinize(state, Random(1))
    assert guessed.hand is not None and guessed.hand != "unknown"
    assert sum(ICE_STALKS.unseen(guessed).values()) == 27
    placed = state.apply(put("G3"))
    assert placed.rocks[3] == 3 and placed.hand is None


# Set out as it is seen


def stalks(*texts: str) -> tuple[Stack, ...]:
    return tuple(Stack(pieces_of(text)) for text in texts)


def test_stalks_that_are_seen_are_set_out_with_the_rocks_that_they_took() -> None:
    state = set_out(table("R3"), {"stalks": stalks("R3O3", "C3"), "seat0.stalks": stalks("B3B1")})
    assert (state.stalks, state.taken) == (("C3", "R3O3"), (("B3B1",), ()))
    taken_out = [table("R3").rocks[RAINBOW.index(color)] - state.rocks[RAINBOW.index(color)] for color in RAINBOW]
    assert dict(zip(RAINBOW, taken_out, strict=True)) == {
        **dict.fromkeys(RAINBOW, 0),
        "orange": 1,
        "cyan": 1,
        "blue": 2,
    }


def test_ice_4_a_piece_of_the_rock_in_the_hand_spends_that_rock() -> None:
    state = set_out(table("R3", hand="O"), {"stalks": stalks("R3O3")})
    assert state.hand is None and state.rocks == table("R3", hand="O").rocks


def test_ice_16_a_completed_stalk_that_is_gone_was_taken() -> None:
    done = table("R3R2", hand="R", turn=1).apply(put("R1", "R3R2", seat=1))
    assert done.done == "R3R2R1"
    assert set_out(done, {"stalks": stalks("R3R2R1")}) == done
    taken = set_out(done, {"stalks": ()})
    assert (taken.taken, taken.done, taken.turn) == (((), ("R3R2R1",)), None, 0)
    assert list(turns(done)) == ["player 2 is on turn"]
    assert list(turns(taken)) == ["player 1 is on turn", "player 2 is on turn"]


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        ({"stalks": stalks("R3R2R1")}, r"red large, red medium, red small is complete.*ICE-16"),
        ({"seat0.stalks": stalks("R3")}, r"red large has no small on top.*ICE-16"),
        ({"stalks": (Pyramid("white", "large"),)}, r"none of the set \(ICE-2\)"),
        ({"stalks": stalks(*["R3"] * 6)}, r"ICE-2"),
    ],
)
def test_what_the_rules_cannot_have_is_not_set_out(seen: dict[str, Any], says: str) -> None:
    with pytest.raises((BadEvent, BadRecord), match=says):
        set_out(table(), seen)
