"""Who may ask for what: every route is listed, and every check holds on every one of them."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.web.conftest import Browser
from web.admission.access import Access
from web.admission.security import BODIES, ROUTES, host_is_ours, host_name
from web.app import create_app
from web.http.settings import WebSettings

FILLED = {
    "id": "spectrangle-1",
    "game": "spectrangle",
    "rule": "TRI-9",
    "n": "0",
    "kind": "csv",
    "tag": "de",
    "filename": "icon.svg",
}


def paths(app: Flask, method: str) -> list[tuple[str, str]]:
    """Endpoint and address of every route that takes a method."""
    found = []
    for rule in app.url_map.iter_rules():
        if method in (rule.methods or ()):
            with app.test_request_context():
                found.append((rule.endpoint, str(rule.build({name: FILLED[name] for name in rule.arguments})[1])))
    return found


def test_every_route_is_listed_and_every_listed_route_exists(app: Flask) -> None:
    assert {rule.endpoint for rule in app.url_map.iter_rules()} == set(ROUTES)


def test_what_changes_something_is_not_open_to_readers(app: Flask) -> None:
    for endpoint, _ in paths(app, "POST"):
        assert ROUTES[endpoint] != "public-read", endpoint
    for method in ("PUT", "PATCH", "DELETE"):
        assert paths(app, method) == []


def test_a_route_that_is_not_listed_is_refused(app: Flask, host: Browser) -> None:
    app.add_url_rule("/forgotten", "forgotten", lambda: "here")
    assert host.get("/forgotten").status_code == 403


def test_changes_without_a_token_are_refused(app: Flask, reader: Browser) -> None:
    for endpoint, path in paths(app, "POST"):
        if ROUTES[endpoint] == "join":
            continue
        kind = BODIES.get(endpoint, "application/json")
        answer = reader.post(path, data="{}", headers={"Content-Type": kind})
        assert answer.status_code in (401, 403), endpoint
        assert set(answer.json) == {"error"}, endpoint


def test_changes_from_a_foreign_page_are_refused(app: Flask, host: Browser) -> None:
    foreign = [
        "http://evil.example",
        "null",
        "http://localhost:1",
        "https://localhost",
        "http://localhost.evil.example",
    ]
    for endpoint, path in paths(app, "POST"):
        for origin in foreign:
            answer = host.post(path, {}, headers={"Origin": origin})
            assert answer.status_code == 403, (endpoint, origin)
        assert host.flask.post(path, json={}).status_code == 403, f"{endpoint} with a cookie and without an origin"


def test_requests_for_a_foreign_name_are_refused(app: Flask, access: Access) -> None:
    browser = Browser(app, access.token("host"))
    for method in ("GET", "POST"):
        for endpoint, path in paths(app, method):
            for name in ("evil.example", "localhost.evil.example", "table.lan:80:80", "[::1", ""):
                headers = {"Host": name, "Origin": f"http://{name}", "Content-Type": "application/json"}
                answer = browser.flask.open(path, method=method, headers=headers, data=b"{}")
                assert answer.status_code == 400, (endpoint, name)


def test_changes_in_a_form_that_any_page_can_send_are_refused(app: Flask, host: Browser) -> None:
    for endpoint, path in paths(app, "POST"):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
            answer = host.flask.post(path, data="{}", headers={"Origin": "http://localhost", "Content-Type": kind})
            assert answer.status_code == 415, (endpoint, kind)


def test_a_program_with_the_token_in_a_header_needs_no_origin(app: Flask, access: Access) -> None:
    program = app.test_client()
    headers = {"Authorization": f"Bearer {access.token('table')}"}
    assert program.post("/api/eyes/look", json={}, headers=headers).status_code == 200
    assert program.post("/api/eyes/look", json={}, headers={"Authorization": "Bearer 0"}).status_code == 401
    assert program.post("/api/eyes/look", json={}).status_code == 403
    assert program.post("/api/door/invite", json={}, headers=headers).status_code == 403, "the table is not the host"


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("127.0.0.1", True),
        ("127.0.0.1:8000", True),
        ("192.168.1.7:8000", True),
        ("[::1]:8000", True),
        ("[fe80::1]", True),
        ("localhost:8000", True),
        ("LOCALHOST", True),
        ("table.local", True),
        ("table.local.:8000", True),
        ("club.example", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("1.2.3", False),
        ("local", False),
        ("[::1", False),
        ("[127.0.0.1]", False),
        ("::1", False),
        ("localhost:99999", False),
        ("localhost:x", False),
        ("", False),
        (".local:0:", False),
    ],
)
def test_names_that_nobody_else_can_own(host: str, ours: bool) -> None:
    assert host_is_ours(host, ("club.example",)) is ours


def test_the_name_of_a_host_header() -> None:
    assert host_name("Table.Local:80") == "table.local"
    assert host_name("[::1]:80") == "::1"
    assert host_name("a:b") == ""


@pytest.mark.usefixtures("table")
def test_a_browser_on_this_machine_becomes_the_host_by_opening_a_page(app: Flask) -> None:
    here = Browser(app, address="127.0.0.1")
    answer = here.get("/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Path=/" in cookie
    assert here.get("/api/door").json["role"] == "host"
    assert "Set-Cookie" not in here.get("/").headers


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_behind_a_proxy_nobody_is_on_this_machine(app: Flask, header: str) -> None:
    visitor = Browser(app, address="127.0.0.1")
    assert "Set-Cookie" not in visitor.get("/", headers={header: "127.0.0.1"}).headers
    assert visitor.get("/api/door").json["role"] is None


@pytest.mark.usefixtures("table")
def test_forwarded_addresses_are_never_believed(app: Flask) -> None:
    visitor = Browser(app, address="192.168.1.9")
    visitor.get("/", headers={"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost"})
    assert visitor.get("/api/door").json["role"] is None


@pytest.mark.usefixtures("table")
def test_every_answer_is_sealed(app: Flask, reader: Browser) -> None:
    for path in ("/", "/api/table", "/static/icon.svg", "/nothing", "/api/nothing"):
        headers = reader.get(path).headers
        assert "default-src 'self'" in headers["Content-Security-Policy"], path
        assert "unsafe" not in headers["Content-Security-Policy"], path
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert not [name for name, _ in headers if name.startswith("Access-Control")], path


def test_no_browser_is_told_what_it_ignores_and_complains_of(app: Flask, reader: Browser) -> None:
    header = "Cross-Origin-Opener-Policy"
    for host in ("localhost:8000", "127.0.0.1:8000", "[::1]:8000"):
        assert reader.get("/", headers={"Host": host}).headers[header] == "same-origin", host
    assert header not in reader.get("/", headers={"Host": "192.168.1.5:8000"}).headers


def test_the_origin_scheme_follows_the_settings(sessions: object, access: Access) -> None:
    app = create_app(sessions, settings=WebSettings(scheme="https"), access=access)  # type: ignore[arg-type]
    browser = Browser(app, access.token("table"))
    assert browser.post("/api/eyes/look", {}, headers={"Origin": "https://localhost"}).status_code == 200
    assert browser.post("/api/eyes/look", {}).status_code == 403
