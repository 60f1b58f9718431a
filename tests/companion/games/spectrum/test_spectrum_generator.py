"""Legal moves through whole turns against a slow generator that was written from the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.contract import Drawn, Rolled
from companion.core.pieces import FACES, Card, Die
from companion.games.rule_pages import rules_of
from companion.games.shared.cards.deck import PIECES
from companion.games.spectrum import usages
from companion.games.spectrum.board import SPOTS, STARS, STOCKS
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Go, Pass
from companion.games.spectrum.options import Options
from companion.games.spectrum.situation import NO_PAWNS
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.turns import with_pawn
from companion.games.spectrum.violations import meant
from tests.companion.games.spectrum.slow_spectrum import SlowTurn
from tests.companion.games.spectrum.slow_usages import WHEEL, card_uses, dice_uses

ENGINES = ({"dice": "d6"}, {"dice": "d12"}, {"cards_as_dice": True}, {"cards_as_dice": True, "swap_cards": True})
COMBINATIONS = [
    {**engine, "special_order": order, "self_capture": capture, "self_jump": jump}
    for engine, order, capture, jump in product(ENGINES, ("printed", "free"), (False, True), (False, True))
]
AROUND = ("surrender", "speed_rule", "weighted", "missions", "portals")
"""Options that add something before and after a turn, and nothing to what its pawns may do."""
VARIANTS = [dict(zip(AROUND, chosen, strict=True)) for chosen in product((False, True), repeat=len(AROUND))][1:]


def crowded_board(rng: Random, teams: tuple[tuple[str, ...], ...]) -> str:
    """Pawns here and there, mostly close together, some of them on stars."""
    board = NO_PAWNS
    middle = rng.randrange(12)
    for path in rng.sample(range(12), rng.choice((0, 0, 4, 5, 8))):
        color = rng.choice(rng.choice(teams))
        if board.count(color[0]) < 5:
            board = with_pawn(board, path * 9 + 8, color[0])
    for colors in teams:
        for color in colors:
            for _ in range(rng.randrange(2, 6) if len(colors) == 1 else rng.randrange(1, 5)):
                if rng.random() < 0.7:
                    path = (middle + rng.choice((-2, -1, -1, 0, 0, 1, 1, 2, 6, 5, 7))) % 12
                    space = path * 9 + min(8, int(abs(rng.gauss(0, 2.5))) if rng.random() < 0.5 else rng.randrange(9))
                else:
                    space = rng.randrange(len(SPOTS))
                if board[space] == ".":
                    board = with_pawn(board, space, color[0])
    return board


def random_roll(rng: Random, state: SpectrumState) -> Any:
    """Dice, or cards, of which several often show one color or neighbors."""
    options = state.options
    if options.cards_as_dice:
        pile = [usages.CARDS, usages.CARDS + usages.SWAP_CARDS][options.swap_cards]
        base = rng.randrange(12)
        likely = [n for n in pile if n >= 144 or (PIECES[n].color in {WHEEL[(base + s) % 12] for s in (0, 0, 1, 2)})]
        count = state.expects().count
        chosen = rng.sample(likely if rng.random() < 0.7 and len(likely) >= count else list(pile), count)
        return Drawn(state.turn, tuple(PIECES[number] for number in chosen))
    kinds = state.expects().dice
    faces = list(FACES[kinds[0]])
    if rng.random() < 0.6:
        faces = rng.sample(faces, rng.choice((1, 2, 2)))
    return Rolled(tuple(Die(kind, rng.choice(faces)) for kind in kinds))


def positions(rng: Random, seats: int, options: Options, count: int) -> Iterator[SpectrumState]:
    start = SPECTRUM.start(seats, options)
    found = 0
    while found < count:
        phase = "cards" if options.cards_as_dice else "roll"
        board = crowded_board(rng, start.teams)
        state = SpectrumState(options, start.teams, board, rng.randrange(seats), phase, extras=start.extras)
        if (state.occupied & STARS) == STARS or any(state.stock(color) < 0 for team in state.teams for color in team):
            continue
        found += 1
        yield state


def slow_turn(state: SpectrumState, roll: Any) -> SlowTurn:
    options = state.options
    if isinstance(roll, Rolled):
        uses = dice_uses([str(die.face) for die in roll.faces], options.dice, options.special_order == "free")
    else:
        named = [f"{p.color} {p.rank}" if isinstance(p, Card) else p.kind for p in roll.pieces]
        uses = card_uses(named)
    alone = len(state.teams) == 1
    return SlowTurn(state, uses, options.self_capture or alone, options.self_jump or alone)


def standing(state: SpectrumState) -> tuple[dict[str, str], Counter[str]]:
    """What `SlowTurn.standing` says, by the engine."""
    layout = state.layout()
    pawns = {spot: sighting.piece.color for spot, sighting in layout.cells.items() if sighting.piece is not None}
    stocks = [heap for spot, heap in layout.heaps.items() if spot.endswith(".stock")]
    return pawns, Counter(sighting.piece.color for heap in stocks for sighting in heap)


def compare(state: SpectrumState, roll: Any, rng: Random) -> int:
    """Play one turn at random; at every point the same pawns stand there and the same events are legal. The number of points."""
    slow = slow_turn(state, roll)
    here = state.apply(roll)
    living = slow.living()
    if here.phase == "over" or here.legal_moves() == (Pass(state.turn),):
        assert not living
        return 1
    if len(living) == 1:
        slow.declare_only(living[0])
        assert here.usage == living[0]
    points = 0
    while True:
        points += 1
        going = here.phase in ("declare", "move", "place") and here.turn == state.turn
        assert going != slow.over, (state, roll)
        if slow.over:
            return points
        listed = here.legal_moves()
        assert len(set(listed)) == len(listed)
        assert set(listed) == slow.legal(), (state, roll, here.usage)
        event = rng.choice(listed)
        slow.happened(event)
        here = here.apply(event)
        assert standing(here) == slow.standing(), (state, roll, event)
        if here.phase == "bonus":  # a first captured color draws one more portal (VAR-26)
            here = here.apply(rng.choice([drawn for drawn, _ in SPECTRUM.outcomes(here)]))
        if here.phase == "over":
            return points


def agree(options: dict[str, Any], seats: int, count: int) -> int:
    rng = Random(str((options, seats)))
    alone = {"solo_without": "nothing"} if seats == 1 else {}
    chosen = Options(**{**options, **alone})
    return sum(compare(state, random_roll(rng, state), rng) for state in positions(rng, seats, chosen, count))


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_the_engine_lists_what_the_rules_allow_and_nothing_else(options: dict[str, Any]) -> None:
    for seats in (1, 2, 4):
        assert agree(options, seats, 3) >= 3


@pytest.mark.parametrize("place", range(len(VARIANTS)))
def test_what_surrounds_a_turn_changes_nothing_in_it(place: int) -> None:
    for seats in (2, 3):
        assert agree({**COMBINATIONS[(5 * place + seats) % len(COMBINATIONS)], **VARIANTS[place]}, seats, 3) >= 3


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_what_surrounds_a_turn_changes_nothing_over_thousands_of_positions(options: dict[str, Any]) -> None:
    for seats, variant in product((2, 3, 6), VARIANTS):
        assert agree({**options, **variant}, seats, 40) >= 40


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("seats", (1, 2, 3, 6))
@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_the_engine_agrees_over_thousands_of_positions(options: dict[str, Any], seats: int) -> None:
    assert agree(options, seats, 2000) >= 2000


def test_every_kind_of_usage_was_compared() -> None:
    rng = Random(7)
    kinds = set()
    for options in ({"dice": "d6"}, {"dice": "d12"}, {"cards_as_dice": True, "swap_cards": True}):
        for state in positions(rng, 3, Options(**options), 60):
            here = state.apply(random_roll(rng, state))
            if here.turn == state.turn:
                kinds |= {usage.kind for usage in here.usages}
    assert kinds == {
        "pair",
        "double",
        "triple",
        "double double",
        "quadruple",
        "quintuple",
        "single card",
        "cards of one color",
        "shaded cards",
        "swap",
    }


@pytest.mark.parametrize("options", ENGINES[:2], ids=str)
def test_a_pawn_from_stock_on_an_open_intermediate_breaks_brd_15(options: dict[str, Any]) -> None:
    rng = Random(str(options))
    seen = 0
    for start in positions(rng, 3, Options(**options), 60):
        state = start.apply(random_roll(rng, start))
        if state.phase == "declare":
            state = state.apply(rng.choice(state.legal_moves()))
        if state.phase != "move" or state.turn != start.turn or not state.used.plain:
            continue
        colors = [color for color in state.teams[state.turn] if state.stock(color)]
        for color, path in product(colors, range(1, 12, 2)):
            spot = SPOTS[path * 9]
            move = Go(state.turn, f"{color} stock", spot)
            if move in state.legal_moves() or state.masks[state.turn] >> path * 9 & 1:
                continue
            assert {reason.rule for reason in state.violations(move)} == {"BRD-15"}, (state, move)
            seen += 1
    assert seen


@pytest.mark.parametrize("options", ENGINES, ids=str)
def test_moves_without_a_part_break_what_they_break_as_the_part_that_they_are(options: dict[str, Any]) -> None:
    """Whatever pawn goes wherever: an unnamed part is asked for only where several parts allow the move (BRD-12)."""
    rng = Random(str(options))
    for start in positions(rng, 2, Options(**options, special_order="free"), 20):
        state = start.apply(random_roll(rng, start))
        if state.phase == "declare":
            state = state.apply(rng.choice(state.legal_moves()))
        if state.phase != "move" or state.turn != start.turn or not state.used.free:
            continue
        for _ in range(20):
            move = Go(state.turn, rng.choice([*SPOTS, *STOCKS]), rng.choice(SPOTS))
            numbers = [place + 1 for place in range(len(state.used.parts)) if state.left >> place & 1]
            named = [state.violations(replace(move, part=number)) for number in numbers]
            legal = [one for one in named if not one]
            assert (not state.violations(move)) == (len(legal) == 1)
            if not legal:
                assert state.violations(move) in named


@pytest.mark.parametrize("options", ENGINES, ids=str)
def test_reasons_and_lists_are_two_sides_of_one_coin(options: dict[str, Any]) -> None:
    """Any pawn to any space: the move is listed, or it has reasons with the numbers of written rules."""
    rng = Random(str(options))
    written = {rule.number for rule in rules_of("spectrum")}
    for order in ("printed", "free"):
        for start in positions(rng, 3, Options(**options, special_order=order), 5):
            state = start.apply(random_roll(rng, start))
            if state.phase == "over" or state.turn != start.turn:
                continue
            origins = [*SPOTS, *STOCKS]
            for _ in range(25):
                part = rng.choice((0, 0, 1, 2)) if state.phase == "move" and state.used.free else 0
                move = Go(rng.choice((state.turn,) * 5 + (0,)), rng.choice(origins), rng.choice(SPOTS), part)
                reasons = state.violations(move)
                assert (not reasons) == (meant(state, move, state.moves) in state.legal_moves())
                assert {reason.rule for reason in reasons} <= written
                assert all(reason.text.endswith(".") for reason in reasons)
