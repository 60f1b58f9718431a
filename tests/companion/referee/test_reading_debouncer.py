"""Looking twice before saying anything that people have to answer."""

from __future__ import annotations

from companion.layout import Layout
from companion.matching import match
from companion.referee.reading_debouncer import LOOKING, ReadingDebouncer
from companion.verdict import Accepted, Pending, Refused, Same, Unclear, Verdict
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


def test_what_is_decisive_needs_one_look() -> None:
    debouncer = ReadingDebouncer()
    assert debouncer.update(judge, judge, HIDDEN, QUIET, None) == (Same(), False)
    verdict, again = debouncer.update(judge, judge, HIDDEN, reading(("RRY5", 0.99)), None)
    assert isinstance(verdict, Accepted) and not again


def test_a_refusal_needs_two() -> None:
    debouncer = ReadingDebouncer()
    assert debouncer.update(judge, judge, HIDDEN, WRONG, None) == (Pending(LOOKING), True)
    verdict, again = debouncer.update(judge, judge, HIDDEN, WRONG, None)
    assert isinstance(verdict, Refused) and not again


def test_a_first_look_is_a_glance_and_two_together_are_judged() -> None:
    judged: list[Layout] = []

    def considered(layout: Layout) -> Verdict:
        judged.append(layout)
        return Same()

    debouncer = ReadingDebouncer()
    assert debouncer.update(considered, judge, HIDDEN, WRONG, None) == (Pending(LOOKING), True)
    assert not judged
    assert debouncer.update(considered, judge, HIDDEN, WRONG, None) == (Same(), False)
    assert len(judged) == 1


def test_what_rests_on_something_unseen_needs_two() -> None:
    def judge_unseen(layout: Layout) -> Verdict:
        return Accepted((Lay(4, TILE["RRY5"]),), 1.0, 5.0, unseen=True)

    debouncer = ReadingDebouncer()
    table = reading(("RRY5", 0.99))
    assert debouncer.update(judge_unseen, judge_unseen, HIDDEN, table, None) == (Pending(LOOKING), True)
    verdict, again = debouncer.update(judge_unseen, judge_unseen, HIDDEN, table, None)
    assert isinstance(verdict, Accepted) and not again


def test_a_question_needs_two() -> None:
    debouncer = ReadingDebouncer()
    assert debouncer.update(judge, judge, HIDDEN, TORN, None) == (Pending(LOOKING), True)
    assert isinstance(debouncer.update(judge, judge, HIDDEN, TORN, None).verdict, Unclear)


def test_a_second_reading_of_the_same_picture_is_a_second_look() -> None:
    assert isinstance(ReadingDebouncer().update(judge, judge, HIDDEN, WRONG, WRONG).verdict, Refused)
    assert ReadingDebouncer().update(judge, judge, HIDDEN, WRONG, QUIET).verdict == Pending(LOOKING)


def test_looks_at_different_tables_are_not_put_together() -> None:
    debouncer = ReadingDebouncer()
    debouncer.update(judge, judge, HIDDEN, WRONG, None)
    assert debouncer.update(judge, judge, HIDDEN, reading(("YYY6", 0.99)), None) == (Pending(LOOKING), True)


def test_a_look_is_forgotten_once_something_decisive_was_seen() -> None:
    debouncer = ReadingDebouncer()
    debouncer.update(judge, judge, HIDDEN, WRONG, None)
    debouncer.update(judge, judge, HIDDEN, QUIET, None)
    assert debouncer.update(judge, judge, HIDDEN, WRONG, None).verdict == Pending(LOOKING)
    debouncer.forget()
    assert debouncer.update(judge, judge, HIDDEN, WRONG, None).verdict == Pending(LOOKING)


def test_a_second_look_may_settle_a_question() -> None:
    debouncer = ReadingDebouncer()
    first = reading(("RRY5", 0.8), ("RRP5", 0.15))
    assert debouncer.update(judge, judge, HIDDEN, first, None).verdict == Pending(LOOKING)
    verdict = debouncer.update(judge, judge, HIDDEN, reading(("RRY5", 0.85), ("RRP5", 0.06)), None).verdict
    assert isinstance(verdict, Accepted)
