"""What the game confirms teaches the table's colors; what else may stand there is named."""

from __future__ import annotations

import numpy as np
from msgspec import structs

from companion.core.layout import Detection, Layout
from companion.core.pieces import PYRAMID_COLORS, Pyramid, Stack
from companion.games import PLANS
from tests.vision.readers.pyramids.conftest import FromAbove
from vision.memory.tracks import Track
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.joint_assignment import named_jointly
from vision.readers.pyramids.scene import FoundPieces, Rival
from vision.readers.pyramids.zones import PyramidZones, stacked

SPOT = "seat0.stash"


def found(x: float, size: str, likely: str, other: str) -> FoundPieces:
    """A piece read as `likely`, that may as well be `other`."""
    color_logs = np.full((1, len(PYRAMID_COLORS)), -9.0)
    color_logs[0, PYRAMID_COLORS.index(likely)], color_logs[0, PYRAMID_COLORS.index(other)] = 0.0, -1.0
    return FoundPieces(
        StackHypothesis(x, 100.0, 0.0, (size,)), 0.9, (), (), color_logs, np.zeros((1, 5, 2)), (0, 0, 1, 1)
    )


def position(*pieces: Pyramid) -> Layout:
    return Layout(heaps={SPOT: tuple(Detection.sure(piece) for piece in pieces)})


def zones(*standing: FoundPieces) -> PyramidZones:
    eyes = PyramidZones()
    eyes._standing = {SPOT: list(standing)}
    return eyes


def offset(eyes: PyramidZones, color: str) -> float:
    return float(eyes._colors.offsets[PYRAMID_COLORS.index(color)])


def test_a_color_that_is_taken_for_another_is_learned() -> None:
    eyes = zones(*[found(100.0 + 30 * k, "small", "orange", "red") for k in range(4)])
    eyes.confirm_position(position(*[Pyramid("red", "small")] * 4))
    assert offset(eyes, "red") - offset(eyes, "orange") > 0.5
    before = offset(eyes, "red")
    eyes.confirm_position(position(*[Pyramid("red", "small")] * 4))
    assert offset(eyes, "red") == before, "the same reading teaches once"


def test_what_confirmed_lone_pieces_look_like_is_learned() -> None:
    red = structs.replace(found(100.0, "small", "red", "orange"), tones=np.array([[-2.0, 0.1, -1.0]]))
    dim = structs.replace(found(130.0, "small", "blue", "purple"), tones=np.full((1, 3), np.nan))
    eyes = zones(red, dim)
    eyes.confirm_position(position(Pyramid("red", "small"), Pyramid("blue", "small")))
    tones = eyes._colors.tones
    assert (tones[PYRAMID_COLORS.index("red")].tone, tones[PYRAMID_COLORS.index("red")].pieces) == (
        (-2.0, 0.1, -1.0),
        1,
    )
    assert tones[PYRAMID_COLORS.index("blue")].pieces == 0, "of a piece that is hidden nothing is seen"


def test_nothing_is_learned_where_sizes_disagree_or_a_spot_is_unknown() -> None:
    eyes = zones(found(100.0, "small", "orange", "red"))
    eyes.confirm_position(position(Pyramid("red", "large")))
    eyes.confirm_position(Layout())
    assert not eyes._colors.offsets.any()


def test_sizes_that_agree_teach_where_another_was_misread() -> None:
    smalls = [found(100.0 + 30 * k, "small", "orange", "red") for k in range(4)]
    eyes = zones(*smalls, found(300.0, "medium", "blue", "purple"))
    eyes.confirm_position(position(*[Pyramid("red", "small")] * 4, Pyramid("purple", "large")))
    assert offset(eyes, "red") - offset(eyes, "orange") > 0.5
    assert offset(eyes, "purple") == offset(eyes, "cyan"), "the misread one teaches nothing"


def test_a_confirmed_position_teaches_sizes_and_ghosts() -> None:
    piece, ghost = found(100.0, "large", "red", "orange"), found(300.0, "small", "blue", "purple")
    eyes = zones(piece, structs.replace(ghost, confidence=0.5))
    eyes.confirm_position(position(Pyramid("red", "large")))
    large, _, small, anything = eyes.confirmed_shapes.weights
    assert small < 0 < large and small < anything
    eyes.start_with((), (), (0.5, 0.0, -0.5, 0.0))
    assert eyes.confirmed_shapes.weights.tolist() == [0.5, 0.0, -0.5, 0.0]


def test_a_stack_of_other_sizes_is_a_candidate_if_it_is_likely() -> None:
    one = found(100.0, "large", "red", "orange")
    color_logs = np.repeat(one.color_logs, 2, axis=0)

    def candidates(chance: float) -> list[tuple[str, ...]]:
        rival = Rival(StackHypothesis(100.0, 100.0, 0.0, ("large", "medium")), chance, color_logs)
        (named,) = named_jointly([structs.replace(one, rivals=(rival,))], FromAbove())
        return [
            tuple(p.size for p in c.piece.pieces)
            for c in stacked(Track(("p1",), named)).candidates
            if isinstance(c.piece, Stack)
        ]

    assert ("large", "medium") in candidates(0.3)
    assert ("large", "medium") not in candidates(0.01)


def test_a_piece_of_another_size_is_a_candidate_if_it_is_likely() -> None:
    one = found(100.0, "large", "red", "orange")
    rival = Rival(StackHypothesis(100.0, 100.0, 0.0, ("medium",)), 0.3, one.color_logs)
    (named,) = named_jointly([structs.replace(one, confidence=0.65, rivals=(rival,))], FromAbove())
    (level,) = named.levels
    assert level.piece == Pyramid("red", "large")
    assert level.probability(Pyramid("red", "medium")) > 0.15
    assert sum(candidate.probability for candidate in level.candidates) <= 1


def test_where_the_set_is_known_a_likely_rival_takes_over() -> None:
    one = found(100.0, "large", "red", "orange")
    rival = Rival(StackHypothesis(100.0, 101.0, 0.0, ("medium",)), 0.3, one.color_logs)
    one = structs.replace(one, confidence=0.65, rivals=(rival,))
    (named,) = named_jointly([one], FromAbove(), {Pyramid("red", "medium"): 1})
    assert named.levels[0].piece == Pyramid("red", "medium")
    assert named.place.y_mm == 101.0 and named.outline_px[0, 4].tolist() == [200.0, 202.0]
    assert named.rivals[0].place.sizes == ("large",), "what was likelier alone is its rival now"


def test_a_color_that_the_game_lacks_is_not_read() -> None:
    one = structs.replace(
        found(100.0, "small", "clear", "white"),
        rivals=(
            Rival(
                StackHypothesis(100.0, 100.0, 0.0, ("medium",)), 0.4, found(0, "medium", "clear", "white").color_logs
            ),
        ),
    )
    colors = ("red", "white")
    limits = {Pyramid(color, size): 9 for color in colors for size in ("small", "medium")}
    (anything,) = named_jointly([one], FromAbove())
    (named,) = named_jointly([one], FromAbove(), limits)
    assert anything.levels[0].piece == Pyramid("clear", "small")
    assert named.levels[0].piece == Pyramid("white", "small")
    assert all(
        candidate.piece.color in colors for candidate in named.levels[0].candidates if candidate.probability > 0.01
    )


def test_games_say_which_colors_their_pyramids_have() -> None:
    assert set(PLANS["spectra"](2).pyramid_colors or ()) == set(PYRAMID_COLORS) - {"cyan", "clear"}
    assert set(PLANS["ice-stalks"](2).pyramid_colors or ()) == set(PYRAMID_COLORS) - {"black", "white", "clear"}
