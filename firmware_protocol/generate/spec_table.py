"""The tables in SPEC.md, between two marker lines."""

from __future__ import annotations

from firmware_protocol.table import MessageField, MessageTable

BEGIN = "<!-- generated tables: begin -->"
END = "<!-- generated tables: end -->"


def listed(fields: tuple[MessageField, ...] | None) -> str:
    """Fields as one cell of a table."""
    if fields is None:
        return "no reply"
    return ", ".join(f"{field.name} {field.type}" for field in fields) or "nothing"


def render(table: MessageTable) -> str:
    """The text between the marker lines."""
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
    """SPEC.md with fresh tables;

    Raises:
        ValueError: If a marker line is missing.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"SPEC.md needs the lines {BEGIN} and {END}.")
    return f"{before}{BEGIN}\n{render(table)}\n{END}{after}"
