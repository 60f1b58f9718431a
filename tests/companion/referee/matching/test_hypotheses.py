"""Which explanations of a picture are looked at, and what speaks against each beforehand."""

from __future__ import annotations

import pytest

from companion.core.contract import Drawn, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent
from companion.core.layout import Detection, Layout
from companion.referee.matching.clearing import cleaned
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.hypotheses import (
    CONTINUED,
    DUE_DRAW,
    HIDDEN_MOVE,
    ILLEGAL,
    SECOND_MOVE,
    Hypothesis,
    Search,
    cost,
    seat_of,
)
from simulation.ladder import LADDER, SET, Ladder, Lay, Skip, dealt
from simulation.matching.noise import ranked

TILE = {tile.name: tile for tile in SET}
OPEN = dealt("RRR6 RRY5", "BBB6 RRP5", cells="- - - BBR5")
HIDDEN = dealt("?? ??", "?? ??", cells="- - - BBR5")


def search(state: Ladder, seen: Layout) -> Search:
    return Search(LADDER, state, Evidence(seen), draws_unseen=False)


def best(found: list[Hypothesis]) -> Hypothesis:
    return min(found, key=cost)


def test_one_legal_move_costs_nothing_beforehand() -> None:
    one = best(search(OPEN, OPEN.apply(Lay(4, TILE["RRR6"])).layout()).legal())
    assert (one.events, one.prior, one.nll_ratio) == ((Lay(4, TILE["RRR6"]),), 0.0, 0.0)


def test_the_draw_after_it_costs_next_to_nothing_and_another_player_s_move_much() -> None:
    drawn = OPEN.apply(Lay(4, TILE["RRR6"])).apply(Drawn(0, (TILE["PPP6"],)))
    assert best(search(OPEN, drawn.layout()).legal()).prior == DUE_DRAW
    both = drawn.apply(Lay(5, TILE["RRP5"]))
    assert best(search(OPEN, both.layout()).legal()).prior == DUE_DRAW + SECOND_MOVE


def test_a_skip_costs_nothing_if_it_was_forced_and_much_if_it_was_not() -> None:
    forced = dealt("BBB6 GGG6", "RRR6 RRP5", cells="- - - RRY5")
    one = best(search(forced, forced.apply(Skip()).apply(Lay(4, TILE["RRR6"])).layout()).legal())
    assert one.events == (Skip(), Lay(4, TILE["RRR6"]))
    assert one.prior == CONTINUED
    open_to_both = dealt("?? ??", "RRR6 RRP5", cells="- - - RRY5")
    seen = open_to_both.apply(Skip()).apply(Lay(4, TILE["RRR6"])).layout()
    two = best(search(open_to_both, seen).legal())
    assert two.events[0] == Skip()
    assert two.prior == HIDDEN_MOVE + CONTINUED


@pytest.mark.parametrize(("odds", "event"), [(135.0, Lay(4, TILE["YYY6"])), (300.0, Skip())])
def test_a_skip_that_was_not_forced_is_one_in_a_hundred(odds: float, event: object) -> None:
    """The tile looks like one of the other player, or else like one that the player to move may have."""
    state = dealt("?? ??", "RRR6 RRP5", cells="- - - RRY5")
    share = odds / (1 + odds)
    read = ranked((TILE["RRR6"], share), (TILE["YYY6"], 1 - share))
    one = best(search(state, Layout({**state.layout().cells, "c4": read})).legal())
    assert one.events[0] == event


def test_an_illegal_move_costs_its_prior() -> None:
    layout = HIDDEN.layout()
    one = search(HIDDEN, Layout({**layout.cells, "c4": Detection.sure(TILE["GGG6"])}))
    (wrong,) = one.illegal(one.legal())
    assert (wrong.events, wrong.prior) == ((Lay(4, TILE["GGG6"]),), ILLEGAL)
    assert wrong.breaches[0].rule == "LAD-3"


def test_a_draw_after_an_illegal_move_is_not_held_against_it() -> None:
    wrong = OPEN.apply_unchecked(Lay(7, TILE["RRR6"])).apply(Drawn(0, (TILE["PPP6"],)))
    one = search(OPEN, wrong.layout())
    (found,) = one.illegal(one.legal())
    assert (found.events, found.nll_ratio) == ((Lay(7, TILE["RRR6"]),), 0.0)


def test_an_event_that_cannot_be_carried_out_is_taken_at_its_word() -> None:
    class Strict(Ladder, frozen=True):
        def _forced(self, move: object, found: object) -> Ladder:
            raise BadEvent("This cannot be carried out on the table.")

    state = Strict(HIDDEN.cells, HIDDEN.hands)
    layout = state.layout()
    one = search(state, Layout({**layout.cells, "c4": Detection.sure(TILE["GGG6"])}))
    (found,) = one.illegal([])
    assert (found.state, found.nll_ratio) == (None, 0.0)


def test_a_doubtful_cell_does_not_hide_a_clear_change() -> None:
    layout = HIDDEN.layout()
    flicker = ranked((TILE["YYY6"], 0.6), (None, 0.3))
    seen = Layout({**layout.cells, "c4": Detection.sure(TILE["GGG6"]), "c8": flicker})
    shown = cleaned(layout, Evidence(seen))
    assert shown.cells["c8"].piece is None
    assert LADDER.proposer.infer_event(HIDDEN, shown) == Lay(4, TILE["GGG6"])
    assert LADDER.proposer.infer_event(HIDDEN, seen) is None


def test_whose_event_it_is() -> None:
    assert seat_of(OPEN, Lay(4, SET[0])) == 0
    assert seat_of(OPEN, Drawn(1, (None,))) == 1
    assert OPEN.expects() == ToMove((0,))
    due = OPEN.apply(Lay(4, TILE["RRR6"]))
    assert isinstance(due.expects(), ToDraw)
    assert seat_of(due, Lay(5, SET[1])) == 1  # who lays a tile before the last player has drawn is the next one
