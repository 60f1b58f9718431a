"""Any commands in any order, from several people at once: table and journal stay one."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.foundation.errors import CompanionError, StaleCommand
from companion.core.layout import Layout
from companion.referee.journal import Journal
from companion.referee.journal.record import replay
from companion.referee.table.table import Table
from simulation.ladder import LADDER, SET, Lay
from simulation.matching import noise
from simulation.play import header, random_event


def command(table: Table, rng: Random) -> None:
    """Something that a person or a camera may do, sensible or not."""
    source: Any = "page"
    match rng.randrange(10):
        case 0:
            table.undo(rng.randint(-1, table.session.seq + 1), "why not", source=source)
        case 1:
            table.correct(
                rng.randint(0, table.session.seq + 1), Lay(rng.randrange(9), rng.choice(SET)), "", source=source
            )
        case 2:
            table.play(Lay(rng.randrange(-1, 12), rng.choice(SET)), source=source, expected=rng.choice([None, 1]))
        case 3:
            rng.choice([table.agree, table.misread])(source=source)
        case 4:
            table.answer(rng.randrange(3), source=source)
        case 5:
            table.set_position(msgspec.to_builtins(rng.choice(table.session.steps()).state), "", source=source)
        case 6 | 7:
            table.play(random_event(table.session.state, rng), source=source)
        case _:
            table.see(picture(table.session.state, rng), rng.randrange(100))


def picture(state: Any, rng: Random) -> Layout:
    """The table now, after a legal event, or after an illegal one, well read or not."""
    try:
        shown = rng.choice(
            [state, state.apply(random_event(state, rng)), state.apply_unchecked(Lay(5, rng.choice(SET)))]
        )
    except (CompanionError, IndexError):
        shown = state
    layout: Layout = shown.layout()
    return rng.choice([layout, noise.misread(rng, layout, layout)])


@pytest.mark.parametrize("draws", ["told", "unseen"])
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_done_the_journal_tells_the_same_game(tmp_path: Path, seed: int, draws: str) -> None:
    journal = Journal.open(tmp_path / "games.journal")
    table = Table(LADDER, journal.begin(header("ladder", draws=draws)), journal, clock=lambda: 1.0)
    rng = Random(seed)
    refused = 0
    for _ in range(120):
        before = table.session.state, table.session.seq
        try:
            command(table, rng)
        except (CompanionError, IndexError):
            refused += 1
            assert (table.session.state, table.session.seq) == before
    found = replay(LADDER, table.session.header, journal.rows(table.session.header.id))
    assert found.change is None
    assert found.timeline is not None and found.timeline.state == table.session.state
    again = Table(LADDER, table.session.header, journal)
    assert (again.session.state, again.session.rows(), again.session.undone()) == (
        table.session.state,
        table.session.rows(),
        table.session.undone(),
    )
    assert 0 < refused < 120
    assert table.session.seq > 20
    journal.close()


def test_of_many_commands_on_one_row_one_is_taken(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "games.journal")
    table = Table(LADDER, journal.begin(header("ladder", draws="unseen")), journal)
    stale = []
    taken = []

    def insist(seed: int) -> None:
        rng = Random(seed)
        for _ in range(20):
            seq = table.session.seq
            try:
                taken.append(table.undo(rng.randint(0, seq), "", source="page", expected=seq).n)
            except StaleCommand:
                stale.append(seq)

    people = [threading.Thread(target=insist, args=(seed,)) for seed in range(6)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(taken) == list(range(1, len(taken) + 1))
    assert len(taken) + len(stale) == 120
    assert [row.n for row in journal.rows(table.session.header.id)] == sorted(taken)
    journal.close()
