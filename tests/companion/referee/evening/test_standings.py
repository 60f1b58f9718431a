"""Points first, then the tie-breaks of the handbook, worked out by hand here."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.foundation.errors import BadOptions, RoundNotDue
from companion.referee.evening import begin, is_open, over, pair, standings, withdraw
from companion.referee.evening.evening import Evening, EveningRound, GameResult, Matchup
from companion.referee.evening.standings import as_csv, as_json
from tests.companion.referee.evening.playing import decided


def played(system: str, players: str, *rounds: str) -> Evening:
    """Rounds as "a1b c=d e-": a has won against b, c and d have drawn, e has rested."""
    found = []
    for line in rounds:
        pairings = []
        for word in line.split():
            if word.endswith("-"):
                pairings.append(Matchup(word[0], None, result=GameResult((1.0, 0.0))))
            else:
                points = {"1": (1.0, 0.0), "=": (0.5, 0.5), "0": (0.0, 1.0)}[word[1]]
                pairings.append(Matchup(word[0], word[2], result=GameResult(points, "game")))
        found.append(EveningRound(tuple(pairings)))
    return replace(begin("", system, players), rounds=tuple(found))  # type: ignore[arg-type]


def test_buchholz_tells_those_apart_who_have_the_same_points_in_a_swiss_evening() -> None:
    """After two rounds a 2, b 1, c 1, d 0; b has met a and d, c has met d and a: level all through."""
    lines = {one.name: one for one in standings(played("swiss", "abcd", "a1c b1d", "a1b c1d"))}
    assert [lines[name].points for name in "abcd"] == [2, 1, 1, 0]
    assert [lines[name].buchholz for name in "abcd"] == [2, 2, 2, 2]
    assert [lines[name].sonneborn_berger for name in "abcd"] == [2, 0, 0, 0]
    assert [lines[name].place for name in "abcd"] == [1, 2, 2, 4]


def test_sonneborn_berger_and_buchholz_count_the_opponents() -> None:
    lines = {one.name: one for one in standings(played("swiss", "abcdef", "a1d b=e c1f", "a1b c=d e1f"))}
    assert {name: lines[name].points for name in "abcdef"} == {"a": 2, "b": 0.5, "c": 1.5, "d": 0.5, "e": 1.5, "f": 0}
    assert {name: lines[name].buchholz for name in "abcdef"} == {"a": 1, "b": 3.5, "c": 0.5, "d": 3.5, "e": 0.5, "f": 3}
    assert lines["c"].sonneborn_berger == 0.25 and lines["e"].sonneborn_berger == 0.25
    assert [one.name for one in standings(played("swiss", "abcdef", "a1d b=e c1f", "a1b c=d e1f"))] == list("acebdf")
    assert lines["c"].place == lines["e"].place == 2 and lines["b"].place == 4


def test_a_bye_counts_as_a_game_against_somebody_who_stands_as_oneself() -> None:
    """C.07, 16.4."""
    lines = {one.name: one for one in standings(played("swiss", "abc", "a1b c-", "c1a b-"))}
    assert (lines["c"].points, lines["c"].buchholz, lines["c"].sonneborn_berger) == (2, 1 + 2, 1 + 2)
    assert lines["c"].wins == 1 and lines["c"].played == 1, "a bye is no game"


def test_the_direct_encounter_decides_if_all_who_are_level_have_met() -> None:
    """In a cycle of four a and b stand alike in all else; b has won against a."""
    lines = standings(played("round-robin", "abcd", "b1a c1d", "a1c b0d", "a1d c1b"))
    table = {one.name: (one.points, one.sonneborn_berger) for one in lines}
    assert table == {"a": (2, 3), "c": (2, 2), "b": (1, 2), "d": (1, 1)}
    level = standings(played("round-robin", "ab", "b=a"))
    assert [one.place for one in level] == [1, 1]
    three = standings(played("round-robin", "abc", "a1b c-", "b1c a-", "c1a b-"))
    assert [(one.place, one.direct) for one in three] == [(1, 1.0)] * 3, "a cycle stays a tie"
    cross = standings(played("swiss", "abcd", "a1c b1d", "b1a d1c", "a1d b0c"))
    assert [(one.name, one.points) for one in cross][:2] == [("b", 2), ("a", 2)]


def test_wins_decide_last() -> None:
    """a has rested and b has won; else they are level, and they have not met."""
    lines = standings(played("swiss", "abcde", "a- b1c d=e", "d1a e1b c-"))
    assert [(one.name, one.place) for one in lines] == [("d", 1), ("e", 1), ("b", 3), ("a", 4), ("c", 5)]
    a, b = lines[3], lines[2]
    assert (a.points, a.buchholz, a.sonneborn_berger) == (b.points, b.buchholz, b.sonneborn_berger) == (1, 2.5, 1)
    assert (a.wins, b.wins) == (0, 1)


def test_teams_meet_board_by_board_and_their_boards_break_ties() -> None:
    evening = begin("", "teams", "abcdef", teams=3)
    assert [team.members for team in evening.teams] == [("a", "b"), ("c", "d"), ("e", "f")]
    boards = []
    for _ in range(evening.planned):
        evening = pair(evening, known=lambda _: ())
        boards.append([one.players for one in evening.rounds[-1].pairings])
        # Whoever comes earlier in the alphabet wins, but d always draws.
        evening = decided(
            evening,
            lambda one: (
                (0.5, 0.5) if "d" in one.players else (1.0, 0.0) if one.first < (one.second or "") else (0.0, 1.0)
            ),
        )
    assert over(evening) and sorted(len(round_) for round_ in boards) == [3, 3, 3], "two boards and a team that rests"
    met = {frozenset(players) for round_ in boards for players in round_ if len(players) == 2}
    assert met == {frozenset(one) for one in ("ac", "bd", "ae", "bf", "ce", "df")}
    lines = standings(evening)
    assert [(one.name, one.points, one.boards) for one in lines] == [
        ("Team 1", 3.0, 2 + 1.5 + 2),
        ("Team 2", 2.0, 2 + 0.5 + 1.5),
        ("Team 3", 1.0, 2 + 0.5),
    ]


def test_a_round_must_be_over_before_the_next() -> None:
    evening = pair(begin("", "round-robin", "abc"), known=lambda _: ())
    assert is_open(evening) and not over(evening)
    with pytest.raises(RoundNotDue, match="still to be played"):
        pair(evening, known=lambda _: ())
    evening = decided(evening, lambda _: (1, 0))
    for _ in range(2):
        evening = decided(pair(evening, known=lambda _: ()), lambda _: (1, 0))
    assert over(evening)
    with pytest.raises(RoundNotDue, match="All rounds"):
        pair(evening, known=lambda _: ())


def test_a_game_of_somebody_who_has_left_is_the_other_s() -> None:
    evening = pair(begin("", "round-robin", ["Ann", "Ben", "Cem", "Dov"]), known=lambda _: ())
    gone = withdraw(evening, "ben")
    against = next(one for one in gone.rounds[0].pairings if "Ben" in one.players)
    assert against.result is not None and against.result.game == ""
    assert against.result.points[against.players.index("Ben")] == 0
    assert sum(one.wins for one in standings(gone)) == 0, "nobody has won at the table"
    later = pair(decided(gone, lambda _: (1, 0)), known=lambda _: ())
    assert next(one for one in later.rounds[1].pairings if "Ben" in one.players).result is not None
    for nobody in ("Ben", "Eve"):
        with pytest.raises(BadOptions, match="Nobody called"):
            withdraw(gone, nobody)


@pytest.mark.parametrize(
    ("system", "players", "more", "said"),
    [
        ("swiss", ["Ann"], {}, "2 to 64 players"),
        ("swiss", ["Ann", "ann "], {}, "same name"),
        ("swiss", ["Ann", "B" * 41], {}, "at most 40 letters"),
        ("swiss", ["Ann", "Ben\x07"], {}, "can be shown"),
        ("teams", ["Ann", "Ben", "Cem"], {"teams": 2}, "cannot form 2 equal teams"),
        ("swiss", ["Ann", "Ben", "Cem"], {"planned": 4}, "1 to 2 rounds"),
    ],
)
def test_what_is_no_evening_is_refused(system: str, players: list[str], more: dict[str, int], said: str) -> None:
    with pytest.raises(BadOptions, match=said):
        begin("", system, players, **more)  # type: ignore[arg-type]


def test_an_evening_can_be_taken_away() -> None:
    evening = played("swiss", "abc", "a1b c-")
    lines = as_csv(replace(evening, title="=1+1")).splitlines()
    assert lines[1] == "1,,,a,b,1.0,0.0,game" and lines[2] == "1,,,c,bye,1.0,0.0,"
    assert lines[5].startswith("1,a,1.0") or lines[5].startswith("1,c,1.0")
    assert as_csv(begin("", "swiss", ["=a", "b"])).count("'=a") == 1
    assert b'"standings"' in as_json(evening)
