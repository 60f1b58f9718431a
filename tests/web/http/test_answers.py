"""One form for everything that goes wrong, and nothing that a browser sends breaks the page."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.admission.test_security import paths
from tests.web.conftest import Browser
from web.admission.security import BODIES, ROUTES

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["event", "text", "expected", "to", "why", "n", "choice", "position", "game", "names", "pin", "mat"]
)


def test_errors_are_one_sentence_in_one_form(reader: Browser) -> None:
    for path, status in (
        ("/api/table/moves", 409),
        ("/api/nothing", 404),
        ("/camera/nothing", 404),
        ("/api/games/", 404),
    ):
        answer = reader.get(path)
        assert answer.status_code == status, path
        assert set(answer.json) == {"error"}
        assert answer.json["error"].endswith("."), path


def test_a_wrong_method_names_the_right_ones(reader: Browser) -> None:
    answer = reader.get("/api/table/play")
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]
    assert set(answer.json) == {"error"}


@pytest.mark.usefixtures("table")
def test_a_refused_move_names_its_rules(phone: Browser) -> None:
    answer = phone.post("/api/table/play", {"expected": 22, "text": "RRY5 c30"})
    assert answer.status_code == 409
    assert answer.json["rule"] == answer.json["breaches"][0]["rule"] == "TRI-9"
    assert "TRI-9" in answer.json["error"]


def test_a_page_that_is_not_there_is_shown_as_a_page(reader: Browser) -> None:
    answer = reader.get("/<script>alert(1)</script>")
    assert answer.status_code == 404
    assert answer.mimetype == "text/html"
    assert "<script>alert" not in answer.text


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"expected":1e400,"text":"x"}', b'{"expected":-1}'],
)
def test_bodies_that_do_not_fit_get_400(app: Flask, phone: Browser, host: Browser, body: bytes) -> None:
    headers = {"Origin": "http://localhost", "Content-Type": "application/json"}
    for endpoint, path in paths(app, "POST"):
        pictures = endpoint in BODIES or ROUTES[endpoint] == "camera"
        if pictures or endpoint in ("eyes.look_again", "door.invite"):
            continue
        asking = host if ROUTES[endpoint] == "host" else phone
        answer = asking.flask.post(path, data=body, headers=headers)
        assert answer.status_code == 400, (endpoint, body[:20], answer.text)
        assert set(answer.json) == {"error"}


def test_bodies_above_the_limit_get_413(phone: Browser) -> None:
    answer = phone.post("/api/games", {"game": "spectrangle", "names": ["A" * 300_000]})
    assert answer.status_code == 413
    assert set(answer.json) == {"error"}


@pytest.mark.usefixtures("table")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.dictionaries(KEYS, ANY_JSON, max_size=5) | ANY_JSON)
def test_no_body_breaks_the_page(app: Flask, phone: Browser, data: object) -> None:
    for endpoint, path in paths(app, "POST"):
        if ROUTES[endpoint] == "host":
            continue
        answer = phone.post(path, data)
        assert answer.status_code < 500, (endpoint, json.dumps(data), answer.text)


@pytest.mark.usefixtures("table")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    spot=st.text(max_size=12) | st.sampled_from(["c0", "c35", "c36", "seat0.hand", "c-1", "c²"]),
    piece=st.text(max_size=8) | st.sampled_from(["RRY5", "RRY4", "WWW1", "rry5", "RRY5x"]),
    number=st.text(max_size=6) | st.integers().map(str),
)
def test_no_question_breaks_the_page(app: Flask, reader: Browser, spot: str, piece: str, number: str) -> None:
    query = {"spot": spot, "piece": piece, "after": number, "q": spot, "unseen": number, "how": piece}
    for path in (
        "/api/table/why",
        "/api/table/moves",
        "/api/table/pieces",
        "/api/table/correction",
        "/api/journal/rows",
    ):
        answer = reader.get(path, query_string=query)
        assert answer.status_code < 500, (path, query, answer.text)
    for path in (
        f"/api/rules/{spot}/{piece}",
        f"/rules/{spot}",
        f"/api/journal/board/{number}",
        f"/api/journal/export/{piece}",
    ):
        assert reader.get(path.replace("?", "").replace("#", "")).status_code < 500, path
