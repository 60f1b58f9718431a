"""What is held of the games of an evening: all of it, in little room, and within a bound."""

from __future__ import annotations

import pytest

from companion.referee.journal import kept
from companion.referee.journal.kept import KeptGames, KeptOpen, Stored


def rows(count: int, start: int = 1) -> list[Stored]:
    return [(n, f'{{"n":{n},"text":"player 1 plays R{n}"}}', f"{n:064x}") for n in range(start, start + count)]


def held(games: KeptGames) -> dict[str, KeptOpen]:
    return dict(games.items())


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 200])
def test_every_row_comes_back_in_its_order(count: int) -> None:
    games = KeptGames()
    games.begin("one", "header")
    games.keep_seed("one", b"seed")
    for row in rows(count):
        games.add("one", row)
    games.add("unknown", rows(1)[0])
    assert held(games) == {"one": KeptOpen("header", rows(count), b"seed")}
    games.begin("two", "other")
    assert held(games) == {"one": KeptOpen("header", rows(count), b"seed"), "two": KeptOpen("other", [])}


def test_a_game_that_is_read_with_more_rows_takes_the_place_of_what_was_held() -> None:
    games = KeptGames()
    games.keep("one", "header", rows(3))
    games.keep_seed("one", b"seed")
    games.keep("one", "header", rows(2))
    assert held(games)["one"].rows == rows(3)
    games.keep("one", "header", rows(70))
    assert held(games)["one"] == KeptOpen("header", rows(70), b"seed")


def test_beyond_the_bound_the_first_games_go_and_never_the_one_in_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_BYTES", 20_000)
    games = KeptGames()
    for name in map(str, range(40)):
        games.begin(name, "header")
        for row in rows(64):
            games.add(name, row)
    names = list(held(games))
    assert games.dropped and names == list(map(str, range(40)))[-len(names) :] and 1 < len(names) < 40
    for row in rows(6400, start=65):
        games.add("39", row)
    assert held(games) == {"39": KeptOpen("header", rows(6464))}
