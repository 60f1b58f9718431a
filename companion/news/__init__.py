"""What happens at the tables, as everybody may know it, for the log, MQTT and other programs."""

from __future__ import annotations

from companion.news.bulletin import Bulletin, News
from companion.news.news_publisher import NewsPublisher
from companion.news.outbox import Outbox

__all__ = ["Bulletin", "News", "NewsPublisher", "Outbox"]
