"""Payloads there and back, and what later versions may append."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_protocol import messages
from firmware_protocol.messages import LedShow, RollSettled, StatsReply
from firmware_protocol.payload import BadPayload, DieReading, Payload
from tests.firmware_protocol.golden import VECTORS, named


def build(vector: dict[str, Any]) -> Payload:
    """The message of a golden vector."""
    kind: type[Payload] = getattr(messages, vector["message"])
    types = kind.__annotations__
    values = {
        name: bytes.fromhex(value)
        if types[name] == "bytes"
        else tuple(DieReading(*one) for one in value)
        if isinstance(value, list)
        else value
        for name, value in vector["fields"].items()
    }
    return kind(**values)


@pytest.mark.parametrize("vector", named("messages"))
def test_golden_payloads(vector: dict[str, Any]) -> None:
    made = build(vector)
    assert made.pack().hex() == vector["payload"]
    assert type(made).unpack(made.pack()) == made


def test_every_message_has_a_golden_payload() -> None:
    every = {kind.__name__ for group in (messages.REQUESTS, messages.REPLIES, messages.TOLD) for kind in group.values()}
    assert {vector["message"] for vector in VECTORS["messages"]} == every


@pytest.mark.parametrize("vector", named("messages"))
def test_a_payload_that_a_later_version_made_longer_is_read_by_its_prefix(vector: dict[str, Any]) -> None:
    made = build(vector)
    if made.TAIL != "rest":
        assert type(made).unpack(made.pack() + b"\xee\xee") == made


@pytest.mark.parametrize("vector", [v for v in named("messages") if v.values[0]["payload"]])
def test_a_payload_that_is_too_short_is_refused(vector: dict[str, Any]) -> None:
    made = build(vector)
    if made.TAIL != "rest":
        with pytest.raises(BadPayload, match=made.NAME):
            type(made).unpack(made.pack()[:-1])


def test_dice_that_are_announced_must_be_there() -> None:
    payload = RollSettled(0, 1, 0, 0, (DieReading(0, 3, 200), DieReading(1, 5, 200))).pack()
    with pytest.raises(BadPayload, match="2 dice are announced, 1 are there"):
        RollSettled.unpack(payload[:-2])


def test_a_number_that_does_not_fit_is_refused_where_it_is_made() -> None:
    with pytest.raises(ValueError, match="LED_SHOW"):
        LedShow(70000, 255).pack()


def test_integers_travel_low_byte_first() -> None:
    assert StatsReply(0x0102, 0, 0, 0, 0, 0, 0, 0, 0x03040506).pack().hex() == "0201" + "00" * 14 + "06050403"
