"""Compiles templates once for all applications of a process, because each table and each lesson is an application."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import CodeType

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

_CODE = re.compile(r"`([^`]+)`")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])")
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\)")
_RULE = re.compile(r"(?<![\w-])((?:[A-Z]{2,4}|500)-\d+[a-z]?)(?![\w-])")


def prose(text: str, table: str = "Table of values") -> Markup:
    """Returns HTML for a text of paragraphs, lists and tables; code, bold text and rule numbers (as links) are marked
    up.

    Args:
        table: The name of a table for screen readers.
    """
    return Markup("\n").join(
        _block(block.splitlines(), table) for block in re.split(r"\n\s*\n", text.strip()) if block.strip()
    )


def _block(lines: list[str], name: str) -> Markup:
    lines = [line.strip() for line in lines]
    if all(line.startswith("|") for line in lines):
        return _table(lines, name)
    if all(re.match(r"[-*] ", line) for line in lines):
        return Markup("<ul>{}</ul>").format(_join(Markup("<li>{}</li>").format(_words(line[2:])) for line in lines))
    if any(line.startswith("|") for line in lines):
        cut = next(i for i, line in enumerate(lines) if line.startswith("|"))
        return _block(lines[:cut], name) + _block(lines[cut:], name) if cut else _first_table(lines, name)
    return Markup("<p>{}</p>").format(_words(" ".join(lines)))


def _first_table(lines: list[str], name: str) -> Markup:
    cut = next(i for i, line in enumerate(lines) if not line.startswith("|"))
    return _table(lines[:cut], name) + _block(lines[cut:], name)


def _table(lines: Iterable[str], name: str) -> Markup:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rows = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    if not rows:
        return Markup("")
    head = _join(Markup('<th scope="col">{}</th>').format(_words(cell)) for cell in rows[0])
    body = _join(
        Markup("<tr>{}</tr>").format(_join(Markup("<td>{}</td>").format(_words(cell)) for cell in row))
        for row in rows[1:]
    )
    table = Markup("<table class='lines'><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(head, body)
    return Markup("<div class='scroll' tabindex='0' role='region' aria-label='{}'>{}</div>").format(name, table)


def _words(text: str) -> Markup:
    safe = str(escape(_LINK.sub(r"\1", text)))
    safe = _CODE.sub(r"<code>\1</code>", safe)
    safe = _BOLD.sub(r"<strong>\1</strong>", safe)
    safe = _EMPHASIS.sub(r"<em>\1</em>", safe)
    return Markup(_RULE.sub(r'<a href="#\1">\1</a>', safe))


def _join(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


class CompiledTemplates(BytecodeCache):
    """A cache of compiled templates in memory; a template that was changed is compiled again."""

    def __init__(self) -> None:
        self._code: dict[str, tuple[str, CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Loads the cached code into a bucket, if its template has not changed."""
        checksum, code = self._code.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Stores the compiled template."""
        if bucket.code is not None:
            self._code[bucket.key] = bucket.checksum, bucket.code


COMPILED = CompiledTemplates()
