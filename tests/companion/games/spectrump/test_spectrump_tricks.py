"""Tricks by examples (UMP-5, UMP-7 to UMP-9), and against slow rules that were written independently."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.contract import ToDraw, ToMove
from companion.core.pieces import WHEEL
from companion.games.shared.cards.dealing import Dealer
from companion.games.shared.cards.deck import COLOR, NUMBER_CARDS, PIECES, RANK, color_of, numbers_of
from companion.games.spectrump.game import SPECTRUMP
from companion.games.spectrump.moves import Play
from companion.games.spectrump.options import Options
from companion.games.spectrump.situation import colors_of, to_follow, to_lead
from companion.games.spectrump.trick import POINTS, SCORING, judge, winner
from tests.companion.games.examples import allows, excludes
from tests.companion.games.spectrump import slow_tricks
from tests.companion.games.spectrump.slow_tricks import Lying

RED = color_of("red")


def trick(text: str) -> list[int]:
    return [number for number in numbers_of(text) if number is not None]


def lying(numbers: Any) -> list[Lying]:
    return [Lying(WHEEL[COLOR[number]], RANK[number]) for number in numbers]


@pytest.mark.parametrize(
    ("cards", "place", "rule", "points"),
    [
        ("B3 BP7 PR6 R1", 3, "UMP-8", [0, 0, 6, -1]),
        ("B3 BP7 PR6 P10", 2, "UMP-8", [0, 0, 6, 0]),
        ("B3 BP7 GB6 P3", 1, "UMP-8", [0, 0, 0, 0]),
        ("B3 BP7 GB7 P3", 1, "UMP-9", [0, 0, 0, 0]),
    ],
)
@allows
def test_ump_8_the_four_tricks_of_the_rules(cards: str, place: int, rule: str, points: list[int]) -> None:
    """Trump is red; blue is led."""
    judged = judge(RED, trick(cards))
    assert (judged.winner, judged.rule) == (place, rule)
    assert [line.points for line in judged.lines] == points
    assert judged.points == sum(points)


def test_ump_8_reasons_are_said() -> None:
    def said(cards: str, trump: str = "R") -> str:
        return judge(color_of(trump), trick(cards)).reason

    assert said("B3 BP7 PR6 R1") == "R1 is the highest card of the trump color red."
    assert said("B3 RO2 PR6 RO1") == (
        "No trump was played, and RO2 is the highest card of red-orange, the stronger scoring color."
    )
    assert said("B3 BP7 PR6 P10") == (
        "Neither trump nor red-orange was played, and PR6 is the highest card of purple-red, the weaker scoring color."
    )
    assert said("B3 BP7 GB6 P3") == "No trump and no scoring color was played, and BP7 has the highest rank."
    assert said("B3 BP7 GB7 P3") == (
        "BP7 and GB7 have the same highest rank; of the shades of the color led BP7 came first."
    )


@allows
@excludes
def test_ump_5_a_card_costs_or_brings_its_rank() -> None:
    lines = judge(color_of("B"), trick("Y9 B4 GB12 BP1")).lines
    assert [(line.points, line.rule) for line in lines] == [(0, "UMP-5"), (-4, "UMP-5"), (12, "UMP-5"), (1, "UMP-5")]
    assert lines[1].text == "B4: trump costs its rank"


@allows
def test_ump_5_points_of_a_round() -> None:
    for trump in range(12):
        for most, plus, minus in ((12, 156, -78), (6, 42, -21)):
            points = [POINTS[trump][card] for card in range(NUMBER_CARDS) if RANK[card] <= most]
            assert sum(one for one in points if one > 0) == plus
            assert sum(one for one in points if one < 0) == minus


@pytest.mark.parametrize(
    ("trump", "order"),
    [
        ("red", ("red-orange", "purple-red")),
        ("blue", ("blue-purple", "green-blue")),
        ("yellow", ("yellow-green", "orange-yellow")),
        ("red-orange", ("red", "orange")),
        ("yellow-green", ("yellow", "green")),
        ("purple-red", ("purple", "red")),
    ],
)
@allows
def test_ump_7_power(trump: str, order: tuple[str, str]) -> None:
    assert tuple(WHEEL[color] for color in SCORING[color_of(trump)]) == order


@allows
@excludes
def test_ump_7_a_low_card_of_power_beats_a_high_one_without() -> None:
    assert winner(RED, trick("Y12 PR1 Y11")) == 1
    assert winner(RED, trick("Y12 PR12 RO1")) == 2
    assert winner(RED, trick("RO12 R1 PR12")) == 1
    assert winner(color_of("RO"), trick("O12 R1 Y12")) == 1
    assert winner(color_of("RO"), trick("O12 R12 RO1")) == 2


@allows
def test_ump_9_the_color_led_then_a_shade_then_the_first() -> None:
    assert winner(RED, trick("B7 G7 BP7")) == 0
    assert winner(RED, trick("B3 G7 GB7")) == 2
    assert winner(RED, trick("B3 Y7 G7")) == 1
    assert winner(RED, trick("B3 G7 B7")) == 2
    reasons = [judge(RED, trick(cards)).reason for cards in ("B7 G7", "B3 G7 GB7", "B3 Y7 G7")]
    assert "has the color led" in reasons[0]
    assert "only GB7 is a shade of the color led" in reasons[1]
    assert "near the color led" in reasons[2]


@excludes
def test_ump_9_only_without_trump_and_scoring_colors() -> None:
    assert winner(RED, trick("B7 G7 PR2")) == 2
    assert judge(RED, trick("B7 G7 PR2")).rule == "UMP-8"


def compare(number: int, rng: Random) -> None:
    """Random tricks of two to eight cards: winner, worth and the cards that may follow, fast and slow."""
    for _ in range(number):
        trump = rng.randrange(12)
        dealt = rng.sample(range(NUMBER_CARDS), rng.randint(3, 18))
        if rng.random() < 0.5:
            dealt = [card for card in range(NUMBER_CARDS) if RANK[card] in (3, 9) and rng.random() < 0.5] or dealt
            rng.shuffle(dealt)
        size = rng.randint(1, min(8, len(dealt) - 1))
        laid, hand = dealt[:size], dealt[size:]
        name = WHEEL[trump]
        assert winner(trump, laid) == slow_tricks.winner(name, lying(laid))
        assert judge(trump, laid).points == sum(slow_tricks.worth(name, card) for card in lying(laid))
        held = colors_of(hand)
        allowed = to_follow(trump, laid, held)
        follow = [card for card in hand if allowed >> COLOR[card] & 1]
        assert lying(follow) == slow_tricks.may_follow(name, lying(laid), lying(hand))
        broken = rng.randrange(4)
        seen = [Lying(name, 1)] * (broken & 1) + [Lying(slow_tricks.shades(name)[0], 1)] * (broken >> 1)
        allowed = to_lead(trump, broken, held)
        lead = [card for card in hand if allowed >> COLOR[card] & 1]
        assert lying(lead) == slow_tricks.may_be_led(name, seen, lying(hand))


def test_tricks_are_those_of_the_slow_rules() -> None:
    compare(2_500, Random(1))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_hundred_thousand_tricks_are_those_of_the_slow_rules() -> None:
    compare(150_000, Random(2))


def match(seats: int, options: Options, number: int) -> None:
    """A random match, every list of plays and every taken trick against the slow rules."""
    rng = Random(number)
    state = SPECTRUMP.start(seats, options)
    dealer = Dealer(number.to_bytes(32, "big"))
    seen: list[Lying] = []
    while state.outcome() is None:
        due = state.expects()
        if isinstance(due, ToDraw):
            seen = []
            events, dealer = dealer.serve(state, SPECTRUMP.unseen)
            for event in events:
                state = state.apply(event)
            continue
        assert isinstance(due, ToMove)
        moves = state.legal_moves()
        move = rng.choice(moves)
        if isinstance(move, Play):
            hand, on_table = lying(state.sets[move.seat][state.playing]), lying(state.trick)
            name = WHEEL[state.trump]
            if on_table:
                expected = slow_tricks.may_follow(name, on_table, hand)
            else:
                expected = slow_tricks.may_be_led(name, seen, hand)
            assert [Lying(one.card.color, one.card.rank) for one in moves] == expected
            seen.append(Lying(move.card.color, move.card.rank))
            laid, leader, before = (*on_table, seen[-1]), state.leader, state
            state = state.apply(move)
            if len(laid) == seats:
                taker = (leader + slow_tricks.winner(name, list(laid))) % seats
                assert taker == (state.leader if not state.dealing or state.session else taker)
                seen = seen if state.playing == before.playing else []
        else:
            state = state.apply(move)
        assert not state.revokes
    assert len(state.rounds) == options.rounds
    for one in state.rounds:
        ranks = 78 if options.deck == 144 else 21
        assert sum(mine.trump for mine in one.taken) == ranks
        assert sum(mine.scoring for mine in one.taken) == 2 * ranks
        assert not one.is_false


@pytest.mark.parametrize("seats", (2, 4, 6, 8))
@pytest.mark.parametrize("deck", (144, 72))
def test_matches_are_those_of_the_slow_rules(seats: int, deck: Any) -> None:
    match(seats, Options(deck=deck, rounds=1), seats)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seats", (2, 4, 6, 8))
def test_many_matches_are_those_of_the_slow_rules(seats: int) -> None:
    for number in range(20):
        match(seats, Options(rounds=3, hand_loading=number % 2 == 0), 100 + number)


def test_every_card_has_its_worth() -> None:
    for trump, points in enumerate(POINTS):
        for number, card in enumerate(lying(range(NUMBER_CARDS))):
            assert points[number] == slow_tricks.worth(WHEEL[trump], card), PIECES[number]
