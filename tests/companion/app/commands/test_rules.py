"""`companion rules`."""

from __future__ import annotations

import json

import pytest

from tests.companion.app.commands.running import run


def test_one_rule(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "spectrangle", "tri-11")
    assert code == 0
    assert out.startswith("TRI-11 ")
    assert "TRI-12" not in out.splitlines()[0]


def test_all_rules_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "spectrangle", "--json")
    rules = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [rule["number"] for rule in rules] == [f"TRI-{n}" for n in range(1, 26)]
    assert all(rule["title"] and rule["text"] for rule in rules)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(("chess",), 'no rules of a game "chess"'), (("spectrangle", "TRI-99"), 'no rule "TRI-99"')],
)
def test_what_is_not_there_is_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capsys, "rules", *arguments)
    assert (code, out) == (2, "")
    assert sentence in err and err.count("\n") == 1
