"""Games that say themselves which events may lie behind a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from companion.core.capabilities import Proposer
from companion.core.contract import Event
from companion.core.layout import Detection, Layout
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.guided import GuidedSearch, search_of
from companion.referee.matching.hypotheses import ILLEGAL, Search
from simulation.ladder import LADDER, SET, Ladder, Lay, dealt

TILE = {tile.name: tile for tile in SET}
HIDDEN = dealt("?? ??", "?? ??", cells="- - - BBR5")


def offers(*lays: Lay) -> Callable[[Ladder, Layout], Iterable[Event]]:
    """What a proposer offers, whatever is seen."""
    return lambda state, seen: lays


PLAIN = LADDER.proposer
assert PLAIN is not None
KNOWING = replace(PLAIN, candidates=offers(Lay(4, TILE["RRY5"]), Lay(4, TILE["GGG6"])))
"""Two placements are offered, one of them illegal."""
SUSPICIOUS = replace(
    KNOWING, illegal_candidates=offers(Lay(4, TILE["RRY5"]), Lay(4, TILE["GGG6"]), Lay(4, TILE["YYY6"]))
)


def search(proposer: Proposer[Ladder], tile: str) -> Any:
    seen = Layout({**HIDDEN.layout().cells, "c4": Detection.sure(TILE[tile])})
    return search_of(replace(LADDER, proposer=proposer), HIDDEN, Evidence(seen), draws_unseen=False)


def test_only_games_that_offer_events_are_asked() -> None:
    assert type(search(PLAIN, "RRY5")) is Search
    assert type(search(KNOWING, "RRY5")) is GuidedSearch


def test_the_legal_events_that_a_game_offers_are_looked_at_and_no_others() -> None:
    found = search(KNOWING, "RRR6").legal()
    assert {one.events for one in found if len(one.events) == 1} == {(Lay(4, TILE["RRY5"]),)}


def test_without_offers_of_illegal_events_the_game_is_asked_what_the_change_looks_like() -> None:
    one = search(KNOWING, "GGG6")
    (wrong,) = one.illegal(one.legal())
    assert (wrong.events, wrong.prior) == ((Lay(4, TILE["GGG6"]),), ILLEGAL)


def test_illegal_events_that_explain_nothing_are_left_out() -> None:
    one = search(SUSPICIOUS, "GGG6")
    found = one.illegal(one.legal())
    assert [wrong.events for wrong in found] == [(Lay(4, TILE["GGG6"]),)]
    assert found[0].breaches[0].rule == "LAD-3"
