"""The application as a whole: what is documented is what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from flask import Flask

from tests.web.admission.test_security import paths
from tests.web.conftest import Browser
from tests.web.doubles import PaintedEyes
from web.admission.security import ROUTES
from web.description.openapi import QUERIES, beside, openapi, request_bodies
from web.description.route_answers import ANSWERS
from web.hub.app import ROUTES as HUB_ROUTES
from web.tables import ROUTES as TABLES_ROUTES

PAGES = ("overview", "hub.overview", "hub.evening", "hub.wall", "hub.join")
ROOT = Path(__file__).parent.parent.parent


def test_the_openapi_file_is_what_the_applications_do(app: Flask, tmp_path: Path) -> None:
    kept = json.loads((ROOT / "docs" / "openapi.json").read_text())
    now = json.loads(msgspec.json.encode(openapi(app, beside(tmp_path))))
    assert kept == now, "run: python -m web.description.openapi > docs/openapi.json"


def test_every_reference_of_the_openapi_file_leads_somewhere(app: Flask, tmp_path: Path) -> None:
    described = openapi(app, beside(tmp_path))
    assert described["openapi"].startswith("3.1.")
    text = json.dumps(described)
    for reference in set(re.findall(r'"\$ref": "#/([^"]+)"', text)):
        found = described
        for part in reference.split("/"):
            found = found[part]


def test_every_described_endpoint_exists() -> None:
    every = {**HUB_ROUTES, **TABLES_ROUTES, **ROUTES}
    assert set(ANSWERS) | set(request_bodies()) | set(QUERIES) <= set(every)
    for endpoint in every:
        page = endpoint.startswith("pages.") or endpoint in PAGES
        assert endpoint in ANSWERS or page, endpoint


def test_the_document_names_every_address(app: Flask, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "http.md").read_text()
    for rule in (rule for one in (app, *beside(tmp_path).values()) for rule in one.url_map.iter_rules()):
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        last = path.rsplit("/", 1)[-1]
        assert path in text or f"`{last}`" in text or f"`{path}" in text, path


@pytest.mark.usefixtures("table")
def test_every_json_answer_has_the_documented_keys(app: Flask, host: Browser, eyes: PaintedEyes) -> None:
    eyes.read("PPG5")
    query = {"spot": "c13", "piece": "BPG3", "how": "position", "text": "pass", "name": "Ann"}
    for endpoint, path in paths(app, "GET"):
        answer = ANSWERS.get(endpoint)
        if answer is None or answer.kind != "application/json":
            continue
        got = host.get(path, query_string=query)
        assert got.status_code == answer.status, (endpoint, got.text)
        assert set(answer.keys) <= set(got.json), endpoint


@pytest.mark.usefixtures("table")
def test_questions_change_nothing(app: Flask, host: Browser, sessions: object) -> None:
    before = sessions.version  # type: ignore[attr-defined]
    for endpoint, path in paths(app, "GET"):
        if not endpoint.startswith(("stream.", "camera.")):
            assert host.get(path, query_string={"spot": "c13"}).status_code < 500, endpoint
    assert sessions.version == before  # type: ignore[attr-defined]
