"""Scores on lights at the board's edge: a bar a player, or digits of seven lights each.

Both are read by how many lights are lit and where, never by a color. A bar of few lights cannot show a large score
exactly, so it compares: the highest score fills it. Digits are exact as far as they reach.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.die_faces import Color

SCORE: Color = (24, 24, 24)
"""Dim white, under 6 mA a light: scores leave most of a USB port's current to the places."""
SEGMENTS = {
    "0": "abcdef",
    "1": "bc",
    "2": "abdeg",
    "3": "abcdg",
    "4": "bcfg",
    "5": "acdfg",
    "6": "acdefg",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
    "-": "g",
    " ": "",
}
"""Lights of a character: a on top, b and c on the right, d at the bottom, e and f on the left, g in the middle."""
LIGHTS_A_DIGIT = 7
"""a to g, in this order."""


def bar(lights: Sequence[int], score: float, highest: float) -> tuple[int, ...]:
    """The first of `lights`, one a point; where the highest score needs more, it fills the bar and others their share.

    A share is rounded down, so that only the leaders fill theirs; any score above 0 has a light.
    """
    if score <= 0:
        return ()
    share = score if highest <= len(lights) else len(lights) * score / highest
    return tuple(lights[: max(1, int(share))])


def digits(lights: Sequence[int], score: float) -> tuple[int, ...]:
    """The segments of a score on digits of LIGHTS_A_DIGIT lights, the first digit first; halves are left out.

    A score that does not fit is dashes: no number is better than a wrong one.
    """
    room = len(lights) // LIGHTS_A_DIGIT
    text = f"{int(score)}".rjust(room)
    if len(text) > room:
        text = "-" * room
    return tuple(
        lights[LIGHTS_A_DIGIT * place + "abcdefg".index(segment)]
        for place, character in enumerate(text)
        for segment in SEGMENTS[character]
    )
