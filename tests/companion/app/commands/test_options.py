"""What no path may hold is refused in one sentence, wherever a path is told: by an option, an argument, a configuration or
the environment.
"""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.__main__ import COMMANDS, cli
from companion.app.commands.config import commands_of
from companion.app.commands.configuration import keys
from companion.app.commands.options import PathType, journal_place, no_path
from tests.companion.app.commands.running import run

ODD = ["a\0b", "\0", "line\nbreak", "\x1b[2J", "a\x7f", "\ud800", "x" * 300, "/" + "y/" * 3000, "rtsp://ada:hush@cam/x"]


def parameters() -> list[tuple[str, click.Parameter]]:
    """Every option and argument of every command, with the words that lead to it."""
    found: list[tuple[str, click.Parameter]] = []

    def walk(words: str, command: click.Command) -> None:
        found.extend((words, one) for one in command.params)
        if isinstance(command, click.Group):
            for name in command.list_commands(click.Context(command)):
                sub = command.get_command(click.Context(command), name)
                assert sub is not None
                walk(f"{words} {name}".strip(), sub)

    walk("", cli)
    return found


PATHS = [(words, one) for words, one in parameters() if isinstance(one.type, PathType)]


def test_no_command_takes_a_path_that_is_not_looked_at() -> None:
    assert {words.split(" ")[0] for words, _ in parameters() if words} == set(COMMANDS)
    assert len(PATHS) >= 25
    for words, one in parameters():
        assert not isinstance(one.type, click.Path | click.File) or isinstance(one.type, PathType), (words, one.name)


@pytest.mark.parametrize(("words", "one"), PATHS, ids=lambda one: one if isinstance(one, str) else one.name)
def test_what_no_path_may_hold_is_refused_as_an_option(words: str, one: click.Parameter) -> None:
    for odd in ODD:
        context = click.Context(click.Command("c"))
        with pytest.raises(click.BadParameter) as refused:
            one.type.convert(odd, one, context)
        said = refused.value.format_message()
        assert "\n" not in said and "hush" not in said and said.endswith("."), said


def test_the_command_line_says_it_in_one_line() -> None:
    for words in (["serve", "--plan", "a\0b"], ["recognize", "a\0b", "--domain", "dice"], ["watch", "a\0b"]):
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 2 and "cannot hold the character U+0000" in done.output, done.output
    done = CliRunner().invoke(cli, ["--config", "a\0b", "config"])
    assert done.exit_code == 2 and "U+0000" in done.output


TEXTS = (
    "plan",
    "calibration",
    "journal",
    "lights",
    "camera",
    "backups",
    "log",
    "mqtt-ca",
    "tower",
    "leds",
    "evening",
    "draw",
    "setup",
)


@pytest.mark.parametrize("key", TEXTS)
def test_the_configuration_says_it_in_one_line(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part = next(name for name, command in commands_of(click.Context(cli)).items() if key in keys(command))
    file = tmp_path / "companion.toml"
    file.write_text(f'[{part}]\n{key} = "a\\u0000b"\n')
    for words in (("config", "check", str(file)), ("--config", str(file), "config"), ("--config", str(file), part)):
        code, _, err = run(capsys, *words)
        assert code in (1, 2) and "U+0000" in err and err.count("\n") == 1, err


def test_the_environment_says_it_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_CONFIG", "a\nb")
    code, _, err = run(capsys, "config")
    assert code == 1 and "U+000A" in err and err.count("\n") == 1


def test_paths_as_people_have_them_are_taken() -> None:
    for path in (
        "games.sqlite",
        "/srv/my games/ä☃.json",
        "a@b.json",
        "-",
        "~/x",
        "C:\\games\\x",
        "x" * 255,
        "\udce4.json",
    ):
        assert no_path(path) is None
    assert journal_place("my games.sqlite") == Path("my games.sqlite")
    assert json.dumps(str(journal_place("./a@b"))) == '"a@b"'
