"""What can be wrong with bytes that should be JSON, so that every reader refuses the same."""

from __future__ import annotations

import msgspec

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""Raised by `msgspec.json.decode`: no JSON or not of the form, bytes that are no text, nested without end."""
