"""What is kept of the reader's guesses beside what stands there, and what is fitted to that."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from simulation.drawn.places import GuessRead, PictureRead, PlaceRead, StandRead, pictures_of, read_game
from simulation.drawn.sureness import kept_of, temperatures_of, terms_of
from vision.readers.pyramids.sureness import Circumstances, Sureness

HERE = Circumstances("trees", "from above", "plain")


def logs(color: str, behind: float) -> tuple[float, ...]:
    """Ten log likelihoods that are best for one color."""
    return tuple(0.0 if one == color else -behind for one in PYRAMID_COLORS)


def guess(sizes: tuple[str, ...], confidence: float, color: str = "red", behind: float = 6.0) -> GuessRead:
    return GuessRead(sizes, False, confidence, (logs(color, behind),) * len(sizes))


def stand(sizes: tuple[str, ...], color: str = "red") -> StandRead:
    return StandRead(tuple(Pyramid(color, size) for size in sizes), False)


LARGE, TREE = ("large",), ("large", "medium")


def places(right: int, taller: int) -> list[PlaceRead]:
    """Places at which a large is read at 0.8, beside a large with a medium at 0.19."""
    guesses = (guess(LARGE, 0.8), guess(TREE, 0.19))
    return [PlaceRead(HERE, guesses, stand(sizes)) for sizes in (LARGE,) * right + (TREE,) * taller]


@pytest.mark.parametrize(("right", "taller"), [(320, 80), (200, 200), (390, 10)])
def test_guesses_are_as_likely_as_they_came_true(right: int, taller: int) -> None:
    known = places(right, taller)
    sureness = Sureness(terms_of(known))
    chances = sureness.chances([one.rival() for one in known[0].guesses], HERE)
    assert chances[0] == pytest.approx(right / 400, abs=0.02)
    assert chances[1] == pytest.approx(taller / 400, abs=0.02)


def test_few_cases_change_little() -> None:
    sureness = Sureness(terms_of(places(1, 1)))
    chance, _ = sureness.chances([one.rival() for one in places(1, 0)[0].guesses], HERE)
    assert 0.55 < chance < 0.8, "half of two were right, 0.8 was said"


def picture(colors: tuple[str, ...] = ()) -> PictureRead:
    """300 large that all read red; one in ten is orange. `colors` are those of the game."""
    read = (guess(LARGE, 0.99, behind=8.0),)
    places = tuple(PlaceRead(HERE, read, stand(LARGE, "red" if at % 10 else "orange")) for at in range(300))
    return PictureRead("spectra", 0, 2, False, colors, places, ())


def test_colors_count_as_much_as_they_came_true() -> None:
    assert temperatures_of([picture()]) == {"alone, from above": pytest.approx(0.55, abs=0.16)}


def test_colors_that_a_game_lacks_take_nothing_from_those_that_it_has() -> None:
    """Where orange is the only other color, all that red leaves open is orange."""
    (all_ten,), (two,) = (temperatures_of([picture(colors)]).values() for colors in ((), ("red", "orange")))
    assert two < all_ten


def test_what_is_kept_where_no_guess_is_right_is_counted_by_kind() -> None:
    guesses = (guess(LARGE, 0.7), guess(("small",), 0.1))
    known = [PlaceRead(HERE, guesses, one) for one in (stand(("large", "large", "small")), stand(LARGE), None)]
    assert kept_of(known) == {"large alone": 0.5}, "one of the two places at which no guess is right, and half a case"


def test_games_are_kept_with_what_stands_there(tmp_path: Path) -> None:
    """The first picture of a drawn game, of which nearly all is read right."""
    picture = next(read_game(60012))
    assert (picture.game, picture.turn, picture.film) == ("ice-stalks", 2, False)
    file = tmp_path / "places.jsonl"
    file.write_bytes(msgspec.json.encode(picture) + b"\n")
    assert list(pictures_of([file, file])) == [picture, picture]
    assert {place.here.table for place in picture.places} == {"plain"}
    right = [place.stand is not None and place.stand.is_guessed(place.guesses[0]) for place in picture.places]
    assert len(right) > 5 and sum(right) >= 0.8 * len(right)
