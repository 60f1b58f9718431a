"""Makes text that others wrote safe to use in a sentence."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Returns a text with a question mark in place of each character that cannot be printed, such as a line break."""
    return text if text.isprintable() else "".join(one if one.isprintable() else "?" for one in text)
