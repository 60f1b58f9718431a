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


def nth(mask: int, place: int) -> int:
    """Returns the number at a place of a set, counted from 0 in rising order.

    >>> nth(0b10110, 1)
    2
    """
    for _ in range(place):
        mask &= mask - 1
    return (mask & -mask).bit_length() - 1


def bits(mask: int) -> Iterator[int]:
    """Yields the numbers of a set, rising, one by one.

    >>> list(bits(9))
    [0, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
