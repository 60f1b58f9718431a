"""The data of an evening: the players, the paired rounds, and the journal game that decided each pairing.

People are identified by their names without regard to case, as in results. A pairing has two players; teams meet board
by board, so that every game of a team match is a pairing of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.contract import Points
from companion.core.foundation.errors import BadOptions

System = Literal["round-robin", "swiss", "teams"]
"""The pairing system: each player meets every other one; players of equal standing meet; or teams meet every other
team, board by board."""

MOST_PLAYERS, MOST_NAME = 64, 40
WIN, DRAW, LOSS = 1.0, 0.5, 0.0


class Team(Struct, frozen=True, forbid_unknown_fields=True):
    """A team, with its members in the order of their boards."""

    name: str
    members: tuple[str, ...]


class GameResult(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a pairing, in the order of its players."""

    points: tuple[float, float]
    """The points of both players: 1 for a win, a half for a draw."""
    game: str = ""
    """The id of the game in a journal; empty if a player had left."""
    scores: tuple[Points, ...] = ()


class Matchup(Struct, frozen=True, forbid_unknown_fields=True):
    """A pairing of two players, or one player with a bye."""

    first: str
    """The player who begins, if the game leaves this open."""
    second: str | None
    """The other player; None: a bye, which counts as a win."""
    board: int = 0
    """The board in a team match, from 1; 0 without teams."""
    table: str = ""
    """The table on which the game is played; empty: the next free table."""
    before: tuple[str, ...] = ()
    """The ids of earlier games of the two players in the journals; the next game after these decides."""
    result: GameResult | None = None

    @property
    def players(self) -> tuple[str, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)


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
    groups: tuple[Team, ...] = ()
    if system == "teams":
        if teams < 2 or len(names) % teams:
            raise BadOptions(f"{len(names)} players are no {teams} equal teams. Take at least two teams of one size.")
        size = len(names) // teams
        groups = tuple(Team(f"Team {n + 1}", names[n * size : (n + 1) * size]) for n in range(teams))
    most = _most_rounds(system, teams if system == "teams" else len(names))
    usual = min(most, ceil(log2(len(names)))) if system == "swiss" else most
    rounds = usual if planned is None else planned
    if not 1 <= rounds <= most:
        raise BadOptions(f"There can be 1 to {most} rounds without anybody meeting twice. These are {rounds}.")
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
        and all(set(one.players) <= players and one.first != one.second and one.board >= 0 for one in pairings)
        and all(one.result is None or set(one.result.points) <= {WIN, DRAW, LOSS} for one in pairings)
    )


def _most_rounds(system: System, entrants: int) -> int:
    """Returns the largest number of rounds in which no pair has to meet twice, whatever the results.

    For a Swiss evening this is half the number of entrants: then each entrant has at least half of the others left to
    meet, and by Dirac's theorem they can be paired.
    """
    even = entrants + entrants % 2
    return even // 2 if system == "swiss" else even - 1


def is_open(evening: Evening) -> bool:
    """True if a game of the present round is still to be played."""
    return bool(evening.rounds) and any(one.result is None for one in evening.rounds[-1].pairings)


def over(evening: Evening) -> bool:
    """True if all rounds have been played."""
    return len(evening.rounds) >= evening.planned and not is_open(evening)


def withdraw(evening: Evening, player: str) -> Evening:
    """Withdraws a player who goes home: the opponent wins an open game, and later rounds are paired without the player.

    Raises:
        BadOptions: There is no player of that name.
    """
    name = next((one for one in evening.players if one.casefold() == player.strip().casefold()), None)
    if name is None or name in evening.left:
        raise BadOptions(f'Nobody called "{player[:MOST_NAME]}" plays. Choose one of the players.')
    gone = replace(evening, left=(*evening.left, name))
    if not gone.rounds:
        return gone
    last = EveningRound(tuple(without_absent(one, gone.left) for one in gone.rounds[-1].pairings))
    return replace(gone, rounds=(*gone.rounds[:-1], last))


def without_absent(pairing: Matchup, left: Sequence[str]) -> Matchup:
    """Returns the pairing, with a result if one of its players has left."""
    if pairing.result is not None or pairing.second is None:
        return pairing
    points = [LOSS if player in left else WIN for player in pairing.players]
    if points == [WIN, WIN]:
        return pairing
    return replace(pairing, result=GameResult((points[0], points[1])))
