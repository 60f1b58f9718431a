"""Which files are generated, and the text that each should have."""

from __future__ import annotations

from pathlib import Path

from firmware_protocol.generate import python_types, spec_table
from firmware_protocol.table import OPEN_ENDED, ROOM, MessageField, MessageTable

# The C side of the message table: ids, field offsets and least lengths as macros.
#
# Macros and not packed structs: offsets are the same for every compiler, byte order and alignment.

OPENING = """/* The messages of the protocol: ids, offsets of fields in a payload (_AT_), least lengths (_LEN).
 * Generated from messages.toml by `python -m firmware_protocol.generate`; edit that file, not this one. */
#ifndef TTP_MESSAGES_H
#define TTP_MESSAGES_H
"""


def macro(name: str, value: str) -> str:
    """One aligned line."""
    return f"#define {name:<42} {value}"


def offsets(prefix: str, fields: tuple[MessageField, ...]) -> list[str]:
    """Where each field begins, and how long the payload is at least."""
    lines, at = [], 0
    for field in fields:
        lines.append(macro(f"{prefix}_AT_{field.name.upper()}", f"{at}"))
        at += field.size if field.type not in OPEN_ENDED else 0
    least = at + (fields[-1].size if fields and fields[-1].type in OPEN_ENDED else 0)
    return [*lines, macro(f"{prefix}_LEN", f"{least}")]


def render(table: MessageTable) -> str:
    """The whole header."""
    lines = [OPENING, macro("TTP_MAJOR", f"{table.protocol.major}"), macro("TTP_MINOR", f"{table.protocol.minor}"), ""]
    for key, limit in table.limits.items():
        lines.append(macro(f"TTP_{key.upper()}", f"{limit.value}"))
    for enum in table.enum:
        lines += ["", f"/* {enum.doc} */"]
        lines += [macro(f"TTP_{enum.name.upper()}_{value.name}", f"{value.value}") for value in enum.values]
    for message in table.message:
        name = f"TTP_{message.name}"
        lines += ["", f"/* {message.doc} */", macro(name, f"0x{message.id:02X}"), *offsets(name, message.fields)]
        if message.reply is not None:
            lines += offsets(f"{name}_REPLY", message.reply)
    return "\n".join([*lines, "", "#endif", ""])


def texts(table: MessageTable) -> dict[Path, str]:
    """Path and text of every generated file; SPEC.md keeps all that is outside its marker lines."""
    spec = ROOM / "SPEC.md"
    return {
        ROOM / "messages.py": python_types.render(table),
        ROOM / "core" / "ttp_messages.h": render(table),
        spec: spec_table.replaced(spec.read_text(encoding="utf-8"), table),
    }
