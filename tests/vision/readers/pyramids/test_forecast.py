"""How well a table will be read is foreseen from its view, print and light, and a better place for the camera."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.core.plan import Mat
from vision.calibration.calibration import EmptyTable
from vision.image.picture import read_picture
from vision.readers.pyramids import forecast
from vision.readers.pyramids.forecast import (
    CONDITIONS,
    GOOD,
    KINDS,
    Forecast,
    camera_advice,
    conditions,
    conditions_of,
    height_deg,
    load_forecast,
    table_in_words,
)
from vision.registration.registered_image import find_table

DATA = Path(__file__).parents[3] / "data" / "calibration"
MAT = Mat(600, 400, 40)
ALONE, ONE_COLOR = KINDS[0], KINDS[-1]
EVEN = (3.0, *[0.0] * CONDITIONS)
STEEP = Forecast({kind: EVEN if kind != ONE_COLOR else (6.0, -20.0, 0.0, 0.0) for kind in KINDS}, {ALONE: 1.0})
LEVEL = Forecast(dict.fromkeys(KINDS, EVEN), {ALONE: 0.5, ONE_COLOR: 0.5})


@pytest.fixture(scope="module")
def empty() -> EmptyTable:
    table = find_table(read_picture(DATA / "stripes-empty.jpg"), MAT)
    return EmptyTable(table.picture, table.pose, table.light, MAT)


def test_a_share_is_the_mean_over_the_kinds() -> None:
    model = Forecast({ALONE: (2.0, 0.0, 0.0, 0.0), ONE_COLOR: (0.0, 0.0, 0.0, 0.0)}, {ALONE: 0.75, ONE_COLOR: 0.25})
    here = conditions(60, 0.1, 0.5)
    assert model.share_of_kind(ONE_COLOR, here) == pytest.approx(0.5)
    assert model.share(here) == pytest.approx(0.75 / (1 + np.exp(-2)) + 0.125)


def test_stacks_of_one_color_are_told_apart_best_from_aside() -> None:
    shares = [load_forecast().share_of_kind(ONE_COLOR, conditions(above, 0.2, 0.4)) for above in (88, 70, 55, 45)]
    assert shares == sorted(shares) and shares[-1] - shares[0] > 0.1


def test_a_print_makes_a_table_worse() -> None:
    plain, printed = (load_forecast().share(conditions(60, much, 0.4)) for much in (0.05, 0.7))
    assert printed < plain


@pytest.mark.parametrize("now_deg", [88.0, 70.0])
def test_a_lower_camera_is_advised_where_it_sees_more(
    empty: EmptyTable, now_deg: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecast, "height_deg", lambda empty: now_deg)
    advice = camera_advice(empty, STEEP)
    assert advice.now_deg == now_deg and advice.better_deg is not None
    assert 35 <= advice.better_deg < now_deg and advice.better_share > advice.share + 0.05


def test_a_low_camera_is_left_where_it_is(empty: EmptyTable) -> None:
    assert camera_advice(empty, STEEP).now_deg == height_deg(empty) < 45
    assert camera_advice(empty, STEEP).better_deg is None


def test_no_place_is_advised_that_sees_no_more(empty: EmptyTable) -> None:
    advice = camera_advice(empty, LEVEL)
    assert advice.better_deg is None and advice.share == advice.better_share


def test_a_table_that_will_be_read_badly_gets_advice(empty: EmptyTable) -> None:
    share, words = load_forecast().share(conditions_of(empty)), list(table_in_words(empty))
    assert words[0].startswith("The empty table is remembered: ")
    assert words[1] == f"About {share:.0%} of the pieces will be read right at first sight."
    assert any(one.startswith("Lay a plain cloth") for one in words) == (share < GOOD)
    assert any(one.startswith("Put the camera") for one in words) == (camera_advice(empty).better_deg is not None)
