"""Pieces of a group are found by what they explain together, also where one hides another's foot."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.readers.pyramids.ideal import MAT, IdealContours, answers, camera, standing
from vision.image.pose import Pose
from vision.readers.pyramids import crowd as crowd_looks
from vision.readers.pyramids.closeup import HEIGHT, LEVELS, WIDTH, CloseupShown, Guess, Named, Namer
from vision.readers.pyramids.contours import ContourWeights, load_fits
from vision.readers.pyramids.crowd import crowds_looked_again, doubtful_groups, explained
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.looking import Looking
from vision.readers.pyramids.reader import FITS, WEIGHTS
from vision.readers.pyramids.scene import FoundPieces, outlined
from vision.readers.pyramids.training.drawn.arrangement import Thing
from vision.readers.pyramids.weighing import Weigher

EYE = camera(50.0)
GROUP = (
    standing(250.0, 200.0, "green large", yaw=10.0),
    standing(262.0, 226.0, "yellow medium", yaw=35.0),
    standing(285.0, 214.0, "green small", yaw=60.0),
)
"""Seen from the near side the medium one stands before the large one's foot."""
FITTED: ContourWeights = load_fits(WEIGHTS / FITS)


class Undecided:
    """A close look that knows nothing: a lone piece of any size, standing or lying, in any color."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self, closeups: np.ndarray) -> list[Named]:
        self.looks += len(closeups)
        guesses = [Guess((size,), lies, 1 / 6) for size in ("large", "medium", "small") for lies in (False, True)]
        return [Named(tuple(guesses), np.zeros((LEVELS, 10)), np.zeros(2), np.array([0.0, -1.0]))] * len(closeups)


def looking(*things: Thing) -> Looking:
    """A table whose plastic and contours are told without a mistake; only where cells point is not known."""
    seen, sheet = answers(things, EYE)
    contours = IdealContours(EYE, *(thing.place for thing in things), sure=2.0)
    light = np.zeros((HEIGHT, WIDTH, 3), np.float32)
    weigher = Weigher(contours, FITTED)
    pose, namer = cast(Pose, EYE), cast(Namer, Undecided())
    return Looking(replace(seen, bound=False), CloseupShown(light, None, None), sheet, pose, weigher, namer)


def found(place: StackHypothesis, confidence: float = 0.8) -> FoundPieces:
    return FoundPieces(place, confidence, (), (), np.zeros((len(place.sizes), 10)), *outlined(place, EYE))


def right(places: list[StackHypothesis], things: tuple[Thing, ...] = GROUP) -> bool:
    """Whether these are just the things, each nearly where it stands."""
    near = [
        [p for p in places if not p.lies and np.hypot(p.x_mm - t.place.x_mm, p.y_mm - t.place.y_mm) < 4] for t in things
    ]
    sizes = [[p.sizes for p in some] for some in near]
    return len(places) == len(things) and sizes == [[t.place.sizes] for t in things]


def test_the_foot_of_one_is_hidden() -> None:
    behind, before = (outlines([GROUP[k].place], EYE)[0][0] for k in (0, 1))
    assert before[:, 1].min() < behind[:4, 1].max(), "else this group is no test"


def test_pieces_are_found_by_what_they_explain_together() -> None:
    table = looking(*GROUP)
    told = explained(table.answers.plastic > -1, [], [], table, MAT)
    assert right([one.place for one in told])
    gains = [one.gain for one in told]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] > 2.0


def test_what_was_named_wrongly_gives_way() -> None:
    table = looking(*GROUP)
    between = StackHypothesis(258.0, 214.0, 100.0, ("large",), True)
    told = explained(table.answers.plastic > -1, [between, GROUP[2].place], [], table, MAT)
    assert right([one.place for one in told])


def test_what_is_known_to_be_there_is_not_found_again() -> None:
    table = looking(*GROUP)
    told = explained(table.answers.plastic > -1, [], [GROUP[1].place], table, MAT)
    assert right([one.place for one in told], (GROUP[0], GROUP[2]))


def test_nothing_is_explained_outside_of_the_mat() -> None:
    table = looking(*GROUP)
    corner = np.zeros(table.answers.plastic.shape, np.bool_)
    corner[:3, :3] = True
    assert explained(corner, [], [], table, MAT) == []


@pytest.mark.parametrize("number", [0, 2])
def test_a_group_that_is_not_explained_is_read_again(number: int) -> None:
    """Between two pieces one was found that lies; what stands beside them was found or not."""
    table = looking(*GROUP)
    between = found(StackHypothesis(258.0, 214.0, 100.0, ("large",), True))
    first = [between, *(found(thing.place, 0.99) for thing in GROUP[number:])]
    again = crowds_looked_again([(1.0, one) for one in first], [], table, MAT)
    assert right([one.place for _, one in again])


def test_what_is_explained_is_not_looked_at_again() -> None:
    table = looking(*GROUP)
    sure = [(1.0, found(thing.place, 0.99)) for thing in GROUP]
    assert crowds_looked_again(sure, [], table, MAT) == sure
    assert cast(Undecided, table.namer).looks == 0


@pytest.mark.parametrize("least", [-9.0, 9.0])
def test_what_was_not_found_at_all_must_be_likely(monkeypatch: pytest.MonkeyPatch, least: float) -> None:
    """These looks know nothing of any piece, so what they say could as well be of a shadow.

    The small one is seen by itself, apart from the others: where nothing was found that is the table's own pattern.
    """
    monkeypatch.setattr(crowd_looks, "_NEW", least)
    table = looking(*GROUP)
    again = crowds_looked_again([(1.0, found(GROUP[0].place, 0.99))], [], table, MAT)
    assert right([one.place for _, one in again], GROUP[: 2 if least < 0 else 1])


def test_what_is_kept_from_before_stays_and_is_not_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd_looks, "_NEW", -9.0)
    table = looking(*GROUP)
    kept = [found(GROUP[1].place, 0.99)]
    again = crowds_looked_again([], kept, table, MAT)
    assert right([one.place for _, one in again], GROUP[:1])


def test_where_shapes_explain_nothing_all_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd_looks, "explained", lambda *_: [])
    table = looking(*GROUP)
    kept = [found(GROUP[1].place, 0.99)]
    doubtful = [(1.0, found(GROUP[0].place, 0.5))]
    assert crowds_looked_again(doubtful, [*kept, *kept], table, MAT) == doubtful


def test_plastic_that_is_left_over_is_read_again_only_if_contours_show_a_piece() -> None:
    """A shadow of plastic is colored as plastic is, but has no rims and no ridges."""
    table = looking(*GROUP)
    sure = [found(thing.place, 0.99) for thing in GROUP[1:]]
    assert len(list(doubtful_groups(sure, [], table))) == 1
    shadow = replace(table, weigher=Weigher(IdealContours(EYE, *(thing.place for thing in GROUP[1:])), FITTED))
    assert list(doubtful_groups(sure, [], shadow)) == []
    unsure = [found(thing.place, 0.5) for thing in GROUP]
    assert len(list(doubtful_groups(unsure, [], shadow))) == 1, "what is not sure is read again in any case"
