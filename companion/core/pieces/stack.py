"""Pyramids that stand on each other, as one thing to see.

Stacks have no fixed place on a table, and their order matters. So a heap holds whole stacks: the heap has no order,
each stack in it has one, and a stack that grows is one stack less and another one more.
"""

from __future__ import annotations

from msgspec import Struct

from companion.core.pieces.pyramid import Pyramid


class Stack(Struct, frozen=True, tag="stack", cache_hash=True):
    """Pyramids bottom to top, never empty; a lone pyramid is a stack of one."""

    pieces: tuple[Pyramid, ...]
