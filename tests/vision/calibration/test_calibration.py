"""A calibration is one file: what was written is read again, and anything else is refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.errors import BadCalibration
from companion.plan import Mat
from vision.calibration.calibration import Calibration, load_calibration
from vision.calibration.empty import EmptyTable
from vision.calibration.known_tone import KnownTone
from vision.light import Light
from vision.pose import Pose

POSE = Pose((96, 64), 80.0, -0.05, (0.1, 0.0, 0.0), (-30.0, -20.0, 300.0), 0.2)
LIGHT = Light((30.0, 20.0), (-1.0, -1.1, -1.2), 0.0, 0.001, (0, 1, 2))
TONES = (KnownTone((-2.0, 0.1, -1.0), 3), *(KnownTone(),) * 9)


@pytest.fixture
def calibration() -> Calibration:
    picture = np.random.default_rng(1).integers(0, 255, (64, 96, 3)).astype(np.uint8)
    empty = EmptyTable(picture, POSE, LIGHT, Mat(60.0, 40.0, 10.0), 0.03)
    return Calibration("pyramids", empty, (0.5,) * 10, tones=TONES)


def test_what_was_written_is_read_again(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "table")
    again = load_calibration(tmp_path / "table")
    assert (again.empty.picture == calibration.empty.picture).all()
    assert (again.domain, again.colors, again.mat) == ("pyramids", (0.5,) * 10, calibration.mat)
    assert again.tones == TONES
    assert (again.empty.pose, again.empty.light, again.empty.noise) == (POSE, LIGHT, 0.03)


def test_what_is_no_calibration_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "table"
    for data in (b"", b"{}", b"\x80", b"not a calibration" * 100):
        file.write_bytes(data)
        with pytest.raises(BadCalibration, match="not a calibration, or it is damaged"):
            load_calibration(file)
    with pytest.raises(BadCalibration, match="cannot be read"):
        load_calibration(tmp_path / "missing")


def test_a_damaged_one_is_refused(calibration: Calibration, tmp_path: Path) -> None:
    file = tmp_path / "table"
    calibration.save(file)
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    with pytest.raises(BadCalibration, match="damaged"):
        load_calibration(file)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 99}, "version 99"),
        ({"colors": ["red"]}, "damaged"),
        ({"colors": [1e9]}, "damaged"),
        ({"tones": [{"tone": [0.0, float("nan"), 0.0], "pieces": 1}]}, "damaged"),
        ({"tones": [{"tone": [0.0, 0.0, 0.0], "pieces": -1}]}, "damaged"),
        ({"picture": b"\x89PNG\r\n\x1a\nnothing"}, "damaged"),
        ({"pose": {**msgspec.to_builtins(POSE), "size_px": [960, 640]}}, "contradicts itself"),
        ({"pose": {**msgspec.to_builtins(POSE), "focal_px": float("nan")}}, "contradicts itself"),
    ],
)
def test_contents_that_cannot_be_are_refused(
    calibration: Calibration, tmp_path: Path, change: dict[str, object], words: str
) -> None:
    file = tmp_path / "table"
    calibration.save(file)
    file.write_bytes(msgspec.msgpack.encode({**msgspec.msgpack.decode(file.read_bytes()), **change}))
    with pytest.raises(BadCalibration, match=words):
        load_calibration(file)
