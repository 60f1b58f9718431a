"""Finds fonts of this machine with digits and letters, to print cards with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
_SUFFIXES = frozenset({".ttf", ".otf", ".pfb", ".woff2"})
_UNFIT = ("Symbol", "Dingbats", "Emoji", "D050000L", "CALLIG", "Dark Garden", "Math", " MM")
"""Parts of the names of fonts that people do not use for digits on cards."""
_PROBE_PX = 30
_CHARACTERS = "0123456789RBGYOP"
"""The characters of numbers and of the letters of colors."""


@cache
def find_fonts(folders: Sequence[Path]) -> tuple[Path, ...]:
    """Returns one file for each font in these folders and below, sorted by the font's name."""
    found: dict[tuple[str, str], Path] = {}
    for path in sorted(file for folder in folders for file in folder.rglob("*") if file.suffix in _SUFFIXES):
        try:
            font = ImageFont.truetype(str(path), _PROBE_PX)
            name = font.getname()
            wide = font.getlength("12") > font.getlength("1") > 2 and _legible(font)
        except OSError:
            continue
        family = str(name[0])
        if wide and not any(part in family for part in _UNFIT):
            found.setdefault((family, str(name[1])), path)
    return tuple(found[key] for key in sorted(found))


def _legible(font: ImageFont.FreeTypeFont) -> bool:
    """True if a font has a shape of its own for every character of a card; many have boxes in place of digits."""
    return len({bytes(font.getmask(character)) for character in _CHARACTERS}) == len(_CHARACTERS)


@lru_cache(maxsize=512)
def font_of(path: Path, size_px: int) -> ImageFont.FreeTypeFont:
    """Returns a font at a size in pixels."""
    return ImageFont.truetype(str(path), size_px)
