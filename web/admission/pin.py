"""The PIN by which a phone comes in: six digits, drawn by chance or chosen by the host."""

from __future__ import annotations

import re
import secrets

from companion.core.foundation.errors import CompanionError

_PIN = re.compile(r"[0-9]{6}")


class BadPin(CompanionError, status=400):
    """The chosen text is no PIN; the previous one holds."""


def is_pin(text: str) -> bool:
    """True if a text is exactly six digits."""
    return _PIN.fullmatch(text) is not None


def draw_pin() -> str:
    """Six digits by chance, each as likely as any other."""
    return f"{secrets.randbelow(10**6):06d}"


def chosen_pin(text: str) -> str:
    """A PIN as somebody has typed it, without blanks around it.

    Raises:
        BadPin: It is not exactly six digits.
    """
    pin = text.strip()
    if not is_pin(pin):
        raise BadPin("A PIN has exactly six digits, as 246810. Choose one of six digits, or draw another.")
    return pin
