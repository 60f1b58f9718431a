"""The message table itself."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from firmware_protocol import table
from firmware_protocol.table import OPEN_ENDED

TABLE = table.load()


def test_ids_are_unique_and_tell_the_direction() -> None:
    ids = [message.id for message in TABLE.message]
    assert len(ids) == len(set(ids))
    for message in TABLE.message:
        assert (message.id >= 0x40) == (message.kind in ("event", "courtesy")), message.name
        assert message.id < 0x80, message.name
        assert (message.reply is not None) == (message.kind == "request"), message.name


def test_only_the_last_field_is_open_ended() -> None:
    for message in TABLE.message:
        for fields in (message.fields, message.reply or ()):
            assert all(field.type not in OPEN_ENDED for field in fields[:-1]), message.name


def test_everything_fits_into_a_frame() -> None:
    for message in TABLE.message:
        for fields in (message.fields, message.reply or ()):
            dice = 3 * TABLE.limits["dice_max"].value if fields and fields[-1].type == "dice" else 0
            assert sum(field.size for field in fields) + dice <= TABLE.limits["payload_max"].value, message.name


def test_events_begin_with_the_count_of_lost_ones() -> None:
    for message in TABLE.message:
        if message.kind == "event":
            assert (message.fields[0].name, message.fields[0].type) == ("lost", "u16"), message.name


def test_a_table_with_a_missing_key_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "messages.toml"
    broken.write_text("[protocol]\nname = 'TTP'\nmajor = 1\n")
    with pytest.raises(msgspec.ValidationError, match="minor"):
        table.load(broken)
