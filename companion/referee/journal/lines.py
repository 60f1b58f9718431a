"""Games as text files in JSON Lines: one file per game, the header first and then one row per line.

The lines contain exactly what the journal contains, hashes included, so a file can be mailed, kept under version
control and read back. A line that was changed by hand does not follow from the line before it, and is refused by its
number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from companion.core.foundation.errors import BadRecord, BrokenChain
from companion.core.foundation.kept_file import Spoiled, decode_json
from companion.referee.journal.rows import FORMAT, Header, Row, entry, head, link, root

LARGEST_BYTES = 5 * 1024 * 1024
"""The largest size of a file in bytes; 200 rows take about 100 kB."""


def write_lines(header: Header, rows: Iterable[Row]) -> Iterator[str]:
    """Yields the lines of one game, each with its line break."""
    yield head(header).decode("utf-8") + "\n"
    for row in rows:
        yield msgspec.json.encode(row, order="deterministic").decode("utf-8") + "\n"


def read_lines(data: bytes) -> tuple[Header, tuple[Row, ...]]:
    """Returns a game from its lines, after checking the chain.

    Raises:
        BadRecord: The data is too large, or a line is not a header or a row.
        BrokenChain: A line was changed, left out or added.
    """
    if len(data) > LARGEST_BYTES:
        raise BadRecord(f"The file has {len(data)} bytes; a game has at most {LARGEST_BYTES}. Give a file of one game.")
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if not lines:
        raise BadRecord("The file is empty. Give a file that `companion replay --jsonl` wrote.")
    try:
        header = decode_json(lines[0], Header)
    except Spoiled as error:
        raise BadRecord(f"Line 1 is not the header of a game: {error}.") from error
    if header.format > FORMAT:
        raise BadRecord(f"The file was written by a newer program (format {header.format}). Update this one.")
    rows = []
    before = root(header)
    for number, line in enumerate(lines[1:], 2):
        try:
            row = decode_json(line, Row)
        except Spoiled as error:
            raise BadRecord(f"Line {number} is not a row of a journal: {error}.") from error
        if row.n != number - 1 or link(before, entry(row)) != row.hash:
            raise BrokenChain(f"Line {number} does not follow from the line before it: the file was changed.")
        rows.append(row)
        before = row.hash
    return header, tuple(rows)
