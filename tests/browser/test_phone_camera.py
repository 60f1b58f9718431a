"""A phone is the camera: from the code on the table's page to a move that it saw, through TLS and a made-up camera."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.filmed_phone import EMPTY, FIRST, eventually, film, phone, rows, serving

__all__ = ["phone"]


def test_a_phone_sees_a_move(tmp_path: Path, chromium: Any, phone: Callable[[Path], Any]) -> None:
    seen = film(tmp_path / "table.mjpeg", (EMPTY, 7.0), (FIRST, 7.0))
    with serving(tmp_path, "--camera", "phone") as url:
        host = chromium.new_page(viewport={"width": 1366, "height": 768})
        host.goto(f"{url}camera")
        host.click("#use-phone")
        link = host.inner_text(".phones code.long >> nth=0")
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


def test_the_front_camera_is_refused(tmp_path: Path, chromium: Any, phone: Callable[[Path], Any]) -> None:
    seen = film(tmp_path / "table.mjpeg", (EMPTY, 1.0))
    with serving(tmp_path) as url:
        host = chromium.new_page()
        host.goto(f"{url}camera")
        host.click("#use-phone")
        link = host.inner_text(".phones code.long >> nth=0")
        host.close()
        page = phone(seen)
        page.add_init_script(
            "const own = MediaStreamTrack.prototype.getSettings;"
            "MediaStreamTrack.prototype.getSettings = function () { return { ...own.call(this), facingMode: 'user' } };"
        )
        page.goto(link)
        page.wait_for_selector("text=This is the front camera")
