"""Tallies of many games, for players and for pairs of players."""

from __future__ import annotations

from companion.referee.results.result import Result
from companion.referee.results.tallies import pairs, tallies


def result(n: int, names: tuple[str, ...], scores: tuple[int, ...], winner: int | None, game: str = "casino") -> Result:
    places = () if winner is None else ((winner,), *((seat,) for seat in range(len(names)) if seat != winner))
    return Result(
        id=f"g-{n}", game=game, names=names, started=float(n), length_s=60.0, rows=9, moves=8, scores=scores,
        places=places, refused=(1, *[0] * (len(names) - 1)),
    )  # fmt: skip


GAMES = [
    result(1, ("Ada", "Ben"), (10, 4), 0),
    result(2, ("Ben", "ada"), (3, 12), 1),
    result(3, ("Ada", "Ben"), (2, 9), 1),
    result(4, ("Ada", "Ben"), (99, 0), None),
    result(5, ("Ada", "Ben", "Cid"), (5, 7, 9), 0, "spectrumo"),
]


def test_a_player_is_counted_under_one_name_whatever_the_seat() -> None:
    ada = next(tally for tally in tallies(GAMES) if (tally.name, tally.game) == ("Ada", "casino"))
    assert (ada.games, ada.wins, ada.best, ada.average) == (3, 2, 12, 8)
    assert (ada.streak, ada.longest) == (0, 2)
    assert ada.illegal == 3, "illegal moves of the game that was not finished count, too"


def test_where_the_lowest_wins_it_is_the_best() -> None:
    low = [result(1, ("Ada",), (30,), 0, "spectrumo"), result(2, ("Ada",), (12,), 0, "spectrumo")]
    (ada,) = tallies(low)
    assert ada.best == 12 and ada.wins == 0, "alone at the table nobody wins"


def test_pairs_are_compared_by_place() -> None:
    first = pairs(GAMES)[0]
    assert first.names == ("Ada", "Ben") and first.games == 4 and first.ahead == (3, 1)
    assert {pair.names for pair in pairs(GAMES)} == {("Ada", "Ben"), ("Ada", "Cid"), ("Ben", "Cid")}


def test_pairs_have_their_own_streaks() -> None:
    first = pairs([*GAMES, result(6, ("Ben", "Ada"), (8, 3), 0), result(7, ("Ben", "Ada"), (9, 1), 0)])[0]
    assert first.streak == (1, 2), "Ben was placed before Ada twice running"
    assert first.longest == (2, 2) and first.ahead == (3, 3)
    shared = Result(
        **{**{name: getattr(GAMES[0], name) for name in Result.__struct_fields__}, "started": 8.0, "places": ((0, 1),)}
    )
    assert pairs([*GAMES, shared])[0].streak == (None, 1), "a shared place ends a streak"
