"""Towers of equal pieces are told on boards whose game says what it builds, and a plan may say it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import numpy as np
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from companion.core.layout import Candidate, Detection
from companion.core.pieces import PYRAMID_COLORS, Piece, Pyramid
from companion.core.plan import BoardStack, Plan, PyramidBoard
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.manifest import MAT, plan
from simulation.drawn.regenbogen_mat import stack, stands
from simulation.drawn.scene import random_scene
from simulation.drawn.standing import Upright
from simulation.drawn.tops import choices, played
from vision.readers.pyramids.contours import FEATURES
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.scene import FoundPieces, Rival
from vision.readers.pyramids.zones import top
from vision.setup.calibrating import calibrate
from vision.table_reader import TableReader

(BOARD,) = plan(2).zones
assert isinstance(BOARD, PyramidBoard)


def test_every_stack_that_the_game_builds_is_one_of_the_board() -> None:
    assert isinstance(BOARD, PyramidBoard) and BOARD.stacks
    known = {(one.sizes, color) for one in BOARD.stacks for color in one.colors}
    for seed in range(8):
        state = played(REGENBOGEN.start(2, REGENBOGEN.Options()), Random(seed))
        for one in filter(None, state.board):
            for spells in range(5):
                seen = Upright(stack(one, spells), 0.0, 0.0).seen
                assert (tuple(piece.size for piece in seen), seen[-1].color) in known
    assert ("large",) * 2 not in {sizes for sizes, _ in known}


def test_a_plan_says_which_stacks_a_board_has_or_leaves_it_open() -> None:
    written = msgspec.json.encode(plan(2))
    assert msgspec.json.decode(written, type=Plan) == plan(2)
    assert isinstance(BOARD, PyramidBoard)
    older = replace(plan(2), zones=(replace(BOARD, stacks=UNSET),))
    assert b"stacks" not in msgspec.json.encode(older)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"sizes": ["huge"], "colors": ["red"]}, BoardStack)


def test_what_the_board_builds_is_read_from_above_where_any_stack_is_not() -> None:
    """Towers of one large and five smalls, beside the empty table."""
    rng = Random(3)
    scene = random_scene(rng, MAT, tilt_deg=0.0, things=0)
    state = REGENBOGEN.start(2, REGENBOGEN.Options())
    picture, known = scene.picture(stands(state, rng)), calibrate("pyramids", MAT, [scene.picture(())]).calibration
    assert isinstance(BOARD, PyramidBoard)
    right = []
    for zones in ((BOARD,), (replace(BOARD, stacks=UNSET),)):
        cells = TableReader(replace(plan(2), zones=zones), known).read(picture).layout.cells
        right.append(sum(cells[spot].piece == wanted for spot, wanted in state.tops.items() if wanted))
        assert all(cells[spot].piece is None for spot, wanted in state.tops.items() if wanted is None)
    assert right[0] >= 15
    assert right[1] < right[0] - 3


def found(*guesses: tuple[Sequence[str], str, float]) -> FoundPieces:
    """What stands in a cell: sizes, the color of the top and how likely, the best guess first."""

    def place(sizes: Sequence[str]) -> StackHypothesis:
        return StackHypothesis(0.0, 0.0, 0.0, tuple(sizes))

    rivals = []
    for sizes, color, sure in guesses[1:]:
        pieces = tuple(Candidate(Pyramid(color, size), sure) for size in sizes)
        rivals.append(Rival(place(sizes), sure, None, pieces))
    sizes, color, sure = guesses[0]
    levels = tuple(Detection((Candidate(Pyramid(color, size), sure),)) for size in sizes)
    shares = np.eye(len(PYRAMID_COLORS))[[PYRAMID_COLORS.index(color)] * len(sizes)]
    return FoundPieces(place(sizes), sure, tuple(rivals), levels, None, None, (0, 0, 1, 1), shares=shares)


def test_a_top_is_as_likely_as_all_stacks_together_that_have_it() -> None:
    seen = top(
        found((("large",), "red", 0.4), (("large", "small"), "red", 0.3), (("large", "small", "small"), "red", 0.25))
    )
    told: dict[Piece | None, float] = {one.piece: round(one.probability, 2) for one in seen.candidates}
    assert told == {Pyramid("red", "small"): 0.55, Pyramid("red", "large"): 0.4}
    assert seen.piece == Pyramid("red", "small")


def test_a_piece_in_a_color_that_no_stack_has_is_read_as_on_any_board() -> None:
    scene = random_scene(Random(3), MAT, tilt_deg=20, things=0)
    picture = scene.picture([Upright((Pyramid("cyan", "large"),), 220.0, 276.0, 20.0)])
    read = [
        TableReader(replace(plan(2), zones=zones, pyramid_colors=UNSET)).read(picture).layout.cells
        for zones in ((BOARD,), (replace(BOARD, stacks=UNSET),))
    ]
    assert read[0] == read[1]
    assert [one.piece for one in read[0].values() if one.piece is not None] == [Pyramid("cyan", "large")]


def test_the_fit_finds_the_true_stack_among_the_choices() -> None:
    found = choices(1003)
    assert len(found) >= 20
    for choice in found:
        assert choice.features.shape in {(10, FEATURES), (30, FEATURES)}
        assert 0 <= choice.true < len(choice.features)


def test_played_positions_keep_to_the_health_of_each_kind() -> None:
    state = played(REGENBOGEN.start(2, REGENBOGEN.Options()), Random(5))
    assert {one & 7 for one in state.board if one} <= set(range(6))
    assert any(one & 7 == 0 for one in state.board if one)
