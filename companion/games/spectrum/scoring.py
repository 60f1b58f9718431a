"""Computes points and places (BRD-25, BRD-29, BRD-35, VAR-18, VAR-20, VAR-27)."""

from __future__ import annotations

from companion.core.contract import Outcome, Score, ScoreLine, Seat
from companion.core.pieces import WHEEL
from companion.games.shared.ruled_state import places
from companion.games.spectrum.situation import Situation

POINTS = (1, 2)
"""The points for ties: of a captured primary, and of a captured intermediate (BRD-29)."""


def scores(situation: Situation) -> tuple[Score, ...]:
    """Returns, for each seat, one point a captured color, or the color's weight."""
    return tuple(_score(situation, seat) for seat in range(situation.seats))


def _score(situation: Situation, seat: Seat) -> Score:
    weights = situation.extras.weights
    colors = situation.taken_by(seat)
    if weights:
        return Score.of(ScoreLine(weights[color], "VAR-18", f"{WHEEL[color]} star, weight") for color in colors)
    return Score.of(ScoreLine(1, "BRD-25", f"{WHEEL[color]} star") for color in colors)


def rank(situation: Situation, seat: Seat) -> tuple[int, int, int]:
    """Returns the criteria of places: weights if colors have them, then stars, then the points for a tie."""
    colors = situation.taken_by(seat)
    weights = situation.extras.weights
    weight = sum(weights[color] for color in colors) if weights else 0
    return weight, len(colors), sum(POINTS[color % 2] for color in colors)


def outcome(situation: Situation) -> Outcome | None:
    """Returns the outcome, or None while the game goes on."""
    if situation.phase != "over":
        return None
    rule, text = reason(situation)
    first = situation.turn if _wins_at_once(situation) else None
    reached = [(seat == first, rank(situation, seat)) for seat in range(situation.seats)]
    return Outcome(places(reached), rule, text)


def _wins_at_once(situation: Situation) -> bool:
    """True if the seat on turn has won whatever the others have."""
    return situation.ending == "mission" or (situation.ending == "stars" and not situation.options.weighted)


def reason(situation: Situation) -> tuple[str, str]:
    """Returns the rule that ended the game, and a sentence."""
    who = f"Player {situation.turn + 1}"
    needed = situation.stars_needed
    match situation.ending:
        case "stars" if situation.is_solo:
            return "BRD-35", "All twelve stars are captured."
        case "stars" if situation.options.weighted:
            return "VAR-18", f"{who} has {needed} stars, and the highest sum of weights wins."
        case "stars":
            return "BRD-29", f"{who} has {needed} stars."
        case "all" if situation.options.weighted:
            return "VAR-18", "All twelve colors are captured, and the highest sum of weights wins."
        case "all":
            return "BRD-29", f"All twelve colors are captured, and nobody has {needed} stars."
        case "stuck":
            return "VAR-18", "Nobody could move for a full round, and the highest sum of weights wins."
        case "mission":
            return "VAR-20", f"{who} fulfils at least five of six missions."
        case "exhausted":
            return "VAR-27", "The portal deck is exhausted."
    return "BRD-35", "No pawn can move or enter with this roll."
