"""A person chooses a sign, and every screen shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.test_accessibility import violations
from web.scene.signs import SIGN_PATHS, own_sign

COLOR_NAMES = ["blue", "vermilion", "green", "pink", "orange", "sky blue", "olive", "violet", "gray", "black"]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_a_sign_chosen_at_the_scores_is_shown_on_the_wall(
    house: House, table_page: Callable[..., Any], checker: str
) -> None:
    house.begin(6)
    page, wall = table_page(), table_page("/screen")
    page.click('[data-key="sign-0"]')
    page.wait_for_selector("dialog >> text=The sign of Ann")
    assert violations(page, checker) == []
    # Color is never the only sign: what each is called stands under it.
    assert page.locator(".sign-pick").all_inner_texts() == [*SIGN_PATHS, *COLOR_NAMES]
    ben = own_sign(1, None)
    page.click(f'[data-key="shape-{ben.shape}"]')
    page.click(f'[data-key="color-{ben.color}"]')
    page.wait_for_selector("dialog >> text=Ben has this sign.")
    assert page.locator('[data-key="keep-sign"]').is_disabled()
    page.click('[data-key="shape-star"]')
    page.click('[data-key="keep-sign"]')
    for shown in (page.locator("#scores .sign"), wall.locator(".wall-name .sign")):
        star = shown.locator(f'path[d="{SIGN_PATHS["star"]}"]')
        star.first.wait_for()
        assert star.count() == 1


def test_a_player_chooses_on_the_own_phone(house: House, tabs: Tabs) -> None:
    house.begin(6)
    page = tabs.open("/", seat=1, **PHONE)
    page.wait_for_selector(LIVE)
    page.click('[data-key="seat"]')
    page.click('[data-key="own-sign"]')
    page.click('[data-key="shape-hexagon"]')
    page.click('[data-key="keep-sign"]')
    page.locator(f'[data-key="seat"] path[d="{SIGN_PATHS["hexagon"]}"]').wait_for()
