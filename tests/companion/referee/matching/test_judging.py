"""Verdicts on pictures: first by example on the made-up game Ladder, then over random games of Spectrangle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.core.contract import Drawn, ToDraw
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import TILES, Pyramid, Tile
from companion.core.verdict import Accepted, Desynchronized, Pending, Refused, Same, TakenBack, Unclear, Verdict
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.moves import PlaceTile
from companion.referee.matching import match
from companion.referee.matching.hypotheses import Hypothesis
from companion.referee.matching.judging import may_be_otherwise
from simulation.ladder import SET, Lay, Skip, dealt
from simulation.matching import noise
from simulation.matching.games import draw, turns
from simulation.play import game_of

TILE = {tile.name: tile for tile in SET}
OPEN = dealt("RRR6 RRY5", "BBB6 RRP5", cells="- - - BBR5")
HIDDEN = dealt("?? ??", "?? ??", cells="- - - BBR5")


def seeing(state: Any, heaps: dict[str, str] | None = None, **cells: Detection | str | None) -> Layout:
    """The predicted table with some spots read otherwise; a name is a sure reading, None a surely empty cell."""
    layout = state.layout()
    read = {
        spot: one if isinstance(one, Detection) else Detection.sure(TILE[one] if one else None)
        for spot, one in cells.items()
    }
    held = {spot: tuple(Detection.sure(TILE[name]) for name in names.split()) for spot, names in (heaps or {}).items()}
    return Layout({**layout.cells, **read}, {**layout.heaps, **held})


def test_the_predicted_table_is_no_news() -> None:
    assert match(game_of(OPEN), OPEN, OPEN.layout()) == Same()


def test_spots_that_nobody_looked_at_say_nothing() -> None:
    assert match(game_of(OPEN), OPEN, Layout()) == Same()


def test_a_legal_move_is_accepted_with_its_margin() -> None:
    verdict = match(game_of(HIDDEN), HIDDEN, seeing(HIDDEN, c4="RRY5"))
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Lay(4, TILE["RRY5"]),)
    assert verdict.margin > 3.0
    assert verdict.runner_up


def test_a_move_and_the_draw_after_it_in_one_picture() -> None:
    drawn = OPEN.apply(Lay(4, TILE["RRR6"])).apply(Drawn(0, (TILE["PPP6"],)))
    verdict = match(game_of(OPEN), OPEN, drawn.layout())
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Lay(4, TILE["RRR6"]), Drawn(0, (TILE["PPP6"],)))


def test_two_turns_between_two_pictures() -> None:
    first = OPEN.apply(Lay(4, TILE["RRR6"])).apply(Drawn(0, (TILE["PPP6"],)))
    verdict = match(game_of(OPEN), OPEN, first.apply(Lay(2, TILE["RRP5"])).layout())
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Lay(4, TILE["RRR6"]), Drawn(0, (TILE["PPP6"],)), Lay(2, TILE["RRP5"]))


def test_a_skip_that_no_camera_sees_comes_to_light_with_the_next_move() -> None:
    stuck = dealt("BBB6 GGG6", "RRR6 RRP5", cells="- - - RRY5")
    assert list(stuck.legal_moves()) == [Skip()]
    verdict = match(game_of(stuck), stuck, stuck.apply(Skip()).apply(Lay(4, TILE["RRR6"])).layout())
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Skip(), Lay(4, TILE["RRR6"]))


def test_a_draw_that_nobody_told_comes_to_light_with_the_next_move() -> None:
    due = HIDDEN.apply(Lay(4, TILE["RRY5"]))
    verdict = match(game_of(due), due, seeing(due, c2="RRP5"))
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Drawn(0, (None,)), Lay(2, TILE["RRP5"]))


def test_draws_that_happen_unseen_are_not_named() -> None:
    first = HIDDEN.apply(Lay(4, TILE["RRR6"])).apply(Drawn(0, (None,)))
    both = first.apply(Lay(5, TILE["RRP5"]))
    verdict = match(game_of(HIDDEN), HIDDEN, both.layout(), draws_unseen=True)
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Lay(4, TILE["RRR6"]), Lay(5, TILE["RRP5"]))


def test_who_laid_which_of_two_tiles_in_one_picture_is_asked() -> None:
    both = HIDDEN.apply(Lay(4, TILE["RRR6"])).apply(Drawn(0, (None,))).apply(Lay(2, TILE["RRP5"]))
    verdict = match(game_of(HIDDEN), HIDDEN, both.layout(), draws_unseen=True)
    assert isinstance(verdict, Unclear)
    assert {choice.events for choice in verdict.choices} == {
        (Lay(4, TILE["RRR6"]), Lay(2, TILE["RRP5"])),
        (Lay(2, TILE["RRP5"]), Lay(4, TILE["RRR6"])),
    }


def test_an_illegal_move_is_refused_with_its_rule() -> None:
    verdict = match(game_of(HIDDEN), HIDDEN, seeing(HIDDEN, c4="GGG6"))
    assert isinstance(verdict, Refused)
    assert (verdict.event, verdict.seat) == (Lay(4, TILE["GGG6"]), 0)
    assert [breach.rule for breach in verdict.breaches] == ["LAD-3"]


def test_an_illegal_move_after_a_draw_that_the_same_picture_shows() -> None:
    due = OPEN.apply(Lay(4, TILE["RRR6"]))
    verdict = match(game_of(due), due, seeing(due, {"seat0.hand": "RRY5 GGG6", "seat1.hand": "RRP5"}, c5="BBB6"))
    assert isinstance(verdict, Refused)
    assert verdict.before == (Drawn(0, (TILE["GGG6"],)),)
    assert (verdict.event, verdict.seat) == (Lay(5, TILE["BBB6"]), 1)


@pytest.mark.parametrize("confidence", [0.4, 0.6, 0.8, 0.9])
def test_one_doubtful_cell_is_never_an_accusation(confidence: float) -> None:
    doubtful = seeing(HIDDEN, c4=noise.ranked((TILE["GGG6"], confidence)))
    assert isinstance(match(game_of(HIDDEN), HIDDEN, doubtful), Pending | Same | Unclear)


def test_an_illegal_move_that_is_merely_rarer_than_a_misreading_is_asked_about() -> None:
    verdict = match(game_of(HIDDEN), HIDDEN, seeing(HIDDEN, c4=noise.ranked((TILE["GGG6"], 0.9))))
    assert isinstance(verdict, Unclear)
    assert [(one.events, [breach.rule for breach in one.breaches]) for one in verdict.choices] == [
        ((Lay(4, TILE["GGG6"]),), ["LAD-3"])
    ]


@pytest.mark.parametrize("confidence", [0.4, 0.6, 0.8])
def test_one_doubtful_cell_is_never_a_move(confidence: float) -> None:
    doubtful = seeing(HIDDEN, c4=noise.ranked((TILE["RRY5"], confidence)))
    assert isinstance(match(game_of(HIDDEN), HIDDEN, doubtful), Pending | Same)


def test_the_rules_overrule_a_reading_that_is_a_little_surer_of_an_illegal_tile() -> None:
    verdict = match(
        game_of(HIDDEN), HIDDEN, seeing(HIDDEN, c4=noise.ranked((TILE["GGG6"], 0.55), (TILE["RRY5"], 0.44)))
    )
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Lay(4, TILE["RRY5"]),)


def test_two_legal_moves_that_look_the_same_are_asked_about() -> None:
    verdict = match(game_of(HIDDEN), HIDDEN, seeing(HIDDEN, c4=noise.ranked((TILE["RRY5"], 0.5), (TILE["RRP5"], 0.49))))
    assert isinstance(verdict, Unclear)
    assert {choice.events for choice in verdict.choices} == {(Lay(4, TILE["RRY5"]),), (Lay(4, TILE["RRP5"]),)}
    assert all(not choice.breaches for choice in verdict.choices)


def test_a_legal_and_an_illegal_move_that_look_the_same_are_asked_about() -> None:
    verdict = match(
        game_of(HIDDEN),
        HIDDEN,
        seeing(HIDDEN, c4=noise.ranked((TILE["GGG6"], 0.97), (TILE["RRY5"], 0.02), (None, 0.0))),
    )
    assert isinstance(verdict, Unclear)
    assert sorted(bool(choice.breaches) for choice in verdict.choices) == [False, True]


def test_a_tile_in_the_air_is_pending() -> None:
    verdict = match(game_of(OPEN), OPEN, seeing(OPEN, {"seat0.hand": "RRR6"}))
    assert isinstance(verdict, Pending)
    assert "RRY5 from player 1's hand" in verdict.text


def test_a_draw_in_parts_is_accepted_part_by_part_where_the_game_allows_it() -> None:
    start = dealt("", "BBB6 RRP5", cells="- - - BBR5", turn=0)
    verdict = match(game_of(start), start, seeing(start, {"seat0.hand": "GGG6"}))
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Drawn(0, (TILE["GGG6"],)),)


def test_a_draw_that_is_not_complete_is_pending() -> None:
    start = dealt("", "", cells="- - - BBR5", turn=0)
    assert start.expects() == ToDraw(1, 2, "bag", True)
    verdict = match(game_of(start), start, seeing(start, {"seat0.hand": "GGG6"}))
    assert isinstance(verdict, Pending)
    assert verdict.text == "1 of 2 pieces are drawn. The draw is judged when it is complete."


def test_moves_taken_back_are_asked_about_with_the_row() -> None:
    earlier = [dealt("?? ??", "?? ??"), HIDDEN]
    now = HIDDEN.apply(Lay(4, TILE["RRY5"]))
    assert match(game_of(now), now, seeing(now, c4=None), history=earlier) == TakenBack(1)
    assert match(game_of(now), now, seeing(now, c4=None, c3=None), history=earlier) == TakenBack(0)


def test_a_table_that_no_move_explains_is_out_of_step_spot_by_spot() -> None:
    verdict = match(game_of(OPEN), OPEN, seeing(OPEN, c0="RRR6", c7="BBB6"))
    assert isinstance(verdict, Desynchronized)
    assert {difference.spot for difference in verdict.differences} == {"c0", "c7"}


def test_one_laid_tile_surely_misread_does_not_hide_a_move() -> None:
    verdict = match(game_of(OPEN), OPEN, seeing(OPEN.apply(Lay(4, TILE["RRR6"])), c3=noise.ranked((TILE["GGG6"], 0.9))))
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Lay(4, TILE["RRR6"]),)


# Random games of Spectrangle.

HANDS = ["open", "unseen"]


def outcome(verdict: Verdict, before: Any, after: Any) -> str:
    """What became of one picture."""
    if not isinstance(verdict, Accepted):
        return type(verdict).__name__
    state = before
    for event in verdict.events:
        state = state.apply(event)
    return "right" if state.layout() == after.layout() else "wrong"


def tally(hands: str, games: int, fault: Callable[[Random, Any], Layout], seed: int = 3) -> Counter[str]:
    """Verdicts over random games, through a reader with a fault."""
    rng = Random(seed)
    found: Counter[str] = Counter()
    for before, _, after in turns(rng, games, hands=hands):
        if before.layout().differences(after.layout()):
            found[outcome(match(game_of(before), before, fault(rng, after)), before, after)] += 1
    return found


@pytest.mark.parametrize("hands", HANDS)
def test_every_move_is_found_in_its_own_picture(hands: str) -> None:
    found = tally(hands, 3, lambda rng, state: state.layout())
    assert set(found) == {"right"}
    assert found["right"] > 60


@pytest.mark.parametrize("hands", HANDS)
def test_an_unsure_reader_leads_to_questions_but_to_no_mistake(hands: str) -> None:
    found = tally(hands, 3, lambda rng, state: noise.unsure(rng, state.layout()))
    assert set(found) <= {"right", "Unclear", "Pending"}
    assert found["right"] > 0.75 * found.total()


@pytest.mark.parametrize("hands", HANDS)
def test_cells_out_of_sight_lead_to_no_mistake(hands: str) -> None:
    found = tally(hands, 3, lambda rng, state: noise.hidden(rng, state.layout(), 4))
    assert not found["wrong"]
    assert not found["Refused"]


@pytest.mark.parametrize("hands", HANDS)
def test_one_misread_cell_leads_to_no_wrong_move_and_no_accusation(hands: str) -> None:
    found = tally(hands, 4, lambda rng, state: noise.misread(rng, noise.unsure(rng, state.layout()), state.layout()))
    assert not found["wrong"]
    assert not found["Refused"]
    assert found["right"] > 0.7 * found.total()


@pytest.mark.parametrize("hands", HANDS)
def test_one_tile_taken_for_another_leads_to_no_accusation(hands: str) -> None:
    found = tally(hands, 4, lambda rng, state: noise.swapped(rng, noise.unsure(rng, state.layout()), state.layout()))
    assert not found["Refused"]


@pytest.mark.parametrize("hands", HANDS)
def test_nothing_happens_while_nobody_moves(hands: str) -> None:
    rng = Random(4)
    for before, _, _ in turns(rng, 2, hands=hands):
        layout = noise.misread(rng, noise.unsure(rng, before.layout()), before.layout())
        assert not isinstance(match(game_of(before), before, layout), Accepted | Refused)


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("hands", HANDS)
def test_every_illegal_placement_is_refused_with_its_rules(hands: str, drawn: bool) -> None:
    rng = Random(6)
    rules: Counter[str] = Counter()
    for before, _, _ in turns(rng, 3, hands=hands):
        place = illegal_placement(before, rng)
        if place is None:
            continue
        wrong = before.apply_unchecked(place)
        verdict = match(game_of(before), before, (draw(wrong, rng) if drawn else wrong).layout())
        assert isinstance(verdict, Refused)
        assert (verdict.event, verdict.breaches, verdict.before) == (place, before.violations(place), ())
        rules.update(breach.rule for breach in verdict.breaches)
    assert {"TRI-9", "TRI-11"} <= set(rules)


def illegal_placement(state: Any, rng: Random) -> PlaceTile | None:
    """A placement that breaks a rule, with a tile that the player may hold."""
    cells = state.layout().cells
    empty = [cell for cell in range(36) if cells[f"c{cell}"].piece is None]
    tiles = [tile for tile in TILES if tile in SPECTRANGLE.unseen(state)] or list(TILES)
    heap = state.layout().heaps.get(f"seat{state.turn}.hand")
    if heap:
        tiles = [sighting.piece for sighting in heap if isinstance(sighting.piece, Tile)]
    if not empty:
        return None
    for _ in range(20):
        place = PlaceTile(rng.choice(empty), rng.choice(tiles).turned(rng.randrange(3)))
        if state.violations(place):
            return place
    return None


def test_a_cell_whose_top_may_be_what_a_move_brings_is_asked_about() -> None:
    state = REGENBOGEN.start(2, REGENBOGEN.Options())
    event = REGENBOGEN.parse(state, "white moves e2 to e3")
    after = state.apply(event).layout().cells
    blue, other = after["e3"].piece, Pyramid("purple", "small")

    def shown(share: float) -> Layout:
        return Layout(cells={**after, "e3": Detection((Candidate(other, 1 - share), Candidate(blue, share)))})

    verdict = match(REGENBOGEN, state, shown(0.06))
    assert isinstance(verdict, Unclear)
    assert [choice.events for choice in verdict.choices] == [(event,)]
    assert isinstance(match(REGENBOGEN, state, shown(0.001)), Pending), "the piece from e2 is off the table"


@pytest.mark.parametrize(("later", "asked"), [(4.2, True), (5.8, False)])
def test_what_rests_on_something_unseen_is_asked_about_while_another_legal_story_is_150_times_as_unlikely_at_most(
    later: float, asked: bool
) -> None:
    """The other story fits the picture as well, so only the priors differ."""
    best, rival = (
        Hypothesis((event,), then := OPEN.apply(event), then.layout(), 0.0, prior)
        for event, prior in ((Lay(4, TILE["RRR6"]), 1.0), (Lay(4, TILE["RRY5"]), 1.0 + later))
    )
    assert may_be_otherwise(OPEN, best._replace(unseen=True), [rival], False) == asked
    assert not may_be_otherwise(OPEN, best._replace(unseen=True), [rival._replace(nll_ratio=2.0)], False)
