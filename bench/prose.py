"""Counts phrases that slow a reader down in docstrings and comments: `python -m bench.prose [--list P] [ROOM...]`.

A row is a room and a column a phrase; `--list told` prints each place instead. Docstrings of attributes count, too.
"""

from __future__ import annotations

import argparse
import ast
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PRODUCT = ("companion", "vision", "web", "hardware", "firmware_protocol")
PHRASES = {
    "What": re.compile(r"^What\b"),
    "Whether": re.compile(r"^Whether\b"),
    "How": re.compile(r"^How\b"),
    "told": re.compile(r"\b(?:told|tells?|telling)\b", re.I),
    "nobody": re.compile(r"\b(?:nobody|nothing)\b", re.I),
    "who": re.compile(r"(?:^|[.:;,] )who(?:ever)?\b", re.I),
    "what is": re.compile(r"(?<!\? )\bwhat (?:is|was|are|were|has|have)\b", re.I),
}
"""Phrases at the beginning of a text, or anywhere in it."""


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yields the line and the text of each docstring and comment of a module."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
    with path.open("rb") as lines:
        for token in tokenize.tokenize(lines.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string.lstrip("# ")


def room(path: Path) -> str:
    """Returns the name of the room of a module: one folder of `companion`, `web` or `vision`, or a whole package."""
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[: 2 if len(parts) > 2 and parts[0] in PRODUCT[:3] else 1])


def main() -> None:
    """Print the table, or the places of one phrase."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("rooms", nargs="*", help="folders; without them the product")
    parser.add_argument("--list", choices=list(PHRASES))
    wanted = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    sizes: Counter[str] = Counter()
    for folder in wanted.rooms or PRODUCT:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for line, text in texts(path):
                sizes[room(path)] += 1
                for name, phrase in PHRASES.items():
                    counts[room(path), name] += len(phrase.findall(text))
                    if name == wanted.list and phrase.search(text):
                        print(f"{path.relative_to(ROOT)}:{line}: {' '.join(text.split())[:180]}")
    if wanted.list:
        return
    print(f"{'room':28}{'texts':>7}" + "".join(f"{name:>9}" for name in PHRASES))
    for name in sorted(sizes):
        print(f"{name:28}{sizes[name]:7}" + "".join(f"{counts[name, phrase]:9}" for phrase in PHRASES))
    totals = (sum(counts[name, phrase] for name in sizes) for phrase in PHRASES)
    print(f"{'all':28}{sum(sizes.values()):7}" + "".join(f"{total:9}" for total in totals))


if __name__ == "__main__":
    main()
