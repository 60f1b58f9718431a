"""The picture, corners and zones on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import House, Tabs, show_tab
from tests.web.doubles import SIZE_PX, PaintedEyes

START = [list(corner) for corner in PaintedEyes.marked()]


def with_picture(house: House, table_page: Callable[..., Any]) -> Any:
    """The camera's page with its picture."""
    house.begin()
    page = table_page("/camera")
    page.wait_for_function("() => document.querySelector('.picture canvas')?.width === 640")
    return page


@pytest.fixture
def camera_page(house: House, table_page: Callable[..., Any]) -> Any:
    """The camera's page with its picture, corners being set."""
    page = with_picture(house, table_page)
    page.click('[data-key="corners"]')
    page.wait_for_selector(".handle >> nth=3")
    return page


def fields(page: Any) -> list[list[float]]:
    """Corners as the number fields show them."""
    return [[float(page.input_value(f"#corner-{i}-{axis}")) for axis in (0, 1)] for i in range(4)]


def test_the_picture_and_what_was_read_in_it(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    page = table_page()
    show_tab(page, "camera")
    page.wait_for_selector(".picture canvas")
    house.eyes.picture()
    page.wait_for_selector("text=Picture 2, nothing read yet")
    house.eyes.read("PPG5", "BBG4", "RRY5")
    page.wait_for_selector("text=Picture 2, read in picture 2")
    assert page.get_attribute(".picture svg.marks", "aria-label") == "What was read in picture 2: 3 pieces"
    assert sorted(page.locator(".picture .mark-label").all_text_contents()) == ["BBG4", "PPG5", "RRY5?"]
    assert page.locator(".picture .doubt").count() == 1
    house.eyes.become("moving", "Something moves over the table.")
    page.wait_for_selector(".picture.moving")
    page.wait_for_selector("text=Something moves over the table.")
    page.click('[data-key="marks"]')
    page.wait_for_selector(".picture svg.marks", state="detached")


OVER_EACH_OTHER = """() => {
  const boxes = [...document.querySelectorAll('.picture-labels text')].map((text) => text.getBoundingClientRect());
  return boxes.some((a, i) => boxes.some((b, j) => j < i && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
}"""


def test_labels_have_a_legible_size_and_never_stand_over_each_other(
    house: House, table_page: Callable[..., Any]
) -> None:
    """Thirteen pieces within 400 pixels of the camera's picture, in a panel, on a phone and enlarged."""
    house.begin()
    labels = [f"RGB{i}" for i in range(13)]
    house.eyes.read(*labels)
    for view in ({"width": 1440, "height": 900}, {"width": 390, "height": 844}):
        page = table_page(viewport=view)
        page.evaluate("document.querySelector('#view-more').scrollIntoView()")
        show_tab(page, "camera")
        page.wait_for_selector(".picture-labels text >> nth=2")
        told = page.inner_text(".picture-line")
        left = int(told.partition("; ")[2].partition(" ")[0] or 0)
        assert page.locator(".picture-labels text").count() == len(labels) - left
        assert not page.evaluate(OVER_EACH_OTHER)
        assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.mark-label')).fontSize)") >= 13
        shown = page.locator(".picture-labels text").all_text_contents()
        assert {"RGB2?", "RGB5?", "RGB8?", "RGB11?"} <= set(shown), "doubted pieces come first"
        page.click('[data-key="enlarge"]')
        page.wait_for_selector("dialog .picture-labels text >> nth=4")
        assert not page.evaluate(OVER_EACH_OTHER)
        if view["width"] > 1000:
            assert page.locator(".picture-labels text").count() == len(labels)
        box = page.locator("dialog .picture").bounding_box()
        assert box["width"] > 0.75 * view["width"] and box["y"] + box["height"] < view["height"]
        page.click("dialog >> text=Close")
        page.wait_for_selector("#panel-camera .picture")
        assert page.evaluate("document.activeElement.dataset.key") == "enlarge"


@pytest.mark.parametrize(
    ("upper_end", "turn"), [((320, 100), 0), ((420, 200), 270), ((320, 300), 180), ((250, 130), 45)]
)
def test_the_picture_is_turned_as_the_board_is(
    house: House, table_page: Callable[..., Any], upper_end: tuple[float, float], turn: int
) -> None:
    house.begin()
    house.eyes.read("GGY4", upper_end=upper_end)
    page = table_page()
    show_tab(page, "camera")
    page.wait_for_selector(".picture-labels text")
    turned = "document.querySelector('.picture-inner').style.transform"
    assert page.evaluate(turned) == (f"rotate({turn}deg)" if turn else "none")


def test_a_page_that_is_opened_after_a_recording_shows_its_last_picture(house: House, tabs: Tabs) -> None:
    house.begin()
    house.eyes.read("GGY4")
    house.eyes.become("ended", "The recording is over.")
    page = tabs.open("/")
    page.wait_for_selector("#blind >> text=Recording over")
    show_tab(page, "camera")
    page.wait_for_selector(".picture:not([hidden]) .picture-labels text")
    assert page.evaluate("document.querySelector('.picture canvas').width") == 640


def test_a_lost_camera_is_said(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    page = table_page("/camera")
    house.eyes.become("lost", "The camera stopped delivering pictures. Plug it in again.")
    page.wait_for_selector("#check >> text=Plug it in again")
    assert page.locator("#check .mark-no").count() >= 1


def test_corners_by_dragging(house: House, camera_page: Any) -> None:
    assert fields(camera_page) == START
    box = camera_page.locator(".handle >> nth=1").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    camera_page.mouse.move(x, y)
    camera_page.mouse.down()
    assert camera_page.is_visible(".loupe")
    camera_page.mouse.move(x - 30, y + 20, steps=3)
    camera_page.mouse.up()
    moved = fields(camera_page)
    assert moved[1][0] < START[1][0] - 10 and moved[1][1] > START[1][1] + 5
    assert [moved[i] for i in (0, 2, 3)] == [START[i] for i in (0, 2, 3)]
    camera_page.click('[data-key="use"]')
    camera_page.wait_for_selector("text=These corners are used now.")
    used = house.eyes.corners_set[-1]
    assert [list(map(round, corner)) for corner in used] == [list(map(round, corner)) for corner in moved]  # type: ignore[union-attr]
    camera_page.click('[data-key="markers"]')
    camera_page.wait_for_selector("text=The markers are looked for again.")
    assert house.eyes.corners_set[-1] is None


def test_corners_by_tap_and_tap(camera_page: Any) -> None:
    camera_page.click(".handle >> nth=2")
    box = camera_page.locator(".picture").bounding_box()
    camera_page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.75)
    (x, y) = fields(camera_page)[2]
    assert x == pytest.approx(0.75 * SIZE_PX[0], abs=3) and y == pytest.approx(0.75 * SIZE_PX[1], abs=3)


def test_corners_by_keys_and_by_numbers(house: House, camera_page: Any) -> None:
    camera_page.focus(".handle >> nth=0")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowUp"):
        camera_page.keyboard.press(key)
    assert fields(camera_page)[0] == [START[0][0] + 12, START[0][1] - 9]
    assert "x 92, y 41" in camera_page.get_attribute(".handle >> nth=0", "aria-label")
    camera_page.fill("#corner-3-0", "33")
    assert "x 33," in camera_page.get_attribute(".handle >> nth=3", "aria-label")
    camera_page.click('[data-key="use"]')
    camera_page.wait_for_selector("text=These corners are used now.")
    assert house.eyes.corners_set[-1][3][0] == 33  # type: ignore[index]


def test_corners_that_are_no_table_are_refused_in_a_sentence(camera_page: Any, tabs: Any) -> None:
    tabs.allow("400")
    camera_page.fill("#corner-0-0", "600")
    camera_page.click('[data-key="use"]')
    camera_page.wait_for_selector("#corners .answer.bad >> text=clockwise")
    assert camera_page.locator(".handle").count() == 4


def test_a_zone_is_moved_and_saved(house: House, table_page: Callable[..., Any]) -> None:
    page = with_picture(house, table_page)
    page.click("text=Hand of Ann")
    page.wait_for_selector(".handle.point >> nth=3")
    before = page.input_value("#zone-0-0")
    page.focus(".handle.point >> nth=0")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowLeft")
    after = float(page.input_value("#zone-0-0"))
    assert after < float(before) - 10
    page.click('[data-key="save-plan"]')
    page.wait_for_selector("text=The plan is saved", state="attached")
    zone = next(zone for zone in house.sessions.plan.zones if getattr(zone, "spot", None) == "seat0.hand")
    assert zone.outline_mm[0][0] == pytest.approx(after, abs=1)
