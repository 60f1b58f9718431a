"""Every numbered rule of Cribbage, the allowed and the forbidden, with the peggings that the game's own text works out."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.contract import Drawn, Over, Shown, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, BadOptions, GameOver, IllegalMove
from companion.games.cribbage.counting import combinations, points
from companion.games.cribbage.game import CRIBBAGE
from companion.games.cribbage.situation import Options
from companion.games.cribbage.state import CribbageState
from companion.games.shared.cards.deck import CODES, NUMBER_CARDS
from tests.companion.games.cribbage.short_cribbage import card, count, draw, go, lay, numbers, pegs, play, table
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.short import after, rules

SIX = "R1 R2 R3 R4 R5 R6"


def dealt(seats: int, seed: int = 1) -> CribbageState:
    """A hand of which every card is known, before anything is laid away; the last seat deals."""
    codes = list(CODES[:NUMBER_CARDS])
    Random(seed).shuffle(codes)
    state = CRIBBAGE.from_record(seats, Options(), {"dealer": seats - 1})
    while isinstance(due := state.expects(), ToDraw):
        state = state.apply(draw(due.seat, " ".join(codes.pop() for _ in range(due.count))))
    return state


def worth(hand: str, starter: str, crib: bool = False) -> int:
    return points(numbers(hand), numbers(starter)[0], crib=crib)


@allows
@forbids
def test_crb_01_the_lowest_cut_deals_and_equal_ones_cut_again() -> None:
    state = CRIBBAGE.start(2, Options())
    assert state.expects() == ToDraw(0, 1, "cut", shown=True)
    assert rules(state, play(0, "R3")) == {"CRB-1"}
    assert rules(state, draw(0, "??")) == {"CRB-1"}
    one = after(state, draw(0, "R3"))
    assert rules(one, draw(0, "R5")) == {"CRB-1"}
    assert rules(one, draw(1, "R3")) == {"CRB-1"}
    lower = after(one, draw(1, "B2"))
    assert (lower.dealer, lower.expects()) == (1, ToDraw(0, 9, "deck", shown=False))
    assert sum(CRIBBAGE.unseen(lower).values()) == 144
    equal = after(one, draw(1, "B3"))
    assert (equal.dealer, equal.expects()) == (None, ToDraw(0, 1, "cut", shown=True))
    assert after(equal, draw(1, "B9"), draw(0, "B3")).dealer == 0


@allows
@forbids
def test_crb_01_four_players_cut_until_one_is_lowest() -> None:
    state = CRIBBAGE.start(4, Options())
    tied = after(state, draw(0, "R9"), draw(1, "R3"), draw(2, "B3"), draw(3, "R4"))
    assert tied.expects() == ToDraw(1, 1, "cut", shown=True)
    assert rules(tied, draw(0, "R1")) == {"CRB-1"}
    assert rules(tied, Shown(5, (card("R1"),))) == {"CRB-1"}
    assert after(tied, draw(1, "R6"), draw(2, "R5")).dealer == 2


@allows
def test_crb_01_the_deal_passes_on_and_a_loser_deals_the_next_game() -> None:
    state = table("", "", played=[SIX, "B1 B2 B3 B4 B5 B6"], laid=["G1 G2 G3", "G4 G5 G6"], turn=0)
    state = after(state, count(0, worth(SIX, "GB1")), count(1, worth("B1 B2 B3 B4 B5 B6", "GB1")))
    crib = count(1, worth("G1 G2 G3 G4 G5 G6", "GB1", crib=True), "crib")
    assert CRIBBAGE.next_position(state) is None
    assert state.apply(crib).dealer == 0
    won = table("R3", "", played=["", ""], turn=0, scores=[120, 90]).apply(play(0, "R3"))
    assert isinstance(won.expects(), Over)
    assert CRIBBAGE.next_position(won) == {"dealer": 1}
    with pytest.raises(BadOptions, match="CRB"):
        CRIBBAGE.start(3, Options())
    assert table("R3", "", turn=0, target=200, scores=[120, 90]).apply(play(0, "R3")).outcome() is None


@allows
@forbids
def test_crb_02_nine_cards_and_three_laid_away() -> None:
    state = dealt(2)
    assert [state.hands.size(seat) for seat in (0, 1)] == [9, 9]
    assert state.expects() == ToMove((0, 1))
    assert len(state.legal_moves()) == 2 * 84
    own = [CODES[card] for card in state.hands.known[1]]
    first = state.apply(lay(1, " ".join(own[:3])))
    assert first.expects() == ToMove((0,))
    assert rules(first, lay(1, " ".join(own[3:6]))) == {"CRB-2"}
    assert rules(state, lay(1, " ".join(own[:2]))) == {"CRB-2"}
    assert rules(state, lay(0, " ".join(own[:3]))) == {"CRB-2"}
    assert rules(state, lay(0, "?? ?? ??")) == {"CRB-2"}
    assert rules(state, lay(1, f"{own[0]} {own[0]} {own[1]}")) == {"CRB-2"}
    assert rules(state, play(0, CODES[state.hands.known[0][0]])) == {"CRB-2"}
    done = first.apply(first.legal_moves()[0])
    assert (len(done.crib), done.expects()) == (6, ToDraw(1, 1, "starter", shown=True))


@allows
@forbids
def test_crb_02_hands_that_nobody_knows_lay_away_unseen_cards() -> None:
    state = CRIBBAGE.from_record(2, Options(), {"dealer": 1, "hands": [None, None]})
    assert state.hands.hidden == (9, 9)
    assert [len(move.cards) for move in state.legal_moves()] == [3, 3]
    assert rules(state, lay(0, "R1 ?? ??")) == {"CRB-2"}
    shown = state.apply(Shown(0, (card("R1"), card("B2"))))
    assert not rules(shown, lay(0, "R1 ?? ??"))
    unseen = after(shown, lay(0, "R1 ?? ??"), lay(1, "?? ?? ??"))
    assert unseen.laid_hidden == (2, 3)
    assert rules(unseen, Shown(0, (card("R1"),))) == {"CRB-2"}


@allows
@forbids
def test_crb_03_a_ten_as_starter_is_heels() -> None:
    state = dealt(2)
    state = after(state, lay(0, codes(state, 0, 3)), lay(1, codes(state, 1, 3)))
    free = next(code for code in CODES[:NUMBER_CARDS] if code.endswith("10") and numbers(code)[0] not in held(state))
    other = next(code for code in CODES[:NUMBER_CARDS] if code.endswith("9") and numbers(code)[0] not in held(state))
    assert pegs(state.apply(draw(1, free))) == [(1, 2, "heels")]
    assert pegs(state.apply(draw(1, other))) == []
    assert rules(state, draw(0, other)) == {"CRB-3"}
    assert rules(state, draw(1, "??")) == {"CRB-3"}
    assert rules(state, play(0, codes(state, 0, 1))) == {"CRB-3"}


def codes(state: CribbageState, seat: int, how_many: int) -> str:
    return " ".join(CODES[one] for one in state.hands.known[seat][:how_many])


def held(state: CribbageState) -> set[int]:
    return {one for cards in (*state.hands.known, *state.laid) for one in cards}


@allows
@forbids
def test_crb_04_the_count_never_goes_above_thirty_seven() -> None:
    state = table("R12 R2", "B12 B9", played=["G12", "Y12"], count="G12 Y12", turn=0)
    assert state.total == 24
    assert not rules(state, play(0, "R12"))
    later = state.apply(play(0, "R2"))
    assert later.total == 26
    assert rules(later, play(1, "B12")) == {"CRB-4"}
    assert not rules(later, play(1, "B9"))
    assert "CRB-4" in rules(later, play(0, "R12"))
    assert rules(later, play(1, "B8")) == {"CRB-4"}


@allows
@forbids
def test_crb_04_go_pegs_one_and_the_opponent_plays_on() -> None:
    state = table("R12 R9", "B12 B3 B1", played=["G12", "Y11"], count="G12 Y11", turn=0)
    assert rules(state, go(0)) == {"CRB-4"}
    state = after(state, play(0, "R9"), play(1, "B1"))
    assert (state.total, state.turn) == (33, 0)
    assert rules(state, play(0, "R12")) == {"CRB-4"}
    gone = state.apply(go(0))
    assert pegs(gone)[-1] == (1, 1, "go")
    assert (gone.turn, list(gone.legal_moves())) == (1, [play(1, "B3")])
    assert rules(gone, go(1)) == {"CRB-4"}
    done = gone.apply(play(1, "B3"))
    assert (done.total, done.turn, done.count) == (0, 0, ())
    assert [one for one in pegs(done) if one[2] in ("go", "last", "37")] == [(1, 1, "go")]


@allows
def test_crb_04_go_and_exactly_thirty_seven_make_two() -> None:
    state = table("R12 R9", "B12 B4 B1", played=["G12", "Y11"], count="G12 Y11", turn=0)
    state = after(state, play(0, "R9"), play(1, "B1"), go(0), play(1, "B4"))
    assert [one for one in pegs(state) if one[0] == 1] == [(1, 1, "go"), (1, 1, "37")]
    assert (state.count, state.turn) == ((), 0)


@allows
def test_crb_04_the_last_card_pegs_one_or_two() -> None:
    state = table("R3", "", played=["G12", "Y11"], count="G12 Y11", turn=0)
    assert pegs(state.apply(play(0, "R3"))) == [(0, 1, "last")]
    exact = table("R12", "", played=["G12", "Y2 Y11"], count="G12 Y2 Y11", turn=0)
    assert pegs(exact.apply(play(0, "R12"))) == [(0, 2, "37")]


@allows
@forbids
def test_crb_04_of_a_hand_that_nobody_knows_go_is_believed() -> None:
    state = table(None, "B3 B1", played=["G12 R11", "Y11"], count="G12 R11 Y11", turn=0)
    assert state.hands.hidden == (4, 0)
    assert not rules(state, go(0)) and not rules(state, play(0, "O3"))
    assert rules(state, play(0, "O4")) == {"CRB-4"}
    assert state.apply(go(0)).turn == 1
    low = table(None, "B3 B1", played=["G12", "Y11"], count="G12 Y11", turn=0)
    assert rules(low, go(0)) == {"CRB-4"}
    named = table("R12 R9", "B12 B3 B1", played=["G12", "Y11"], count="G12 Y11", turn=0).violations(go(0))[0].text
    assert "R9" not in named and "R12" not in named
    partly = table("?? ?? R3", "B3 B1", played=["G12 R11", "Y11"], count="G12 R11 Y11", turn=0)
    assert rules(partly, go(0)) == {"CRB-4"}
    done = state.apply(go(0)).apply(play(1, "B3"))
    assert (done.count, done.turn) == ((), 0)


@allows
def test_crb_04_who_has_the_go_and_an_unknown_hand_says_when_it_is_over() -> None:
    state = table("R12 R11", None, played=["G12", "Y11 Y8"], count="G12 Y11 Y8", turn=0)
    gone = state.apply(go(0))
    assert (gone.turn, gone.scored) == (1, True)
    assert not rules(gone, go(1)) and not rules(gone, play(1, "O6"))
    assert after(gone, go(1)).count == ()
    assert after(gone, go(1)).turn == 0
    assert sum(points for _, points, _ in pegs(after(gone, go(1)))) == 1


@allows
def test_crb_05_the_first_worked_pegging() -> None:
    """10, 8, 7, 9: 2 for 18 with the 8, 4 for the run with the 9."""
    state = table("R10 R7 R1", "B8 B9 B1", turn=0)
    state = after(state, play(0, "R10"), play(1, "B8"))
    assert pegs(state) == [(1, 2, "18")]
    state = after(state, play(0, "R7"))
    assert len(pegs(state)) == 1
    state = after(state, play(1, "B9"))
    assert pegs(state)[1:] == [(1, 4, "run")]


@excludes
def test_crb_05_the_second_worked_pegging() -> None:
    """9, 8, 8, 7: 2 for the pair, no run, because the extra 8 is in the way."""
    state = table("R9 R8 R1", "B8 B7 B1", turn=0)
    state = after(state, play(0, "R9"), play(1, "B8"), play(0, "R8"))
    assert pegs(state) == [(0, 2, "pair")]
    assert pegs(after(state, play(1, "B7"))) == pegs(state)


@pytest.mark.parametrize(("alike", "pegged"), [(2, 2), (3, 6), (4, 12), (5, 20), (6, 30), (7, 42)])
@allows
def test_crb_05_cards_of_one_rank(alike: int, pegged: int) -> None:
    colors = ["R", "RO", "O", "OY", "Y", "YG", "G"]
    played = [f"{colors[at]}2" for at in range(alike - 1)]
    by_seat = [" ".join(played[0::2]), " ".join(played[1::2])]
    state = table(f"{colors[alike - 1]}2 B1", "B3", played=by_seat, count=" ".join(played), turn=0)
    found = pegs(state.apply(play(0, f"{colors[alike - 1]}2")))
    assert found == [(0, pegged, "pair")]


@allows
def test_crb_05_eighteen_and_a_run_add_up() -> None:
    state = table("R6 R1", "B1", played=["R5", "B7"], count="R5 B7", turn=0)
    assert pegs(state.apply(play(0, "R6"))) == [(0, 2, "18"), (0, 3, "run")]


def counting() -> CribbageState:
    """All cards played; seat 1 deals."""
    return table("", "", played=[SIX, "B1 B2 B3 B4 B5 B6"], laid=["G1 G2 G3", "G4 G5 G6"], turn=0)


@allows
@forbids
def test_crb_06_hands_are_counted_in_order_and_rightly() -> None:
    state = counting()
    right = worth(SIX, "GB1")
    assert state.expects() == ToMove((0,))
    assert rules(state, count(1, worth("B1 B2 B3 B4 B5 B6", "GB1"))) == {"CRB-6"}
    assert rules(state, count(1, 3, "crib")) == {"CRB-6"}
    found = state.violations(count(0, right + 1))
    assert found[0].rule == "CRB-7" and f"counts {right}, not {right + 1}" in found[0].text
    assert not rules(state, count(0, right))
    with pytest.raises(IllegalMove, match="= 18"):
        state.apply(count(0, 0))
    assert rules(dealt(2), count(0, 3)) == {"CRB-2"}
    assert rules(table("R3", "", turn=0), count(0, 3)) == {"CRB-6"}
    assert rules(state, play(0, "R1")) == {"CRB-4"}
    assert rules(state, lay(0, "R1 R2 R3")) == {"CRB-2"}


@allows
@forbids
def test_crb_06_the_crib_is_turned_up_before_it_is_counted() -> None:
    theirs = "B1 B2 B3 B4 B5 B6"
    played = table("", "", played=[SIX, theirs], laid=["G1 G2 G3", None], turn=0)
    assert played.expects() == ToMove((0,)), "hands are counted first"
    assert not rules(played, draw(1, "G4 G5 G6")), "who writes a game down may know the crib before"
    state = after(played, count(0, worth(SIX, "GB1")), count(1, worth(theirs, "GB1")))
    assert state.expects() == ToDraw(1, 3, "crib", shown=True)
    assert rules(state, count(1, 12, "crib")) == {"CRB-6"}
    assert rules(state, draw(1, "G1 G5 G6")) == {"CRB-6"}
    up = after(state, draw(1, "G4 G5"), draw(1, "G6"))
    assert [CODES[one] for one in up.crib] == ["G1", "G2", "G3", "G4", "G5", "G6"]
    assert up.expects() == ToMove((1,))


@allows
@excludes
def test_crb_02_nobody_sees_the_crib_before_it_is_counted() -> None:
    state = table("", "", played=[SIX, "B1 B2 B3 B4 B5 B6"], laid=["G1 G2 G3", "G4 G5 G6"], turn=0)
    theirs = worth("B1 B2 B3 B4 B5 B6", "GB1")
    for counted in (state, state.apply(count(0, worth(SIX, "GB1")))):
        assert [CRIBBAGE.view(counted, seat).laid_hidden for seat in (0, 1, None)] == [(0, 3), (3, 0), (3, 3)]
        assert all(CRIBBAGE.view(counted, seat).expects() == counted.expects() for seat in (0, 1, None))
    up = after(state, count(0, worth(SIX, "GB1")), count(1, theirs))
    assert all(CRIBBAGE.view(up, seat) == up for seat in (0, 1, None)), "all hands are counted: the crib lies open"


@allows
@forbids
def test_crb_06_who_reaches_the_target_first_wins_at_once() -> None:
    mine, theirs = worth(SIX, "GB1"), worth("B1 B2 B3 B4 B5 B6", "GB1")
    state = table(
        "", "", played=[SIX, "B1 B2 B3 B4 B5 B6"], laid=["G1 G2 G3", "G4 G5 G6"], turn=0, scores=[121 - mine, 120]
    )
    over = state.apply(count(0, mine))
    assert over.outcome() is not None
    assert over.outcome().places == ((0,), (1,))
    assert over.outcome().rule == "CRB-6"
    assert [score.total for score in over.scores()] == [121, 120]
    with pytest.raises(GameOver, match="CRB-6"):
        over.apply(count(1, theirs))
    assert rules(over, draw(0, "R1")) == {"CRB-6"}


def counted(hand: str, starter: str, laid: list[str] | None = None) -> CribbageState:
    """Seat 0 counts this hand next; seat 1 deals."""
    laid = laid or ["GB2 GB3 GB4", "GB5 GB6 GB7"]
    return table("", "", played=[hand, "BP1 BP2 BP3 BP4 BP5 BP6"], laid=laid, starter=starter, turn=0)


@allows
@forbids
@pytest.mark.parametrize(
    ("hand", "starter", "right", "wrong"),
    [
        ("R9 RO9 G1 G3 Y5 O12", "Y4", 17, (15, 11)),
        ("R1 R3 G5 O7 O9 Y11", "Y12", 6, (0, 8)),
        ("R2 O2 Y2 G6 G9 G12", "Y11", 10, (4, 12)),
    ],
)
def test_crb_07_a_count_is_refused_that_leaves_something_out_or_adds_something(
    hand: str, starter: str, right: int, wrong: tuple[int, ...]
) -> None:
    state = counted(hand, starter)
    assert not rules(state, count(0, right))
    assert [rules(state, count(0, one)) for one in wrong] == [{"CRB-7"}] * len(wrong)


@allows
def test_crb_07_eighteens_pairs_and_runs() -> None:
    assert worth("R9 B9 G1 G3 Y5 O12", "P4") == 6 * 2 + 2 + 3
    assert worth("R6 B6 G6 O2 O11 Y11", "P9") == 2 + 6 + 2
    assert worth("R1 B3 G5 O7 O9 Y11", "P12") == 3 * 2
    assert worth("R1 R2 R3 B10 B11 B12", "G12") == 2 * 2 + 2 + 3 + 2 * 3
    two_runs = [line.text for line in combinations(numbers("R1 B2 G3 O9 P10 Y11"), numbers("GB6")[0])]
    assert "run of 3: R1 B2 G3" in two_runs and "run of 3: O9 P10 Y11" in two_runs


@allows
@excludes
def test_crb_08_a_flush_needs_a_common_shade() -> None:
    odd = "R1 RO3 PR5 R7 RO9 R11"
    assert worth(odd, "B12") == 6 + worth_without_flush(odd, "B12")
    assert worth(odd, "PR12") == 7 + worth_without_flush(odd, "PR12")
    assert worth(odd, "B12", crib=True) == worth_without_flush(odd, "B12")
    assert worth(odd, "R12", crib=True) == 7 + worth_without_flush(odd, "R12")
    not_shared = "R1 RO3 O5 R7 RO9 R11"
    assert worth(not_shared, "R12") == worth_without_flush(not_shared, "R12")


@allows
@forbids
def test_crb_08_the_flush_is_counted_with_the_hand_but_not_with_every_crib() -> None:
    hand, rest = "R1 RO3 PR5 R7 RO9 R11", worth_without_flush("R1 RO3 PR5 R7 RO9 R11", "Y12")
    state = counted(hand, "Y12")
    assert not rules(state, count(0, rest + 6))
    assert rules(state, count(0, rest)) == {"CRB-8"}
    assert rules(state, count(0, rest + 7)) == {"CRB-7"}, "seven only if the starter shares the shade"
    crib = counted("R2 R4 R6 G8 G10 G12", "Y12", laid=["R1 RO3 PR5", "R7 RO9 R11"])
    for _ in (0, 1):
        crib = crib.apply(crib.legal_moves()[0])
    assert rules(crib, count(1, rest + 6, "crib")) == {"CRB-7"}
    assert not rules(crib, count(1, rest, "crib"))


def worth_without_flush(hand: str, starter: str) -> int:
    return sum(line.points for line in combinations(numbers(hand), numbers(starter)[0]) if line.rule != "CRB-8")


@allows
@excludes
def test_crb_09_each_ten_that_shares_a_primary_with_the_starter() -> None:
    def nobs(hand: str, starter: str) -> int:
        return len([line for line in combinations(numbers(hand), numbers(starter)[0]) if line.rule == "CRB-9"])

    assert nobs("R10 RO10 G10 B1 B2 B3", "PR4") == 2
    assert nobs("R10 RO10 O10 B1 B2 B3", "RO4") == 3
    assert nobs("G10 B1 B2 B3 R4 R6", "O4") == 0
    assert nobs("R9 RO9 G9 B1 B2 B3", "R10") == 0


@allows
@forbids
def test_crb_09_a_ten_that_is_left_out_is_named() -> None:
    hand = "RO10 G10 Y1 O2 P2 B6"
    state = counted(hand, "PR9")
    right = worth(hand, "PR9")
    assert not rules(state, count(0, right))
    assert rules(state, count(0, right - 1)) == {"CRB-9"}
    assert rules(state, count(0, right + 1)) == {"CRB-7"}, "green 10 shares nothing with purple-red"


@excludes
@pytest.mark.parametrize(
    ("hand", "starter", "runs"),
    [("R1 B2 G3 Y3 O6 P8", "Y10", 8), ("R1 B2 G3 Y3 O3 P10", "Y12", 15), ("R1 B2 O2 G3 Y4 P4", "Y9", 20)],
)
def test_crb_10_runs_with_equal_cards_are_not_counted_once(hand: str, starter: str, runs: int) -> None:
    eighteens = sum(line.points for line in combinations(numbers(hand), numbers(starter)[0]) if "= 18" in line.text)
    state = counted(hand, starter)
    assert not rules(state, count(0, runs + eighteens))
    assert rules(state, count(0, runs + eighteens - 3)) == {"CRB-7"}


@pytest.mark.parametrize(
    ("cards", "comes_to"),
    [
        ("R4 B4 G4", 6),
        ("R4 B4 G4 Y4", 12),
        ("R1 B2 G3 Y3", 8),
        ("R1 B2 G3 Y3 O3", 15),
        ("R1 B2 O2 G3 Y3", 16),
        ("R1 B2 G3 Y4 O4", 10),
        ("R1 B2 O2 G3 Y4 P4", 20),
    ],
)
@allows
def test_crb_10_pairs_and_runs_come_to(cards: str, comes_to: int) -> None:
    some = numbers(cards)
    lines = combinations(some[:-1], some[-1])
    found = [line for line in lines if line.text.startswith(("pair", "run"))]
    assert sum(line.points for line in found) == comes_to


@allows
@forbids
def test_crb_11_four_players_in_two_teams() -> None:
    state = dealt(4)
    assert [state.hands.size(seat) for seat in range(4)] == [10] * 4
    assert rules(state, lay(0, codes(state, 0, 3))) == {"CRB-11"}
    for seat in range(4):
        state = state.apply(lay(seat, codes(state, seat, 2)))
    assert len(state.crib) == 8
    state = table("R3 R5", "B3", "G3", "Y3", turn=0, scores=[10, 20, 10, 20])
    assert "CRB-11" in rules(state, play(2, "G3"))
    state = after(state, play(0, "R3"), play(1, "B3"))
    assert [score.total for score in state.scores()] == [10, 22, 10, 22]
    assert state.scores()[1].lines[-1].text == "player 2, cards of one rank"
    assert CRIBBAGE.from_record(4, Options(), {"scores": [7, 9]}).totals == (7, 9)


@allows
def test_crb_11_go_passes_on_and_the_last_to_play_has_it() -> None:
    state = table("R12 R11", "B12", "G2 G12", "Y12 Y1", played=["P12", "P11", "P10", ""], count="P12 P11 P10", turn=3)
    state = after(state, play(3, "Y1"))
    assert (state.total, state.turn) == (34, 0)
    state = after(state, go(0), go(1))
    assert (state.turn, pegs(state)) == (2, [])
    state = after(state, play(2, "G2"))
    assert (state.total, state.turn, pegs(state)) == (36, 3, [])
    state = after(state, go(3))
    assert pegs(state) == [(2, 1, "go")]
    assert (state.count, state.turn) == ((), 3)


@allows
@excludes
def test_crb_11_a_flush_of_eight() -> None:
    hand = "R1 RO3 PR5 R7 RO9 R11 PR2 PR4"
    flush = [line for line in combinations(numbers(hand), numbers("B12")[0]) if line.rule == "CRB-8"]
    assert [line.points for line in flush] == [8]
    assert [line.points for line in combinations(numbers(hand), numbers("R12")[0]) if line.rule == "CRB-8"] == [9]
    crib = combinations(numbers(hand), numbers("B12")[0], crib=True)
    assert not [line for line in crib if line.rule == "CRB-8"]


@allows
def test_crb_11_the_dealer_counts_last_and_then_the_crib() -> None:
    eights = [" ".join(f"{color}{rank}" for rank in range(1, 9)) for color in ("R", "O", "Y", "G")]
    state = table("", "", "", "", played=eights, laid=["B1 B2", "B3 B4", "B5 B6", "B7 B8"], turn=0, target=500)
    order = []
    while not isinstance(state.expects(), ToDraw):
        move = state.legal_moves()[0]
        order.append((move.seat, move.of))
        state = state.apply(move)
    assert order == [(0, "hand"), (1, "hand"), (2, "hand"), (3, "hand"), (3, "crib")]
    assert state.dealer == 0


@allows
def test_crb_12_exactly_thirty_seven_pegs_two_and_the_next_leads() -> None:
    state = table("R12 R1", "B12 B1", played=["G12", "Y1"], count="G12 Y1", turn=0)
    state = after(state, play(0, "R12"), play(1, "B12"))
    assert pegs(state) == [(1, 2, "pair"), (1, 2, "37")]
    assert (state.count, state.turn) == ((), 0)
    assert rules(state, play(1, "B1")) == {"CRB-4"}, "who made 37 does not lead"


@excludes
def test_crb_12_go_and_the_last_card_do_not_add_up() -> None:
    state = table("R9 R2", "B3", played=["G12", "Y1"], count="G12 Y1", turn=1)
    over = after(state, play(1, "B3"), play(0, "R9"), play(0, "R2"))
    assert over.is_played and pegs(over) == [(0, 1, "go")], "player 2 without cards has said Go with the 9"


@allows
def test_crb_12_a_player_without_cards_counts_as_having_said_go() -> None:
    state = table("R12 R11 R10 R9", "B3", played=["", ""], turn=1)
    state = after(state, play(1, "B3"), play(0, "R12"))
    assert pegs(state) == [(0, 1, "go")]
    assert state.turn == 0
    state = after(state, play(0, "R11"), play(0, "R10"))
    assert state.turn == 0
    assert [one for one in pegs(state) if one[2] != "run"] == [(0, 1, "go")]
    assert (state.total, len(state.hands.known[0])) == (0, 1)
    done = after(state, play(0, "R9"))
    assert pegs(done)[-1] == (0, 1, "last")
    assert done.is_played


@pytest.mark.parametrize("seats", CRIBBAGE.seats)
def test_views_do_not_tell_what_is_hidden(seats: int) -> None:
    """States that differ only in cards which a seat cannot see are the same to that seat."""
    rng = Random(seats)
    state = dealt(seats)
    for _ in range(5 * seats):
        for seat in (None, *range(seats)):
            view = CRIBBAGE.view(state, seat)
            others = [CRIBBAGE.determinize(view, rng) for _ in range(2)]
            assert any(other != state for other in others) or state.is_played
            for other in others:
                assert CRIBBAGE.view(other, seat) == view
                assert CRIBBAGE.view(other, seat).scores() == view.scores()
                assert CRIBBAGE.view(other, seat).layout() == view.layout()
            if seat is not None:
                assert view.hands.known[seat] == state.hands.known[seat]
                assert view.laid[seat] == state.laid[seat]
        due = state.expects()
        if isinstance(due, ToDraw):
            state = state.apply(rng.choice([event for event, _ in CRIBBAGE.outcomes(state)]))
        else:
            state = state.apply(rng.choice(list(state.legal_moves())))


def test_what_others_lay_away_and_draw_is_redacted() -> None:
    state = dealt(2)
    away = lay(0, codes(state, 0, 3))
    assert CRIBBAGE.redact(state, away, 0) == away
    assert CRIBBAGE.redact(state, away, 1) == CRIBBAGE.redact(state, away, None) == lay(0, "?? ?? ??")
    begun = CRIBBAGE.from_record(2, Options(), {"dealer": 1})
    assert CRIBBAGE.redact(begun, draw(0, "R1 R2"), 1) == draw(0, "?? ??")
    cut = CRIBBAGE.start(2, Options())
    assert CRIBBAGE.redact(cut, draw(0, "R1"), 1) == draw(0, "R1")
    assert CRIBBAGE.redact(begun, Shown(0, (card("R1"),)), 1) is None


def test_illegal_moves_may_stand() -> None:
    state = table("R12 R2", "B12 B9", played=["G12", "Y12"], count="G12 Y12", turn=0)
    agreed = state.apply_unchecked(play(1, "B9"))
    assert agreed.turn == 0
    said = state.apply_unchecked(go(0))
    assert said.turn == 1 and pegs(said) == [(1, 1, "go")]
    over = after(state, play(0, "R2")).apply_unchecked(play(1, "B12"))
    assert over.total == 12
    with pytest.raises(BadEvent):
        state.apply_unchecked(play(0, "R5"))
    with pytest.raises(BadEvent):
        state.apply_unchecked(count(0, 3))
    with pytest.raises(BadEvent):
        state.apply_unchecked(Drawn(0, ()))
    wrong = counting().apply_unchecked(count(0, 99))
    assert pegs(wrong) == [(0, 99, "hand")]
    early = dealt(2)
    assert early.apply_unchecked(lay(0, codes(early, 0, 3))).to_lay == (1,)
    with pytest.raises(BadEvent):
        early.apply_unchecked(lay(0, codes(early, 0, 2)))
