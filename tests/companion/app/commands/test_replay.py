"""`companion replay`."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.referee.journal import Journal, read_lines
from companion.referee.journal.rows import entry, link, root
from simulation.play import played
from tests.companion import dealt
from tests.companion.app.commands.running import run
from tests.companion.referee.journal.test_store import tampered


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two games, the first whole, the second just begun."""
    path = tmp_path / "games.journal"
    journal = Journal.open(path)
    played(journal, Random(1))
    played(journal, Random(2), rows=5, started=1_800_000_000.0)
    journal.close()
    return path


def test_every_game_is_checked(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "replay", str(path))
    assert (code, err) == (0, "")
    assert "  1. spectrangle-20231114-221320  Spectrangle: Ada, Bea" in out
    assert out.count("Every row agrees with the rules, and the chain holds.") == 2


def test_one_json_object_a_game(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "replay", str(path), "--json")
    first, second = map(json.loads, out.splitlines())
    assert (first["number"], first["agrees"], first["names"]) == (1, True, ["Ada", "Bea"])
    assert (second["rows"], second["note"]) == (5, None)


def test_a_sheet_of_one_game(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "replay", str(path), "--sheet", "--game", "1")
    assert out.startswith('[Game "Spectrangle"]')
    assert "(TRI-19)}" in out
    assert out.count("[Game ") == 1


def test_lines_go_out_and_come_back(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "replay", str(path), "--jsonl", "--game", "2")
    assert code == 0
    header, rows = read_lines(out.encode())
    assert len(rows) == 5
    lines = tmp_path / "game.jsonl"
    lines.write_text(out, encoding="utf-8")
    other = tmp_path / "other.journal"
    code, _, err = run(capsys, "replay", str(lines), "--into", str(other))
    assert (code, err) == (0, f"1 game added to {other}.\n")
    code, _, err = run(capsys, "replay", str(lines), "--into", str(other))
    assert code == 1 and f"already has the game {header.id}" in err
    code, out, _ = run(capsys, "replay", str(other), "--game", header.id)
    assert code == 0 and "5 rows" in out


def test_lines_are_of_one_game(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "replay", str(path), "--jsonl")
    assert (code, out) == (2, "")
    assert "holds 2 games; choose one" in err


def rewritten(path: Path, old: str, new: str, *, header: bool = False) -> Path:
    """A JSON Lines file of game 1 in which a recorded figure is another, its chain made to hold again."""
    journal = Journal.read(path)
    head = journal.games()[0]
    rows = journal.rows(head.id)
    journal.close()
    if header:
        head = msgspec.json.decode(msgspec.json.encode(head).replace(old.encode(), new.encode(), 1), type=type(head))
    before, lines = root(head), [msgspec.json.encode(head)]
    for row in rows:
        text = entry(row) if header else entry(row).replace(old.encode(), new.encode())
        changed = msgspec.json.decode(text, type=type(row))
        before = link(before, entry(changed))
        lines.append(msgspec.json.encode(msgspec.structs.replace(changed, hash=before)))
    out = path.with_name("changed.jsonl")
    out.write_bytes(b"\n".join(lines) + b"\n")
    return out


def test_rules_that_say_something_else_are_told_with_the_row(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = rewritten(path, '"legal":0', '"legal":1')
    code, out, _ = run(capsys, "replay", str(changed))
    assert code == 1
    assert "After row 1 the count of legal moves is 0 by today's rules; the journal says 1." in out
    code, _, err = run(capsys, "replay", str(changed), "--into", str(path.with_name("other.journal")))
    assert code == 1 and "Nothing was added" in err
    assert not path.with_name("other.journal").exists()


def test_a_game_of_older_rules_is_shown_and_not_refused(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal.read(path)
    rules = journal.games()[0].rules
    journal.close()
    changed = rewritten(path, f'"rules":{rules}', '"rules":0', header=True)
    code, out, _ = run(capsys, "replay", str(changed), "--sheet")
    assert code == 0
    assert '[Rules "0"]' in out


def test_a_game_that_this_program_does_not_know_is_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = rewritten(path, '"game":"spectrangle"', '"game":"chess"', header=True)
    code, out, _ = run(capsys, "replay", str(changed))
    assert code == 0
    assert 'does not know the game "chess"' in out
    code, out, _ = run(capsys, "replay", str(changed), "--sheet")
    assert code == 0 and '[Game "chess"]' in out


def test_a_broken_chain_is_one_sentence(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tampered(path, "UPDATE row SET hash = 'x' WHERE n = 3")
    code, out, err = run(capsys, "replay", str(path))
    assert (code, out) == (1, "")
    assert "Row 3" in err and err.count("\n") == 1


def test_a_journal_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "replay", str(tmp_path / "none"))
    assert (code, out) == (1, "")
    assert "cannot be read" in err and err.count("\n") == 1


def test_a_game_that_is_not_there(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "replay", str(path), "--game", "9")
    assert code == 2
    assert 'has no game "9": it holds 2' in err


def test_the_deal_of_a_game_is_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sessions = dealt.sessions(tmp_path)
    dealt.played(dealt.begun(sessions, "poker", 3))
    dealt.played(dealt.begun(sessions, "casino", 2), most=3)
    sessions.journal.close()
    path = str(sessions.journal.path)
    code, out, _ = run(capsys, "replay", path)
    assert code == 0
    assert "The deal is proved: 3 draws follow from the seed that was sealed before the first card." in out
    assert "draws follow from the seed that this journal keeps secret until the game is over." in out
    _, lines, _ = run(capsys, "replay", path, "--jsonl", "--game", "2")
    open_ = tmp_path / "open.jsonl"
    open_.write_text(lines)
    assert dealt.SEED.hex() not in lines
    code, out, _ = run(capsys, "replay", str(open_))
    assert code == 0 and "can be proved when the game is over" in out


def test_a_deal_that_its_seed_does_not_give_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sessions = dealt.sessions(tmp_path)
    table = dealt.played(dealt.begun(sessions, "poker", 3))
    header = sessions.journal.header(table.session.header.id)
    sessions.journal.close()
    forged = [
        msgspec.structs.replace(row, more={"seed": bytes(32).hex()}) if row.kind == "reveal" else row
        for row in table.session.rows()
    ]
    before, chained = root(header), []
    for row in forged:
        before = link(before, entry(row))
        chained.append(msgspec.structs.replace(row, hash=before))
    path = tmp_path / "forged.jsonl"
    path.write_bytes(b"\n".join(msgspec.json.encode(one, order="deterministic") for one in (header, *chained)))
    code, out, _ = run(capsys, "replay", str(path))
    assert code == 1 and "The deal is not proved." in out
    _, out, _ = run(capsys, "replay", str(path), "--json")
    assert json.loads(out)["agrees"] is False


def test_a_game_takes_its_seed_along(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sessions = dealt.sessions(tmp_path)
    game = dealt.played(dealt.begun(sessions, "casino", 2), most=3).session.header.id
    sessions.journal.close()
    code, _, _ = run(capsys, "replay", str(sessions.journal.path), "--into", str(tmp_path / "other.journal"))
    other = Journal.read(tmp_path / "other.journal")
    assert code == 0 and other.seed(game) == dealt.SEED
    other.close()


def test_a_journal_without_games_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Journal.open(tmp_path / "empty.journal").close()
    code, out, err = run(capsys, "replay", str(tmp_path / "empty.journal"))
    assert (code, err) == (0, "") and out.strip().endswith("has no games.")
    assert run(capsys, "replay", str(tmp_path / "empty.journal"), "--json") == (0, "", "")


@pytest.mark.parametrize("at", [0, 20, 60, 100, 130, 200, 300, 900, 1500, 4000, 4100, 4500])
@pytest.mark.parametrize("bit", [1, 128])
def test_a_flipped_bit_is_one_sentence_or_no_matter(
    path: Path, capsys: pytest.CaptureFixture[str], at: int, bit: int
) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= bit
    path.write_bytes(data)
    code, out, err = run(capsys, "replay", str(path))
    assert (code == 0 and not err) or (code == 1 and err.count("\n") == 1), (out, err)


def test_every_bit_of_the_schema_may_be_flipped(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = path.read_bytes()
    schema = [at for at in range(100, 4096) if whole[at] or at % 64 == 0]
    for at in schema[:: max(len(schema) // 60, 1)]:
        data = bytearray(whole)
        data[at] ^= 128
        path.write_bytes(data)
        code, _, err = run(capsys, "replay", str(path))
        assert (code == 0 and not err) or (code == 1 and err.count("\n") == 1), (at, err)
