"""The weights of the nets, and the statistics of inks."""

from __future__ import annotations

from pathlib import Path

FINDER, LETTERING, INKS = (Path(__file__).with_name(f"{name}.npz") for name in ("finder", "lettering", "inks"))
