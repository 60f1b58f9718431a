"""The light patterns of a game on any LED board: legal places, refused places, scores, any picture.

Places are the spots of a plan ("c17"); a board knows the lights at each. A spot without lights is skipped, because a
plan may have hands and supplies beside the board. "seat0.score" is the bar of the first player's score, "seat0.digits"
shows it in digits; both are optional.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from hardware import picture
from hardware.die_faces import Color
from hardware.picture import Picture

# Scores on lights at the board's edge: a bar a player, or digits of seven lights each.
#
# Both are read by how many lights are lit and where, never by a color. A bar of few lights cannot show a large score
# exactly, so it compares: the highest score fills it. Digits are exact as far as they reach.

SCORE: Color = (24, 24, 24)
"""The color of scores: dim white, under 6 mA per light, which leaves most of a USB port's current to the places."""
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
"""Character to its lights: a on top, b and c on the right, d at the bottom, e and f on the left, g in the middle."""
LIGHTS_A_DIGIT = 7
"""The number of lights of a digit, a to g in this order."""


def bar(lights: Sequence[int], score: float, highest: float) -> tuple[int, ...]:
    """Returns the first of `lights`, one per point; if the highest score needs more, it fills the bar and others their
    share.

    A share is rounded down, so that only the leaders fill theirs; any score above 0 has a light.
    """
    if score <= 0:
        return ()
    share = score if highest <= len(lights) else len(lights) * score / highest
    return tuple(lights[: max(1, int(share))])


def digits(lights: Sequence[int], score: float) -> tuple[int, ...]:
    """Returns the segments of a score on digits of LIGHTS_A_DIGIT lights, the first digit first; halves are left out.

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


LEGAL: Color = (0, 160, 60)
"""The color of a place where the piece in play may go."""
REFUSED: Color = (255, 30, 0)
"""The color of a place that the rules forbid."""
FLASH_MS = 1500
"""The time in milliseconds for which a refused place flashes."""
LAMP = "lamp"
"""The spot of a light that attracts attention, anywhere on the table; a board need not have one."""
CALLS: Mapping[str, tuple[Color, int]] = {
    "illegal": (REFUSED, FLASH_MS),
    "question": ((255, 140, 0), FLASH_MS),
    "turn": ((0, 90, 255), 300),
    "end": ((255, 255, 255), 3000),
}
"""Event of the lamp to its color and the number of milliseconds for which it flashes."""


class Flash(Struct, frozen=True):
    """Lights that flash over the picture for a while."""

    lights: tuple[int, ...]
    color: Color
    duration_ms: int


class Lights(ABC):
    """A board of lights. Every method returns immediately, whatever the device does.

    Args:
        places: For each spot its lights, numbered along the strip from 0.
        count: The number of lights on the strip; by default one more than the highest in `places`.

    Raises:
        ValueError: For a light outside the strip, or a strip without lights.
    """

    def __init__(self, places: Mapping[str, Sequence[int]], count: int | None = None) -> None:
        named = [light for lights in places.values() for light in lights]
        self.count = count if count is not None else max(named, default=-1) + 1
        self.arrange(places)

    def arrange(self, places: Mapping[str, Sequence[int]]) -> None:
        """Sets the lights of each spot from now on; the present picture stays until the next one.

        Raises:
            ValueError: For a light outside the strip, or a strip without lights.
        """
        if self.count < 1 or any(not 0 <= light < self.count for lights in places.values() for light in lights):
            raise ValueError(f"The lights of the spots do not fit on a strip of {self.count}.")
        self._places = {spot: tuple(lights) for spot, lights in places.items()}

    def at(self, spots: Iterable[str]) -> tuple[int, ...]:
        """Returns the lights of these spots, in order."""
        return tuple(sorted({light for spot in spots for light in self._places.get(spot, ())}))

    @property
    def spots(self) -> frozenset[str]:
        """Every spot that has lights."""
        return frozenset(self._places)

    def legal(self, spots: Iterable[str], scores: Sequence[float] = (), color: Color = LEGAL) -> None:
        """Lights up the places of the piece in play, the scores by seat, and no other place."""
        ground = picture.lit(self.count, self._scored(scores), SCORE)
        places = set(self.at(spots))
        self.show(tuple(color if light in places else under for light, under in enumerate(ground)))

    def paint(self, colors: Mapping[str, Color]) -> None:
        """Lights each of these spots in its color, and no other."""
        wanted = list(picture.dark(self.count))
        for spot, color in colors.items():
            for light in self.at((spot,)):
                wanted[light] = color
        self.show(tuple(wanted))

    def refused(self, spots: Iterable[str], color: Color = REFUSED, duration_ms: int = FLASH_MS) -> None:
        """Flashes these spots over the picture, which stays."""
        lights = self.at(spots)
        if lights:
            self.flash(Flash(lights, color, duration_ms))

    def call(self, event: str) -> None:
        """Flashes the lamp for this event, with color and time of `CALLS`, over the picture, which stays."""
        self.refused((LAMP,), *CALLS[event])

    def dark(self) -> None:
        """Switches all lights off."""
        self.show(picture.dark(self.count))

    def _scored(self, scores: Sequence[float]) -> Iterator[int]:
        """Yields the lights of all scores."""
        highest = max(scores, default=0)
        for seat, score in enumerate(scores):
            yield from bar(self._places.get(f"seat{seat}.score", ()), score, highest)
            yield from digits(self._places.get(f"seat{seat}.digits", ()), score)

    @abstractmethod
    def show(self, wanted: Picture) -> None:
        """Shows this picture as soon as the device can; a later picture replaces it.

        Raises:
            ValueError: For a wrong length.
        """

    @abstractmethod
    def flash(self, wanted: Flash) -> None:
        """Flashes once; a later flash replaces it, and one that cannot be sent soon is dropped."""
