"""`companion serve` with several tables: one whose camera reader is killed goes on, and the other notices nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.companion.commands.test_serve import FOLDER, SHOWN, eventually, get, kinds
from tests.reliability.several_tables import readers

CONFIGURATION = """
[serve]
port = 0

[tables.blue]
game = "spectrangle"
players = "Ada,Ben"
camera = "{folder}/pictures"
journal = "{folder}/blue.sqlite"

[tables.red]
game = "casino"
players = "Cleo,Dan"
journal = "{folder}/red.sqlite"

[tables.gone]
camera = "{folder}/nowhere"
journal = "{folder}/gone.sqlite"
"""


def test_a_killed_reader_is_started_again_and_touches_no_other_table(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for n in range(12):
        name = SHOWN[0] if n < 8 else SHOWN[3] if n < 10 else SHOWN[4]
        (pictures / f"{n:02}.jpg").write_bytes((FOLDER / name).read_bytes())
    file = tmp_path / "companion.toml"
    file.write_text(CONFIGURATION.format(folder=tmp_path))
    command = [sys.executable, "-m", "companion", "--config", str(file), "serve"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = next((m for line in process.stdout if (m := re.search(r"http://[\d.]+:\d+/", line))), None)
        assert found is not None, process.stderr.read() if process.stderr else ""
        url = found.group()
        tables = {table["name"]: table for table in get(f"{url}api/tables")["tables"]}
        assert tables["blue"]["open"] and tables["red"]["open"]
        assert not tables["gone"]["open"] and "nowhere" in tables["gone"]["trouble"]
        before = get(f"{url}t/red/api/table")["seq"]
        eventually(f"{url}t/blue/api/eyes", lambda eyes: bool(eyes["markers"]))
        (reader,) = readers(process.pid)
        os.kill(reader, signal.SIGKILL)
        assert get(f"{url}t/red/api/table")["seq"] == before
        told = eventually(f"{url}t/blue/api/eyes", lambda eyes: eyes["trouble"], 60)
        assert "the game goes on" in told["trouble"]
        rows = eventually(f"{url}t/blue/api/journal/rows", lambda answer: kinds(answer["rows"]).count("move") >= 2, 60)[
            "rows"
        ]
        assert [row["text"] for row in rows] == ["YPG2 c17 YPG", "YYG5 c16 YYG"], "no row is missed or doubled"
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[tables.Blue]\ngame = "spectrangle"\n', '"Blue" cannot name a table'),
        ("[tables.blue]\nport = 80\n", "Move it to [serve]"),
        ('[tables.blue]\ngame = "spectrangle"\nplayer = "A,B"\n', 'Did you mean "players"?'),
        ("[tables]\nblue = 1\n", "Write [tables.blue]"),
        ('[tables.blue]\njournal = "a"\n[tables.red]\njournal = "./a"\n', "same journal"),
        ('[tables.blue]\ncamera = "0"\n[tables.red]\ncamera = 0\n', "same camera"),
        ('[serve]\ngame = "spectra"\n[tables.blue]\n', "names several tables"),
    ],
)
def test_bad_tables_get_one_clear_sentence(
    tmp_path: Path, text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.__main__ import main

    file = tmp_path / "companion.toml"
    file.write_text(text)
    with pytest.raises(SystemExit) as left:
        main(["--config", str(file), "serve"])
    said = capsys.readouterr().err
    assert left.value.code in (1, 2) and says in said and len(said.strip().splitlines()) == 1
