"""The configuration file: what is refused and how, which value holds, what is printed, and that the document is true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import click
import pytest

from companion.__main__ import cli
from companion.app.commands.config import commands_of, effective
from companion.app.commands.configuration import CONFIGURED, defaults, find, keys, read, told_journals, told_port
from companion.core.foundation.errors import BadConfiguration
from companion.referee.journal import Journal

DOCUMENT = Path(__file__).parents[4] / "docs" / "configuration.md"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "companion.toml"


@pytest.fixture
def root() -> click.Context:
    return click.Context(cli)


def checked(file: Path, text: str) -> dict[str, object]:
    file.write_text(text)
    command = commands_of(click.Context(cli))["serve"]
    return defaults(file, "serve", command, read(file).get("serve", {}))


def called(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> dict[str, object]:
    """What `companion serve` is told when the command line is `arguments`."""
    from companion.app.commands.serve import serve_command

    told: dict[str, object] = {}
    monkeypatch.setattr(serve_command, "callback", lambda **values: told.update(values))
    cli.main(arguments, standalone_mode=False)
    return told


def test_each_key_becomes_the_option_of_its_command(file: Path) -> None:
    text = '[serve]\ncamera = 2\nnames = ["club-pi"]\nport = 8100\nlan = true\nmarker = 35\noptions = ["edges=all"]\n'
    assert checked(file, text) == {
        "camera": 2,
        "hosts": ["club-pi"],
        "port": 8100,
        "lan": True,
        "marker_mm": 35,
        "options": ["edges=all"],
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[srve]", 'there is no table "srve". Did you mean "serve"?'),
        ("serve = 3", "Write [serve] on a line of its own."),
        ("[serve]\nprot = 3", 'no key "prot". Did you mean "port"?'),
        ("[serve]\nname = ['a']", 'Did you mean "names"?'),
        ("[serve]\nnew = true", 'no key "new"'),
        ('[serve]\nport = "80"', "must be a whole number."),
        ("[serve]\nport = true", "must be a whole number."),
        ("[serve]\nport = 99999", "not in the range"),
        ('[serve]\nlan = "yes"', "must be true or false."),
        ('[serve]\nnames = "club-pi"', "must be a list"),
        ("[serve]\nnames = [3]", "each is a text"),
        ('[serve]\nnames = ["http://club-pi"]', "is not the name of a machine"),
        ('[serve]\ntower-dice = "d7"', "is not one of"),
        ("[serve]\ncamera = true", "a camera's number or a text"),
        ("[serve]\nplayers = 3", "must be a text in quotation marks."),
        ("[serve]\nport =", "is no TOML"),
        ("x = " + "[" * 5000, "is no TOML"),
        (f"[serve]\nmarker = 1{'0' * 400}\n", "too large"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(file: Path, text: str, said: str) -> None:
    with pytest.raises(BadConfiguration, match=re.escape(said)) as refused:
        checked(file, text)
    assert refused.value.exit_code == 1
    assert "\n" not in str(refused.value)


def test_bytes_that_are_no_text_are_refused(file: Path) -> None:
    file.write_bytes(b"[serve]\ncamera = '\xff'")
    with pytest.raises(BadConfiguration, match="is no TOML"):
        read(file)


def test_a_flag_comes_before_the_environment_and_that_before_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert called(monkeypatch, "serve")["port"] == 8000
    file.write_text('[serve]\nport = 8100\nnames = ["Club-Pi"]\n')
    monkeypatch.setenv("COMPANION_CONFIG", str(file))
    told = called(monkeypatch, "serve")
    assert (told["port"], told["hosts"]) == (8100, ("club-pi",))
    monkeypatch.setenv("COMPANION_SERVE_PORT", "8200")
    monkeypatch.setenv("COMPANION_SERVE_NAMES", "one two")
    told = called(monkeypatch, "serve")
    assert (told["port"], told["hosts"]) == (8200, ("one", "two"))
    assert called(monkeypatch, "serve", "--port", "8300")["port"] == 8300


def test_a_flag_names_the_file_before_the_environment_does(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.toml"
    other.write_text("[serve]\nport = 8400\n")
    file.write_text("[serve]\nport = 8100\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(file))
    assert called(monkeypatch, "--config", str(other), "serve")["port"] == 8400


def test_a_file_that_is_named_and_is_not_there_is_refused(file: Path) -> None:
    with pytest.raises(BadConfiguration, match="There is no configuration"):
        find(file)


def test_what_is_in_force_is_printed_with_its_origin_and_without_secrets(
    file: Path, root: click.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('[serve]\ncamera = "rtsp://ada:hush%40now@cam.local/live?token=quiet&size=2"\nport = 8100\n')
    monkeypatch.setenv("COMPANION_SERVE_TOWER_DICE", "d12")
    root.meta["companion.app.commands.configuration"] = file
    text = effective(root)
    values = tomllib.loads(text)["serve"]
    assert values["camera"] == "rtsp://***@cam.local/***"
    assert "port = 8100  # file" in text
    assert 'tower-dice = "d12"  # environment, COMPANION_SERVE_TOWER_DICE' in text
    assert "marker = 40.0  # default" in text
    assert "# journal is not set" in text
    for secret in ("ada", "hush", "now", "quiet"):
        assert secret not in text


def test_the_tables_of_a_server_are_printed_with_their_own_keys(
    file: Path, root: click.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(
        '[serve]\nport = 8100\n[tables.blue]\ncamera = "rtsp://ada:hush@cam.local/x"\ngame = "spectra"\n'
        '[tables.red]\njournal = "postgresql://bea:quiet@club.local/games"\npaused = true\n'
    )
    monkeypatch.setenv("COMPANION_SERVE_GAME", "cribbage")
    root.meta["companion.app.commands.configuration"] = file
    text = effective(root)
    tables = tomllib.loads(text)["tables"]
    assert tables["blue"]["camera"] == "rtsp://***@cam.local/***" and tables["blue"]["game"] == "spectra"
    assert tables["red"]["paused"] is True and tables["red"]["journal"] == "postgresql://***@club.local/***"
    assert "game" not in tables["red"], "a variable concerns the only table of a server"
    assert "port" not in tables["blue"] and "marker = 40.0  # default" in text.partition("[tables.blue]")[2]
    assert not any(secret in text for secret in ("hush", "quiet", "ada", "bea"))


def test_the_document_lists_every_key_and_no_other(root: click.Context) -> None:
    tables = dict(re.findall(r"^## `\[(\w+)\]`\n(.*?)(?=^## |\Z)", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL))
    commands = commands_of(root)
    assert set(tables) == set(CONFIGURED)
    for name, table in tables.items():
        assert re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE) == list(keys(commands[name])), name


def test_a_backup_is_of_the_journal_that_serve_would_use(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told_journals(None) == {"": None}
    file.write_text('[serve]\njournal = "/srv/club.sqlite"\n')
    assert told_journals(file) == {"": Path("/srv/club.sqlite")}
    monkeypatch.setenv("COMPANION_SERVE_JOURNAL", "/srv/other.sqlite")
    assert told_journals(file) == {"": Path("/srv/other.sqlite")}
    monkeypatch.delenv("COMPANION_SERVE_JOURNAL")
    file.write_text("[serve]\njournal = 7\n")
    with pytest.raises(BadConfiguration, match="must be a text"):
        told_journals(file)
    file.write_text('[tables.one]\njournal = "/srv/one.sqlite"\n[tables.two]\npaused = true\n')
    assert told_journals(file) == {"one": Path("/srv/one.sqlite"), "two": None}


def test_the_port_of_serve_is_known_to_who_asks_the_server(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told_port(None) is None
    file.write_text("[serve]\nport = 8101\n")
    assert told_port(file) == 8101
    monkeypatch.setenv("COMPANION_SERVE_PORT", "8102")
    assert told_port(file) == 8102
    monkeypatch.delenv("COMPANION_SERVE_PORT")
    file.write_text('[serve]\nport = "here"\n')
    with pytest.raises(BadConfiguration, match="not a whole number"):
        told_port(file)


def test_backup_and_restore_go_by_the_configuration(file: Path, tmp_path: Path) -> None:
    journal = tmp_path / "club.sqlite"
    Journal.open(journal).close()
    file.write_text(f'[serve]\njournal = "{journal}"\n')
    packed = tmp_path / "club.zip"
    for command in ("backup", "restore"):
        cli.main(["--config", str(file), command, str(packed)], standalone_mode=False)
    assert packed.exists() and journal.exists()
    assert list(tmp_path.glob("club.sqlite.before-*")), "restored in its place, and what was there set aside"


def test_all_tables_of_the_configuration_are_backed_up(file: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        Journal.open(tmp_path / f"{name}.sqlite").close()
    file.write_text("".join(f'[tables.{name}]\njournal = "{tmp_path / name}.sqlite"\n' for name in ("one", "two")))
    packed = tmp_path / "club.zip"
    cli.main(["--config", str(file), "backup", str(packed)], standalone_mode=False)
    cli.main(["--config", str(file), "restore", str(packed), "--table", "two"], standalone_mode=False)
    assert [path.name.partition(".before")[0] for path in tmp_path.glob("*.before-*")] == ["two.sqlite"]
