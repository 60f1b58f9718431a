"""What lies between two pictures: whole turns, nests, doubtful readings, illegal events, two recorded games."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.contract import Drawn, Event, Over
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Pyramid
from companion.games.spectra.game import SPECTRA
from companion.games.spectra.moves import Add, EndTurn, Exchange, Withdraw
from companion.games.spectra.position import Options
from companion.games.spectra.state import SpectraState, change
from tests.companion.games.short import rules
from tests.companion.games.spectra.short_spectra import draw, give, piece, pieces, table, words
from tests.companion.games.suggestions import followed


def a_turn(rng: Random, state: SpectraState, seat: int) -> SpectraState:
    """A random turn: perhaps the bag passed on, a draw, up to two exchanges, additions; no move undoes another one."""
    if state.turn is not None and state.turn != seat:
        state = state.apply(EndTurn(state.turn))
    chances = list(SPECTRA.outcomes(state))
    if chances and not state.drawn:
        state = state.apply(rng.choices([event for event, _ in chances], [weight for _, weight in chances])[0])
    given: tuple[Pyramid, ...] = ()
    for kind in (Exchange, Exchange, Add, Add):
        moves = [move for move in state.legal_moves() if isinstance(move, kind)]
        moves = [move for move in moves if not isinstance(move, Exchange) or move.took not in given]
        if moves and rng.random() < 0.6:
            move = rng.choice(moves)
            given += getattr(move, "gave", ())
            state = state.apply(move)
    return state


@pytest.mark.parametrize("seats", (2, 4, 6))
def test_whole_turns_are_explained_by_legal_events_alone(seats: int) -> None:
    rng = Random(seats)
    for _ in range(12):
        state = SPECTRA.start(seats, Options())
        for turn in range(14):
            after = a_turn(rng, state, turn % seats)
            events, reached = followed(SPECTRA, state, after.layout())
            assert not reached.layout().differences(after.layout()), (events, state, after)
            assert len(events) <= 6
            state = after
            if isinstance(state.expects(), Over):
                break


@pytest.mark.parametrize("seats", (2, 3, 6))
def test_every_single_visible_event_is_among_the_candidates(seats: int) -> None:
    rng = Random(seats + 10)
    for _ in range(15):
        state = SPECTRA.start(seats, Options())
        for turn in range(12):
            state = a_turn(rng, state, turn % seats)
            if state.outcome() is not None:
                break
            for event in [*state.legal_moves(), *[chance for chance, _ in SPECTRA.outcomes(state)]]:
                seen = state.apply(event).layout()
                if state.layout().differences(seen):
                    assert event in SPECTRA.proposer.candidates(state, seen)


def test_few_candidates_remain() -> None:
    """Three full supplies, one exchange: a handful of events instead of dozens."""
    rich = "RS YS BM GM OL PL RM YL"
    state = table(rich + " KS WM", rich, rich, colors="red,blue,green", trees=("RL", "BL", "GL"), drawn=True)
    assert len(state.legal_moves()) >= 25
    exchange = next(move for move in state.legal_moves() if isinstance(move, Exchange) and move.source == 1)
    assert len(SPECTRA.proposer.candidates(state, state.apply(exchange).layout())) <= 3


def test_a_piece_nested_into_a_tree_is_not_seen_and_not_missed() -> None:
    """A medium put under the large of a tree: it leaves the supply and appears nowhere."""
    state = table("RM", "", drawn=True)
    nested = table("", "").layout()
    events, reached = followed(SPECTRA, state, nested)
    assert events == [Add(0, piece("RM"))]
    assert not reached.layout().differences(nested)
    bare = table("", "", trees=("RL RM", "BL"))
    assert not bare.layout().differences(table("", "", trees=("RL", "BL")).layout())
    assert bare.layout().differences(table("", "", trees=("RM", "BL")).layout())


def test_a_large_is_never_covered() -> None:
    state = table("RL", "", drawn=True)
    assert SPECTRA.proposer.infer_event(state, table("", "").layout()) is None


def test_the_drawn_piece_may_be_gone_before_anybody_saw_it() -> None:
    state = table("YS", "")
    events, _ = followed(SPECTRA, state, table("OM", "").layout())
    assert [SPECTRA.text(event) for event in events] == [
        "player 1 draws red large",
        "player 1 gives red large + yellow small for orange medium from bag",
    ]


def test_the_bag_is_passed_on_where_the_next_player_acts() -> None:
    events, _ = followed(SPECTRA, table("", "", drawn=True), table("", "GS").layout())
    assert events == [EndTurn(0), draw(1, "GS")]


def test_doubtful_readings_only_add_candidates() -> None:
    state = table("YS GM", "", drawn=True)
    doubtful = Detection((Candidate(piece("GM"), 0.6), Candidate(piece("BM"), 0.35)))
    heaps = {**state.layout().heaps, "seat0.supply": (Detection.sure(piece("YS")), doubtful)}
    came = change(state, Layout(heaps=heaps)).came_supply[0]
    assert sum(came) == 1
    assert SPECTRA.proposer.candidates(state, Layout(heaps=heaps)) == ()
    fresh = table("YS", "")
    heaps["seat1.supply"] = ()
    offered = {
        event.pieces[0] for event in SPECTRA.proposer.candidates(fresh, Layout(heaps=heaps)) if isinstance(event, Drawn)
    }
    assert offered == set(pieces("GM BM"))


def test_heaps_that_nobody_looked_at_say_nothing() -> None:
    state = table("YS", "GM")
    assert SPECTRA.proposer.infer_event(state, Layout()) is None
    assert SPECTRA.proposer.candidates(state, Layout()) == ()


@pytest.mark.parametrize(
    ("before", "after", "event", "rule"),
    [
        (table("RS GS", "", drawn=True), table("YS", ""), give(0, "RS GS", "YS"), "SPA-14"),
        (table("RS YS", "", drawn=True), table("OM", ""), give(0, "RS YS", "OM"), "SPA-15"),
        (table("WS GM", "", drawn=True), table("BM", ""), give(0, "WS GM", "BM"), "SPA-18"),
        (table("RS YS", "OS", drawn=True), table("OS", "OS"), give(0, "RS YS", "OS"), "SPA-20"),
        (
            table("RL PL", "", drawn=True),
            table("BL", "RL PL", trees=("RL", "")),
            give(0, "RL PL", "BL", 1, "BL"),
            "SPA-12",
        ),
        (table("YL", "", drawn=True), table("OL", "", trees=("", "BL")), give(0, "RL YL", "OL", "bag", "RL"), "SPA-12"),
        (table("RS", "GM", drawn=True), table("GM", "RS"), give(0, "RS", "GM", 1), "SPA-13"),
        (table("RS", "", drawn=True), table("RS GM", ""), draw(0, "GM"), "SPA-5"),
        (table("", ""), table("", "GM"), draw(1, "GM"), "SPA-6"),
        (table("GM", "", drawn=True), table("", "", trees=("RL GM", "BL")), Add(0, piece("GM")), "SPA-7"),
        (table("BM", "", drawn=True), table("", "", trees=("RL", "BL BM")), Add(0, piece("BM"), 1), "SPA-5"),
        (table("", "BM"), table("", "", trees=("RL", "BL BM")), Add(1, piece("BM")), "SPA-10"),
        (table("", ""), table("RL", "", trees=("", "BL")), Withdraw(0, piece("RL")), "SPA-12"),
    ],
)
def test_an_illegal_change_is_named(before: SpectraState, after: SpectraState, event: Event, rule: str) -> None:
    found = SPECTRA.proposer.infer_event(before, after.layout())
    assert found == event
    assert rule in rules(before, event)
    assert not before.apply_unchecked(event).layout().differences(after.layout())


def test_a_piece_taken_illegally_may_go_straight_into_a_tree() -> None:
    before = table("YM GS", "", drawn=True)
    seen = table("", "", trees=("RL RM", "BL")).layout()
    assert SPECTRA.proposer.infer_event(before, seen) == give(0, "YM GS", "RM")


def test_a_change_in_nothing_but_trees_is_a_tree_that_reads_otherwise() -> None:
    before = table("", "", trees=("RL RL RS", "BL"), drawn=True)
    assert SPECTRA.proposer.infer_event(before, table("", "", trees=("RL RM", "BL")).layout()) is None
    assert SPECTRA.proposer.infer_event(before, table("RM", "", trees=("RL", "BL")).layout()) is not None


def test_spa_13_one_piece_for_another_is_suggested_and_rarer_than_other_mistakes() -> None:
    before = table("OM GS", "", drawn=True)
    event = SPECTRA.proposer.infer_event(before, table("RM GS", "").layout())
    assert event == give(0, "OM", "RM")
    assert [breach.rule for breach in before.violations(event)] == ["SPA-13"]
    assert SPECTRA.proposer.rarity(before, event) > SPECTRA.proposer.rarity(before, give(0, "OM GS", "RM")) == 0.0


def test_what_came_to_a_tree_may_be_the_added_piece_with_its_size_misread() -> None:
    before = table("RM GS", "", drawn=True)
    misread = table("GS", "", trees=("RL RS", "BL")).layout()
    assert Add(0, piece("RM")) in SPECTRA.proposer.candidates(before, misread)


@pytest.mark.parametrize(
    ("was", "now"),
    (
        ("RL", None),  # The tree that a seat began with.
        ("RL", "RM"),
        ("RM", "BM"),  # Trees hold one color.
    ),
)
def test_trees_keep_their_large_and_their_color_whatever_is_reread(was: str, now: str | None) -> None:
    before = table("GS", "", trees=("RL RM", "BL"))
    reread = SPECTRA.proposer.reread
    assert reread(before, "seat0.trees", piece(was), piece(now) if now else None) is None
    assert (
        reread(before, "seat0.trees", piece("RM"), piece("RS")).layout()
        == table("GS", "", trees=("RL RS", "BL")).layout()
    )
    two = table("GS", "", trees=("RL RL", "BL"))
    assert reread(two, "seat0.trees", piece("RL"), None).layout() == table("GS", "").layout()


def test_a_table_that_nothing_explains_is_left_alone() -> None:
    state = table("RS YS", "BM", drawn=True)
    assert SPECTRA.proposer.infer_event(state, table("KS WS PL", "GM GM").layout()) is None


RECORDED = (
    (
        "blue,purple",
        (("BL", "GS OM BM PS"), ("PL PM PL", "YS WS RM BL")),
        (
            "player 1 draws red small",
            "player 1 gives red small + orange medium for yellow large from bag",
            "player 1 adds blue medium",
            "player 2 draws yellow medium",
            "player 2 gives blue large + red medium for purple small from player 1",
            "player 1 draws orange small",
            "player 1 adds blue large",
            "player 2 draws blue small",
            "player 2 gives blue small + yellow medium for green large from bag",
            "player 1 draws yellow small",
        ),
        {},
    ),
    (
        "red,yellow",
        (("RL", "WM BS PS RS YS"), ("YL YM YL", "RM GM GS KM OM WS")),
        (
            "player 1 draws green large",
            "player 1 gives red small + blue small for green small from player 2",
            "player 2 draws green large",
            "player 2 gives orange medium + red medium for yellow medium from bag",
            "player 2 adds yellow medium",
            "player 1 draws orange medium",
            "player 1 gives green small + yellow small for blue small from player 2",
            "player 2 draws yellow small",
            "player 2 gives white small + green medium for blue medium from bag",
            "player 1 draws orange medium",
        ),
        {1: "SPA-14", 8: "SPA-18"},
    ),
)
"""Two short recorded games: colors, trees and supply of both players, what was done, and which of it broke which rule."""


@pytest.mark.parametrize(("colors", "places", "lines", "broken"), RECORDED)
def test_recorded_games_are_read_event_by_event(
    colors: str, places: tuple[tuple[str, str], ...], lines: tuple[str, ...], broken: dict[int, str]
) -> None:
    position = {"trees": [words(trees) for trees, _ in places], "supplies": [words(supply) for _, supply in places]}
    options = Options(colors=colors)
    told = watched = SPECTRA.from_record(2, options, position)
    assert SPECTRA.from_record(2, options, SPECTRA.proposer.seen_position(2, options, told.layout())) == told
    for number, line in enumerate(lines):
        event = SPECTRA.parse(told, line)
        if told.turn is not None and event.seat != told.turn:
            told = told.apply(EndTurn(told.turn))
        assert rules(told, event) == ({broken[number]} if number in broken else set())
        told = told.apply_unchecked(event)
        events, watched = followed(SPECTRA, watched, told.layout())
        assert [SPECTRA.text(one) for one in events if not isinstance(one, EndTurn)] == [SPECTRA.text(event)]
