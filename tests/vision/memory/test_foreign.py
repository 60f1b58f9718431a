"""A cloth on a bare table is foreign; pieces, shadows, fading light and a cloth that is lifted are not."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.core.plan import Mat
from vision.image.likeness import SHRINK, Glance, Mask, glance_of
from vision.image.pose import Pose
from vision.memory.foreign import BareTable

MAT = Mat(600, 400, 40)
CAMERA = Pose((1280, 720), 960.0, -0.06, (-0.45, 0.05, 0.03), (-300.0, -190.0, 820.0), 0.0)
KNOCKED = Pose((1280, 720), 975.0, -0.06, (-0.44, 0.04, 0.05), (-306.0, -184.0, 822.0), 0.0)
AT_MM, ELSEWHERE_MM = (300.0, 200.0), (180.0, 120.0)
CLOTH, STRIPES = (70, 84, 120), 40
Picture = np.ndarray


def plain() -> Picture:
    """A picture (720, 1280, 3) of a gray table with a grain."""
    rng = np.random.default_rng(1)
    grain = rng.normal(0, 4, (360, 640, 1)).astype(np.float32)
    return np.asarray(np.clip(150 + cv2.resize(grain, (1280, 720))[..., None], 0, 255).repeat(3, axis=2), np.uint8)


def striped() -> Picture:
    """A picture (720, 1280, 3) of a striped one."""
    dark = (np.arange(1280) // STRIPES % 2)[None, :, None]
    return np.asarray(plain() * np.where(dark, (0.9, 0.5, 0.3), 1.0), np.uint8)


def pixel(place_mm: tuple[float, float], pose: Pose = CAMERA) -> np.ndarray:
    return np.asarray(pose.project(np.array([[*place_mm, 0.0]]))[0])


def covered(picture: Picture, color: tuple[int, int, int] = CLOTH, at_mm: tuple[float, float] = AT_MM) -> Picture:
    """The table with a round cloth, 70 mm wide."""
    x, y = np.round(pixel(at_mm)).astype(int).tolist()
    return np.asarray(cv2.circle(picture.copy(), (x, y), 40, color, -1, cv2.LINE_AA), np.uint8)


def shaded(picture: Picture, light: float) -> Picture:
    """The table in the soft shadow of a hand, 100 mm wide; `light` is what is left of the light."""
    x, y = np.round(pixel(AT_MM)).astype(int).tolist()
    shadow = cv2.GaussianBlur(cv2.circle(np.zeros(picture.shape[:2], np.float32), (x, y), 60, 1.0, -1), (0, 0), 8)
    return np.asarray(picture * (1 + (light - 1) * shadow[..., None]), np.uint8)


def seen(picture: Picture) -> Glance:
    return glance_of(picture, CAMERA)


def is_foreign(mask: Mask, place_mm: tuple[float, float] = AT_MM, pose: Pose = CAMERA) -> bool:
    column, row = np.round((pixel(place_mm, pose) + 0.5) / SHRINK - 0.5).astype(int)
    return bool(mask[row, column])


def outline(at_mm: tuple[float, float], side_mm: float) -> np.ndarray:
    """(4, 2) pixels of something square on the table."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side_mm / 2 + at_mm
    return np.asarray(CAMERA.project(np.column_stack([corners, np.zeros(4)])))


@pytest.mark.parametrize("table", [plain, striped])
@pytest.mark.parametrize("color", [CLOTH, (96, 92, 88), (40, 40, 40), (235, 240, 245)])
def test_a_cloth_on_a_bare_table_is_foreign(table: Callable[[], Picture], color: tuple[int, int, int]) -> None:
    picture = table()
    bare = BareTable()
    assert not bare.take(seen(picture), MAT, []).any()
    found = bare.take(seen(covered(picture, color)), MAT, [])
    assert is_foreign(found)
    assert not is_foreign(found, ELSEWHERE_MM)


@pytest.mark.parametrize("light", [0.9, 0.7, 0.5, 0.3])
@pytest.mark.parametrize("table", [plain, striped])
def test_the_shadow_of_a_hand_is_not_foreign(table: Callable[[], Picture], light: float) -> None:
    picture = table()
    bare = BareTable()
    bare.take(seen(picture), MAT, [])
    assert not bare.take(seen(shaded(picture, light)), MAT, []).any()


def test_fading_light_is_not_foreign() -> None:
    bare = BareTable()
    for k in range(8):
        picture = np.asarray(plain() * (1 - 0.06 * k, 1 - 0.05 * k, 1 - 0.04 * k), np.uint8)
        assert not bare.take(seen(picture), MAT, []).any()


def test_a_cloth_stays_foreign_for_as_long_as_it_lies_there() -> None:
    bare = BareTable()
    bare.take(seen(plain()), MAT, [])
    for _ in range(4):
        assert is_foreign(bare.take(seen(covered(plain())), MAT, []))
    assert not bare.take(seen(plain()), MAT, []).any()


def test_a_cloth_that_lay_there_from_the_beginning_leaves_nothing_foreign_when_it_is_lifted() -> None:
    bare = BareTable()
    assert not bare.take(seen(covered(plain())), MAT, []).any()
    assert not bare.take(seen(plain()), MAT, []).any()


def test_a_known_thing_is_not_foreign() -> None:
    bare = BareTable()
    bare.take(seen(plain()), MAT, [])
    assert not bare.take(seen(covered(plain())), MAT, [outline(AT_MM, 75)]).any()


def test_a_place_that_was_never_bare_has_no_answer() -> None:
    bare = BareTable()
    bare.take(seen(plain()), MAT, [outline(AT_MM, 75)])
    assert not is_foreign(bare.take(seen(covered(plain())), MAT, []))


def test_a_place_that_a_thing_has_left_is_bare() -> None:
    bare = BareTable()
    bare.take(seen(plain()), MAT, [outline(AT_MM, 75)])
    bare.take(seen(plain()), MAT, [])
    assert is_foreign(bare.take(seen(covered(plain())), MAT, []))


def test_a_further_look_is_compared_and_not_remembered() -> None:
    bare = BareTable()
    bare.take(seen(plain()), MAT, [outline(AT_MM, 75)])
    bare.foreign(seen(plain()), MAT, [])
    assert not is_foreign(bare.foreign(seen(covered(plain())), MAT, []))
    assert is_foreign(bare.foreign(seen(covered(plain(), at_mm=ELSEWHERE_MM)), MAT, []), ELSEWHERE_MM)


def test_what_was_bare_is_known_after_a_knock() -> None:
    around = np.array([(0.0, 0.0), (600.0, 0.0), (600.0, 400.0), (0.0, 400.0)])
    flat = np.column_stack([around, np.zeros(4)])
    ends = [pose.project(flat).astype(np.float32) for pose in (CAMERA, KNOCKED)]
    way = cv2.getPerspectiveTransform(ends[0], ends[1])

    def after(picture: Picture) -> Glance:
        moved = cv2.warpPerspective(picture, way, (1280, 720), borderMode=cv2.BORDER_REFLECT)
        return glance_of(np.asarray(moved, np.uint8), KNOCKED)

    bare = BareTable()
    bare.take(seen(plain()), MAT, [])
    assert not bare.take(after(plain()), MAT, []).any()
    assert is_foreign(bare.take(after(covered(plain())), MAT, []), AT_MM, KNOCKED)


def test_a_doubtful_thing_explains_what_is_about_as_large_as_itself() -> None:
    bare = BareTable()
    bare.take(seen(plain()), MAT, [])
    assert not bare.take(seen(covered(plain())), MAT, [], [outline(AT_MM, 75)]).any()
    assert is_foreign(bare.take(seen(covered(plain())), MAT, [], [outline((AT_MM[0] - 30, AT_MM[1]), 15)]))
