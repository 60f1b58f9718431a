"""Events at the tables, as far as they are public, for the log, MQTT and other programs."""

from __future__ import annotations

from companion.referee.news.bulletin import Bulletin, News
from companion.referee.news.news_publisher import NewsPublisher, Outbox

__all__ = ["Bulletin", "News", "NewsPublisher", "Outbox"]
