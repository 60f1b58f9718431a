"""Copies rows unchanged from one journal to another: missing rows are added, in order, and none twice.

Copying starts from the contents of the other journal, so it may be interrupted anywhere and repeated. Two journals with
different rows of one game are not merged, because there is no way to decide between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.core.foundation.errors import BrokenChain, Diverged
from companion.referee.journal.chained import ChainedGames, GameExtent, Tip
from companion.referee.journal.rows import root

MOST_ROWS = 200
"""The largest number of rows in one transaction."""


def behind(source: ChainedGames, target: ChainedGames) -> list[str]:
    """Returns the ids of the games that differ between the two journals, in the order in which they began.

    Raises:
        JournalError: One of the journals cannot be read.
    """
    here, there = source.standings(), target.standings()
    nothing = GameExtent(-1, None, False)
    return [header.id for header in source.games() if here.get(header.id, nothing) != there.get(header.id, nothing)]


def carry(source: ChainedGames, target: ChainedGames, game: str) -> int:
    """Copies a game's header, seed and rows to another journal, as far as it lacks them.

    Returns:
        The number of added rows.

    Raises:
        Diverged: The other journal has different rows; nothing was added.
        JournalError: One of the journals cannot be read or written; rows that were already added stay.
    """
    header, seed, tip = source.header(game), source.seed(game), target.tip(game)
    if tip is None:
        target.insert(header, (), seed)
        tip = Tip(0, root(header))
    else:
        _compare(source, target, game, tip)
        if seed is not None and target.seed(game) is None:
            target.keep_seed(game, seed)
    added = 0
    while rows := source.stored(game, tip.n, MOST_ROWS):
        target.extend(game, tip, rows)
        added += len(rows)
        tip = Tip(rows[-1][0], rows[-1][2])
    return added


def _compare(source: ChainedGames, target: ChainedGames, game: str, tip: Tip) -> None:
    """Raises Diverged: The rows of the other journal are not the beginning of the game."""
    header = source.header(game)
    if tip.n == 0:
        same = root(target.header(game)) == root(header)
    else:
        row = source.stored(game, tip.n - 1, 1)
        same = bool(row) and (row[0][0], row[0][2]) == tip
    if not same:
        raise Diverged(
            f"{source.name} and {target.name} hold different rows of the game {game}. Nothing was added to it."
        )


class CopiedGame(Struct, frozen=True):
    """The result of copying one game."""

    id: str
    added: int
    """The number of rows that were added to the other journal."""
    rows: int
    """The number of rows that both journals have now."""
    trouble: str | None = None
    """A sentence on why the game was not copied; None if it was."""


def copy_games(source: ChainedGames, target: ChainedGames) -> Iterator[CopiedGame]:
    """Copies game after game; a game that cannot be copied does not stop the others.

    Rows that the target already has are not written again. If the target has more rows of a game, that game is left
    unchanged.

    Raises:
        JournalError: A journal cannot be read or written at all.
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
