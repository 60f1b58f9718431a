"""Looking several times before saying anything that people have to answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from companion.core.layout import Layout
from companion.core.verdict import Accepted, Pending, Refused, Reread, Same, Unclear, Verdict
from companion.referee.matching import LOOKS, match
from companion.referee.table.reading_debouncer import LOOKING, Considered, ReadingDebouncer
from simulation.ladder import LADDER, SET, Lay, dealt
from simulation.matching.noise import ranked

TILE = {tile.name: tile for tile in SET}
HIDDEN = dealt("?? ??", "?? ??", cells="- - - BBR5")
QUIET = HIDDEN.layout()


def judge(layout: Layout) -> Verdict:
    return match(LADDER, HIDDEN, layout)


def reading(*candidates: tuple[str, float]) -> Layout:
    sighting = ranked(*((TILE[name], probability) for name, probability in candidates), (None, 0.0))
    return Layout({**QUIET.cells, "c4": sighting})


WRONG = reading(("GGG6", 0.99))
TORN = reading(("RRY5", 0.5), ("RRP5", 0.49))


class Looks:
    """A debouncer with readings that come one by one."""

    def __init__(self, judge: Callable[[Layout], Verdict] = judge) -> None:
        self.debouncer = ReadingDebouncer()
        self.judged: list[Layout] = []
        self._judge = judge

    def take(self, layout: Layout, further: Sequence[Layout] = ()) -> Considered:
        return self.debouncer.update(self._considered, self._judge, HIDDEN, layout, further)

    def _considered(self, layout: Layout) -> Verdict:
        self.judged.append(layout)
        return self._judge(layout)


def test_what_is_decisive_needs_one_look() -> None:
    looks = Looks()
    assert looks.take(QUIET).verdict == Same()
    verdict, _, again = looks.take(reading(("RRY5", 0.99)))
    assert isinstance(verdict, Accepted) and not again
    assert not looks.judged


def test_a_refusal_needs_three() -> None:
    looks = Looks()
    for _ in range(LOOKS - 1):
        verdict, _, again = looks.take(WRONG)
        assert verdict == Pending(LOOKING) and again
    assert not looks.judged, "until then they are glances"
    verdict, seen, again = looks.take(WRONG)
    assert isinstance(verdict, Refused) and not again
    assert looks.judged == [seen]
    assert seen.looks["c4"] == 3


def test_a_question_needs_three() -> None:
    looks = Looks()
    assert [type(looks.take(TORN).verdict) for _ in range(3)] == [Pending, Pending, Unclear]


@pytest.mark.parametrize(
    "accepted",
    [
        Accepted((Lay(4, TILE["RRY5"]),), 1.0, 5.0, unseen=True),
        Accepted((Lay(4, TILE["RRY5"]),), 1.0, 5.0, given=Reread("c3", TILE["YYY6"], None, 1, HIDDEN)),
    ],
    ids=["an unseen draw", "an earlier misreading"],
)
def test_what_rests_on_more_than_the_picture_needs_two(accepted: Accepted) -> None:
    looks = Looks(lambda layout: accepted)
    assert looks.take(reading(("RRY5", 0.99))).verdict == Pending(LOOKING)
    verdict, _, again = looks.take(reading(("RRY5", 0.99)))
    assert isinstance(verdict, Accepted) and not again


def test_further_readings_of_the_same_picture_are_further_looks() -> None:
    assert isinstance(Looks().take(WRONG, (WRONG, WRONG)).verdict, Refused)
    assert Looks().take(WRONG, (WRONG, QUIET)).seen.looks["c4"] == 2, "one of them shows the cell empty"


def test_only_the_last_three_readings_count() -> None:
    assert Looks().take(WRONG, (WRONG, WRONG, WRONG)).seen.looks["c4"] == 3
    assert isinstance(Looks().take(WRONG, (QUIET, QUIET, QUIET)).verdict, Same)


def test_a_look_is_held_against_the_one_before_it() -> None:
    looks = Looks(lambda layout: Pending("Look."))
    other = reading(("YYY6", 0.99))
    for layout, count in ((WRONG, 1), (replace(other, again=True), 2), (other, 3)):
        assert looks.take(layout).seen.looks["c3"] == count


def test_looks_at_different_tables_are_not_put_together() -> None:
    looks = Looks()
    looks.take(WRONG)
    looks.take(WRONG)
    assert looks.take(reading(("YYY6", 0.99))).verdict == Pending(LOOKING)


def test_a_further_look_counts_whatever_it_shows_if_the_eyes_say_that_it_is_one() -> None:
    looks = Looks()
    looks.take(WRONG)
    other = replace(reading(("YYY6", 0.99)), again=True)
    assert looks.take(other).seen.looks["c3"] == 2
    assert looks.take(other).seen.looks == {**dict.fromkeys(QUIET.cells, 3), "c4": 2}


def test_a_look_is_forgotten_once_something_decisive_was_seen() -> None:
    looks = Looks()
    looks.take(WRONG)
    looks.take(WRONG)
    looks.take(QUIET)
    assert looks.take(WRONG).verdict == Pending(LOOKING)
    looks.take(WRONG)
    looks.debouncer.forget()
    assert looks.take(WRONG).verdict == Pending(LOOKING)


def test_a_second_look_may_settle_a_question() -> None:
    looks = Looks()
    assert looks.take(reading(("RRY5", 0.8), ("RRP5", 0.15))).verdict == Pending(LOOKING)
    assert isinstance(looks.take(reading(("RRY5", 0.85), ("RRP5", 0.06))).verdict, Accepted)
