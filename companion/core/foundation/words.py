"""The type of functions that translate a text into the reader's language."""

from __future__ import annotations

from collections.abc import Callable

Words = Callable[[str], str]
"""Returns an English text in the reader's language; `str` leaves it in English."""
