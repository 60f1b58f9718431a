"""The fast tables against the slow rules, on thousands of positions and over all options."""

from __future__ import annotations

from itertools import product
from random import Random

import msgspec
import pytest

from companion.core.contract import Over, ToMove
from companion.core.pieces import TILES
from companion.games.spectrangle.board import LIES, letters_on
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.moves import PASS, PLACES, Exchange, Pass, PlaceTile
from companion.games.spectrangle.options import Options
from companion.games.spectrangle.state import SpectrangleState
from tests.companion.games.spectrangle import slow_rules
from tests.companion.games.spectrangle.short_spectrangle import fresh, place, table

OPTIONS = [
    Options(edges=edges, handed=handed, hands=hands)
    for edges, handed, hands in product(("one", "all"), ("any", "cw", "ccw"), ("open", "unseen"))
]


def lying_on(state: SpectrangleState) -> slow_rules.Board:
    """The board as the slow rules want it."""
    found: slow_rules.Board = {}
    for cell in range(36):
        left, right, flat = letters_on(state.board, cell)
        if left != ".":
            found[cell] = (left, right, flat)
    return found


def slow_moves(state: SpectrangleState) -> set[str]:
    """Legal moves by the slow rules, in the game's notation."""
    board, options = lying_on(state), state.options
    known = [TILES[number].edges for number in state.hands[state.turn]]
    hidden = [one.edges for one in SPECTRANGLE.unseen(state)] if state.hidden[state.turn] else []
    placements = slow_rules.placements(board, known + hidden, options.edges, options.handed)
    found = {SPECTRANGLE.text(place(cell, "".join(lying))) for cell, lying in placements}
    able = slow_rules.placements(board, known, options.edges, options.handed) or (hidden and not board)
    if not able:
        found.add("pass")
        if state.bag:
            found |= {f"exchange {TILES[number].name}" for number in state.hands[state.turn]}
            found |= {"exchange ??"} if state.hidden[state.turn] else set()
    return found


def check(state: SpectrangleState, rng: Random) -> None:
    """Legal moves, points and the answers of `violations`, all against the slow rules."""
    legal = state.legal_moves()
    texts = [SPECTRANGLE.text(move) for move in legal]
    assert len(set(texts)) == len(texts)
    expected = slow_moves(state)
    assert set(texts) == expected
    board = lying_on(state)
    for move in rng.sample(list(legal), min(4, len(legal))):
        if isinstance(move, PlaceTile):
            left, right, flat = move.tile.edges
            assert state.points(move) == slow_rules.points(board, move.cell, (left, right, flat), move.tile.value)
    for _ in range(10):
        any_move = PLACES[rng.randrange(36)][rng.choice(list(LIES))]
        assert (not state.violations(any_move)) == (SPECTRANGLE.text(any_move) in expected)
    assert (not state.violations(PASS)) == ("pass" in expected)
    for one in rng.sample(TILES, 3):
        assert (not state.violations(Exchange(one))) == (f"exchange {one.name}" in expected)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda one: f"{one.edges}-{one.handed}-{one.hands}")
def test_legal_moves_in_random_games(options: Options) -> None:
    rng = Random(f"{options}")
    checked = 0
    for seats in (2, 3, 4):
        state = SPECTRANGLE.start(seats, options)
        while state.expects() != Over():
            if isinstance(state.expects(), ToMove):
                if options.hands == "open" or checked % 3 == 0:
                    check(state, rng)
                checked += 1
                state = state.apply(rng.choice(list(state.legal_moves())))
            else:
                state = state.apply(rng.choice([event for event, _ in SPECTRANGLE.outcomes(state)]))
    assert checked > 90


def random_position(rng: Random, options: Options) -> SpectrangleState:
    """Tiles strewn over the board without regard to any rule, and two hands."""
    tiles = list(TILES)
    rng.shuffle(tiles)
    count = rng.choice((0, 1, 2, 5, 9, 14, 20, 27))
    cells = rng.sample(range(36), count)
    board = {f"c{cell}": "".join(rng.sample(tile.edges, 3)) for cell, tile in zip(cells, tiles, strict=False)}
    hands = [[tile.name for tile in tiles[count : count + 4]], [tile.name for tile in tiles[count + 4 : count + 8]]]
    bag = rng.choice((None, 0))
    position = {"board": board, "hands": hands, "to_move": rng.randrange(2)}
    return SPECTRANGLE.from_record(2, options, position if bag is None else {**position, "bag": 0})


@pytest.mark.parametrize("edges", ["one", "all"])
@pytest.mark.parametrize("handed", ["any", "cw", "ccw"])
def test_legal_moves_in_random_positions(edges: str, handed: str) -> None:
    rng = Random(f"{edges} {handed}")
    options = Options(edges=edges, handed=handed)
    for _ in range(350):
        state = random_position(rng, options)
        if isinstance(state.expects(), ToMove):
            check(state, rng)


def test_openings_kept_along_a_game_are_those_of_the_board() -> None:
    """The incremental tables against the same state read back from JSON, which works them out from nothing."""
    rng = Random(4)
    state = SPECTRANGLE.start(2, Options(edges="all"))
    while state.expects() != Over():
        again = SPECTRANGLE.load(msgspec.json.encode(state))
        assert again.expects() == state.expects()
        assert list(again.legal_moves()) == list(state.legal_moves())
        if isinstance(state.expects(), ToMove):
            state = state.apply(rng.choice(list(state.legal_moves())))
        else:
            state = state.apply(rng.choice([event for event, _ in SPECTRANGLE.outcomes(state)]))


def leaves(state: SpectrangleState, depth: int) -> int:
    """How many lines of play of that many moves there are; with an empty bag no chance comes in between."""
    if depth == 0 or not isinstance(state.expects(), ToMove):
        return 1
    return sum(leaves(state.apply(move), depth - 1) for move in state.legal_moves())


def slow_leaves(
    board: slow_rules.Board, hands: tuple[tuple[str, ...], ...], turn: int, depth: int, edges: str, handed: str
) -> int:
    """The same by the slow rules; nobody able ends a line as in TRI-22."""
    if depth == 0:
        return 1
    moves = slow_rules.placements(board, list(hands[turn]), edges, handed)
    after = (turn + 1) % len(hands)
    if moves:
        found = 0
        for cell, lying in moves:
            rest = tuple(one for one in hands[turn] if sorted(one) != sorted(lying))
            held = (*hands[:turn], rest, *hands[turn + 1 :])
            found += slow_leaves({**board, cell: lying}, held, after, depth - 1, edges, handed)
        return found
    if not any(slow_rules.placements(board, list(hand), edges, handed) for hand in hands):
        return 1
    return slow_leaves(board, hands, after, depth - 1, edges, handed)


PERFT = [
    # hands, board, edges, handed, and how many lines of 1, 2, 3 and 4 moves there are
    (("RRY", "GGB"), "c18 RRR", "one", "any", (6, 6, 6, 6)),
    (("RGY WWW", "GGB RRR"), "c18 RYB, c17 GGR", "one", "any", (10, 63, 579, 1794)),
    (("RGY WWW", "GGB RRR"), "c18 RYB, c17 GGR", "all", "cw", (7, 48, 282, 836)),
    (("RGY BGP", "YBP GRB", "PPG WWW"), "c19 RRG, c20 GBB", "all", "any", (10, 136, 1216, 15513)),
]


@pytest.mark.parametrize(("hands", "board", "edges", "handed", "counts"), PERFT)
def test_lines_of_play_are_counted_alike(
    hands: tuple[str, ...], board: str, edges: str, handed: str, counts: tuple[int, ...]
) -> None:
    state = table(*hands, board=board, bag=0, edges=edges, handed=handed)
    held = tuple(tuple(hand.split()) for hand in hands)
    assert tuple(leaves(state, depth) for depth in (1, 2, 3, 4)) == counts
    slow = tuple(slow_leaves(lying_on(state), held, 0, depth, edges, handed) for depth in (1, 2, 3))
    assert slow == counts[:3]


def test_first_placement_counts() -> None:
    """27 cells without a bonus; a tile of one color has 1 lie, of two colors 3, of three 6, with one direction 3."""
    assert len(fresh("RRR RRY GRB WWW", "").legal_moves()) == 27 * (1 + 3 + 6 + 1)
    assert len(fresh("RRR RRY GRB WWW", "", handed="cw").legal_moves()) == 27 * (1 + 3 + 3 + 1)


def test_a_pass_is_the_only_move_of_an_empty_hand() -> None:
    state = table("", "RRY", board="c18 RRR", bag=0)
    assert list(state.legal_moves()) == [Pass()]
