"""Earlier pictures of a table, kept to say whether a place was ever seen free, and whether it looks free now.

The first picture is kept, since it may be the only one that shows a place before anything came there, and the last
dozen that differ from each other. They are small, so all of them together take five megabytes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from vision.cover import is_changed_around
from vision.likeness import Glance, Mask, changed_share, unchanged_near
from vision.tracked_thing import TrackedThing, room_for, shown_where

T = TypeVar("T", bound=TrackedThing)

KEPT = 0.6
"""A place of which less has changed shows what it showed. Of 3,888 places in recordings (plain, fading, coarse, moved)
that nobody touched 97.4 % change by less, of 416 at which something came 96.6 % by more (docs/matching.md)."""
BARE = 0.4
"""Where less has changed since an earlier picture in which nothing stood there, nothing stands there now: the table's
pattern was read. Of 32 things that came to a checked cloth all had changed by 0.5 or more, 31 of them by 0.85 or more;
of 30 that were invented there 13 by less than this."""
EARLIER = 12
"""So many earlier pictures that differ are remembered, beside the first one, to see whether a place was ever free."""


class _Earlier(NamedTuple, Generic[T]):
    """A picture as it is remembered."""

    glance: Glance
    standing: tuple[T, ...]


class EarlierPictures(Generic[T]):
    """The earlier pictures of one table, with what stood there."""

    def __init__(self) -> None:
        self._first: _Earlier[T] | None = None
        self._last: deque[_Earlier[T]] = deque(maxlen=EARLIER)

    def keep(self, glance: Glance, standing: Sequence[T], same: Mask | None) -> None:
        """Remember a picture; it takes the place of the one before if it shows the same.

        :param same: where it is as the one before was; None: nothing is known of that.
        """
        picture = _Earlier(glance, tuple(standing))
        if self._first is None:
            self._first = picture
        elif self._last and same is not None and same.all():
            self._last[-1] = picture
        else:
            self._last.append(picture)

    def seen_free(self, found: T, now: Glance) -> int:
        """The number of pictures that show the bare place of a thing that stands there now, without the thing."""
        return sum(_was_free(found, picture, now) for picture in self._before(now))

    def show_bare(self, found: T, now: Glance) -> bool:
        """True if the place looks as it did in a picture in which nothing stood there: then nothing stands there now.

        :param found: what a reader sees there now.
        """
        free = (picture for picture in self._before(now) if room_for(found, picture.standing) == 1)
        seen = (unchanged_near(picture.glance, now, found.outline_px) for picture in free)
        return any(near.same is not None and changed_share(near.same, near.outlines_px) < BARE for near in seen)

    def _before(self, now: Glance) -> list[_Earlier[T]]:
        pictures = (*([] if self._first is None else [self._first]), *self._last)
        return [picture for picture in pictures if picture.glance is not now]


def _was_free(found: T, picture: _Earlier[T], now: Glance) -> bool:
    """Whether an earlier picture shows the table where a thing stands now, and not the thing."""
    if room_for(found, picture.standing) < 1:
        return False
    if shown_where(found, picture.glance, picture.glance, picture.standing) != "free":
        return False
    near = unchanged_near(picture.glance, now, found.outline_px)
    if near.same is None or changed_share(near.same, near.outlines_px) < KEPT:
        return False
    # Where it has changed all around, a cloth may have lain there, which looks like itself.
    return not is_changed_around(near.outlines_px, near.same)
