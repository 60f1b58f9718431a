"""Solves the pose of the table: from marker corners to a camera that maps table millimeters to pixels.

Only the camera's picture is known, so focal length, radial distortion and pose are solved together from all marker
corners, with a prior for what one view leaves open. Markers lie loose: only their centers are at the mat's corners, so
the rotation of each one on the table is solved, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct

from companion.core.foundation.errors import NoTable
from companion.core.plan import Mat, Point
from vision.image.pose import Floats, Pose

FOCAL_PER_WIDTH = 0.76
"""The focal length over picture width of a usual webcam (field of view about 67 degrees across)."""
FOCAL_LOG_SIGMA = 0.16
"""The standard deviation of the prior on its logarithm: 56 to 76 degrees are usual."""
DISTORTION_SIGMA = 0.08
"""The standard deviation of the prior on k1."""
_BREATHING = 0.01
PRINT_SIGMA = 0.02
"""The standard deviation of the printed markers' common scale; blur and printers change it by a percent or two."""
_PRINT_LIMIT = 0.08
"""The deviation of the scale beyond which the markers have another size than given; four centers locate the table
anyway.
"""
CORNER_SIGMA_PX = 0.25
"""The noise of a refined marker corner at 1280 pixels of width."""
CLICK_SIGMA_PX = 1.0
"""The noise of a corner that a person clicked, at 1280 pixels of width."""


class Lens(Struct, frozen=True):
    """The knowledge of a camera before its first picture."""

    focal_px: float
    focal_log_sigma: float
    k1: float
    k1_sigma: float


def usual_lens(size_px: tuple[int, int]) -> Lens:
    """Returns the lens of an unknown webcam."""
    return Lens(FOCAL_PER_WIDTH * max(size_px), FOCAL_LOG_SIGMA, 0.0, DISTORTION_SIGMA)


def known_lens(pose: Pose) -> Lens:
    """Returns the lens of an earlier pose; it may vary a little because autofocus changes the focal length."""
    return Lens(pose.focal_px, _BREATHING, pose.k1, _BREATHING)


_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
"""A marker's corners in the order of detection, in units of its side, y down."""


class _Problem:
    """Least squares over rvec, tvec, log focal length, k1, print scale and one rotation for each marker."""

    def __init__(
        self,
        mat: Mat,
        size_px: tuple[int, int],
        corners_px: Mapping[int, Floats],
        centers_px: Mapping[int, Floats],
        sigma_px: float,
        click_sigma_px: float,
        lens: Lens,
    ) -> None:
        self.mat = mat
        self.lens = lens
        self.size_px = size_px
        self.ids = tuple(sorted(corners_px))
        self.clicked = tuple(sorted(centers_px))
        places = np.array(mat.corners_mm())
        self.places = places[list(self.ids)].reshape(-1, 2)
        self.click_places = places[list(self.clicked)].reshape(-1, 2)
        self.seen = np.concatenate(
            [np.asarray(corners_px[i]).reshape(4, 2) for i in self.ids]
            + [np.asarray(centers_px[i]).reshape(1, 2) for i in self.clicked]
        )
        weight = [np.full(4 * len(self.ids), 1 / sigma_px), np.full(len(self.clicked), 1 / click_sigma_px)]
        self.weight = np.repeat(np.concatenate(weight), 2)
        self.count = len(self.ids)
        self.square = _SQUARE * mat.marker_mm
        self.size = 9 + self.count
        self.rows = np.arange(8 * self.count)
        self.prior_jacobian = np.zeros((3, self.size))
        self.prior_jacobian[(0, 1, 2), (6, 7, 8)] = 1 / lens.focal_log_sigma, 1 / lens.k1_sigma, 1 / PRINT_SIGMA

    def _sides(self, turns: Floats) -> Floats:
        """Returns (4 * markers, 2): the corners of the turned markers from their centers, at a print scale of 1."""
        cos, sin = np.cos(turns)[:, None], np.sin(turns)[:, None]
        x, y = self.square[:, 0], self.square[:, 1]
        return np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1).reshape(-1, 2)

    def residuals(self, p: Floats) -> tuple[Floats, Floats, Floats]:
        """Returns the weighted residuals, their Jacobian, and the plain pixel residuals (N, 2)."""
        lens, (width, height), scale, focal = self.lens, self.size_px, p[8], math.exp(p[6])
        sides = self._sides(p[9:])
        corners = 4 * self.count
        points = np.zeros((len(self.seen), 3))
        points[:corners, :2] = np.repeat(self.places, 4, axis=0) + scale * sides
        points[corners:, :2] = self.click_places
        matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
        found, camera = cv2.projectPoints(points, p[:3], p[3:6], matrix, np.array([p[7], 0, 0, 0, 0]))
        pixels = np.asarray(found, float).reshape(-1, 2)
        jacobian = np.zeros((pixels.size, self.size))
        jacobian[:, :6] = camera[:, :6]
        jacobian[:, 6] = (camera[:, 6] + camera[:, 7]) * focal
        jacobian[:, 7] = camera[:, 10]
        # A point that moves on the table moves in the camera's frame by as much, turned with the table.
        by_place = (camera[: 2 * corners, 3:6] @ cv2.Rodrigues(p[:3])[0][:, :2]).reshape(-1, 2, 2)
        across = scale * np.column_stack([-sides[:, 1], sides[:, 0]])
        jacobian[self.rows, 8] = (by_place @ sides[..., None]).ravel()
        jacobian[self.rows, 9 + self.rows // 8] = (by_place @ across[..., None]).ravel()
        plain = pixels - self.seen
        priors = (
            (p[6] - math.log(lens.focal_px)) / lens.focal_log_sigma,
            (p[7] - lens.k1) / lens.k1_sigma,
            (scale - 1) / PRINT_SIGMA,
        )
        weighted = np.concatenate([plain.ravel() * self.weight, priors])
        return weighted, np.concatenate([jacobian * self.weight[:, None], self.prior_jacobian]), plain

    def start(self, rvec: Floats, tvec: Floats, focal: float) -> Floats:
        """Returns parameters that begin at a pose, with each marker rotated as that pose sees it."""
        guess = Pose(self.size_px, focal, 0.0, _three(rvec), _three(tvec), 0.0)
        turns = []
        for k in range(self.count):
            square = guess.unproject(self.seen[4 * k : 4 * k + 4])
            along = square[1] + square[2] - square[0] - square[3]
            turns.append(math.atan2(along[1], along[0]))
        return np.concatenate([np.ravel(rvec), np.ravel(tvec), [math.log(focal), 0.0, 1.0], turns])

    def solve(self, p: Floats, rounds: int = 30) -> tuple[Floats, float]:
        """Returns parameters and cost after Levenberg-Marquardt with a Huber loss on the pixels."""
        damping = 1e-3
        error, jacobian, _ = self.residuals(p)
        cost, factors = _huber(error)
        for _ in range(rounds):
            weighted = jacobian * factors[:, None]
            normal = weighted.T @ weighted
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -weighted.T @ (error * factors))
            trial = p + step
            trial_error, trial_jacobian, _ = self.residuals(trial)
            trial_cost, trial_factors = _huber(trial_error)
            if np.isfinite(trial_cost) and trial_cost < cost:
                gain = cost - trial_cost
                p, error, jacobian, cost, factors = trial, trial_error, trial_jacobian, trial_cost, trial_factors
                damping = max(damping / 5, 1e-9)
                if gain < 1e-6 * (1 + cost):
                    break
            else:
                damping *= 6
                if damping > 1e8:
                    break
        return p, cost

    def pose(self, p: Floats) -> Pose:
        """Returns the parameters as a pose."""
        _, _, plain = self.residuals(p)
        rms = float(np.sqrt((plain**2).sum(1).mean()))
        return Pose(self.size_px, math.exp(p[6]), float(p[7]), _three(p[:3]), _three(p[3:6]), rms)


def _huber(error: Floats, limit: float = 4.0) -> tuple[float, Floats]:
    """Returns the cost and the square roots of the weights of iteratively reweighted least squares."""
    size = np.abs(error)
    cost = np.where(size <= limit, error**2, 2 * limit * size - limit**2).sum()
    return float(cost), np.sqrt(np.where(size <= limit, 1.0, limit / np.maximum(size, 1e-9)))


def _three(values: Floats) -> tuple[float, float, float]:
    a, b, c = (float(v) for v in np.ravel(values))
    return a, b, c


class PoseEstimate(Struct, frozen=True):
    """A solved pose with its evidence."""

    pose: Pose
    used: tuple[int, ...]
    """The ids of the markers that agree with it."""
    moved: tuple[int, ...]
    """The ids of markers that were seen where they do not belong."""


def agreement_px(size_px: tuple[int, int]) -> float:
    """Returns the greatest root mean square distance, in pixels, of a marker's corners from those of its pose."""
    return max(2.4 * max(size_px) / 1280, 1.5)


def estimate_from_markers(
    seen: Mapping[int, Sequence[Floats]], mat: Mat, size_px: tuple[int, int], lens: Lens | None = None
) -> PoseEstimate:
    """Solves the pose from markers; `seen` has the sightings of each id, corners (4, 2) in pixels.

    `lens` is the camera's lens if an earlier picture has shown it.

    A marker that lies elsewhere, or a second sheet with the same id, is left out if the others agree without it.

    Raises:
        NoTable: Fewer than two markers, or markers that do not lie at the corners of this mat.
    """
    chances = {i: list(s) for i, s in seen.items() if 0 <= i <= 3 and s}
    if len(chances) < 2:
        found = f"only marker {next(iter(chances))} was found" if chances else "no marker was found"
        raise NoTable(f"The table cannot be placed: {found}, and at least two of the markers 0 to 3 are needed.")
    limit_px = agreement_px(size_px)
    for size in range(len(chances), 1, -1):
        fits: list[tuple[float, PoseEstimate]] = []
        for ids in combinations(sorted(chances), size):
            best = _best_choice({i: chances[i] for i in ids}, mat, size_px, limit_px, lens or usual_lens(size_px))
            if best is not None:
                cost, pose = best
                fits.append((cost, PoseEstimate(pose, ids, tuple(i for i in sorted(chances) if i not in ids))))
        fits.sort(key=lambda fit: fit[0])
        if fits and (len(fits) == 1 or fits[0][0] * 4 + 8 < fits[1][0]):
            return fits[0][1]
        if fits:
            break
    raise NoTable(
        f"The markers {', '.join(map(str, sorted(chances)))} do not lie at the corners of a "
        f"{mat.width_mm:g} x {mat.height_mm:g} mm mat with {mat.marker_mm:g} mm markers."
    )


def _best_choice(
    chances: Mapping[int, Sequence[Floats]], mat: Mat, size_px: tuple[int, int], limit_px: float, lens: Lens
) -> tuple[float, Pose] | None:
    """Returns the cheapest agreeing fit over all ways to choose one sighting an id; None if none agrees."""
    choices: list[dict[int, Floats]] = [{}]
    for i, sightings in chances.items():
        choices = [{**choice, i: s} for choice in choices for s in sightings[:3]][:16]
    best: tuple[float, Pose] | None = None
    for choice in choices:
        fit = fitted(choice, {}, mat, size_px, lens)
        if fit is None or fit.worst_px > limit_px:
            continue
        if len(choice) < 4 and abs(fit.marker_scale - 1) > _PRINT_LIMIT:
            continue  # only the markers' own size shows their distance
        if best is None or fit.cost < best[0]:
            best = fit.cost, fit.pose
    return best


def estimate_from_corners(
    corners_px: Sequence[Point],
    mat: Mat,
    size_px: tuple[int, int],
    seen: Mapping[int, Sequence[Floats]] | None = None,
    lens: Lens | None = None,
) -> PoseEstimate:
    """Solves the pose from the four marker centers that a person clicked.

    Markers in `seen` refine it where they lie at a click; elsewhere they are ignored.

    Raises:
        NoTable: The corners are not four points of a convex quadrilateral, clockwise from marker 0.
    """
    corners = np.asarray(corners_px, dtype=np.float64).reshape(-1, 2)
    if len(corners) != 4 or not np.isfinite(corners).all() or not _clockwise(corners):
        raise NoTable(
            "The four corners do not go clockwise around the table. "
            "Give the centers of markers 0, 1, 2, 3 in this order."
        )
    near_px = 12 * max(size_px) / 1280
    agreeing: dict[int, Floats] = {}
    for i, sightings in (seen or {}).items():
        for sighting in sightings:
            if 0 <= i <= 3 and np.hypot(*(center_px(sighting) - corners[i])) < near_px:
                agreeing[i] = np.asarray(sighting)
    clicks = {i: corners[i] for i in range(4)}
    limit_px = 4 * max(size_px) / 1280
    for markers in (agreeing, {}):
        fit = fitted(markers, clicks, mat, size_px, lens or usual_lens(size_px))
        if fit is not None and fit.worst_px <= limit_px:
            return PoseEstimate(fit.pose, tuple(sorted(markers)), ())
    raise NoTable(
        f"The four corners are not those of a {mat.width_mm:g} x {mat.height_mm:g} mm mat. "
        "Give the centers of markers 0, 1, 2, 3 in pixels, and check the mat's size."
    )


def center_px(corners: Floats) -> Floats:
    """Returns (2,): the crossing of the diagonals of a marker's corners (4, 2), which is its center in perspective."""
    a, b, c, d = np.asarray(corners, dtype=np.float64).reshape(4, 2)
    along, across = c - a, d - b
    denominator = along[0] * across[1] - along[1] * across[0]
    if abs(denominator) < 1e-9:
        return np.asarray((a + b + c + d) / 4)
    share = ((b - a)[0] * across[1] - (b - a)[1] * across[0]) / denominator
    return np.asarray(a + share * along)


def _clockwise(corners: Floats) -> bool:
    """True if four pixels (y down) go clockwise around a convex quadrilateral of some size."""
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    return bool((turns > 16).all())


class Fit(NamedTuple):
    """The pose that agrees best with some markers and clicks."""

    cost: float
    pose: Pose
    worst_px: float
    """The worst marker's root mean square residual in pixels."""
    marker_scale: float
    """The size of the markers by the scale of the mat, divided by their nominal size."""


def fitted(
    markers: Mapping[int, Floats], clicks: Mapping[int, Floats], mat: Mat, size_px: tuple[int, int], lens: Lens
) -> Fit | None:
    """Returns the best pose, however badly it fits; None if there is none.

    Args:
        markers: Corners (4, 2) in pixels by id.
        clicks: (2,) centers in pixels by id.
    """
    scale = max(size_px) / 1280
    problem = _Problem(mat, size_px, markers, clicks, CORNER_SIGMA_PX * scale, CLICK_SIGMA_PX * scale, lens)
    focal = lens.focal_px
    tried = []
    for rvec, tvec in _starts(markers, clicks, mat, size_px, focal):
        p, cost = problem.solve(problem.start(rvec, tvec, focal), rounds=8)
        if p[5] > 0 and np.isfinite(cost):
            tried.append((cost, p))
    if not tried:
        return None
    p, cost = problem.solve(min(tried, key=lambda t: t[0])[1])
    pose = problem.pose(p)
    if pose.eye_mm()[2] <= 0:
        return None
    _, _, plain = problem.residuals(p)
    squares = (plain**2).sum(1)
    groups = [squares[4 * k : 4 * k + 4] for k in range(problem.count)] + [squares[4 * problem.count :]]
    worst = max(float(np.sqrt(group.mean())) for group in groups if group.size)
    return Fit(cost, pose, worst, float(p[8]))


def _starts(
    markers: Mapping[int, Floats], clicks: Mapping[int, Floats], mat: Mat, size_px: tuple[int, int], focal: float
) -> list[tuple[Floats, Floats]]:
    """Returns starting poses: from the mat's corners if all four are known, else from each single marker."""
    places = np.array(mat.corners_mm())
    centers = {**clicks, **{i: center_px(c) for i, c in markers.items()}}
    matrix = np.array([[focal, 0, (size_px[0] - 1) / 2], [0, focal, (size_px[1] - 1) / 2], [0, 0, 1]])
    if len(centers) == 4:
        flat = np.column_stack([places, np.zeros(4)])
        pixels = np.array([centers[i] for i in range(4)])
        done, rvecs, tvecs, _ = cv2.solvePnPGeneric(flat, pixels, matrix, None, flags=cv2.SOLVEPNP_IPPE)
        return [(np.asarray(r, float), np.asarray(t, float)) for r, t in zip(rvecs, tvecs, strict=True)] if done else []
    starts = []
    half = mat.marker_mm / 2
    square = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]], dtype=np.float64)
    for i, corners in markers.items():
        done, rvecs, tvecs, _ = cv2.solvePnPGeneric(
            square, np.asarray(corners).reshape(4, 2), matrix, None, flags=cv2.SOLVEPNP_IPPE_SQUARE
        )
        if not done:
            continue
        for rvec, tvec in zip(rvecs, tvecs, strict=True):
            # IPPE_SQUARE wants y up; turn it to the table's y down, z away from the camera.
            rotation = np.asarray(cv2.Rodrigues(rvec)[0]) @ np.diag([1.0, -1.0, -1.0])
            lone = Pose(
                size_px,
                focal,
                0.0,
                _three(np.asarray(cv2.Rodrigues(rotation)[0], float)),
                _three(np.asarray(tvec, float)),
                0.0,
            )
            others = [j for j in markers if j != i]
            spots = lone.unproject(np.array([centers[j] for j in others]))
            want = places[others] - places[i]
            turn = math.atan2(
                float((want[:, 1] * spots[:, 0] - want[:, 0] * spots[:, 1]).sum()), float((want * spots).sum())
            )
            cos, sin = math.cos(turn), math.sin(turn)
            # table point = R(turn) marker point + place, so the camera sees R_lone R(-turn) (table - place).
            spin = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
            whole = rotation @ spin
            shift = np.ravel(tvec) - whole @ np.array([places[i][0], places[i][1], 0.0])
            starts.append((np.asarray(cv2.Rodrigues(whole)[0]), shift))
    return starts
