"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path

import click

calibration_option = click.option(
    "--calibration",
    "calibration_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What `companion calibrate` has learned of this table.",
)
marker_option = click.option(
    "--marker",
    "marker_mm",
    required=True,
    type=float,
    metavar="MM",
    help="Side of a marker's black square in millimeters.",
)
corners_option = click.option(
    "--corners", metavar='"x,y x,y x,y x,y"', help="Centers of markers 0 1 2 3 in pixels; then no marker is needed."
)
_LANGUAGES = click.Choice(["en", "de"])
language_option = click.option(
    "--language", type=_LANGUAGES, help="Of browsers that chose none.  [default: as each browser asks]"
)
print_language_option = click.option(
    "--language", type=_LANGUAGES, default="en", show_default=True, help="Of the words that are printed."
)
