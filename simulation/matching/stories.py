"""Makes up stories of the pyramid games: a position, the events under one hand, and the position after them.

Positions come from random play. The last event of some stories breaks a rule, but hands can carry it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from companion.core.contract import Chance, Drawn, Event, Over, ToDraw
from companion.core.foundation.errors import MoveError
from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.growth import KINDS as STALK_KINDS
from companion.games.ice_stalks.growth import pieces_of as pieces_of_stalk
from companion.games.ice_stalks.moves import PlacePiece, Take
from companion.games.spectra.game import SPECTRA
from companion.games.spectra.moves import Add, Draw, EndTurn, Exchange
from companion.games.spectra.stash import KINDS, pieces_of
from simulation.play import game_of


class Story(NamedTuple):
    """The events between two pictures, with the positions before and after them."""

    game: Any
    before: Any
    events: tuple[Event, ...]
    last: Any
    """The position before the last event."""
    after: Any
    wrong: Event | None
    """The last event if it breaks a rule; otherwise None."""

    def __str__(self) -> str:
        told = ", ".join(self.game.text(event) for event in self.events)
        broken = "" if self.wrong is None else f" [{' '.join(b.rule for b in self.last.violations(self.wrong))}]"
        return f"{told}{broken}"


StoryMaker = Callable[[Random], Story | None]
"""Returns a random story; None if the random position allows none."""


def _next(rng: Random, state: Any) -> Event | None:
    """Returns a random move, or a random outcome of the draw that is due; None if the game is over."""
    due = state.expects()
    if isinstance(due, Over):
        return None
    if isinstance(due, ToDraw):
        return _drawn(rng, state)
    moves = state.legal_moves()
    return moves[int(rng.random() * len(moves))]


def _drawn(rng: Random, state: Any) -> Chance:
    events, weights = zip(*game_of(state).outcomes(state), strict=True)
    return rng.choices(events, weights)[0]


def _position(rng: Random, game: Any) -> Any:
    """Returns a position somewhere in a random game."""
    state = game.start(rng.choice((2, 2, 3, 4)), game.Options())
    for _ in range(rng.randrange(4, 70)):
        event = _next(rng, state)
        if event is None:
            break
        state = state.apply(event)
    return state


def _told(game: Any, before: Any, events: list[Event], wrong: Event | None = None) -> Story | None:
    """Returns the story of these events, without those at its end that no camera can see; None if the table does not
    change.
    """
    states = [before]
    for event in events:
        states.append(states[-1].apply(event))
    if wrong is None:
        while len(states) > 1 and states[-1].layout() == states[-2].layout():
            del states[-1]
        events = events[: len(states) - 1]
    else:
        states.append(states[-1].apply_unchecked(wrong))
        events = [*events, wrong]
    if not before.layout().differences(states[-1].layout()):
        return None
    return Story(game, before, tuple(events), states[-2], states[-1], wrong)


def _some(rng: Random, game: Any, count: int) -> tuple[Any, list[Event]] | None:
    """Returns a random position and `count` events from it; None if the game ends before."""
    before = state = _position(rng, game)
    events: list[Event] = []
    for _ in range(count):
        event = _next(rng, state)
        if event is None:
            return None
        events.append(event)
        state = state.apply(event)
    return before, events


def three_events(game: Any) -> StoryMaker:
    """Returns a maker of stories of any three legal events."""

    def maker(rng: Random) -> Story | None:
        made = _some(rng, game, 3)
        return None if made is None else _told(game, *made)

    return maker


def spectra_turn(rng: Random) -> Story | None:
    """Returns a turn as people play it: a draw, up to two exchanges and two additions, and perhaps the next player's
    draw.
    """
    before = state = _rested(rng)
    if state is None:
        return None
    events: list[Event] = []
    for kind in rng.sample((Drawn, Exchange, Exchange, Add, Add), 5):
        if kind is Drawn:
            options: list[Event] = [_drawn(rng, state)] if not state.drawn and any(state.bag) else []
        else:
            options = [move for move in state.legal_moves() if isinstance(move, kind)]
        if options and (kind is Drawn or rng.random() < 0.5):
            events.append(rng.choice(options))
            state = state.apply(events[-1])
        if isinstance(state.expects(), Over):
            break
    if state.may_end and not isinstance(state.expects(), Over) and rng.random() < 0.3:
        events.append(EndTurn(state.turn))
        state = state.apply(events[-1])
        if not isinstance(state.expects(), Over) and any(state.bag):
            events.append(_drawn(rng, state))
    return _told(SPECTRA, before, events)


def _rested(rng: Random) -> Any:
    """Returns a random position of Spectra between two turns; None if the game ends before."""
    state = _position(rng, SPECTRA)
    while not isinstance(state.expects(), Over) and (state.drawn or state.reach or state.turn is None):
        event = _next(rng, state)
        assert event is not None
        state = state.apply(event)
    return None if isinstance(state.expects(), Over) else state


def spectra_wrong(drawn_before: bool) -> StoryMaker:
    """Returns a maker of stories of Spectra that end with an exchange, addition or draw that breaks a rule, perhaps
    after a draw or another legal event.

    Args:
        drawn_before: True if the turn's draw was made before the first picture and seen, so that none can be hidden.
    """

    def maker(rng: Random) -> Story | None:
        before = _rested(rng)
        if before is None:
            return None
        if drawn_before:
            before = before.apply(_drawn(rng, before)) if any(before.bag) else before
        state, events = before, []
        if rng.random() < 0.4:
            event = _next(rng, state)
            assert event is not None
            if isinstance(event, Draw):
                event = _drawn(rng, state)
            if isinstance(event, EndTurn):
                return None
            events.append(event)
            state = state.apply(event)
        if isinstance(state.expects(), Over):
            return None
        illegal = list(_spectra_illegal(rng, state))
        rng.shuffle(illegal)
        for wrong in illegal:
            pointless = isinstance(wrong, Exchange) and wrong.took in wrong.gave
            if not pointless and state.violations(wrong) and _can_be_done(state, wrong):
                return _told(SPECTRA, before, events, wrong)
        return None

    return maker


def _can_be_done(state: Any, event: Event) -> bool:
    try:
        state.apply_unchecked(event)
    except MoveError:
        return False
    return True


def _spectra_illegal(rng: Random, state: Any) -> Iterator[Event]:
    """Yields events of the player on turn that may break a rule, mostly exchanges."""
    seat = state.turn
    own, trees = list(pieces_of(state.supplies[seat])), list(pieces_of(state.trees[seat]))
    others = [other for other in range(state.seats) if other != seat]
    for _ in range(8):
        if len(own) >= 2:
            gave = tuple(rng.sample(own, 2))
            other = rng.choice(others)
            held = pieces_of(state.supplies[other])
            yield Exchange(seat, gave, rng.choice(KINDS), "bag")
            if held:
                yield Exchange(seat, gave, rng.choice(held), other)
            if state.trees[other]:
                took = rng.choice(pieces_of(state.trees[other]))
                yield Exchange(seat, gave, took, other, (took,))
    for move in state.legal_moves():
        if isinstance(move, Exchange) and move.source != "bag":
            yield Exchange(seat, move.gave, move.took, "bag")
    if own and trees:
        given = rng.choice(trees)
        yield Exchange(seat, (rng.choice(own), given), rng.choice(KINDS), "bag", (given,))
    if own:
        yield Add(seat, rng.choice(own))
    if any(state.bag) and state.drawn:
        yield Drawn(seat, (rng.choice([KINDS[kind] for kind, count in enumerate(state.bag) if count]),))


def stalks_wrong(rng: Random) -> Story | None:
    """Returns a story of Ice Stalks whose last event breaks a rule: a placement after the drawn rock, or a stalk taken
    by another player; up to two events come before.
    """
    made = _some(rng, ICE_STALKS, rng.choice((0, 0, 1, 2)))
    if made is None:
        return None
    before, events = made
    state = before
    for event in events:
        state = state.apply(event)
    if isinstance(state.expects(), ToDraw):
        events.append(_drawn(rng, state))
        state = state.apply(events[-1])
    wrong: list[Event] = []
    if state.done is not None:
        wrong = [Take(seat) for seat in range(state.seats) if seat != state.turn]
    elif state.hand is not None:
        pieces = [piece for piece in STALK_KINDS if piece.color == state.hand or rng.random() < 0.05]
        wrong = [
            PlacePiece(state.turn, piece, pieces_of_stalk(stalk)) for piece in pieces for stalk in (*state.stalks, "")
        ]
    rng.shuffle(wrong)
    for event in wrong:
        if state.violations(event) and _can_be_done(state, event):
            return _told(ICE_STALKS, before, events, event)
    return None


STORIES: dict[str, dict[str, StoryMaker]] = {
    "Spectra": {
        "three events": three_events(SPECTRA),
        "a whole turn": spectra_turn,
        "illegal, drawn before": spectra_wrong(drawn_before=True),
        "illegal, not drawn": spectra_wrong(drawn_before=False),
    },
    "Ice Stalks": {"three events": three_events(ICE_STALKS), "illegal": stalks_wrong},
}
"""The makers of stories by game and sort."""
