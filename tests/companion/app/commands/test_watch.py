"""`companion watch` and `companion demo` over the bundled recording: real pictures, real verdicts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.__main__ import main
from companion.app.demos import load_demo

DEMO, FOLDER = load_demo("spectrangle")
PLAYED = [
    ("frame-0002.jpg", 0, "place", 20, "RYR", False),
    ("frame-0004.jpg", 0, "take_back", 20, "RYR", True),
    ("frame-0006.jpg", 0, "place", 17, "YPG", True),
    ("frame-0009.jpg", 1, "place", 16, "YYG", True),
    ("frame-0011.jpg", 0, "place", 26, "WWW", True),
    ("frame-0014.jpg", 1, "place", 18, "RRR", False),
    ("frame-0016.jpg", 1, "take_back", 18, "RRR", True),
    ("frame-0018.jpg", 1, "place", 27, "YPP", True),
    ("frame-0020.jpg", 0, "place", 25, "RYR", True),
    ("frame-0022.jpg", 1, "place", 9, "PGG", True),
    ("frame-0025.jpg", 0, "place", 10, "GGR", True),
]
"""What a person sees in the pictures: first steady frame, player, what, cell, edges (left, right, flat), legal."""
POINTS = {17: 2, 16: 5, 26: 3, 27: 5, 25: 5, 9: 4, 10: 10}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


@pytest.fixture(scope="module")
def setup_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("watch") / "setup.json"
    path.write_bytes((FOLDER / "demo.json").read_bytes())
    return path


def test_every_event_of_the_recording_is_told_and_nothing_else(
    capsys: pytest.CaptureFixture[str], setup_file: Path
) -> None:
    code, out, err = run(capsys, "watch", str(FOLDER), "--game", "spectrangle", "--setup", str(setup_file), "--json")
    assert (code, err) == (0, "")
    lines = [json.loads(line) for line in out.splitlines()]
    told = [
        (
            line["frame"],
            line["event"]["player"],
            line["event"]["type"],
            line["event"]["cell"],
            "".join(line["event"]["tile"][edge] for edge in ("left", "right", "flat")),
            line["event"]["legal"],
        )
        for line in lines
    ]
    assert told == PLAYED
    scored = {line["event"]["cell"]: line["event"]["points"] for line in lines if line["event"].get("points")}
    assert scored == POINTS


def test_refusals_name_their_rules(capsys: pytest.CaptureFixture[str], setup_file: Path) -> None:
    _, out, _ = run(capsys, "watch", str(FOLDER), "--game", "spectrangle", "--setup", str(setup_file), "--json")
    events = [json.loads(line)["event"] for line in out.splitlines()]
    assert [event["rule"] for event in events if not event["legal"]] == ["TRI-8", "TRI-11"]
    assert all(event["why"].endswith(".") for event in events if not event["legal"])


def test_a_broken_picture_is_named_and_the_rest_goes_on(
    capsys: pytest.CaptureFixture[str], setup_file: Path, tmp_path: Path
) -> None:
    for name in ("frame-0000.jpg", "frame-0006.jpg", "frame-0009.jpg"):
        shutil.copy(FOLDER / name, tmp_path / name)
    (tmp_path / "frame-0007.jpg").write_bytes((FOLDER / "frame-0007.jpg").read_bytes()[:900])
    code, out, err = run(capsys, "watch", str(tmp_path), "--game", "spectrangle", "--setup", str(setup_file), "--json")
    assert code == 1
    assert "frame-0007.jpg" in err
    assert len(err.strip().splitlines()) == 1
    assert [json.loads(line)["event"]["cell"] for line in out.splitlines()] == [17, 16]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["watch", "nowhere", "--game", "spectrangle", "--setup", "{setup}"], 1, "nowhere"),
        (["watch", "{demo}", "--game", "chess", "--setup", "{setup}"], 2, "chess"),
        (["watch", "{demo}", "--game", "spectrangle", "--setup", "missing.json"], 1, "missing.json"),
        (["watch", "{demo}", "--game", "spectrangle"], 2, "--setup"),
        (["watch", "{empty}", "--game", "spectrangle", "--setup", "{setup}"], 1, "no picture"),
    ],
)
def test_bad_input_gets_one_clear_sentence(
    capsys: pytest.CaptureFixture[str], setup_file: Path, tmp_path: Path, arguments: list[str], code: int, says: str
) -> None:
    places = {"setup": str(setup_file), "demo": str(FOLDER), "empty": str(tmp_path)}
    got, out, err = run(capsys, *(argument.format(**places) for argument in arguments))
    assert (got, out) == (code, "")
    assert says in err
    assert len(err.strip().splitlines()) == 1


def test_the_demo_runs_headless_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "demo", "--headless")
    assert (code, err) == (0, "")
    assert "TRI-8" in out and "TRI-11" in out
    assert "Score: Ada 20, Ben 14" in out
    assert "chain and replay agree" in out


def test_an_unknown_demo_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "demo", "chess")
    assert code == 2
    assert "spectrangle" in err


def test_help_of_every_command() -> None:
    from companion.__main__ import COMMANDS, cli

    for name in COMMANDS:
        result: Result = CliRunner().invoke(cli, [name, "--help"])
        assert result.exit_code == 0, name
        assert "Usage" in result.output
