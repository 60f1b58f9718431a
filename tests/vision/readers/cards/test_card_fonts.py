"""Cards for training are printed in fonts that have digits and letters, not boxes in their places."""

from __future__ import annotations

from PIL import ImageFont

from vision.readers.cards.training.fonts import FOLDERS, find_fonts


def test_every_font_draws_each_digit_and_each_letter_in_its_own_shape() -> None:
    for path in find_fonts(FOLDERS)[::9]:
        font = ImageFont.truetype(str(path), 32)
        assert len({bytes(font.getmask(sign)) for sign in "0123456789RBGYOP"}) == 16, path.name
