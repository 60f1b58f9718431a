"""The function that translates a text for its reader: for a sheet, a mat, a file."""

from __future__ import annotations

from collections.abc import Callable

Words = Callable[[str], str]
"""An English text in that language; `str` leaves it English."""
