"""The score of a game of Solitaire, line by line, and its end (SOL-10 to SOL-12)."""

from __future__ import annotations

from companion.core.contract import Outcome, Score, ScoreLine
from companion.games.shared.cards.deck import NUMBER_CARDS
from companion.games.solitaire.situation import Situation

WORTH = {"on foundations": 5, "face up on piles": 1, "face down on piles": -5, "in stock and waste": -1, "passes": -10}
"""The points of each card by its place, and of each pass, in a game that is not won (SOL-11)."""
TITLES = ((1, "a perfect game"), (4, "a masterful game"))
"""Each title with the largest number of passes that earns it (SOL-12)."""


def won_line(passes: int) -> ScoreLine:
    """Returns the only line of a won game: 720, less a tenth for every pass after the first (SOL-10)."""
    percent = max(110 - 10 * passes, 0)
    whole = WORTH["on foundations"] * NUMBER_CARDS
    many = "1 pass" if passes == 1 else f"{passes} passes"
    return ScoreLine(whole * percent // 100, "SOL-10", f"won in {many}: {whole} x {percent} %")


def counted_lines(*counts: int) -> tuple[ScoreLine, ...]:
    """Returns the lines of a game that is not won; `WORTH` gives the points of each kind (SOL-11).

    >>> [line.points for line in counted_lines(54, 44, 32, 14, 5)]
    [270, 44, -160, -14, -50]
    """
    found = []
    for count, (many, each) in zip(counts, WORTH.items(), strict=True):
        what = "pass" if many == "passes" and count == 1 else many
        found.append(ScoreLine(count * each, "SOL-11", f"{count} {what} x {each}"))
    return tuple(found)


def lines(state: Situation) -> tuple[ScoreLine, ...]:
    """Returns the present score as lines."""
    if state.is_won:
        return (won_line(state.passes),)
    rest = len(state.stock) + len(state.waste)
    return counted_lines(sum(state.foundations), sum(map(len, state.ups)), sum(state.downs), rest, state.passes)


def scores(state: Situation) -> tuple[Score, ...]:
    """Returns the present score of the only player."""
    return (Score.of(lines(state)),)


def outcome(state: Situation) -> Outcome | None:
    """Returns the outcome with the title of SOL-12; None while the game goes on."""
    if not state.is_over:
        return None
    points = scores(state)[0].total
    if not state.is_won:
        return Outcome(((0,),), "SOL-11", f"Given up: {points} points.")
    title = next((f", {title} (SOL-12)" for most, title in TITLES if state.passes <= most), "")
    return Outcome(((0,),), "SOL-10", f"All {NUMBER_CARDS} cards are on their foundations: {points} points{title}.")
