"""Where every game's pieces stand: the printed mat's plan, and how a recorded game begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.plan import Plan
from companion.plans import dice_tray, escape, ice_stalks, regenbogen, roll_and_color, spectra, spectrangle, spectrum
from companion.recording import RecordedMat, Recording

PLANS: dict[str, Callable[[int], Plan]] = {
    "spectrangle": spectrangle.plan,
    "spectra": spectra.plan,
    "ice-stalks": ice_stalks.plan,
    "regenbogen": regenbogen.plan,
    "spectrum": spectrum.plan,
    "escape": escape.plan,
    "roll-and-color": roll_and_color.plan,
}
"""Game name to a function from the number of seats to the printed mat's plan."""

MATS: dict[str, tuple[str, Plan]] = {
    "dice-tray": ("Dice tray", dice_tray.plan()),
    "spectrum": ("Spectrum board", spectrum.printed()),
}
"""Mats that no single game owns: name to the title and the plan, the same for any number of seats."""

RECORDED: dict[str, Callable[[RecordedMat, Mapping[str, Any]], Recording]] = {
    "spectrangle": spectrangle.recorded,
    "spectra": spectra.recorded,
    "ice-stalks": ice_stalks.recorded,
    "regenbogen": regenbogen.recorded,
    "spectrum": spectrum.recorded,
    "escape": escape.recorded,
    "roll-and-color": roll_and_color.recorded,
}
"""Game name to a function from a recording's mat and setup to how refereeing begins."""
