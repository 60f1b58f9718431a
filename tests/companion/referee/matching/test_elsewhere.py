"""A piece on the line between two zones: explained from either side, asked about, and never a reason to accuse."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from pathlib import Path

import pytest

from companion.core.contract import Drawn
from companion.core.layout import Detection, Elsewhere, Layout
from companion.core.plan import Mat, Plan
from companion.core.verdict import Accepted, Refused, Same, Unclear, Verdict
from companion.referee.matching.alternatives import other_ways
from companion.referee.table.table import Table
from tests.companion.games.spectra.short_spectra import piece
from tests.companion.referee.matching.test_rereading import at
from tests.sessions import sessions_in

TREE, YELLOW, BLUE = at("p0", piece("RL"), 1.0), at("p1", piece("YM"), 1.0), at("p2", piece("BM"), 1.0)


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Table]:
    with sessions_in(tmp_path, Plan(Mat(600, 400, 40))) as sessions:
        position = {
            "trees": [["red large"], ["purple large"]],
            "supplies": [["yellow medium", "blue medium"], []],
            "turn": 0,
            "drawn": False,
        }
        yield sessions.start("spectra", ("Ada", "Ben"), {"colors": "red,purple"}, position=position, begun=True)


def look(
    game: Table,
    trees: tuple[Detection, ...],
    supply: tuple[Detection, ...],
    frame: int,
    line: str = "",
    probability: float = 0.45,
) -> Verdict:
    """:param line: place of what stands on the line of both, told of the trees."""
    heaps = {**game.session.state.layout().heaps, "seat0.trees": trees, "seat0.supply": supply}
    elsewhere = {line: Elsewhere("seat0.supply", probability)} if line else {}
    layout = Layout(heaps=heaps, elsewhere=elsewhere)
    return game.see(layout, frame, further=(layout, layout))


def begin(game: Table) -> None:
    assert isinstance(look(game, (TREE,), (YELLOW, BLUE), 1), Same)


def test_a_piece_pushed_to_the_line_of_its_zone_has_not_left_it(game: Table) -> None:
    begin(game)
    pushed = at("p7", piece("YM"), 1.0)
    assert isinstance(look(game, (TREE, pushed), (BLUE,), 2, line="p7"), Same)
    assert isinstance(look(game, (TREE, pushed), (BLUE,), 3, line="p7"), Same), "it is remembered where it is"
    assert not game.session.rows()


def test_a_piece_well_inside_of_the_other_zone_is_what_it_was(game: Table) -> None:
    begin(game)
    assert not isinstance(look(game, (TREE, at("p7", piece("YM"), 1.0)), (BLUE,), 2), Same)


def test_a_drawn_green_piece_on_the_line_is_asked_about_and_not_an_accusation(game: Table) -> None:
    """Trees hold the own color alone: clearly among them it breaks a rule, in the supply it is a draw."""
    green = at("p9", piece("GM"), 1.0)
    begin(game)
    verdict = look(game, (TREE, green), (YELLOW, BLUE), 2, line="p9")
    assert isinstance(verdict, Unclear)
    assert [bool(choice.breaches) for choice in verdict.choices] == [False, True]
    assert verdict.choices[0].events == (Drawn(0, (piece("GM"),)),)
    game.answer(0, source="page")
    assert isinstance(look(game, (TREE, green), (YELLOW, BLUE), 3, line="p9"), Same)


def test_the_same_clearly_among_the_trees_is_an_accusation(game: Table) -> None:
    begin(game)
    assert isinstance(look(game, (TREE, at("p9", piece("GM"), 1.0)), (YELLOW, BLUE), 2), Refused)


def test_two_legal_events_from_both_sides_of_the_line_are_a_question(game: Table) -> None:
    begin(game)
    red = at("p9", piece("RS"), 1.0)
    verdict = look(game, (TREE, red), (YELLOW, BLUE), 2, line="p9")
    assert isinstance(verdict, Unclear)
    assert sorted(len(choice.events) for choice in verdict.choices) == [1, 2], "drawn, or drawn and added"


def test_well_among_the_trees_it_was_drawn_and_added(game: Table) -> None:
    begin(game)
    verdict = look(game, (TREE, at("p9", piece("RS"), 1.0)), (YELLOW, BLUE), 2)
    assert isinstance(verdict, Accepted) and len(verdict.events) == 2


def test_each_way_costs_what_eyes_hold_it_for() -> None:
    heaps = {"a": (at("p1", piece("RS")), at("p2", piece("YM"))), "b": ()}
    layout = Layout(heaps=heaps, elsewhere={"p1": Elsewhere("b", 0.2), "p9": Elsewhere("b", 0.4)})
    (way,) = other_ways(layout)
    assert way.cost == pytest.approx(log(0.8 / 0.2))
    assert [one.place for one in way.layout.heaps["a"]] == ["p2"]
    assert [one.place for one in way.layout.heaps["b"]] == ["p1"]


def test_a_tall_stack_on_the_line_moves_as_one() -> None:
    heap = tuple(at(f"p{k}", piece("RS")) for k in range(5))
    layout = Layout(heaps={"a": heap, "b": ()}, elsewhere={f"p{k}": Elsewhere("b", 0.5) for k in range(5)})
    (way,) = other_ways(layout)
    assert way.layout.heaps["a"] == () and len(way.layout.heaps["b"]) == 5
