"""What is told about a position of Regenbogen agrees with what the rules then do."""

from __future__ import annotations

from random import Random

from companion.games.regenbogen.advice import dominations, effect, stores
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.moves import Fight, Go, Heal, OfferDraw, Recover, SelfDestruct, Summon
from companion.games.regenbogen.state import RegenbogenState
from tests.companion.games.regenbogen.short_regenbogen import alive, at, table


def told(state: RegenbogenState, line: str) -> tuple[str, str]:
    """Note and words of a line."""
    found = effect(state, REGENBOGEN.parse(state, line))
    return found.note, found.text


def test_rgb_18_a_fight_is_told_with_what_it_leaves() -> None:
    state = alive("b4 W red wizard 5, c5 B green wizard 5, b5 B yellow wizard 2, a5 B cleric 1", spells=[0, 1])
    assert told(state, "white fights c5 with b4") == ("-4", "4 damage (RGB-18): 5 becomes 1 health")
    assert told(state, "white fights b5 with b4") == (
        "-3",
        "3 damage (RGB-18): more than its 2 health, so it is killed",
    )
    assert told(state, "white fights a5 with b4")[1].endswith("its owner gives up a spell or the Cleric")


def test_rgb_13_a_boosted_move_says_why() -> None:
    state = alive("b5 W red wizard 5, e1 B blue wizard 5")
    assert told(state, "white moves b5 to b6")[1] == "1 cell"
    assert told(state, "white moves b5 to b8")[1] == "3 cells, boosted: it starts on its own color, RGB-13"


def test_rgb_14_a_boost_on_the_way_says_so() -> None:
    state = alive("a6 W red wizard 5, e1 B blue wizard 5")
    assert told(state, "white moves a6 to d3")[1] == "3 cells, boosted: its own color lies on the way, RGB-14"


def test_stores_and_costs() -> None:
    state = alive(
        "b4 W red wizard 5, c4 W red spirit 2, d4 W cleric 5, e4 W blue wizard 3, b8 B red wizard 5", spells=[3, 0]
    )
    red = stores(state, 0)[0]
    assert (red.wizard, red.spirits, red.spirits_left, red.health_left) == (5, (2,), 3, 8)
    assert stores(state, 0)[1].wizard is None
    note, words = told(state, "white summons on b5 with b4")
    assert note == "+3" and "it keeps 2 Spirits and 5 health" in words
    assert (
        told(state, "white heals e4 by 2 with d4")[1]
        == "blue Wizard: 3 becomes 5 health (RGB-21); costs a spell, 2 left"
    )
    assert told(state, "white recovers a spell")[1] == "3 becomes 4 spells (RGB-22)"


def test_rgb_23_a_self_destruct_names_everybody_around() -> None:
    state = alive("c4 W red spirit 0, b4 W blue wizard 2, d5 B red wizard 5")
    note, words = told(state, "white self-destructs c4")
    assert note == "-3"
    assert "White's blue Wizard on b4: more than its 2 health, so it is killed" in words
    assert "Black's red Wizard on d5: 5 becomes 2 health" in words


def test_rgb_25_progress_takes_the_nearest_way() -> None:
    white = "b1 W red wizard, b2 W orange wizard, c1 W ultima wizard, c2 W yellow wizard, d2 W green wizard"
    black = "d8 B ultima wizard, c7 B green wizard, d7 B yellow wizard, b7 B blue wizard, b8 B purple wizard"
    state = table(f"{white}, e2 W blue wizard, e1 W purple wizard, {black}")
    found = {one.name: (one.way, one.dead) for one in dominations(state, 0)}
    assert found["Triad"] == (("red", "orange", "yellow"), ("red", "orange"))
    assert found["Dual"] == (("red", "green", "orange", "blue"), ("red", "orange"))
    assert found["Ultima"] == (("ultima",), ())
    assert all(not one.dead for one in dominations(state, 1))


def test_what_is_told_is_what_happens() -> None:
    """All through a random game: damage, heals and summons do what was told."""
    rng = Random(5)
    state = REGENBOGEN.start(2, REGENBOGEN.Options())
    seen = set()
    while state.ending is None:
        moves = [move for move in state.legal_moves() if not isinstance(move, OfferDraw)]
        move = rng.choice([one for one in moves if isinstance(one, Fight | Heal | Recover | SelfDestruct)] or moves)
        if isinstance(move, Go | Fight | Summon | Heal | Recover | SelfDestruct):
            words = effect(state, move).text
            after = state.apply(move)
            if isinstance(move, Fight):
                there = at(after, move.target)
                assert (there is None) == ("it is killed" in words)
                assert there is None or after.saving or f"becomes {there[-1]} health" in words
            if isinstance(move, Heal | Summon):
                spot = move.target if isinstance(move, Heal) else move.to
                assert f"{(at(after, spot) or '')[-1]} health" in words
            seen.add(type(move))
        state = state.apply(move)
    assert seen >= {Go, Fight, Summon}
