"""What guesses are worth is set anew by kind, zone, view and table; what is kept of a stack if none of them is right."""

from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.layout import Candidate
from companion.core.pieces import PYRAMID_COLORS, Pyramid
from tests.vision.readers.pyramids.conftest import FromAbove
from vision.image.pose import Pose
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.joint_assignment import named_jointly
from vision.readers.pyramids.scene import FoundPieces, Rival
from vision.readers.pyramids.sureness import (
    ANYWHERE,
    Circumstances,
    Sureness,
    kind_of,
    levels_of,
    load_sureness,
    merged_guesses,
    shape_of,
    view_of,
)

HERE = Circumstances("trees", "from above", "plain")
ABOVE = Pose((1280, 720), 1000.0, 0.0, (0.0, 0.0, 0.0), (-300.0, -200.0, 800.0), 0.0)
"""A camera 800 mm above (300, 200)."""


def color_logs(*colors: str) -> np.ndarray:
    logs = np.full((len(colors), len(PYRAMID_COLORS)), -8.0)
    for level, color in enumerate(colors):
        logs[level, PYRAMID_COLORS.index(color)] = 0.0
    return logs


def guess(sizes: str, confidence: float, *colors: str, lies: bool = False, x: float = 300.0) -> Rival:
    """A guess in short: "lm" is a medium on a large; red where no colors are given."""
    names = tuple({"l": "large", "m": "medium", "s": "small"}[one] for one in sizes)
    place = StackHypothesis(x, 200.0, 0.0, names, lies)
    return Rival(place, confidence, color_logs(*(colors or ("red",) * len(names))))


def found(first: Rival, *others: Rival) -> FoundPieces:
    outline = np.zeros((len(first.place.sizes), 5, 2))
    return FoundPieces(first.place, first.confidence, others, (), first.color_logs, outline, (0, 0, 1, 1))


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (guess("s", 1), "small alone"),
        (guess("m", 1, lies=True), "lying"),
        (guess("lm", 1), "two of one color"),
        (guess("lm", 1, "red", "blue"), "two of several colors"),
        (guess("lms", 1), "three of one color"),
        (guess("lmss", 1, "red", "red", "red", "blue"), "more of several colors"),
    ],
)
def test_kinds(one: Rival, kind: str) -> None:
    assert kind_of(one) == kind


def test_shapes() -> None:
    told = [shape_of(guess(sizes, 1).place) for sizes in ("l", "lm", "lmmss")]
    assert told == ["large", "large medium", "taller"]
    assert shape_of(guess("s", 1, lies=True).place) == "small lying"


def test_what_levels_show_of_themselves() -> None:
    assert levels_of(guess("l", 1)) == ["alone"]
    assert levels_of(guess("l", 1, lies=True)) == ["lying"]
    assert levels_of(guess("lm", 1)) == ["rim of two of one color", "top of two of one color"]
    rim, middle, top = levels_of(guess("lms", 1, "red", "blue", "red"))
    assert rim == middle == "rim of three of several colors" and top == "top of three of several colors"


@pytest.mark.parametrize(("x", "view"), [(300.0, "from above"), (800.0, "between"), (1100.0, "from aside")])
def test_the_view_is_that_of_the_place_and_not_of_the_table(x: float, view: str) -> None:
    assert view_of(guess("l", 1, x=x).place, ABOVE) == view


def test_where_nothing_was_fitted_the_reader_is_believed() -> None:
    one = found(guess("l", 0.7), guess("lm", 0.25))
    same = Sureness().under(one, HERE, FromAbove())
    assert [same.confidence, *(rival.confidence for rival in same.rivals)] == pytest.approx([0.7, 0.25])
    assert (same.color_logs == one.color_logs).all()


def test_terms_of_shape_zone_view_table_and_colors_add_up() -> None:
    terms = {
        "large medium": (0.3, 0.0),
        "large medium, trees": (0.2, -0.5),
        "large medium, from above": (0.1, 0.0),
        "large medium, plain": (0.1, 0.1),
        "large medium, one color": (0.3, 0.0),
        "large medium, several colors": (9.0, 0.0),
        "large medium, beside": (9.0, 0.0),
        "large medium, stalks": (9.0, 0.0),
        "other than large": (-0.5, 0.0),
        "all beside two of one color, trees, from above": (0.0, 9.0),
    }
    told = [guess("l", 0.6), guess("lm", 0.3)]
    odds = [0.6, 0.3 ** (1 - 0.5 + 0.1) * math.exp(1.0), 0.1 * math.exp(-0.5)]
    assert Sureness(terms).chances(told, HERE) == pytest.approx([one / sum(odds) for one in odds[:2]])


def test_the_reader_is_surer_of_everything_where_its_best_guess_is_of_a_kind() -> None:
    """A level that all have in common changes nothing; a slope does."""
    sureness = Sureness({"all beside large alone, trees, from above": (5.0, 1.0)})
    odds = [0.6**2, 0.3**2, 0.1**2]
    told = [guess("l", 0.6), guess("lm", 0.3)]
    assert sureness.chances(told, HERE) == pytest.approx([one / sum(odds) for one in odds[:2]])
    assert sureness.chances(told, replace(HERE, view="between")) == pytest.approx([0.6, 0.3])
    other = [guess("lm", 0.6), guess("l", 0.3)]
    assert sureness.chances(other, HERE) == pytest.approx([0.6, 0.3])


def test_a_guess_that_comes_true_more_often_becomes_the_reading() -> None:
    """A large that reads alone in a tree from above is often one with a medium on it."""
    sureness = Sureness({"large medium, trees": (1.5, 0.0)})
    one = found(guess("l", 0.6), guess("lm", 0.35))
    now = sureness.under(one, HERE, FromAbove())
    assert now.place.sizes == ("large", "medium") and now.outline_px.shape == (2, 5, 2)
    assert [rival.place.sizes for rival in now.rivals] == [("large",)]
    elsewhere = sureness.under(one, replace(HERE, zone="supply"), FromAbove())
    assert elsewhere.place.sizes == ("large",)


def test_one_guess_in_two_places_counts_once() -> None:
    told = merged_guesses([guess("m", 0.3, x=310.0), guess("m", 0.4), guess("mm", 0.2)])
    assert [(len(one.place.sizes), one.place.x_mm, round(one.confidence, 6)) for one in told] == [
        (1, 300.0, 0.7),
        (2, 300.0, 0.2),
    ]


def test_colors_are_held_for_as_likely_as_their_levels_show_them() -> None:
    one = found(guess("lm", 0.9, "red", "blue"))
    sureness = Sureness(temperatures={"rim of two of several colors, from above": 0.5})
    now = sureness.under(one, HERE, FromAbove())
    assert now.color_logs[0] == pytest.approx(one.color_logs[0] * 0.5)
    assert now.color_logs[1] == pytest.approx(one.color_logs[1])
    aside = sureness.under(one, replace(HERE, view="from aside"), FromAbove())
    assert aside.color_logs == pytest.approx(one.color_logs), "another view says nothing of this one"


RED_LARGE, RED_MEDIUM, RED_SMALL = (Pyramid("red", size) for size in ("large", "medium", "small"))


def named(one: FoundPieces) -> FoundPieces:
    return named_jointly([one], FromAbove())[0]


def test_a_piece_is_there_if_any_guess_that_holds_it_is_right() -> None:
    one = named(found(guess("ls", 0.5), guess("lms", 0.3), guess("l", 0.15)))
    large, small = one.levels
    assert large.piece == RED_LARGE and large.confidence == pytest.approx(0.95, abs=0.01)
    assert small.piece == RED_SMALL and small.confidence == pytest.approx(0.8, abs=0.01)
    assert small.probability(None) == pytest.approx(0.15)
    assert one.overlooked == (Candidate(RED_MEDIUM, 0.3),)


def test_a_piece_that_stands_or_lies_is_there_either_way() -> None:
    (level,) = named(found(guess("m", 0.5), guess("m", 0.45, lies=True))).levels
    assert level.confidence == pytest.approx(0.95, abs=0.01)


def test_another_size_in_the_same_stack_is_named_instead_of_it() -> None:
    one = named(found(guess("lm", 0.6), guess("ls", 0.35)))
    assert one.levels[1].probability(RED_SMALL) == pytest.approx(0.35)
    assert one.levels[0].confidence == pytest.approx(0.95, abs=0.01)
    assert one.overlooked == ()


def test_what_is_kept_where_no_guess_is_right() -> None:
    one = found(guess("l", 0.6))
    kept = Sureness(kept={"large alone": 0.9}).under(one, HERE, FromAbove())
    assert named(kept).levels[0].confidence == pytest.approx(0.96, abs=0.01)
    assert named(one).levels[0].confidence == pytest.approx(0.6, abs=0.01)


def test_the_fitted_file_knows_that_a_large_alone_in_a_tree_may_have_a_medium_on_it() -> None:
    sureness = load_sureness()
    for view in ("from above", "between", "from aside"):
        alone, _ = sureness.chances([guess("l", 0.8), guess("lm", 0.19)], replace(HERE, view=view))
        assert alone < 0.7, view


@pytest.mark.parametrize("zone", ["trees", "stalks", "supply", ANYWHERE])
def test_in_the_fitted_file_who_is_surer_is_more_often_right(zone: str) -> None:
    here = Circumstances(zone, "from aside", "beside")
    sure, doubted = (load_sureness().chances([guess("s", chance)], here)[0] for chance in (0.9999, 0.6))
    assert 1 > sure > 0.9 > doubted
