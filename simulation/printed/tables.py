"""Provides tables on which printed games lie: each PDF is printed and cut here, and seen by a drawn camera."""

from __future__ import annotations

from functools import cache, lru_cache
from random import Random

import numpy as np

from companion.app.printing.kit import Kit, kit_of, kit_pdf
from companion.app.printing.mat_pdf import BORDER_MM, MARGIN_MM, cut_sheets
from companion.app.printing.sheets import Part, lay_out
from companion.core.plan import Mat
from simulation.drawn.camera import random_camera
from simulation.drawn.canvas import Canvas
from simulation.drawn.ground import ground
from simulation.drawn.lamp import random_lamp
from simulation.drawn.sensor import Sensor, encoded, exposed, vignette
from simulation.printed.laid import LaidPart, lay
from simulation.printed.paper import PX_PER_MM, Page, print_page
from vision.image.picture import Picture
from vision.registration.markers import marker_cells

PAPER = "a4"
SURFACES = ("oak", "walnut", "grey cloth", "green cloth", "beige laminate", "slate")


class PrintedGame:
    """A printed kit."""

    def __init__(self, name: str, seats: int = 2) -> None:
        self.kit: Kit = kit_of(name, seats, marker_cells)
        self.pdf = kit_pdf(self.kit, PAPER, marker_cells)
        self.sheets = lay_out(self.kit.runs, PAPER)
        self.mat_pages = 0 if self.kit.plan is None else self._count()

    def _count(self) -> int:
        assert self.kit.plan is not None
        _, across, down = cut_sheets(self.kit.plan.mat, PAPER)
        return (len(across) - 1) * (len(down) - 1)

    def mat(self) -> LaidPart:
        """Returns its mat, glued together, with markers 0 to 3 at the corners of the table."""
        assert self.kit.plan is not None
        mat = self.kit.plan.mat
        _, across, down = cut_sheets(mat, PAPER)
        whole = np.full((round(down[-1] * PX_PER_MM), round(across[-1] * PX_PER_MM), 3), 255, np.uint8)
        for row in range(len(down) - 1):
            for column in range(len(across) - 1):
                page = print_page(self.pdf, row * (len(across) - 1) + column)
                size = across[column + 1] - across[column], down[row + 1] - down[row]
                cut = page.cut((MARGIN_MM, MARGIN_MM), size)
                x, y = round(across[column] * PX_PER_MM), round(down[row] * PX_PER_MM)
                room = whole[y : y + cut.shape[0], x : x + cut.shape[1]]
                room[:] = cut[: room.shape[0], : room.shape[1]]
        assert abs(across[-1] - mat.width_mm - 2 * BORDER_MM) < 1e-6
        return LaidPart(whole, mat.width_mm / 2, mat.height_mm / 2, z_mm=0.2)

    def names(self) -> set[str]:
        """Returns the names of all its parts."""
        return {part.name for sheet in self.sheets for part, _ in sheet.placed}

    @lru_cache(maxsize=400)  # noqa: B019 (one game lives as long as its test)
    def ink(self, name: str, back: bool = False) -> tuple[Part, Picture]:
        """Returns a part by its name, with its picture cut out of the printed sheet."""
        for number, sheet in enumerate(self.sheets):
            if sheet.backs != back:
                continue
            for part, at_mm in sheet.placed:
                if part.name == name:
                    page = self._page(number)
                    return part, page.cut(at_mm, part.size_mm)
        raise KeyError(name)

    @lru_cache(maxsize=40)  # noqa: B019
    def _page(self, number: int) -> Page:
        return print_page(self.pdf, self.mat_pages + number)


@cache
def printed(name: str) -> PrintedGame:
    """Returns a printed game, which is printed once."""
    return PrintedGame(name)


class Sight:
    """A random table, lamp and camera."""

    def __init__(self, seed: int, mat: Mat, steepest_deg: float = 35.0, *, loose_markers: bool = False) -> None:
        rng = Random(seed)
        self.camera = random_camera(rng, mat, rng.uniform(0, steepest_deg))
        self.lamp = random_lamp(rng, (mat.width_mm / 2, mat.height_mm / 2))
        self.sensor = Sensor(
            rng.uniform(0.05, 0.3), rng.uniform(0.4, 0.8), rng.uniform(0.8, 3.0), rng.randrange(82, 96)
        )
        hidden = () if loose_markers else (0, 1, 2, 3)
        self.canvas: Canvas = ground(self.camera, self.lamp, mat, rng.choice(SURFACES), seed, hidden=hidden)
        self.seed = seed

    def lay(self, part: LaidPart) -> None:
        """Draws a flat part on the table."""
        lay(self.canvas, part)

    def picture(self) -> Picture:
        """Returns the picture (H, W, 3) uint8, BGR, of the table."""
        shade = vignette(self.camera.size_px, self.sensor.vignetting)
        return exposed(encoded(self.canvas.light * shade), self.sensor, self.seed)
