"""What the page tells: what can be made of which pieces, whose piece it takes, what is left, what is still wanted."""

from __future__ import annotations

from companion.games.spectra.advice import bag, makes, wanted
from companion.games.spectra.moves import Add
from companion.games.spectra.stash import COLORS
from tests.companion.games.spectra.short_spectra import piece, pieces, table


def test_what_can_i_make_puts_pieces_for_the_own_trees_first() -> None:
    state = table("OL YS GM BM", "YM", drawn=True)
    found = makes(state, 0)
    assert [(make.took, make.gave, make.sources, make.grows) for make in found] == [
        (piece("RM"), pieces("OL YS"), ("bag",), True),
        (piece("GL"), pieces("BM YS"), ("bag",), False),
        (piece("BL"), pieces("GM YS"), ("bag",), False),
        (piece("YM"), pieces("GM BM"), (1,), False),
    ]


def test_it_can_be_asked_for_a_player_who_is_not_on_turn() -> None:
    state = table("", "RS YS", drawn=True)
    assert [make.took for make in makes(state, 1)] == [piece("OS")]
    assert makes(state, 0) == ()


def test_nothing_can_be_made_after_the_end() -> None:
    won = table("RS YS BS", "", trees=("RL RL RL RM RM RM RS RS", "BL")).apply(Add(0, piece("RS")))
    assert makes(won, 0) == ()


def test_black_offers_both_secondaries() -> None:
    assert {make.took for make in makes(table("KM RM", ""), 0)} == set(pieces("OM PM"))


def test_the_bag_by_color_and_size() -> None:
    left = bag(table("RS KL", "RS"))
    assert tuple(one.color for one in left) == COLORS
    red, black = left[0], left[6]
    assert (red.large, red.medium, red.small) == (4, 5, 3)
    assert (black.large, black.medium, black.small) == (1, 2, 2)


def test_what_the_trees_still_want() -> None:
    state = table("", "", trees=("RL RL RL RM RM RS", "BL"))
    assert wanted(state, 0) == pieces("RM RS RS")
    assert len(wanted(state, 1)) == 8
