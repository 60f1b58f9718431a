"""Sets of small numbers as the bits of one number, so that a question about many is a handful of integer operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def mask_of(numbers: Iterable[int]) -> int:
    """Returns the set of these numbers.

    >>> mask_of([0, 3])
    9
    """
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


_GROUP_BITS = 8
_GROUP = (1 << _GROUP_BITS) - 1


def _numbers_of_groups() -> list[bytes]:
    """Returns the numbers of every set of numbers below `_GROUP_BITS`, rising."""
    found = [b""]
    for top in range(_GROUP_BITS):
        found += [numbers + bytes((top,)) for numbers in found]
    return found


_NUMBERS = _numbers_of_groups()


def nth(mask: int, place: int) -> int:
    """Returns the number at a place of a set, counted from 0 in rising order.

    Raises:
        IndexError: The set has fewer numbers.

    >>> nth(0b10110, 1)
    2
    """
    begin = 0
    numbers = _NUMBERS[mask & _GROUP]
    while place >= len(numbers):
        if not mask:
            raise IndexError(place)
        place -= len(numbers)
        mask >>= _GROUP_BITS
        begin += _GROUP_BITS
        numbers = _NUMBERS[mask & _GROUP]
    return begin + numbers[place]


def bits(mask: int) -> Iterator[int]:
    """Yields the numbers of a set, rising, one by one.

    >>> list(bits(9))
    [0, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
