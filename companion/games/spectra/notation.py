"""Events as one line of text that means the same in every position, and back.

A piece is written color first: "red small". Players are counted from 1, as people count them.
"""

from __future__ import annotations

import re

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadNotation
from companion.core.pieces import Pyramid
from companion.games.spectra.moves import DRAWS, Add, Draw, EndTurn, Exchange, Source, SpectraEvent, Withdraw
from companion.games.spectra.stash import COLORS, KIND, SIZES, TREE_COLORS, name

_PIECE = rf"(?:{'|'.join(COLORS)}) (?:{'|'.join(SIZES)})"
_MARKED = rf"(?:tree )?{_PIECE}"
_LINE = re.compile(r"player ([1-9]) (.+)")
_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"reaches for (?P<reach>{'|'.join(SIZES)})",
        rf"draws (?P<drawn>{_PIECE})",
        rf"adds (?P<add>{_PIECE})(?: to player (?P<to>[1-6]))?",
        rf"gives (?P<gave>{_MARKED}(?: \+ {_MARKED}){{0,3}}) for (?P<took>{_MARKED}) from (?P<source>bag|player [1-6])",
        rf"withdraws (?P<out>{_PIECE})",
        r"(?P<end>passes the bag)",
    )
)


def text(event: SpectraEvent) -> str:
    """The event as a line: "player 1 gives red small + orange medium for yellow large from bag"."""
    who = f"player {event.seat + 1}"
    match event:
        case Draw():
            return f"{who} reaches for {event.size}"
        case Drawn():
            piece = event.pieces[0] if event.pieces else None
            return f"{who} draws {name(piece) if isinstance(piece, Pyramid) else 'unseen'}"
        case Add():
            return f"{who} adds {name(event.piece)}" + ("" if event.to is None else f" to player {event.to + 1}")
        case Withdraw():
            return f"{who} withdraws {name(event.piece)}"
        case EndTurn():
            return f"{who} passes the bag"
    marked = list(event.from_trees)
    source = "bag" if event.source == "bag" else f"player {event.source + 1}"
    gave = " + ".join(_marked(piece, marked) for piece in event.gave)
    return f"{who} gives {gave} for {_marked(event.took, marked)} from {source}"


def _marked(piece: Pyramid, marked: list[Pyramid]) -> str:
    if piece not in marked:
        return name(piece)
    marked.remove(piece)
    return f"tree {name(piece)}"


def parse(line: str) -> SpectraEvent:
    """The event that a line names, legal or not.

    :raises BadNotation: no event of Spectra reads so.
    """
    wanted = " ".join(line.lower().split())
    whole = _LINE.fullmatch(wanted)
    if whole is not None and int(whole[1]) <= len(TREE_COLORS):
        seat = int(whole[1]) - 1
        for form in _FORMS:
            found = form.fullmatch(whole[2])
            if found is not None:
                return _event(seat, found.groupdict())
    raise BadNotation(
        f'"{line}" is no event of Spectra. Write "player 1 draws red small", "player 1 adds red small", '
        '"player 1 gives red small + orange medium for yellow large from bag" or "player 1 passes the bag".'
    )


def _event(seat: int, part: dict[str, str | None]) -> SpectraEvent:
    if reach := part.get("reach"):
        return DRAWS[seat][SIZES.index(reach)]
    if drawn := part.get("drawn"):
        return Drawn(seat, (piece(drawn),))
    if add := part.get("add"):
        return Add(seat, piece(add), int(to) - 1 if (to := part["to"]) else None)
    if out := part.get("out"):
        return Withdraw(seat, piece(out))
    gave, took = part.get("gave"), part.get("took")
    if gave is None or took is None:
        return EndTurn(seat)
    source: Source = "bag" if part["source"] == "bag" else int(str(part["source"])[-1]) - 1
    given = gave.split(" + ")
    marked = tuple(piece(one) for one in (*given, took) if one.startswith("tree "))
    return Exchange(seat, tuple(piece(one) for one in given), piece(took), source, marked)


def piece(words: str) -> Pyramid:
    """The piece that two words name, in either order: "red small" or "small red".

    :raises BadNotation: the set has no such piece.
    """
    names = words.lower().removeprefix("tree ").split()
    for color, size in (names, names[::-1]) if len(names) == 2 else ():
        found = Pyramid(color, size)
        if found in KIND:
            return found
    raise BadNotation(f'"{words}" is no piece of Spectra. Write a color and a size, such as "red small".')
