"""The manifest of one game: the game itself, and where its other parts are.

Every game has one manifest, in `companion/games/NAME/manifest.py` or as an entry point of the group `companion.games`
in another package. All other lists of games are derived from the manifests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any, Literal

from companion.core.game import Game
from companion.core.layout import Spot
from companion.core.plan import Plan
from companion.core.recording import RecordedMat, Recording


@dataclass(frozen=True)
class SeatColors:
    """The colors of the seats, for a game whose option "colors" gives every seat a color."""

    usual: tuple[str, ...]
    """The colors of seats 0, 1, ... by default."""
    pieces: str
    """The name of the colored pieces: "trees"."""
    rule: str


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """One game and its parts. All parts but the game and its length are optional."""

    game: Game[Any]
    length: Literal["short", "middle", "long"]
    """The usual length of a game: short up to 60 moves, middle up to 200, long above; `python -m web.facts.options`
    counts the moves."""
    about: str = ""
    """One sentence for people who choose a game: what players do, and who wins."""
    position: int = 1000
    """The game's place in lists: lower numbers come first, equal ones are sorted by name."""

    plan: Callable[[int], Plan] | None = None
    """Returns the plan of the printed mat for a number of seats; None: no camera watches this game."""
    printed: tuple[str, Plan] | None = None
    """The title and plan of the printed sheet if it shows less than the plan; None: the sheet shows the whole plan."""
    recorded: Callable[[RecordedMat, Mapping[str, Any]], Recording] | None = None
    """Returns how to start refereeing a recording, from its mat and setup."""
    read_surely: bool = True
    """True if a camera reads the moves reliably enough for the page to offer it."""
    lights: tuple[Spot, ...] = ()
    """The spot of each light of an LED strip, light 0 first; the bars for scores follow."""

    presenter: str = ""
    """The class that displays the game on the page: "module:Class" of a `web.boards.parts.presenter.Presenter` without
    arguments."""
    adviser: str = ""
    """The class that gives advice beside the board: "module:Class" of a `web.telling.parts.adviser.Adviser` without
    arguments."""
    panel: str | Traversable = ""
    """The JavaScript module below the board: a file in `web/static/js`, or a file of another package; empty: the panel
    for boards of cells."""
    seat_colors: SeatColors | None = None

    rules: Traversable | None = None
    """The page of numbered rules of a game in another package; None: `docs/rules/NAME.md`."""
    more_rules: tuple[str, ...] = ()
    """The names of further pages in `docs/rules`, with rule prefixes of their own, that belong to the game."""
    translated_rules: Mapping[str, Traversable] = field(default_factory=dict)
    """By language tag, such as "de": the rules in that language, for a game of another package."""
    texts: Mapping[str, Traversable] = field(default_factory=dict)
    """By language tag: a gettext catalog (`.po`) with the game's sentences in that language, for a game of another
    package."""
