"""What a game of Solitaire is worth, line by line (SOL-10 to SOL-12)."""

from __future__ import annotations

from companion.contract import Outcome, Score, ScoreLine
from companion.games.deck import NUMBER_CARDS

PER_FOUNDATION_CARD = 5
PER_FACE_UP_CARD = 1
PER_FACE_DOWN_CARD = -5
PER_STOCK_OR_WASTE_CARD = -1
PER_PASS = -10

PERFECT_PASSES = 1
MASTERFUL_PASSES = 4
"""So many passes at most earn a title (SOL-12)."""


def won_line(passes: int) -> ScoreLine:
    """The one line of a game that is won: 720 with a tenth off for every pass after the first (SOL-10)."""
    percent = max(110 - 10 * passes, 0)
    whole = PER_FOUNDATION_CARD * NUMBER_CARDS
    many = "1 pass" if passes == 1 else f"{passes} passes"
    return ScoreLine(whole * percent // 100, "SOL-10", f"won in {many}: {whole} x {percent} %")


def counted_lines(foundation: int, face_up: int, face_down: int, rest: int, passes: int) -> tuple[ScoreLine, ...]:
    """The lines of a game that is not won (SOL-11).

    >>> [line.points for line in counted_lines(54, 44, 32, 14, 5)]
    [270, 44, -160, -14, -50]

    :param face_up: cards that lie face up on the piles, `face_down` those below them.
    :param rest: cards in stock and waste.
    """
    return tuple(
        ScoreLine(count * each, "SOL-11", f"{count} {what} x {each}")
        for count, each, what in (
            (foundation, PER_FOUNDATION_CARD, "on foundations"),
            (face_up, PER_FACE_UP_CARD, "face up on piles"),
            (face_down, PER_FACE_DOWN_CARD, "face down on piles"),
            (rest, PER_STOCK_OR_WASTE_CARD, "in stock and waste"),
            (passes, PER_PASS, "pass" if passes == 1 else "passes"),
        )
    )


def title_of(passes: int) -> str | None:
    """What a game that is won in so many passes is called (SOL-12)."""
    if passes <= PERFECT_PASSES:
        return "a perfect game"
    return "a masterful game" if passes <= MASTERFUL_PASSES else None


def score(lines: tuple[ScoreLine, ...]) -> Score:
    """A total and the lines that add up to it."""
    return Score(sum(line.points for line in lines), lines)


def won(passes: int, points: float) -> Outcome:
    """The end of a game that is won."""
    title = title_of(passes)
    what = f", {title} (SOL-12)" if title else ""
    return Outcome(((0,),), "SOL-10", f"All {NUMBER_CARDS} cards are on their foundations: {points} points{what}.")


def conceded(points: float) -> Outcome:
    """The end of a game that was given up."""
    return Outcome(((0,),), "SOL-11", f"The player conceded: {points} points.")
