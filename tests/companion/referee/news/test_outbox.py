"""An outbox: in order, bounded, and what does not fit is counted and told."""

from __future__ import annotations

import threading
import time

import pytest

from companion.referee.news.bulletin import News
from companion.referee.news.news_publisher import Outbox


def news(number: int) -> News:
    return News(f"g:{number}", "table", "row", 0.0, "g", number, {})


def test_news_leave_in_order() -> None:
    outbox = Outbox("one")
    for number in range(3):
        outbox.put(news(number))
    assert len(outbox) == 3
    assert [outbox.take(0) for _ in range(4)] == [news(0), news(1), news(2), None]


def test_what_does_not_fit_is_counted_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    outbox = Outbox("one", most=2)
    for number in range(5):
        outbox.put(news(number))
    assert outbox.dropped == 3 and len(outbox) == 2
    assert outbox.take(0) == news(3), "the oldest go"
    assert [record.message for record in caplog.records] == ["dropped"] * 3


def test_whoever_waits_can_be_woken() -> None:
    outbox = Outbox("one")
    threading.Timer(0.05, outbox.wake).start()
    began = time.monotonic()
    assert outbox.take(10) is None
    assert time.monotonic() - began < 5
