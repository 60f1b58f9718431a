"""The score sheet and the ranking (TRI-19 to TRI-23).

Scores are kept by seat. Partners of a team sit opposite and share one score (TRI-6), so seats 0 and 2, and 1 and 3,
show the same total and the same lines.
"""

from __future__ import annotations

from functools import cache, lru_cache

from companion.core.contract import Outcome, Score, ScoreLine, Seat
from companion.core.pieces import TILES
from companion.games.shared.places import places
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrangle.board import BONUS, SPOTS
from companion.games.spectrangle.lies import LIES, NAMES
from companion.games.spectrangle.situation import Situation


@lru_cache(maxsize=1 << 9)
def placement_line(letters: str, cell: int, edges: int) -> ScoreLine:
    """The explained points of one placement: value x matching edges x bonus (TRI-19).

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
    """Numbers of the tiles known to be left in a hand.

    If the bag is empty and no other hand has hidden tiles, the hidden ones are known: they are all unseen tiles.
    """
    hand = situation.hands[seat]
    hidden = situation.hidden[seat]
    only_here = not situation.bag and hidden == sum(situation.hidden) == situation.pool.bit_count()
    return hand + tuple(bits(situation.pool)) if only_here else hand


def scores(situation: Situation) -> tuple[Score, ...]:
    """The score of each seat; tiles left in the hands are deducted once the game is over (TRI-23)."""
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
    """The ranking, equal scores sharing a place (TRI-23), and the rule that ended the game (TRI-22, TRI-25)."""
    ending = situation.ending
    if ending is None:
        return None
    totals = [score.total for score in scores(situation)]
    unknown = sum(situation.size(seat) - len(left_over(situation, seat)) for seat in range(situation.seats))
    note = f" {unknown} tiles left in the hands were not shown and are not taken off the scores." if unknown else ""
    return Outcome(places(totals), ending.rule, ending.text + note)
