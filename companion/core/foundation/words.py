"""Texts: the translator of the page, and the names of tables and machines in addresses and in the configuration."""

from __future__ import annotations

import re
from collections.abc import Callable

TABLE_NAME = r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?"
"""The pattern of a name of a table or machine."""


def is_table_name(text: str) -> bool:
    """True if a text has 1 to 32 characters of a-z, 0-9 and inner hyphens."""
    return re.fullmatch(TABLE_NAME, text) is not None


Words = Callable[[str], str]
"""Returns an English text in the reader's language; `str` leaves it in English."""
