"""The weights of the nets, and the statistics of inks."""

from __future__ import annotations

from pathlib import Path

FINDER, CORNERS, INKS, FOREIGN, PRINTED_DECK = (
    Path(__file__).with_name(f"{name}.npz") for name in ("finder", "corners", "inks", "foreign", "printed_deck")
)
LETTERING = tuple(Path(__file__).with_name(f"{name}.npz") for name in ("lettering", "lettering_2"))
"""Nets that were fitted to different rows and are asked together."""
