"""The advice in Spectra: possible pieces and their owners, pieces left, pieces wanted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from companion.core.contract import Seat, seats_to_move
from companion.games.spectra.advice import Make, bag, makes, wanted
from companion.games.spectra.moves import Add, Exchange
from companion.games.spectra.stash import KINDS, TREE_COLORS, pieces_of
from companion.referee.table.table import Table
from web.boards import Presenter
from web.scene.pieces.pyramids import LETTERS, code
from web.telling.parts.adviser import pictures
from web.views.alert_view import breach_data


class SpectraAdviser:
    """Exchanges, additions, the bag. `about` is the seat that is asked about; empty: the seat to move."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Everything about the position now."""
        expects = state.expects()
        movers = seats_to_move(expects)
        seat = int(about) if about.isdecimal() and int(about) < state.seats else (state.turn or 0)
        return {
            "seq": table.session.seq,
            "pieces": pictures(KINDS, presenter),
            "seat": seat,
            "movers": list(movers),
            "makes": _makes(table, state, seat),
            "adds": [
                {"seat": move.seat, "piece": code(move.piece), "event": msgspec.to_builtins(move)}
                for move in table.session.legal()
                if isinstance(move, Add)
            ],
            "reminders": [breach_data(breach, table.session.game.name) for breach in state.reminders()],
            "seats": [_seat(table, state, other) for other in range(state.seats)],
            "bag": [
                {"color": left.color, "letter": LETTERS[left.color], "counts": [left.large, left.medium, left.small]}
                for left in bag(state)
            ],
            "colors": list(TREE_COLORS),
        }


def _makes(table: Table, state: Any, seat: Seat) -> list[dict[str, Any]]:
    """By the piece that is made: every pair that makes it, and from whom it comes."""
    found: dict[str, dict[str, Any]] = {}
    for make in makes(state, seat):
        entry = found.setdefault(code(make.took), {"took": code(make.took), "grows": make.grows, "ways": []})
        entry["ways"].append({"gave": [code(piece) for piece in make.gave], "sources": _sources(table, seat, make)})
    return list(found.values())


def _sources(table: Table, seat: Seat, make: Make) -> list[dict[str, Any]]:
    found = []
    for source in make.sources:
        event = Exchange(seat, make.gave, make.took, source)
        found.append(
            {
                "source": source,
                "name": "the bag" if source == "bag" else table.session.names[source],
                "event": msgspec.to_builtins(event),
                "text": table.session.game.text(event),
            }
        )
    return found


def _seat(table: Table, state: Any, seat: Seat) -> dict[str, Any]:
    return {
        "seat": seat,
        "name": table.session.names[seat],
        "color": state.colors[seat],
        "supply": [code(piece) for piece in pieces_of(state.supplies[seat])],
        "wanted": [{"piece": code(piece), "count": count} for piece, count in Counter(wanted(state, seat)).items()],
        "complete": state.complete(seat),
    }
