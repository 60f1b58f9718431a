"""`companion odds poker`."""

from __future__ import annotations

import json

import pytest

from companion.app.commands import odds as command
from tests.companion.app.commands.running import run


def test_the_table_names_every_category_in_both_orders(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "odds", "poker")
    assert (code, err) == (0, "")
    assert out.startswith("481,008,528 hands\n")
    assert " 1 five of a kind              9,504         50,611    1 straight flush                 96" in out
    assert "shade 9 -> 10" in out


def test_objects_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "odds", "poker", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert len(rows) == 28
    for ranking in ("book", "statistical"):
        some = [row for row in rows if row["ranking"] == ranking]
        assert [row["place"] for row in some] == list(range(1, 15))
        assert sum(row["hands"] for row in some) == some[0]["of"] == 481_008_528


def test_known_cards_leave_fewer_hands(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "odds", "poker", "--known", "R7 R8, R9 R10", "--seen", "R6", "--json")
    rows = {row["category"]: row for row in map(json.loads, out.splitlines()) if row["ranking"] == "book"}
    assert code == 0
    assert rows["straight flush"]["hands"] == 1
    assert rows["flush"]["hands"] == 6
    assert rows["pair"]["of"] == 139


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("poker", "--known", "X7"), "--known"),
        (("poker", "--seen", "draw"), "no number card"),
        (("poker", "--known", "R7 ??"), "no number card"),
        (("poker", "--known", "R7", "--seen", "R7"), "named twice"),
        (("bridge",), "poker"),
    ],
)
def test_what_cannot_be_counted_is_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capsys, "odds", *arguments)
    assert (code, out) == (2, "")
    assert sentence in err and err.count("\n") == 1


def test_counts_that_do_not_add_up_are_not_trusted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "completions", lambda deck, held, gone: 1)
    code, _, err = run(capsys, "odds", "poker")
    assert code == 1
    assert "Do not trust this table" in err
