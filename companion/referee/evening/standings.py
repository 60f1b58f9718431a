"""Standings with the tie-breaks of FIDE's handbook (C.07): Buchholz, Sonneborn-Berger, direct encounter, wins.

For tie-breaks a bye counts as a game against an opponent with the same final points as the entrant (C.07, 16.4), and so
does a game whose opponent had left.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from itertools import groupby

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.referee.evening.evening import DRAW, LOSS, TABLE_WIN, WIN, Evening, Matchup


class Met(Struct, frozen=True):
    """One encounter of an entrant."""

    other: str | None
    """The opponent; None: a bye, or a table of several."""
    points: float
    boards: float = 0.0
    """The board points that a team won."""
    played: bool = True
    """False for a bye, or if the opponent had left."""


class Standing(Struct, frozen=True):
    """The place of one entrant in the standings."""

    place: int
    """The place, from 1; equal entrants share a place."""
    name: str
    points: float
    boards: float
    """The board points of a team; 0 for players."""
    played: int
    wins: int
    """The number of games won at the table."""
    buchholz: float
    """The sum of the opponents' points."""
    sonneborn_berger: float
    """The sum of the opponents' points, each multiplied by the points won against that opponent."""
    direct: float
    """The points against entrants of the same rank, if all of these have met each other."""


def standings(evening: Evening) -> tuple[Standing, ...]:
    """Returns all entrants, the first place first; equal ones in the order of their seeding."""
    games = encounters(evening)
    points = {name: sum(one.points for one in games[name]) for name in games}
    best = TABLE_WIN if evening.system == "tables" else WIN
    lines = [_line(name, games, points, best) for name in evening.entrants]
    before, after = _tie_breaks(evening)
    ranked: list[Standing] = []
    level = sorted(lines, key=before)
    for _, group in groupby(level, key=before):
        tied = list(group)
        names = {line.name for line in tied}
        direct = _direct(names, games)
        found = [replace(line, direct=direct.get(line.name, 0.0)) for line in tied]
        found.sort(key=lambda line: (-line.direct, after(line)))
        for _, alike in groupby(found, key=lambda line: (line.direct, after(line))):
            place = len(ranked) + 1
            ranked += [replace(line, place=place) for line in alike]
    return tuple(ranked)


def encounters(evening: Evening) -> dict[str, list[Met]]:
    """Returns the opponents and results of each entrant, round by round, without open games."""
    found: dict[str, list[Met]] = {name: [] for name in evening.entrants}
    for one in evening.rounds:
        if evening.system == "teams":
            _team_matches(evening, one.pairings, found)
            continue
        for pairing in one.pairings:
            if evening.system == "tables":
                result = pairing.result
                for name, points in () if result is None else zip(pairing.players, result.points, strict=True):
                    found[name].append(Met(None, points, played=bool(result and result.game)))
            elif pairing.second is None:
                found[pairing.first].append(Met(None, WIN, played=False))
            elif pairing.result is not None:
                played, (first, second) = bool(pairing.result.game), pairing.result.points  # of two players
                found[pairing.first].append(Met(pairing.second, first, played=played))
                found[pairing.second].append(Met(pairing.first, second, played=played))
    return found


def _team_matches(evening: Evening, pairings: Sequence[Matchup], found: dict[str, list[Met]]) -> None:
    """Adds team matches to `found`. The boards of one match are one encounter, which counts once all are decided."""
    matches: dict[frozenset[str], list[Matchup]] = {}
    for pairing in pairings:
        if pairing.second is None:
            team = evening.team_of(pairing.first)
            size = len(next(one.members for one in evening.teams if one.name == team))
            found[team].append(Met(None, WIN, boards=float(size), played=False))
        else:
            both = frozenset((evening.team_of(pairing.first), evening.team_of(pairing.second)))
            matches.setdefault(both, []).append(pairing)
    for both, boards in matches.items():
        if any(board.result is None for board in boards):
            continue
        won = dict.fromkeys(both, 0.0)
        for board in boards:
            assert board.result is not None and board.second is not None
            won[evening.team_of(board.first)] += board.result.points[0]
            won[evening.team_of(board.second)] += board.result.points[1]
        played = any(board.result is not None and board.result.game for board in boards)
        one, other = sorted(both)
        for team, against in ((one, other), (other, one)):
            points = DRAW if won[team] == won[against] else WIN if won[team] > won[against] else LOSS
            found[team].append(Met(against, points, boards=won[team], played=played))


def _line(name: str, games: dict[str, list[Met]], points: dict[str, float], best: float) -> Standing:
    mine = games[name]

    def worth(one: Met) -> float:
        return points[name] if one.other is None or not one.played else points[one.other]

    return Standing(
        place=0,
        name=name,
        points=points[name],
        boards=sum(one.boards for one in mine),
        played=sum(one.played for one in mine),
        wins=sum(one.played and one.points == best for one in mine),
        buchholz=sum(worth(one) for one in mine),
        sonneborn_berger=sum(one.points * worth(one) for one in mine),
        direct=0.0,
    )


_Key = Callable[[Standing], tuple[float, ...]]


def _tie_breaks(evening: Evening) -> tuple[_Key, _Key]:
    """Returns the sort keys before and after the direct encounter."""
    if evening.system == "swiss":
        return lambda line: (-line.points, -line.buchholz, -line.sonneborn_berger), lambda line: (-line.wins,)
    if evening.system == "tables":
        return lambda line: (-line.points,), lambda line: (-line.wins,)
    # Where all entrants meet, Buchholz adds nothing to the points.
    return lambda line: (-line.points, -line.boards, -line.sonneborn_berger), lambda line: (-line.wins,)


def _direct(names: set[str], games: dict[str, list[Met]]) -> dict[str, float]:
    """Returns the points of tied entrants against each other; empty unless all of them have met."""
    if len(names) < 2:
        return {}
    among = {name: [one for one in games[name] if one.other in names and one.played] for name in names}
    if any({one.other for one in met} != names - {name} for name, met in among.items()):
        return {}
    return {name: sum(one.points for one in met) for name, met in among.items()}


_PAIRINGS = ("round", "board", "table", "first", "second", "points", "points of second", "game")
_AT_TABLE = ("third", "points of third", "fourth", "points of fourth")
_STANDINGS = (
    *("place", "name", "points", "board points", "played", "wins"),
    *("buchholz", "sonneborn-berger", "direct encounter"),
)


def as_json(evening: Evening) -> bytes:
    """Returns the evening with its standings as JSON."""
    told = {**msgspec.to_builtins(evening), "standings": msgspec.to_builtins(standings(evening))}
    return msgspec.json.format(msgspec.json.encode(told), indent=2)


def as_csv(evening: Evening) -> str:
    """Returns one line for each pairing, then one for each place. Text that a spreadsheet would read as a formula gets
    a leading '.
    """
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(_PAIRINGS if evening.system != "tables" else _PAIRINGS + _AT_TABLE)
    for number, one in enumerate(evening.rounds, 1):
        for pairing in one.pairings:
            seats = len(pairing.players) if evening.system == "tables" else 2
            points = ("",) * seats if pairing.result is None else pairing.result.points
            more = zip(pairing.others, points[2:], strict=True) if evening.system == "tables" else ()
            write.writerow(
                [
                    number,
                    pairing.board or "",
                    _plain(pairing.table),
                    _plain(pairing.first),
                    _plain(pairing.second or "bye"),
                    *points[:2],
                    "" if pairing.result is None else pairing.result.game,
                    *(cell for name, point in more for cell in (_plain(name), point)),
                ]
            )
    write.writerow([])
    write.writerow(_STANDINGS)
    for line in standings(evening):
        write.writerow(
            [
                line.place,
                _plain(line.name),
                line.points,
                line.boards,
                line.played,
                line.wins,
                line.buchholz,
                line.sonneborn_berger,
                line.direct,
            ]
        )
    return out.getvalue()


def _plain(text: str) -> str:
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
