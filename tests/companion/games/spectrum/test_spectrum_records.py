"""The example of docs/records.md for Spectrum, positions and events in every form, and what is refused of them."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.contract import Over, Rolled
from companion.core.foundation.errors import AmbiguousMove, BadNotation, BadRecord
from companion.core.pieces import PRIMARIES, WHEEL, Card, Die, Pawn
from companion.games.shared.cards.deck import number_of
from companion.games.spectrum import secrets
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Activate, Declare, PlacePawn, TakeOff
from companion.games.spectrum.options import Options
from tests.companion.games.reading_back import assert_damage_is_refused, assert_no_events
from tests.companion.games.short import after, rules
from tests.companion.games.spectrum.short_spectrum import alone, board, drawn, go, rolled, table

TEXT = (Path(__file__).parents[4] / "docs" / "records.md").read_text(encoding="utf-8")
SECTION = TEXT.partition("\n## Spectrum\n")[2].partition("\n## ")[0]
LINES = re.findall(r"^\| [^|`]+ \| `([^`]+)` \| `(\{[^`]+\})`", SECTION, re.M)


def test_other_lines_and_objects_are_no_events() -> None:
    assert_no_events(
        SPECTRUM,
        SPECTRUM.start(2, Options()),
        " | player 1 | player 7 cannot move | player 1 moves red.4 | player 1 moves red.4 to red.10 | "
        "rolled d6 red-orange | player 1 uses | player 1 uses pink + red | player 1 activates draw | "
        "player 1 draws R13 | roll the dice",
    )


@pytest.mark.parametrize(
    "plain", [{}, {"type": "go"}, {"type": "go", "seat": 9, "pawn": "red.4", "to": "red.5"}, 7, "x"]
)
def test_what_is_no_event_as_an_object(plain: Any) -> None:
    with pytest.raises(BadNotation):
        SPECTRUM.event(plain)


@pytest.mark.parametrize("kind", ["drawn", "shown"])
def test_a_card_that_the_deck_does_not_have_is_no_event(kind: str) -> None:
    for color, rank in (("", 7), ("purple-red", -998), ("\u0663", 3)):
        with pytest.raises(BadNotation, match="no card of the deck"):
            SPECTRUM.event({"type": kind, "seat": 0, "pieces": [{"type": "card", "color": color, "rank": rank}]})


def test_usages_are_read_in_any_order() -> None:
    state = table("red.3")
    assert SPECTRUM.parse(state, "player 1 uses blue+RED") == Declare(0, "red + blue")
    assert SPECTRUM.parse(state, "player 1 uses RO2 + swap g/r as red + R1") == Declare(0, "R1 + swap R/G as R + RO2")
    assert SPECTRUM.parse(state, "player 1 uses swap red/green") == Declare(0, "swap R/G")
    assert SPECTRUM.event({"type": "declare", "seat": 0, "usage": "blue + red"}) == Declare(0, "red + blue")
    assert SPECTRUM.event({"type": "activate", "seat": 1, "card": {"color": "red", "rank": 3}}) == Activate(
        1, Card("red", 3)
    )


def test_a_part_may_be_left_out_where_it_can_be_only_one() -> None:
    state = table("red.3 green.3", "red red", options={"special_order": "free"})
    assert SPECTRUM.parse(state, "player 1 moves green.3 to green.5") == go("green.3", "green.5", part=2)
    with pytest.raises(AmbiguousMove, match="part 1"):
        SPECTRUM.parse(state, "player 1 moves red.3 to red.5")
    assert SPECTRUM.parse(state, "player 1 moves red.3 to red.5 as part 2").part == 2
    assert SPECTRUM.parse(state, "player 1 moves red.3 to blue.5").part == 0
    assert rules(state, go("red.3", "red.5")) == {"BRD-12"}


def test_positions_in_the_middle_of_a_turn() -> None:
    state = table("red.5 green.2 | blue.4", "red red", "red + red", left=[2], walked={"red.5": "red"})
    assert rules(state, go("red.5", "red.7")) == {"BRD-19"}
    several = table("red.5 green.2 | blue.4", "red red", "red + red", left=[2], walked={"red.5": "several"})
    assert not rules(several, go("red.5", "red.7"))
    captured = table("red.5 | blue.4", "red blue", "red + blue", left=1, captured={"pawn": "orange"})
    assert captured.legal_moves()[0] == PlacePawn(0, "orange", "red.1")
    extra = table("red.5", options={"speed_rule": True}, extra=True)
    assert extra.again
    end = table("red.5", options={"portals": True}, after_moves=True)
    assert end.phase == "end"
    mapping = SPECTRUM.from_record(2, Options(first=2), {"pawns": {"red.4": "red"}})
    assert mapping.turn == 1 and board(mapping) == {"red.4": "red"}


BAD: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"pawns": [["red.10"], []]}),
    ({}, {"pawns": [["red.1"]]}),
    ({}, {"pawns": {"red.1": "blue"}}),
    ({}, {"pawns": {"red.1": "pink"}}),
    ({}, {"pawns": [["red.1"], []], "roll": ["red"]}),
    ({}, {"pawns": [["red.1"], []], "roll": ["red", "red-orange"]}),
    ({}, {"pawns": [["red.1"], []], "roll": ["red", "blue"], "usage": "red + red"}),
    ({}, {"pawns": [["red.1"], []], "usage": "red + red"}),
    ({}, {"pawns": [["red.1"], []], "roll": ["red", "blue"], "usage": "red + blue", "left": 3}),
    ({}, {"pawns": [["red.1"], []], "roll": ["red", "blue"], "usage": "red + blue", "left": 0}),
    ({}, {"pawns": [["red.1"], []], "roll": ["red", "blue"], "usage": "red + blue", "left": [1]}),
    ({}, {"pawns": [["red.1"], []], "turn": 3}),
    ({}, {"pawns": 5}),
    ({}, {"unknown": 1}),
    ({}, {"roll": ["red", "blue"], "usage": "red + blue", "captured": {"pawn": "orange", "by": 1}}),
    ({"weighted": True}, {}),
    ({"weighted": True}, {"weights": {"red": 3}}),
    ({"missions": True}, {"missions": [["R3"], ["R4"]]}),
    ({"missions": True}, {"missions": [["R3"] * 6, ["??"] * 6]}),
    ({"missions": True}, {"missions": [["??"] * 6]}),
    ({"portals": True}, {"portals": [["R3"], ["??"] * 3]}),
    ({"portals": True}, {"portals": [["R3", "R4", "R8"], ["??"] * 3]}),
    ({"portals": True}, {"portals": [["??"] * 3]}),
    ({"portals": True}, {"portals": [["RO3", "??", "??"], ["??"] * 3]}),
    ({"portals": True}, {"portals": [["RO3", "RO4", "??", "??"], ["??"] * 3]}),
    ({"portals": True}, {"portals": [["RO3", "RO4", "??"], ["??"] * 3], "portal_discards": ["R3", "R4"]}),
    ({"cards_as_dice": True}, {"cards": ["R1", "R1"]}),
    ({"cards_as_dice": True}, {"discards": ["R4"]}),
    ({"cards_as_dice": True}, {"roll": ["red", "blue"]}),
]


@pytest.mark.parametrize(("options", "position"), BAD, ids=str)
def test_positions_that_contradict_themselves(options: dict[str, Any], position: dict[str, Any]) -> None:
    with pytest.raises(BadRecord):
        SPECTRUM.from_record(2, Options(**options), position)


def test_hidden_portals_of_the_start_are_primaries_var_22() -> None:
    hands = [["??"] * 3, ["R3", "B4", "??"]]
    state = table(options={"portals": True}, portals=hands)
    for seed in range(20):
        guessed = SPECTRUM.determinize(state, Random(seed)).extras.portals
        assert all(set(hand.first) <= secrets.PRIMARY and not hand.later for hand in guessed)
    fourth = table("red.9", options={"portals": True}, portals=[["??", "??", "??", "RO3"], ["??"] * 3])
    assert fourth.extras.portals[0].later == (number_of("RO3"),)
    used = table(options={"portals": True}, portals=[["RO3", "??", "??"], ["??"] * 3], portal_discards=["R3", "R4"])
    assert used.extras.deck == 60 - 6 - 2


def test_states_that_contradict_themselves_are_not_loaded() -> None:
    state = table("red.4 | blue.3", "red blue")
    assert_damage_is_refused(
        SPECTRUM,
        state,
        {"phase": "place"},
        {"phase": "declare"},
        {"phase": "pass"},
        {"phase": "cards"},
        {"phase": "start"},
        {"phase": "end"},
        {"phase": "off"},
        {"phase": "send"},
        {"phase": "bonus"},
        {"phase": "over"},
        {"phase": "set-up"},
        {"usage": "red + red"},
        {"left": 0},
        {"left": 7},
        {"turn": 5},
        {"teams": [["red"], ["blue"]]},
        {"board": "x" * 108},
        {"board": "g" + "." * 107},
        {"board": "r" * 11 + "." * 97},
        {"held": {"color": "green", "seat": 0}},
        {"extras": {"pile": [0]}},
        {"extras": {"missions": [[1]]}},
        {"roll": ["red-orange"]},
    )


def test_the_position_that_a_picture_shows() -> None:
    state = table("red.4 green-blue.9 | blue.3")
    shown = SPECTRUM.proposer.seen_position(2, Options(), state.layout())
    assert SPECTRUM.from_record(2, Options(), shown) == state
    others = SPECTRUM.proposer.seen_position(2, Options(colors="blue,green"), state.layout())
    assert others == {"pawns": {}}


def test_events_in_the_words_of_a_recording() -> None:
    state = table("red.4 | red.5", "red blue")
    assert SPECTRUM.words(state, go("red.4", "red.5")) == {
        "player": 0,
        "type": "move",
        "from": "red.4",
        "to": "red.5",
        "captured": "orange",
    }
    entered = SPECTRUM.words(state, go("red stock", "blue.1"))
    assert entered == {"player": 0, "type": "move", "from": None, "to": "blue.1"}
    assert SPECTRUM.words(state, rolled("red blue")) == {"player": 0, "type": "roll", "faces": ["red", "blue"]}
    assert SPECTRUM.words(state, PlacePawn(0, "orange", "red.1")) == {
        "player": 0,
        "type": "place",
        "pawn": "orange",
        "to": "red.1",
    }
    assert SPECTRUM.words(state, TakeOff(0, "red.4")) == {"player": 0, "type": "surrender", "from": "red.4"}
    assert SPECTRUM.words(state, Declare(0, "red + blue")) == {"player": 0, "type": "use", "usage": "red + blue"}


def test_what_the_table_lets_stand() -> None:
    state = table("red.4 blue.3 | green.3", "red blue")
    stands = state.apply_unchecked(go("red.4", "red.8"))
    assert board(stands)["red.8"] == "red" and stands.turn == 1
    out_of_turn = state.apply_unchecked(go("green.3", "green.4", seat=1))
    assert board(out_of_turn)["green.4"] == "orange" and out_of_turn.turn == 0
    captured = state.apply_unchecked(go("red.4", "green.3"))
    assert captured.phase == "place"
    late = table("red.4", options={"surrender": True}).apply(rolled("red blue"))
    assert "red.4" not in board(late.apply_unchecked(TakeOff(0, "red.4")))
    double = table("red.8 blue.3 | green.3", "red red").apply_unchecked(go("red.8", "red.9"))
    assert double.phase == "move" and double.left == 2
    solo = alone("red.4 red.5", "red blue", solo_without="jump").apply_unchecked(go("red.4", "red.6"))
    assert board(solo)["red.6"] == "red"
    dice = Rolled((Die("spectrum-d6", "green"), Die("spectrum-d6", "yellow")))
    assert state.apply_unchecked(dice).turn == 1


def test_random_turns_survive_as_written_lines() -> None:
    """A whole game in notation leads to the same end."""
    rng = Random(11)
    state = again = SPECTRUM.start(2, Options(self_capture=True))
    for _ in range(120):
        due = state.expects()
        if isinstance(due, Over):
            break
        moves = state.legal_moves()
        event = rng.choice(moves) if moves else rolled(" ".join(rng.choices(PRIMARIES, k=len(due.dice))))
        again = again.apply(SPECTRUM.parse(again, SPECTRUM.text(event)))
        state = state.apply(event)
        assert again == state
    assert {sighting.piece for sighting in state.layout().cells.values()} <= {Pawn("red"), Pawn("orange"), None}
    assert len(WHEEL) == 12 and after(table("red.3"), rolled("red red")).usage == "red + red"
    assert drawn("R1 ??").pieces == (Card("red", 1), None)
