"""Weights, missions, portals and combinations (VAR-17 to VAR-30), the allowed and the forbidden, as examples from the rules."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.contract import Drawn, Event, Over, Rolled, Shown, ToDraw, ToMove, ToRoll
from companion.core.foundation.errors import BadOptions, GameOver, IllegalMove
from companion.core.pieces import FACES, PRIMARIES, WHEEL, Card, Die
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.spectrum import secrets
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Activate, EndTurn, Fulfil, Pass, PlacePawn, Roll, Send
from companion.games.spectrum.options import Options
from companion.games.spectrum.scoring import rank
from companion.games.spectrum.state import SpectrumState
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.short import after, rules
from tests.companion.games.spectrum.short_spectrum import board, drawn, go, rolled, table


def card(code: str) -> Card:
    piece = PIECES[number_of(code)]
    assert isinstance(piece, Card)
    return piece


WEIGHTS = {color: 3 + place % 5 for place, color in enumerate(WHEEL)}


def weighted(pawns: str, roll: str = "", use: str = "", **options: Any) -> SpectrumState:
    return table(pawns, roll, use, options={"weighted": True, **options}, weights=WEIGHTS)


@allows
@forbids
def test_var_17_every_color_has_a_weight() -> None:
    state = SPECTRUM.start(2, Options(weighted=True))
    assert state.expects() == ToDraw(0, 12, "weight cards", True)
    with pytest.raises(IllegalMove, match="VAR-17"):
        state.apply(drawn("R8"))
    some = state.apply(drawn("R5 B3"))
    with pytest.raises(IllegalMove, match="VAR-17"):
        some.apply(drawn("R4"))
    done = some.apply(drawn("RO3 O4 OY5 Y6 YG7 G3 GB4 BP5 P6 PR7"))
    assert done.extras.weights == (5, 3, 4, 5, 6, 7, 3, 4, 3, 5, 6, 7)
    assert done.expects() == ToRoll(0, ("spectrum-d6",) * 2)
    deck = SPECTRUM.start(2, Options(weighted=True, weights="deck"))
    assert deck.apply(drawn("R12 B1")).extras.weights[0] == 12
    with pytest.raises(BadOptions, match="VAR-17"):
        SPECTRUM.start(2, Options(weights="deck"))


@allows
@excludes
def test_var_18_the_highest_sum_of_weights_wins() -> None:
    state = weighted("red.9 blue.9 | orange.9")
    assert [score.total for score in state.scores()] == [WEIGHTS["red"] + WEIGHTS["blue"], WEIGHTS["orange"]]
    assert sum(line.points for line in state.scores()[0].lines) == state.scores()[0].total
    seven = " ".join(f"{color}.9" for color in WHEEL[:6])
    going = weighted(f"purple.8 {seven}", "purple red green", "red + purple")
    assert going.apply(go("purple.8", "purple.9")).outcome() is None
    target = weighted(f"purple.8 {seven}", "purple red green", "red + purple", weighted_end="target")
    outcome = target.apply(go("purple.8", "purple.9")).outcome()
    assert outcome is not None and outcome.rule == "VAR-18" and outcome.places[0] == (0,)


@allows
@forbids
def test_var_18_all_twelve_colors_or_a_full_round_without_a_move() -> None:
    halves = [" ".join(f"{color}.9" for color in WHEEL[at::2]) for at in (0, 1)]
    outcome = weighted(" | ".join(halves)).outcome()
    mine, theirs = (sum(WEIGHTS[color] for color in WHEEL[at::2]) for at in (0, 1))
    assert outcome is not None and outcome.places == (((0,), (1,)) if mine > theirs else ((1,), (0,)))
    stuck = weighted(
        " ".join(f"yellow.{n}" for n in range(1, 9)) + " orange.3 orange.5 | "
        + " ".join(f"green.{n}" for n in range(1, 9)) + " purple.3 purple.5",
        "red blue",
    )  # fmt: skip
    once = stuck.apply(Pass(0))
    assert once.outcome() is None and once.still == 1
    over = after(once, rolled("red blue"), Pass(1))
    outcome = over.outcome()
    assert outcome is not None and outcome.rule == "VAR-18"
    assert rules(over, rolled("green purple")) == {"VAR-18"}
    moved = after(once, rolled("green purple"))
    assert moved.phase == "move" and moved.still == 0


@allows
def test_var_18_equal_sums_go_by_colors_and_then_by_points() -> None:
    equal = dict.fromkeys(WHEEL, 5)
    state = table("red.9 blue.9 | red-orange.9 orange.9", options={"weighted": True}, weights=equal)
    assert rank(state, 0) == (10, 2, 2) and rank(state, 1) == (10, 2, 3)


def mission_table(pawns: str, cards: str, roll: str = "", **more: Any) -> SpectrumState:
    hands = [cards.split(), ["??"] * 6]
    return table(pawns, roll, options={"missions": True, **more.pop("options", {})}, missions=hands, **more)


MISSIONS = "R3 O4 Y5 RO3 OY4 YG5"
FIVE = "red.3 orange.4 yellow.5 red-orange.3 orange-yellow.4"


@allows
@forbids
def test_var_19_three_cards_of_each_pile_in_secret() -> None:
    state = SPECTRUM.start(2, Options(missions=True))
    assert state.expects() == ToDraw(0, 3, "primary pile", False)
    with pytest.raises(IllegalMove, match="VAR-19"):
        state.apply(drawn("RO3"))
    with pytest.raises(IllegalMove, match="VAR-19"):
        state.apply(drawn("R8"))
    first = state.apply(drawn("R3 ?? B5"))
    assert first.expects() == ToDraw(0, 3, "secondary pile", False)
    both = after(first, drawn("RO3 OY3 ??"), drawn("?? ?? ??", seat=1), drawn("?? ?? ??", seat=1))
    assert both.expects() == ToMove((0,))
    assert sum(SPECTRUM.unseen(both).values()) == 60
    mine, other = SPECTRUM.view(both, 0), SPECTRUM.view(both, 1)
    assert mine.extras.missions[0] == both.extras.missions[0]
    assert set(other.extras.missions[0]) == {-1}
    filled = SPECTRUM.determinize(both, Random(1)).extras.missions
    assert all(number in secrets.PRIMARY for hand in filled for number in hand[:3])
    shown = both.apply(Shown(0, (card("Y4"),)))
    assert -1 not in shown.extras.missions[0][:3]
    with pytest.raises(IllegalMove, match="VAR-19"):
        shown.apply(Shown(0, (card("Y5"),)))


@forbids
def test_var_19_what_is_no_hidden_mission_is_not_shown() -> None:
    hidden = mission_table("red.3", "R3 O4 Y5 RO3 OY4 ??")
    assert not rules(hidden, Shown(0, (card("YG5"),)))
    assert rules(hidden, Shown(0, (card("RO3"),))) == {"VAR-19"}, "known to be there already"
    assert rules(mission_table("red.3", MISSIONS), Shown(0, (card("BP3"),))) == {"VAR-19"}, "all six are known"


@allows
@forbids
def test_var_20_five_of_six_missions_win_at_the_start_of_the_turn() -> None:
    state = mission_table(f"{FIVE} | blue.3", MISSIONS)
    won = state.apply(Fulfil(0)).outcome()
    assert won is not None and won.rule == "VAR-20" and won.places[0] == (0,)
    four = mission_table("red.3 orange.4 yellow.5 red-orange.3 | yellow-green.5", MISSIONS)
    assert four.apply(Fulfil(0)).outcome() is None
    assert rules(state, Fulfil(1)) == {"BRD-8"}
    assert rules(table(FIVE), Fulfil(0)) == {"VAR-20"}
    hidden = mission_table(FIVE, "R3 O4 Y5 RO3 OY4 ??")
    assert rules(hidden, Fulfil(0)) == {"VAR-20"}
    six = "orange.9 yellow.9 green.9 blue.9 purple.9 red-orange.9"
    ordinary = mission_table(f"red.8 {six}", MISSIONS, "red red green", usage="red + green").apply(go("red.8", "red.9"))
    assert ordinary.outcome() is not None


@allows
@forbids
def test_var_21_too_late_after_the_roll_and_a_wrong_declaration_shows_the_cards() -> None:
    state = mission_table(f"{FIVE} | blue.3", MISSIONS)
    rolled_on = state.apply(rolled("red blue"))
    assert rules(rolled_on, Fulfil(0)) == {"VAR-21"}
    wrong = mission_table("red.3 orange.4", MISSIONS).apply(Fulfil(0))
    assert wrong.expects() == ToMove((0,)) and wrong.extras.revealed == (True, False)
    assert SPECTRUM.view(wrong, 1).extras.missions[0] == wrong.extras.missions[0]
    assert len(wrong.layout().heaps["seat0.missions"]) == 6
    assert rules(wrong, Fulfil(0)) == {"VAR-20"}
    assert not rules(wrong, Roll(0))
    later = mission_table(FIVE, MISSIONS, revealed=[True, False])
    assert later.apply(Fulfil(0)).outcome() is not None


def portal_table(pawns: str, mine: str, roll: str = "", **more: Any) -> SpectrumState:
    hands = [mine.split(), more.pop("theirs", "?? ?? ??").split()]
    return table(pawns, roll, options={"portals": True, **more.pop("options", {})}, portals=hands, **more)


@allows
@forbids
def test_var_22_three_primary_portals_in_secret() -> None:
    for seats, deck in ((2, 54), (6, 42)):
        state = SPECTRUM.start(seats, Options(portals=True))
        assert state.expects() == ToDraw(0, 3, "primary pile", False)
        assert state.extras.deck == deck
    state = SPECTRUM.start(2, Options(portals=True))
    with pytest.raises(IllegalMove, match="VAR-22"):
        state.apply(drawn("RO3"))
    ready = after(state, drawn("R3 B4 G5"), drawn("?? ?? ??", seat=1))
    assert ready.expects() == ToMove((0,))
    assert set(SPECTRUM.view(ready, 1).extras.portals[0].first) == {-1}
    assert SPECTRUM.view(ready, 0).extras.portals[0] == ready.extras.portals[0]
    with pytest.raises(IllegalMove, match="VAR-22"):
        after(state, drawn("R3 B4 G5"), drawn("R3", seat=1))


@allows
@forbids
def test_var_23_before_the_roll_and_after_the_moves_of_any_turn() -> None:
    state = portal_table("red.3 blue.4 | green.5", "R3 B4 G5", theirs="O3 Y3 P3")
    assert not rules(state, Activate(0, card("R3")))
    assert not rules(state, Activate(0, card("G5")))
    assert rules(state, Activate(0, card("O3"))) == {"VAR-22", "VAR-23"}
    empty = portal_table("blue.4 | green.5", "R3 B4 G5")
    assert rules(empty, Activate(0, card("R3"))) == {"VAR-23"}
    moving = state.apply(rolled("red blue"))
    assert "VAR-23" in rules(moving, Activate(0, card("R3")))
    end = moving.apply(go("red.3", "red.5"))
    assert end.phase == "end" and not rules(end, Activate(0, card("B4")))
    assert rules(end, Roll(0)) == {"VAR-23"}
    assert end.apply(EndTurn(0)).turn == 1
    assert end.apply(rolled("red green")).turn == 1
    assert rules(table("red.3"), Activate(0, card("R3"))) == {"VAR-23"}
    assert rules(state, EndTurn(0)) == {"BRD-8"}


@allows
@forbids
def test_var_23_several_players_are_asked_clockwise() -> None:
    state = portal_table("red.3 blue.4 | green.5 orange.3", "R3 B4 G5", theirs="O3 Y3 P3")
    later = after(state, Activate(1, card("O3")), drawn("G7 Y7", seat=1), Send(1, card("G7")))
    assert later.phase == "start"
    assert rules(later, Activate(0, card("R3"))) == {"VAR-23"}
    assert {type(move) for move in later.legal_moves()} == {Roll}
    first = after(state, Activate(0, card("R3")), drawn("G7 Y7"), Send(0, card("G7")))
    assert not rules(first, Activate(0, card("B4")))
    assert not rules(first, Activate(1, card("O3")))


@allows
@forbids
def test_var_24_two_cards_one_destination_one_new_portal() -> None:
    state = portal_table("red.3 | green.5", "R3 B4 G5").apply(Activate(0, card("R3")))
    assert state.expects() == ToDraw(0, 2, "portal deck", False)
    assert rules(state, rolled("red blue")) == {"VAR-24"}
    with pytest.raises(IllegalMove, match="VAR-24"):
        state.apply(drawn("R3 Y4"))
    offered = state.apply(drawn("Y4 BP6"))
    assert rules(offered, Send(0, card("B4"))) == {"VAR-24"}
    assert rules(offered, Send(1, card("Y4"))) == {"VAR-24"}
    done = offered.apply(Send(0, card("BP6")))
    assert board(done)["blue-purple.6"] == "red" and "red.3" not in board(done)
    assert number_of("Y4") in done.extras.portals[0].later
    assert [PIECES[number] for number in done.extras.spent] == [card("R3"), card("BP6")]
    assert done.extras.deck == 52
    assert rules(done, Send(0, card("Y4"))) == {"VAR-24"}
    # What was drawn unseen may be any card that nobody knows of.
    unseen = state.apply(drawn("?? ??"))
    assert not rules(unseen, Send(0, card("PR7")))
    assert rules(unseen, Send(0, card("B4"))) == {"VAR-24"}


@allows
@forbids
def test_var_25_arrival_captures_or_resists() -> None:
    state = portal_table("red.3 yellow.4 | green.5", "R3 B4 G5").apply(Activate(0, card("R3")))
    captured = after(state, drawn("G6 Y4"), Send(0, card("Y4")))
    assert board(captured)["red.3"] == "red" and captured.phase == "start"
    assert len(captured.extras.spent) == 2
    enemy = portal_table("red.3 | green.6", "R3 B4 G5").apply(Activate(0, card("R3")))
    taken = after(enemy, drawn("G6 Y4"), Send(0, card("G6")))
    assert taken.expects() == ToMove((0,)) and taken.held is not None and taken.held.color == "orange"
    assert rules(taken, PlacePawn(1, "orange", "red.1")) == {"VAR-25"}
    placed = taken.apply(PlacePawn(0, "orange", "red.1"))
    assert board(placed) == {"green.6": "red", "red.1": "orange"} and placed.phase == "start"
    # Sending somebody else's pawn away: the one who activates places what it captures.
    theirs = portal_table("blue.3 | red.3", "R3 B4 G5").apply(Activate(0, card("R3")))
    sent = after(theirs, drawn("B3 Y4"), Send(0, card("B3")))
    assert sent.held is not None and (sent.held.color, sent.held.seat) == ("red", 0)


@allows
@forbids
def test_var_26_the_first_color_brings_a_portal() -> None:
    state = portal_table("red.8 blue.4 | green.5", "R3 B4 G5", "red blue").apply(go("red.8", "red.9"))
    assert state.expects() == ToDraw(0, 1, "portal deck", False)
    (breach,) = state.violations(drawn("R3 B4"))
    assert breach.text == "1 card is to be drawn, not 2. Say which one came."
    assert rules(state, go("blue.4", "blue.5")) == {"VAR-26"}
    assert rules(state, rolled("red blue")) == {"VAR-26"}
    with pytest.raises(IllegalMove, match="VAR-26"):
        state.apply(drawn("R3"))
    going = state.apply(drawn("BP6"))
    assert going.left == 1 and len(going.extras.portals[0].later) == 1
    second = portal_table("red.9 blue.8 | green.5", "R3 B4 G5 Y7", "red blue").apply(go("blue.8", "blue.9"))
    assert second.phase == "move"


@allows
@forbids
def test_var_27_the_game_ends_when_the_deck_is_exhausted() -> None:
    known = set(map(number_of, ["R3", "B4", "G5", "O3", "Y3", "P3"]))
    others = [PIECES[n] for n in secrets.SECRET if n not in known]
    discards = [f"{piece.color} {piece.rank}" for piece in others[:-3] if isinstance(piece, Card)]
    state = portal_table("red.3 red.9 | green.5", "R3 B4 G5", theirs="O3 Y3 P3", portal_discards=discards)
    assert state.extras.deck == 3
    last = others[-3:]
    drawing = state.apply(Activate(0, card("R3"))).apply(Drawn(0, tuple(last[:2])))
    assert drawing.outcome() is None
    over = drawing.apply(drawing.legal_moves()[0])
    outcome = over.outcome()
    assert outcome is not None and outcome.rule == "VAR-27" and outcome.places == ((0,), (1,))
    with pytest.raises(GameOver, match="VAR-27"):
        over.apply(Roll(0))
    assert rules(over, Activate(0, card("B4"))) == {"VAR-27"}
    gone = portal_table("red.3 | green.5", "R3 B4 G5", theirs="O3 Y3 P3", portal_discards=[*discards, "PR5", "PR6"])
    assert gone.outcome() is not None


@allows
@excludes
def test_var_27_with_weights_the_highest_sum_wins_and_not_most_colors() -> None:
    """Yellow weighs 7, red and purple 3 each."""
    known = set(map(number_of, ["R3", "B4", "G5", "O3", "Y3", "P3"]))
    pieces = [PIECES[number] for number in secrets.SECRET if number not in known]
    spent = [f"{piece.color} {piece.rank}" for piece in pieces[:-1] if isinstance(piece, Card)]
    for options, places in (({}, ((0,), (1,))), ({"weighted": True}, ((1,), (0,)))):
        weights = {"weights": WEIGHTS} if options else {}
        state = portal_table(
            "red.9 purple.9 | yellow.9",
            "R3 B4 G5",
            theirs="O3 Y3 P3",
            portal_discards=spent,
            options=options,
            **weights,
        )
        outcome = state.outcome()
        assert outcome is not None and (outcome.rule, outcome.places) == ("VAR-27", places)


@allows
@forbids
def test_var_28_portals_are_on_spaces_3_to_7() -> None:
    assert {PIECES[number].rank for number in secrets.SECRET} == {3, 4, 5, 6, 7}  # type: ignore[union-attr]
    state = portal_table("red.2 red.9 | green.5", "R3 B4 G5")
    for number in (1, 2, 8, 9):
        assert rules(state, Activate(0, Card("red", number))) == {"VAR-28"}
    assert not rules(portal_table("red.3", "R3 B4 G5"), Activate(0, card("R3")))


@allows
@excludes
@pytest.mark.parametrize(
    ("seats", "captures", "wanted"), [(6, False, 21), (6, True, 18), (2, False, 27), (2, True, 26)]
)
def test_var_29_so_many_activations_and_not_one_more(seats: int, captures: bool, wanted: int) -> None:
    """Unseen cards, one portal after the other, as often as the deck lasts; who has a color has drawn a fourth portal."""
    state = SPECTRUM.start(seats, Options(portals=True))
    if captures:
        pawns = " | ".join(f"{color}.9" for color in PRIMARIES[:seats])
        state = table(pawns, seats=seats, options={"portals": True}, portals=[["??"] * 4] * seats)
    over, count = _play_portals(state, Random(seats))
    assert count == wanted
    held = (number for number in secrets.SECRET if secrets.may_hold(over, over.extras.portals[0], number))
    piece = PIECES[next(held)]
    assert isinstance(piece, Card)
    assert rules(over, Activate(0, piece)) == {"VAR-27"}


def _play_portals(state: SpectrumState, rng: Random) -> tuple[SpectrumState, int]:
    count = 0
    while not isinstance(due := state.expects(), Over):
        if isinstance(due, ToMove):
            moves = state.legal_moves()
            portals: list[Event] = [move for move in moves if isinstance(move, Activate)]
            event = rng.choice(portals or [move for move in moves if not _takes_star(move)] or list(moves))
            count += isinstance(event, Activate)
        elif isinstance(due, ToRoll):
            event = Rolled(tuple(Die(kind, rng.choice(FACES[kind])) for kind in due.dice))
        else:
            event = rng.choice([event for event, _ in SPECTRUM.outcomes(state)])
        state = state.apply(event)
    outcome = state.outcome()
    assert outcome is not None and outcome.rule == "VAR-27"
    return state, count


def _takes_star(move: Any) -> bool:
    return str(getattr(move, "to", "")).endswith(".9")


SWITCHES: dict[str, tuple[Any, ...]] = {
    "shotgun": ("off", "cards", "d12"),
    "cards_as_dice": (False, True),
    "weighted": (False, True),
    "missions": (False, True),
    "portals": (False, True),
    "dice": ("d6", "d12"),
}


@allows
def test_var_30_every_combination_can_be_played() -> None:
    rng = Random(30)
    for values in product(*SWITCHES.values()):
        options = Options(**dict(zip(SWITCHES, values, strict=True)))
        most = 5 if options.missions and options.portals else 6
        state = SPECTRUM.start(rng.randrange(2, most + 1), options)
        for _ in range(60):
            due = state.expects()
            if isinstance(due, Over):
                break
            if isinstance(due, ToMove):
                event: Event = rng.choice(state.legal_moves())
            elif isinstance(due, ToRoll):
                event = Rolled(tuple(Die(kind, rng.choice(FACES[kind])) for kind in due.dice))
            else:
                event = next(iter(SPECTRUM.outcomes(state)))[0]
            state = state.apply(event)
        assert SPECTRUM.load(msgspec.json.encode(state)) == state


@allows
@forbids
def test_var_30_six_players_have_no_36_primary_cards() -> None:
    both = Options(missions=True, portals=True)
    assert SPECTRUM.start(5, both).seats == 5
    assert SPECTRUM.start(6, Options(portals=True)).seats == 6
    for begin in (lambda: SPECTRUM.start(6, both), lambda: SPECTRUM.from_record(6, both, {})):
        with pytest.raises(BadOptions, match="VAR-30"):
            begin()


@allows
@excludes
def test_var_30_missions_are_drawn_before_portals() -> None:
    state = SPECTRUM.start(2, Options(missions=True, portals=True))
    assert state.extras.deck == 60 - 12 - 6
    missions = after(
        state, drawn("R3 B4 G5"), drawn("RO3 OY3 YG3"), drawn("O3 Y3 P3", seat=1), drawn("BP3 GB3 PR3", seat=1)
    )
    assert missions.expects() == ToDraw(0, 3, "primary pile", False)
    with pytest.raises(IllegalMove, match="VAR-22"):
        missions.apply(drawn("R3"))
    with pytest.raises(IllegalMove, match="VAR"):
        missions.apply(rolled("red blue"))
    assert missions.apply(drawn("R4 B5 G6")).extras.portals[0].first


def test_var_19_a_secret_draw_is_redacted_for_all_but_its_owner() -> None:
    state = SPECTRUM.start(2, Options(missions=True))
    told = drawn("R3 O4 Y5")
    assert SPECTRUM.redact(state, told, 0) == told
    assert SPECTRUM.redact(state, told, 1) == SPECTRUM.redact(state, told, None) == drawn("?? ?? ??")
    shown = Shown(1, (card("R3"),))
    assert SPECTRUM.redact(state, shown, 1) == shown and SPECTRUM.redact(state, shown, None) is None


def test_var_6_cards_that_replace_the_dice_are_no_secret() -> None:
    state = SPECTRUM.start(2, Options(cards_as_dice=True, portals=True))
    state = after(state, drawn("R3 O4 Y5"), drawn("R4 O5 Y6", seat=1))
    assert state.phase == "start"
    assert SPECTRUM.redact(state, drawn("R1 B2"), None) == drawn("R1 B2"), "nobody wants to do anything before them"
    assert SPECTRUM.redact(state, Pass(0), None) == Pass(0)
