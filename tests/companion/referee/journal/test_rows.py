"""Headers, rows, digests and the chain."""

from __future__ import annotations

from random import Random

import msgspec
from msgspec.structs import replace

from companion.games import GAMES
from companion.referee.journal import Row, digest
from companion.referee.journal.rows import entry, link, root
from simulation.ladder import Ladder, dealt
from simulation.matching.games import turns
from simulation.play import header

ROW = Row(
    n=1,
    at=2.0,
    kind="move",
    seat=1,
    event={"b": 1, "a": 2},
    text="x",
    source="camera",
    scores=(1, 2),
    legal=3,
    digest="d",
    more={"z": 1, "y": 2},
)


def test_equal_states_share_a_digest_and_different_ones_do_not() -> None:
    assert digest(dealt("RRR6 ??", "BBB6")) == digest(dealt("?? RRR6", "BBB6"))
    assert digest(dealt("RRR6", "BBB6")) != digest(dealt("BBB6", "RRR6"))
    assert len(digest(Ladder(()))) == 16


def test_a_state_keeps_its_digest_through_json() -> None:
    game = GAMES["spectrangle"]
    for before, _, after in turns(Random(1), 1):
        assert digest(game.load(msgspec.json.encode(after))) == digest(after)
        assert digest(before) != digest(after)


def test_the_chain_does_not_depend_on_the_order_of_keys_or_on_the_hash_itself() -> None:
    same = replace(ROW, event={"a": 2, "b": 1}, more={"y": 2, "z": 1}, hash="anything")
    assert entry(same) == entry(ROW)


def test_every_field_is_part_of_the_chain() -> None:
    before = root(header())
    hashes = {link(before, entry(ROW))}
    changes = {
        "n": 2, "at": 2.5, "kind": "agreed", "seat": 0, "event": None, "text": "y", "source": "page", "scores": (1, 3),
        "legal": 4, "digest": "e", "more": {},
    }  # fmt: skip
    for name, value in changes.items():
        hashes.add(link(before, entry(replace(ROW, **{name: value}))))
    hashes.add(link(root(header(names=("Eve", "Bea"))), entry(ROW)))
    assert len(hashes) == len(changes) + 2
    assert set(changes) | {"hash"} == set(Row.__struct_fields__)
