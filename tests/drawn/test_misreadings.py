"""How readings are compared with what stands there, and what is fitted to that."""

from __future__ import annotations

from math import exp, log10
from random import Random

import pytest

from companion.core.layout import Candidate, Detection
from companion.core.pieces import Piece, Pyramid, Stack
from companion.games.ice_stalks.growth import pieces_of
from companion.referee.observation import PYRAMIDS
from simulation.drawn.misreadings import Coming, Staying, beside_pushed, fitted, line, paired, share, way, worth


def stack(text: str) -> Stack:
    return Stack(pieces_of(text))


@pytest.mark.parametrize(
    ("read", "there", "expected"),
    [
        (stack("R3O2"), stack("R3O2"), "right"),
        (stack("O2"), stack("R3O2"), "less"),
        (stack("R3O2Y1"), stack("R3O2"), "more"),
        (stack("R3O2"), stack("R3O3"), "size"),
        (stack("R3O2"), stack("R3Y2"), "color"),
        (stack("R3O2"), stack("O3Y2"), "several"),
        (Pyramid("red", "small"), Pyramid("blue", "large"), "both"),
        (Pyramid("red", "small"), None, "nothing"),
    ],
)
def test_the_way_in_which_a_reading_is_mistaken(read: Piece, there: Piece | None, expected: str) -> None:
    assert way(read, there) == expected


def test_a_misread_piece_is_paired_with_the_likest_that_is_left() -> None:
    seen = [Detection.sure(stack(one)) for one in ("O2", "R3")]
    pairs = {str(one.piece): piece for one, piece in paired(seen, [stack("R3"), stack("Y3O2")])}
    assert pairs == {str(stack("R3")): stack("R3"), str(stack("O2")): stack("Y3O2")}
    (phantom,) = paired(seen[:1], [])
    assert phantom[1] is None


def test_the_odds_of_a_mistake_are_found_again() -> None:
    rng = Random(5)
    sure = [1 - 10 ** -rng.uniform(0.2, 3) for _ in range(4000)]
    wrong = [rng.random() < 1 / (1 + exp(-1.0 - 2.0 * log10(1 - one))) for one in sure]
    level, slope = fitted(sure, wrong)
    assert level == pytest.approx(1.0, abs=0.3)
    assert slope == pytest.approx(2.0, abs=0.2)


def test_what_is_listed_is_no_mistake_of_its_own() -> None:
    small, medium, large = (Pyramid("red", size) for size in ("small", "medium", "large"))
    seen = reading(small, medium)
    told = line("pyramid", [(seen, small), (seen, medium), (seen, large), (seen, None), (seen, None), (seen, None)])
    assert told.startswith("pyramid: 5 of 6 wrong, 4 are nothing that is listed, 0.0 said: ")
    assert told.endswith('Mistakes({"nothing": 0.583, "size": 0.250, "color": 0.083, "both": 0.083})')


@pytest.mark.parametrize(("again", "expected"), [(True, (0.4, 0.6)), (False, (0.8, 1.0))])
def test_what_a_second_look_is_worth_is_found(again: bool, expected: tuple[float, float]) -> None:
    rng = Random(7)
    small, medium = Pyramid("red", "small"), Pyramid("red", "medium")
    looks = []
    for _ in range(3000):
        # As often as a small that is read at 0.9 is a medium (`observation/pyramids.py`).
        chance = PYRAMIDS.probability(reading(small, medium), medium)
        wrong = rng.random() < (chance if again else chance**2)
        looks.append((reading(small, medium), reading(small, medium), medium if wrong else small))
    least, most = expected
    assert least <= worth(looks) <= most


def reading(best: Pyramid, second: Pyramid) -> Detection:
    return Detection((Candidate(best, 0.9), Candidate(second, 0.1)))


def test_how_many_that_stay_have_a_new_place_is_said_in_words() -> None:
    stays = [Staying("pyramid", new, pushed) for new, pushed in ((True, True), (False, True), (False, False))]
    assert share("touched", stays) == "of 3 that stay 1 have a new place, touched = 0.333"
    assert share("touched_too", [one for one in stays if one.pushed]).endswith("touched_too = 0.500")
    assert share("touched", []).startswith("of 0 that stay 0")


def test_how_much_likelier_a_piece_more_is_none_beside_pushed_ones_is_found() -> None:
    rng = Random(9)
    found = []
    for _ in range(20000):
        sure, pushed = 1 - 10 ** -rng.uniform(0.2, 3), rng.random() < 0.2
        odds = exp(-1.0 + 2.3 * log10(1 - sure)) * (20 if pushed else 1)
        found.append(Coming("pyramid", sure, rng.random() < odds / (1 + odds), pushed))
    times = float(beside_pushed(found).rsplit(" ", 1)[1])
    assert times == pytest.approx(20, rel=0.2)
