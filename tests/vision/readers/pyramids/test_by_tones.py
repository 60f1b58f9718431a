"""What lone pieces look like on a table names levels that nets doubt, rims inside of stacks too."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from companion.core.pieces import PYRAMID_COLORS
from tests.vision.readers.pyramids.ideal import camera
from vision.calibration.taught import KnownTone
from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined
from vision.readers.pyramids.tones import (
    FILE,
    LONE,
    LYING,
    RIM,
    STEP,
    TOP,
    UNKNOWN,
    by_tones,
    kinds_of,
    load_tones,
    made_of,
    table_tones,
)

MODEL = load_tones(WEIGHTS / FILE)
ALL = tuple(KnownTone(tuple(tone.tolist()), 3) for tone in MODEL.usual)
"""A table like all others, of which all colors were shown."""
SHOWN = table_tones(ALL, MODEL)
EYE = camera(40.0)


def color(name: str) -> int:
    return PYRAMID_COLORS.index(name)


def doubtful(*levels: tuple[str, ...]) -> np.ndarray:
    """Logs of levels that are as likely of some colors."""
    logs = np.full((len(levels), len(PYRAMID_COLORS)), -8.0)
    for level, names in zip(logs, levels, strict=True):
        level[[color(name) for name in names]] = 0.0
    return logs


def found(sizes: tuple[str, ...], logs: np.ndarray, tones: np.ndarray | None, lies: bool = False) -> FoundPieces:
    place = StackHypothesis(300.0, 200.0, 20.0, sizes, lies)
    rival = Rival(place, 0.1, logs, tones=tones)
    return FoundPieces(place, 0.9, (rival,), (), logs, *outlined(place, EYE), tones)


def looking(sizes: tuple[str, ...], *names: str) -> np.ndarray:
    """(levels, 3) just the tones that are expected of a stack."""
    place = StackHypothesis(300.0, 200.0, 20.0, sizes)
    own = [color(name) for name in names]
    made = made_of(kinds_of(place), SHOWN.tones, SHOWN.tones[own], MODEL)
    return np.stack([level[name] for level, name in zip(made, own, strict=True)])


def names(one: FoundPieces | Rival) -> list[str]:
    return [PYRAMID_COLORS[k] for k in one.color_logs.argmax(axis=1)]


@pytest.mark.parametrize("lies", [False, True])
@pytest.mark.parametrize("name", ["purple", "blue", "orange", "yellow"])
def test_a_lone_piece_is_what_it_looks_like(name: str, lies: bool) -> None:
    pairs = {"purple": "blue", "blue": "purple", "orange": "yellow", "yellow": "orange"}
    tone = SHOWN.tones[color(name)][None]
    (now,) = by_tones([found(("large",), doubtful((name, pairs[name])), tone, lies)], [], ALL, MODEL)
    assert names(now) == [name]
    assert names(now.rivals[0]) == [name], "what else may stand there is told by its own tones"


def test_a_rim_is_told_though_its_neighbors_shine_into_it() -> None:
    sizes, told = ("large", "large", "medium"), ("blue", "purple", "blue")
    seen = looking(sizes, *told)
    shift = seen[1] - SHOWN.tones[color("purple")]
    assert np.abs(shift[1:]).max() > 0.05, "the rim does not look like a lone piece"
    both = ("blue", "purple")
    (now,) = by_tones([found(sizes, doubtful(("blue",), both, ("blue",)), seen)], [], ALL, MODEL)
    assert names(now) == ["blue", "purple", "blue"]


def test_a_level_that_is_not_seen_stays_as_it_was_named() -> None:
    logs = doubtful(("red", "orange"), ("green",))
    tones = looking(("large", "medium"), "red", "green")
    tones[0] = np.nan
    (now,) = by_tones([found(("large", "medium"), logs, tones)], [], ALL, MODEL)
    assert now.color_logs[0] == pytest.approx(logs[0])


def test_no_tone_outweighs_what_is_plain_to_the_nets() -> None:
    logs = doubtful(("red",))
    (now,) = by_tones([found(("large",), logs, SHOWN.tones[color("cyan")][None])], [], ALL, MODEL)
    assert names(now) == ["red"]
    (same,) = by_tones([found(("large",), logs, None)], [], ALL, MODEL)
    assert same.color_logs is logs


def test_where_nothing_is_known_sure_lone_pieces_of_the_picture_teach() -> None:
    """A lamp that makes all pieces of this table much darker and bluer."""
    shift = np.array([-0.8, 0.25, 0.1])
    doubt = found(
        ("large", "medium"),
        doubtful(("blue",), ("purple", "blue")),
        looking(("large", "medium"), "blue", "purple") + shift,
    )
    sure = [
        found(("small",), doubtful((name,)), SHOWN.tones[color(name)][None] + shift)
        for name in ("purple", "blue", "red")
    ]
    sure = [structs.replace(one, confidence=0.99) for one in sure]
    (alone,) = by_tones([doubt], [], UNKNOWN, MODEL)
    assert alone.color_logs == pytest.approx(doubt.color_logs), "nothing is sure"
    (beside,) = by_tones([doubt], sure, UNKNOWN, MODEL)
    first, *_ = by_tones([doubt, *sure], [], UNKNOWN, MODEL)
    assert names(beside) == names(first) == ["blue", "purple"]


def test_kinds_of_levels() -> None:
    def kinds(*sizes: str, lies: bool = False) -> list[int]:
        return kinds_of(StackHypothesis(0.0, 0.0, 0.0, sizes, lies)).tolist()

    assert kinds("large") == [LONE]
    assert kinds("small", lies=True) == [LYING]
    assert kinds("large", "large", "small") == [RIM, STEP, TOP]
