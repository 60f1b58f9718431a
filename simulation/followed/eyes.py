"""Eyes for pyramids in zones: no picture, but identities, what is hidden, and what has come to light.

They stand where a reader stands (`vision.table_reader.TableReader`).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from companion.layout import Layout, Sighting, Spot
from companion.plan import Plan, Point, PyramidZone
from simulation.drawn.camera import Camera
from simulation.drawn.doubting import Faults
from simulation.drawn.spread import box_of
from simulation.drawn.standing import Upright
from simulation.followed.reading import EXACT, KNOWN, STRANGE, Sharpness, StandRead, stacked
from simulation.followed.tracks import ENOUGH, FollowedThings, Found, Track, Tracks
from simulation.followed.view import Cover, Labels, Thing, View
from vision.picture import Picture
from vision.reading import Reading

GHOST_MM = 30.0
"""A ghost appears no farther than this from something that has moved: it is a shadow that was not there before."""
_CORNERS: tuple[Point, Point, Point, Point] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


class FollowingEyes:
    """Sees a table that is shown to it, follows what stands there, and errs as its faults say."""

    def __init__(self, plan: Plan, camera: Camera, seed: int, faults: Faults) -> None:
        """:param faults: how often they err; who never errs reads as on a table that the reader knows."""
        self.plan = plan
        self.last: Reading | None = None
        self._zones = {zone.spot: zone for zone in plan.zones if isinstance(zone, PyramidZone)}
        self._view = View(camera)
        self._tracks = Tracks(self._view, "p")
        colors = plan.pyramid_colors or ()
        self._sharpness = Sharpness(seed, faults, KNOWN if faults == EXACT else STRANGE, colors)
        self._faults = faults
        self._seed = seed
        self._things: tuple[Thing, ...] = ()
        self._labels: Labels | None = None
        self._ghosts: list[Thing] = []
        self._number = 0
        self._looks = 0
        self._followed: FollowedThings | None = None

    def show(self, number: int, things: Sequence[Thing], covers: Sequence[Cover] = ()) -> None:
        """What stands on the table in a picture, and what foreign things lie there, from now on."""
        moved = [one for one in things if one not in self._things] if self._things else []
        self._number, self._things, self._looks, self._followed = number, tuple(things), 0, None
        self._labels = self._view.labels(things, covers)
        self._haunt(moved)

    def is_in_view(self, stand: object) -> bool:
        """True if enough of a thing is seen in the picture to read it."""
        assert self._labels is not None
        return self._view.visible_share(stand, self._labels) >= ENOUGH  # type: ignore[arg-type]

    def least_sure(self) -> float:
        """How surely the least sure of what the picture brought is read; 1 if it brought nothing."""
        assert self._followed is not None
        come = [one.found for one in self._followed.tracks if self._tracks.fresh.intersection(one.keys)]
        return min((one.confidence for one in come), default=1.0)

    def set_plan(self, plan: Plan) -> None:
        """Use another plan."""
        self.plan = plan

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Corners do not matter."""

    def confirm_position(self, position: Layout) -> None:
        """Nothing is learned."""

    def read(self, picture: Picture) -> Reading:
        """What the table shows; read twice, a picture shows nothing new the second time."""
        assert self._labels is not None
        self._followed = self._tracks.follow(self._found(), self._labels)
        return self._told(self._followed.tracks)

    def read_again(self, picture: Picture) -> Reading:
        """A further look: what has come since the picture before is read anew."""
        assert self._followed is not None
        rest = {one.stand: one for one in self._found()}
        tracks = []
        for track in self._followed.tracks:
            twin = rest.get(track.found.stand)
            if not self._tracks.fresh.intersection(track.keys):
                tracks.append(track)
            elif twin is not None and len(twin.levels) == len(track.keys):
                tracks.append(Track(track.keys, twin))
        return self._told(tracks)

    def _found(self) -> list[Found]:
        """What a look reads of all that is in view."""
        self._looks += 1
        look = f"{self._number} {self._looks}"
        found = []
        for thing in self._things:
            read = self._sharpness.read(thing.stand, look) if self.is_in_view(thing.stand) else StandRead(())
            if read.levels:
                found.append(Found(thing.spot, thing.stand, read.levels, read.rivals))
        for ghost in self._ghosts:
            rng = Random(f"{self._seed} {ghost.stand}")
            levels = (self._sharpness.ghost(rng),)
            found.append(Found(ghost.spot, ghost.stand, levels, presence=levels[0].confidence))
        return found

    def _haunt(self, moved: Sequence[Thing]) -> None:
        """Let ghosts go where something moves, and others come."""
        places = [thing.stand.place_mm for thing in moved]
        self._ghosts = [one for one in self._ghosts if not any(_near(one.stand.place_mm, place) for place in places)]
        for spot, zone in self._zones.items():
            rng = Random(f"{self._seed} {self._number} {spot} ghost")
            if rng.random() >= self._faults.invented:
                continue
            x0, y0, x1, y1 = box_of(zone)
            x, y = rng.choice(places) if places else (rng.uniform(x0, x1), rng.uniform(y0, y1))
            x, y = x + rng.uniform(-GHOST_MM, GHOST_MM), y + rng.uniform(-GHOST_MM, GHOST_MM)
            piece = self._sharpness.ghost(Random(f"{self._number} {spot}")).piece
            stands = [thing.stand.place_mm for thing in self._things]
            free = not any(abs(x - a) < 20 and abs(y - b) < 20 for a, b in stands)
            if x0 <= x <= x1 and y0 <= y <= y1 and free and piece is not None:
                self._ghosts.append(Thing(spot, Upright((piece,), x, y)))  # type: ignore[arg-type]

    def _told(self, tracks: Sequence[Track]) -> Reading:
        heaps: dict[Spot, list[Sighting]] = {spot: [] for spot in self._zones}
        for track in tracks:
            if self._zones[track.found.spot].kind == "stalks":
                heaps[track.found.spot].append(stacked(track.found.levels, track.found.rivals, ",".join(track.keys)))
            else:
                levels = zip(track.found.levels, track.keys, strict=True)
                heaps[track.found.spot] += [replace(level, place=key) for level, key in levels]
        assert self._followed is not None
        hidden = {key for track in self._followed.covered for key in (*track.keys, ",".join(track.keys))}
        came = dict(self._followed.uncovered)
        came |= {",".join(t.keys): came[t.keys[0]] for t in self._followed.tracks if t.keys and t.keys[0] in came}
        layout = Layout(
            heaps={spot: tuple(heap) for spot, heap in heaps.items()}, hidden=frozenset(hidden), uncovered=came
        )
        self.last = Reading(layout, (), (0, 1, 2, 3), _CORNERS)
        return self.last


def _near(one: Point, other: Point) -> bool:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 < GHOST_MM**2
