"""Keeps earlier pictures of a table, to decide whether a place was hidden in the last one, was ever free, or is free
now.

It keeps the first picture, which may be the only one that shows a place before anything came there, and the last dozen
that differ from each other. They are small, so all of them together take five megabytes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from companion.core.layout import Uncovered
from vision.image.likeness import Glance, Mask, NearbyChange, unchanged_near
from vision.memory.cover import is_changed_around
from vision.memory.tracked_thing import TrackedThing, changed_in_view, room_for, shown_where

T = TypeVar("T", bound=TrackedThing)

KEPT = 0.6
"""A place with a smaller changed share is unchanged. Of 3,888 untouched places in recordings (plain, fading, coarse,
moved) 97.4 % change by less, of 416 at which a piece came 96.6 % by more (docs/matching.md).
"""
BARE = 0.4
"""If a place has changed by less since a picture in which it was bare, it is bare now: the reader took the table's
pattern for a piece. Of 32 things that came to a checked cloth all had changed by 0.5 or more, 31 of them by 0.85 or
more; of 30 that were misread there 13 by less than this.
"""
STRANGE = 0.25
"""The log ratio to the surrounding table from which a place was covered, if its surroundings are unchanged: 0.37 under
a cloth, at most 0.07 where a piece came, in the first turns of one recording of Spectra.
"""
SURE = 0.97
"""A thing with a lower confidence may have been a cloth over something instead of a piece."""
EARLIER = 12
"""The number of earlier, different pictures that are kept besides the first one."""


class _Earlier(NamedTuple, Generic[T]):
    """A remembered picture."""

    glance: Glance
    standing: tuple[T, ...]


class EarlierPictures(Generic[T]):
    """The earlier pictures of one table, with the things in them."""

    def __init__(self) -> None:
        self._first: _Earlier[T] | None = None
        self._later: deque[_Earlier[T]] = deque(maxlen=EARLIER)

    @property
    def last(self) -> Glance | None:
        """The picture that was kept last; None before the first one."""
        last = self._last
        return None if last is None else last.glance

    @property
    def _last(self) -> _Earlier[T] | None:
        return self._later[-1] if self._later else self._first

    def keep(self, glance: Glance, standing: Sequence[T], same: Mask | None) -> None:
        """Remembers a picture; it replaces the previous one if it shows the same.

        Args:
            same: The part that is unchanged since the previous one; None if unknown.
        """
        picture = _Earlier(glance, tuple(standing))
        if self._first is None:
            self._first = picture
        elif self._later and same is not None and same.all():
            self._later[-1] = picture
        else:
            self._later.append(picture)

    def correct(self, standing: Sequence[T]) -> None:
        """Replaces the things of the last kept picture by those that further looks found."""
        if self._later:
            self._later[-1] = self._later[-1]._replace(standing=tuple(standing))
        elif self._first is not None:
            self._first = self._first._replace(standing=tuple(standing))

    def hiding(
        self, found: T, same: Mask | None, now: Glance, covered: Sequence[T], standing: Sequence[T]
    ) -> Uncovered | None:
        """Returns how the last picture hid the place of a thing that is visible now; None if it did not hide it.

        Args:
            same: The part of the picture that is unchanged since the last one; None if unknown.
            covered: The hidden things of the last picture.
            standing: All things that are visible now.
        """
        if self._last is None or same is None:
            return None
        before, known = self._last.glance, self._last.standing
        room = room_for(found, [*known, *covered])
        if room <= 1 - SURE:
            return None
        if is_changed_around(found.outline_px, same):
            shown = shown_where(found, before, now, [one for one in known if one.presence > SURE])
        else:
            # A cloth may be as small as the thing under it: then its place must have looked very unlike the table.
            shown = shown_where(found, before, now, known, STRANGE)
        if shown not in ("behind", "foreign"):
            return None
        free = sum(_was_free(found, picture, now, standing) for picture in self._but(now))
        return Uncovered("piece" if shown == "behind" else "foreign", free, room)

    def show_bare(self, found: T, now: Glance, standing: Sequence[T]) -> bool:
        """True if the place looks as in a picture in which it was free, so that it is free now.

        Args:
            found: The reading at the place.
            standing: All readings.
        """
        free = (picture for picture in self._but(now) if room_for(found, picture.standing) == 1)
        changes = (unchanged_near(picture.glance, now, found.outline_px) for picture in free)
        return any(_share(found, change, now, standing) < BARE for change in changes)

    def _but(self, now: Glance) -> list[_Earlier[T]]:
        """Returns all pictures but the one that is read now."""
        pictures = (*([] if self._first is None else [self._first]), *self._later)
        return [picture for picture in pictures if picture.glance is not now]


def _was_free(found: T, picture: _Earlier[T], now: Glance, standing: Sequence[T]) -> bool:
    """True if an earlier picture shows the table where a thing stands now, and not the thing."""
    if room_for(found, picture.standing) < 1:
        return False
    if shown_where(found, picture.glance, picture.glance, picture.standing) != "free":
        return False
    change = unchanged_near(picture.glance, now, found.outline_px)
    if change.same is None or _share(found, change, now, standing) < KEPT:
        return False
    # If everything around has changed, a cloth may have lain there, and the place looks like that cloth.
    return not is_changed_around(found.outline_px - change.corner_px, change.same)


def _share(found: T, change: NearbyChange, now: Glance, standing: Sequence[T]) -> float:
    """Returns the share of a thing's visible part that has changed; 1 if the camera looks from somewhere else."""
    if change.same is None:
        return 1.0
    return changed_in_view(found, change.same, now.pose, standing, corner_px=change.corner_px)
