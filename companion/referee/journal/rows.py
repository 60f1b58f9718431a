"""The parts of a journal: one header for each game and one row for each event, chained by hashes.

A row holds the event and its result by the rules (scores, number of legal moves, digest of the state). So a later
program can show an old game without its rules, and can find the row at which changed rules make a difference.
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
"""The version of the format; it rises when an older program could misread a newer journal."""

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

`move`, `chance`: a legal event. `agreed`: an illegal event that the table lets stand. `undo`, `correct`, `position`: a
person changed the game; see `more`. `reread`: later pictures have shown that a piece was misread; `more` has the
position with it, its spot and the row after which it came. `refused`, `asked`: messages of the referee to the table,
which change no state. An illegal move that is put back has no row of its own: a `refused` row without a following
`agreed` row was put back. `commitment`, `reveal`: the hash of the seed by which software deals, and the seed itself
when the game is over. `hint`: a player was shown a good move (the move is not recorded, since it may rely on hidden
cards), or hints were allowed or forbidden. `clock`: a chess clock was set or removed. `seat`: a browser took, left or
lost the seat of a player, and shows or hides that player's cards.
"""

Draws = Literal["told", "unseen", "dealt"]
"""The source of draws. `told`: people enter them. `unseen`: nobody enters them, so a due draw happens at once with
unknown pieces (`companion.referee.journal.timeline`). `dealt`: software draws as soon as a draw is due
(`companion.referee.session.croupier`)."""

Source = Literal["camera", "tower", "page", "software", "record"]
"""The source of a row."""


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The header of one game: everything that is needed to replay its rows."""

    id: str = ""
    """The id that the journal gives: 1 to 32 of a-z, 0-9 and "-"."""
    format: int = FORMAT
    game: str
    rules: int
    """The version of the rules (`Game.rules`) when the game was played."""
    seats: int
    names: tuple[str, ...]
    options: dict[str, Any] = {}
    plan: Plan | None = None
    draws: Draws = "told"
    position: dict[str, Any] | None = None
    """The position at which the game began, if it did not begin at its usual start."""
    started: float
    """The time of the start, in seconds since the epoch."""
    software: str
    order: int = 0
    """The number of the game in its journal, from 1, in the order in which games began, whatever the clock said. Older
    programs did not number games; these have 0 and come before all others."""


_NO_ORDER = b',"order":0}'


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One event of a game, and its result by the rules."""

    n: int
    """The number of the row: 1, 2, 3, ... without a gap."""
    at: float
    """The time in seconds since the epoch."""
    kind: Kind
    seat: Seat | None
    event: dict[str, Any] | None
    """The event as JSON; None for an undo or a position."""
    text: str
    """The event in the game's notation, or a sentence."""
    source: Source
    scores: tuple[Points, ...]
    """The totals by seat after this row."""
    legal: int
    """The number of legal moves after this row."""
    digest: str
    """The `digest` of the state after this row."""
    hash: str = ""
    """SHA-256 over the previous hash and this row, as 64 hexadecimal digits."""
    more: dict[str, Any] = {}
    """Further data. `correct`: of, why. `undo`: to, why. `position`: position, why. `refused`: breaches. `asked`:
    choices. `commitment`: commitment. `reveal`: seed. `hint`: allow, if it changed. `clock`: pace. Any row while a
    clock runs: left. A row from the camera: frame, score, margin, runner_up."""


def digest(state: State) -> str:
    """Returns 16 hexadecimal digits that are equal for equal states, in every process.

    Sets and mappings are written in sorted order, so the digits do not depend on Python's hash seed.
    """
    return sha256(msgspec.json.encode(state, order="deterministic")).hexdigest()[:16]


def entry(row: Row) -> bytes:
    """Returns the bytes of a row that are hashed and stored: JSON in sorted order, without `hash`."""
    return msgspec.json.encode(msgspec.structs.replace(row, hash=""), order="deterministic")


def head(header: Header) -> bytes:
    """Returns the bytes of a header that are hashed and stored. An `order` of 0 is left out, as in older journals."""
    stored = msgspec.json.encode(header, order="deterministic")
    return stored.removesuffix(_NO_ORDER) + b"}" if stored.endswith(_NO_ORDER) else stored


def root(header: Header) -> str:
    """Returns the hash to which the first row of a game is chained."""
    return sha256(head(header)).hexdigest()


def link(before: str, stored: bytes) -> str:
    """Returns the hash of a row whose `entry` is `stored`, after a row with the hash `before`."""
    return sha256(before.encode("ascii") + stored).hexdigest()


_LAST = 253402300799.0
"""The end of the year 9999."""


def utc(seconds: float) -> struct_time:
    """Returns a time in seconds since the epoch as a UTC date; values outside the calendar become the nearest date."""
    return gmtime(min(max(seconds, 0.0), _LAST) if isfinite(seconds) else 0.0)


IsKnown = Callable[[str], bool]
"""Returns true if the journal has a game of this id."""
IdOf = Callable[[Header, IsKnown], str]
"""Returns the id of a new game, different from those that the journal already has."""

_ID = re.compile(r"[a-z0-9-]{1,32}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_DRAWN = 12


def is_id(text: str) -> bool:
    """True if a text may be the id of a game: 1 to 32 of a-z, 0-9 and "-"."""
    return _ID.fullmatch(text) is not None


def by_time(header: Header, is_known: IsKnown) -> str:
    """Returns an id of the game's name and the time in UTC: `spectrangle-20231114-221320`."""
    stem = f"{header.game[:12].strip('-')}-{strftime('%Y%m%d-%H%M%S', utc(header.started))}"
    name, again = stem, 2
    while is_known(name):
        name, again = f"{stem}-{again}", again + 1
    return name


def drawn(header: Header, is_known: IsKnown) -> str:
    """Returns an id of the game's name, the day and 60 random bits, so that machines do not collide:
    `spectra-20231114-k3vq6ydm2hfa`.
    """
    while True:
        tail = "".join(secrets.choice(_LETTERS) for _ in range(_DRAWN))
        name = f"{header.game[:10].strip('-')}-{strftime('%Y%m%d', utc(header.started))}-{tail}"
        if not is_known(name):
            return name
