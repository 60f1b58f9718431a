"""Computes the text of each generated file."""

from __future__ import annotations

from pathlib import Path

from firmware_protocol.table import OPEN_ENDED, ROOM, Enumeration, Message, MessageField, MessageTable

LETTERS = {"u8": "B", "u16": "H", "u32": "I", "color": "3s"}
TYPES = {"u8": "int", "u16": "int", "u32": "int", "dice": "tuple[DieReading, ...]"}

SHARED = ("dice_max", "events_max", "event_resend_ms", "silence_ms")
"""Limits that a host needs as well; those of a frame are in `frame`, where they are used."""

PYTHON_OPENING = '''"""The messages of the protocol, as Python types.

Generated from `messages.toml` by `python -m firmware_protocol.generate`; edit that file, not this one.
"""

from __future__ import annotations

import struct
from enum import IntEnum, IntFlag

from firmware_protocol.payload import DieReading, Payload
'''


def camel(name: str) -> str:
    """Returns the name in camel case: LED_PIXELS -> LedPixels."""
    return "".join(part.capitalize() for part in name.split("_"))


def sentence(text: str) -> str:
    """Returns the text with a capital letter first, the others as they are."""
    return text[:1].upper() + text[1:]


def letter(field: MessageField) -> str:
    """Returns the `struct` letter of a fixed field."""
    return f"{field.size}s" if field.type.startswith("bytes:") else LETTERS[field.type]


def enumeration(enum: Enumeration) -> str:
    """Returns the text of one set of numbers."""
    kind = "IntFlag" if enum.name == "Capability" else "IntEnum"
    lines = [f"class {enum.name}({kind}):", f'    """{enum.doc}"""', ""]
    for value in enum.values:
        lines += [f"    {value.name} = {value.value}", f'    """{sentence(value.doc)}."""']
    return "\n".join(lines)


def payload(name: str, message: Message, fields: tuple[MessageField, ...], doc: str) -> str:
    """Returns the text of one struct."""
    tail = fields[-1].type if fields and fields[-1].type in OPEN_ENDED else ""
    layout = "<" + "".join(letter(field) for field in fields if field.type not in OPEN_ENDED)
    lines = [
        f"class {name}(Payload, frozen=True):",
        f'    """{doc}"""',
        "",
        f"    TYPE = 0x{message.id:02X}",
        f'    NAME = "{message.name}"',
        f'    HEAD = struct.Struct("{layout}")',
        f'    TAIL = "{tail}"',
    ]
    if fields:
        lines.append("")
    for field in fields:
        lines += [f"    {field.name}: {TYPES.get(field.type, 'bytes')}", f'    """{sentence(field.doc)}."""']
    return "\n".join(lines)


def mapping(name: str, doc: str, rows: list[tuple[str, str]]) -> str:
    """Returns the text of a dictionary from type bytes to classes."""
    inner = "\n".join(f"    {key}: {value}," for key, value in rows)
    return f'{name}: dict[int, type[Payload]] = {{\n{inner}\n}}\n"""{doc}"""'


def render_python(table: MessageTable) -> str:
    """Returns the whole module, before formatting."""
    protocol = table.protocol
    parts = [
        f'{PYTHON_OPENING}\nMAGIC = b"{protocol.name}"\n"""How an IDENTIFY reply begins."""\n'
        f'MAJOR = {protocol.major}\n"""Protocol version; another major is refused."""\n'
        f'MINOR = {protocol.minor}\n"""Protocol version; minors only append."""'
    ]
    for key, limit in table.limits.items():
        if key in SHARED:
            parts.append(f'{key.upper()} = {limit.value}\n"""{sentence(limit.what)}."""')
    parts += [enumeration(enum) for enum in table.enum]
    rows: dict[str, list[tuple[str, str]]] = {"REQUESTS": [], "REPLIES": [], "TOLD": []}
    for message in table.message:
        name = camel(message.name)
        parts.append(payload(name, message, message.fields, message.doc))
        rows["REQUESTS" if message.kind in ("request", "notice") else "TOLD"].append((f"0x{message.id:02X}", name))
        if message.reply is not None:
            parts.append(payload(f"{name}Reply", message, message.reply, f"The answer to {message.name}."))
            rows["REPLIES"].append((f"0x{message.id:02X}", f"{name}Reply"))
    for group, doc in (
        ("REQUESTS", "The messages of a host, by type."),
        ("REPLIES", "The replies of a device, by the type of the request."),
        ("TOLD", "The unasked messages of a device, by type."),
    ):
        parts.append(mapping(group, doc, rows[group]))
    events = ", ".join(f"0x{m.id:02X}" for m in table.message if m.kind == "event")
    parts.append(f'NUMBERED = frozenset({{{events}}})\n"""Types of the events that are numbered and acknowledged."""')
    return "\n\n\n".join(parts) + "\n"


BEGIN = "<!-- generated tables: begin -->"
END = "<!-- generated tables: end -->"


def listed(fields: tuple[MessageField, ...] | None) -> str:
    """Returns fields as one cell of a table."""
    if fields is None:
        return "no reply"
    return ", ".join(f"{field.name} {field.type}" for field in fields) or "nothing"


def render_spec(table: MessageTable) -> str:
    """Returns the text between the marker lines."""
    lines = ["", "### Messages", "", "| id | name | what for | payload | reply |", "| --- | --- | --- | --- | --- |"]
    for m in table.message:
        lines.append(f"| {m.id:02X} | {m.name} | {m.doc} | {listed(m.fields)} | {listed(m.reply)} |")
    lines += ["", "### Fields", ""]
    for m in table.message:
        for field in m.fields:
            lines.append(f"- {m.name} `{field.name}`: {field.doc}.")
        for field in m.reply or ():
            lines.append(f"- {m.name} reply `{field.name}`: {field.doc}.")
    for enum in table.enum:
        lines += ["", f"### {enum.name}", "", enum.doc, ""]
        lines += [f"- {value.value} {value.name}: {value.doc}" for value in enum.values]
    lines += ["", "### Limits", ""]
    lines += [f"- {key}: {limit.value} {limit.what}" for key, limit in table.limits.items()]
    return "\n".join([*lines, ""])


def replaced(text: str, table: MessageTable) -> str:
    """Returns SPEC.md with updated tables.

    Raises:
        ValueError: If a marker line is missing.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"SPEC.md needs the lines {BEGIN} and {END}.")
    return f"{before}{BEGIN}\n{render_spec(table)}\n{END}{after}"


# The C side of the message table: ids, field offsets and least lengths as macros.
#
# Macros and not packed structs: offsets are the same for every compiler, byte order and alignment.

OPENING = """/* The messages of the protocol: ids, offsets of fields in a payload (_AT_), least lengths (_LEN).
 * Generated from messages.toml by `python -m firmware_protocol.generate`; edit that file, not this one. */
#ifndef TTP_MESSAGES_H
#define TTP_MESSAGES_H
"""


def macro(name: str, value: str) -> str:
    """Returns one aligned line."""
    return f"#define {name:<42} {value}"


def offsets(prefix: str, fields: tuple[MessageField, ...]) -> list[str]:
    """Returns where each field begins, and how long the payload is at least."""
    lines, at = [], 0
    for field in fields:
        lines.append(macro(f"{prefix}_AT_{field.name.upper()}", f"{at}"))
        at += field.size if field.type not in OPEN_ENDED else 0
    least = at + (fields[-1].size if fields and fields[-1].type in OPEN_ENDED else 0)
    return [*lines, macro(f"{prefix}_LEN", f"{least}")]


def render_header(table: MessageTable) -> str:
    """Returns the whole header."""
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
    """Returns path and text of every generated file; SPEC.md keeps all text outside its marker lines."""
    spec = ROOM / "SPEC.md"
    return {
        ROOM / "messages.py": render_python(table),
        ROOM / "core" / "ttp_messages.h": render_header(table),
        spec: replaced(spec.read_text(encoding="utf-8"), table),
    }
