"""The type of a function that translates a text of the page."""

from __future__ import annotations

from collections.abc import Callable

Words = Callable[[str], str]
"""Returns an English text in the reader's language; `str` leaves it in English."""
