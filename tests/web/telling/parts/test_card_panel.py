"""What the page tells in card games: every legal move can be put together by tapping, and the counting is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.contract import Over, ToMove
from companion.core.plan import Mat, Plan
from companion.games import GAMES
from companion.games.cribbage.counting import combinations, points
from companion.games.shared.cards.deck import CODES, numbers_of
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import tell
from tests.companion.dealt import begun, played
from tests.sessions import sessions_in
from tests.web.card_stories import NAMES, PRIVATE, after, story
from web.boards import PRESENTERS
from web.telling import ADVISERS
from web.telling.parts.card_panel import CardAdviser

GAMES_HERE = (*PRIVATE, ("solitaire", 1, {}))
IDS = [f"{game} for {seats}" for game, seats, _ in GAMES_HERE]


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(tmp_path, Plan(Mat(440, 400, 40)), clock=lambda: 5.0) as found:
        yield found


def adviser(game: str) -> CardAdviser:
    found = ADVISERS[game]
    assert isinstance(found, CardAdviser)
    return found


def advice(table: Table, seat: int | None = 0) -> dict[str, Any]:
    return adviser(table.session.game.name).advice(
        table, table.session.game.view(table.session.state, seat), PRESENTERS[table.session.game.name], ""
    )


def shapes(act: Any) -> re.Pattern[str]:
    """A move's line with its gaps as a pattern."""
    text = re.escape(act.text)
    for at in range(len(act.picks)):
        text = text.replace(re.escape(f"{{{at}}}"), r"(.+)")
    for field in act.fields:
        text = text.replace(re.escape(f"{{{field.name}}}"), r"(.+)")
    return re.compile(text)


def fits(act: Any, text: str, state: Any, seat: int) -> bool:
    """Whether tapping gives this line: as many cards as a gap takes, and the words that a field offers."""
    found = shapes(act).fullmatch(text)
    if found is None:
        return False
    gaps = list(found.groups())
    order = sorted((act.text.index(f"{{{at}}}"), ("pick", at)) for at in range(len(act.picks)))
    order += [(act.text.index(f"{{{field.name}}}"), ("field", at)) for at, field in enumerate(act.fields)]
    for (_, (kind, at)), said in zip(sorted(order), gaps, strict=True):
        if kind == "field":
            field = act.fields[at]
            if not (said.isdigit() if field.kind == "number" else said in dict(field.choices)):
                return False
            continue
        pick = act.picks[at]
        cards = [] if said == pick.none else said.split(", ")
        if pick.says == "number":
            if not said.isdigit():
                return False
        elif not pick.least <= len(cards) <= pick.most or not all(card == "??" or card in CODES for card in cards):
            return False
    return True


@pytest.mark.parametrize(("game", "seats", "options"), GAMES_HERE, ids=IDS)
def test_every_legal_move_can_be_put_together(
    sessions: SessionManager, game: str, seats: int, options: dict[str, Any]
) -> None:
    known = GAMES[game]
    table = sessions.start(game, NAMES[:seats], options)
    checked = 0
    for moves in (0, 1, 4, 9, 30):
        events = story(game, seats, options, 2, moves)
        state = after(game, seats, options, events)
        due = state.expects()
        if not isinstance(due, ToMove):
            continue
        for move in [*state.legal_moves()][:: max(1, len(state.legal_moves()) // 60)]:
            seat = getattr(move, "seat", 0)
            view = GAMES[game].view(state, seat)
            acts = list(adviser(game).acts(table, view, seat))
            text = known.text(move)
            assert any(fits(act, text, view, seat) for act in acts), text
            assert len({act.key for act in acts}) == len(acts)
            checked += 1
    assert checked > 5


@pytest.mark.parametrize(("game", "seats", "options"), GAMES_HERE, ids=IDS)
def test_a_whole_game_is_told(sessions: SessionManager, game: str, seats: int, options: dict[str, Any]) -> None:
    """At every stage, for every reader: nothing fails, and only hands that the reader may know are named."""
    short = {"spectrumo": {"limit": 20}, "spectrump": {"rounds": 1}, "cribbage": {"target": 40}}.get(game, {})
    table = begun(sessions, game, seats, **{**options, **short})
    while not isinstance(table.session.state.expects(), Over):
        played(table, number=table.session.seq, most=5)
        for seat in (None, *range(seats)):
            told = advice(table, seat)
            state = table.session.game.view(table.session.state, seat)
            for one in told["seats"]:
                if (
                    one["seat"] != seat
                    and game not in ("five-hundred", "solitaire")
                    and not isinstance(state.expects(), Over)
                ):
                    shown = getattr(state, "shown", 0) >> one["seat"] & 1
                    assert shown or all(not held["cards"] for held in one["sets"])
            assert told["unseen"]["total"] == sum(GAMES[game].unseen(state).values())
            assert told["due"] is None
        if table.session.seq > 400:
            break
    assert advice(table, 0)["deal"]["commitment"]


def test_told_cards_are_asked_for(sessions: SessionManager) -> None:
    table = sessions.start("casino", ("Ann", "Ben"), {})
    due = advice(table)["due"]
    assert (due["seat"], due["count"], due["shown"]) == (1, 1, True)
    assert table.session.game.parse(table.session.state, due["text"].format(cards="R7")) is not None
    solitaire = sessions.start("solitaire", ("Ann",), {})
    due = advice(solitaire, None)["due"]
    assert solitaire.session.game.parse(solitaire.session.state, due["text"].format(cards="R7, B3")) is not None


def test_cards_that_are_left_in_unknown_hands_are_asked_for(sessions: SessionManager) -> None:
    """UMO-16: a hand that nobody told is counted once it is laid open."""
    position = {"table": "O3", "hands": ["B3", "GB7, ??, ??"]}
    table = sessions.start("spectrumo", ("Ann", "Ben"), {"limit": 20}, position=position)
    table.play(table.session.game.parse(table.session.state, "player 1 plays B3"), source="page")
    due = advice(table, None)["due"]
    assert (due["name"], due["count"], due["source"], due["shown"]) == ("Ben", 2, "hand of Ben", True)
    table.play(table.session.game.parse(table.session.state, due["text"].format(cards="R9, draw")), source="page")
    assert isinstance(table.session.state.expects(), Over) and table.session.state.scores()[1].total == 36


def test_cribbage_lists_every_combination_of_each_hand(sessions: SessionManager) -> None:
    """CRB-7 to CRB-9: the lines are those of the counting and add up, before and after it."""
    position = {
        "dealer": 1, "hands": [["R5"], ["B6"]], "laid": [["Y1", "Y2", "G3"], ["G1", "P2", "O3"]], "starter": "G9",
        "played": [["R6", "R7", "R8", "Y6", "Y7"], ["O9", "O12", "B1", "B2", "P4"]],
    }  # fmt: skip
    table = sessions.start("cribbage", ("Ann", "Ben"), {}, position=position)
    assert advice(table)["counts"] == []
    tell(table, "player 1 plays R5", "player 2 plays B6")
    (count,) = advice(table, None)["counts"]
    hand, starter = [card for card in numbers_of("R5 R6 R7 R8 Y6 Y7") if card is not None], CODES.index("G9")
    lines = combinations(hand, starter)
    assert [(line["points"], line["rule"], line["text"]) for line in count["lines"]] == [
        (line.points, line.rule, line.text) for line in lines
    ]
    assert count["total"] == sum(line.points for line in lines) == points(hand, starter, crib=False)
    assert {line["rule"] for line in count["lines"]} >= {"CRB-7"} and count["note"] == "to be counted"
    table.play(table.session.game.parse(table.session.state, "player 1 counts hand"), source="page")
    following, before = advice(table, None)["counts"]
    assert following["title"].startswith("Hand of Ben") and before["note"] == "counted in row 3"
    assert before["lines"] == count["lines"]


def test_casino_lists_the_captures_of_the_own_hand_alone(sessions: SessionManager) -> None:
    """CAS-3, CAS-4: the best first, each a line that the rules allow."""
    position = {"hands": [["R9", "B2"], ["P8", "P1"]], "board": ["G4", "Y5", "R7", "O9"], "chosen": "red", "deal": 11}
    table = sessions.start("casino", ("Ann", "Ben"), {}, position=position)
    assert advice(table, 0)["counts"] == [], "while hints are off nothing advises"
    table.session.allow_hints(True, source="page")
    counts = [one for one in advice(table, 0)["counts"] if one.get("tell")]
    assert len(counts) == len([move for move in table.session.state.legal_moves() if type(move).__name__ == "Take"])
    assert counts[0]["title"].startswith(("R9", "B2")) and counts[0]["total"] == max(one["total"] for one in counts)
    for one in counts:
        assert table.session.state.violations(table.session.game.parse(table.session.state, one["tell"])) == ()
    assert any(line["rule"] == "CAS-4" for one in counts for line in one["lines"])
    assert advice(table, 1)["counts"] == advice(table, None)["counts"] == []
    assert dict(advice(table, None)["facts"])["Most cards, 6 points"] == "nobody yet"


def test_the_call_is_told_with_its_window(sessions: SessionManager) -> None:
    """500-8: down to which card, for what, who, and until when."""
    position = {
        "hands": [["B1"], ["G3", "P7"], ["Y2", "Y3"]], "melds": [{"0": ["R5", "RO6", "R7", "PR8"]}],
        "discards": ["O7", "RO4", "B12"], "turn": 1, "discarded": 0,
    }  # fmt: skip
    table = sessions.start("five-hundred", ("Ann", "Ben", "Cid"), {}, position=position)
    window = advice(table, None)["counts"][0]
    assert window["title"] == "“Spectrum!” down to RO4, taking RO4, B12"
    assert window["note"] == "open until Ben draws; of calls at once the first counts of: Ben, Cid"
    assert [line["text"] for line in window["lines"]] == ["RO4 on meld 1"]
    told = advice(table, 2)
    assert told["movers"] == [1, 2] and {"call"} == {act["key"] for act in told["acts"] if act["seat"] == 2}
    assert not [one for one in told["counts"] if "Cid" in one["title"]], "what a hand is good for is a hint"
    table.session.allow_hints(True, source="page")
    told = advice(table, 2)
    assert any("holds no meld" in one["title"] for one in told["counts"] if "Cid" in one["title"])


def test_a_trick_is_told_with_the_reason_for_its_winner(sessions: SessionManager) -> None:
    """UMP-8: as it stands, and when it is over."""
    position = {
        "hands": [["", "R5 B2"], ["", "R6 G1"]], "session": 2, "set": 2, "bid": "player 1 bids red 1", "played": 1,
        "leader": 0, "won": ["R1 RO1", "O3 PR2"],
    }  # fmt: skip
    table = sessions.start("spectrump", ("Ann", "Ben"), {"deck": 72, "rounds": 1}, position=position)
    table.play(table.session.game.parse(table.session.state, "player 1 plays B2"), source="page")
    assert advice(table, None)["counts"][0]["title"] == "This trick: Ann would win as it stands."
    table.play(table.session.game.parse(table.session.state, "player 2 plays R6"), source="page")
    before = advice(table, None)["counts"][0]
    assert before["title"] == "The trick before: Ben wins it." and before["total"] == -6
    assert (before["lines"][0]["rule"], before["lines"][0]["text"]) == (
        "UMP-8",
        "R6 is the highest card of the trump color red.",
    )


def test_solitaire_counts_line_by_line(sessions: SessionManager) -> None:
    """SOL-11: what the score is made of, at every moment."""
    table = begun(sessions, "solitaire", 1)
    (count,) = advice(table, None)["counts"]
    assert count["total"] == sum(line["points"] for line in count["lines"]) == table.session.state.scores()[0].total
    assert {line["rule"] for line in count["lines"]} == {"SOL-11"}


def test_poker_says_what_hands_count_as_that_a_reader_may_know(sessions: SessionManager) -> None:
    table = begun(sessions, "poker", 3)
    assert len(advice(table, 0)["counts"]) == 1 and advice(table, None)["counts"] == []
    table.play(table.session.state.legal_moves()[0], source="page")
    assert len(advice(table, None)["counts"]) == 1


def test_software_deals_all_these_games() -> None:
    assert {name for name, game in GAMES.items() if game.dealer is not None} == {game for game, _, _ in GAMES_HERE}
    assert not isinstance(ADVISERS["spectra"], CardAdviser)
