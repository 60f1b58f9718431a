"""Reads results of the evening's games from the journals of the tables, so that nobody has to enter them.

Journals are read again and again. A game is replayed only if it has grown; a journal that does not answer is reported
and read again the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.foundation.errors import CompanionError, JournalError
from companion.core.game import Game
from companion.referee.evening.evening import DRAW, LOSS, WIN, Evening, EveningRound, GameResult, Matchup, table_points
from companion.referee.journal import ChainedGames, Header
from companion.referee.journal.timeline import begin
from companion.referee.results.result import Result, counted_points, result_of


class TableJournals:
    """The games in any number of journals. Use it from one thread at a time."""

    def __init__(self, journals: Mapping[str, Callable[[], ChainedGames]], games: Mapping[str, Game[Any]]) -> None:
        """
        Args:
            journals: By displayed name, a function that opens the journal.
        """
        self._openers, self._games = journals, games
        self._open: dict[str, ChainedGames] = {}
        self._headers: dict[str, Header] = {}
        self._where: dict[str, str] = {}
        self._rows: dict[str, int] = {}
        self._decided: dict[str, tuple[int, Result | None]] = {}
        self.trouble: str | None = None
        """A sentence about a problem with a journal; None if there is none."""

    def look(self) -> None:
        """Reads which games the journals have and how long they are."""
        self.trouble = None
        for name, opener in self._openers.items():
            try:
                journal = self._open.get(name) or opener()
                self._open[name] = journal
                for game, standing in journal.standings().items():
                    if game not in self._headers:
                        self._headers[game], self._where[game] = journal.header(game), name
                    self._rows[game] = standing.n
            except JournalError as error:
                self.trouble = str(error)
                broken = self._open.pop(name, None)
                if broken is not None:
                    broken.close()

    def close(self) -> None:
        """Closes every journal."""
        for journal in self._open.values():
            journal.close()
        self._open.clear()

    def known(self, players: Sequence[str]) -> tuple[str, ...]:
        """Returns the ids of all games of exactly these players, in any seats, oldest first."""
        wanted = sorted(name.casefold() for name in players)
        return tuple(
            game
            for game, header in sorted(self._headers.items(), key=lambda one: (one[1].started, one[0]))
            if sorted(name.casefold() for name in header.names) == wanted
        )

    def finished(self, game: str) -> Result | None:
        """Returns the result of a game that has ended, together with its match; None while it goes on. A match without
        points has no end, so each of its hands is a game.

        It also returns None for a game whose chain is broken or whose rules have changed, because such a record has no
        result.
        """
        rows = self._rows.get(game, 0)
        known = self._decided.get(game)
        if known is None or known[0] != rows:
            known = self._decided[game] = rows, self._replayed(game)
        return known[1]

    def goes_on(self, game: str) -> bool:
        """True if the game is a match without an end, as in Poker: its result changes with each hand."""
        rules = self._games.get(self._headers[game].game) if game in self._headers else None
        return rules is not None and _by_hands(rules)

    def results(self, most: int) -> list[Result]:
        """Returns the finished games, the earliest first.

        Args:
            most: The largest number of grown games to replay; the others are left for the next call.
        """
        grown = [game for game in self._headers if self._decided.get(game, (-1,))[0] != self._rows.get(game, 0)]
        for game in grown[:most]:
            self.finished(game)
        found = [result for _, result in self._decided.values()]
        return sorted((one for one in found if one is not None), key=lambda one: (one.started, one.id))

    def _replayed(self, game: str) -> Result | None:
        header, journal = self._headers[game], self._open.get(self._where[game])
        rules = self._games.get(header.game)
        if journal is None or rules is None or rules.rules != header.rules:
            return None
        try:
            rows = journal.rows(game)
            line = begin(rules, header)
            for row in rows:
                line = line.read(row)
        except CompanionError:
            return None
        if line.state.outcome() is None:
            return None
        if not _by_hands(rules) and rules.next_position is not None and rules.next_position(line.state) is not None:
            return None
        return result_of(header, rows, line)


def take_results(evening: Evening, journals: TableJournals) -> Evening:
    """Returns the evening with new results: each open pairing gets the first finished game of its players that is not
    listed in `before`, or all their finished hands if the game is counted by the hands won.
    """
    if not evening.rounds:
        return evening
    last = evening.rounds[-1]
    decided = tuple(_decided(evening, one, journals) for one in last.pairings)
    return (
        evening if decided == last.pairings else replace(evening, rounds=(*evening.rounds[:-1], EveningRound(decided)))
    )


def _decided(evening: Evening, pairing: Matchup, journals: TableJournals) -> Matchup:
    if pairing.second is None:
        return pairing
    if pairing.result is not None and not journals.goes_on(pairing.result.game):
        return pairing
    found = [
        result
        for game in journals.known(pairing.players)
        if game not in pairing.before
        and (result := journals.finished(game)) is not None
        and evening.game in ("", result.game)
    ]
    if not found:
        return pairing
    first = found[0]
    hands = [result for result in found if result.game == first.game] if journals.goes_on(first.id) else [first]
    return replace(pairing, result=_points(evening, pairing, hands))


def _points(evening: Evening, pairing: Matchup, hands: Sequence[Result]) -> GameResult:
    """Returns the result of one game, or of the hands of a game that is counted by the hands won."""
    players = [name.casefold() for name in pairing.players]
    seats = [[[name.casefold() for name in hand.names].index(player) for player in players] for hand in hands]
    counted = [[counted_points(hand)[seat] for seat in at] for hand, at in zip(hands, seats, strict=True)]
    scores = tuple(sum(won) for won in zip(*counted, strict=True))
    if len(hands) == 1:
        ranks = [next(n for n, place in enumerate(hands[0].places) if seat in place) for seat in seats[0]]
    else:
        ranks = [-score for score in scores]
    if evening.system == "tables":
        return GameResult(table_points(ranks), hands[0].id, scores)
    first, second = (DRAW, DRAW) if ranks[0] == ranks[1] else (WIN, LOSS) if ranks[0] < ranks[1] else (LOSS, WIN)
    return GameResult((first, second), hands[0].id, scores)


def _by_hands(rules: Game[Any]) -> bool:
    """True if a match of this game has neither points nor an end."""
    return rules.lead == "nothing" and rules.next_position is not None
