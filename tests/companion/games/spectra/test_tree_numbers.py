"""Which tree a piece goes into, told by where it stands: readings in short, as a camera gave them or might."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.layout import Detection, Layout, PointMm
from companion.core.pieces import PYRAMID_SIZES, Pyramid
from companion.games.spectra.game import SPECTRA, TreeNumbers
from companion.games.spectra.moves import Add
from tests.companion.games.spectra.short_spectra import draw, piece, pieces, table

SPOT = "seat0.trees"

Stacks = list[tuple[PointMm, str]]


def seen(stacks: Stacks, spot: str = SPOT) -> Layout:
    """A reading of one seat's trees: where each stack stands, and its pieces in short."""
    heap, at_mm = [], {}
    for number, (at, short) in enumerate(stacks):
        for level, one in enumerate(pieces(short)):
            place = f"p{number}.{level}"
            heap.append(Detection(Detection.sure(one).candidates, place))
            at_mm[place] = at
    return Layout(heaps={spot: tuple(heap)}, at_mm=at_mm)


def followed(*readings: Stacks) -> TreeNumbers:
    known = TreeNumbers()
    for stacks in readings:
        known = known.follow(seen(stacks))
    return known


TWO: Stacks = [((358.0, 156.0), "BL"), ((221.0, 155.0), "BL")]


@pytest.mark.parametrize(
    ("before", "short", "now", "number"),
    [
        pytest.param(TWO, "BM", [((221.0, 155.0), "BL BM"), TWO[0]], 0, id="onto the left one"),
        pytest.param(TWO, "BM", [((221.0, 155.0), "BL"), ((358.0, 156.0), "BL BM")], 1, id="onto the right one"),
        pytest.param(TWO, "BL", [*TWO, ((300.0, 153.0), "BL")], 2, id="begun later, though between them"),
        pytest.param([((282.0, 251.0), "GL GM")], "GL", [((282.0, 251.0), "GL GM"), ((230.0, 250.0), "GL")], 1, id="l"),
        pytest.param(TWO, "BS", [((221.0, 155.0), "BL"), ((341.0, 150.0), "BL BS")], 1, id="pushed with its new piece"),
        pytest.param(TWO, "BS", [TWO[1], ((358.0, 156.0), "BL BS")], 1, id="a small without a medium (SPA-11)"),
    ],
)
def test_the_tree_is_where_the_piece_stands(before: Stacks, short: str, now: Stacks, number: int) -> None:
    assert followed(before).add(SPOT, piece(short), seen(now))[0] == number


def test_a_tree_that_is_begun_keeps_its_number() -> None:
    known = followed([((282.0, 251.0), "GL GM")])
    begun: Stacks = [((230.0, 250.0), "GL"), ((282.0, 251.0), "GL GM")]
    number, known = known.add(SPOT, piece("GL"), seen(begun))
    known = known.follow(seen(begun))
    again = known.add(SPOT, piece("GM"), seen([((230.0, 250.0), "GL GM"), ((282.0, 251.0), "GL GM")]))
    assert (number, again[0]) == (1, 1)


def test_two_pieces_of_a_kind_in_one_picture_go_into_two_trees() -> None:
    now = seen([((221.0, 155.0), "BL BM"), ((358.0, 156.0), "BL BM")])
    first, known = followed(TWO).add(SPOT, piece("BM"), now)
    second, _ = known.add(SPOT, piece("BM"), now)
    assert (first, second) == (0, 1)


def test_a_thing_that_is_no_tree_takes_no_number() -> None:
    known = followed(TWO, [*TWO, ((280.0, 150.0), "BS")], TWO)
    assert known.add(SPOT, piece("BL"), seen([*TWO, ((420.0, 150.0), "BL")]))[0] == 2


MISREAD: Stacks = [((281.8, 251.2), "GL GM GS")]
"""A large and a medium from above, as the recording on striped cloth was read without calibration."""


def test_a_piece_that_was_read_before_it_came_goes_into_the_tree_that_shows_it() -> None:
    assert followed(MISREAD).add(SPOT, piece("GS"), seen(MISREAD))[0] == 0


def test_a_piece_that_no_stack_shows_goes_into_the_first_tree_that_lacks_it() -> None:
    two: Stacks = [*MISREAD, ((229.8, 250.1), "GL")]
    _, known = followed(MISREAD).add(SPOT, piece("GL"), seen(two))
    assert known.follow(seen(two)).add(SPOT, piece("GM"), seen(two))[0] == 1
    assert followed(two).add(SPOT, piece("GL"), seen(two))[0] == 2, "a large begins a tree"


@pytest.mark.parametrize("seed", range(40))
def test_trees_that_grow_anywhere_and_are_pushed_keep_their_numbers(seed: int) -> None:
    rng = Random(seed)
    slots = [(150.0 + 60 * at, 250.0) for at in range(6)]
    places = rng.sample(slots, 6)
    trees = sorted((at, ["large"]) for at in places[: rng.choice((1, 2))])
    known, free = followed([(at, "GL") for at, _ in trees]), places[len(trees) :]
    for _ in range(7):
        number = rng.choice(
            [k for k, (_, sizes) in enumerate(trees) if len(sizes) < 3] + [len(trees)] * (len(trees) < 3)
        )
        if number == len(trees):
            trees.append((free.pop(), []))
        at, sizes = trees[number]
        size = next(size for size in PYRAMID_SIZES if size not in sizes)
        trees[number] = at, [*sizes, size]
        if rng.random() < 0.4:  # people push what they touch
            trees[number] = (at[0] + rng.uniform(-12, 12), at[1] + rng.uniform(-8, 8)), trees[number][1]
        shown = [(at, " ".join(f"G{one[0].upper()}" for one in held)) for at, held in trees]
        rng.shuffle(shown)
        told, known = known.add(SPOT, Pyramid("green", size), seen(shown))
        known = known.follow(seen(shown))
        assert told == number
        if sum(len(held) for _, held in trees) == 9:
            return


def test_the_words_of_an_addition_name_the_tree_that_the_reading_shows() -> None:
    state = table("BM", "", colors="blue,red", trees=("BL BL", "RL"))
    placed = SPECTRA.placed_words
    assert placed is not None
    known = placed.follow(placed.nothing, seen(TWO))
    words, _ = placed.words(known, seen([TWO[1], ((358.0, 156.0), "BL BM")]), state, Add(0, piece("BM")))
    assert words == {"player": 0, "type": "add", "piece": {"color": "blue", "size": "medium"}, "tree": 1}
    assert SPECTRA.words(state, Add(0, piece("BM")))["tree"] == 0, "without a picture, the first that lacks it"  # type: ignore[index]
    assert placed.words(known, seen(TWO), state, draw(0, "RM"))[0] == SPECTRA.words(state, draw(0, "RM"))


def test_an_illegal_addition_is_told_of_the_trees_that_it_went_into() -> None:
    state = table("RM", "", colors="red,blue", trees=("RL", "BL BL"))
    placed = SPECTRA.placed_words
    assert placed is not None
    spot = "seat1.trees"
    known = placed.follow(placed.nothing, seen(TWO, spot))
    now = seen([TWO[1], ((358.0, 156.0), "BL RM")], spot)
    words, _ = placed.words(known, now, state, Add(0, piece("RM"), 1))
    assert words is not None and words["tree"] == 1
