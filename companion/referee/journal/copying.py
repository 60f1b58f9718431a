"""A whole journal to another place, either way, with every chain checked before and after."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.core.foundation.errors import BrokenChain, Diverged
from companion.referee.journal.carrying import carry
from companion.referee.journal.chained import ChainedGames


class CopiedGame(Struct, frozen=True):
    """The outcome for one game."""

    id: str
    added: int
    """Rows that the other journal did not have."""
    rows: int
    """Rows that both have now."""
    trouble: str | None = None
    """Why it was left out, in a sentence."""


def copy_games(source: ChainedGames, target: ChainedGames) -> Iterator[CopiedGame]:
    """Copy game after game; one that cannot be copied keeps none of the others back.

    What the target has already is not written again; where it has more of a game, that is left alone.

    :raises JournalError: a journal cannot be read or written at all.
    """
    for header in source.games():
        try:
            rows = source.rows(header.id)
            tip = target.tip(header.id)
            if tip is not None and tip.n > len(rows) and target.rows(header.id)[: len(rows)] == rows:
                yield CopiedGame(header.id, 0, tip.n)
                continue
            added = carry(source, target, header.id)
            kept = target.rows(header.id)
        except (Diverged, BrokenChain) as error:
            yield CopiedGame(header.id, 0, 0, str(error))
            continue
        if kept[: len(rows)] != rows:
            yield CopiedGame(header.id, added, len(kept), f"{target.name} does not hold {header.id} as it was.")
        else:
            yield CopiedGame(header.id, added, len(kept))
