"""A calibration is one file: what was written is read again, and anything else is refused with a sentence."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.foundation.errors import BadCalibration
from companion.core.plan import Mat
from tests.vision.staged_table import THREE, empty, marble, staged, under_lamp
from vision.calibration.calibration import Calibration, EmptyTable, around_pieces, load_calibration
from vision.calibration.taught import KnownTone
from vision.image.light import Light
from vision.image.pose import Pose
from vision.readers.pyramids.reader import read_pyramids
from vision.registration.registered_image import find_table


@pytest.fixture(scope="module")
def shown() -> EmptyTable:
    """The table as it looks with three pieces on it."""
    return replace(marble().empty, picture=staged(*THREE))


@pytest.fixture(scope="module")
def outlines() -> list[np.ndarray]:
    found = read_pyramids(find_table(staged(*THREE), marble().mat, calibration=marble())).scene.found
    assert len(found) == 3
    return [one.outline_px for one in found]


def test_without_pieces_it_is_the_picture_itself(shown: EmptyTable) -> None:
    assert around_pieces(shown, [], None) is shown


def test_under_pieces_it_stays_unknown(shown: EmptyTable, outlines: list[np.ndarray]) -> None:
    found = around_pieces(shown, outlines, None)
    assert found.free is not None
    assert 0.9 < found.free.mean() < 0.99
    x, y = outlines[0].reshape(-1, 2).mean(axis=0).astype(int)
    assert found.free[y, x] == 0
    bare = found.free > 0
    assert (found.picture[bare] == shown.picture[bare]).all()


def test_nothing_that_looks_like_a_piece_is_left_in_it(shown: EmptyTable, outlines: list[np.ndarray]) -> None:
    found = around_pieces(shown, outlines, None)
    apart = np.abs(found.picture.astype(int) - empty()).max(axis=2)
    assert np.abs(shown.picture.astype(int) - empty()).max() > 100
    assert apart.max() < 60


def test_under_pieces_it_stays_as_it_was_known_in_the_light_of_today(outlines: list[np.ndarray]) -> None:
    today = replace(marble().empty, picture=under_lamp(staged(*THREE), 0.8, 1.0, 1.1))
    found = around_pieces(today, outlines, marble().empty)
    assert found.free is None
    wanted = under_lamp(empty(), 0.8, 1.0, 1.1).astype(int)
    assert np.abs(found.picture.astype(int) - wanted).mean() < 1.5
    x, y = outlines[0].reshape(-1, 2).mean(axis=0).astype(int)
    assert (
        np.abs(found.picture[y - 9 : y + 9, x - 9 : x + 9].astype(int) - wanted[y - 9 : y + 9, x - 9 : x + 9]).max()
        < 12
    )


def test_what_is_learned_around_pieces_serves_to_read_them_and_others(shown: EmptyTable, outlines: list) -> None:
    known = replace(marble(), empty=around_pieces(shown, outlines, None))
    more = staged(*THREE, (250, 50, 350, 160))
    found = read_pyramids(find_table(more, known.mat, calibration=known)).scene.found
    assert len(found) == 5


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
        ({"pose": {**msgspec.to_builtins(POSE), "focal_px": 1e-300}}, "contradicts itself"),
        ({"pose": {**msgspec.to_builtins(POSE), "tvec": [0.0, 0.0, 0.0]}}, "contradicts itself"),
        ({"pose": {**msgspec.to_builtins(POSE), "rvec": [0.0, 3.1, 0.0]}}, "contradicts itself"),
        ({"light": {**msgspec.to_builtins(LIGHT), "offset": [1e300, 0.0, 0.0]}}, "contradicts itself"),
        ({"light": {**msgspec.to_builtins(LIGHT), "slope_x": float("inf")}}, "contradicts itself"),
        ({"light": {**msgspec.to_builtins(LIGHT), "markers": [7]}}, "contradicts itself"),
        ({"domain": "chess"}, "contradicts itself"),
        ({"domain": b"\xff"}, "damaged"),
        ({"colors": [0.5, 0.5]}, "contradicts itself"),
        ({"tones": [{"tone": [0.0, 0.0, 0.0], "pieces": 1}]}, "contradicts itself"),
        ({"board": [0.0, 0.0, -3.0, 0.0]}, "contradicts itself"),
    ],
)
def test_contents_that_cannot_be_are_refused(
    calibration: Calibration, tmp_path: Path, change: dict[str, object], words: str
) -> None:
    file = tmp_path / "table"
    calibration.save(file)
    unsigned = {**msgspec.msgpack.decode(file.read_bytes()), "sha256": None}
    file.write_bytes(msgspec.msgpack.encode({**unsigned, **change}))
    with pytest.raises(BadCalibration, match=words):
        load_calibration(file)


def test_a_calibration_of_an_earlier_version_without_a_sum_is_read(calibration: Calibration, tmp_path: Path) -> None:
    file = tmp_path / "table"
    calibration.save(file)
    plain = msgspec.msgpack.decode(file.read_bytes())
    del plain["sha256"]
    file.write_bytes(msgspec.msgpack.encode(plain))
    assert load_calibration(file).domain == "pyramids"


def test_every_changed_byte_is_noticed(calibration: Calibration, tmp_path: Path) -> None:
    file, rng = tmp_path / "table", Random(1)
    calibration.save(file)
    data = file.read_bytes()
    for _ in range(300):
        spoiled = bytearray(data)
        spoiled[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        file.write_bytes(spoiled)
        with pytest.raises(BadCalibration, match=r"damaged|contradicts|version"):
            load_calibration(file)


def test_only_its_owner_may_look_at_the_picture_of_the_table(calibration: Calibration, tmp_path: Path) -> None:
    calibration.save(tmp_path / "table")
    assert (tmp_path / "table").stat().st_mode & 0o077 == 0
