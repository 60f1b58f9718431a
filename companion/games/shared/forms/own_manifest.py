"""Completes the manifests of this project's own games: presenter, adviser and panel are named after the game."""

from __future__ import annotations

from dataclasses import replace

from companion.core.manifest import Manifest

CARDS = "games/cards.js"
"""The panel of games in which players hold cards."""


def own_manifest(manifest: Manifest, panel: str | None = None) -> Manifest:
    """Returns the manifest with the presenter and adviser from `web.games` that have the game's name.

    Args:
        panel: As `Manifest.panel`; None: the game's own module.
    """
    game = manifest.game.name
    file, name = game.replace("-", "_"), "".join(word.capitalize() for word in game.split("-"))
    return replace(
        manifest,
        presenter=f"web.games.{file}:{name}Presenter",
        adviser=manifest.adviser or f"web.games.{file}:{name}Adviser",
        panel=f"games/{game}.js" if panel is None else panel,
    )
