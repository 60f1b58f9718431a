"""Reports on a Spectrum board in a photograph: where each pawn stands, and where it may go by a step or a jump."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.foundation.errors import BadRecord
from companion.core.pieces import PRIMARIES
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import JUMPS, NAMES, SPACE, STARS, STEP
from companion.games.spectrum.options import PAWNS
from companion.referee.photographs.report import Note, PhotoReport


def pawn_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """Returns each pawn of the last photograph with its next spaces; the roll decides which of them are open
    (BRD-14).
    """
    pawns: dict[str, str] = {}
    for pawn in readings[-1]["pawns"]:
        spot = f"{pawn['path']}.{int(pawn['space'])}"
        if spot not in SPACE or pawn["color"] not in PRIMARIES:
            raise BadRecord("A pawn is not on the board, or does not have one of the six colors. Correct it.")
        if spot in pawns:
            raise BadRecord(f"Two pawns stand on {NAMES[SPACE[spot]]}. Correct one of them (BRD-16).")
        pawns[spot] = pawn["color"]
    taken = {SPACE[spot]: color for spot, color in pawns.items()}
    notes = [_note(spot, color, taken) for spot, color in pawns.items()]
    stars = Counter(color for space, color in taken.items() if STARS >> space & 1)
    notes += [Note(f"{color} holds {count} of the color stars.", "BRD-25") for color, count in stars.items()]
    colors = tuple(sorted(set(pawns.values()), key=PRIMARIES.index))
    for color, count in Counter(pawns.values()).items():
        if count > PAWNS:
            notes.append(Note(f"There are {count} {color} pawns; a color has ten.", "BRD-5", broken=True))
    playing = (*colors, *(color for color in PRIMARIES if color not in colors))[: max(seats, len(colors), 2)]
    sound = len(playing) == seats and not any(note.broken for note in notes)
    return PhotoReport(
        tuple(notes), position={"pawns": pawns} if sound else None, options={"colors": ",".join(playing)}
    )


def _note(spot: str, color: str, taken: Mapping[int, str]) -> Note:
    space = SPACE[spot]
    if STARS >> space & 1:
        return Note(f"{color} has captured {NAMES[space]}.", "BRD-25", spot)
    steps = sorted(NAMES[to] for to in bits(STEP[space]) if taken.get(to) != color)
    jumps = {
        NAMES[to]
        for over, landings in JUMPS[space]
        if (jumped := over.bit_length() - 1) in taken and taken[jumped] != color
        for to in bits(landings)
        if taken.get(to) != color
    }
    text = f"{color} on {NAMES[space]}: by one step to {', '.join(steps) or 'nowhere'}"
    if jumps:
        text += f"; by a jump to {', '.join(sorted(jumps))}"
    return Note(f"{text}.", "BRD-14", spot)
