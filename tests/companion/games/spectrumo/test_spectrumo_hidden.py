"""What a seat may know of Spectrumo does not depend on cards that it cannot see."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.contract import Drawn, Shown, ToDraw
from companion.core.game import apply_due_draws
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.spectrumo.game import SPECTRUMO, SpectrumoDeal
from companion.games.spectrumo.moves import Give, Play
from companion.games.spectrumo.options import Options
from companion.games.spectrumo.situation import UNKNOWN
from tests.companion.games.short import heard
from tests.companion.games.spectrumo.short_spectrumo import judged, play, table


def positions(seats: int, number: int, most: int) -> list[tuple[Any, Any]]:
    """Positions of a random game that software dealt, each with the event that came next."""
    rng = Random(number)
    state = SPECTRUMO.start(seats, Options())
    deal = SpectrumoDeal(number.to_bytes(32, "big"))
    found: list[tuple[Any, Any]] = []
    while state.outcome() is None and len(found) < most:
        if isinstance(state.expects(), ToDraw):
            events, deal = deal.serve(state, SPECTRUMO.unseen)
        else:
            events = (rng.choice(state.legal_moves()),)
            deal = deal.follow(state, events[0])
        for event in events:
            found.append((state, event))
            state = state.apply(event)
    return found


@pytest.mark.parametrize("seats", (2, 3, 5))
def test_views_are_the_same_whatever_is_hidden(seats: int) -> None:
    rng = Random(8)
    compared = 0
    for state, event in positions(seats, 5, 700)[seats::17]:
        for seat in (None, *range(seats)):
            view = SPECTRUMO.view(state, seat)
            other = SPECTRUMO.determinize(view, rng)
            assert SPECTRUMO.view(other, seat) == view
            assert SPECTRUMO.view(other, seat).legal_moves() == view.legal_moves()
            assert SPECTRUMO.view(other, seat).layout() == view.layout()
            assert other.expects() == state.expects() == view.expects()
            assert other.scores() == state.scores()
            compared += other != state
            redacted = SPECTRUMO.redact(state, event, seat)
            if isinstance(redacted, Play) or seat == getattr(event, "seat", None):
                assert view.violations(redacted) == ()
            after = state.apply(event)
            if isinstance(redacted, Play) and len(after.over) == len(state.over):
                assert SPECTRUMO.view(view.apply(redacted), seat).discard == SPECTRUMO.view(after, seat).discard
    assert compared > 40


def test_a_view_shows_the_own_hand_and_only_counts_of_others() -> None:
    state = table("R5", "B1 G2", "Y1 ??")
    view = SPECTRUMO.view(state, 1)
    assert (view.hands, view.hidden) == (((), state.hands[1]), (2, 1))
    assert PIECES[number_of("B1")] in SPECTRUMO.unseen(view)
    assert "seat0.hand" not in view.layout().heaps
    assert SPECTRUMO.view(state, None).hidden == (2, 2)


def test_nobody_else_sees_a_drawn_card_or_what_is_laid_aside() -> None:
    state = play(table("R5", "B1 G2", "Y1 Y2"), "player 1 cannot play", "player 1 draws RO1")
    assert SPECTRUMO.view(state, 0).drawn == number_of("RO1")
    assert SPECTRUMO.view(state, 1).drawn == UNKNOWN
    assert not SPECTRUMO.view(state, 1).must_play_drawn
    trade = play(
        table("R5", "swap cards, G2, G3", "Y1 Y2"), "player 1 plays swap cards", "player 1 gives G2 to player 2"
    )
    assert SPECTRUMO.view(trade, 0).swapping.given == (number_of("G2"),)
    assert (SPECTRUMO.view(trade, 1).swapping.given, SPECTRUMO.view(trade, 1).swapping.unknown) == ((), 1)


def test_what_a_seat_hears_of_an_event() -> None:
    state = play(table("R5", "B1 G2", "Y1 Y2", "O1 O2"), "player 1 cannot play")
    drawn = Drawn(0, (PIECES[5],))
    assert SPECTRUMO.redact(state, drawn, 0) == drawn
    assert SPECTRUMO.redact(state, drawn, 1) == SPECTRUMO.redact(state, drawn, None) == Drawn(0, (None,))
    trade = play(table("R5", "swap cards, G2", "Y1 Y2", "O1 O2"), "player 1 plays swap cards")
    give = SPECTRUMO.parse(trade, "player 1 gives G2 to player 2")
    assert (SPECTRUMO.redact(trade, give, 0), SPECTRUMO.redact(trade, give, 1)) == (give, Give(0, 1, None))
    trade = play(trade, "player 1 gives G2 to player 2", "player 1 trades")
    blind = Drawn(0, (PIECES[48],))
    assert heard(SPECTRUMO, trade, blind, 0, 1, 2) == (blind, blind, Drawn(0, (None,)))
    turned = apply_due_draws(SPECTRUMO.start(2, Options()))
    assert SPECTRUMO.redact(turned, Drawn(0, (PIECES[5],)), None) == Drawn(0, (PIECES[5],))
    card = Play(0, PIECES[98])
    assert SPECTRUMO.redact(state, card, None) == card
    shown = Shown(0, (PIECES[5],))
    assert heard(SPECTRUMO, state, shown, 0, 1, None) == (shown, None, None)


def test_a_game_goes_on_with_hands_that_nobody_shows() -> None:
    state = apply_due_draws(SPECTRUMO.start(3, Options()))
    assert (state.stage, state.hidden) == ("turn-up", (12, 12, 12))
    state = play(state, "player 1 draws R5", "player 1 plays RO9")
    assert judged(state, "RO9") == ["UMO-2"]
    assert judged(state, "B3") == ["UMO-2"]
    assert judged(state, "O3") == []
    state = apply_due_draws(play(state, "player 2 cannot play"))
    assert (state.hidden, state.drawn) == ((11, 13, 12), UNKNOWN)
    state = apply_due_draws(play(state, "player 2 plays draw"))
    assert (state.hidden, state.turn) == ((11, 12, 16), 1)
