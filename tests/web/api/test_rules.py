"""The rules over HTTP."""

from __future__ import annotations

from tests.web.conftest import Browser


def test_rules_are_listed_and_searched(reader: Browser) -> None:
    assert [rule["rule"] for rule in reader.get("/api/rules/spectrangle").json["rules"]] == ["TRI-9", "TRI-10"]
    assert [rule["rule"] for rule in reader.get("/api/rules/spectrangle?q=WHITE").json["rules"]] == ["TRI-10"]
    assert reader.get("/api/rules/spectrangle?q=white+touching").json["rules"] == []


def test_one_rule_by_its_number(reader: Browser) -> None:
    assert reader.get("/api/rules/spectrangle/tri-9").json["title"] == "Touching"
    assert reader.get("/api/rules/spectrangle/TRI-99").status_code == 404
    assert reader.get("/api/rules/chess").status_code == 404
    assert reader.get("/api/rules/..%2f..%2fetc").status_code == 404


def test_the_page_has_an_anchor_for_every_rule(reader: Browser) -> None:
    text = reader.get("/rules/spectrangle").text
    assert 'id="TRI-9"' in text and '<a href="#TRI-10">TRI-10</a>' in text
    assert "<strong>white</strong>" in text and "<td>red</td>" in text
    assert "&lt;b&gt;" in reader.get("/rules/spectrangle?q=<b>").text
