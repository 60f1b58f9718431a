"""The listed moves are those of slow rules that were written independently, in thousands of random positions."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.contract import ToDraw
from companion.core.verdict import Accepted, Unclear
from companion.games.shared.cards.dealing import Shuffle, check, commitment
from companion.games.shared.cards.deck import PIECES
from companion.games.solitaire.game import SOLITAIRE, SolitaireDeal
from companion.games.solitaire.moves import CONCEDE, TURN, Home
from companion.games.solitaire.situation import Options
from companion.referee.matching import match
from tests.companion.games.solitaire.short_solitaire import legal
from tests.companion.games.solitaire.slow_rules import moves as slow_moves

SETS = (
    Options(),
    Options(draw=1, empty_pile="any"),
    Options(strict_shades=True, max_passes=2),
    Options(foundation_back=True, max_passes=0, draw=1),
)


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def told_in(deal: SolitaireDeal, state: Any) -> Any:
    """The cards that were turned up in a position; None if none is due."""
    events, same = deal.serve(state, SOLITAIRE.unseen)
    assert same == deal
    return events[0] if events else None


def played(options: Options, number: int, most: int) -> list[Any]:
    """Positions of a random game from a software deal, in which nobody gives up."""
    rng = Random(number)
    deal = SolitaireDeal.of(seed(number))
    state = SOLITAIRE.start(1, options)
    found = []
    while len(found) < most:
        told = told_in(deal, state)
        if told is not None:
            state = state.apply(told)
            continue
        found.append(state)
        choices = [move for move in state.legal_moves() if move != CONCEDE]
        if not choices:
            break
        homes = [move for move in choices if SOLITAIRE.text(move).endswith("home")]
        state = state.apply(rng.choice(homes if homes and rng.random() < 0.7 else choices))
    return found


@pytest.mark.parametrize("options", SETS, ids=range(len(SETS)))
def test_moves_are_those_of_the_slow_rules(options: Options) -> None:
    looked_at = 0
    for number in range(3):
        for state in played(options, number, 130):
            assert legal(state) == slow_moves(state)
            looked_at += 1
    assert looked_at > 150


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("options", SETS, ids=range(len(SETS)))
def test_moves_are_those_of_the_slow_rules_in_many_games(options: Options) -> None:
    for number in range(100, 120):
        for state in played(options, number, 600):
            assert legal(state) == slow_moves(state)


def test_every_other_line_is_refused_with_a_reason() -> None:
    """What is not in the list breaks a rule, what is in it breaks none."""
    lines = sorted({line for state in played(SETS[1], 7, 120) for line in legal(state)})
    for state in played(SETS[1], 7, 120)[::12]:
        for line in lines:
            assert bool(state.violations(SOLITAIRE.parse(state, line))) == (line not in legal(state))


def test_deep_positions_keep_what_every_position_promises() -> None:
    """Games of the contract's own tests are short, because giving up is always among the moves."""
    rng = Random(4)
    seen = 0
    for state in played(SETS[3], 3, 130)[25::8]:
        again = SOLITAIRE.load(msgspec.json.encode(state))
        assert (again, again.legal_moves(), again.layout()) == (state, state.legal_moves(), state.layout())
        there = [sighting.piece for heap in state.layout().heaps.values() for sighting in heap]
        assert sorted([*there, *SOLITAIRE.unseen(state)], key=repr) == sorted(PIECES[:144], key=repr)
        moves = [move for move in state.legal_moves() if state.apply(move).layout() != state.layout()]
        if not moves:
            continue
        move = rng.choice(moves)
        verdict = match(SOLITAIRE, state, state.apply(move).layout())
        assert isinstance(verdict, Accepted | Unclear)
        found = [verdict.events] if isinstance(verdict, Accepted) else [choice.events for choice in verdict.choices]
        assert any(SOLITAIRE.looks_alike(state, events[0], move) for events in found)
        seen += 1
    assert seen > 4


def in_order() -> SolitaireDeal:
    """A deal whose stock goes home card by card, and then pile after pile from the top."""
    piles: list[int] = []
    first = 66
    for count in range(1, 13):
        piles += reversed(range(first, first + count))
        first += count
    return SolitaireDeal((*piles, *range(66)))


def test_a_whole_game_in_one_pass_scores_720() -> None:
    deal = in_order()
    state = SOLITAIRE.start(1, Options(draw=1))
    while not state.is_over:
        told = told_in(deal, state)
        if told is not None:
            state = state.apply(told)
            continue
        homes = [move for move in state.legal_moves() if isinstance(move, Home)]
        state = state.apply(homes[0] if homes else TURN)
    assert state.is_won
    assert state.scores()[0].total == 720
    assert "perfect" in state.outcome().text


def test_a_deal_keeps_every_card_in_its_place() -> None:
    """Whichever pile is dug up first, the same card lies where it was dealt, and the seed proves it."""
    deal = SolitaireDeal.of(seed(5))
    check(commitment(seed(5)), seed(5), (Shuffle(0, tuple(range(144)), deal.order),))
    told = told_in(deal, SOLITAIRE.start(1, Options()))
    assert told is not None
    assert len(told.pieces) == 12
    for number in (1, 2):
        rng = Random(number)
        state = SOLITAIRE.start(1, Options())
        places: dict[tuple[int, int], int] = {}
        for _ in range(400):
            due = state.expects()
            if isinstance(due, ToDraw):
                before = state
                state = state.apply(told_in(deal, state))
                for pile in () if before.turning else before.uncovered:
                    places[pile, before.downs[pile]] = state.ups[pile][0]
            else:
                choices = [move for move in state.legal_moves() if move != CONCEDE]
                state = state.apply(rng.choice(choices)) if choices else state
        assert len(places) > 14
        for (pile, level), card in places.items():
            assert deal.order[pile * (pile + 1) // 2 + level - 1] == card
