"""Names of tables and machines, as they stand in addresses and in the configuration."""

from __future__ import annotations

import re

TABLE_NAME = r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?"
"""The pattern of a name of a table or machine."""


def is_table_name(text: str) -> bool:
    """True if a text has 1 to 32 characters of a-z, 0-9 and inner hyphens."""
    return re.fullmatch(TABLE_NAME, text) is not None
