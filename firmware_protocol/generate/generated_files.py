"""Which files are generated, and the text that each should have."""

from __future__ import annotations

from pathlib import Path

from firmware_protocol.generate import c_header, python_types, spec_table
from firmware_protocol.table import ROOM, MessageTable


def texts(table: MessageTable) -> dict[Path, str]:
    """Path and text of every generated file; SPEC.md keeps all that is outside its marker lines."""
    spec = ROOM / "SPEC.md"
    return {
        ROOM / "messages.py": python_types.render(table),
        ROOM / "core" / "ttp_messages.h": c_header.render(table),
        spec: spec_table.replaced(spec.read_text(encoding="utf-8"), table),
    }
