"""The verdict without the rules as prior, and what that prior is worth."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.core.contract import Drawn
from companion.core.layout import Detection, Layout
from companion.core.verdict import Accepted, Desynchronized, Refused, Same
from companion.referee.matching import match
from simulation.ladder import SET, Lay, dealt
from simulation.matching import noise
from simulation.matching.games import turns
from simulation.matching.without_prior import match_without_prior
from simulation.play import game_of

TILE = {tile.name: tile for tile in SET}
HIDDEN = dealt("?? ??", "?? ??", cells="- - - BBR5")


def reading(**cells: str | None) -> Layout:
    layout = HIDDEN.layout()
    changed = {spot: Detection.sure(TILE[name] if name else None) for spot, name in cells.items()}
    return Layout({**layout.cells, **changed}, layout.heaps)


def test_the_best_readings_are_spelled_out() -> None:
    assert match_without_prior(game_of(HIDDEN), HIDDEN, HIDDEN.layout()) == Same()
    legal = match_without_prior(game_of(HIDDEN), HIDDEN, reading(c4="RRY5"))
    assert isinstance(legal, Accepted)
    assert legal.events == (Lay(4, TILE["RRY5"]),)
    wrong = match_without_prior(game_of(HIDDEN), HIDDEN, reading(c4="GGG6"))
    assert isinstance(wrong, Refused)
    assert wrong.breaches[0].rule == "LAD-3"
    assert isinstance(match_without_prior(game_of(HIDDEN), HIDDEN, reading(c0="RRY5", c8="RRP5")), Desynchronized)


def test_unseen_draws_are_taken_as_made() -> None:
    after = HIDDEN.apply(Lay(4, TILE["RRY5"]))
    assert isinstance(match_without_prior(game_of(after), after, after.layout(), draws_unseen=True), Same)
    both = after.apply(Drawn(0, (None,))).apply(Lay(2, TILE["RRP5"]))
    verdict = match_without_prior(
        game_of(HIDDEN.apply(Lay(4, TILE["RRY5"]))),
        HIDDEN.apply(Lay(4, TILE["RRY5"])),
        both.layout(),
        draws_unseen=True,
    )
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Lay(2, TILE["RRP5"]),)


def test_the_rules_as_prior_find_moves_that_readings_alone_do_not() -> None:
    rng = Random(5)
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for before, _, after in turns(rng, 3, hands="unseen"):
        seen = noise.misread(rng, noise.unsure(rng, after.layout()), after.layout())
        for name, judge in (("with", match), ("without", match_without_prior)):
            verdict = judge(game_of(before), before, seen)
            if isinstance(verdict, Accepted):
                state = before
                for event in verdict.events:
                    state = state.apply(event)
                right[name] += state.layout() == after.layout()
                wrong[name] += state.layout() != after.layout()
            wrong[name] += isinstance(verdict, Refused)
    assert right["with"] > 3 * right["without"]
    assert wrong["with"] == 0
