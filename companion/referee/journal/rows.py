"""The parts of a journal: a header for each game and one row for each event, chained by hashes.

A row holds the event and its result by the rules (scores, count of legal moves, digest of the state), so a later
program can show an old game without its rules and can find the row at which a change of the rules shows.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from hashlib import sha256
from math import isfinite
from time import gmtime, strftime, struct_time
from typing import Any, Literal

import msgspec
from msgspec import Struct

from companion.core.contract import Points, Seat, State
from companion.core.plan import Plan

FORMAT = 1
"""Rises when an older program could misread a newer journal."""

Kind = Literal[
    "move",
    "chance",
    "agreed",
    "refused",
    "asked",
    "undo",
    "correct",
    "position",
    "reread",
    "commitment",
    "reveal",
    "hint",
    "seat",
    "clock",
]
"""The kind of a row.

`move`, `chance`: a legal event. `agreed`: an illegal one that the table lets stand. `undo`, `correct`, `position`: a
person changed the game; see `more`. `reread`: later pictures have shown that a piece was misread; `more` has the
position with it, its spot and the row after which it came. `refused`, `asked`: messages of the referee to the table;
they change no state. An illegal move that is put back has no row of its own: a `refused` without `agreed` after it was
put back. `commitment`, `reveal`: the hash of the seed by which software deals, and the seed itself when the game is
over. `hint`: a player was shown a good move (the move is not kept, since it may rest on hidden cards), or hints were
allowed or no longer are. `clock`: a chess clock was set, or taken away. `seat`: a browser took, left or lost the seat
of a player, and shows or hides that player's cards.
"""

Draws = Literal["told", "unseen", "dealt"]
"""The source of draws. `unseen`: none, so a due draw happens at once and unseen
(`companion.referee.journal.timeline`).
`dealt`: software draws, as soon as a draw is due (`companion.referee.session.croupier`)."""

Source = Literal["camera", "tower", "page", "software", "record"]
"""The source of the row."""


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One game: all that is needed to replay its rows."""

    id: str = ""
    """1 to 32 of a-z, 0-9 and "-"; the journal gives it."""
    format: int = FORMAT
    game: str
    rules: int
    """`Game.rules` when it was played."""
    seats: int
    names: tuple[str, ...]
    options: dict[str, Any] = {}
    plan: Plan | None = None
    draws: Draws = "told"
    position: dict[str, Any] | None = None
    """Where the game began, if not at its start."""
    started: float
    """Seconds since the epoch."""
    software: str
    order: int = 0
    """The games of a journal in the order in which they were begun, whatever the clock said, from 1; 0 for those of a
    program that did not count them, which come before all others."""


_NO_ORDER = b',"order":0}'


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One event of a game, with what the rules made of it."""

    n: int
    """1, 2, 3, ... without a gap."""
    at: float
    """Seconds since the epoch."""
    kind: Kind
    seat: Seat | None
    event: dict[str, Any] | None
    """The event as JSON; None for an undo or a position."""
    text: str
    """The event in the game's notation, or a sentence."""
    source: Source
    scores: tuple[Points, ...]
    """Totals by seat after this row."""
    legal: int
    """The number of legal moves after this row."""
    digest: str
    """`digest` of the state after this row."""
    hash: str = ""
    """SHA-256 over the hash before it and this row, as 64 hexadecimal digits."""
    more: dict[str, Any] = {}
    """`correct`: of, why. `undo`: to, why. `position`: position, why. `refused`: breaches. `asked`: choices.
    `commitment`: commitment. `reveal`: seed. `hint`: allow, where that changed. `clock`: pace.
    Any row while a clock runs: left. A row from the camera: frame,
    score, margin, runner_up."""


def digest(state: State) -> str:
    """16 hexadecimal digits that two equal states share in every process, whatever its hash seed.

    Sets and mappings are written in sorted order, which is what makes it so.
    """
    return sha256(msgspec.json.encode(state, order="deterministic")).hexdigest()[:16]


def entry(row: Row) -> bytes:
    """The bytes of a row that are hashed and stored: JSON in sorted order, without `hash`."""
    return msgspec.json.encode(msgspec.structs.replace(row, hash=""), order="deterministic")


def head(header: Header) -> bytes:
    """The bytes of a header that are hashed and stored; without `order` where there is none, as they always were."""
    stored = msgspec.json.encode(header, order="deterministic")
    return stored.removesuffix(_NO_ORDER) + b"}" if stored.endswith(_NO_ORDER) else stored


def root(header: Header) -> str:
    """The hash that the first row of a game is chained to."""
    return sha256(head(header)).hexdigest()


def link(before: str, stored: bytes) -> str:
    """The hash of a row whose `entry` is `stored`, after a row with the hash `before`."""
    return sha256(before.encode("ascii") + stored).hexdigest()


_LAST = 253402300799.0
"""The end of the year 9999."""


def utc(seconds: float) -> struct_time:
    """Seconds since the epoch as a date in UTC; values without a date become the nearest one."""
    return gmtime(min(max(seconds, 0.0), _LAST) if isfinite(seconds) else 0.0)


IsKnown = Callable[[str], bool]
"""Returns true if the journal has a game of this id."""
IdOf = Callable[[Header, IsKnown], str]
"""Makes the id of a game that begins, unlike those that the journal has already."""

_ID = re.compile(r"[a-z0-9-]{1,32}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_DRAWN = 12


def is_id(text: str) -> bool:
    """True if a text may be the id of a game: 1 to 32 of a-z, 0-9 and "-"."""
    return _ID.fullmatch(text) is not None


def by_time(header: Header, is_known: IsKnown) -> str:
    """The game's name and the time, in UTC: `spectrangle-20231114-221320`."""
    stem = f"{header.game[:12].strip('-')}-{strftime('%Y%m%d-%H%M%S', utc(header.started))}"
    name, again = stem, 2
    while is_known(name):
        name, again = f"{stem}-{again}", again + 1
    return name


def drawn(header: Header, is_known: IsKnown) -> str:
    """The game's name, the day and 60 random bits, which no other machine draws: `spectra-20231114-k3vq6ydm2hfa`."""
    while True:
        tail = "".join(secrets.choice(_LETTERS) for _ in range(_DRAWN))
        name = f"{header.game[:10].strip('-')}-{strftime('%Y%m%d', utc(header.started))}-{tail}"
        if not is_known(name):
            return name
