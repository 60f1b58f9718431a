"""A position of Spectrangle as the referee uses it: what may happen, and what comes of it."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Self, TypeVar

from msgspec.structs import replace

from companion.core.contract import Drawn, Event, Outcome, Score, ScoreLine, Seat, Shown, ToDraw, Violation
from companion.core.foundation.errors import BadEvent, GameOver, IllegalMove
from companion.core.layout import Layout
from companion.core.pieces import TILES, Piece
from companion.games.shared.ruled_state import places
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrangle import observation, violations
from companion.games.spectrangle import situation as start
from companion.games.spectrangle.board import (
    BONUS,
    CELLS,
    EMPTY,
    LIE_OF,
    LIES,
    NAMES,
    NUMBER,
    SPOTS,
    UNKNOWN,
    LyingTile,
    letters_on,
    with_tile,
)
from companion.games.spectrangle.moves import Exchange, Move, Pass, PlaceTile
from companion.games.spectrangle.placements import TABLES
from companion.games.spectrangle.situation import DRAW_ONE, HAND, Laid, Situation, to_draw

# The score sheet and the ranking (TRI-19 to TRI-23).
#
# Scores are kept by seat. Partners of a team sit opposite and share one score (TRI-6), so seats 0 and 2, and 1 and 3,
# show the same total and the same lines.


@lru_cache(maxsize=1 << 9)
def placement_line(letters: str, cell: int, edges: int) -> ScoreLine:
    """Returns the explained points of one placement: value x matching edges x bonus (TRI-19).

    >>> placement_line("GGY", 20, 3).text
    'GGY4 on c20: 3 edges x 4, bonus x4 = 48'
    """
    lie = LIES[letters]
    bonus = BONUS.get(cell, 1)
    points = lie.tile.value * edges * bonus
    factor = f", bonus x{bonus}" if bonus > 1 else ""
    counted = "1 edge" if edges == 1 else f"{edges} edges"
    return ScoreLine(points, "TRI-19", f"{lie.name} on {SPOTS[cell]}: {counted} x {lie.tile.value}{factor} = {points}")


@cache
def _left_line(number: int) -> ScoreLine:
    value = TILES[number].value
    return ScoreLine(-value, "TRI-23", f"{NAMES[number]} left over: -{value}")


def left_over(situation: Situation, seat: Seat) -> tuple[int, ...]:
    """Returns the numbers of the tiles known to be left in a hand.

    If the bag is empty and no other hand has hidden tiles, the hidden tiles are known: they are all unseen tiles.
    """
    hand = situation.hands[seat]
    hidden = situation.hidden[seat]
    only_here = not situation.bag and hidden == sum(situation.hidden) == situation.pool.bit_count()
    return hand + tuple(bits(situation.pool)) if only_here else hand


def scores(situation: Situation) -> tuple[Score, ...]:
    """Returns the score of each seat; tiles left in the hands are deducted once the game is over (TRI-23)."""
    seats = situation.seats
    shared = 2 if situation.options.teams else seats
    sheets: list[list[ScoreLine]] = [[] for _ in range(shared)]
    if situation.brought:
        for sheet, points in zip(sheets, situation.brought, strict=False):
            if points:
                sheet.append(ScoreLine(points, "TRI-21", f"score when this record begins: {points}"))
    board = situation.board
    for laid in situation.laid:
        cell = laid.cell
        sheets[laid.seat % shared].append(placement_line(board[3 * cell : 3 * cell + 3], cell, laid.edges))
    if situation.ending is not None:
        for seat in range(seats):
            sheets[seat % shared] += [_left_line(number) for number in left_over(situation, seat)]
    totals = [Score.of(sheet) for sheet in sheets]
    return tuple([totals[seat % shared] for seat in range(seats)])


def outcome(situation: Situation) -> Outcome | None:
    """Returns the ranking, equal scores sharing a place (TRI-23), and the rule that ended the game (TRI-22, TRI-25)."""
    ending = situation.ending
    if ending is None:
        return None
    totals = [score.total for score in scores(situation)]
    unknown = sum(situation.size(seat) - len(left_over(situation, seat)) for seat in range(situation.seats))
    note = f" {unknown} tiles left in the hands were not shown and are not taken off the scores." if unknown else ""
    return Outcome(places(totals), ending.rule, ending.text + note)


_T = TypeVar("_T")
_Held = tuple[tuple[tuple[int, ...], ...], tuple[int, ...], int, int]
"""Hands, numbers of hidden tiles, pool, and number of tiles in the bag."""


class SpectrangleState(Situation, frozen=True, dict=True, tag="spectrangle", forbid_unknown_fields=True):
    """A position of Spectrangle with its rules (the contract's `State`)."""

    def legal_moves(self) -> Sequence[Move]:
        """Returns every legal move: placements by cell, then pass and exchanges (TRI-15, TRI-16)."""
        return self.moves

    def violations(self, move: Event) -> tuple[Violation, ...]:
        """Returns the rules that a move or an entered draw breaks; empty if and only if it is legal now."""
        match move:
            case PlaceTile():
                return violations.of_place(self, move)
            case Pass():
                return violations.of_pass(self)
            case Exchange():
                return violations.of_exchange(self, move)
            case Drawn():
                return violations.of_drawn(self, move)
            case Shown():
                return violations.of_shown(self, move)
        text = f"{type(move).__name__} is no event of Spectrangle: a player places, exchanges or passes."
        return (Violation("TRI-15", text),)

    def apply_unchecked(self, event: Event) -> Self:
        """Returns the position after `event`, legal or not: the whole table accepts an illegal event if it can be
        carried out.
        """
        found = self.violations(event)
        return self._forced(event, found) if found else self.apply(event)

    def apply(self, event: Event) -> Self:
        """Returns the position after `event`; self never changes.

        Raises:
            IllegalMove: A move breaks rules.
            BadEvent: A draw or a shown tile is not what the position waits for.
            GameOver: The game has ended. Tiles left over may still be shown.
        """
        kind = type(event)
        if kind is PlaceTile:
            lie = LIE_OF.get(event.tile)
            edges = self._legal_edges(event, lie) if lie is not None else 0
            if lie is None or not edges:
                raise self._refusal(event)
            return self._placed(event.cell, lie, edges)
        if kind is Drawn and len(event.pieces) == 1:
            due = self.draw_due
            number = NUMBER.get(event.pieces[0], UNKNOWN)
            if number != UNKNOWN and self.pool >> number & 1 and self.ending is None:
                if due is not None and due.seat == event.seat:
                    return self._drawn_one(due, number)
                if self.lots and event.seat in self.lots_due:
                    return self._drawn_for_start(event.seat, number)
        if self.violations(event):
            raise self._refusal(event)
        match event:
            case Drawn():
                return self._drawn(event)
            case Shown():
                return self._shown(event)
            case Pass():
                return self._passed()
        return self._exchanged(event)

    def _legal_edges(self, place: PlaceTile, lie: LyingTile) -> int:
        """Returns the number of counting edges of a placement, 0 if it is not legal, from the tables of `openings`."""
        if not self.moves or not 0 <= place.cell < CELLS:
            return 0
        opening, number = self.openings[place.cell], lie.number
        if opening is None or place not in opening.placements[number]:
            return 0
        seat = self.turn
        if number in self.hands[seat] or (self.hidden[seat] and self.pool >> number & 1):
            return opening.edges[lie.letters]
        return 0

    def _refusal(self, event: Event) -> IllegalMove | BadEvent | GameOver:
        found = self.violations(event)
        text = " ".join(f"{breach.rule}: {breach.text}" for breach in found)
        if isinstance(event, Shown):
            return BadEvent(text)
        if self.ending is not None:
            return GameOver(text)
        return IllegalMove(found) if isinstance(event, Move) else BadEvent(text)

    def _forced(self, move: Event, found: tuple[Violation, ...]) -> Self:
        """Returns the position after an illegal move that the whole table accepts.

        A placement scores its matching edges by TRI-19, 0 if none matches. A tile that was not in the hand is taken
        from where it was: from another hand, or from the bag, and then no tile is drawn for it.

        Raises:
            BadEvent: It cannot be carried out: an occupied cell, no such tile, an empty bag, or no move is due.
            GameOver: The game has ended.
        """
        if self.ending is not None:
            raise self._refusal(move)
        if not self.lots and self.aside is None:
            match move:
                case Pass():
                    return self._passed()
                case Exchange() if self.bag and {breach.rule for breach in found} <= {"TRI-15", "TRI-17"}:
                    return self._exchanged(move)
                case PlaceTile() if 0 <= move.cell < CELLS and move.tile in LIE_OF:
                    if letters_on(self.board, move.cell) == EMPTY * 3:
                        return self._placed(move.cell, LIE_OF[move.tile], self.edges(move.cell, move.tile.edges))
        raise BadEvent(f"This cannot be carried out on the table. {found[0].rule}: {found[0].text}")

    def _placed(self, cell: int, lie: LyingTile, edges: int) -> Self:
        """Returns the position after a tile was laid, legal or not: `edges` of it count, and the turn moves on."""
        seat, before, hands = self.turn, self.board, self.hands
        usual = lie.number in hands[seat] and self.options.hands == "open"
        if usual:
            hidden, pool, bag = self.hidden, self.pool, self.bag
            hand = list(hands[seat])
            hand.remove(lie.number)
            changed = list(hands)
            changed[seat] = tuple(hand)
            hands = tuple(changed)
        else:
            hands, hidden, pool, bag = self._spent(seat, lie)
        board = with_tile(before, cell, lie.letters)
        turn = (seat + 1) % len(hands)
        laid = self.laid + (Laid(seat, cell, edges),)  # noqa: RUF005 - unpacking takes longer
        after = type(self)(self.options, board, hands, hidden, pool, bag, turn, 0, 0, laid, self.brought)
        known = after.__dict__
        table = TABLES[self.options.edges, self.options.handed]
        known["openings"] = table.after(before, self.openings, cell, board)
        if not bag:
            known["draw_due"] = None
        elif usual and self.draw_due is None and EMPTY in board:
            known["ending"] = None
            known["draw_due"] = DRAW_ONE[seat]
        return after

    def _spent(self, seat: Seat, lie: LyingTile) -> _Held:
        """Returns hands, hidden tiles, pool and bag after a tile is played that may come from a hand with hidden
        tiles.
        """
        hands, hidden, pool, bag = self.hands, self.hidden, self.pool, self.bag
        if lie.number in hands[seat]:
            hands = _changed(hands, seat, _without(hands[seat], lie.number))
        elif any(lie.number in hand for hand in hands):
            return tuple(_without(hand, lie.number) for hand in hands), hidden, pool, bag
        elif hidden[seat]:
            hidden = _changed(hidden, seat, hidden[seat] - 1)
            pool &= ~(1 << lie.number)
        else:
            return hands, hidden, pool & ~(1 << lie.number), max(bag - 1, 0)
        if self.options.hands == "unseen":
            drawn = min(HAND - len(hands[seat]) - hidden[seat], bag)
            hidden = _changed(hidden, seat, hidden[seat] + drawn)
            bag -= drawn
        return hands, hidden, pool, bag

    def _passed(self) -> Self:
        after = replace(self, turn=(self.turn + 1) % len(self.hands), passes=self.passes + 1, idle=self.idle + 1)
        after.__dict__["openings"] = self.openings
        return after

    def _exchanged(self, move: Exchange) -> Self:
        """Returns the position after a tile is put aside; with unseen hands, its draw counts as made, too."""
        seat, hands, hidden, pool = self.turn, self.hands, self.hidden, self.pool
        number = NUMBER[move.tile]
        if number == UNKNOWN:
            hidden = _changed(hidden, seat, hidden[seat] - 1)
        else:
            hands = _changed(hands, seat, _without(hands[seat], number))
        after = replace(self, hands=hands, hidden=hidden, aside=number)
        if self.options.hands == "unseen":
            after = after._traded(hands, _changed(hidden, seat, hidden[seat] + 1), pool)
        after.__dict__["openings"] = self.openings
        return after

    def _traded(self, hands: tuple[tuple[int, ...], ...], hidden: tuple[int, ...], pool: int) -> Self:
        """Returns the position after a complete exchange: the tile put aside is back in the bag, and the turn is over
        (TRI-16).
        """
        if self.aside is not None and self.aside != UNKNOWN:
            pool |= 1 << self.aside
        turn = (self.turn + 1) % len(hands)
        return replace(self, hands=hands, hidden=hidden, pool=pool, aside=None, turn=turn, passes=0, idle=self.idle + 1)

    def _drawn_one(self, due: ToDraw, number: int) -> Self:
        """Returns the usual draw: a seat that owes some takes up one known tile."""
        seat = due.seat
        hand = list(self.hands[seat])
        insort(hand, number)
        hands = list(self.hands)
        hands[seat] = tuple(hand)
        bag = self.bag - 1
        after = type(self)(
            self.options,
            self.board,
            tuple(hands),
            self.hidden,
            self.pool ^ (1 << number),
            bag,
            self.turn,
            self.passes,
            self.idle,
            self.laid,
            self.brought,
            self.aside,
            self.lots,
        )
        known = after.__dict__
        known["openings"] = self.openings
        if bag:
            known["ending"] = None
        if due.count > 1:
            known["draw_due"] = to_draw(seat, due.count - 1)
        elif not bag or seat == (self.turn - 1) % len(hands):
            known["draw_due"] = None
        return after

    def _drawn(self, drawn: Drawn) -> Self:
        hands, hidden, pool = self._taken_up(drawn.seat, drawn.pieces)
        if self.aside is not None:
            after = self._traded(hands, hidden, pool)
        else:
            after = replace(self, hands=hands, hidden=hidden, pool=pool, bag=self.bag - len(drawn.pieces))
        after.__dict__["openings"] = self.openings
        return after

    def _taken_up(
        self, seat: Seat, pieces: Sequence[Piece | None]
    ) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], int]:
        """Returns hands, hidden tiles and pool after a seat has taken these tiles up."""
        numbers = [NUMBER[piece] for piece in pieces]
        known = [number for number in numbers if number != UNKNOWN]
        pool = self.pool
        for number in known:
            pool &= ~(1 << number)
        hand = tuple(sorted((*self.hands[seat], *known)))
        unknown = len(numbers) - len(known)
        return _changed(self.hands, seat, hand), _changed(self.hidden, seat, self.hidden[seat] + unknown), pool

    def _drawn_for_start(self, seat: Seat, number: int) -> Self:
        """Returns the position after one more tile is drawn for the start; the last tile decides (TRI-7)."""
        lots = _changed(self.lots, seat, (*self.lots[seat], number))
        after = replace(self, lots=lots, pool=self.pool & ~(1 << number), bag=self.bag - 1)
        waiting = start.due(lots)
        first = start.winner(lots, waiting, after.bag)
        if first is not None:
            return after._begun(first)
        after.__dict__.update(ending=None, draw_due=None, lots_due=waiting)
        return after

    def _begun(self, first: Seat) -> Self:
        """Returns the position after the first seat is decided: the extra tiles go back, and so does each first tile
        unless it is kept (TRI-7).
        """
        keep = 1 if self.options.keep_first else 0
        pool, bag = self.pool, self.bag
        for lot in self.lots:
            for number in lot[keep:]:
                pool |= 1 << number
                bag += 1
        hands = tuple([lot[:keep] for lot in self.lots])
        after = replace(self, hands=hands, pool=pool, bag=bag, turn=first, lots=())
        after.__dict__.update(ending=None, draw_due=to_draw(first, HAND - keep))
        return after

    def _shown(self, shown: Shown) -> Self:
        seat = shown.seat
        hands, hidden, pool = self._taken_up(seat, shown.pieces)
        hidden = _changed(hidden, seat, hidden[seat] - len(shown.pieces))
        return replace(self, hands=hands, hidden=hidden, pool=pool)

    def scores(self) -> tuple[Score, ...]:
        """Returns the score of each seat; partners both show their team's score with all its lines (TRI-6)."""
        return scores(self)

    def line(self, place: PlaceTile) -> ScoreLine:
        """Returns the points of a placement, legal or not, with an explanation (TRI-19)."""
        return placement_line(place.tile.edges, place.cell, self.edges(place.cell, place.tile.edges))

    def outcome(self) -> Outcome | None:
        """Returns the places, with ties, and the rule that ended the game; None while it goes on (TRI-22, TRI-23,
        TRI-25).
        """
        return outcome(self)

    def layout(self) -> Layout:
        """Returns every cell, and the hands that are known (a hand with hidden tiles is not predicted)."""
        return observation.layout(self)


def _changed(by_seat: tuple[_T, ...], seat: Seat, value: _T) -> tuple[_T, ...]:
    """Returns the tuple with another value for one seat."""
    changed = list(by_seat)
    changed[seat] = value
    return tuple(changed)


def _without(hand: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(one for one in hand if one != number)
