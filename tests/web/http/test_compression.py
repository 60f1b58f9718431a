"""Text goes out compressed to those who take it; everything else as it is."""

from __future__ import annotations

import gzip

import pytest

from companion.referee.table.table import Table
from tests.web.conftest import Browser

TAKES = {"Accept-Encoding": "gzip, br"}


@pytest.mark.parametrize("path", ["/", "/api/table", "/static/css/page.css", "/static/js/table.js"])
def test_text_is_compressed_for_those_who_take_it(table: Table, reader: Browser, path: str) -> None:
    plain, small = reader.get(path), reader.get(path, headers=TAKES)
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert len(small.data) < 0.45 * len(plain.data)
    assert small.content_length == len(small.data)
    assert len(gzip.decompress(small.data)) == len(plain.data)
    assert "Accept-Encoding" in small.headers["Vary"]


def test_pictures_small_answers_and_errors_are_left_alone(table: Table, reader: Browser) -> None:
    for path in ("/camera/still.jpg", "/api/door", "/api/nothing"):
        assert "Content-Encoding" not in reader.get(path, headers=TAKES).headers, path


def test_a_file_that_has_not_changed_is_not_sent_again(reader: Browser) -> None:
    first = reader.get("/static/css/page.css", headers=TAKES)
    again = reader.get("/static/css/page.css", headers={**TAKES, "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304 and again.data == b""


def test_the_first_page_is_at_most_150_kb(table: Table, host: Browser) -> None:
    files = ["/", "/api/table", "/api/journal/rows", "/static/js/theme.js", "/static/js/table.js", "/static/icon.svg"]
    files += [f"/static/css/{name}.css" for name in ("page", "parts", "board")]
    files += [f"/static/js/lib/{name}.js" for name in ("api", "dom", "say", "store")]
    parts = "alert board cell hands history picture pieces replay scores turn"
    files += [f"/static/js/parts/{name}.js" for name in parts.split()]
    sent = 0
    for path in files:
        answer = host.get(path, headers=TAKES)
        assert answer.status_code == 200, path
        sent += len(answer.data)
    assert sent <= 150_000
