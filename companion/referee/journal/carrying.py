"""Rows from one journal to another, as they are: missing rows are added, in order, and none twice.

It starts from the contents of the other journal, so it may break off anywhere and be repeated. Two journals with
different rows of one game are not merged; there is no way to decide between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.core.foundation.errors import BrokenChain, Diverged
from companion.referee.journal.chained import ChainedGames, GameExtent, Tip
from companion.referee.journal.rows import root

MOST_ROWS = 200
"""Rows of one transaction."""


def behind(source: ChainedGames, target: ChainedGames) -> list[str]:
    """The games of which the two do not hold the same, in the order in which they were begun.

    Raises:
        JournalError: One cannot be read.
    """
    here, there = source.standings(), target.standings()
    nothing = GameExtent(-1, None, False)
    return [header.id for header in source.games() if here.get(header.id, nothing) != there.get(header.id, nothing)]


def carry(source: ChainedGames, target: ChainedGames, game: str) -> int:
    """Bring a game's header, seed and rows to another journal as far as it lacks them.

    Returns:
        The number of added rows.

    Raises:
        Diverged: The other journal has other rows; none were added.
        JournalError: One cannot be read or written; rows added before stand.
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
    """Raises Diverged: what the other journal has is no beginning of the game."""
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
