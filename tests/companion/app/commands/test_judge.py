"""`companion judge`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.companion.app.commands.running import run

RECORD = {
    "game": "spectrangle",
    "players": ["Ada", "Bea"],
    "position": {"hands": [["GGY4", "PPB4"], ["RYB1", "BBR5"]], "bag": 0},
    "events": ["GGY4 c21 GYG", "RYB1 c3", {"type": "place", "cell": 22, "tile": "YRB1"}],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(RECORD), encoding="utf-8")
    return path


def test_one_json_object_an_event(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "judge", str(path), "--json")
    lines: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (1, "")
    assert [line["n"] for line in lines] == [1, 2, 3]
    assert lines[0] == {
        "n": 1,
        "event": "GGY4 c21 GYG",
        "legal": True,
        "breaches": [],
        "scores": [4, 0],
        "outcome": None,
        "text": "GGY4 c21 GYG",
    }
    assert (lines[1]["legal"], lines[1]["breaches"][0]["rule"], lines[1]["scores"]) == (False, "TRI-9", [4, 0])
    assert set(lines[1]["breaches"][0]) == {"rule", "text"}
    assert (lines[2]["legal"], lines[2]["event"]) == (True, RECORD["events"][2])  # type: ignore[index]


def test_sentences_for_people(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "judge", str(path))
    assert code == 1
    assert "1. GGY4 c21 GYG" in out and "4-0" in out
    assert "not allowed. TRI-9: " in out
    assert out.splitlines()[-1] == "3 events, 1 not allowed."


def test_a_record_without_a_breach_leaves_with_0(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text(json.dumps({**RECORD, "events": RECORD["events"][:1]}), encoding="utf-8")  # type: ignore[index]
    code, out, err = run(capsys, "judge", str(path))
    assert (code, err) == (0, "")
    assert out.endswith("1 event, 0 not allowed.\n")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("no json", "is not a record of a game"),
        (json.dumps({**RECORD, "game": "chess"}), 'is of a game "chess"'),
        (json.dumps({**RECORD, "options": {"bells": 1}}), 'has no option "bells"'),
        (json.dumps({**RECORD, "players": ["Ada"]}), "2 to 4 players, not 1"),
    ],
)
def test_what_cannot_be_judged_is_one_sentence(
    path: Path, capsys: pytest.CaptureFixture[str], content: str, sentence: str
) -> None:
    path.write_text(content, encoding="utf-8")
    code, out, err = run(capsys, "judge", str(path), "--json")
    assert (code, out) == (1, "")
    assert sentence in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not a record"),
        (b"{", "is not a record"),
        (b"\xff\xfe\x00", "is not a record"),
        (b"[" * 100_000, "is not a record"),
        (b'{"game": "chess", "players": []}', 'of a game "chess"'),
        (b'{"game": "cribbage", "players": ["A", "B", "C"]}', "2 or 4 players, not 3"),
        (b'{"game": "spectrump", "players": ["A"]}', "2, 4, 6 or 8 players, not 1"),
        (b'{"game": "poker", "players": ["A", "B"], "options": {"exchanges": 9}}', "exchanges"),
        (b'{"game": "poker", "players": ["A", "B"], "position": {"hands": 3}}', "no position"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_and_exit_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, sentence: str
) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(content)
    code, out, err = run(capsys, "judge", str(path), "--json")
    assert (code, out) == (1, "")
    assert sentence in err and err.count("\n") == 1


def test_a_record_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "judge", str(tmp_path / "nothing.json"))
    assert code == 1 and "cannot be read" in err


@pytest.mark.parametrize("game", ["spectrum", "roll-and-color", "escape"])
@pytest.mark.parametrize(
    "faces", [[{"kind": "", "face": ""}], [{"kind": "d6"}], [""], ["d6"], [{"kind": "", "face": 7}]]
)
def test_a_die_without_a_face_is_no_event(
    path: Path, capsys: pytest.CaptureFixture[str], game: str, faces: list[Any]
) -> None:
    events = [{"type": "rolled", "faces": faces}]
    path.write_text(json.dumps({"game": game, "players": ["A", "B"], "events": events}), encoding="utf-8")
    code, out, err = run(capsys, "judge", str(path), "--json")
    assert (code, err) == (1, "") and json.loads(out)["legal"] is False
