"""Pairings on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.ports import Pairing, Pairings

TOWER = Pairing("tower", 0x2341, 0x43, "557363")
BOARD = Pairing("board", 0x2E8A, 0x0A, None)


def test_pairings_are_kept_and_replaced_one_a_device(tmp_path: Path) -> None:
    kept = Pairings(tmp_path / "settings" / "devices.json")
    assert kept.get("tower") is None
    kept.keep(TOWER)
    kept.keep(BOARD)
    again = Pairings(tmp_path / "settings" / "devices.json")
    assert (again.get("tower"), again.get("board")) == (TOWER, BOARD)
    again.keep(Pairing("tower", 1, 2, None))
    assert kept.get("tower") == Pairing("tower", 1, 2, None)
    path = tmp_path / "settings" / "devices.json"
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700), "its owner's alone"


@pytest.mark.parametrize("content", ["", "{", '{"tower": 5}', '{"tower": {"device": "lamp", "vid": 1, "pid": 2}}'])
def test_a_broken_file_is_set_aside_with_a_sentence(
    tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "devices.json"
    path.write_text(content)
    assert Pairings(path).get("tower") is None
    assert path.with_name("devices.json.aside-1").read_text() == content
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "devices.json.aside-1 now" in said
    Pairings(path).keep(TOWER)
    assert Pairings(path).get("tower") == TOWER


@pytest.mark.parametrize(("number", "fits"), [("557363", True), ("998877", False), (None, False)])
def test_a_serial_number_must_agree_where_one_was_paired(number: str | None, fits: bool) -> None:
    assert TOWER.fits(0x2341, 0x43, number) is fits
    assert BOARD.fits(0x2E8A, 0x0A, number)
