"""A deal is proved by its seed, and a card that was changed is found out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.referee.journal import Header, Row
from companion.referee.session.croupier import Proof, prove
from tests.companion.dealt import SEED, begun, played, sessions


@pytest.fixture
def game(tmp_path: Path) -> tuple[Header, tuple[Row, ...]]:
    """A short game of Cribbage that software dealt, with an undo in it."""
    here = sessions(tmp_path)
    table = played(begun(here, "cribbage", 2, target=40), most=4)
    table.undo(table.session.seq - 1, "hasty", source="page")
    played(table, number=2)
    here.journal.close()
    return table.session.header, table.session.rows()


def proved(header: Header, rows: tuple[Row, ...], kept: bytes | None = None) -> Proof:
    found = prove(GAMES[header.game], header, rows, kept)
    assert found is not None
    return found


def changed(rows: tuple[Row, ...], n: int, **fields: Any) -> tuple[Row, ...]:
    return (*rows[: n - 1], replace(rows[n - 1], **fields), *rows[n:])


def test_a_whole_game_proves_its_deal(game: tuple[Header, tuple[Row, ...]]) -> None:
    found = proved(*game)
    assert (found.fault, found.seed) == (None, "record")
    assert found.draws == sum(row.kind == "chance" for row in game[1]) > 6
    assert "The deal is proved" in found.sentence


def test_a_game_that_goes_on_is_proved_by_the_kept_seed_alone(game: tuple[Header, tuple[Row, ...]]) -> None:
    header, rows = game
    assert rows[-1].kind == "reveal"
    open_ = rows[:-1]
    assert proved(header, open_).seed is None and "when the game is over" in proved(header, open_).sentence
    assert proved(header, open_, SEED).seed == "journal" and proved(header, open_, SEED).fault is None
    fault = proved(header, open_, bytes(32)).fault
    assert fault is not None and "was shown before the deal" in fault


def test_another_seed_or_commitment_is_found_out(game: tuple[Header, tuple[Row, ...]]) -> None:
    header, rows = game
    for seed in (bytes(32).hex(), "12", 7):
        assert proved(header, changed(rows, len(rows), more={"seed": seed})).fault is not None
    without = tuple(row for row in rows if row.kind != "commitment")
    assert "No commitment" in str(proved(header, without).fault)


def test_a_card_that_was_changed_is_found_out(game: tuple[Header, tuple[Row, ...]]) -> None:
    header, rows = game
    last = max(row.n for row in rows if row.kind == "chance")
    event = GAMES["cribbage"].event(rows[last - 1].event)
    cribbage = GAMES["cribbage"]
    start = cribbage.start(2, cribbage.Options())
    other = next(piece for piece in cribbage.unseen(start) if piece not in event.pieces)
    data = {"type": "drawn", "seat": event.seat, "pieces": [{"type": "card", "color": other.color, "rank": other.rank}]}
    forged = changed(rows[:last], last, event=data)
    fault = proved(header, forged, SEED).fault
    assert fault is not None and fault.startswith(f"Row {last} (")
    told = changed(rows, last, source="page")
    assert "was not dealt by the program" in str(proved(header, told).fault)


def test_other_games_have_no_deal_to_prove(game: tuple[Header, tuple[Row, ...]]) -> None:
    header, rows = game
    assert prove(GAMES["cribbage"], replace(header, draws="told"), rows) is None
