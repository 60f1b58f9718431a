"""Counts the won cards and finds the winner (CAS-7 to CAS-9)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.contract import Outcome, Score, ScoreLine, Seat
from companion.core.pieces import WHEEL
from companion.games.casino.situation import Points, Situation
from companion.games.shared.cards.deck import NUMBER_CARDS, RANKS, SHADES, card
from companion.games.shared.ruled_state import places
from companion.games.shared.search.bit_sets import mask_of

CHOSEN = 2
"""The points of a card of the Chosen Color (CAS-8)."""
SHADE = 1
"""The points of a card of a Chosen Shade (CAS-8)."""
MOST = 6
"""The points for most twelves, and also for most cards (CAS-8)."""
TARGET = 100
"""The points that end the match (CAS-9)."""

OF_COLOR: tuple[int, ...] = tuple(
    mask_of(card(color, rank) for rank in range(1, RANKS + 1)) for color in range(len(WHEEL))
)
"""The mask of the cards of each color."""
OF_SHADES: tuple[int, ...] = tuple(OF_COLOR[one] | OF_COLOR[other] for one, other in SHADES)
"""The mask of the cards of each color's shades."""
TWELVES = mask_of(range(RANKS - 1, NUMBER_CARDS, RANKS))


def share(points: int, among: int) -> Points:
    """Returns an equal share of points, as an integer if it is whole."""
    return points // among if points % among == 0 else points / among


def color_lines(chosen: int, won: int) -> list[ScoreLine]:
    """Returns the lines for the points of the colors of won cards."""
    own, shades = (won & OF_COLOR[chosen]).bit_count(), (won & OF_SHADES[chosen]).bit_count()
    one, other = (WHEEL[color] for color in SHADES[chosen])
    lines = []
    if own:
        lines.append(ScoreLine(CHOSEN * own, "CAS-8", f"Chosen Color, {own} of {WHEEL[chosen]} x {CHOSEN}"))
    if shades:
        lines.append(ScoreLine(SHADE * shades, "CAS-8", f"Chosen Shades, {shades} of {one} and {other}"))
    return lines


def round_lines(chosen: int | None, won: Sequence[int]) -> tuple[tuple[ScoreLine, ...], ...]:
    """Returns the score lines of each seat for a finished round (CAS-8); the points of all seats add up to 60."""
    lines = [color_lines(chosen, cards) if chosen is not None else [] for cards in won]
    for what, counts in (
        ("12s", [(cards & TWELVES).bit_count() for cards in won]),
        ("cards", [cards.bit_count() for cards in won]),
    ):
        most = max(counts)
        best = [seat for seat, count in enumerate(counts) if count == most]
        for seat in best:
            among = "" if len(best) == 1 else f", {MOST} points split among {len(best)}"
            lines[seat].append(ScoreLine(share(MOST, len(best)), "CAS-8", f"most {what}, {most}{among}"))
    return tuple(map(tuple, lines))


def round_points(chosen: int | None, won: Sequence[int]) -> tuple[Points, ...]:
    """Returns the points of each seat for a finished round."""
    return tuple(sum(line.points for line in lines) for lines in round_lines(chosen, won))


def scores(situation: Situation) -> tuple[Score, ...]:
    """Returns the match score of each seat; an unfinished round counts with the cards won so far."""
    return tuple(_score(situation, seat) for seat in range(situation.seats))


def _score(situation: Situation, seat: Seat) -> Score:
    lines = []
    if situation.brought:
        lines.append(ScoreLine(situation.brought[seat], "CAS-9", "the match before"))
    finished = situation.past[:-1] if situation.ended else situation.past
    lines += [ScoreLine(points[seat], "CAS-8", f"round {number}") for number, points in enumerate(finished, 1)]
    if situation.ended:
        lines += round_lines(situation.chosen, situation.won)[seat]
    elif situation.chosen is not None:
        lines += color_lines(situation.chosen, situation.won[seat])
    return Score.of(lines)


def totals(situation: Situation) -> tuple[Points, ...]:
    """Returns the points of each seat for all finished rounds of the match."""
    start = situation.brought or (0,) * situation.seats
    return tuple(start[seat] + sum(points[seat] for points in situation.past) for seat in range(situation.seats))


def is_won(points: Sequence[Points]) -> bool:
    """True if the match is decided: one seat has at least 100 points and leads alone (CAS-9)."""
    best = max(points)
    return best >= TARGET and list(points).count(best) == 1


def outcome(situation: Situation) -> Outcome | None:
    """Returns the places by the totals of the match once the game is over; None before (CAS-9)."""
    if not situation.ended:
        return None
    points = totals(situation)
    order = places(points)
    if is_won(points):
        return Outcome(order, "CAS-9", f"The match is won with {max(points):g} points; {TARGET} were needed.")
    if max(points) >= TARGET:
        return Outcome(order, "CAS-9", "The lead is shared, so another round decides the match.")
    text = f"The round is over. Nobody has {TARGET} points yet, so the match goes on with another round."
    return Outcome(order, "CAS-8", text)
