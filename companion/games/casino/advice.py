"""Lists the captures that a hand can make, what each one wins, and how its groups add up."""

from __future__ import annotations

from msgspec import Struct

from companion.core.contract import ScoreLine, Seat
from companion.games.casino.captures import Way
from companion.games.casino.moves import Take
from companion.games.casino.scoring import TWELVES, color_lines
from companion.games.casino.situation import Situation
from companion.games.shared.cards.deck import CARDS, CODES, NUMBER, RANK, written


class Capture(Struct, frozen=True):
    """One capture and its gains."""

    take: Take
    ways: tuple[ScoreLine, ...]
    """The ways to make the capture, one line for each value by which it is possible; each has its rule and no
    points.
    """
    lines: tuple[ScoreLine, ...]
    """One line for each color that gives points for the won cards."""
    points: int
    """The sum of the points of `lines`."""
    twelves: int
    """The number of won cards that count toward most twelves."""
    cards: int
    """The number of won cards, including the played one; they count toward most cards."""


def captures(situation: Situation, seat: Seat) -> tuple[Capture, ...]:
    """Returns every capture that the known cards of a seat can make, sorted by points, then twelves, then cards, most
    first.
    """
    found = []
    for card in situation.hands.known[seat]:
        for mask in situation.captures.by[RANK[card]]:
            found.append(_capture(situation, seat, card, mask))
    return tuple(sorted(found, key=_worth, reverse=True))


def best(situation: Situation, seat: Seat) -> tuple[Capture, ...]:
    """Returns the captures of a seat with the most points; ties go to more twelves, then to more cards."""
    found = captures(situation, seat)
    return tuple(capture for capture in found if _worth(capture) == _worth(found[0]))


def explained(situation: Situation, take: Take) -> Capture | None:
    """Returns the gains of a take; None if one of the cards that it names is not on the board."""
    board = situation.board
    places = [board.index(card) if card in board else -1 for card in (NUMBER[one] for one in take.taken)]
    if min(places, default=-1) < 0:
        return None
    return _capture(situation, take.seat, NUMBER[take.card], sum(1 << place for place in places))


def _worth(capture: Capture) -> tuple[int, int, int]:
    return capture.points, capture.twelves, capture.cards


def _capture(situation: Situation, seat: Seat, card: int, mask: int) -> Capture:
    taken = situation.taken(mask)
    won = 1 << card | sum(1 << other for other in taken)
    lines = tuple(color_lines(situation.chosen, won)) if situation.chosen is not None else ()
    ways = tuple(_line(situation, card, way) for way in situation.captures.ways(RANK[card], mask))
    points = int(sum(line.points for line in lines))
    take = Take(seat, CARDS[card], tuple(CARDS[other] for other in taken))
    return Capture(take, ways, lines, points, (won & TWELVES).bit_count(), won.bit_count())


def _line(situation: Situation, card: int, way: Way) -> ScoreLine:
    groups = " and ".join(_sum(situation, group) for group in way.groups)
    if not way.base:
        return ScoreLine(0, "CAS-3", f"{CODES[card]} takes {groups}")
    return ScoreLine(0, "CAS-4", f"{CODES[card]} on {_sum(situation, way.base)} makes {way.value} and takes {groups}")


def _sum(situation: Situation, places: tuple[int, ...]) -> str:
    """Returns a group as a sum: "B2 + Y7"."""
    return written(situation.board[place] for place in places).replace(", ", " + ")
