"""What puts a text into the language of whoever reads it: a sheet, a mat, a file."""

from __future__ import annotations

from collections.abc import Callable

Words = Callable[[str], str]
"""An English text in that language; `str` leaves it English."""
