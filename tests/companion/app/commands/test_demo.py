"""`companion demo` over every bundled recording: what its first pictures show is told, and the journal agrees."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import cv2
import pytest

import companion.app.demos
from companion.__main__ import main
from companion.app.commands.demo import demo_command
from companion.app.demos import DEFAULT, demo_names, load_demo
from companion.core.foundation.secrecy import SecretAddress
from companion.core.protocols.devices import DeviceStatus
from companion.games import GAMES, RECORDED
from companion.referee.session_manager import SessionManager
from web.boards import PRESENTERS

LARGEST_BYTES = 4_000_000
"""All pictures of one demo together: the package stays small."""
BEGINNINGS = {
    "ice-stalks": (
        11,
        [
            "Ada: draws red rock.",
            "Ada: places red large on the table.",
            "Ben: draws orange rock.",
            "Ben: places orange medium on red large.",
            "Ada: draws blue rock.",
            "Ada: places blue large on the table.",
            "Ben: draws yellow rock.",
            "Ben: places yellow large on the table is not allowed. ICE-6: A yellow piece can be added, so no base may be "
            "placed: yellow medium fits on red large, orange medium. Take it back, or correct what was misread. "
            "Three looks at the steady table show it.",
            "Ben: places yellow large on the table was put back.",
        ],
    ),
    "roll-and-color": (
        9,
        [
            "Ada: rolls d6 blue green red yellow, d12 blue purple red red red-orange. The roll is entered in a row, or "
            "exactly 4 dice are re-rolled (ROL-3, ROL-4).",
            "Ada: re-rolls 1 2 4 9.",
            "Ada: rolls d6 orange red red, d12 green. The roll is entered in a row, or exactly 3 dice are re-rolled "
            "(ROL-3, ROL-4).",
            "Ada: re-rolls 1 5 6 9 as d6 green, d12 blue-purple orange yellow is not allowed. ROL-3: The second re-roll "
            "takes exactly 3 dice, not 4. Put them back as they were. Three looks at the steady table show it.",
            "Ada: re-rolls 1 5 6 9 as d6 green, d12 blue-purple orange yellow was put back.",
        ],
    ),
    "solitaire": (
        8,
        [
            "Ada: Y10 on pile 6.",
            "Ada: turned up O1.",
            "Ada: G1 home.",
            "Ada: turned up YG11.",
            "Ada: PR1 home.",
            "Ada: turned up GB9.",
            "Ada: Y11 on pile 1 is not allowed. SOL-3: Y11 does not go on Y2: that takes a 1 in Y or a shade of it. "
            "Three looks at the steady table show it.",
            "Ada: Y11 on pile 1 was put back.",
        ],
    ),
    "spectra": (3, ["Ada: draws green large."]),
    "spectrumo": (
        14,
        [
            "Ada: plays YG2.",
            "Ben: plays G12.",
            "Ada: plays Y12.",
            "Ben: plays R5 is not allowed. UMO-2: R5 is no shade of Y and no 12; the table card is Y12. "
            "Three looks at the steady table show it.",
            "Ben: plays R5 was put back.",
            "Ben: takes the penalty for R5.",
            "Ada: plays OY12.",
            "Ben: plays O4.",
            "Ada: plays PR4.",
            "Ben: plays swap YG/PR.",
        ],
    ),
    "spectrum": (
        7,
        [
            "Ada: rolled d6 blue yellow red.",
            "Which was it: player 1 uses red + yellow, player 1 moves R3 to R4 or player 1 uses red + blue, player 1 "
            "moves R3 to R4? The picture does not tell.",
            "Ada: uses red + yellow.",
            "Ada: moves R3 to R4.",
            "Ada: moves red stock to Y1.",
        ],
    ),
}
"""Demo to how many of its first pictures are read, and what the referee says to them."""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


@pytest.mark.parametrize("name", demo_names())
def test_a_demo_is_small_and_can_be_begun_and_shown(name: str) -> None:
    demo, folder = load_demo(name)
    frames = sorted(folder.glob("*.jpg"))
    assert sum(frame.stat().st_size for frame in frames) < LARGEST_BYTES
    first = cv2.imread(str(frames[0]))
    assert first is not None and first.shape in ((720, 1280, 3), (900, 1600, 3))
    recording = RECORDED[demo.game](demo.mat, demo.setup)
    assert len(demo.names) == len(recording.names)
    assert demo.game in GAMES and demo.game in PRESENTERS


@pytest.mark.parametrize("name", demo_names())
def test_a_demo_does_not_say_what_its_pictures_show(name: str) -> None:
    _, folder = load_demo(name)
    assert set(json.loads((folder / "demo.json").read_text())) == {"game", "title", "names", "mat", "setup"}
    assert {path.suffix for path in folder.iterdir()} == {".jpg", ".json"}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_the_beginning_of_a_demo_is_refereed_headless(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, expected = BEGINNINGS[name]
    _, folder = load_demo(name)
    (tmp_path / name).mkdir()
    for path in [folder / "demo.json", *sorted(folder.glob("*.jpg"))[:count]]:
        shutil.copy(path, tmp_path / name / path.name)
    monkeypatch.setattr(companion.app.demos, "_FOLDER", tmp_path)
    code, out, err = run(capsys, "demo", name, "--headless")
    assert (code, err) == (0, "")
    told = [line.split("  ", 1)[1] for line in out.splitlines() if line.startswith("frame-")]
    assert told == expected
    assert "chain and replay agree" in out


@pytest.mark.slow
@pytest.mark.parametrize("name", demo_names())
def test_a_demo_runs_headless_to_its_end(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "demo", name, "--headless")
    assert (code, err) == (0, "")
    assert "chain and replay agree" in out


def test_the_demo_without_a_name_is_spectrangle(capsys: pytest.CaptureFixture[str]) -> None:
    assert DEFAULT == "spectrangle"
    code, out, _ = run(capsys, "demo", "--help")
    assert code == 0
    assert all(name in out for name in demo_names())


def test_lights_may_follow_a_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    statuses: list[DeviceStatus] = []

    def shown(sessions: SessionManager, *_: object, **__: object) -> None:
        end = time.monotonic() + 60
        while not statuses or statuses[0].state != "ready":
            assert time.monotonic() < end, "the simulated board never answered"
            time.sleep(0.02)
            statuses[:] = sessions.devices.statuses()

    monkeypatch.setattr("companion.app.commands.demo.show", shown)
    demo_command.callback(DEFAULT, False, 2.0, SecretAddress("simulated"), None, "127.0.0.1", 0)  # type: ignore[misc]
    assert [one.name for one in statuses] == ["LED board"]
