"""The entry of one game: its rules, and the places of all other parts.

Every game has one manifest, `companion/games/NAME/manifest.py` or an entry point of the group `companion.games` of
another package. There is no other list of games: tables of them are made from the manifests.
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
    """A game whose option "colors" gives every seat a color."""

    usual: tuple[str, ...]
    """The colors of seats 0, 1, ... by default."""
    pieces: str
    """The colored pieces: "trees"."""
    rule: str


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """One game and its parts. All but the game itself and its length may be absent."""

    game: Game[Any]
    length: Literal["short", "middle", "long"]
    """The length of a game: up to 60 moves short, up to 200 middle, above long; `python -m web.facts.options`
    counts."""
    about: str = ""
    """One sentence for people who choose a game: what players do, and who wins."""
    position: int = 1000
    """Where the game stands in lists: lower numbers first, equal ones by name."""

    plan: Callable[[int], Plan] | None = None
    """From the number of seats to the plan of the printed mat; None: no camera watches this game."""
    printed: tuple[str, Plan] | None = None
    """Title and plan of the paper where it shows less than the plan; None: all of the plan."""
    recorded: Callable[[RecordedMat, Mapping[str, Any]], Recording] | None = None
    """From a recording's mat and setup to how refereeing begins."""
    read_surely: bool = True
    """True if a camera reads the moves surely enough to be offered on the page."""
    lights: tuple[Spot, ...] = ()
    """Which place each light of an LED strip stands at, light 0 first; bars for scores follow."""

    presenter: str = ""
    """How the game looks on the page: "module:Class" of a `web.boards.parts.presenter.Presenter` without arguments."""
    adviser: str = ""
    """The advice of the page beside the board: "module:Class" of a `web.telling.parts.adviser.Adviser` without
    arguments."""
    panel: str | Traversable = ""
    """The page's JavaScript module below the board: a file in `web/static/js`, or a file of another package; empty:
    the panel for boards of cells."""
    seat_colors: SeatColors | None = None

    rules: Traversable | None = None
    """The page of numbered rules of another package; None: `docs/rules/NAME.md`."""
    more_rules: tuple[str, ...] = ()
    """Names of further pages in `docs/rules`, with a prefix of their own, that belong to the game."""
    translated_rules: Mapping[str, Traversable] = field(default_factory=dict)
    """By language tag, such as "de": the page of rules of another package in that language."""
    texts: Mapping[str, Traversable] = field(default_factory=dict)
    """By language tag: a gettext catalog (`.po`) with the sentences of a game of another package in that language."""
