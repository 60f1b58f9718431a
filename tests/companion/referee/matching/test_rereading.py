"""What a moved piece may have been: asked before anybody is accused, and noted when it explains what nothing else does."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from pathlib import Path

import pytest

from companion.core.contract import Drawn
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Piece, Pyramid, Stack
from companion.core.plan import Mat, Plan
from companion.core.verdict import Accepted, Desynchronized, Refused, Unclear
from companion.games.ice_stalks.growth import pieces_of
from companion.games.spectra.moves import Add
from companion.referee.journal import Journal
from companion.referee.matching import Memory, match, rereadings
from companion.referee.matching.accounts import Standpoint
from companion.referee.matching.evidence import likelihood
from companion.referee.matching.referee import Referee
from companion.referee.matching.rereading import BROUGHT, FARTHEST
from companion.referee.observation import observation_of
from companion.referee.table.table import Table
from simulation.play import game_of
from tests.companion.games.ice_stalks.short_stalks import table as stalks_of
from tests.companion.games.spectra.short_spectra import give, piece, table
from tests.sessions import sessions_in

BEFORE = table("YM BM RS", "PL", turn=0, drawn=True)
"""The blue medium, say, is really a blue small that was read wrong."""


def at(place: str, what: Piece, sure: float = 0.97, *others: tuple[Piece, float]) -> Detection:
    return Detection((Candidate(what, sure), *[Candidate(one, share) for one, share in others]), place)


def seen(*supply: Detection) -> Layout:
    return Layout(heaps={**BEFORE.layout().heaps, "seat0.supply": supply})


def begun(*supply: Detection) -> Memory:
    return Memory().taken(BEFORE.layout(), seen(*supply), 0, "read")


YELLOW, BLUE, RED = at("p1", piece("YM")), at("p2", piece("BM")), at("p3", piece("RS"), 1.0)


def test_only_what_left_its_place_is_read_again() -> None:
    memory = begun(YELLOW, BLUE, RED)
    assert {one.key for one in rereadings(game_of(BEFORE), BEFORE, memory, seen(YELLOW, RED))} == {"p2"}
    assert list(rereadings(game_of(BEFORE), BEFORE, memory, seen(YELLOW, BLUE, RED))) == []


def test_what_a_person_has_told_is_never_doubted() -> None:
    memory = Memory().taken(BEFORE.layout(), seen(YELLOW, BLUE, RED), 0, "told")
    assert list(rereadings(game_of(BEFORE), BEFORE, memory, seen(YELLOW, RED))) == []


def test_likelier_readings_come_first_and_each_position_has_the_other_piece() -> None:
    doubted = at("p2", piece("BM"), 0.6, (piece("BL"), 0.35))
    found = list(rereadings(game_of(BEFORE), BEFORE, begun(YELLOW, doubted, RED), seen(YELLOW, RED)))
    assert found[0].now == piece("BL")
    assert 0 < found[0].cost < FARTHEST
    assert found[0].state.layout().heaps["seat0.supply"] != BEFORE.layout().heaps["seat0.supply"]
    assert [one.cost for one in found] == sorted(one.cost for one in found)


def test_what_the_set_does_not_have_is_not_read() -> None:
    readings = [one.now for one in rereadings(game_of(BEFORE), BEFORE, begun(YELLOW, BLUE, RED), seen(YELLOW, RED))]
    assert Pyramid("cyan", "medium") not in readings
    assert Pyramid("blue", "small") in readings


def test_other_sizes_and_lookalikes_are_possible_even_when_never_listed() -> None:
    read = at("p2", piece("BM"), 0.9)
    others = list(observation_of(piece("BM")).alternatives(read))
    assert {piece("BL"), piece("PM"), piece("YM"), None} < set(others)
    assert likelihood(read, piece("BL")) >= likelihood(read, piece("PM")) > likelihood(read, piece("YM")) > 0


def test_a_stalk_of_two_is_hardly_ever_nothing_and_a_doubted_piece_may_be() -> None:
    stack = at("s", Stack((Pyramid("red", "large"), Pyramid("orange", "large"))), 0.995)
    alone = at("p2", piece("BM"), 0.5)
    against = [log(likelihood(one, one.piece) / likelihood(one, None)) for one in (stack, alone)]
    assert against[0] > FARTHEST > against[1]


def test_what_the_place_of_a_told_piece_now_reads_as_may_be_true() -> None:
    """Who accuses believes that the red small is still in its place; it was put elsewhere, and a green one came."""
    referee = Referee(game_of(BEFORE), match, draws_unseen=False, trusting=False, origin="told")
    referee.memory = Memory().taken(BEFORE.layout(), seen(YELLOW, BLUE, RED), 0, "told")
    now = seen(at("p3", piece("GM"), 1.0), at("p9", piece("RS"), 1.0))
    here = Standpoint(BEFORE, (), 0)
    assert isinstance(referee.compared(here, referee.memory, now), Refused)
    verdict = referee.verdict(here, now)
    assert isinstance(verdict, Unclear)
    assert [(choice.events, bool(choice.breaches)) for choice in verdict.choices] == [
        ((give(0, "YM BM", "GM"),), False),
        ((give(0, "YM BM", "RS"),), True),
    ]


def test_what_may_excuse_somebody_is_not_looked_for_at_a_glance() -> None:
    referee = Referee(game_of(BEFORE), match, draws_unseen=False, trusting=False, origin="told")
    referee.memory = Memory().taken(BEFORE.layout(), seen(YELLOW, BLUE, RED), 0, "told")
    now = seen(at("p3", piece("GM"), 1.0), at("p9", piece("RS"), 1.0))
    here = Standpoint(BEFORE, (), 0)
    assert isinstance(referee.verdict(here, now, glance=True), Refused)
    assert isinstance(referee.verdict(here, now), Unclear)


@pytest.fixture
def game(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    with sessions_in(tmp_path, Plan(Mat(600, 400, 40)), trusting=getattr(request, "param", False)) as sessions:
        position = {
            "trees": [["red large"], ["purple large"]],
            "supplies": [["yellow medium", "blue medium", "red small"], []],
            "turn": 0,
            "drawn": True,
        }
        yield sessions.start("spectra", ("Ada", "Ben"), {"colors": "red,purple"}, position=position, begun=True)


def look(table: Table, *supply: Detection, frame: int) -> object:
    heaps = {**table.session.state.layout().heaps, "seat0.supply": supply}
    layout = Layout(heaps=heaps)
    return table.see(layout, frame, further=(layout, layout))


def test_a_doubted_piece_is_asked_about_instead_of_an_accusation(game: Table) -> None:
    """Yellow and blue yield green, not orange; but that the given piece was blue is not sure at all."""
    look(game, YELLOW, at("p2", piece("BM"), 0.45, (piece("KM"), 0.4)), RED, frame=1)
    verdict = look(game, RED, at("p9", piece("OM"), 1.0), frame=2)
    assert isinstance(verdict, Unclear)
    assert any(choice.breaches for choice in verdict.choices)


def test_a_plain_piece_is_no_excuse(game: Table) -> None:
    look(game, at("p1", piece("YM"), 1.0), at("p2", piece("BM"), 1.0), RED, frame=1)
    assert isinstance(look(game, RED, at("p9", piece("OM"), 1.0), frame=2), Refused)


@pytest.mark.parametrize("game", [True], indirect=True)
def test_nobody_there_to_ask_a_misread_piece_is_corrected_at_once(game: Table) -> None:
    small = at("p2", piece("BM"), 0.7, (piece("BS"), 0.25))
    look(game, YELLOW, small, RED, frame=1)
    verdict = look(game, YELLOW, at("p9", piece("PS"), 1.0), frame=2)
    assert isinstance(verdict, Accepted)
    assert verdict.given is not None
    assert verdict.given.now == piece("BS")
    assert verdict.events == (give(0, "BS RS", "PS"),)
    assert [row.kind for row in game.session.rows()] == ["reread", "move"]


def test_with_people_there_the_correction_is_one_answer_to_a_question(game: Table) -> None:
    small = at("p2", piece("BM"), 0.7, (piece("BS"), 0.25))
    look(game, YELLOW, small, RED, frame=1)
    verdict = look(game, YELLOW, at("p9", piece("PS"), 1.0), frame=2)
    assert isinstance(verdict, Unclear)
    (choice, *_) = verdict.choices
    assert choice.given is not None
    game.answer(0, source="page")
    assert [row.kind for row in game.session.rows()] == ["asked", "reread", "move"]
    again = Journal.open(game.session._journal.path)
    try:
        followed = Table(game.session.game, game.session.header, again)
        assert followed.session.state == game.session.state
    finally:
        again.close()


def test_a_question_is_not_answered_by_a_less_likely_past() -> None:
    """A small or a medium was drawn and added; that the large was a medium all along says the same with more luck."""
    state = table("", "PL", trees=("RL RL", "BL"), turn=0)
    heaps, stays = state.layout().heaps, at("p0", piece("RL"), 1.0)
    read = {**heaps, "seat0.trees": (stays, at("p1", piece("RL"), 0.9, (piece("RM"), 0.05)))}
    added = (stays, at("p2", piece("RL"), 0.8), at("p3", piece("RS"), 0.7, (piece("RM"), 0.27)))
    referee = Referee(game_of(state), match, draws_unseen=False, trusting=True, origin="read")
    referee.memory = Memory().taken(state.layout(), Layout(heaps=read), 0, "read")
    verdict = referee.verdict(Standpoint(state, (), 0), Layout(heaps={**heaps, "seat0.trees": added}))
    assert isinstance(verdict, Unclear)
    assert {event.piece for choice in verdict.choices for event in choice.events if isinstance(event, Add)} == {
        piece("RS"),
        piece("RM"),
    }


def test_a_tree_that_was_pushed_and_reads_a_little_wrong_has_no_other_past() -> None:
    state = table("", "PL", turn=1, trees=("RL RS", "BL"), drawn=True)
    heaps = state.layout().heaps
    read = {**heaps, "seat0.trees": (at("p1", piece("RL"), 0.9, (piece("RM"), 0.05)), at("p2", piece("RS"), 0.9))}
    pushed = (at("p3", piece("RL"), 0.9), at("p4", piece("RM"), 0.81, (piece("RS"), 0.18)))
    referee = Referee(game_of(state), match, draws_unseen=False, trusting=True, origin="read")
    referee.memory = Memory().taken(state.layout(), Layout(heaps=read), 0, "read")
    here, layout = Standpoint(state, (), 0), Layout(heaps={**heaps, "seat0.trees": pushed})
    assert not isinstance(referee.verdict(here, layout), Accepted)


def watching() -> Referee:
    """A referee who has seen `BEFORE`."""
    referee = Referee(game_of(BEFORE), match, draws_unseen=False, trusting=False, origin="read")
    here = Standpoint(BEFORE, (), 0)
    first = seen(YELLOW, BLUE, RED)
    referee.remember(referee.verdict(here, first), here, first)
    return referee


def test_whose_turn_it_is_accuses_nobody_after_what_nothing_explained() -> None:
    """The record says that player 1 has drawn; a picture that no event explained may have been the end of that turn."""
    here, drawn = Standpoint(BEFORE, (), 0), seen(YELLOW, BLUE, RED, at("p9", piece("KL"), 1.0))
    again = Drawn(0, (piece("RS"),))
    assert isinstance(watching().verdict(here, drawn), Refused)
    referee = watching()
    first = seen(YELLOW, BLUE, RED)
    referee.remember(Desynchronized(()), here, first)
    referee.remember(Accepted((again,), 1.0, 9.0), here, first)
    assert isinstance(referee.verdict(here, drawn), Unclear)
    for _ in range(2):
        referee.remember(Accepted((again,), 1.0, 9.0), here, first)
    assert isinstance(referee.verdict(here, drawn), Refused), "two draws agreed with the record"


def test_what_came_after_a_row_was_brought_by_an_event_rather_than_there_all_along() -> None:
    """A yellow small beside player 1's pieces was taken for nothing, and leaves its place."""
    small = at("p4", piece("YS"), 0.8)
    costs = [
        next(
            one.cost for one in rereadings(game_of(BEFORE), BEFORE, memory, seen(YELLOW, BLUE, RED)) if one.was is None
        )
        for memory in (Memory().taken(BEFORE.layout(), seen(YELLOW, BLUE, RED, small), row, "read") for row in (0, 3))
    ]
    assert costs == [0.0, BROUGHT]


@pytest.mark.parametrize(("keys", "cost"), [("p1,p2,p3", BROUGHT), ("p1,p2", 0.0)])
def test_a_level_that_was_seen_to_come_was_not_there_all_along(keys: str, cost: float) -> None:
    """A stalk of two is remembered, and what stands there reads as three since a row; then it changes again."""
    before = stalks_of("B3C3", "R3")
    low, tall = (Stack(pieces_of(one)) for one in ("B3C3", "B3C3G3"))
    red = Detection((Candidate(Stack(pieces_of("R3")), 1.0),), "r")
    read = Detection((Candidate(tall, 0.6), Candidate(low, 0.3)), keys)
    empty: dict[str, tuple[Detection, ...]] = {"seat0.stalks": (), "seat1.stalks": ()}
    memory = Memory().taken(before.layout(), Layout(heaps={"stalks": (read, red), **empty}), 3, "event")
    found = rereadings(game_of(before), before, memory, Layout(heaps={"stalks": (red,), **empty}))
    assert next(one.cost for one in found if one.now == tall) == cost
