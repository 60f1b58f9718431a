"""What the manifests of card games say alike: one panel, and files of one name for presenter and adviser."""

from __future__ import annotations

from typing import Any, Literal

from companion.game import Game
from companion.manifest import Manifest


def card_manifest(
    game: Game[Any], file: str, prefix: str, *, length: Literal["short", "middle", "long"], position: int
) -> Manifest:
    """The manifest of a game of number cards that people hold in their hands.

    :param file: the name of its files in `web.boards` and `web.telling`.
    :param prefix: what the names of its presenter and its adviser begin with.
    """
    return Manifest(
        game=game,
        length=length,
        position=position,
        presenter=f"web.boards.{file}:{prefix}Presenter",
        adviser=f"web.telling.{file}:{prefix}Adviser",
        panel="games/cards.js",
    )
