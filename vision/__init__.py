"""Reads tables from pictures: cameras, markers and pose, light, steadiness, and one reader for each kind of piece.

OpenCV reads its pixel limit once, when it is first imported, so this module sets it before any module of the package
can import OpenCV.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(25_000_000))

from vision.domains import DomainReading, recognize

__all__ = ["DomainReading", "recognize"]
