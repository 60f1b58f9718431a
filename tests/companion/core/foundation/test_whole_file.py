"""A file is replaced as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.foundation.kept_file import write_whole


@pytest.mark.parametrize("how", [{}, {"durable": True}, {"durable": True, "shared": True}])
def test_what_was_there_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path, how: dict[str, bool]) -> None:
    file = tmp_path / "kept.json"
    (tmp_path / "kept.json.part").write_bytes(b"broken off")
    for data in (b"one", b"two"):
        write_whole(file, data, **how)
        assert file.read_bytes() == data
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_is_read_by_nobody_else_unless_it_is_shared(tmp_path: Path) -> None:
    (tmp_path / "keys.part").write_bytes(b"of an earlier program, for all to read")
    write_whole(tmp_path / "keys", b"secret")
    assert (tmp_path / "keys").stat().st_mode & 0o777 == 0o600
    write_whole(tmp_path / "mat.pdf", b"for all", shared=True)
    assert (tmp_path / "mat.pdf").stat().st_mode & 0o444 == 0o444


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    file.write_bytes(b"one")
    (tmp_path / "kept.json.part").mkdir()
    with pytest.raises(OSError):
        write_whole(file, b"two")
    assert file.read_bytes() == b"one"
