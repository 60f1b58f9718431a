"""Camera sources: one shape for cameras, films, folders of pictures and network streams."""

from __future__ import annotations

from vision.camera.live import Limits
from vision.camera.opening import open_source
from vision.camera.source import Shot, Source

__all__ = ["Limits", "Shot", "Source", "open_source"]
