"""Accounts beside the record: unanswered questions, rivals of rows, pieces that may have been there all along."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.core.layout import Detection, Layout, Uncovered
from companion.core.pieces import Card, Pyramid, Stack
from companion.core.plan import Mat, Plan
from companion.core.verdict import Accepted, Choice, Refused, Same, Unclear, Verdict
from companion.games.ice_stalks.growth import pieces_of
from companion.games.spectra.moves import EndTurn
from companion.games.spectrangle.moves import PlaceTile
from companion.referee.matching.accounts import UNTOLD, is_plain, shows_cards
from companion.referee.table.table import Table
from simulation.matching.noise import ranked
from simulation.play import game_of
from tests.companion.games.ice_stalks.short_stalks import table as stalks_of
from tests.companion.games.spectra.short_spectra import draw, give, piece, table
from tests.companion.referee.matching.beginning import TREES, at, begun, heaps, referee_of, seen
from tests.sessions import sessions_in


def test_an_accusation_is_plain_if_all_legal_accounts_together_are_far_less_likely() -> None:
    assert is_plain(4.0, [6.5])
    assert not is_plain(4.0, [6.5, 6.5, 6.5])
    assert not is_plain(UNTOLD, [])


def test_cards_are_known_wherever_they_were_read() -> None:
    card = Detection.sure(Card("red", 7))
    pyramid = Detection.sure(Pyramid("red", "small"))
    assert shows_cards(Layout(heaps={"discard": (pyramid, card)}))
    assert shows_cards(Layout(cells={"discard": card}))
    assert not shows_cards(Layout(cells={"a": pyramid}, heaps={"b": (pyramid,)}))


BEHIND = Uncovered("piece", 0, 1.0)
UNDER = Uncovered("foreign", 0, 1.0)


# --- a piece that was there all along is one explanation among the others -------------------------------------------

PINE = table("RS", "BM YM PS", turn=1, drawn=True)
"""Player 2 has drawn and holds a blue medium, a yellow medium and a purple small."""
PINE_SEEN = Layout(heaps=heaps(**TREES, seat0_supply="p1:RS", seat1_supply="p2:BM p3:YM p4:PS"))


def pine(supply: str, **uncovered: Uncovered) -> Layout:
    """Player 2's supply as it is seen later."""
    return Layout(heaps=heaps(**TREES, seat0_supply="p1:RS", seat1_supply=supply), uncovered=uncovered)


@pytest.mark.parametrize("behind", [BEHIND, UNDER, Uncovered("piece", 2, 1.0), Uncovered("foreign", 1, 1.0)])
def test_an_illegal_exchange_is_named_though_what_it_took_may_have_been_hidden(behind: Uncovered) -> None:
    """A blue medium and a purple small yield no green medium; that it was there all along leaves them missing."""
    referee, here = referee_of(PINE, PINE_SEEN)
    verdict = referee.verdict(here, pine("p3:YM p9:GM", p9=behind))
    assert isinstance(verdict, Refused)
    assert verdict.event == give(1, "BM PS", "GM")
    assert verdict.seat == 1


def test_a_legal_exchange_is_taken_though_what_it_took_may_have_been_hidden() -> None:
    referee, here = referee_of(PINE, PINE_SEEN)
    verdict = referee.verdict(here, pine("p4:PS p9:GM", p9=BEHIND))
    assert isinstance(verdict, Accepted)
    assert verdict.events == (give(1, "BM YM", "GM"),)


def test_a_piece_that_a_cloth_covered_in_every_picture_was_there_all_along() -> None:
    referee, here = referee_of(PINE, PINE_SEEN)
    verdict = referee.verdict(here, pine("p2:BM p3:YM p4:PS p9:KL", p9=UNDER))
    assert isinstance(verdict, Accepted)
    assert verdict.events == ()
    assert verdict.given is not None
    assert (verdict.given.spot, verdict.given.was, verdict.given.now) == ("seat1.supply", None, piece("KL"))


def test_a_piece_that_only_another_piece_hid_is_asked_about() -> None:
    """A second draw breaks SPA-5; that the piece stood behind another one is about as likely."""
    referee, here = referee_of(PINE, PINE_SEEN)
    verdict = referee.verdict(here, pine("p2:BM p3:YM p4:PS p9:KL", p9=BEHIND))
    assert isinstance(verdict, Unclear)
    assert {bool(choice.breaches) for choice in verdict.choices} == {False, True}
    assert any("was at player 2's supply all along" in choice.text for choice in verdict.choices)


def test_a_second_draw_is_named_where_pictures_showed_its_place_free() -> None:
    referee, here = referee_of(PINE, PINE_SEEN)
    verdict = referee.verdict(here, pine("p2:BM p3:YM p4:PS p9:KL", p9=Uncovered("piece", 2, 1.0)))
    assert isinstance(verdict, Refused)
    assert verdict.breaches[0].rule == "SPA-5"


def test_a_second_draw_is_named_where_a_person_said_what_lies_on_the_table() -> None:
    referee, here = referee_of(PINE, PINE_SEEN, "told")
    verdict = referee.verdict(here, pine("p2:BM p3:YM p4:PS p9:KL", p9=BEHIND))
    assert isinstance(verdict, Refused)


def test_a_legal_draw_is_taken_where_another_piece_hid_its_place() -> None:
    state = table("RS", "BM YM PS", turn=1)
    referee, here = referee_of(state, PINE_SEEN)
    verdict = referee.verdict(here, pine("p2:BM p3:YM p4:PS p9:KL", p9=BEHIND))
    assert isinstance(verdict, Accepted)
    assert verdict.events == (draw(1, "KL"),)
    assert any(rival.given is not None for rival in verdict.rivals)


def test_what_was_put_back_was_not_there_all_along() -> None:
    referee, here = referee_of(PINE, PINE_SEEN)
    missing = pine("p2:BM p3:YM")
    referee.remember(referee.verdict(here, missing), here, missing)
    assert isinstance(referee.verdict(here, pine("p2:BM p3:YM p9:PS", p9=UNDER)), Same)


def test_a_piece_that_reads_otherwise_in_its_place_was_not_exchanged() -> None:
    """One piece for another breaks SPA-13; where the place has not changed, it is the old piece, whatever it reads."""
    referee, here = referee_of(PINE, PINE_SEEN)
    assert isinstance(referee.verdict(here, pine("p2:BM p3:GM p4:PS")), Same)


def test_spa_13_one_piece_for_another_is_named_where_it_is_surely_seen() -> None:
    referee, here = referee_of(PINE, PINE_SEEN)
    verdict = referee.verdict(here, pine("p2:BM p4:PS p9:KL"))
    assert isinstance(verdict, Refused)
    assert [breach.rule for breach in verdict.breaches] == ["SPA-13"]


def test_one_piece_for_another_is_asked_about_where_it_may_be_misread() -> None:
    referee, here = referee_of(PINE, PINE_SEEN)
    doubted = Layout(heaps={**PINE_SEEN.heaps, "seat1.supply": (at("p2", "BM"), at("p4", "PS"), at("p9", "OM", 0.8))})
    assert not isinstance(referee.verdict(here, doubted), Refused)


# --- the rows of a game ----------------------------------------------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Table]:
    with sessions_in(tmp_path, Plan(Mat(600, 400, 40))) as sessions:
        position = {
            "trees": [["red large"], ["blue large"]],
            "supplies": [["red small"], ["blue medium", "yellow medium", "purple small"]],
            "turn": 1,
            "drawn": True,
        }
        yield sessions.start("spectra", ("Ada", "Ben"), {"colors": "red,blue"}, position=position, begun=True)


def look(game: Table, layout: Layout, frame: int) -> Verdict:
    return game.see(layout, frame, further=(layout, layout))


def test_what_was_there_all_along_is_written_once(game: Table) -> None:
    look(game, PINE_SEEN, 1)
    shown = pine("p2:BM p3:YM p4:PS p9:KL", p9=UNDER)
    look(game, shown, 2)
    look(game, shown, 3)
    assert [row.kind for row in game.session.rows()] == ["reread"]


# --- an unanswered question never turns into an accusation ----------------------------------------------------------

OPEN = table("RS", "OM KS", turn=0)
"""Player 1 has not drawn."""


@pytest.fixture
def open_game(tmp_path: Path) -> Iterator[Table]:
    with sessions_in(tmp_path, Plan(Mat(600, 400, 40))) as sessions:
        position = {
            "trees": [["red large"], ["blue large"]],
            "supplies": [["red small"], ["orange medium", "black small"]],
            "turn": 0,
            "drawn": False,
        }
        yield sessions.start("spectra", ("Ada", "Ben"), {"colors": "red,blue"}, position=position, begun=True)


def question(state: object, *ways: tuple[object, ...]) -> Unclear:
    """The question which of several legal ways it was, all alike likely."""
    told = game_of(state).told
    return Unclear(tuple(Choice(tuple(way), told(way), (), 0.0) for way in ways), 0.0)


def test_who_has_drawn_by_one_answer_is_not_accused_of_a_second_draw() -> None:
    """Did Ada draw a green small and pass the bag, or did Ben draw it? The question is not answered, and Ben draws."""
    referee, here = referee_of(OPEN, seen("p1:RS", "p2:OM p3:KS"))
    shown = seen("p1:RS", "p2:OM p3:KS p4:GS")
    asked = question(OPEN, (draw(0, "YS"), EndTurn(0), draw(1, "GS")), (draw(0, "GS"),))
    referee.remember(asked, here, shown)
    later = seen("p1:RS p5:YL", "p2:OM p3:KS p4:GS")
    verdict = referee.verdict(here, later)
    assert not isinstance(verdict, Refused)


def test_a_rival_of_a_row_is_kept_for_as_long_as_pictures_allow_it(open_game: Table) -> None:
    """Ada's draw was read at 0.9; were it none, the next draw is no second one. So it is asked about, rows later, too."""
    look(open_game, seen("p1:RS", "p2:OM p3:KS"), 1)
    doubtful = Layout(
        heaps={**seen("p1:RS", "p2:OM p3:KS").heaps, "seat0.supply": (at("p1", "RS"), at("p4", "GS", 0.9))}
    )
    assert isinstance(look(open_game, doubtful, 2), Accepted)
    for frame in range(3, 9):
        assert isinstance(look(open_game, doubtful, frame), Same)
    again = Layout(heaps={**doubtful.heaps, "seat0.supply": (*doubtful.heaps["seat0.supply"], at("p5", "YL", 0.999))})
    verdict = look(open_game, again, 9)
    assert isinstance(verdict, Unclear)
    assert any(not choice.breaches for choice in verdict.choices)


def test_a_plain_second_draw_is_named(open_game: Table) -> None:
    look(open_game, seen("p1:RS", "p2:OM p3:KS"), 1)
    sure = Layout(
        heaps={**seen("p1:RS", "p2:OM p3:KS").heaps, "seat0.supply": (at("p1", "RS"), at("p4", "GS", 0.9999))}
    )
    assert isinstance(look(open_game, sure, 2), Accepted)
    again = Layout(heaps={**sure.heaps, "seat0.supply": (*sure.heaps["seat0.supply"], at("p5", "YL", 0.9999))})
    assert isinstance(look(open_game, again, 3), Refused)


# --- what no picture shows --------------------------------------------------------------------------------------------

DRAWN = table("RS", "OM KS GS", turn=1, drawn=True)
"""Player 2 has drawn a green small."""
DRAWN_SEEN = seen("p1:RS", "p2:OM p3:KS p4:GS")
AGAIN = seen("p1:RS", "p2:OM p3:KS p4:GS p5:YL")
"""Player 2 draws again."""


def test_a_second_draw_is_named_where_it_is_the_next_thing_that_any_picture_shows() -> None:
    referee, here = referee_of(DRAWN, DRAWN_SEEN)
    assert isinstance(referee.verdict(here, AGAIN), Refused)


def test_a_second_draw_is_asked_about_after_a_picture_that_showed_nothing_new() -> None:
    """Player 1 may have drawn meanwhile and put the piece under the red large at once."""
    referee, here = referee_of(DRAWN, DRAWN_SEEN)
    referee.remember(referee.verdict(here, DRAWN_SEEN), here, DRAWN_SEEN)
    assert isinstance(referee.verdict(here, AGAIN), Unclear)


def test_a_draw_out_of_turn_is_asked_about_where_the_one_before_may_stand_out_of_sight() -> None:
    """It is player 2's turn of three; player 1 draws. Player 3 may have drawn what stands behind another piece."""
    trees = ("RS", "BS", "YS")
    state = table("OM", "KS", "GS", colors="red,blue,yellow", trees=trees, turn=1, drawn=True)
    spots = {"seat0_trees": "a:RS", "seat1_trees": "b:BS", "seat2_trees": "c:YS"}
    first = Layout(heaps=heaps(**spots, seat0_supply="p1:OM", seat1_supply="p2:KS", seat2_supply="p3:GS"))
    later = heaps(**spots, seat0_supply="p1:OM p9:PL", seat1_supply="p2:KS", seat2_supply="p3:GS")
    for blind, kind in ((frozenset[str](), Refused), (frozenset({"seat2.supply"}), Unclear)):
        referee, here = referee_of(state, first)
        referee.remember(referee.verdict(here, first), here, first)
        assert isinstance(referee.verdict(here, Layout(heaps=later, blind=blind)), kind)


def test_a_piece_that_was_hidden_since_the_start_may_have_been_given() -> None:
    """A blue medium alone yields no red medium; with a purple one that stood behind something it does."""
    referee, here = referee_of(PINE, PINE_SEEN, "told")
    gave = heaps(**TREES, seat0_supply="p1:RS", seat1_supply="p3:YM p4:PS p9:RM")
    assert isinstance(referee.verdict(here, Layout(heaps=gave)), Refused)
    verdict = referee.verdict(here, Layout(heaps=gave, blind=frozenset({"seat1.supply"})))
    assert isinstance(verdict, Unclear)
    assert any("was at player 2's supply all along" in choice.text for choice in verdict.choices)


def test_a_piece_seen_beside_a_hidden_one_of_its_kind_is_asked_about() -> None:
    """Player 2 may have drawn a second black small; or the one that something hides now was moved."""
    state = table("RS", "OM KS", turn=1)
    referee, here = referee_of(state, seen("p1:RS", "p2:OM p3:KS"))
    both = Layout(heaps=seen("p1:RS", "p2:OM p9:KS").heaps, hidden=frozenset({"p3"}))
    verdict = referee.verdict(here, both)
    assert isinstance(verdict, Unclear)
    assert [choice.events for choice in verdict.choices] == [(draw(1, "KS"),)]


def test_an_illegal_answer_that_was_not_given_may_stand_and_excuses_what_follows() -> None:
    """One piece for another, or a draw while the other is off the table? If it was the first, the draw is open still."""
    state = table("OS", "OM KS", turn=0)
    referee, here = referee_of(state, seen("p1:OS", "p2:OM p3:KS"))
    illegal, legal = give(0, "OS", "PL"), draw(0, "PL")
    told = game_of(state).told
    answers = (
        Choice((illegal,), told((illegal,)), state.violations(illegal), 0.0),
        Choice((legal,), told((legal,)), (), 0.5),
    )
    asked = Unclear(answers, 6.0)
    referee.remember(asked, here, seen("p9:PL", "p2:OM p3:KS"))
    assert referee.verdict(here, seen("p9:PL p10:BM", "p2:OM p3:KS")) == asked


# --- equal accounts stay open ----------------------------------------------------------------------------------------


@pytest.fixture
def tiles(tmp_path: Path) -> Iterator[Table]:
    with sessions_in(tmp_path) as sessions:
        yield sessions.start("spectrangle", ("Ada", "Ben"), {"hands": "unseen"}, draws="unseen")


def board(game: Table, *tiles: PlaceTile) -> Layout:
    """The board after tiles; hands are not seen."""
    state = game.session.state
    for one in tiles:
        state = game.session.advance(state, one)
    return Layout(cells=state.layout().cells)


def placements(game: Table, *tiles: PlaceTile) -> list[PlaceTile]:
    """The placements that are legal after tiles."""
    state = game.session.state
    for one in tiles:
        state = game.session.advance(state, one)
    return [move for move in state.legal_moves() if isinstance(move, PlaceTile)]


def pair_in_either_order(game: Table) -> tuple[PlaceTile, PlaceTile] | None:
    """Two placements that are legal in either order."""
    moves = placements(game)
    for one in moves:
        for other in placements(game, one):
            if other in moves and one in placements(game, other):
                return one, other
    return None


def test_two_tiles_in_one_picture_stay_open_and_what_follows_is_told(tiles: Table) -> None:
    """Who placed which of two tiles is asked; as long as there is no answer, later pictures do not settle it."""
    look(tiles, board(tiles), 1)
    rng = Random(3)
    while (pair := pair_in_either_order(tiles)) is None:
        tiles.play(rng.choice(placements(tiles)), source="page")
    look(tiles, board(tiles), 2)
    rows = len(tiles.session.rows())
    verdict = look(tiles, board(tiles, *pair), 3)
    assert isinstance(verdict, Unclear)
    assert {choice.events for choice in verdict.choices} == {pair, pair[::-1]}
    third = placements(tiles, *pair)[0]
    seen_last = board(tiles, *pair, third)
    verdict = look(tiles, seen_last, 4)
    assert isinstance(verdict, Unclear)
    assert verdict.common == (third,)
    assert [choice.events for choice in verdict.choices] == [(*pair, third), (*pair[::-1], third)]
    assert {row.kind for row in tiles.session.rows()[rows:]} == {"asked"}
    tiles.answer(1, source="page")
    assert [row.kind for row in tiles.session.rows()[rows:]][-3:] == ["move"] * 3
    assert tiles.session.state.layout().cells == seen_last.cells


def stalks_seen(*stalks: str) -> Layout:
    """The stalks of a table for three, and no rocks."""
    heaps = stalks_of(*stalks, taken=("", "", "")).layout().heaps
    return Layout(heaps={spot: heap for spot, heap in heaps.items() if spot.endswith("stalks")})


def test_one_accusation_by_two_accounts_of_what_came_before_is_a_question() -> None:
    """Both orders of two placements in one picture stay open; the rule that is broken then does not settle which."""
    referee, here = begun(stalks_of("O3", taken=("", "", "")), stalks_seen("O3"))
    two = stalks_seen("O3O2", "P3")
    asked = referee.verdict(here, two)
    assert isinstance(asked, Unclear)
    referee.remember(asked, here, two)
    verdict = referee.verdict(here, stalks_seen("O3O2", "P3C2"))
    assert isinstance(verdict, Unclear)
    assert len(verdict.choices) == 2
    assert all([breach.rule for breach in choice.breaches] == ["ICE-7"] for choice in verdict.choices)


def test_what_was_asked_stays_open_while_an_illegal_move_on_top_of_it_lies_there() -> None:
    referee, here = begun(stalks_of("O3", taken=("", "", "")), stalks_seen("O3"))
    for stalks in (("O3O2", "P3"), ("O3O2", "P3C2"), ("O3O2", "P3")):
        seen = stalks_seen(*stalks)
        verdict = referee.verdict(here, seen)
        referee.remember(verdict, here, seen)
    assert isinstance(verdict, Unclear)
    assert [len(choice.events) for choice in verdict.choices] == [4, 4]
    assert not any(choice.breaches for choice in verdict.choices)


@pytest.mark.parametrize("sure", [0.7, 0.8, 0.95])
def test_an_illegal_base_that_reads_doubtfully_is_asked_about(sure: float) -> None:
    before = stalks_seen("O3", "B3")
    referee, here = begun(stalks_of("O3", "B3", taken=("", "", "")), before)
    heap = (*before.heaps["stalks"], ranked((Stack(pieces_of("G2")), sure)))
    verdict = referee.verdict(here, replace(before, heaps={**before.heaps, "stalks": heap}))
    assert isinstance(verdict, Unclear)
    assert {breach.rule for breach in verdict.choices[0].breaches} >= {"ICE-5"}
