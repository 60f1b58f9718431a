"""A position of Spectrangle as the referee uses it: what may happen, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Self

from msgspec.structs import replace

from companion.contract import Breach, Chance, Drawn, Event, Line, Outcome, Score, Seat, Shown, ToDraw
from companion.errors import BadEvent, GameOver, IllegalMove
from companion.games.spectrangle import breaches, scoring, sighted, start
from companion.games.spectrangle.board import CELLS, EMPTY, letters_on, with_tile
from companion.games.spectrangle.lies import BIT, LIE_OF, TILE, Lie, names_in
from companion.games.spectrangle.moves import Exchange, Move, Pass, Place
from companion.games.spectrangle.placements import TABLES
from companion.games.spectrangle.situation import HAND, HIDDEN, Laid, Situation
from companion.layout import Layout
from companion.pieces import Piece


class SpectrangleState(Situation, frozen=True, dict=True, tag="spectrangle", forbid_unknown_fields=True):
    """One position of Spectrangle (the contract's `State`)."""

    def legal_moves(self) -> Sequence[Move]:
        """Every legal move: placements by cell, then pass and exchanges (TRI-15, TRI-16)."""
        return self.moves

    def explain(self, move: Event) -> tuple[Breach, ...]:
        """The rules that a move, or a told draw, breaks; empty if and only if it may happen now."""
        match move:
            case Place():
                return breaches.of_place(self, move)
            case Pass():
                return breaches.of_pass(self, move)
            case Exchange():
                return breaches.of_exchange(self, move)
            case Drawn():
                return breaches.of_drawn(self, move)
            case Shown():
                return breaches.of_shown(self, move)
        return (Breach("TRI-15", f"{type(move).__name__} is no event of Spectrangle, which has no dice."),)

    def apply(self, event: Event) -> Self:
        """The position after `event`; self never changes.

        :raises IllegalMove: a move breaks rules.
        :raises BadEvent: a draw or a shown tile is not what the position waits for.
        :raises GameOver: the game has ended. Tiles left over may still be shown.
        """
        kind = type(event)
        if kind is Place:
            lie = LIE_OF.get(event.tile)
            if lie is None or not self._is_legal_place(event, lie):
                raise self._refusal(event)
            opening = self.openings[event.cell]
            assert opening is not None
            return self._placed(event.cell, lie, opening.edges[event])
        if kind is Drawn:
            if breaches.of_drawn(self, event):
                raise self._refusal(event)
            return self._drawn(event)
        if self.explain(event):
            raise self._refusal(event)
        if kind is Shown:
            return self._shown(event)
        return self._passed() if kind is Pass else self._exchanged(event)

    def _is_legal_place(self, place: Place, lie: Lie) -> bool:
        seat = self.turn
        held = lie.name in self.hands[seat] or (self.hidden[seat] and self.pool & lie.bit)
        if not held or not self.is_to_move or not 0 <= place.cell < CELLS:
            return False
        opening = self.openings[place.cell]
        return opening is not None and place in opening[lie.name]

    def _refusal(self, event: Event) -> IllegalMove | BadEvent | GameOver:
        found = self.explain(event)
        text = " ".join(f"{breach.rule}: {breach.text}" for breach in found)
        if isinstance(event, Shown):
            return BadEvent(text)
        if self.ending is not None:
            return GameOver(text)
        return BadEvent(text) if isinstance(event, Drawn) else IllegalMove(found)

    def allow(self, move: Event) -> Self:
        """The position after an illegal move that the whole table lets stand.

        A placement scores by TRI-19 what its matching edges are worth, nothing if none matches. A tile that was not in
        the hand is taken from where it was: from another hand, or from the bag, and then no tile is drawn for it.

        :raises BadEvent: it cannot be carried out: an occupied cell, no such tile, an empty bag, or no move is due.
        :raises GameOver: the game has ended.
        """
        found = self.explain(move)
        if not found:
            return self.apply(move)
        if self.ending is not None:
            raise GameOver(" ".join(f"{breach.rule}: {breach.text}" for breach in found))
        if not self.lots and self.aside is None:
            match move:
                case Pass():
                    return self._passed()
                case Exchange() if self.bag and {breach.rule for breach in found} <= {"TRI-15", "TRI-17"}:
                    return self._exchanged(move)
                case Place() if 0 <= move.cell < CELLS and move.tile in LIE_OF:
                    if letters_on(self.board, move.cell) == EMPTY * 3:
                        return self._placed(move.cell, LIE_OF[move.tile], self.edges(move))
        raise BadEvent(f"This cannot be carried out on the table. {found[0].rule}: {found[0].text}")

    def _placed(self, cell: int, lie: Lie, edges: int) -> Self:
        name = lie.name
        seat = self.turn
        seats = len(self.hands)
        hands, hidden, pool, bag = self.hands, self.hidden, self.pool, self.bag
        hand = hands[seat]
        unseen = self.options.hands == "unseen"
        if name in hand:
            at = hand.index(name)
            hands = (*hands[:seat], hand[:at] + hand[at + 1 :], *hands[seat + 1 :])
        elif hidden[seat] and not any(name in held for held in hands):
            pool &= ~lie.bit
            hidden = self._hidden_by(seat, -1)
        else:
            hands, pool, bag = self._taken_from_elsewhere(name, lie.bit)
            unseen = False
        if unseen:
            drawn = min(HAND - len(hands[seat]) - hidden[seat], bag)
            hidden = (*hidden[:seat], hidden[seat] + drawn, *hidden[seat + 1 :])
            bag -= drawn
        board = with_tile(self.board, cell, lie.letters)
        table = TABLES[self.options.edges, self.options.handed]
        after = type(self)(
            self.options,
            board,
            hands,
            hidden,
            pool,
            bag,
            (seat + 1) % seats,
            0,
            0,
            (*self.laid, Laid(seat, cell, edges)),
            self.brought,
        )
        after.__dict__["openings"] = (
            table.after_first(board, cell) if self.is_first else table.after(self.openings, board, cell)
        )
        return after

    def _taken_from_elsewhere(self, name: str, bit: int) -> tuple[tuple[tuple[str, ...], ...], int, int]:
        """Hands, pool and bag once an agreed tile has left another hand or, if no hand is known to hold it, the bag."""
        if any(name in hand for hand in self.hands):
            return tuple(tuple(one for one in hand if one != name) for hand in self.hands), self.pool, self.bag
        return self.hands, self.pool & ~bit, max(self.bag - 1, 0)

    def _passed(self) -> Self:
        after = replace(self, turn=(self.turn + 1) % len(self.hands), passes=self.passes + 1, idle=self.idle + 1)
        after.__dict__["openings"] = self.openings
        return after

    def _exchanged(self, move: Exchange) -> Self:
        """The tile is put aside; with unseen hands its draw is taken as made as well."""
        seat = self.turn
        name = HIDDEN if move.tile is None else move.tile.name
        unseen = self.options.hands == "unseen"
        hands, hidden, pool = self.hands, self.hidden, self.pool
        if name == HIDDEN:
            hidden = self._hidden_by(seat, 0 if unseen else -1)
        else:
            hands = (*hands[:seat], tuple(one for one in hands[seat] if one != name), *hands[seat + 1 :])
            if unseen:
                hidden = self._hidden_by(seat, 1)
                pool |= BIT[name]
        if unseen:
            after = replace(
                self, hands=hands, hidden=hidden, pool=pool, turn=(seat + 1) % len(hands), passes=0, idle=self.idle + 1
            )
        else:
            after = replace(self, hands=hands, hidden=hidden, aside=name)
        after.__dict__["openings"] = self.openings
        return after

    def _hidden_by(self, seat: Seat, more: int) -> tuple[int, ...]:
        return (*self.hidden[:seat], self.hidden[seat] + more, *self.hidden[seat + 1 :])

    def _drawn(self, drawn: Drawn) -> Self:
        if self.lots:
            return self._drawn_for_start(drawn)
        seat = drawn.seat
        hand, hidden, pool = self._taken_up(seat, drawn.pieces)
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        if self.aside is None:
            after = replace(self, hands=hands, hidden=hidden, pool=pool, bag=self.bag - len(drawn.pieces))
        else:
            pool |= BIT.get(self.aside, 0)
            turn = (seat + 1) % len(hands)
            after = replace(
                self, hands=hands, hidden=hidden, pool=pool, aside=None, turn=turn, passes=0, idle=self.idle + 1
            )
        after.__dict__["openings"] = self.openings
        return after

    def _taken_up(self, seat: Seat, pieces: Sequence[Piece | None]) -> tuple[tuple[str, ...], tuple[int, ...], int]:
        """The hand, the hidden counts and the pool once a seat has taken these tiles up."""
        hand, pool, unknown = list(self.hands[seat]), self.pool, 0
        for piece in pieces:
            name = breaches.name_of(piece)
            if name == HIDDEN or name is None:
                unknown += 1
            else:
                hand.append(name)
                pool &= ~BIT[name]
        hand.sort()
        return tuple(hand), self._hidden_by(seat, unknown) if unknown else self.hidden, pool

    def _drawn_for_start(self, drawn: Drawn) -> Self:
        """One more tile in the draw for the start; the last one decides (TRI-7)."""
        name = breaches.name_of(drawn.pieces[0])
        assert name is not None
        seat = drawn.seat
        lots = (*self.lots[:seat], (*self.lots[seat], name), *self.lots[seat + 1 :])
        after = replace(self, lots=lots, pool=self.pool & ~BIT[name], bag=self.bag - 1)
        first = start.winner(lots, after.bag)
        return after if first is None else after._begun(first)

    def _begun(self, first: Seat) -> Self:
        """Who begins is known: the extra tiles go back, and so does the first one unless it is kept (TRI-7)."""
        keep = 1 if self.options.keep_first else 0
        back = [name for lot in self.lots for name in lot[keep:]]
        pool = self.pool
        for name in back:
            pool |= BIT[name]
        hands = tuple(lot[:keep] for lot in self.lots)
        return replace(self, hands=hands, pool=pool, bag=self.bag + len(back), turn=first, lots=())

    def _shown(self, shown: Shown) -> Self:
        seat = shown.seat
        hand, _, pool = self._taken_up(seat, shown.pieces)
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        return replace(self, hands=hands, hidden=self._hidden_by(seat, -len(shown.pieces)), pool=pool)

    def scores(self) -> tuple[Score, ...]:
        """Scores by seat; partners of a team show the team's one score, both with all its lines (TRI-6)."""
        return scoring.scores(self)

    def line(self, place: Place) -> Line:
        """The explained points of a placement if it stands, legal or not (TRI-19)."""
        return scoring.placement_line(place.tile.edges, place.cell, self.edges(place))

    def outcome(self) -> Outcome | None:
        """Places with ties and the rule that ended the game, or None while it goes on (TRI-22, TRI-23, TRI-25)."""
        return scoring.outcome(self)

    def layout(self) -> Layout:
        """Every cell, and the hands that are known (a hand with hidden tiles is not predicted)."""
        return sighted.layout(self)

    def suggest(self, seen: Layout) -> Event | None:
        """The one event, legal or not, that the change to `seen` looks like; None if none does."""
        return sighted.suggest(self, seen)

    def alike(self, one: Event, other: Event) -> bool:
        """Whether two events leave the same table: a pass, and an exchange of a tile that nobody saw, for instance."""
        if one == other:
            return True
        try:
            return self.allow(one).layout() == self.allow(other).layout()
        except (BadEvent, GameOver):
            return False

    def unseen(self) -> Mapping[Piece, int]:
        """The tiles in the bag and the hidden ones of the hands."""
        return {TILE[name]: 1 for name in names_in(self.pool)}

    def view(self, seat: Seat | None) -> Self:
        """Hands lie open (TRI-7), so everybody may know what the referee knows."""
        return self

    def chances(self) -> Iterable[tuple[Chance, int]]:
        """The next single tile out of the bag: each unseen one is as likely."""
        expected = self.expects()
        if isinstance(expected, ToDraw):
            for name in names_in(self.pool):
                yield Drawn(expected.seat, (TILE[name],)), 1

    def guess(self, rng: Random) -> Self:
        """Hidden tiles of the hands filled in from the unseen ones, each as likely as another."""
        names = list(names_in(self.pool))
        rng.shuffle(names)
        hands, pool = [], self.pool
        for hand, count in zip(self.hands, self.hidden, strict=True):
            filled = [names.pop() for _ in range(count)]
            for name in filled:
                pool &= ~BIT[name]
            hands.append(tuple(sorted((*hand, *filled))))
        return replace(self, hands=tuple(hands), hidden=(0,) * len(hands), pool=pool)
