"""One decoder for what people write, disks spoil and strangers send: no module calls another one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.test_rooms import ROOMS, ROOT, import_statements, parsed

MODULES = ("json", "tomllib", "tomli", "pickle", "marshal", "shelve", "yaml", "csv", "configparser", "xml", "plistlib")
"""Modules of the library whose decoders fail in ways of their own."""
CALLS = ("msgspec.json.decode", "msgspec.json.Decoder", "msgspec.msgpack.decode", "msgspec.msgpack.Decoder")
CALLS += ("msgspec.toml.decode", "msgspec.yaml.decode", "sqlite3.connect")
OWN = {
    "companion/core/foundation/kept_file.py": "the decoder of files",
    "companion/core/foundation/sqlite_file.py": "that of databases",
    "firmware_protocol/table.py": "reads a file of its own source while firmware is built, and may import nothing",
    "vision/reader_process/messages.py": "takes messages of a process of ours over a pipe that nobody else has",
    "vision/reader_process/child.py": "takes what an earlier process of ours remembered, over the same pipe",
}
"""Who calls a decoder, and why."""
WRITES = {"dumps", "dump", "encode", "writer", "Encoder"}
"""What is not read is not decoded."""


def decoders(path: Path) -> list[str]:
    """The decoders that a module calls, by the names that it uses."""
    found: list[str] = []
    if not re.search(rf"\b({'|'.join((*MODULES, 'msgspec', 'sqlite3'))})\.", path.read_text()):
        return found
    for node in ast.walk(parsed(path)):
        if not isinstance(node, ast.Attribute):
            continue
        name = ast.unparse(node)
        whole = name in CALLS
        if whole or (name.partition(".")[0] in MODULES and node.attr not in WRITES and name.count(".") == 1):
            found.append(name)
    return found


def sources() -> list[Path]:
    """Every module but those that train nets: a label that cannot be read stops a training, and no evening."""
    found = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return [path for path in found if not any(part.startswith("training") for part in path.parts)]


def test_only_the_decoders_of_the_house_decode() -> None:
    found = {path.relative_to(ROOT).as_posix(): decoders(path) for path in sources()}
    assert {path for path, called in found.items() if called} == set(OWN)


@pytest.mark.parametrize("line", ["json.loads(text)", "sqlite3.connect(path)", "tomllib.load(file)", "pickle.loads(b)"])
def test_another_decoder_is_found(line: str, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(f"import json\n{line}\njson.dumps(text)\n")
    assert decoders(tmp_path / "module.py") == [line.partition("(")[0]]


def test_no_decoder_comes_in_by_its_own_name() -> None:
    for path in sources():
        for node in import_statements(path):
            if isinstance(node, ast.ImportFrom):
                assert node.module not in (*MODULES, "msgspec.json", "msgspec.msgpack", "sqlite3"), path
