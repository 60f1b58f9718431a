"""Plays random games of Spectra as people do: turns of one draw, exchanges and additions, and sometimes a mistake."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.contract import Drawn, Event
from companion.core.foundation.errors import MoveError
from companion.core.layout import Detection, Layout
from companion.core.pieces import PYRAMID_SIZES, Piece, Pyramid
from companion.core.plan import Plan
from companion.core.recording import Recording
from companion.core.verdict import Accepted
from companion.games.spectra.game import SPECTRA
from companion.games.spectra.moves import END_TURNS, Add, Exchange, Withdraw
from companion.games.spectra.position import trees_of
from companion.games.spectra.stash import COLORS, KINDS, TREE_COLORS, name, pieces_of, supply_spot, trees_spot
from companion.games.spectra.state import SpectraState
from companion.referee.matching import match
from companion.referee.table.table import Table
from simulation.drawn.camera import Camera
from simulation.drawn.spread import Spread, overlap
from simulation.drawn.standing import Stand, Upright
from simulation.drawn.step import Habits, Kind, Step, step_of
from simulation.lawful import is_lawful

ILLEGAL = 0.14
"""The probability of a mistake at each step that neither pushes things about nor takes a mistake back."""
NOTHING = 0.12
"""The probability of a picture in which pieces were only pushed about."""
TOGETHER = 0.25
"""The probability that one more event of the same turn shows in the same picture."""
BACK = 0.6
"""The probability that an illegal event is taken back; otherwise it is left and stands (SPA-28)."""
WIDE = 0.35
"""The share of rare mistakes, for players who make every kind."""
LIFTED_MM = 10.0
"""The largest distance, in x and in y, between the place of a lifted stand and the place where it is set down again."""
LYING = 0.06
FULL = 13
"""A player with more pieces than this in supply prefers to exchange."""
_USUAL = Habits()
_STYLES = ("stacked",) * 6 + ("apart", "nested")


class SpectraPlayer:
    """A simulation of all players of Spectra."""

    game = SPECTRA

    def __init__(
        self, rng: Random, plan: Plan, colors: tuple[str, ...], camera: Camera | None = None, habits: Habits = _USUAL
    ) -> None:
        self._rng = rng
        self._habits = habits
        self._aside = Random(f"{rng.random()} near") if habits.near else None
        """The source of randomness for setting things down near others; None if that never happens."""
        self._pictures = 0
        self._unseen: SpectraState | None = None
        """The position without a draw that left no trace, as long as no picture contradicts it; otherwise None."""
        self._is_turn_shown = False
        """True if a legal step was shown since the first picture, which does not show whose turn it is."""
        self._plan = plan
        self.spread = Spread(plan, rng, camera)
        self.state: SpectraState = SPECTRA.start(len(colors), SPECTRA.Options(colors=",".join(colors)))
        self._styles = [rng.choice(_STYLES) for _ in colors]
        self._exchanges = 0
        self._open: tuple[Event, SpectraState] | None = None
        """An illegal event that lies on the table, and the position before it."""
        self._left: tuple[Event, SpectraState] | None = None
        """The last illegal event that was left, and the position before it, until the next legal step."""
        self._place_mm = (0.0, 0.0)
        for _ in range(rng.randrange(0, 5 * len(colors))):
            self._play_a_turn()
        self._lay_out()

    def recording(self) -> Recording:
        """Returns the beginning of the recording, whose position comes from the first picture."""
        return Recording(
            names=tuple(f"Player {seat + 1}" for seat in range(self.state.seats)),
            options={"colors": ",".join(self.state.colors)},
            position=None,
            plan=self._plan,
            draws="told",
            begun=True,
        )

    def set_up(self, table: Table, state: SpectraState) -> None:
        """Sets the position on a table's page."""
        seats = range(state.seats)
        told: dict[str, Any] = {
            "trees": [[name(piece) for piece in pieces_of(state.trees[seat])] for seat in seats],
            "supplies": [[name(piece) for piece in pieces_of(state.supplies[seat])] for seat in seats],
            "turn": state.turn,
            "drawn": state.drawn,
        }
        table.set_position(told, "misread", source="page")

    def step(self) -> Step | None:
        """Plays on until the table has changed visibly; returns None when the game is over."""
        self._pictures += 1
        near = self._aside if self.spread.set_near < self._habits.near * self._pictures else None
        self.spread.begin_picture(near)
        if self._open is not None:
            event, before = self._open
            self._open = None
            if self._rng.random() < BACK:
                state, self.state = self.state, before
                self._show(state)
                return self._step("back", (event,), before)
            self._left = event, before
        if self.state.ending is not None:
            return None
        if self._rng.random() < NOTHING:
            self.spread.reorder(self._rng.choice([spot for spot, held in self.spread.stands.items() if held]))
            return self._step("nothing", (), self.state)
        if self._rng.random() < ILLEGAL:
            wrong = self._mistake()
            if wrong is not None:
                before = self.state
                self.state = before.apply_unchecked(wrong)
                self._open, self._left = (wrong, before), None
                self._show(before)
                return self._step("illegal", (wrong,), before)
        return self._legal()

    def _legal(self) -> Step:
        before = self.state
        events: list[Event] = []
        seen = 0
        while self.state.ending is None:
            event = self._next()
            if seen and event in END_TURNS and not self._goes_on():
                break
            self._apply(event)
            events.append(event)
            seen += event not in END_TURNS
            if seen and self._rng.random() >= TOGETHER and event not in END_TURNS:
                break
        self._show(before)
        self._forget_unseen(before, events)
        left, self._left = self._left, None
        if left is not None and self._lies_as(left[1]):
            # Adding a withdrawn piece again looks the same as putting it back, and counts as that.
            self.state = left[1]
            return self._step("back", (left[0],), left[1])
        self._is_turn_shown = True
        if left is not None and isinstance(left[0], Withdraw) and Add(left[0].seat, left[0].piece) in events:
            events.remove(Add(left[0].seat, left[0].piece))
            before = self.state = left[1]
            for event in events:
                self.state = self.state.apply(event)
        return self._step("legal", tuple(events), before)

    def _goes_on(self) -> bool:
        """True if the next player's turn begins before the picture is taken."""
        return self._habits.two_turns > 0 and self._rng.random() < self._habits.two_turns

    def _lies_as(self, other: SpectraState) -> bool:
        """True if trees and supplies are the same as in another position."""
        return (self.state.trees, self.state.supplies) == (other.trees, other.supplies)

    def _step(self, kind: Kind, events: tuple[Event, ...], before: SpectraState) -> Step:
        self.spread.nudge(0.08)
        return step_of(SPECTRA, kind, events, before, self.state, self._place_mm)

    def _next(self) -> Event:
        """Returns a random legal event, weighted as people play."""
        state, rng = self.state, self._rng
        seat = rng.randrange(state.seats) if state.turn is None else state.turn
        loose = state.loose(seat)
        ways: list[tuple[str, float]] = []
        if state.may_draw:
            ways.append(("draw", 3.0))
        if loose:
            ways.append(("add", 2.0))
        exchanges = [move for move in state.moves if isinstance(move, Exchange) and move.seat == seat]
        full = sum(state.supplies[seat]) > FULL
        if exchanges and self._exchanges < (4 if full else 2):
            ways.append(("exchange", 4.0 if full else 1.3))
        if state.may_end and state.turn == seat and not loose:
            ways.append(("end", 0.7 if full else 1.5))
        way = rng.choices([one for one, _ in ways], [weight for _, weight in ways])[0]
        if way == "draw":
            kind = rng.choices(range(len(KINDS)), state.bag)[0]
            return Drawn(seat, (KINDS[kind],))
        if way == "add":
            return Add(seat, KINDS[rng.choice(loose)])
        return rng.choice(exchanges) if way == "exchange" else END_TURNS[seat]

    def _apply(self, event: Event) -> None:
        self._exchanges = 0 if event in END_TURNS else self._exchanges + isinstance(event, Exchange)
        self.state = self.state.apply(event)

    def _play_a_turn(self) -> None:
        while self.state.ending is None:
            event = self._next()
            self._apply(event)
            if event in END_TURNS:
                break

    def _mistake(self) -> Event | None:
        """Returns an event that breaks a rule and that legal events cannot explain; None if none was found."""
        for _ in range(40):
            event = self._wrong_event()
            if event is None or not all(state.violations(event) for state in self._possible()):
                continue
            if self._habits.wide and not self._is_turn_shown and event.seat != self.state.turn:
                continue  # The referee takes the player who acts first for the player on turn.
            if isinstance(event, Exchange) and event.took in event.gave:
                continue
            try:
                after = self.state.apply_unchecked(event)
            except MoveError:
                continue
            if after.ending is None and self._is_plain(after):
                return event
        return None

    def _possible(self) -> list[SpectraState]:
        """Returns the positions that are possible for an observer of all pictures.

        At first it may be anybody's turn, and a draw may have left no trace.
        """
        if not self._habits.wide:
            return [self.state]
        unseen = [] if self._unseen is None else [self._unseen]
        return [self.state, *unseen, *([] if self._is_turn_shown else [replace(self.state, turn=None, drawn=False)])]

    def _in_view(self, table: Layout) -> Layout:
        """Returns a predicted table without the pieces hidden in nests."""
        heaps = dict(table.heaps)
        for seat, style in enumerate(self._styles):
            hidden: Counter[Piece | None] = Counter(
                table.covered.get(trees_spot(seat), ()) if style == "nested" else ()
            )
            shown = Counter(sighting.piece for sighting in heaps[trees_spot(seat)]) - hidden
            heaps[trees_spot(seat)] = tuple(Detection.sure(piece) for piece in shown.elements())
        return Layout(heaps=heaps)

    def _forget_unseen(self, before: SpectraState, events: list[Event]) -> None:
        """Follows the alternative position in which a draw that left no trace was never made, as when its piece is put
        into a nest.
        """
        if not before.layout().differences(self.spread.layout()):
            self._unseen = before
            return
        try:
            for event in events:
                self._unseen = None if self._unseen is None else self._unseen.apply(event)
        except MoveError:
            self._unseen = None

    def _is_plain(self, after: SpectraState) -> bool:
        """True if the table has changed, and no legal events would leave the same table."""
        table = after.layout()
        known = [self.state] if self._left is None else [self.state, self._left[1]]
        if any(not state.layout().differences(table) for state in known):
            return False
        if self._habits.wide:
            return not any(is_lawful(SPECTRA, state, self._in_view(table)) for state in self._possible())
        verdict = match(SPECTRA, self.state, table)
        if not isinstance(verdict, Accepted):
            return True
        here = self.state
        for event in verdict.events:
            here = here.apply(event)
        return bool(here.layout().differences(table))

    def _wrong_event(self) -> Event | None:
        state, rng = self.state, self._rng
        seat = rng.randrange(state.seats) if state.turn is None else state.turn
        if self._habits.wide and rng.random() < WIDE:
            return self._wider(seat)
        supply = list(pieces_of(state.supplies[seat]))
        way = rng.random()
        if way < 0.1:
            return Drawn(seat, (KINDS[rng.choices(range(len(KINDS)), state.bag)[0]],))
        if way < 0.2 and supply:
            return Add(seat, rng.choice(supply))
        if way < 0.25 and any(state.trees[seat]):
            return Withdraw(seat, rng.choice(pieces_of(state.trees[seat])))
        near = [move for move in state.moves if isinstance(move, Exchange) and move.seat == seat]
        if way < 0.6 and near:
            return self._nearly(rng.choice(near))
        if len(supply) < 2:
            return None
        gave = tuple(rng.sample(supply, 2))
        others = [
            (other, piece)
            for other in range(state.seats)
            if other != seat
            for piece in pieces_of(state.supplies[other])
        ]
        if others and rng.random() < 0.4:
            source, took = rng.choice(others)
            return Exchange(seat, gave, took, source)
        return Exchange(seat, gave, KINDS[rng.choices(range(len(KINDS)), state.bag)[0]], "bag")

    def _wider(self, seat: int) -> Event | None:
        """Returns a mistake out of turn, with trees, or with one or three pieces; None if it is impossible here."""
        state, rng = self.state, self._rng
        other = rng.choice([one for one in range(state.seats) if one != seat])
        mine, theirs = (list(pieces_of(state.supplies[one])) for one in (seat, other))
        standing = list(pieces_of(state.trees[seat]))
        drawn = KINDS[rng.choices(range(len(KINDS)), state.bag)[0]]
        way = rng.randrange(6)
        if way == 0:
            return Drawn(other, (drawn,))
        if way == 1:
            moves = [move for move in replace(state, turn=other).moves if isinstance(move, Exchange)]
            return rng.choice(moves) if moves else None
        if way == 2:
            return Add(other, rng.choice(theirs)) if theirs else None
        if way == 3:
            return Add(seat, rng.choice(mine), other) if mine else None
        if way == 4 and mine and standing:
            gave = rng.choice(standing)
            return Exchange(seat, (rng.choice(mine), gave), drawn, "bag", (gave,))
        count = rng.choice((1, 3))
        return Exchange(seat, tuple(rng.sample(mine, count)), drawn, "bag") if len(mine) >= count else None

    def _nearly(self, exchange: Exchange) -> Exchange:
        """Returns a legal exchange with one change that may be illegal: another size, another color, or the bag as its
        source (SPA-20).
        """
        way = self._rng.randrange(3)
        if way == 0:
            return replace(exchange, source="bag")
        if way == 1:
            took = Pyramid(exchange.took.color, self._rng.choice(PYRAMID_SIZES))
        else:
            took = Pyramid(self._rng.choice(COLORS), exchange.took.size)
        return replace(exchange, took=took, source="bag")

    def _lay_out(self) -> None:
        for seat in range(self.state.seats):
            self._plant(seat)
            for piece in pieces_of(self.state.supplies[seat]):
                self.spread.put(supply_spot(seat), (piece,), self._rng.random() < LYING)

    def _show(self, before: SpectraState) -> None:
        """Moves the pieces from an earlier position to the present one; all others stay in place."""
        for seat in range(self.state.seats):
            if before.trees[seat] != self.state.trees[seat]:
                self._plant(seat)
        for seat in range(self.state.seats):
            spot = supply_spot(seat)
            for kind, (had, has) in enumerate(zip(before.supplies[seat], self.state.supplies[seat], strict=True)):
                for _ in range(had - has):
                    self.spread.take(spot, (KINDS[kind],))
                for _ in range(has - had):
                    self._place_mm = self.spread.put(spot, (KINDS[kind],), self._rng.random() < LYING).place_mm

    def _plant(self, seat: int) -> None:
        """Builds a seat's trees; those that have not changed stay in place."""
        spot = trees_spot(seat)
        wanted = self._trees(seat)
        kept = []
        for standing in self.spread.stands[spot]:
            if standing.pieces in wanted:
                wanted.remove(standing.pieces)
                kept.append(standing)
        grown = [standing for standing in self.spread.stands[spot] if standing not in kept]
        self.spread.stands[spot] = kept
        for pieces in wanted:
            old = next((one for one in grown if set(one.pieces) <= set(pieces)), None)
            if isinstance(old, Upright):
                grown.remove(old)
                stand: Stand = self._lifted(Upright(pieces, old.x_mm, old.y_mm, old.yaw_deg), old)
                self.spread.stands[spot].append(stand)
            else:
                stand = self.spread.put(spot, pieces)
            self._place_mm = stand.place_mm
        for gone in grown:
            self.spread.leave(gone)

    def _lifted(self, stand: Upright, old: Upright) -> Upright:
        """Returns the grown stand; if a piece comes under the old stand, that is lifted and set down a little beside
        its place.
        """
        if not self._habits.wide or stand.pieces[: len(old.pieces)] == old.pieces:
            return stand
        x, y = (at + self._rng.uniform(-LIFTED_MM, LIFTED_MM) for at in stand.place_mm)
        beside = stand.moved(x, y, self._rng.uniform(0, 90))
        others = [other for other in self.spread.everything() if other is not old]
        return stand if any(overlap(beside, other) for other in others) else beside

    def _trees(self, seat: int) -> list[tuple[Pyramid, ...]]:
        """Returns the stands of a seat's trees, each bottom to top, in this player's style of building."""
        state = self.state
        own = [tree for tree in trees_of(state, seat) if tree]
        rest = list(pieces_of(state.trees[seat]))
        for tree in own:
            for piece in tree:
                rest.remove(piece)
        style = self._styles[seat]
        if style == "apart":
            own = [(piece,) for tree in own for piece in tree]
        elif style == "nested":
            own = [tuple(reversed(tree)) for tree in own]
        return [*own, *[(piece,) for piece in rest]]


def random_colors(rng: Random, seats: int) -> tuple[str, ...]:
    """Returns different random colors of trees, one for each seat."""
    return tuple(rng.sample(TREE_COLORS, seats))
