"""What a seat may know of Spectrump does not depend on cards that it cannot see, and guesses contradict nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.contract import Drawn, Shown, ToDraw
from companion.core.game import apply_due_draws
from companion.games.shared.cards.dealing import Dealer, check, commitment
from companion.games.shared.cards.deck import COLOR, NUMBER, PIECES
from companion.games.spectrump.game import SPECTRUMP
from companion.games.spectrump.hidden import UnknownSet, fill
from companion.games.spectrump.moves import Play, Swap
from companion.games.spectrump.options import Options
from tests.companion.games.short import heard
from tests.companion.games.spectrump.short_spectrump import broken, cards, judged, play, table


def positions(seats: int, options: Options, number: int) -> list[tuple[Any, Any]]:
    """Positions of a random round that software dealt, each with the event that came next."""
    rng = Random(number)
    state = SPECTRUMP.start(seats, options)
    dealer = Dealer(number.to_bytes(32, "big"))
    found = []
    while state.outcome() is None:
        if isinstance(state.expects(), ToDraw):
            events, dealer = dealer.serve(state, SPECTRUMP.unseen)
        else:
            events = (rng.choice(state.legal_moves()),)
        for event in events:
            found.append((state, event))
            state = state.apply(event)
    check(commitment(dealer.seed), dealer.seed, dealer.shuffles)
    return found


@pytest.mark.parametrize("options", [Options(rounds=1), Options(rounds=1, hand_loading=True)], ids=("plain", "loading"))
@pytest.mark.parametrize("seats", (2, 4))
def test_views_are_the_same_whatever_is_hidden(seats: int, options: Options) -> None:
    rng = Random(8)
    compared = 0
    for state, event in positions(seats, options, 3)[5::11]:
        for seat in (None, *range(seats)):
            view = SPECTRUMP.view(state, seat)
            other = SPECTRUMP.determinize(view, rng)
            if other == state:
                continue
            compared += 1
            assert SPECTRUMP.view(other, seat) == view
            assert SPECTRUMP.view(other, seat).legal_moves() == view.legal_moves()
            assert SPECTRUMP.view(other, seat).layout() == view.layout()
            assert other.scores() == state.scores()
            assert other.late_breaches() == state.late_breaches()
            redacted = SPECTRUMP.redact(state, event, seat)
            if redacted is None or isinstance(redacted, Drawn):
                continue
            assert view.violations(redacted) == ()
            after = view.apply(redacted)
            assert SPECTRUMP.view(after, seat) == SPECTRUMP.view(state.apply(event), seat)
    assert compared > 20


def test_a_view_shows_the_own_sets_and_only_counts_of_others() -> None:
    state = table(["B3 G9", "R1 R2"], ["BP7 G8", "R3 R4"], bid="player 1 bids red 1")
    view = SPECTRUMP.view(state, 1)
    assert view.sets == (((), ()), state.sets[1])
    assert view.hidden == ((2, 2), (0, 0))
    assert not any("seat0.set" in spot for spot in view.layout().heaps)
    assert PIECES[98] in SPECTRUMP.unseen(view)
    assert SPECTRUMP.view(state, None).hidden == ((2, 2), (2, 2))


def test_what_a_seat_hears_of_an_event() -> None:
    state = table(["B3 G9", "R1 R2"], ["BP7 G8", "R3 R4"], bid="player 1 bids red 1")
    deal = Drawn(1, (PIECES[0], PIECES[1]))
    assert SPECTRUMP.redact(state, deal, 1) == deal
    assert SPECTRUMP.redact(state, deal, 0) == SPECTRUMP.redact(state, deal, None) == Drawn(1, (None, None))
    swap = Swap(0, PIECES[98], PIECES[0])
    assert heard(SPECTRUMP, state, swap, 0, 1, None) == (swap, None, None)
    card = Play(0, PIECES[98])
    assert SPECTRUMP.redact(state, card, None) == card
    shown = Shown(0, (PIECES[5],))
    assert heard(SPECTRUMP, state, shown, 0, 1, None) == (shown, None, None)


def test_a_match_goes_on_with_hands_that_nobody_shows() -> None:
    state = apply_due_draws(SPECTRUMP.start(4, Options()))
    assert state.hidden == ((9, 9),) * 4
    state = play(state, "player 1 bids red 4", *(f"player {seat} passes" for seat in (2, 3, 4)))
    assert judged(state, "R5") == []
    state = cards(state, "B3 Y8 GB6 R1")
    assert state.mover == 3
    assert broken(state, "player 4 plays B3") == ["UMP-2"]
    assert state.hidden == ((8, 9),) * 4
    assert state.denied[1] == 1 << 7 | 1 << 8 | 1 << 9


def test_an_unbroken_round_of_unknown_hands_shows_a_false_bid() -> None:
    """Player 1 bid four and shows three trump cards in the sets that were bid on."""
    state = apply_due_draws(SPECTRUMP.start(6, Options(deck=72, rounds=1)))
    state = play(state, "player 1 bids red 4", *(f"player {seat} passes" for seat in range(2, 7)))
    rng = Random(4)
    trump = 0
    while state.outcome() is None:
        moves = state.legal_moves()
        mine = [move for move in moves if color_of_card(move) == 0 and move.seat == 0]
        if state.mover == 0 and trump >= 3:
            moves = [move for move in moves if move not in mine] or moves
        elif mine:
            moves = mine
        move = rng.choice(moves)
        trump += color_of_card(move) == 0 and move.seat == 0
        state = state.apply(move)
    assert trump == 3
    assert state.rounds[0].is_false
    assert state.scores()[0].total == -21


def color_of_card(move: Any) -> int:
    return COLOR[NUMBER[move.card]]


def test_guesses_give_nobody_a_color_that_was_denied() -> None:
    state = apply_due_draws(SPECTRUMP.start(4, Options()))
    state = play(state, "player 1 bids red 4", *(f"player {seat} passes" for seat in (2, 3, 4)))
    state = cards(state, "B3 Y8 YG6 R1")
    for number in range(20):
        guess = SPECTRUMP.determinize(state, Random(number))
        assert guess.hidden == ((0, 0),) * 4
        held = {COLOR[card] for card in guess.sets[1][0]}
        assert not held & {7, 8, 9}
        assert len({card for sets in guess.sets for mine in sets for card in mine}) == 68


def test_cards_make_room_for_others_where_places_are_few() -> None:
    """Three places with one way to fill them: only blue, not blue, and not red."""
    everything = (1 << 12) - 1
    places = [UnknownSet(2, everything & ~(1 << 8)), UnknownSet(2, 1 << 8), UnknownSet(2, 1 << 0)]
    dealt = [0, 1, 96, 97, 98, 60]
    for number in range(30):
        only_blue, not_blue, not_red = fill(places, dealt, Random(number))
        assert all(COLOR[card] == 8 for card in only_blue)
        assert sorted(not_blue) == [0, 1]
        assert sorted((*only_blue, *not_blue, *not_red)) == sorted(dealt)


def test_what_cannot_be_filled_in_truly_is_filled_in_anyway() -> None:
    assert fill([UnknownSet(1, 1)], [0], Random(1)) == [[0]]
