"""What a picture of the board says: the usage that a player's moves imply, turns in one picture, rolls, and what is wrong."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.contract import Drawn
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Card, Pawn
from companion.core.verdict import Accepted, Pending, Refused, Same, TakenBack, Unclear
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import SPOTS
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Activate, Declare, Go, Pick, PlacePawn, Surrender, TakeOff
from companion.games.spectrum.options import Options
from companion.games.spectrum.search import explanations, illegal_candidates
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.turns import with_pawn
from companion.referee.matching import match
from tests.companion.games.short import after
from tests.companion.games.spectrum.short_spectrum import drawn, go, rolled, table
from tests.companion.games.spectrum.test_spectrum_generator import positions, random_roll

FOUR = "yellow.9 orange-yellow.9 | purple.9 red-orange.9"


def watched(state: SpectrumState) -> Layout:
    """What a camera over board and tray sees: no stock, no hands, no dice set apart."""
    layout = state.layout()
    return Layout(layout.cells, {spot: heap for spot, heap in layout.heaps.items() if spot == "dice"})


def moved(state: SpectrumState, pawn: str, to: str) -> Layout:
    """The board with one pawn lifted from a space and put down on another."""
    start, end = SPOTS.index(pawn), SPOTS.index(to)
    board = with_pawn(with_pawn(state.board, end, state.board[start]), start, ".")
    return watched(replace(state, board=board))


def told(verdict: Any) -> list[str]:
    assert isinstance(verdict, Accepted), verdict
    return [SPECTRUM.text(event) for event in verdict.events]


def test_a_move_that_only_one_usage_explains_implies_it() -> None:
    state = table(f"red.3 blue.3 {FOUR}", "red blue green")
    assert [one.usage for one in explanations(state, moved(state, "blue.3", "blue.5"))] == [
        "red + blue",
        "green + blue",
    ]
    both = after(state, Declare(0, "red + blue"), go("red.3", "red.4"), go("blue.3", "blue.4"))
    found = explanations(state, watched(both))
    assert [one.usage for one in found] == ["red + blue"]
    assert told(match(SPECTRUM, state, watched(both)))[0] == "player 1 uses red + blue"


def test_where_two_usages_explain_a_move_the_player_is_asked() -> None:
    state = table(f"red.3 blue.3 {FOUR}", "red blue green")
    verdict = match(SPECTRUM, state, moved(state, "red.3", "red.4"))
    assert isinstance(verdict, Unclear)
    assert {choice.text for choice in verdict.choices} == {
        "player 1 uses red + blue, player 1 moves R3 to R4",
        "player 1 uses red + green, player 1 moves R3 to R4",
    }


def test_usages_that_end_in_the_same_position_are_no_question() -> None:
    state = table(f"red.3 blue.3 {FOUR}", "red blue green")
    done = after(state, Declare(0, "red + blue"), go("red.3", "red.5"))
    assert told(match(SPECTRUM, state, watched(done)))[-1] == "player 1 moves R3 to R5"


def test_a_capture_and_its_placement_in_one_picture() -> None:
    state = table("red.4 green.2 | red.5", "red blue")
    done = after(state, go("red.4", "red.5"), PlacePawn(0, "orange", "green.1"))
    assert told(match(SPECTRUM, state, watched(done))) == ["player 1 moves R4 to R5", "player 1 puts orange on G1"]
    # Before the captured pawn stands somewhere the move alone is taken.
    held = state.apply(go("red.4", "red.5"))
    assert told(match(SPECTRUM, state, watched(held))) == ["player 1 moves R4 to R5"]
    placed = held.apply(PlacePawn(0, "orange", "green.1"))
    assert told(match(SPECTRUM, held, watched(placed))) == ["player 1 puts orange on G1"]


def test_dice_in_the_tray_are_a_roll() -> None:
    state = SPECTRUM.start(2, Options())
    after_roll = state.apply(rolled("blue red"))
    assert told(match(SPECTRUM, state, watched(after_roll))) == ["rolled d6 red blue"]
    one = Layout(state.layout().cells, {"dice": watched(after_roll).heaps["dice"][:1]})
    assert not isinstance(match(SPECTRUM, state, one), Accepted | Refused)
    # The same dice as before are no new roll.
    done = after(after_roll, go("red stock", "red.2"))
    assert isinstance(match(SPECTRUM, done, watched(done)), Same)


def test_a_move_and_the_next_roll_in_one_picture() -> None:
    state = table("red.4", "red blue")
    later = after(state, go("red.4", "red.6"), rolled("green yellow"))
    assert told(match(SPECTRUM, state, watched(later))) == ["player 1 moves R4 to R6", "rolled d6 yellow green"]


@pytest.mark.parametrize(
    ("pawns", "roll", "pawn", "to", "rule"),
    [
        ("red.8 blue.2 | green.3", "red red", "red.8", "red.9", "BRD-26"),
        ("red.4 blue.2 | green.3", "red red", "red.4", "red.5", "BRD-18"),
        ("red.4 yellow.2 | green.3", "red blue", "yellow.2", "yellow.3", "BRD-14"),
        ("red.4 red.5 | green.3", "red blue", "red.4", "red.7", "BRD-17"),
        ("red.4 blue.2 | green.3", "red blue", "red.4", "purple-red.4", "BRD-14"),
    ],
)
def test_an_illegal_move_is_refused_with_its_rule(pawns: str, roll: str, pawn: str, to: str, rule: str) -> None:
    state = table(pawns, roll)
    verdict = match(SPECTRUM, state, moved(state, pawn, to))
    assert isinstance(verdict, Refused), verdict
    assert verdict.event == go(pawn, to)
    assert {breach.rule for breach in verdict.breaches} == {rule}
    assert isinstance(match(SPECTRUM, state, watched(state)), Same)


def test_an_illegal_move_with_any_usage_is_refused() -> None:
    state = table(f"red.3 blue.3 {FOUR}", "red blue green")
    verdict = match(SPECTRUM, state, moved(state, "red.3", "red.6"))
    assert isinstance(verdict, Refused) and verdict.breaches[0].rule == "BRD-17"


def test_an_illegal_move_is_refused_beside_a_cloth_over_three_empty_spaces() -> None:
    state = table("red.4 red.5 | green.3", "red blue")
    seen = moved(state, "red.4", "red.7")
    covered = ("yellow.1", "yellow.2", "yellow.3")
    cells = {spot: sighting for spot, sighting in seen.cells.items() if spot not in covered}
    verdict = match(SPECTRUM, state, replace(seen, cells=cells))
    assert isinstance(verdict, Refused), verdict
    assert verdict.event == go("red.4", "red.7") and verdict.breaches[0].rule == "BRD-17"


def test_no_pawn_is_said_to_enter_a_space_under_a_cloth() -> None:
    state = table("red.4 red.5 | green.3", "red blue")
    seen = moved(state, "red.4", "red.7")
    cells = {spot: sighting for spot, sighting in seen.cells.items() if spot != "yellow.1"}
    found = [*illegal_candidates(state, replace(seen, cells=cells))]
    assert found == [go("red.4", "red.7")]


def test_a_captured_pawn_on_a_wrong_space_is_refused() -> None:
    state = table("red.4 | red.5", "red blue").apply(go("red.4", "red.5"))
    board = with_pawn(state.board, SPOTS.index("red-orange.1"), "o")
    verdict = match(SPECTRUM, state, watched(replace(state, board=board)))
    assert isinstance(verdict, Refused) and verdict.breaches[0].rule == "BRD-24"


def test_a_roll_while_something_can_still_be_played_is_refused() -> None:
    state = table("red.4", "red blue").apply(go("red.4", "red.5"))
    cells = state.layout().cells
    dice = watched(table("", "green yellow")).heaps["dice"]
    verdict = match(SPECTRUM, state, Layout(cells, {"dice": dice}))
    assert isinstance(verdict, Refused) and verdict.breaches[0].rule == "BRD-27"
    # Where the table lets it stand, the turn is over.
    stands = state.apply_unchecked(verdict.event)
    assert stands.turn == 1 and stands.roll == ("yellow", "green")


def test_nobody_is_accused_of_moving_before_a_roll_that_was_not_seen() -> None:
    state = table("red.4 | blue.3")
    verdict = match(SPECTRUM, state, moved(state, "red.4", "red.5"))
    assert isinstance(verdict, Pending) and "BRD-8" in verdict.text


def test_an_earlier_position_is_a_move_taken_back() -> None:
    start = table("red.4 blue.2 | green.3", "red blue")
    later = start.apply(go("red.4", "red.5"))
    verdict = match(SPECTRUM, later, watched(start), history=[start])
    assert isinstance(verdict, TakenBack | Unclear | Accepted)


def test_a_doubtful_pawn_is_read_by_the_rules() -> None:
    state = table("red.4 | blue.3", "red blue")
    cells = dict(watched(state.apply(go("red.4", "red.5"))).cells)
    cells["red.5"] = Detection((Candidate(Pawn("orange"), 0.55), Candidate(Pawn("red"), 0.4)))
    verdict = match(SPECTRUM, state, Layout(cells, watched(state).heaps))
    assert not isinstance(verdict, Refused)
    if isinstance(verdict, Accepted):
        assert verdict.events == (go("red.4", "red.5"),)


def test_surrender_and_portals_are_seen() -> None:
    state = table("red.4 red.6 | blue.3", options={"surrender": True})
    off = after(state, Surrender(0), TakeOff(0, "red.4"))
    assert told(match(SPECTRUM, state, watched(off))) == ["player 1 surrenders a pawn", "player 1 takes R4 off"]
    portals = table("red.3 | green.6", options={"portals": True}, portals=[["R3", "B4", "G5"], ["??"] * 3])
    drawing = portals.apply(Activate(0, Card("red", 3)))
    sent = after(drawing, drawn("YG5 Y4"))
    arrived = sent.apply(next(move for move in sent.legal_moves() if move.card == Card("yellow", 4)))
    assert told(match(SPECTRUM, sent, watched(arrived))) == ["player 1 sends to Y4"]


def test_a_shotgun_start_is_seen_on_the_board() -> None:
    state = SPECTRUM.start(2, Options(shotgun="cards"))
    dealt = state.apply(drawn("R1 RO1 O2 Y2 G3 B3"))
    assert told(match(SPECTRUM, state, watched(dealt))) == ["player 1 draws R1, RO1, O2, Y2, G3, B3"]
    dice = SPECTRUM.start(2, Options(shotgun="d12"))
    first = dice.apply(rolled("red blue", "d12"))
    assert told(match(SPECTRUM, dice, watched(first))) == ["rolled d12 red blue"]
    double = first.apply(rolled("red red", "d12"))
    picked = double.apply(Pick(1, "green", "yellow"))
    assert told(match(SPECTRUM, double, watched(picked))) == ["player 2 picks yellow and green"]
    again = first.apply(rolled("red green", "d12"))
    third = again.apply(rolled("yellow", "d12"))
    assert told(match(SPECTRUM, again, watched(third))) == ["rolled d12 yellow"]


def test_cards_that_replace_the_dice_are_seen() -> None:
    state = table("red.4", options={"cards_as_dice": True})
    later = state.apply(drawn("R1 B2"))
    seen = Layout(later.layout().cells, {"cards": later.layout().heaps["cards"]})
    assert told(match(SPECTRUM, state, seen)) == ["player 1 draws R1, B2"]
    assert isinstance(
        SPECTRUM.proposer.infer_event(later, watched(after(later, Declare(0, "R1"), go("red.4", "red.5")))), Declare
    )


@pytest.mark.parametrize("options", [{}, {"dice": "d12"}, {"self_capture": True, "self_jump": True}], ids=str)
def test_whole_turns_are_explained_and_never_accused(options: dict[str, Any]) -> None:
    rng = Random(str(options))
    for start in positions(rng, 2, Options(**options), 8):
        state = here = start.apply(random_roll(rng, start))
        while here.turn == state.turn and here.phase in ("declare", "move", "place", "pass"):
            here = here.apply(rng.choice(here.legal_moves()))
        if here.phase == "over":
            continue
        verdict = match(SPECTRUM, state, watched(here))
        assert isinstance(verdict, Accepted | Same | Unclear), verdict
        if isinstance(verdict, Accepted):
            assert after(state, *verdict.events).board == here.board


@pytest.mark.parametrize("options", [{}, {"dice": "d12"}], ids=str)
def test_random_displacements_are_legal_or_have_a_reason(options: dict[str, Any]) -> None:
    rng = Random(str(options))
    for start in positions(rng, 2, Options(**options), 12):
        state = start.apply(random_roll(rng, start))
        pawns = list(bits(state.pawns_on_paths(state.turn)))
        empty = [space for space in range(len(SPOTS)) if state.board[space] == "."]
        if state.phase not in ("move", "declare") or not pawns:
            continue
        pawn, to = SPOTS[rng.choice(pawns)], SPOTS[rng.choice(empty)]
        verdict = match(SPECTRUM, state, moved(state, pawn, to))
        legal = explanations(state, moved(state, pawn, to))
        if legal:
            assert isinstance(verdict, Accepted | Unclear)
        else:
            assert isinstance(verdict, Refused | Unclear) or state.violations(Go(state.turn, pawn, to))
            assert not isinstance(verdict, Accepted)


def test_suggestions_are_the_first_step_of_the_shortest_change() -> None:
    state = table(f"red.3 blue.3 {FOUR}", "red blue green")
    done = after(state, Declare(0, "red + blue"), go("red.3", "red.4"), go("blue.3", "blue.4"))
    assert SPECTRUM.proposer.infer_event(state, watched(done)) == Declare(0, "red + blue")
    assert SPECTRUM.proposer.infer_event(state, watched(state)) is None
    wrong = moved(state, "red.3", "red.8")
    assert SPECTRUM.proposer.infer_event(state, wrong) == go("red.3", "red.8")
    unseen = SPECTRUM.start(2, Options(missions=True))
    assert SPECTRUM.proposer.candidates(unseen, watched(unseen)) == (Drawn(0, (None,) * 3),)
