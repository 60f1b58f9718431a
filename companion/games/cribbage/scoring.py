"""The points so far, line by line, and the winner (CRB-1, CRB-6)."""

from __future__ import annotations

from companion.core.contract import Outcome, Score, ScoreLine
from companion.games.cribbage.counting import KINDS, RULES
from companion.games.cribbage.situation import Peg, Situation

TEXTS: dict[str, tuple[str, str]] = {
    "heels": ("CRB-3", "heels, the starter is a 10"),
    "18": ("CRB-5", "18"),
    "pair": ("CRB-5", "cards of one rank"),
    "run": ("CRB-5", "run"),
    "go": ("CRB-4", "Go"),
    "last": ("CRB-4", "last card"),
    "37": ("CRB-12", "exactly 37"),
    "hand": ("CRB-6", "hand, as it was agreed"),
    "crib": ("CRB-6", "crib, as it was agreed"),
} | {
    f"{of} {kind}": (RULES[kind], f"{of}: {what}")
    for of in ("hand", "crib")
    for kind, what in zip(KINDS, ("eighteens", "pairs", "runs", "flush", "nobs"), strict=True)
}
"""Kind of a peg to its rule and its reason in words."""


def counted(situation: Situation) -> list[tuple[int, str]]:
    """Returns the points of the hand or crib that is counted next, one entry for each kind of combination."""
    of = situation.counting[1]
    return [(points, f"{of} {kind}") for kind, points in zip(KINDS, situation.worth, strict=True) if points]


def line(peg: Peg, seats: int) -> ScoreLine:
    """Returns a peg as an entry of the score sheet; with teams, the entry names the player."""
    rule, text = TEXTS[peg.kind]
    return ScoreLine(peg.points, rule, text if seats == 2 else f"player {peg.seat + 1}, {text}")


def scores(situation: Situation) -> tuple[Score, ...]:
    """Returns the points of each seat; partners both show their team's score with all its lines (CRB-11)."""
    sides = []
    for side, total in enumerate(situation.totals):
        brought = (ScoreLine(situation.brought[side], "CRB-1", "points before"),) if situation.brought else ()
        pegs = [line(peg, situation.seats) for peg in situation.pegs if situation.side(peg.seat) == side]
        sides.append(Score(total, (*brought, *pegs)))
    return tuple(sides[situation.side(seat)] for seat in range(situation.seats))


def outcome(situation: Situation) -> Outcome | None:
    """Returns the places once a side has reached the target; None before (CRB-6)."""
    if not situation.is_over:
        return None
    best = situation.totals.index(max(situation.totals))
    winners = tuple(seat for seat in range(situation.seats) if situation.side(seat) == best)
    losers = tuple(seat for seat in range(situation.seats) if situation.side(seat) != best)
    who = (
        f"Player {winners[0] + 1}"
        if len(winners) == 1
        else f"The team of players {winners[0] + 1} and {winners[1] + 1}"
    )
    text = f"{who} has reached {situation.options.target} points, which ends the game at once."
    return Outcome((winners, losers), "CRB-6", text)
