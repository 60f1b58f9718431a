"""Where each part of Regenbogen is found."""

from __future__ import annotations

from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.plan import plan, recorded
from companion.manifest import Manifest

MANIFEST = Manifest(
    game=REGENBOGEN,
    length="long",
    position=40,
    plan=plan,
    recorded=recorded,
    read_surely=False,
    presenter="web.boards.regenbogen:RegenbogenPresenter",
    adviser="web.telling.regenbogen:RegenbogenAdviser",
    panel="games/regenbogen.js",
)
