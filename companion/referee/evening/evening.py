"""The data of an evening: the players, the paired rounds, and the journal game that decided each pairing.

People are identified by their names without regard to case, as in results. A pairing has two players; teams meet board
by board, so that every game of a team match is a pairing of its own. In a round of tables everybody plays for points,
three or four at a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.contract import Points
from companion.core.foundation.errors import BadOptions

System = Literal["round-robin", "swiss", "teams", "tables"]
"""The pairing system: each player meets every other one; players of equal standing meet; teams meet every other team,
board by board; or everybody plays at a table of three or four."""

MOST_PLAYERS, MOST_NAME = 64, 40
WIN, DRAW, LOSS = 1.0, 0.5, 0.0
MOST_AT_TABLE = 4
TABLE_WIN = 3.0
"""The points of the first place at a table, whether three or four play there; the last place has none."""


class Team(Struct, frozen=True, forbid_unknown_fields=True):
    """A team, with its members in the order of their boards."""

    name: str
    members: tuple[str, ...]


class GameResult(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a pairing, in the order of its players."""

    points: tuple[float, ...]
    """The points of the players: 1 for a win and a half for a draw, or those of `table_points`."""
    game: str = ""
    """The id of the game in a journal; empty if a player had left."""
    scores: tuple[Points, ...] = ()


class Matchup(Struct, frozen=True, forbid_unknown_fields=True):
    """A pairing of two players, one player with a bye, or the players of a table."""

    first: str
    """The player who begins, if the game leaves this open."""
    second: str | None
    """The other player; None: a bye, which counts as a win."""
    others: tuple[str, ...] = ()
    """The third and the fourth player of a table."""
    board: int = 0
    """The board in a team match, from 1; 0 without teams."""
    table: str = ""
    """The table on which the game is played; empty: the next free table."""
    before: tuple[str, ...] = ()
    """The ids of earlier games of the two players in the journals; the next game after these decides."""
    result: GameResult | None = None

    @property
    def players(self) -> tuple[str, ...]:
        return (self.first,) if self.second is None else (self.first, self.second, *self.others)


class EveningRound(Struct, frozen=True, forbid_unknown_fields=True):
    """The pairings that are played at the same time."""

    pairings: tuple[Matchup, ...]


class Evening(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The state of one evening at one moment."""

    title: str
    system: System
    game: str = ""
    """The game; empty: any two-player game of the players' choice."""
    players: tuple[str, ...]
    """The players in the order of their seeding, the strongest first."""
    teams: tuple[Team, ...] = ()
    planned: int
    """The planned number of rounds."""
    rounds: tuple[EveningRound, ...] = ()
    left: tuple[str, ...] = ()
    """The players who have gone home."""

    @property
    def entrants(self) -> tuple[str, ...]:
        """The names in the standings: players, or teams."""
        return tuple(team.name for team in self.teams) if self.system == "teams" else self.players

    def team_of(self, player: str) -> str:
        """Returns the team of a player."""
        return next(team.name for team in self.teams if player in team.members)


def begin(
    title: str, system: System, players: Sequence[str], *, game: str = "", teams: int = 0, planned: int | None = None
) -> Evening:
    """Returns a new evening.

    Args:
        players: The names in the order of their seeding; with teams, one team after the other.
        teams: The number of equally large teams into which this list is divided.
        planned: The number of rounds; None: as many as the system needs.

    Raises:
        BadOptions: There are too few or too many players, two with the same name, an unusable name, or unequal teams.
    """
    names = tuple(" ".join(name.split()) for name in players if name.strip())
    if not 2 <= len(names) <= MOST_PLAYERS:
        raise BadOptions(f"An evening has 2 to {MOST_PLAYERS} players. These are {len(names)}.")
    if any(len(name) > MOST_NAME or not name.isprintable() for name in names):
        raise BadOptions(f"A name has at most {MOST_NAME} letters, all of which can be shown.")
    if len({name.casefold() for name in names}) < len(names):
        raise BadOptions("Two players have the same name. Give each player another one.")
    if system == "tables" and len(names) < 3:
        raise BadOptions("Tables of three or four need at least three players.")
    groups: tuple[Team, ...] = ()
    if system == "teams":
        if teams < 2 or len(names) % teams:
            raise BadOptions(
                f"{len(names)} players cannot form {teams} equal teams. Take at least two teams of one size."
            )
        size = len(names) // teams
        groups = tuple(Team(f"Team {n + 1}", names[n * size : (n + 1) * size]) for n in range(teams))
    most = _most_rounds(system, teams if system == "teams" else len(names))
    usual = most
    if system == "swiss":
        usual = min(most, ceil(log2(len(names))))
    elif system == "tables":
        usual = ceil((len(names) - 1) / (MOST_AT_TABLE - 1))
    rounds = usual if planned is None else planned
    if not 1 <= rounds <= most:
        meeting = "" if system == "tables" else " without anybody meeting twice"
        raise BadOptions(f"There can be 1 to {most} rounds{meeting}. These are {rounds}.")
    return Evening(
        title=" ".join(title.split())[:MOST_NAME] or "Evening",
        system=system,
        game=game,
        players=names,
        teams=groups,
        planned=rounds,
    )


def can_be(evening: Evening) -> bool:
    """True if a stored evening can result from `begin` and later changes."""
    try:
        begun = begin(evening.title, evening.system, evening.players, teams=len(evening.teams), planned=evening.planned)
    except BadOptions:
        return False
    players = set(evening.players)
    pairings = [pairing for one in evening.rounds for pairing in one.pairings]
    return (
        begun.players == evening.players
        and [team.members for team in begun.teams] == [team.members for team in evening.teams]
        and len({team.name for team in evening.teams}) == len(evening.teams)
        and set(evening.left) <= players
        and len(evening.rounds) <= evening.planned
        and all(set(one.players) <= players and len(set(one.players)) == len(one.players) for one in pairings)
        and all(one.board >= 0 and (not one.others or evening.system == "tables") for one in pairings)
        and all(one.result is None or _can_be_result(evening.system, one, one.result) for one in pairings)
    )


def _can_be_result(system: System, pairing: Matchup, result: GameResult) -> bool:
    if system == "tables":
        return len(result.points) == len(pairing.players) and all(0 <= one <= TABLE_WIN for one in result.points)
    return len(result.points) == 2 and set(result.points) <= {WIN, DRAW, LOSS}


def table_points(ranks: Sequence[int]) -> tuple[float, ...]:
    """Returns the points of the players of a table by their ranks, of which the lowest is the best.

    Each gets an equal share of `TABLE_WIN` for every other player whom it leaves behind, and half of it for one of the
    same rank: so a table of three counts as much as one of four.

    >>> table_points([0, 2, 1]), table_points([0, 1, 1, 3])
    ((3.0, 0.0, 1.5), (3.0, 1.5, 1.5, 0.0))
    """
    share = TABLE_WIN / max(1, len(ranks) - 1)
    return tuple(
        share * (sum(WIN if other > own else DRAW if other == own else LOSS for other in ranks) - DRAW) for own in ranks
    )


def _most_rounds(system: System, entrants: int) -> int:
    """Returns the largest number of rounds in which no pair has to meet twice, whatever the results.

    For a Swiss evening this is half the number of entrants: then each entrant has at least half of the others left to
    meet, and by Dirac's theorem they can be paired.
    """
    if system == "tables":
        return MOST_PLAYERS
    even = entrants + entrants % 2
    return even // 2 if system == "swiss" else even - 1


def is_open(evening: Evening) -> bool:
    """True if a game of the present round is still to be played."""
    return bool(evening.rounds) and any(one.result is None for one in evening.rounds[-1].pairings)


def over(evening: Evening) -> bool:
    """True if all rounds have been played."""
    return len(evening.rounds) >= evening.planned and not is_open(evening)


def withdraw(evening: Evening, player: str) -> Evening:
    """Withdraws a player who goes home, and pairs later rounds without them: the opponent wins an open game, and at a
    table the others begin anew.

    Raises:
        BadOptions: There is no player of that name.
    """
    name = next((one for one in evening.players if one.casefold() == player.strip().casefold()), None)
    if name is None or name in evening.left:
        raise BadOptions(f'Nobody called "{player[:MOST_NAME]}" plays. Choose one of the players.')
    gone = replace(evening, left=(*evening.left, name))
    if not gone.rounds:
        return gone
    last = EveningRound(tuple(without_absent(gone, one) for one in gone.rounds[-1].pairings))
    return replace(gone, rounds=(*gone.rounds[:-1], last))


def without_absent(evening: Evening, pairing: Matchup) -> Matchup:
    """Returns the pairing, with a result if one of its players has left."""
    if pairing.result is not None or pairing.second is None:
        return pairing
    if pairing.others:
        staying = [player for player in pairing.players if player not in evening.left]
        if len(staying) >= 2:
            return replace(pairing, first=staying[0], second=staying[1], others=tuple(staying[2:]))
    win = TABLE_WIN if evening.system == "tables" else WIN
    points = tuple(LOSS if player in evening.left else win for player in pairing.players)
    return pairing if LOSS not in points else replace(pairing, result=GameResult(points))
