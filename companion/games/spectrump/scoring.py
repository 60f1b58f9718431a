"""Points of rounds and of the match, line by line (UMP-5, UMP-6, UMP-13)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.core.contract import Outcome, Score, ScoreLine, Seat
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import COLOR, RANK
from companion.games.shared.ruled_state import places
from companion.games.spectrump.options import HIGHEST_RANK, USUAL_POINTS, Options
from companion.games.spectrump.trick import SCORING


class Taken(Struct, frozen=True):
    """The cards that a seat took in a round: ranks of scoring colors, and ranks of trump."""

    scoring: int
    trump: int


class Round(Struct, frozen=True):
    """A round in play or a finished one."""

    trump: int
    bidder: Seat
    bid: int
    played: int
    """The number of trump cards that the bidder has played from the sets of the bid."""
    bid_over: bool
    """True if those sets are played out, so that a false bid is known."""
    taken: tuple[Taken, ...]
    """The sums of the ranks of scoring cards and of trump cards that each seat took."""

    @property
    def is_false(self) -> bool:
        """True if the bidder played fewer trump cards than the bid said (UMP-6)."""
        return self.bid_over and self.played < self.bid


def taken(trump: int, cards: Sequence[int]) -> Taken:
    """Returns the worth of these cards for the seat that took them (UMP-5)."""
    scoring = sum(RANK[card] for card in cards if COLOR[card] in SCORING[trump])
    return Taken(scoring, sum(RANK[card] for card in cards if COLOR[card] == trump))


def lines_of(one: Round, seat: Seat, number: int, deck: int) -> tuple[ScoreLine, ...]:
    """Returns the lines of a seat in round `number` (UMP-5, UMP-6), without lines of no points."""
    color = WHEEL[one.trump]
    head = f"round {number}, {color}"
    if one.is_false and seat == one.bidder:
        highest = HIGHEST_RANK[deck]
        text = f"{head}: bid {one.bid}, played {one.played}, so all negative points and no positive ones"
        return (ScoreLine(-highest * (highest + 1) // 2, "UMP-6", text),)
    mine = one.taken[seat]
    stronger, weaker = SCORING[one.trump]
    found = []
    if mine.scoring:
        found.append(ScoreLine(mine.scoring, "UMP-5", f"{head}: cards of {WHEEL[stronger]} and {WHEEL[weaker]}"))
    if mine.trump and not one.is_false:
        found.append(ScoreLine(-mine.trump, "UMP-5", f"{head}: cards of {color}"))
    return tuple(found)


def teams(seats: int, options: Options) -> tuple[tuple[Seat, ...], ...]:
    """Returns the seats that score together: each alone, or two players opposite each other (UMP-2)."""
    if not options.partners:
        return tuple((seat,) for seat in range(seats))
    half = seats // 2
    return tuple((seat, seat + half) for seat in range(half))


def scores(rounds: Sequence[Round], brought: Sequence[int], seats: int, options: Options) -> tuple[Score, ...]:
    """Returns the score of each seat; partners both show their team's score with all its lines (UMP-13)."""
    found: dict[Seat, Score] = {}
    for team in teams(seats, options):
        lines = []
        before = sum(brought[seat] for seat in team) if brought else 0
        if before:
            lines.append(ScoreLine(before, "UMP-13", "rounds before this record"))
        for number, one in enumerate(rounds, 1):
            for seat in team:
                whose = f"player {seat + 1}, " if len(team) > 1 else ""
                for line in lines_of(one, seat, number, options.deck):
                    lines.append(ScoreLine(line.points, line.rule, whose + line.text))
        found |= dict.fromkeys(team, Score.of(lines))
    return tuple(found[seat] for seat in range(seats))


def goal(options: Options) -> int:
    """Returns the points that end a match (UMP-13)."""
    return options.points or USUAL_POINTS[options.deck]


def ending(
    rounds: Sequence[Round], earlier: int, brought: Sequence[int], seats: int, options: Options
) -> Outcome | None:
    """Returns the outcome after these rounds and `earlier` ones; None while the match goes on (UMP-13)."""
    totals = [score.total for score in scores(rounds, brought, seats, options)]
    if options.match == "rounds":
        if earlier + len(rounds) < options.rounds:
            return None
        text = f"{options.rounds} round{'s are' if options.rounds > 1 else ' is'} played; the highest score wins."
    else:
        if max(totals) < goal(options):
            return None
        text = f"{max(totals)} points: the game ends at {goal(options)}, and the highest score wins."
    return Outcome(places(totals), "UMP-13", text)
