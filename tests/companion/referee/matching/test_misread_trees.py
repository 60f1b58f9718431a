"""A tree that reads with a piece too many: no move where it was pushed, and never what an accusation rests on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.layout import Candidate, Detection, Layout
from companion.core.plan import Mat, Plan
from companion.core.verdict import Accepted, Refused, Same, Unclear, Verdict
from companion.games.spectra.moves import Add
from companion.referee.matching import Memory, match
from companion.referee.matching.accounts import Standpoint
from companion.referee.matching.referee import Referee
from companion.referee.table.table import Table
from simulation.play import game_of
from tests.companion.games.spectra.short_spectra import draw, give, piece, table
from tests.sessions import sessions_in


def at(place: str, short: str, sure: float, *others: tuple[str, float]) -> Detection:
    return Detection((Candidate(piece(short), sure), *[Candidate(piece(one), share) for one, share in others]), place)


ORANGE = table(
    "GL BL",
    "GL RM GS",
    "RL WM",
    "BM BM",
    colors="purple,orange,green,red",
    trees=("PL PL PS", "OL OS", "GL GL", "RL RL"),
    drawn=True,
)
"""Game 9110 of `simulation.drawn.games --game spectra --calibrated` before its turn 5."""
ORANGE_READ = (
    at("p26", "OL", 0.9387),
    at("p27", "OS", 0.9386, ("YS", 0.0001)),
    at("p28", "OS", 0.8965, ("YS", 0.0014)),
)
"""What was read of the orange tree once it had been pushed as a whole."""
PURPLE = table("KM KM YS", "PL PM", colors="purple,yellow", trees=("PL PM", "YL YS"))
"""Game 12120 before its turn 1."""
PURPLE_READ = (
    at("p8", "PL", 0.8126, ("KL", 0.0272), ("BL", 0.0102), ("RL", 0.0019)),
    at("p9", "PM", 0.8265, ("BM", 0.0136), ("KM", 0.0062), ("RM", 0.0056)),
    at("p10", "PS", 0.8503, ("RS", 0.0014), ("BS", 0.0004), ("KS", 0.0001)),
)


def placed(state: object, spot: str, heap: tuple[Detection, ...]) -> Layout:
    """A position as eyes that follow every piece see it, but for one heap."""
    seen = {}
    for name, stands in state.layout().heaps.items():  # type: ignore[attr-defined]
        there = [Detection(one.candidates, f"{name} {at}") for at, one in enumerate(stands)]
        seen[name] = heap if name == spot else tuple(there)
    return Layout(heaps=seen)


def judged(state: object, spot: str, heap: tuple[Detection, ...]) -> Verdict:
    referee = Referee(game_of(state), match, draws_unseen=False, trusting=False, origin="told")
    stood = placed(state, "", ())
    referee.memory = Memory().taken(state.layout(), stood, 0, "told")  # type: ignore[attr-defined]
    return referee.verdict(Standpoint(state, (), 0), placed(state, spot, heap))


@pytest.mark.parametrize(
    ("state", "spot", "read"),
    [(ORANGE, "seat1.trees", ORANGE_READ), (PURPLE, "seat0.trees", PURPLE_READ)],
    ids=["orange", "purple"],
)
def test_a_tree_that_was_pushed_and_reads_with_a_piece_more_has_none(
    state: object, spot: str, read: tuple[Detection, ...]
) -> None:
    assert isinstance(judged(state, spot, read), Same)


def test_what_comes_beside_pieces_that_stay_is_drawn_and_added() -> None:
    stays = (at("seat1.trees 0", "OL", 1.0), at("seat1.trees 1", "OS", 1.0))
    verdict = judged(ORANGE, "seat1.trees", (*stays, ORANGE_READ[2]))
    assert isinstance(verdict, Accepted)
    assert verdict.events[1:] == (draw(1, "OS"), Add(1, piece("OS")))


def test_what_is_surely_there_came_although_the_rest_was_pushed() -> None:
    verdict = judged(ORANGE, "seat1.trees", (*ORANGE_READ[:1], at("p27", "OS", 0.9995), at("p28", "OS", 0.9995)))
    assert isinstance(verdict, Accepted)
    assert verdict.events[1:] == (draw(1, "OS"), Add(1, piece("OS")))


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Table]:
    with sessions_in(tmp_path, Plan(Mat(600, 400, 40))) as sessions:
        position = {
            "trees": [["purple large", "purple medium"], ["yellow large", "yellow small"]],
            "supplies": [["black medium", "black medium", "yellow small"], ["purple large", "purple medium"]],
            "turn": 0,
            "drawn": False,
        }
        yield sessions.start("spectra", ("Ada", "Ben"), {"colors": "purple,yellow"}, position=position)


def look(game: Table, frame: int, **heaps: tuple[Detection, ...]) -> Verdict:
    seen = placed(PURPLE, "", ())
    layout = Layout(heaps={**seen.heaps, **{f"seat0.{name}": heap for name, heap in heaps.items()}})
    return game.see(layout, frame, further=(layout, layout))


STOOD = (at("seat0.trees 0", "PL", 1.0), at("seat0.trees 1", "PM", 1.0))
SUPPLY = placed(PURPLE, "", ()).heaps["seat0.supply"]


def test_nobody_is_accused_because_of_a_piece_that_may_never_have_been(game: Table) -> None:
    """A draw and an addition were told, because a tree read with a small more; then the true draw follows."""
    look(game, 1)
    more = (*STOOD, PURPLE_READ[2])
    assert isinstance(look(game, 2, trees=more), Accepted)
    assert isinstance(look(game, 3, trees=more), Same)
    verdict = look(game, 4, trees=more, supply=(*SUPPLY, at("p11", "YM", 0.9997)))
    assert isinstance(verdict, Unclear)
    assert [(choice.events, bool(choice.breaches)) for choice in verdict.choices] == [
        ((draw(0, "YM"),), False),
        ((draw(0, "YM"),), True),
    ]
    assert "what was read as purple small at player 1's trees was no piece" in verdict.choices[0].text
    game.answer(0, source="page")
    assert game.session.state == PURPLE.apply(draw(0, "YM"))


def test_who_breaks_a_rule_after_what_was_plainly_seen_is_told(game: Table) -> None:
    look(game, 1)
    more = (*STOOD, at("p10", "PS", 0.9999))
    assert isinstance(look(game, 2, trees=more), Accepted)
    assert isinstance(look(game, 3, trees=more, supply=(*SUPPLY, at("p11", "YM", 0.9997))), Refused)


def test_what_breaks_a_rule_either_way_is_told(game: Table) -> None:
    """Two blacks yield no red, whether or not a piece was drawn before."""
    look(game, 1)
    more = (*STOOD, PURPLE_READ[2])
    look(game, 2, trees=more)
    verdict = look(game, 3, trees=more, supply=(SUPPLY[2], at("p11", "RM", 0.9999)))
    assert isinstance(verdict, Refused)
    assert verdict.event == give(0, "KM KM", "RM")
