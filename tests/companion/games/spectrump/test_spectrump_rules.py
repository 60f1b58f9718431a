"""UMP-1 to UMP-6 and UMP-10 to UMP-13, each by an example that is allowed and one that is not."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.contract import Drawn, Over, ScoreLine, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, BadOptions, GameOver, IllegalMove
from companion.games.shared.cards.deck import COLOR, NUMBER_CARDS, PIECES, RANK, color_of
from companion.games.spectrump.game import SPECTRUMP
from companion.games.spectrump.options import DECKS, SHAPES, Options
from companion.games.spectrump.scoring import Round, Taken, ending, lines_of, scores
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.spectrump.short_spectrump import broken, cards, judged, legal, play, table

START = SPECTRUMP.start(4, Options())
RED_1 = "player 1 bids red 1"


def dealt(seats: int = 4, **options: Any) -> Any:
    """A first session dealt in the order of the card numbers, seat by seat."""
    state = SPECTRUMP.start(seats, Options(**options))
    deck = iter(DECKS[state.options.deck])
    while isinstance(due := state.expects(), ToDraw):
        state = state.apply(Drawn(due.seat, tuple(PIECES[next(deck)] for _ in range(due.count))))
    return state


@pytest.mark.parametrize("deck", (144, 72))
@pytest.mark.parametrize("seats", (2, 4, 6, 8))
@allows
def test_ump_1_every_card_of_the_deck_is_played_in_a_round(deck: int, seats: int) -> None:
    shape = SHAPES[deck][seats]
    assert shape.sessions * shape.sets * shape.cards * seats == deck == len(DECKS[deck])
    assert {RANK[card] for card in DECKS[deck]} == set(range(1, deck // 12 + 1))


@allows
@forbids
def test_ump_1_the_deal() -> None:
    assert SHAPES[144] == {2: (3, 2, 12), 4: (2, 2, 9), 6: (1, 2, 12), 8: (1, 2, 9)}
    assert SHAPES[72] == {2: (2, 2, 9), 4: (1, 2, 9), 6: (1, 1, 12), 8: (1, 1, 9)}
    assert START.expects() == ToDraw(0, 9, "set 1", False)
    state = play(START, "player 1 draws R1 R2 R3 R4 R5 R6 R7 R8 R9")
    assert state.expects() == ToDraw(0, 9, "set 2", False)
    assert broken(state, "player 1 draws R1") == ["UMP-1"]
    assert broken(state, "player 1 draws R10 R11 R12 O1 O2 O3 O4 O5 O6 O7") == ["UMP-1"]
    assert broken(state, "player 5 draws R10") == ["UMP-1"]
    assert broken(state, "player 3 draws ??") == []


@allows
@forbids
def test_ump_1_72_cards_have_ranks_up_to_6_and_no_deck_has_specials() -> None:
    state = SPECTRUMP.start(4, Options(deck=72))
    assert broken(state, "player 1 draws R6") == []
    assert broken(state, "player 1 draws R7") == ["UMP-1"]
    assert broken(START, "player 1 draws swap R/G") == ["UMP-1"]


@forbids
def test_ump_1_nothing_is_called_while_cards_are_dealt_nor_drawn_after() -> None:
    assert broken(START, RED_1) == ["UMP-1"]
    state = dealt()
    assert broken(state, "player 1 draws R1") == ["UMP-1"]
    assert broken(state, "player 5 passes") == ["UMP-1"]


@excludes
def test_ump_1_other_numbers_of_players() -> None:
    for seats in (1, 3, 5, 7, 9):
        with pytest.raises(BadOptions, match="2, 4, 6 or 8"):
            SPECTRUMP.start(seats, Options())


@allows
def test_ump_1_eight_players_have_sets_of_nine() -> None:
    state = dealt(8)
    assert {len(mine) for sets in state.sets for mine in sets} == {9}
    assert state.session == 0
    assert SHAPES[144][8].sessions == 1


@allows
@forbids
def test_ump_2_one_set_after_the_other() -> None:
    state = table(["B3", "B4"], ["B7", "B8"], bid="player 1 bids blue 2")
    assert judged(state, "B4") == ["UMP-2"]
    assert judged(state, "G1") == ["UMP-2"]
    assert judged(state, "B3") == []
    state = cards(state, "B3 B7")
    assert (state.playing, state.mover) == (1, 1)
    assert judged(state, "B8") == []


@forbids
def test_ump_2_nothing_is_exchanged_between_the_sets() -> None:
    state = play(dealt(), "player 1 bids red 1", "player 2 passes", "player 3 passes", "player 4 passes")
    assert isinstance(state.expects(), ToMove)
    assert broken(state, "player 1 swaps R1 for RO1") == ["UMP-2"]
    assert broken(state, "player 1 is ready") == ["UMP-2"]


@allows
@forbids
def test_ump_2_unless_hands_may_be_loaded() -> None:
    state = dealt(hand_loading=True)
    assert broken(state, "player 1 swaps R1 for RO1") == ["UMP-2"]
    state = play(state, "player 1 bids red 1", "player 2 passes", "player 3 passes", "player 4 passes")
    assert state.expects() == ToMove((0, 1, 2, 3))
    assert broken(state, "player 1 plays R1") == ["UMP-2"]
    state = play(state, "player 1 swaps R1 for R10")
    assert [PIECES[card].rank for card in state.sets[0][0] if COLOR[card] == 0] == [2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert broken(state, "player 1 swaps R1 for R10") == ["UMP-2"]
    state = play(state, *(f"player {player} is ready" for player in (1, 2, 3, 4)))
    assert broken(state, "player 1 swaps R10 for R1") == ["UMP-2"]
    assert judged(state, "R10") == []


@allows
@forbids
def test_ump_2_as_many_exchanges_as_a_set_has_cards() -> None:
    state = play(dealt(hand_loading=True), "player 1 bids red 1", *(f"player {player} passes" for player in (2, 3, 4)))
    for _ in range(4):
        state = play(state, "player 1 swaps R1 for R10", "player 1 swaps R10 for R1")
    state = play(state, "player 1 swaps R1 for R10")
    assert broken(state, "player 1 swaps R10 for R1") == ["UMP-2"]
    assert broken(state, "player 1 is ready") == []


@allows
def test_ump_2_partners_sit_opposite_each_other() -> None:
    with pytest.raises(BadOptions, match="four players or more"):
        SPECTRUMP.start(2, Options(partners=True))
    one = Round(color_of("R"), 0, 1, 1, True, (Taken(10, 0), Taken(0, 5), Taken(7, 3), Taken(0, 0)))
    found = scores([one], (), 4, Options(partners=True))
    assert [score.total for score in found] == [14, -5, 14, -5]
    assert found[0].lines[2].text == "player 3, round 1, red: cards of red"


@allows
@forbids
def test_ump_3_at_most_the_cards_of_that_color_in_both_sets() -> None:
    state = dealt()
    assert sum(COLOR[card] == 0 for mine in state.sets[0] for card in mine) == 12
    assert broken(state, "player 1 bids red 12") == []
    assert broken(state, "player 1 bids red-orange 6") == []
    assert broken(state, "player 1 bids red-orange 7") == ["UMP-3"]
    assert broken(state, "player 1 bids blue 1") == ["UMP-3"]
    with pytest.raises(IllegalMove, match="has at most 6 cards of red-orange"):
        play(state, "player 1 bids RO 7")


@allows
def test_ump_3_four_blue_cards_make_four_bids() -> None:
    state = table(["B1 B2 G3", "B7 B9 Y2"], ["R1 R2 R3", "R4 R5 R6"], turn=0)
    assert {bid for bid in legal(state) if "blue" in bid.split()} == {f"bids blue {number}" for number in (1, 2, 3, 4)}


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("green-blue 1", "green 1"),
        ("green 1", "red-orange 2"),
        ("blue-purple 2", "blue 2"),
        ("red 2", "yellow-green 3"),
    ],
)
@allows
@forbids
def test_ump_3_the_number_first_then_primaries(low: str, high: str) -> None:
    state = play(table(None, None, bid=None, turn=0), f"player 1 bids {low}")
    assert broken(state, f"player 2 bids {high}") == []
    state = play(table(None, None, bid=None, turn=0), f"player 1 bids {high}")
    assert broken(state, f"player 2 bids {low}") == ["UMP-3"]


@forbids
def test_ump_3_equal_bids_are_no_raise() -> None:
    state = play(table(None, None, turn=0), "player 1 bids green 2")
    assert broken(state, "player 2 bids red 2") == ["UMP-3"]
    assert broken(state, "player 2 bids green 2") == ["UMP-3"]
    state = play(table(None, None, turn=0), "player 1 bids green-blue 2")
    assert broken(state, "player 2 bids red-orange 2") == ["UMP-3"]


@allows
@forbids
def test_ump_3_left_of_the_dealer_begins_and_passing_is_final() -> None:
    state = dealt()
    assert (state.dealer, state.expects()) == (3, ToMove((0,)))
    assert broken(state, "player 2 passes") == ["UMP-3"]
    state = play(state, "player 1 passes", "player 2 bids O 1", "player 3 bids Y 2", "player 4 passes")
    assert state.expects() == ToMove((1,))
    assert broken(state, "player 1 bids red 12") == ["UMP-3"]
    state = play(state, "player 2 passes")
    assert state.bid.color == "yellow"
    assert state.expects() == ToMove((2,))
    assert broken(state, "player 3 bids yellow 3") == ["UMP-4"]


@allows
@forbids
def test_ump_3_unknown_cards_are_not_held_against_a_bid() -> None:
    state = table(None, ["R1 R2 R3 ?? ?? ?? ?? ?? ??", None], None, None, turn=1)
    assert broken(state, "player 2 bids red 12") == []
    state = table(["R1 ??", "B2 B3"], ["G1 G2", "G3 G4"], turn=0)
    assert broken(state, "player 1 bids red 2") == []
    assert broken(state, "player 1 bids red 3") == ["UMP-3"]


@allows
@forbids
def test_ump_4_one_trump_a_round() -> None:
    state = dealt()
    assert broken(state, "player 1 plays R1") == ["UMP-4"]
    state = play(state, "player 1 bids red 3", *(f"player {player} passes" for player in (2, 3, 4)))
    played = 0
    while not state.dealing:
        state = state.apply(state.legal_moves()[0])
        played += 1
    assert (played, state.session, state.bid.color) == (72, 1, "red")
    rest = [card for card in range(NUMBER_CARDS) if state.pool >> card & 1]
    assert len(rest) == 72
    leader = state.leader
    while isinstance(due := state.expects(), ToDraw):
        state = state.apply(Drawn(due.seat, tuple(PIECES[rest.pop()] for _ in range(due.count))))
    assert state.expects() == ToMove((leader,))
    assert broken(state, f"player {leader + 1} bids red 4") == ["UMP-4"]


@allows
def test_ump_4_if_all_pass_the_next_dealer_deals() -> None:
    state = play(dealt(), *(f"player {player} passes" for player in (1, 2, 3, 4)))
    assert (state.dealer, state.dealt, state.turn) == (0, 0, 1)
    assert state.expects() == ToDraw(1, 9, "set 1", False)


def finished(bid: str, played: int, options: Options = Options()) -> Any:  # noqa: B008 - options never change
    """The last trick of a round of two, in which player 1 bid, after so many trump cards of the bid sets."""
    position = {
        "hands": [["", "B3"], ["", "GB9"]],
        "bid": bid,
        "session": 3 if options.deck == 144 else 2,
        "set": 2,
        "played": played,
        "won": ["B1 GB2 BP4", "B6"],
        "broken": {"trump": True, "scoring": True},
    }
    return cards(SPECTRUMP.from_record(2, options, position), "B3 GB9")


@allows
def test_ump_6_a_bid_that_was_kept() -> None:
    one = finished("player 1 bids blue 2", 2).rounds[0]
    assert not one.is_false
    assert [line.points for line in lines_of(one, 0, 1, 144)] == [15, -4]
    assert [line.points for line in lines_of(one, 1, 1, 144)] == [-6]


@excludes
def test_ump_6_a_false_bid() -> None:
    state = finished("player 1 bids blue 2", 1)
    assert state.rounds[0].is_false
    assert state.scores()[0].lines == (
        ScoreLine(-78, "UMP-6", "round 1, blue: bid 2, played 1, so all negative points and no positive ones"),
    )
    assert state.scores()[1].total == 0


@allows
def test_ump_6_others_score_only_their_positives() -> None:
    one = Round(color_of("B"), 0, 4, 3, True, (Taken(30, 9), Taken(12, 40), Taken(0, 7), Taken(5, 0)))
    totals = [score.total for score in scores([one], (), 4, Options())]
    assert totals == [-78, 12, 0, 5]
    assert [score.total for score in scores([one], (), 4, Options(deck=72))] == [-21, 12, 0, 5]


@allows
def test_ump_6_every_trump_card_from_the_bid_sets_counts() -> None:
    """The bidder's first card is trump and is counted although another seat takes it; the second set counts as well."""
    state = table(["B3", "B4"], ["B7", "GB8"], bid="player 1 bids blue 2")
    assert state.still_to_play == 2
    state = cards(state, "B3 B7")
    assert (state.played, state.still_to_play, state.mover) == (1, 1, 1)
    state = cards(state, "GB8 B4")
    assert (state.played, state.still_to_play) == (2, 0)


def test_ump_6_a_bid_that_the_hand_cannot_keep_may_be_let_stand() -> None:
    state = table(["B3 G1", "B4 G2"], ["B7 G3", "GB8 G4"], turn=0)
    bid = SPECTRUMP.parse(state, "player 1 bids blue 3")
    assert state.violations(bid)
    assert state.apply_unchecked(bid).bid == bid


FOUR = ("B3 G9", "BP7 G8", "PR6 Y1", "R1 Y2")
"""The first example of UMP-11; trump is red."""


@allows
@excludes
@pytest.mark.parametrize(
    ("trick", "taker", "points"),
    [("B3 BP7 PR6 R1", 4, 5), ("B3 BP7 PR6 P10", 3, 6), ("B3 BP7 GB6 P3", 2, 0), ("B3 BP7 GB7 P3", 2, 0)],
)
def test_ump_8_the_four_tricks_of_the_rules_as_they_are_played(trick: str, taker: int, points: int) -> None:
    """Trump is red; who did not take the trick does not lead the next one."""
    hands = [f"{code} {rest}" for code, rest in zip(trick.split(), ("Y1", "Y2", "Y3", "Y4"), strict=True)]
    state = cards(table(*hands, bid=RED_1), trick)
    assert (state.last_trick().winner, state.last_trick().points) == (taker - 1, points)
    assert [score.total for score in state.scores()] == [points if seat == taker - 1 else 0 for seat in range(4)]
    for player in (1, 2, 3, 4):
        assert broken(state, f"player {player} plays Y{player}") == ([] if player == taker else ["UMP-10"])


@allows
@forbids
def test_ump_10_the_bidder_leads_then_who_took_the_trick() -> None:
    state = table(*FOUR, bid="player 1 bids red 1")
    assert broken(state, "player 2 plays BP7") == ["UMP-10"]
    state = cards(state, "B3 BP7 PR6 R1")
    assert state.mover == 3
    assert state.won[3] == (98, 114, 137, 0)
    assert broken(state, "player 1 plays G9") == ["UMP-10"]


@allows
@forbids
def test_ump_10_trump_is_not_led_before_it_was_played() -> None:
    state = table("R5 B3", "R1 B4", bid=RED_1)
    assert judged(state, "R5") == ["UMP-10"]
    assert judged(state, "B3") == []
    assert judged(table("R5 B3", "R1 B4", bid=RED_1, broken={"trump": True}), "R5") == []


@allows
@forbids
def test_ump_10_nor_a_scoring_color_before_one_was() -> None:
    state = table("RO5 PR2 B3", "R1 B4 B5", bid=RED_1, broken={"trump": True})
    assert [judged(state, code) for code in ("RO5", "PR2", "B3")] == [["UMP-10"], ["UMP-10"], []]
    state = table("RO5 R2 B3", "R1 B4 B5", bid=RED_1, broken={"scoring": True})
    assert [judged(state, code) for code in ("RO5", "R2", "B3")] == [[], ["UMP-10"], []]


@allows
def test_ump_10_counted_anew_in_each_set() -> None:
    state = table(["B3", "R5 RO5 B5"], ["R1", "G1 G2 G3"], bid=RED_1)
    state = cards(state, "B3 R1")
    assert (state.playing, state.broken, state.mover) == (1, 0, 1)
    state = cards(state, "G1 B5")
    assert state.mover == 0
    assert judged(state, "R5") == []


@allows
def test_ump_10_if_every_card_is_barred_any_may_be_led() -> None:
    state = table("R5 RO5 PR7", "R1 B4 B5", bid=RED_1)
    assert legal(state) == {"plays R5", "plays RO5", "plays PR7"}
    state = table("R5 RO5", "R1 B4", bid=RED_1, broken={"trump": True})
    assert legal(state) == {"plays R5"}


@pytest.mark.parametrize(
    ("after", "hand", "may"),
    [
        ("B3", "B1 GB1 BP1 P1 R1 Y1", "B1 GB1 BP1"),
        ("B3 BP7", "B1 GB1 BP1 P1 PR1 Y1", "B1 GB1 BP1 P1"),
        ("B3 BP7 PR6", "B1 GB1 BP1 P1 R1 RO1 PR1", "B1 GB1 BP1 P1"),
        ("B3 BP7 GB6", "B1 GB1 BP1 P1 G1 YG1 Y1", "B1 GB1 BP1 P1 G1"),
        ("B3 Y7", "YG1 G1 O1", "YG1"),
        ("B3 BP7 PR6", "R1 RO1 YG1 Y1", "R1 RO1 YG1 Y1"),
    ],
)
@allows
def test_ump_11_opened_colors_of_the_examples(after: str, hand: str, may: str) -> None:
    """Trump is red; green-blue opens green, but never yellow-green; a scoring card that is thrown in opens nothing."""
    state = seated(after.split(), hand)
    assert legal(state) == {f"plays {code}" for code in may.split()}


def seated(laid: list[str], hand: str) -> Any:
    """A trick of four in which these cards lie; the next seat holds `hand`, nobody else's hand is known."""
    count = len(hand.split())
    hands: list[Any] = [" ".join(["??"] * (count - 1 if seat < len(laid) else count)) for seat in range(4)]
    hands[len(laid)] = hand
    return table(*hands, bid=RED_1, trick=" ".join(laid), leader=0)


@allows
@forbids
def test_ump_11_who_holds_an_opened_color_plays_one() -> None:
    state = cards(table("B3 G9", "BP7 Y8", "GB6 Y1", "R1 Y2", bid=RED_1), "B3")
    assert judged(state, "Y8") == ["UMP-11"]
    assert judged(state, "BP7") == []
    with pytest.raises(IllegalMove, match="Y8 is of none of the opened colors GB, B, BP, but BP7 is in the hand"):
        cards(state, "Y8")


@allows
def test_ump_11_who_holds_none_plays_any() -> None:
    state = cards(table(*FOUR, bid=RED_1), "B3 BP7")
    assert legal(state) == {"plays PR6", "plays Y1"}


@allows
@forbids
def test_ump_11_unknown_cards_are_not_held_against_a_player() -> None:
    state = seated(["B3"], "?? ??")
    assert judged(state, "Y8") == []
    assert judged(seated(["B3"], "GB2 ??"), "Y8") == ["UMP-11"]
    assert judged(seated(["B3"], "G2 ??"), "Y8") == []


@forbids
def test_ump_11_what_a_later_card_brings_to_light() -> None:
    state = table("B3 G9", "?? ??", bid=RED_1)
    state = cards(state, "B3 Y8")
    assert state.late_breaches() == ()
    state = cards(state, "GB2")
    assert [breach.rule for breach in state.late_breaches()] == ["UMP-11"]
    assert "player 2 held GB2" in state.late_breaches()[0].text


@allows
def test_ump_11_shown_cards_may_bring_it_to_light() -> None:
    state = cards(table("B3 G9 G1", "?? ?? ??", bid=RED_1), "B3 Y2")
    assert play(state, "player 2 shows R4").late_breaches() == ()
    assert len(play(state, "player 2 shows R4 GB2").late_breaches()) == 1
    assert broken(state, "player 2 shows R4 R5 R6") == ["UMP-2"]
    assert broken(state, "player 2 shows G9") == ["UMP-1"]


def test_ump_11_a_card_that_does_not_follow_may_be_let_stand() -> None:
    state = cards(table("B3 G9", "BP7 Y8", bid=RED_1), "B3")
    wrong = SPECTRUMP.parse(state, "player 2 plays Y8")
    after = state.apply_unchecked(wrong)
    assert after.won[1] == (98, 55)
    assert len(cards(after, "BP7").late_breaches()) == 1
    with pytest.raises(BadEvent):
        state.apply_unchecked(SPECTRUMP.parse(state, "player 1 plays G9"))


@pytest.mark.parametrize(
    ("led", "hand", "may"),
    [
        ("R5", "R1 R2 RO3 PR4 B1", "R1 R2"),
        ("R5", "RO3 PR4 B1", "RO3 PR4"),
        ("R5", "B1 G1", "B1 G1"),
        ("RO5", "RO3 B1 G1", "RO3 B1 G1"),
        ("RO5", "RO3 O1 B1", "RO3 O1"),
        ("RO5", "RO3 R1 B1", "RO3 R1"),
        ("RO5", "B1 G1 PR1", "B1 G1 PR1"),
    ],
)
@allows
def test_ump_12_trump_or_a_scoring_color_led(led: str, hand: str, may: str) -> None:
    """Trump is red: it must be followed itself, a scoring color only by its shades."""
    state = seated([led], hand)
    assert legal(state) == {f"plays {code}" for code in may.split()}


@allows
@forbids
def test_ump_12_who_has_trump_must_play_it() -> None:
    assert judged(seated(["R5"], "R1 RO3"), "RO3") == ["UMP-12"]
    assert judged(seated(["R5"], "R1 RO3"), "R1") == []
    assert judged(seated(["RO5"], "O1 B1"), "B1") == ["UMP-12"]
    assert judged(seated(["RO5"], "O1 B1"), "O1") == []


def round_of(*points: int) -> Round:
    return Round(0, 0, 1, 1, True, tuple(Taken(max(one, 0), max(-one, 0)) for one in points))


@allows
def test_ump_13_five_rounds() -> None:
    options = Options()
    rounds = [round_of(10, -4)] * 4
    assert ending(rounds, 0, (), 2, options) is None
    outcome = ending([*rounds, round_of(-60, 3)], 0, (), 2, options)
    assert outcome is not None
    assert (outcome.places, outcome.rule) == (((1,), (0,)), "UMP-13")
    assert ending(rounds, 1, (50, 0), 2, options).places == ((0,), (1,))


@allows
def test_ump_13_or_200_points_and_50_with_72_cards() -> None:
    options = Options(match="points")
    assert ending([round_of(199, 0)], 0, (), 2, options) is None
    assert ending([round_of(199, 0)], 0, (1, 240), 2, options).places == ((1,), (0,))
    assert ending([round_of(50, 50)], 0, (), 2, Options(match="points", deck=72)).places == ((0, 1),)
    assert ending([round_of(30, 0)], 0, (), 2, Options(match="points", points=30)) is not None


@forbids
def test_ump_13_the_end() -> None:
    state = finished("player 1 bids blue 2", 2, Options(rounds=1))
    assert state.expects() == Over()
    assert state.outcome().places == ((0,), (1,))
    for line in ("player 1 draws R1", "player 1 passes"):
        assert broken(state, line) == ["UMP-13"]
        with pytest.raises(GameOver):
            play(state, line)
    state = finished("player 1 bids blue 2", 2)
    assert (state.dealer, state.expects()) == (0, ToDraw(1, 12, "set 1", False))


@allows
def test_ump_13_points_are_counted_card_by_card_while_the_round_goes_on() -> None:
    state = table("B3 G9", "BP7 G8", "PR6 Y1", "R1 Y2", bid=RED_1, scores=[5, 0, 0, -3])
    state = cards(state, "B3 BP7 PR6 R1")
    assert [score.total for score in state.scores()] == [5, 0, 0, 2]
    assert [line.rule for line in state.scores()[3].lines] == ["UMP-13", "UMP-5", "UMP-5"]
    assert state.last_trick().winner == 3
    assert state.last_trick().points == 5
