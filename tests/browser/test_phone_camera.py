"""A phone is the camera: from the code on the table's page to a move that it saw, through TLS and a made-up camera."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games import RECORDED
from tests.browser.conftest import missing
from tests.browser.filmed_phone import DEMO, EMPTY, FIRST, FOLDER, eventually, film, phone, rows, serving
from tests.browser.firefox import Firefox
from vision.registration.registered_image import find_table

__all__ = ["phone"]


def invited(host: Any, url: str) -> str:
    """Opens the camera's page and returns the address that it shows for a phone."""
    host.goto(f"{url}camera")
    host.click("#use-phone")
    return str(host.inner_text(".phones code.long >> nth=0"))


def test_a_phone_sees_a_move(tmp_path: Path, chromium: Any, phone: Callable[[Path], Any]) -> None:
    seen = film(tmp_path / "table.mjpeg", (EMPTY, 7.0), (FIRST, 7.0))
    with serving(tmp_path, "--camera", "phone") as url:
        host = chromium.new_page(viewport={"width": 1366, "height": 768})
        link = invited(host, url)
        assert re.fullmatch(r"https://[\d.]+:\d+/phone#[0-9a-f]{32}", link)
        page = phone(seen)
        page.goto(link)
        page.wait_for_selector(".viewfinder:not([hidden])")
        host.wait_for_selector("text=pictures a second come from it")
        eventually(lambda: any(row["kind"] == "move" for row in rows(host, url)))
        assert next(row for row in rows(host, url) if row["kind"] == "move")["text"] == "YPG2 c17 YPG"
        page.wait_for_function("document.querySelector('#rate').textContent.includes('pictures a second')")

        # The way in by HTTPS shows nobody the table, and the code is used up.
        root = link.partition("phone#")[0]
        assert page.request.get(root).status == 404
        assert page.request.get(f"{root}api/table").status == 404
        again = page.request.post(
            f"{root}api/camera/phone/join", data={"code": link.partition("#")[2]}, headers={"Origin": root.rstrip("/")}
        )
        assert again.status == 403

        # Locking the phone is said on the table's page, and unlocking it goes on.
        page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
        began = time.monotonic()
        eventually(lambda: host.request.get(f"{url}api/eyes").json()["blind"] is not None, 20)
        assert time.monotonic() - began < 15, "3 s, and what a busy machine takes"
        assert "phone" in host.request.get(f"{url}api/eyes").json()["text"]
        page.evaluate("delete document.hidden")
        eventually(lambda: host.request.get(f"{url}api/eyes").json()["blind"] is None, 30)

        host.click("text=Remove this phone")
        page.wait_for_selector("#start:not([hidden])")
        assert host.request.get(f"{url}api/eyes").json()["state"] == "off"
        page.close()
        host.close()


@pytest.mark.parametrize(("how", "says"), [("covered", "Marker 2 is out of view"), ("shaken", "Hold it still")])
def test_the_phone_says_what_to_mend(
    tmp_path: Path, chromium: Any, phone: Callable[[Path], Any], how: str, says: str
) -> None:
    picture = cv2.imread(str(FOLDER / EMPTY))
    x, y = find_table(picture, RECORDED[DEMO.game](DEMO.mat, DEMO.setup).plan.mat).corners_px()[2]
    if how == "covered":
        cv2.circle(picture, (round(x), round(y)), 70, (90, 90, 90), -1)
        scenes = [picture]
    else:
        scenes = [np.roll(picture, 160 * k, axis=1) for k in range(4)]
    paths = [tmp_path / f"{how}-{k}.jpg" for k in range(len(scenes))]
    for path, scene in zip(paths, scenes, strict=True):
        cv2.imwrite(str(path), scene)
    seen = film(tmp_path / "table.mjpeg", *((str(path), 0.2) for path in paths))
    with serving(tmp_path) as url:
        host = chromium.new_page()
        link = invited(host, url)
        page = phone(seen)
        page.goto(link)
        page.wait_for_selector(f"#advice:has-text('{says}')")
        page.close()
        host.close()


def test_the_front_camera_is_refused(tmp_path: Path, chromium: Any, phone: Callable[[Path], Any]) -> None:
    seen = film(tmp_path / "table.mjpeg", (EMPTY, 1.0))
    with serving(tmp_path) as url:
        host = chromium.new_page()
        link = invited(host, url)
        host.close()
        page = phone(seen)
        page.add_init_script(
            "const own = MediaStreamTrack.prototype.getSettings;"
            "MediaStreamTrack.prototype.getSettings = function () { return { ...own.call(this), facingMode: 'user' } };"
        )
        page.goto(link)
        page.wait_for_selector("text=This is the front camera")


UPRIGHT = """
const video = document.querySelector('#video');
const draw = CanvasRenderingContext2D.prototype.drawImage;
const [width, height] = [video.videoWidth, video.videoHeight];
Object.defineProperty(video, 'videoWidth', { value: height, configurable: true });
Object.defineProperty(video, 'videoHeight', { value: width, configurable: true });
CanvasRenderingContext2D.prototype.drawImage = function (image, x, y, w, h) {
  this.save(); this.translate(x + w, y); this.rotate(Math.PI / 2);
  draw.call(this, image, 0, 0, h, w); this.restore();
};
window.turnBack = () => {
  delete video.videoWidth; delete video.videoHeight; CanvasRenderingContext2D.prototype.drawImage = draw;
};
null;
"""
"""A phone that is held upright: its browser turns the camera's track."""
FAKE_CAMERA = """
user_pref("media.navigator.streams.fake", true);
user_pref("media.navigator.permission.disabled", true);
user_pref("media.autoplay.default", 0);
user_pref("security.enterprise_roots.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
"""


def test_firefox_sends_pictures_through_tls(tmp_path: Path, chromium: Any) -> None:
    program = shutil.which("firefox") or shutil.which("firefox-esr")
    if program is None:
        missing("there is no Firefox: apt install firefox-esr")
    assert program is not None
    profile = tmp_path / "firefox"
    profile.mkdir()
    (profile / "user.js").write_text(FAKE_CAMERA)
    with serving(tmp_path) as url:
        host = chromium.new_page()
        link = invited(host, url)
        browser = Firefox(program, profile, capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        try:
            browser.open(link)
            eventually(lambda: browser.ask("!document.querySelector('.viewfinder').hidden"), 60)
            device = f"{url}api/camera/phone"
            eventually(lambda: (host.request.get(device).json()["device"] or {}).get("pictures_per_s", 0) > 1, 60)
            assert browser.ask("location.hash") == "", "the code stands in no history"
            width, height = browser.ask("[document.querySelector('#video').videoWidth, innerHeight]")
            assert width > 0 and height > 0
        finally:
            browser.close()
        host.close()


def test_a_phone_may_be_turned_and_may_lose_its_network(
    tmp_path: Path, chromium: Any, phone: Callable[[Path], Any]
) -> None:
    seen = film(tmp_path / "table.mjpeg", (EMPTY, 4.0))
    with serving(tmp_path) as url:
        host = chromium.new_page()
        link = invited(host, url)
        page = phone(seen)
        page.goto(link)
        page.wait_for_selector(".viewfinder:not([hidden])")
        eyes = f"{url}api/eyes"
        eventually(lambda: host.request.get(eyes).json()["state"] == "looking")
        wide = host.request.get(eyes).json()["size_px"]

        # The track of a phone that is turned changes its size; here the page takes the picture upright.
        page.evaluate(UPRIGHT)
        eventually(lambda: host.request.get(eyes).json()["size_px"] == wide[::-1])
        page.evaluate("window.turnBack()")
        eventually(lambda: host.request.get(eyes).json()["size_px"] == wide)

        # A camera that another app takes, or that a locked screen ends, starts again by itself.
        page.evaluate(
            "const [track] = document.querySelector('#video').srcObject.getVideoTracks();"
            "track.stop(); track.dispatchEvent(new Event('ended')); null"
        )
        page.wait_for_selector("text=The camera was taken away")
        page.wait_for_selector("#start", state="hidden")
        eventually(lambda: host.request.get(f"{url}api/camera/phone").json()["device"]["pictures_per_s"] > 1)

        page.context.set_offline(True)
        began = time.monotonic()
        page.wait_for_selector("text=The table does not answer")
        eventually(lambda: host.request.get(eyes).json()["blind"] is not None, 20)
        assert time.monotonic() - began < 15, "3 s, and what a busy machine takes"
        page.context.set_offline(False)
        eventually(lambda: host.request.get(eyes).json()["blind"] is None, 30)
        page.close()
        host.close()
