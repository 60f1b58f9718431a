"""Legal moves and what they do against the slow generator, over random games and random positions."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import msgspec
import pytest

from companion.core.contract import Over
from companion.core.foundation.errors import BadEvent, BadRecord
from companion.games.regenbogen.board import CELLS, NEIGHBORS
from companion.games.regenbogen.data import DATA, parse
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.moves import EndTurn, Fight, Go, Heal, OfferDraw, Recover, SelfDestruct, Summon
from companion.games.regenbogen.options import Options
from companion.games.regenbogen.position import written
from companion.games.regenbogen.state import RegenbogenState
from tests.companion.games.regenbogen.slow_regenbogen import legal
from tests.companion.games.regenbogen.slow_turns import SlowGame


def agree(state: RegenbogenState) -> None:
    """The lists are the same."""
    options = state.options
    slow = legal(written(state), any_health=options.self_destruct_any_health, stacks=options.boost_stacks)
    fast = {REGENBOGEN.text(move) for move in state.legal_moves() if not isinstance(move, OfferDraw)}
    assert fast == slow


def slow_game(state: RegenbogenState) -> SlowGame:
    """The same position, to be followed slowly."""
    options = state.options
    return SlowGame(
        written(state),
        any_health=options.self_destruct_any_health,
        stacks=options.boost_stacks,
        repeated=options.repetition_draw,
        quiet=options.no_damage_draw_turns,
    )


def alike(state: RegenbogenState, slow: SlowGame) -> None:
    """Both say that the same stands there, whose turn it is, who is asked, and who has won."""
    outcome = state.outcome()
    assert set(state.saving) == slow.asked
    assert (None if outcome is None else outcome.places) == slow.places
    know_their_cells(state)
    told = written(state)
    if state.saving:  # the turn is over only when they have answered
        assert told["pieces"] == slow.board and told["spells"] == slow.spells
    else:
        assert told == slow.written()


def know_their_cells(state: RegenbogenState) -> None:
    """The sets of cells that a position was given are those of its board."""
    fresh = REGENBOGEN.load(msgspec.json.encode(state))
    assert (state.occupied, state.enemies) == (fresh.occupied, fresh.enemies)


def random_position(rng: Random) -> RegenbogenState:
    """Any pieces anywhere; too many Spirits of a color are refused and drawn again."""
    while True:
        names = rng.sample(DATA.names, rng.randint(6, 7)), rng.sample(DATA.names, rng.randint(6, 7))
        words = [
            f"{side} {name} wizard {rng.randint(0, 5)}"
            for side, some in zip(("white", "black"), names, strict=True)
            for name in some
            if name != "ultima"
        ]
        words += [f"{side} ultima wizard {rng.randint(0, 5)}" for side in ("white", "black")]
        words += [f"{side} cleric {rng.randint(0, 5)}" for side in ("white", "black") if rng.random() < 0.9]
        few = rng.sample(DATA.names, 3)
        words += [
            f"{rng.choice(('white', 'black'))} {rng.choice(few)} spirit {rng.randint(0, 3)}"
            for _ in range(rng.randint(0, 14))
        ]
        cells = rng.sample(CELLS, len(words))
        options = Options(self_destruct_any_health=rng.random() < 0.5, boost_stacks=rng.random() < 0.5)
        clerics = [any(f"{side} cleric" in one for one in words) for side in ("white", "black")]
        spells = [rng.randint(0, 4) if there else 0 for there in clerics]
        position = {"pieces": dict(zip(cells, words, strict=True)), "spells": spells, "turn": rng.randint(0, 1)}
        try:
            state = REGENBOGEN.from_record(2, options, position)
        except BadRecord:
            continue
        if state.ending is None:
            return state


def compare(positions: int, seed: int) -> None:
    """So many random positions, and what follows a random move in each."""
    rng = Random(seed)
    for _ in range(positions):
        state = random_position(rng)
        agree(state)
        for move in state.legal_moves():
            if isinstance(move, OfferDraw) or (isinstance(move, Go) and rng.random() < 0.8):
                continue
            slow = slow_game(state)
            after = state.apply(move)
            slow.happened(REGENBOGEN.text(move))
            alike(after, slow)
            while after.saving:
                answer = rng.choice(list(after.legal_moves()))
                after = after.apply(answer)
                slow.happened(REGENBOGEN.text(answer))
                alike(after, slow)
        if after.ending is None:
            agree(after)


def test_the_slow_generator_lists_the_same_moves() -> None:
    compare(200, 1)


@pytest.mark.slow
def test_the_slow_generator_lists_the_same_moves_for_long() -> None:
    compare(5_000, 2)


def assert_actions_of_the_moved_piece_break_their_own_rules(state: RegenbogenState, moved: int) -> None:
    """Nothing that the piece could have tried after its move is out of turn: the turn ended because it may do none."""
    seat, cell = 1 - state.turn, CELLS[moved]
    tries = [Recover(seat, cell), SelfDestruct(seat, cell), Heal(seat, cell, cell, 1)]
    for other in NEIGHBORS[moved]:
        tries += [Heal(seat, cell, CELLS[other], 1), Fight(seat, cell, CELLS[other]), Summon(seat, cell, CELLS[other])]
    for action in tries:
        found = {breach.rule for breach in state.violations(action)}
        assert found and "RGB-9" not in found, action


def test_random_games_keep_their_rules() -> None:
    """Lists and positions agree all through a game, JSON brings back the same state, and reasons go with what is not legal."""
    rng = Random(3)
    state = REGENBOGEN.start(2, Options())
    slow = slow_game(state)
    before = list(state.legal_moves())
    while not isinstance(state.expects(), Over):
        moves = [move for move in state.legal_moves() if not isinstance(move, OfferDraw)]
        if not state.saving:
            agree(state)
        if state.last is not None:
            assert_actions_of_the_moved_piece_break_their_own_rules(state, state.last)
        for move in rng.sample(before, min(5, len(before))):
            nothing_new = isinstance(move, EndTurn) and state.last is not None and move.seat != state.turn
            assert (not state.violations(move)) == (move in state.legal_moves() or nothing_new)
            assert (move in state.legal_moves()) == state.may(move)
            with suppress(BadEvent):  # what cannot be done at all
                know_their_cells(state.apply_unchecked(move))
        before = list(state.legal_moves())
        assert REGENBOGEN.load(msgspec.json.encode(state)) == state
        move = rng.choice(moves)
        state = state.apply(move)
        slow.happened(REGENBOGEN.text(move))
        alike(state, slow)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('"b1": "red", "c1": "ultima", "d1": "blue"', '"b1": "blue", "c1": "ultima", "d1": "red"', "RGB-6"),
        ('"b1": "red", "c1": "ultima", "d1"', '"c1": "ultima", "d1"', "RGB-6"),
        ('"health_pool": 10', '"health_pool": 11', "RGB-4"),
        ('"spells_max": 4', '"spells_max": 5', "RGB-4"),
        ('"red": "green"', '"red": "blue"', "RGB-2"),
        ('"first_player": "white"', '"first_player": "red"', "RGB-7"),
        ('"boost": 1', '"boost": "one"', "boost"),
    ],
)
def test_data_that_contradict_themselves_are_refused(old: str, new: str, rule: str) -> None:
    text = msgspec.json.encode(DATA).decode()
    plain, wrong = old.replace(": ", ":").replace(", ", ","), new.replace(": ", ":").replace(", ", ",")
    assert parse(text.encode()) == DATA and plain in text
    with pytest.raises(BadRecord, match=rule):
        parse(text.replace(plain, wrong, 1).encode())
