"""Camera sources: one interface for cameras, films, folders of pictures and network streams."""

from __future__ import annotations

from vision.sources.live import Limits
from vision.sources.opening import open_source
from vision.sources.source import Shot, Source

__all__ = ["Limits", "Shot", "Source", "open_source"]
