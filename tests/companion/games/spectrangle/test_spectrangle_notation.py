"""Texts of events: the same in every position, read leniently, refused with one of the declared errors."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.contract import Drawn, Shown
from companion.core.foundation.errors import AmbiguousMove, BadEvent, BadNotation, BadRecord
from companion.core.pieces import Die, Tile
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.moves import EXCHANGE_HIDDEN, PASS, PLACES, PlaceTile
from companion.games.spectrangle.options import Options
from tests.companion.games.spectrangle.short_spectrangle import draw, exchange, fresh, place, tile

STATE = fresh("GGY RRY BBR", "", board="c18 RRG")
EVERY_PLACE = [move for cell in PLACES for move in cell.values()]


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (place(21, "GYG"), "GGY4 c21 GYG"),
        (place(0, "RRR"), "RRR6 c0 RRR"),
        (exchange("GGY"), "exchange GGY4"),
        (EXCHANGE_HIDDEN, "exchange ??"),
        (PASS, "pass"),
        (draw(0, "GGY", None), "player 1 draws GGY4 ??"),
        (Shown(3, (tile("WWW"),)), "player 4 shows WWW1"),
    ],
)
def test_each_event_has_one_line(event: object, text: str) -> None:
    assert SPECTRANGLE.text(event) == text
    assert SPECTRANGLE.parse(STATE, text) == event


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("ggy4 c21 gyg", place(21, "GYG")),
        ("  YGG c21   GYG ", place(21, "GYG")),
        ("BBR5 c19", place(19, "RBB")),  # one turn is legal beside red
        ("RRR c0", place(0, "RRR")),
        ("EXCHANGE ygg4", exchange("GGY")),
        ("Player 2 draw GGB", draw(1, "GGB")),
    ],
)
def test_reading_is_lenient(text: str, event: object) -> None:
    assert SPECTRANGLE.parse(STATE, text) == event


def test_a_draw_may_leave_out_whose_it_is_while_one_is_due() -> None:
    placed = STATE.apply(place(28, "GYG"))
    assert SPECTRANGLE.parse(placed, "draws RRP") == draw(0, "RRP")
    with pytest.raises(BadNotation, match="whose hand"):
        SPECTRANGLE.parse(STATE, "draws RRP")


def test_a_placement_without_its_turn_is_asked_about_if_several_are_legal() -> None:
    state = fresh("RRY", "", board="c18 RRR")
    with pytest.raises(AmbiguousMove, match="RRY5 c19 RRY, RRY5 c19 RYR"):
        SPECTRANGLE.parse(state, "RRY5 c19")


@pytest.mark.parametrize(
    "text",
    ["", "hello", "GGY5 c21 GYG", "GGW c21", "GGY4 c36", "GGY4 c21 GGB", "exchange", "exchange XYZ", "player 0 draws GGY",
     "player 1 shows ??", "shows GGY", "GGY4 c21 GYG GYG", "pass pass"],
)  # fmt: skip
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        SPECTRANGLE.parse(STATE, text)


@settings(max_examples=80, deadline=None)
@given(st.one_of(st.text(max_size=40), st.from_regex(r"[RGBYPW?c0-9 ]{1,20}", fullmatch=True)))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        event = SPECTRANGLE.parse(STATE, text)
    except (BadNotation, AmbiguousMove):
        return
    assert SPECTRANGLE.parse(STATE, SPECTRANGLE.text(event)) == event


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(EVERY_PLACE))
def test_every_placement_survives_its_text_and_its_json(move: PlaceTile) -> None:
    assert SPECTRANGLE.parse(STATE, SPECTRANGLE.text(move)) == move
    assert SPECTRANGLE.event(msgspec.to_builtins(move)) == move


def test_objects_may_be_short() -> None:
    watched = {"type": "place", "cell": 21, "tile": {"left": "G", "right": "Y", "flat": "G", "value": 4}}
    assert SPECTRANGLE.event({**watched, "player": 0, "legal": True, "points": 4}) == place(21, "GYG")
    assert SPECTRANGLE.event({"type": "place", "cell": "c21", "tile": "GYG4"}) == place(21, "GYG")
    assert SPECTRANGLE.event({"type": "exchange", "tile": "YGG"}) == exchange("GGY")
    assert SPECTRANGLE.event({"type": "exchange", "tile": None}) == EXCHANGE_HIDDEN
    assert SPECTRANGLE.event({"type": "drawn", "seat": 1, "pieces": ["YGG4", "??", None]}) == draw(1, "GGY", None, None)
    assert SPECTRANGLE.event({"type": "shown", "seat": 1, "pieces": ["YGG4"]}) == Shown(1, (tile("GGY"),))


@pytest.mark.parametrize(
    "data",
    [
        None,
        "pass",
        [],
        {},
        {"type": "jump"},
        {"type": "place", "cell": 36, "tile": "GYG"},
        {"type": "place", "cell": 3, "tile": "GYW"},
        {"type": "place", "cell": 3, "tile": {"left": "G", "right": "G", "flat": "Y", "value": 5}},
        {"type": "place", "cell": 3},
        {"type": "drawn", "seat": 0, "pieces": [{"type": "die", "kind": "pips-d6", "face": 3}]},
        {"type": "rolled", "faces": []},
    ],
)
def test_other_objects_are_refused(data: object) -> None:
    with pytest.raises(BadNotation):
        SPECTRANGLE.event(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=80, deadline=None)
@given(
    JSON
    | st.fixed_dictionaries(
        {
            "type": st.sampled_from(["place", "drawn", "exchange"]),
            "cell": JSON,
            "tile": JSON,
            "seat": JSON,
            "pieces": JSON,
        }
    )
)
def test_any_json_is_an_event_or_refused(data: object) -> None:
    try:
        event = SPECTRANGLE.event(data)
    except BadNotation:
        return
    assert SPECTRANGLE.event(msgspec.to_builtins(event)) == event


@settings(max_examples=80, deadline=None)
@given(
    st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("board", "hands", "to_move", "bag", "scores", "passes", "x"), JSON)
    )
)
def test_any_json_is_a_position_or_refused(data: dict[str, object]) -> None:
    try:
        state = SPECTRANGLE.from_record(2, Options(), data)
    except BadRecord:
        return
    assert SPECTRANGLE.load(msgspec.json.encode(state)) == state


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=60) | JSON.map(msgspec.json.encode))
def test_any_bytes_are_a_state_or_refused(data: bytes) -> None:
    with pytest.raises(BadRecord):
        SPECTRANGLE.load(data)


def test_a_state_with_a_hand_in_another_order_is_refused() -> None:
    plain = msgspec.to_builtins(STATE)
    with pytest.raises(BadRecord, match="rising order"):
        SPECTRANGLE.load(_damaged(plain, "hands", [list(reversed(plain["hands"][0])), plain["hands"][1]]))


def _damaged(data: dict[str, object], key: str, value: object) -> bytes:
    return msgspec.json.encode({**data, key: value})


@settings(max_examples=80, deadline=None)
@given(key=st.sampled_from([*msgspec.to_builtins(STATE)]), value=JSON)
def test_a_damaged_state_is_a_state_or_refused(key: str, value: object) -> None:
    try:
        state = SPECTRANGLE.load(_damaged(msgspec.to_builtins(STATE), key, value))
    except BadRecord:
        return
    state.legal_moves()
    state.scores()
    state.layout()


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("board", "." * 107, "107 letters"),
        ("board", "RGW" + "." * 105, "no tile"),
        ("hands", [[0, 1, 2, 3]], "1 hands"),
        ("hands", [[0, 1, 2, 3], [3, 4, 5, 6]], "two places"),
        ("hidden", [0], "different lengths"),
        ("hidden", [1, 0], "more than 4"),
        ("turn", 2, "nobody has"),
        ("bag", 36, "more than"),
        ("laid", [[0, 3, 1]], "empty cell"),
        ("laid", [[0, 18, 1], [1, 18, 1]], "scores twice"),
        ("laid", [[2, 18, 1]], "nobody has"),
        ("pool", (1 << 36) - 1, "two places"),
        ("aside", 0, "two places"),
    ],
)
def test_a_state_that_contradicts_itself_is_refused(key: str, value: object, reason: str) -> None:
    state = fresh("RRR RRG", "", board="c18 YYG")
    with pytest.raises(BadRecord, match=reason):
        SPECTRANGLE.load(_damaged(msgspec.to_builtins(state), key, value))


def test_pieces_that_are_no_tiles_have_no_text() -> None:
    with pytest.raises(BadEvent):
        SPECTRANGLE.text(Drawn(0, (Die("pips-d6", 3),)))
    with pytest.raises(BadEvent):
        SPECTRANGLE.text(PlaceTile(3, Tile("G", "G", "W", 3)))
