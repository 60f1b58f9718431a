"""`companion serve` as a process: pictures from a film and from a motion-JPEG stream become verdicts on the page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import cv2
import pytest

from companion.app.commands.served_table import table_plan
from companion.app.demos import load_demo
from companion.core.plan import DiceTray, PawnBoard, TileBoard, Zone

DEMO, FOLDER = load_demo("spectrangle")
SHOWN = ("frame-0000.jpg", "frame-0002.jpg", "frame-0004.jpg", "frame-0006.jpg", "frame-0009.jpg")
"""Empty board, an illegal first tile, taken back, two legal placements; no hand in between, so each comes as a jump."""
HOLD_S = 1.4
"""How long each picture stands: long enough for a gate to call it steady twice and for two readings."""
BEGIN_S = 6.0
"""How long the first picture of a film stands: until table and record are seen to agree, on a busy machine, too."""
RATE = 10


def serving(camera: str, folder: Path) -> AbstractContextManager[str]:
    """The page's address while `companion serve` runs with a camera."""
    return running(folder, "--game", "spectrangle", "--camera", camera, "--players", "Ada,Ben")


@contextmanager
def running(folder: Path, *options: str) -> Iterator[str]:
    """The page's address while `companion serve` runs."""
    arguments = [sys.executable, "-m", "companion", "serve", *options]
    arguments += ["--port", "0", "--journal", str(folder / "journal.sqlite")]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            found = re.search(r"http://[\d.]+:\d+/", line)
            if found:
                yield found.group()
                break
        else:
            pytest.fail(f"no page: {process.stderr.read() if process.stderr else ''}")
    finally:
        process.terminate()
        process.communicate(timeout=20)


def get(url: str) -> Any:
    with urlopen(url, timeout=10) as answer:
        return json.loads(answer.read())


def eventually(url: str, check: Callable[[Any], bool], timeout_s: float = 30) -> Any:
    """The first answer that passes."""
    until = time.monotonic() + timeout_s
    while True:
        answer = get(url)
        if check(answer):
            return answer
        assert time.monotonic() < until, json.dumps(answer)[:2000]
        time.sleep(0.1)


def kinds(rows: list[dict[str, Any]]) -> list[str]:
    return [row["kind"] for row in rows]


def check_verdicts(url: str, *expected: str) -> None:
    rows = eventually(f"{url}api/journal/rows", lambda answer: kinds(answer["rows"]).count("move") >= 2)["rows"]
    told = ["RRY5 c20 RYR", "YPG2 c17 YPG", "YYG5 c16 YYG"]
    assert kinds(rows) == list(expected)
    assert [row["text"] for row in rows] == told[-len(expected) :]


def test_a_film_is_refereed(tmp_path: Path) -> None:
    film = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter_fourcc(*"MJPG"), RATE, (1280, 720))
    for name, held_s in ((SHOWN[0], BEGIN_S), *((name, HOLD_S) for name in SHOWN[3:])):
        picture = cv2.imread(str(FOLDER / name))
        for _ in range(int(held_s * RATE)):
            writer.write(picture)
    writer.release()
    with serving(str(film), tmp_path) as url:
        check_verdicts(url, "move", "move")


class Stage:
    """What lies before the streaming camera; the test changes it, as a player would."""

    name = SHOWN[0]


class Stream(BaseHTTPRequestHandler):
    """A motion-JPEG camera that shows what is on the stage."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            for number in range(int(100 * RATE)):
                data = (FOLDER / Stage.name).read_bytes()
                # A comment in the JPEG makes every picture another one, as a live camera's noise does.
                data = data[:2] + b"\xff\xfe\x00\x06%04d" % (number % 10000) + data[2:]
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                self.wfile.write(head.encode() + data + b"\r\n")
                time.sleep(1 / RATE)
        except OSError:
            pass

    def log_message(self, format: str, *args: Any) -> None:
        pass


def test_a_motion_jpeg_stream_is_refereed(tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Stage.name = SHOWN[0]
    try:
        with serving(f"http://127.0.0.1:{server.server_address[1]}/video", tmp_path) as url:
            rows = f"{url}api/journal/rows"
            eventually(f"{url}api/table", lambda table: table["judged"])
            Stage.name = SHOWN[1]
            eventually(rows, lambda answer: kinds(answer["rows"]) == ["refused"])
            Stage.name = SHOWN[2]
            eventually(f"{url}api/table", lambda table: table["alert"] is None)
            for count, name in enumerate(SHOWN[3:], 1):
                Stage.name = name
                eventually(rows, lambda answer, count=count: kinds(answer["rows"]).count("move") == count)
            check_verdicts(url, "refused", "move", "move")
    finally:
        server.shutdown()
        server.server_close()


def test_a_table_that_is_not_at_its_beginning_is_shown_and_not_judged(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in SHOWN[3:]:
        (pictures / name).write_bytes((FOLDER / name).read_bytes())
    with serving(str(pictures), tmp_path) as url:
        table = eventually(f"{url}api/table", lambda table: table["agreement"])
        assert not table["judged"] and table["alert"]["title"] == "Does the game begin so?"
        assert [thing["piece"]["code"] for spot in table["agreement"]["spots"] for thing in spot["things"]]
        eventually(f"{url}api/eyes", lambda eyes: eyes["state"] == "ended")
        assert get(f"{url}api/journal/rows")["rows"] == []


def test_a_folder_of_pictures_is_refereed(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in SHOWN:
        (pictures / name).write_bytes((FOLDER / name).read_bytes())
    with serving(str(pictures), tmp_path) as url:
        check_verdicts(url, "refused", "move", "move")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--game", "chess"], 2, "chess"),
        (["--game", "spectrangle", "--option", "edges=none"], 2, "edges"),
        (["--game", "spectrangle", "--option", "colour=red"], 2, "colour"),
        (["--game", "spectrangle", "--option", "edges"], 2, "name=value"),
        (["--game", "spectrangle", "--players", "Ada"], 2, "2 to 4"),
        (["--game", "spectrangle", "--deal"], 2, "does not deal"),
        (["--game", "spectrangle", "--camera", "nowhere"], 1, "nowhere"),
        (["--game", "spectrangle", "--plan", "nowhere.json"], 1, "nowhere.json"),
        (["--game", "spectrangle", "--plan", "{latin}"], 1, "is not a table plan"),
        (["--game", "spectrangle", "--journal", "{broken}"], 1, "journal"),
        (["--game", "spectrangle", "--port", "{taken}"], 1, "in use"),
    ],
)
def test_bad_input_gets_one_clear_sentence(
    tmp_path: Path, arguments: list[str], code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import socket

    from companion.__main__ import main

    broken = tmp_path / "broken.sqlite"
    broken.write_text("this is no journal")
    latin = tmp_path / "latin.json"
    latin.write_bytes('{"name": "Küche"}'.encode("latin-1"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        places = {"broken": str(broken), "latin": str(latin), "taken": str(taken.getsockname()[1])}
        filled = [argument.format(**places) for argument in arguments]
        if "--journal" not in filled:
            filled += ["--journal", str(tmp_path / "journal.sqlite")]
        with pytest.raises(SystemExit) as left:
            main(["serve", *filled])
    err = capsys.readouterr().err
    assert left.value.code == code
    assert says in err
    assert len(err.strip().splitlines()) == 1
    assert broken.read_text() == "this is no journal"


@pytest.mark.parametrize(
    ("game", "zones"),
    [("spectrangle", (TileBoard(),)), ("spectrum", (PawnBoard(),)), ("roll-and-color", (DiceTray(),)), ("spectra", ())],
)
def test_on_a_mat_of_another_size_what_can_be_found_is_looked_for(game: str, zones: tuple[Zone, ...]) -> None:
    plan = table_plan(game, 2, None, "700x650", 45.0)
    assert plan.zones == zones
    assert (plan.mat.width_mm, plan.mat.height_mm, plan.mat.marker_mm) == (700.0, 650.0, 45.0)


def test_devices_do_not_decide_whether_a_server_starts(tmp_path: Path) -> None:
    """A board of lights waits for a game, and a tower that is not there is waited for."""
    with running(tmp_path, "--leds", "simulated", "--tower", str(tmp_path / "ttyACM0")) as url:
        assert get(f"{url}api/table")["game"] is None


def test_the_program_deals_a_card_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.__main__ import main
    from companion.app.commands import serve
    from companion.core.protocols.eyes import Cameras
    from companion.referee.session_manager import SessionManager
    from web.http.settings import WebSettings

    shown: list[tuple[str, str, int]] = []

    def show(
        sessions: SessionManager,
        host: str,
        port: int,
        settings: WebSettings,
        cameras: Cameras,
        after_game: Callable[[], Path | None],
        *rest: object,
    ) -> None:
        assert (settings.names, settings.language, settings.subscriptions) == (("club-pi",), "de", 30)
        made = after_game()
        assert made is not None and made.parent == tmp_path / "backups" and made.exists()
        assert sessions.table is not None and not any(offered.watched for offered in cameras.look())
        shown.append(
            (
                sessions.table.session.header.draws,
                sessions.table.session.rows()[0].kind,
                sum(sessions.table.session.state.hands.hidden),
            )
        )

    monkeypatch.setattr(serve, "show", show)
    with pytest.raises(SystemExit) as left:
        files = ["--journal", str(tmp_path / "journal.sqlite"), "--backups", str(tmp_path / "backups")]
        main(
            ["serve", "--game", "casino", "--deal", "--name", "Club-Pi", "--language", "de", "--streams", "30", *files]
        )
    assert (left.value.code, shown) == (0, [("dealt", "commitment", 0)])
