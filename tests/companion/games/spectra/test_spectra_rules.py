"""Every numbered rule of Spectra, the allowed and the forbidden, as examples from docs/rules/spectra.md.

Pieces are written as in `short_spectra`: "RL" is red large, "KM" black medium, "WS" white small.
"""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.contract import Drawn, Over, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, BadOptions, GameOver, IllegalMove
from companion.core.pieces import Pyramid
from companion.games.spectra.advice import bag, makes
from companion.games.spectra.exchanges import RECIPES
from companion.games.spectra.game import SPECTRA
from companion.games.spectra.moves import Add, Draw, EndTurn, Exchange, Withdraw
from companion.games.spectra.position import Options
from companion.games.spectra.stash import KINDS, SET
from companion.games.spectra.state import SpectraState
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.short import rules
from tests.companion.games.spectra.short_spectra import draw, give, piece, pieces, table, without_bag


@allows
@forbids
def test_spa_01_the_set_holds_102_pieces() -> None:
    assert sum(SET) == 102
    held = Counter(piece.color for piece, count in zip(KINDS, SET, strict=True) for _ in range(count))
    assert held == {
        "red": 15,
        "orange": 15,
        "yellow": 15,
        "green": 15,
        "blue": 15,
        "purple": 15,
        "black": 6,
        "white": 6,
    }
    state = table("RS RS RS RS RS", "")
    assert rules(state, draw(0, "RS")) == {"SPA-1"}
    with pytest.raises(BadEvent, match="SPA-1"):
        state.apply(draw(0, "RS"))
    assert not rules(state, draw(0, "RM"))


@forbids
def test_spa_01_other_pyramids_are_in_no_event() -> None:
    state, cyan = table("RS YS", ""), Pyramid("cyan", "small")
    for event in (Drawn(0, (cyan,)), Add(0, cyan), Exchange(0, pieces("RS YS"), cyan, "bag", ())):
        assert rules(state, event) == {"SPA-1"}


@forbids
def test_spa_02_nobody_gives_or_gets_who_does_not_play() -> None:
    state = table("RS YS RM", "")
    assert rules(state, Add(0, piece("RM"), 5)) == {"SPA-2"}
    assert rules(state, give(0, "RS YS", "OS", 5)) == {"SPA-2"}


@allows
def test_spa_02_everybody_starts_with_a_large_of_another_color() -> None:
    state = SPECTRA.start(3, Options(colors="green, red, purple"))
    assert state.colors == ("green", "red", "purple")
    assert [[s.piece for s in state.layout().heaps[f"seat{seat}.trees"]] for seat in range(3)] == [
        [piece("GL")],
        [piece("RL")],
        [piece("PL")],
    ]
    assert sum(state.bag) == 99


@pytest.mark.parametrize(
    ("seats", "colors"), [(2, "red,red"), (2, "red,black"), (2, "red"), (1, ""), (7, ""), (2, "pink,red")]
)
@forbids
def test_spa_02_other_numbers_and_colors_are_refused(seats: int, colors: str) -> None:
    with pytest.raises(BadOptions, match="SPA-2"):
        SPECTRA.start(seats, Options(colors=colors))


@forbids
def test_spa_02_an_event_needs_a_player_who_is_there() -> None:
    assert rules(table("", ""), EndTurn(4)) == {"SPA-2"}


@pytest.mark.parametrize(("gave", "took"), [("RS YS", "OS"), ("YS BS", "GS"), ("BS RS", "PS")])
@allows
@excludes
def test_spa_03_each_secondary_holds_two_primaries(gave: str, took: str) -> None:
    state = table(gave, "")
    assert not rules(state, give(0, gave, took))
    others = {"OS", "GS", "PS"} - {took}
    assert all(rules(state, give(0, gave, other)) == {"SPA-14"} for other in others)


@allows
@forbids
def test_spa_04_the_bag_is_whatever_is_not_on_the_table() -> None:
    state = table("OM KS", "WL", trees=("RL RM", "BL"))
    left = {one.color: one for one in bag(state)}
    assert (left["red"].large, left["red"].medium, left["red"].small) == (4, 4, 5)
    assert (left["black"].small, left["white"].large, left["orange"].medium) == (1, 1, 4)
    assert sum(SPECTRA.unseen(state).values()) == 102 - 6
    with pytest.raises(BadEvent, match="SPA-4"):
        state.apply(Drawn(0, (None,)))


@allows
@forbids
def test_spa_05_any_player_may_begin_and_turns_pass_to_the_left() -> None:
    state = SPECTRA.start(3, Options())
    assert state.expects() == ToMove((0, 1, 2))
    state = state.apply(draw(2, "RS"))
    assert state.expects() == ToMove((2,))
    state = state.apply(EndTurn(2))
    assert state.expects() == ToMove((0,))
    assert rules(state, draw(1, "RS")) == {"SPA-6"}
    assert rules(state, draw(2, "RS")) == {"SPA-5"}


@allows
@forbids
def test_spa_05_a_turn_holds_one_draw_and_the_rest_in_any_order() -> None:
    state = table("RS YS RM", "").apply(give(0, "RS YS", "OS")).apply(draw(0, "BM")).apply(Add(0, piece("RM")))
    assert rules(state, draw(0, "GS")) == {"SPA-5"}
    assert rules(state, Draw(0, "small")) == {"SPA-5"}
    with pytest.raises(IllegalMove, match="SPA-5"):
        state.apply(draw(0, "GS"))
    assert not rules(state, EndTurn(0))


@allows
@forbids
def test_spa_05_additions_go_to_the_own_trees() -> None:
    state = table("BM", "")
    assert rules(state, Add(0, piece("BM"), 1)) == {"SPA-5"}
    assert not rules(table("RM", ""), Add(0, piece("RM"), 0))


@forbids
def test_spa_05_the_next_player_is_judged_as_if_the_bag_had_been_passed() -> None:
    """A camera sees the exchange, not the bag: once player 1 may end the turn, player 2's mistake is what counts."""
    state = table("", "RS GS", drawn=True)
    assert rules(state, give(1, "RS GS", "YS")) == {"SPA-14"}
    assert rules(state, give(1, "RS GS", "YM")) == {"SPA-14", "SPA-15"}
    assert rules(state, draw(1, "GS")) == {"SPA-5"}


@allows
@forbids
def test_spa_06_the_draw_is_one_piece_and_compulsory() -> None:
    state = table("", "")
    assert rules(state, EndTurn(0)) == {"SPA-6"}
    assert rules(state, Drawn(0, pieces("RS RS"))) == {"SPA-6"}
    assert not rules(state.apply(draw(0, "RS")), EndTurn(0))


@allows
@forbids
def test_spa_06_the_size_may_be_chosen_among_those_left() -> None:
    state = table("", "").apply(Draw(0, "small"))
    assert state.expects() == ToDraw(0, 1, "bag", True)
    assert {
        chance.pieces[0].size for chance, _ in SPECTRA.outcomes(state) if isinstance(chance, Drawn) and chance.pieces[0]
    } == {"small"}
    assert rules(state, draw(0, "RL")) == {"SPA-6"}
    assert rules(state, EndTurn(0)) == {"SPA-6"}
    assert state.apply(draw(0, "WS")).drawn


@allows
@forbids
def test_spa_06_an_empty_bag_skips_the_draw() -> None:
    state = without_bag("", "")
    assert rules(state, Draw(0, "small")) == {"SPA-6"}
    assert not rules(state, EndTurn(0))


@allows
@forbids
def test_spa_06_no_size_that_the_bag_has_run_out_of() -> None:
    full = table("", "")
    only_large = tuple(count if kind < 8 else 0 for kind, count in enumerate(full.bag))
    state = SpectraState(full.colors, full.trees, full.supplies, only_large, 0)
    assert rules(state, Draw(0, "small")) == {"SPA-6"}
    assert not rules(state, Draw(0, "large"))


@allows
@forbids
def test_spa_07_own_color_goes_into_the_trees_other_colors_do_not() -> None:
    state = table("", "").apply(draw(0, "RM"))
    assert not rules(state, Add(0, piece("RM")))
    other = table("", "").apply(draw(0, "GM"))
    assert rules(other, Add(0, piece("GM"))) == {"SPA-7"}
    assert rules(other, Add(0, piece("RM"))) == {"SPA-7"}


@allows
@forbids
def test_spa_08_no_fourth_piece_of_a_size() -> None:
    state = table("RL RM", "", trees=("RL RL RL", "BL"))
    assert rules(state, Add(0, piece("RL"))) == {"SPA-8"}
    assert not rules(state, Add(0, piece("RM")))


@allows
@excludes
def test_spa_09_a_fitting_piece_left_in_supply_is_a_reminder_and_no_breach() -> None:
    state = table("RM GS", "", drawn=True)
    assert [reminder.rule for reminder in state.reminders()] == ["SPA-9"]
    assert not rules(state, EndTurn(0))
    after = state.apply(EndTurn(0)).apply(draw(1, "GM"))
    assert not rules(after, draw(1, "GM")) - {"SPA-5"}
    assert not table("RL", "", trees=("RL RL RL", "BL"), drawn=True).reminders()
    assert not table("GS", "", drawn=True).reminders()


@allows
def test_spa_09_until_it_is_added_it_may_be_given() -> None:
    assert not rules(table("RM YM", ""), give(0, "RM YM", "OM"))


@allows
@forbids
def test_spa_10_nobody_adds_in_another_players_turn() -> None:
    state = table("", "BM")
    assert rules(state, Add(1, piece("BM"))) == {"SPA-10"}
    assert not rules(table("", "BM", turn=1), Add(1, piece("BM")))


@allows
def test_spa_10_meanwhile_it_can_be_taken() -> None:
    assert not rules(table("RM PM", "BM"), give(0, "RM PM", "BM", 1))


@allows
@excludes
def test_spa_11_sizes_come_in_any_order() -> None:
    state = table("RS", "").apply(Add(0, piece("RS")))
    assert [score.total for score in state.scores()] == [0, 0]
    state = table("RM", "", trees=("RL RS", "BL")).apply(Add(0, piece("RM")))
    assert [score.total for score in state.scores()] == [1, 0]
    assert rules(state, Add(0, piece("RS"))) == {"SPA-7"}


@allows
@forbids
def test_spa_12_other_players_trees_are_protected() -> None:
    state = table("RL PL", "", trees=("RL", "BL"))
    assert rules(state, give(0, "RL PL", "BL", 1)) == {"SPA-12"}
    beside = table("RL PL", "BL", trees=("RL", "BL"))
    assert rules(beside, give(0, "RL PL", "BL", 1, "BL")) == {"SPA-12"}
    assert not rules(beside, give(0, "RL PL", "BL", 1))
    mixed = table("RS YS", "", trees=("RL RM", "BL"))
    assert rules(mixed, give(0, "RS YS", "OS", "bag", "RM")) == {"SPA-12"}, "a piece that came out of a tree beside it"


@allows
@forbids
def test_spa_12_own_tree_pieces_are_not_given_and_do_not_leave() -> None:
    state = table("YL", "")
    assert rules(state, give(0, "RL YL", "OL")) == {"SPA-12"}
    assert rules(state, Withdraw(0, piece("RL"))) == {"SPA-12"}
    assert not rules(table("YL RL", ""), give(0, "RL YL", "OL"))


@allows
@forbids
def test_spa_13_two_pieces_of_the_own_supply_for_one() -> None:
    state = table("RS YS OS", "GS")
    assert not rules(state, give(0, "RS YS", "OS"))
    assert rules(state, give(0, "YS", "OS")) == {"SPA-13"}
    assert rules(state, give(0, "RS YS OS", "GS", 1)) == {"SPA-13"}
    assert rules(state, give(0, "RS BS", "PS")) == {"SPA-13"}
    assert rules(state, give(0, "RS RS", "OS")) == {"SPA-13", "SPA-14"}


@pytest.mark.parametrize(
    ("gave", "took"), [("RS YS", "OS"), ("BM GM", "YM"), ("OL RL", "YL"), ("PS BS", "RS"), ("YM GM", "BM")]
)
@allows
def test_spa_14_two_colors_that_mix(gave: str, took: str) -> None:
    assert not rules(table(gave, ""), give(0, gave, took))


@pytest.mark.parametrize(
    ("gave", "took"),
    [
        ("RS RS", "RS"),
        ("OS OS", "RS"),
        ("OM GM", "YM"),
        ("OM BM", "GM"),
        ("RL GL", "YL"),
        ("YS PS", "BS"),
        ("RS BS", "GS"),
    ],
)
@forbids
def test_spa_14_two_colors_that_do_not(gave: str, took: str) -> None:
    assert rules(table(gave, ""), give(0, gave, took)) == {"SPA-14"}


@pytest.mark.parametrize(
    ("gave", "right"), [("BL RL", "PL"), ("YS BM", "GL"), ("GL YS", "BM"), ("RL YM", "OS"), ("PS BS", "RS")]
)
@allows
@forbids
def test_spa_15_equal_sizes_stay_and_different_ones_give_the_third(gave: str, right: str) -> None:
    state = table(gave, "")
    assert not rules(state, give(0, gave, right))
    for size in set("LMS") - {right[1]}:
        assert rules(state, give(0, gave, right[0] + size)) == {"SPA-15"}


@allows
@forbids
def test_spa_16_black_adds_a_primary_of_choice() -> None:
    state = table("KM RM", "")
    assert not rules(state, give(0, "KM RM", "OM"))
    assert not rules(state, give(0, "KM RM", "PM"))
    assert rules(state, give(0, "KM RM", "GM")) == {"SPA-16"}
    assert rules(state, give(0, "KM RM", "OS")) == {"SPA-16"}


@allows
@forbids
def test_spa_17_white_takes_a_primary_of_choice_out() -> None:
    state = table("WL OL", "")
    assert not rules(state, give(0, "WL OL", "RL"))
    assert not rules(state, give(0, "WL OL", "YL"))
    assert rules(state, give(0, "WL OL", "BL")) == {"SPA-17"}
    assert rules(state, give(0, "WL OL", "YM")) == {"SPA-17"}


@pytest.mark.parametrize(
    ("gave", "took"), [("KM RS", "OL"), ("KM RS", "OM"), ("KM RS", "OS"), ("WS GM", "BM"), ("WS GM", "YL")]
)
@allows
@forbids
def test_spa_18_black_needs_equal_size(gave: str, took: str) -> None:
    assert rules(table(gave, ""), give(0, gave, took)) == {"SPA-18"}
    same = gave[:-1] + gave[1]
    made = took[0] + gave[1]
    assert not rules(table(same, ""), give(0, same, made))


@pytest.mark.parametrize(
    ("gave", "took"),
    [
        ("KM OM", "RM"),
        ("WM RM", "OM"),
        ("KM WM", "RM"),
        ("KM KM", "RM"),
        ("WM WM", "OM"),
        ("RM YM", "KM"),
        ("KM RM", "WM"),
    ],
)
@forbids
def test_spa_19_pairs_that_yield_nothing(gave: str, took: str) -> None:
    assert rules(table(gave, ""), give(0, gave, took)) == {"SPA-19"}


@allows
@pytest.mark.parametrize(("gave", "took"), [("KM RM", "OM"), ("WM OM", "RM"), ("RM YM", "OM")])
def test_spa_19_pairs_that_yield_a_color_are_given(gave: str, took: str) -> None:
    state = table(gave, "")
    assert not rules(state, give(0, gave, took))
    assert piece(took) in {make.took for make in makes(state, 0)}
    assert {make.took.color for make in makes(state, 0)}.isdisjoint({"black", "white"})


@excludes
def test_spa_19_nothing_yields_black_or_white() -> None:
    assert {KINDS[made].color for _, _, made in RECIPES}.isdisjoint({"black", "white"})
    assert len(RECIPES) == 81 + 18 + 18


@allows
@forbids
def test_spa_20_players_before_bag() -> None:
    state = table("RS YS", "OS")
    assert rules(state, give(0, "RS YS", "OS")) == {"SPA-20"}
    after = state.apply(give(0, "RS YS", "OS", 1))
    assert after.supplies[1] == table("", "RS YS").supplies[1]
    assert after.supplies[0] == table("OS", "").supplies[0]
    nobody = table("RS YS", "")
    assert rules(nobody, give(0, "RS YS", "OS", 1)) == {"SPA-20"}
    assert nobody.apply(give(0, "RS YS", "OS")).bag == table("OS", "").bag


@allows
@excludes
def test_spa_21_the_acting_player_picks_the_giver() -> None:
    state = table("RS YS", "OS", "OS", colors="red,blue,green", trees=("RL", "BL", "GL"))
    assert not rules(state, give(0, "RS YS", "OS", 1))
    assert not rules(state, give(0, "RS YS", "OS", 2))
    assert rules(state, give(0, "RS YS", "OS")) == {"SPA-20"}
    assert [make.sources for make in makes(state, 0)] == [(1, 2)]


@allows
@forbids
def test_spa_22_no_source_no_exchange() -> None:
    state = table("RS YS OS OS OS OS OS", "")
    assert rules(state, give(0, "RS YS", "OS")) == {"SPA-22"}
    assert rules(state, give(0, "RS YS", "OS", 0)) == {"SPA-22"}
    assert not rules(table("RS YS OS OS OS OS", ""), give(0, "RS YS", "OS"))


@allows
@excludes
def test_spa_23_the_new_piece_may_be_added_or_given_at_once() -> None:
    state = table("GL BS RM", "").apply(give(0, "GL BS", "YM"))
    assert not rules(state, give(0, "YM RM", "OM"))
    own = table("OL YS", "").apply(give(0, "OL YS", "RM"))
    assert not rules(own, Add(0, piece("RM")))
    assert rules(state, Add(0, piece("YM"))) == {"SPA-7"}


@allows
@excludes
def test_spa_24_exchanges_are_free_and_the_drawn_piece_takes_part() -> None:
    state = table("YM", "").apply(draw(0, "RM"))
    assert not rules(state, EndTurn(0))
    assert not rules(state, give(0, "RM YM", "OM"))
    assert not rules(state.apply(give(0, "RM YM", "OM")), EndTurn(0))
    assert rules(state.apply(Add(0, piece("RM"))), give(0, "RM YM", "OM")) == {"SPA-12"}


@allows
@forbids
def test_spa_25_three_trees_win_at_that_moment() -> None:
    state = table("RS", "", trees=("RL RL RL RM RM RM RS RS", "BL"))
    assert state.outcome() is None
    won = state.apply(Add(0, piece("RS")))
    outcome = won.outcome()
    assert outcome is not None and outcome.rule == "SPA-25" and outcome.places == ((0,), (1,))
    assert won.expects() == Over() and not won.legal_moves()
    assert rules(won, EndTurn(0)) == {"SPA-25"}
    with pytest.raises(GameOver):
        won.apply(EndTurn(0))


@allows
def test_spa_25_not_in_another_players_turn() -> None:
    """An addition out of turn that the table lets stand wins when the own turn comes."""
    state = table("RS", "", trees=("RL RL RL RM RM RM RS RS", "BL"), turn=1, drawn=True)
    early = SpectraState(state.colors, state.trees, state.supplies, state.bag, 1).apply_unchecked(Add(0, piece("RS")))
    assert early.outcome() is None
    outcome = early.apply(draw(1, "GS")).apply(EndTurn(1)).outcome()
    assert outcome is not None and outcome.places[0] == (0,)


@allows
@forbids
def test_spa_26_a_quiet_round_with_an_empty_bag_ends_the_game() -> None:
    state = without_bag("", "", trees=("RL RM RS", "BL")).apply(EndTurn(0))
    assert state.outcome() is None
    over = state.apply(EndTurn(1))
    outcome = over.outcome()
    assert outcome is not None and outcome.rule == "SPA-26" and outcome.places == ((0,), (1,))
    assert rules(over, EndTurn(0)) == {"SPA-26"}


@allows
def test_spa_26_exchanges_without_addition_go_on_for_three_rounds() -> None:
    state = without_bag("RS YS OS", "", trees=("RL", "BL"))
    there, back = give(0, "RS YS", "OS", 1), give(1, "RS YS", "OS", 0)
    turns = 0
    while state.outcome() is None:
        seat = turns % 2
        state = state.apply(there if seat == 0 else back).apply(EndTurn(seat))
        turns += 1
    assert turns == 6
    outcome = state.outcome()
    assert outcome is not None and outcome.rule == "SPA-26" and outcome.places == ((0, 1),)


@excludes
def test_spa_26_a_full_bag_never_ends_it() -> None:
    state = table("", "")
    for turn in range(12):
        state = state.apply(draw(turn % 2, "GS") if turn < 5 else draw(turn % 2, "YS" if turn < 10 else "PS"))
        state = state.apply(EndTurn(turn % 2))
    assert state.outcome() is None


@allows
def test_spa_26_trees_decide_before_tree_pieces() -> None:
    state = without_bag("", "", trees=("RL RM RS", "BL BL BL BM BM")).apply(EndTurn(0)).apply(EndTurn(1))
    outcome = state.outcome()
    assert outcome is not None and outcome.places == ((0,), (1,))
    level = without_bag("", "", trees=("RL RM", "BL BL BM")).apply(EndTurn(0)).apply(EndTurn(1)).outcome()
    assert level is not None and level.places == ((1,), (0,))


@allows
def test_spa_27_some_order_of_events_explains_one_picture() -> None:
    """A draw, an exchange of it, and an addition of what it brought, all seen at once."""
    before = table("YS", "")
    events = (draw(0, "OL"), give(0, "OL YS", "RM"), Add(0, piece("RM")))
    after = before
    for event in events:
        after = after.apply(event)
    found, here = [], before
    while (event := SPECTRA.proposer.infer_event(here, after.layout())) is not None:
        found.append(event)
        here = here.apply(event)
    assert here.layout() == after.layout()
    assert [type(event) for event in found] == [Drawn, Exchange, Add]


@excludes
def test_spa_27_two_draws_explain_no_picture_legally() -> None:
    before = table("YS", "")
    seen = table("YS OL GM", "").layout()
    first = SPECTRA.proposer.infer_event(before, seen)
    assert isinstance(first, Drawn)
    second = SPECTRA.proposer.infer_event(before.apply(first), seen)
    assert isinstance(second, Drawn)
    assert rules(before.apply(first), second) == {"SPA-5"}


@allows
def test_spa_28_what_is_not_undone_stands() -> None:
    state = table("RS BS", "GS", drawn=True)
    illegal = give(0, "RS BS", "GS", 1)
    assert rules(state, illegal) == {"SPA-14"}
    after = state.apply_unchecked(illegal)
    assert after.supplies == table("GS", "RS BS").supplies
    assert not rules(after.apply(EndTurn(0)), give(1, "RS BS", "PS"))


@allows
def test_spa_28_draws_and_additions_stand_too() -> None:
    twice = table("", "", drawn=True).apply_unchecked(draw(0, "GS"))
    assert twice.supplies[0] == table("GS", "").supplies[0]
    early = table("", "").apply_unchecked(draw(1, "GS"))
    assert early.turn == 1 and early.drawn
    foreign = table("BM", "").apply_unchecked(Add(0, piece("BM"), 1))
    assert foreign.trees[1] == table("", "", trees=("RL", "BL BM")).trees[1]
    out = table("", "").apply_unchecked(Withdraw(0, piece("RL")))
    assert out.supplies[0] == table("RL", "", trees=("", "BL")).supplies[0]


@excludes
def test_spa_28_what_the_pieces_do_not_permit_cannot_stand() -> None:
    state = table("RS", "")
    for event in (give(0, "RS BS", "PS"), Add(0, piece("RM")), Withdraw(0, piece("RM")), give(0, "RS RS", "RS", 1)):
        with pytest.raises(BadEvent):
            state.apply_unchecked(event)


@excludes
def test_spa_28_nothing_stands_after_the_end() -> None:
    won = table("RS", "", trees=("RL RL RL RM RM RM RS RS", "BL")).apply(Add(0, piece("RS")))
    with pytest.raises(GameOver):
        won.apply_unchecked(EndTurn(0))
