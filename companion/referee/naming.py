"""People's names in sentences of the rules, which know seats alone and say "player 1"; and out of what people type."""

from __future__ import annotations

import re
from collections.abc import Sequence

SEAT = re.compile(r"\b[Pp]layer ([1-9]\d?)\b")
"""How a sentence or a notation names a seat."""


def with_names(text: str, names: Sequence[str]) -> str:
    """A sentence with the names of those who play: "player 2 waits" becomes "Ben waits".

    Args:
        names: By seat; a seat without one stays as it is.
    """
    return SEAT.sub(lambda found: names[int(found[1]) - 1] if int(found[1]) <= len(names) else found[0], text)


def without_names(text: str, names: Sequence[str]) -> str:
    """A typed line as the notation writes it: "Ben draws R7" becomes "player 2 draws R7"."""
    for seat, name in sorted(enumerate(names, 1), key=lambda pair: -len(pair[1])):
        if name and text[: len(name) + 1].casefold() == f"{name} ".casefold():
            return f"player {seat} {text[len(name) + 1 :]}"
    return text
